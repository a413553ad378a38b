//! The variables by which a client that midwire starts is told to use it as its proxy, and to trust the
//! certificates that it is shown. Sets nothing itself.

use std::ffi::OsString;
use std::path::PathBuf;

use super::StartError;
use super::running::Running;

/// Variables of the environment with their values.
pub type Variables = Vec<(&'static str, OsString)>;

/// What is set for a client. `also` are files with certificates which it must trust besides.
pub fn of(running: &Running, also: Vec<PathBuf>) -> Result<Variables, StartError> {
    let url = running.url();
    let mut set = Vec::new();
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
        set.push((name, OsString::from(&url)));
    }
    // Node heeds the others only with this; and the servers of this machine are to go through, too.
    set.push(("NODE_USE_ENV_PROXY", OsString::from("1")));
    set.push(("NO_PROXY", OsString::new()));
    set.push(("no_proxy", OsString::new()));
    let Some(certificate) = running.identity().certificate() else { return Ok(set) };
    // What the user had set is kept, since these replace one another.
    let mut all = also;
    let had: Vec<&str> =
        TRUST.into_iter().filter(|name| std::env::var_os(name).is_some_and(|file| !file.is_empty())).collect();
    all.extend(had.iter().filter_map(std::env::var_os).map(PathBuf::from));
    let Some(bundle) = running.identity().bundle(&all)? else { return Ok(set) };
    for name in TRUST {
        // Node adds these to what it trusts; the others replace it.
        let adds = name == "NODE_EXTRA_CA_CERTS" && all.is_empty();
        let file = if adds { &certificate } else { &bundle };
        set.push((name, file.clone().into_os_string()));
    }
    Ok(set)
}

const TRUST: [&str; 4] = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"];
