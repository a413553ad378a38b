//! Taps on HTTP that are started from the window: what is asked for, and what is told of them.

use std::path::PathBuf;

use crate::model::Nanos;

/// A tap as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TapWish {
    /// The server's URL.
    pub url: String,
    /// The address to listen at; empty for any free port of this machine.
    pub listen: String,
    /// What to call the server; empty for its host's name.
    pub name: String,
    /// The environment variable that holds a bearer token to be added upstream; empty for none.
    pub bearer: String,
}

/// Number of a tap of this window, from 1.
pub type TapId = u32;

/// A tap that runs in this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TapInfo {
    /// Its number.
    pub id: TapId,
    /// What the server is called, as it was asked for; its host where it was not.
    pub name: String,
    /// The server's URL, without credentials.
    pub upstream: String,
    /// What a client is to be pointed at.
    pub url: String,
    /// The file that it records into.
    pub recording: Option<PathBuf>,
    /// When it was started.
    pub since: Nanos,
    /// Whether it is being stopped.
    pub stopping: bool,
}

impl TapWish {
    /// What is wrong with it and can be told without starting anything: the field and a sentence.
    pub fn faults(&self) -> Vec<(TapField, String)> {
        let mut faults = Vec::new();
        faults.extend(url_fault(self.url.trim()).map(|fault| (TapField::Url, fault)));
        faults.extend(listen_fault(self.listen.trim()).map(|fault| (TapField::Listen, fault)));
        faults.extend(bearer_fault(self.bearer.trim()).map(|fault| (TapField::Bearer, fault)));
        faults
    }
}

/// A field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TapField {
    /// The server's URL.
    Url,
    /// The address to listen at.
    Listen,
    /// The variable with the token.
    Bearer,
}

fn url_fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("The URL of the server's MCP endpoint is needed.".to_owned());
    }
    // `localhost:3000` would be read as a scheme and a path.
    if !text.contains("://") {
        return Some("It must begin with http:// or https://.".to_owned());
    }
    match url::Url::parse(text) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            Some(format!("A tap speaks http and https, not {}.", url.scheme()))
        }
        Ok(url) if url.host_str().is_none_or(str::is_empty) => Some("The URL names no host.".to_owned()),
        Ok(url) if url.fragment().is_some() => Some("What follows # never reaches a server; leave it out.".to_owned()),
        Ok(_) => None,
        Err(error) => Some(format!("This is no URL: {error}.")),
    }
}

fn listen_fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let Some((host, port)) = text.rsplit_once(':') else {
        return Some("Write address and port, such as 127.0.0.1:8100.".to_owned());
    };
    if port.parse::<u16>().is_err() {
        return Some(format!("{port:?} is no port: a number from 0 to 65535, 0 for any free one."));
    }
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let local = host == "localhost" || address.parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback());
    (!local).then(|| {
        "From the window a tap listens on this machine alone: 127.0.0.1, [::1] or localhost. For others \
         start it in a terminal with `midwire tap --url … --allow-remote`."
            .to_owned()
    })
}

fn bearer_fault(text: &str) -> Option<String> {
    let is_name = |text: &str| {
        !text.starts_with(|sign: char| sign.is_ascii_digit())
            && text.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
    };
    (!text.is_empty() && !is_name(text))
        .then(|| "Give the name of an environment variable, not the token itself.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{TapField, TapWish};

    fn faults(url: &str, listen: &str, bearer: &str) -> Vec<TapField> {
        let text = |text: &str| text.to_owned();
        let wish = TapWish { url: text(url), listen: text(listen), name: String::new(), bearer: text(bearer) };
        wish.faults().into_iter().map(|(field, _)| field).collect()
    }

    #[test]
    fn what_cannot_work_is_said_before_it_is_tried() {
        for (url, listen, bearer) in [
            ("https://api.example.com/mcp", "", ""),
            (" http://[::1]:8080/mcp/ ", "127.0.0.1:0", "API_TOKEN"),
            ("http://localhost", "localhost:8100", "_T1"),
            ("http://localhost", "[::1]:8100", ""),
        ] {
            assert_eq!(faults(url, listen, bearer), [], "{url} {listen} {bearer}");
        }
        for url in ["", "localhost:3000/mcp", "ftp://h/", "http://", "https://h/#x", "/mcp"] {
            assert_eq!(faults(url, "", ""), [TapField::Url], "{url}");
        }
        for listen in ["8100", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:65536", "0.0.0.0:80", "[::]:80", "10.0.0.1:1"]
        {
            assert_eq!(faults("http://h", listen, ""), [TapField::Listen], "{listen}");
        }
        for bearer in ["Bearer abc", "1A", "sk-live-1", "$TOKEN"] {
            assert_eq!(faults("http://h", "", bearer), [TapField::Bearer], "{bearer}");
        }
        assert_eq!(faults("", "x", "-"), [TapField::Url, TapField::Listen, TapField::Bearer]);
    }
}
