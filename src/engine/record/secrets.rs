//! Keeps what looks like a secret out of a recorded command. A guess by names and shapes: it errs
//! towards masking, and says how much it left out.

/// What stands for a value that was left out.
pub const MASK: &str = "•••";

/// Parts of an option's or variable's name that mean that its value is a secret.
const NAMES: [&str; 15] = [
    "apikey",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "authorization",
    "bearer",
    "privatekey",
    "accesskey",
    "authkey",
    "cookie",
    "connectionstring",
    "signature",
];

/// The command with its secrets masked, and how many were.
pub fn mask(command: &[String]) -> (Vec<String>, u32) {
    let mut masker = Masker { left_out: 0, expects: false };
    let words = command.iter().enumerate().map(|(index, word)| masker.word(word, index == 0)).collect();
    (words, masker.left_out)
}

/// One word, such as a URL or the value of a header field, with what looks like a secret in it masked.
pub fn mask_word(word: &str) -> String {
    Masker { left_out: 0, expects: false }.word(word, false)
}

struct Masker {
    left_out: u32,
    /// The next word is the value of an option that names a secret.
    expects: bool,
}

impl Masker {
    fn word(&mut self, word: &str, is_program: bool) -> String {
        let expected = std::mem::take(&mut self.expects);
        if is_program {
            return word.to_owned();
        }
        if expected && !word.starts_with("--") {
            return self.hide("");
        }
        // A header as curl and mcp-remote take it: `Authorization: Bearer x`, `X-Api-Key:x`.
        if let Some((name, value)) = word.split_once(':')
            && is_secret(name)
            && !value.starts_with("//")
            && !name.contains(['=', '/'])
        {
            return self.hide(&format!("{name}: "));
        }
        if let Some((name, value)) = word.split_once('=')
            && !name.contains("://")
        {
            if is_secret(name) {
                return self.hide(&format!("{name}="));
            }
            return format!("{name}={}", self.value(value));
        }
        self.expects = word.starts_with('-') && is_secret(word);
        self.value(word)
    }

    /// A word that is not named: a URL with user or query, or something with a secret's shape.
    fn value(&mut self, word: &str) -> String {
        if word.to_ascii_lowercase().starts_with("bearer ") || has_key_shape(word) {
            return self.hide("");
        }
        let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let authority = match authority.rsplit_once('@') {
            Some((_, host)) => self.hide("") + "@" + host,
            None => authority.to_owned(),
        };
        format!("{scheme}://{authority}{}", self.query(path))
    }

    fn query(&mut self, path: &str) -> String {
        let Some((path, query)) = path.split_once('?') else { return path.to_owned() };
        let mut pairs = Vec::new();
        for pair in query.split('&') {
            pairs.push(match pair.split_once('=') {
                Some((name, _)) if is_secret(name) || name == "key" => self.hide(&format!("{name}=")),
                _ => pair.to_owned(),
            });
        }
        format!("{path}?{}", pairs.join("&"))
    }

    fn hide(&mut self, before: &str) -> String {
        self.left_out += 1;
        format!("{before}{MASK}")
    }
}

/// Whether a name of an option, variable or header means a secret.
pub(in crate::engine) fn is_secret(name: &str) -> bool {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    NAMES.iter().any(|known| plain.contains(known)) || plain == "pat" || plain.ends_with("pwd") || plain == "key"
}

/// Prefixes by which well-known services mark their keys.
pub(in crate::engine) fn has_key_shape(word: &str) -> bool {
    const PREFIXES: [&str; 12] =
        ["sk-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "AIza", "hf_", "eyJ"];
    word.len() >= 20 && PREFIXES.iter().any(|prefix| word.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(command: &str) -> String {
        let words: Vec<String> = command.split('|').map(str::to_owned).collect();
        let (words, left_out) = mask(&words);
        format!("{} ({left_out})", words.join("|"))
    }

    #[test]
    fn secrets_are_left_out_and_counted() {
        let cases = [
            ("srv|--api-key|abc|--port|1", "srv|--api-key|•••|--port|1 (1)"),
            ("srv|--token=abc|-v", "srv|--token=•••|-v (1)"),
            ("env|GITHUB_TOKEN=abc|PATH=/bin|srv", "env|GITHUB_TOKEN=•••|PATH=/bin|srv (1)"),
            (
                "npx|mcp-remote|https://u:p@h.io/sse?api_key=1&a=2",
                "npx|mcp-remote|https://•••@h.io/sse?api_key=•••&a=2 (2)",
            ),
            ("npx|r|--header|Authorization: Bearer x", "npx|r|--header|Authorization: ••• (1)"),
            ("srv|postgresql://me:pw@db/x", "srv|postgresql://•••@db/x (1)"),
            ("srv|--url=redis://:pw@db", "srv|--url=redis://•••@db (1)"),
            ("srv|sk-aaaaaaaaaaaaaaaaaaaaaaaa", "srv|••• (1)"),
            ("srv|--token|--verbose", "srv|--token|--verbose (0)"),
        ];
        for (command, expected) in cases {
            assert_eq!(masked(command), expected);
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        for command in ["npx|-y|@modelcontextprotocol/server-everything", "uvx|mcp-server-git|--repository|/x=y", "a"] {
            assert_eq!(masked(command), format!("{command} (0)"));
        }
    }
}
