//! What a command or a URL is made of, before anything is started: the program and where it lies, the origin.

use std::path::Path;

use url::Url;

use crate::transport::http::Origin;

/// Where the program of a command lies; otherwise what is wrong and what to do.
pub(super) fn of_command(command: &[String]) -> Result<String, (String, String)> {
    let Some(program) = command.first().filter(|program| !program.is_empty()) else {
        return Err(("there is no command".to_owned(), "name one behind --".to_owned()));
    };
    match which::which(program) {
        Ok(path) => Ok(path.display().to_string()),
        Err(_) if Path::new(program).components().count() > 1 => {
            let there = Path::new(program).exists();
            let why = if there { "is no program that can be run" } else { "is not there" };
            let remedy = if there { "make it executable (chmod +x)" } else { "check the path" };
            Err((format!("{program} {why}"), remedy.to_owned()))
        }
        Err(_) => {
            let path = std::env::var("PATH").unwrap_or_default();
            let remedy = format!("give the command's full path, or add its folder to PATH, which is {path}");
            Err((format!("{program} was not found"), remedy))
        }
    }
}

/// A URL with its origin; otherwise what is wrong and what to do.
pub(super) fn of_url(text: &str) -> Result<(Url, Origin), (String, String)> {
    let url = Url::parse(text.trim())
        .map_err(|error| (format!("{text:?} is no URL: {error}"), "write https://HOST/PATH".to_owned()))?;
    let Some(origin) = Origin::of(&url) else {
        return Err((format!("{text:?} is neither http nor https"), "write https://HOST/PATH".to_owned()));
    };
    Ok((url, origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_before_anything_starts() {
        let of = |words: &[&str]| of_command(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(of(&["midwire-no-such-command"]).expect_err("missing").0.contains("was not found"));
        assert!(of(&["./no/such"]).expect_err("missing").0.contains("is not there"));
        assert!(of(&[]).is_err());
        assert!(of_url("example.com/mcp").is_err() && of_url("ftp://example.com").is_err());
        assert_eq!(of_url("http://example.com:80/mcp").expect("a URL").1.authority(), "example.com");
    }
}
