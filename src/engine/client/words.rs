//! A command as somebody types it on one line: cut into program and arguments as a shell would, but nothing is
//! expanded and no shell runs.

/// Program and arguments of a line.
///
/// # Errors
///
/// What is wrong with the line, in a sentence.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    shell_words::split(line).map_err(|_| "A quotation mark is missing: each \" and ' needs its partner.".to_owned())
}

/// The line that [`words`] cuts into these.
pub fn line(words: &[String]) -> String {
    shell_words::join(words)
}

/// What to call the server of a command: its package or program rather than `npx` or `node`.
pub fn name_of(command: &[String]) -> String {
    crate::engine::tap::naming::of(command)
}

#[cfg(test)]
mod tests {
    use super::{line, words};

    #[test]
    fn a_line_is_cut_as_a_shell_would_and_put_together_again() {
        let cut = words(r#"npx -y "a b" 'c "d"' --key=x\ y $HOME ''"#).unwrap();
        assert_eq!(cut, ["npx", "-y", "a b", "c \"d\"", "--key=x y", "$HOME", ""]);
        assert_eq!(words(&line(&cut)).unwrap(), cut);
        assert!(words("echo 'half").is_err());
    }
}
