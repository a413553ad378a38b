//! A text that matches a pattern. Of regular expressions it knows what patterns in schemas are made of: literals,
//! classes, groups, alternatives and counts. What looks ahead or back is passed over; whether the text really
//! matches is for others to check.

/// Texts longer than this are given up, in characters.
const LONGEST: usize = 5000;
/// How deep groups may be nested.
const DEEPEST: usize = 30;

/// A text for the pattern; `more` is how often what may be repeated is, beyond its least count.
pub(super) fn make(pattern: &str, more: usize) -> Option<String> {
    let mut reader = Reader { pattern: pattern.chars().collect(), at: 0, more, depth: 0 };
    let text = reader.alternatives()?;
    (reader.at == reader.pattern.len() && text.len() <= LONGEST).then_some(text)
}

struct Reader {
    pattern: Vec<char>,
    at: usize,
    more: usize,
    depth: usize,
}

/// How often an atom stands.
struct Count {
    least: usize,
    most: Option<usize>,
}

/// What an escape in a class is.
enum Escape {
    Char(char),
    Ranges,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.pattern.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The first of the alternatives that has a text; the others are read over.
    fn alternatives(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let first = self.sequence()?;
        while self.take('|') {
            self.sequence()?;
        }
        self.depth -= 1;
        Some(first)
    }

    fn sequence(&mut self) -> Option<String> {
        let mut out = String::new();
        while let Some(next) = self.peek().filter(|next| !matches!(next, '|' | ')')) {
            if matches!(next, '^' | '$') {
                self.at += 1;
                continue;
            }
            let atom = self.atom()?;
            let count = self.count()?;
            let more = count.least.saturating_add(self.more);
            let times = count.most.map_or(more, |most| more.min(most)).max(count.least);
            // Only the first part that may be repeated is, so that a length is reached step by step.
            if times > count.least {
                self.more = self.more.saturating_sub(times - count.least);
            }
            if atom.chars().count().saturating_mul(times) > LONGEST || out.len() > LONGEST {
                return None;
            }
            out.push_str(&atom.repeat(times));
        }
        Some(out)
    }

    fn atom(&mut self) -> Option<String> {
        let next = self.peek()?;
        self.at += 1;
        match next {
            '(' => self.group(),
            '[' => self.class().map(String::from),
            '\\' => self.escape(),
            '.' => Some("a".to_owned()),
            other => Some(other.to_string()),
        }
    }

    fn group(&mut self) -> Option<String> {
        let mut silent = false;
        if self.take('?') {
            match self.peek()? {
                ':' => self.at += 1,
                '=' | '!' => {
                    silent = true;
                    self.at += 1;
                }
                '<' if matches!(self.pattern.get(self.at + 1), Some('=' | '!')) => {
                    silent = true;
                    self.at += 2;
                }
                '<' | 'P' => {
                    while self.peek()? != '>' {
                        self.at += 1;
                    }
                    self.at += 1;
                }
                _ => return None,
            }
        }
        let more = self.more;
        let inside = self.alternatives()?;
        if silent {
            self.more = more;
        }
        self.take(')').then(|| if silent { String::new() } else { inside })
    }

    /// A character of a class.
    fn class(&mut self) -> Option<char> {
        let negated = self.take('^');
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut first = true;
        loop {
            let next = self.peek()?;
            self.at += 1;
            if next == ']' && !first {
                break;
            }
            first = false;
            let low = if next == '\\' { self.class_escape(&mut ranges)? } else { Escape::Char(next) };
            let Escape::Char(low) = low else { continue };
            let is_range = self.peek() == Some('-') && self.pattern.get(self.at + 1).is_some_and(|next| *next != ']');
            if !is_range {
                ranges.push((low, low));
                continue;
            }
            self.at += 1;
            let mut high = self.peek()?;
            self.at += 1;
            if high == '\\' {
                let Escape::Char(escaped) = self.class_escape(&mut ranges)? else { return None };
                high = escaped;
            }
            ranges.push((low, high));
        }
        let inside = |c: char| ranges.iter().any(|(low, high)| *low <= c && c <= *high);
        if negated {
            return "aA0_- .~".chars().find(|c| !inside(*c));
        }
        let usual = "aA1";
        usual.chars().find(|c| inside(*c)).or_else(|| ranges.first().map(|(low, _)| *low))
    }

    /// An escape in a class: a character, or ranges that are added.
    fn class_escape(&mut self, ranges: &mut Vec<(char, char)>) -> Option<Escape> {
        let next = self.peek()?;
        self.at += 1;
        match next {
            'd' => ranges.push(('0', '9')),
            'w' => ranges.extend([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]),
            's' => ranges.push((' ', ' ')),
            'D' | 'S' | 'W' => ranges.push(('-', '-')),
            'n' => return Some(Escape::Char('\n')),
            't' => return Some(Escape::Char('\t')),
            'u' => return Some(Escape::Char(self.unicode(4)?)),
            'x' => return Some(Escape::Char(self.unicode(2)?)),
            other => return Some(Escape::Char(other)),
        }
        Some(Escape::Ranges)
    }

    fn escape(&mut self) -> Option<String> {
        let next = self.peek()?;
        self.at += 1;
        Some(match next {
            'd' => "1".to_owned(),
            'w' | 'S' | 'D' => "a".to_owned(),
            's' => " ".to_owned(),
            'W' => "-".to_owned(),
            'b' | 'B' => String::new(),
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            'u' => self.unicode(4)?.to_string(),
            'x' => self.unicode(2)?.to_string(),
            // Which letters a property has is not known here; most patterns mean letters.
            'p' if self.peek() == Some('{') => {
                while self.peek()? != '}' {
                    self.at += 1;
                }
                self.at += 1;
                "a".to_owned()
            }
            '1'..='9' | 'p' | 'P' | 'k' => return None,
            other => other.to_string(),
        })
    }

    fn unicode(&mut self, digits: usize) -> Option<char> {
        let text: String = self.pattern.get(self.at..self.at + digits)?.iter().collect();
        self.at += digits;
        char::from_u32(u32::from_str_radix(&text, 16).ok()?)
    }

    fn count(&mut self) -> Option<Count> {
        let (count, is_counted) = match self.peek() {
            Some('*') => (Count { least: 0, most: None }, true),
            Some('+') => (Count { least: 1, most: None }, true),
            Some('?') => (Count { least: 0, most: Some(1) }, true),
            Some('{') => return self.braces(),
            _ => (Count { least: 1, most: Some(1) }, false),
        };
        self.at += usize::from(is_counted);
        self.take('?');
        Some(count)
    }

    fn braces(&mut self) -> Option<Count> {
        let end = self.pattern[self.at..].iter().position(|c| *c == '}')? + self.at;
        let inside: String = self.pattern[self.at + 1..end].iter().collect();
        self.at = end + 1;
        self.take('?');
        let (least, most) = match inside.split_once(',') {
            None => (inside.parse().ok()?, Some(inside.parse().ok()?)),
            Some((least, "")) => (least.parse().ok()?, None),
            Some((least, most)) => (least.parse().ok()?, Some(most.parse().ok()?)),
        };
        Some(Count { least, most })
    }
}
