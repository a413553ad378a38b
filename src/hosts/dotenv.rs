//! A file of variables that an entry names (`envFile` of VS Code and Cursor), line by line as VS Code reads it: `NAME=value`,
//! `export NAME=value`, `NAME: value`; quotes around a value are taken off, in double ones `\n` and `\r` are line ends,
//! and `#` outside of quotes begins a comment. Nothing is expanded, and no value goes over several lines.

const QUOTES: [char; 3] = ['"', '\'', '`'];
/// Lines with a variable that are read of a file.
const MOST: usize = 2_000;

/// The variables of a file. A name that comes twice has its last value, in its first place.
pub(super) fn variables(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (name, value) in text.trim_start_matches('\u{feff}').split(['\n', '\r']).filter_map(line).take(MOST) {
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = value,
            None => found.push((name, value)),
        }
    }
    found
}

fn line(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let line = line.strip_prefix("export ").map_or(line, str::trim_start);
    if line.starts_with('#') {
        return None;
    }
    let at = outside_quotes(line, &['=', ':'])?;
    let (name, value) = (line[..at].trim(), line[at + 1..].trim());
    let value = outside_quotes(value, &['#']).map_or(value, |at| value[..at].trim_end());
    (!name.is_empty()).then(|| (name.to_owned(), unquoted(value)))
}

/// Where the first of these signs stands that is in no quotes.
fn outside_quotes(text: &str, signs: &[char]) -> Option<usize> {
    let mut quote = None;
    for (at, sign) in text.char_indices() {
        match quote {
            Some(open) if sign == open => quote = None,
            None if signs.contains(&sign) => return Some(at),
            None if QUOTES.contains(&sign) => quote = Some(sign),
            Some(_) | None => {}
        }
    }
    None
}

fn unquoted(value: &str) -> String {
    for quote in QUOTES {
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            let doubled = quote == '"';
            return if doubled { inner.replace("\\n", "\n").replace("\\r", "\r") } else { inner.to_owned() };
        }
    }
    value.to_owned()
}

#[cfg(test)]
mod tests {
    use super::variables;

    #[test]
    fn lines_are_read_as_the_host_reads_them() {
        let text = "\u{feff}A=1\r\n# B=2\n\n export C = \"x # y\\nz\" # why\nD: 'a\\nb'\nE=`q`\nF=a=b#c\nG=\n=H\nI\nA=\"2\nJ=${HOME} 'x'\n";
        let expected = [
            ("A", "\"2"),
            ("C", "x # y\nz"),
            ("D", "a\\nb"),
            ("E", "q"),
            ("F", "a=b"),
            ("G", ""),
            ("J", "${HOME} 'x'"),
        ];
        assert_eq!(variables(text), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
