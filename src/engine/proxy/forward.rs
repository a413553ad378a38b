//! Whose traffic a forward proxy looks into: the hosts that were named. Pure.

/// The hosts that are of interest.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    only: Vec<String>,
}

impl Rules {
    /// Only these hosts, in any case, with or without a port; `*.example.com` names those below it. When
    /// empty, every host.
    pub fn new(only: &[String]) -> Self {
        let plain = |host: &String| {
            host.rsplit_once(':')
                .filter(|(_, port)| is_port(port))
                .map_or(&**host, |(host, _)| host)
                .to_ascii_lowercase()
        };
        Self { only: only.iter().map(plain).map(|host| host.trim_matches(['[', ']']).to_owned()).collect() }
    }

    /// Whether what is said with `host` is recorded, as far as it can be read.
    pub fn wants(&self, host: &str) -> bool {
        self.only.is_empty() || self.names(host)
    }

    /// Whether `host` was named: then what is said with it is decrypted.
    pub fn names(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        self.only.iter().any(|only| match only.strip_prefix("*.") {
            Some(domain) => host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
            None => *only == host,
        })
    }

    /// Whether any host was named.
    pub const fn is_limited(&self) -> bool {
        !self.only.is_empty()
    }
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn hosts_are_named_in_any_case_with_or_without_a_port() {
        let rules = Rules::new(&["API.example.com:443".into(), "*.mcp.dev".into(), "[::1]:9".into()]);
        for host in ["api.example.com", "API.EXAMPLE.COM.", "a.mcp.dev", "a.b.mcp.dev", "::1"] {
            assert!(rules.names(host) && rules.wants(host), "{host}");
        }
        for host in ["example.com", "mcp.dev", "xmcp.dev", "api.example.com.evil.org"] {
            assert!(!rules.wants(host), "{host}");
        }
        assert!(Rules::new(&[]).wants("a") && !Rules::new(&[]).names("a") && !Rules::new(&[]).is_limited());
    }
}
