//! Secrets that the system keeps: Keychain on macOS, Credential Manager on Windows, the Secret Service elsewhere. Only
//! read, and only when one is asked for: a machine without such a place works as long as nobody does.

use keyring::{Entry, Error};
use thiserror::Error;

/// What midwire's secrets are filed under there.
pub const SERVICE: &str = "midwire";

/// Why a secret could not be read; fits after "failed to".
#[derive(Debug, Error)]
pub enum KeychainError {
    /// There is no such place, or it is closed to us.
    #[error(
        "read {name:?} from the system's keychain: {why}; unlock it, or where there is none (a machine without a desktop) \
         use an environment variable instead: ${{NAME}}"
    )]
    Closed {
        /// The secret's name.
        name: String,
        /// What the system said.
        why: String,
    },
    /// It is not there.
    #[error("find {name:?} in the system's keychain; store it with {}", how(.name))]
    Missing {
        /// The secret's name.
        name: String,
    },
    /// There are several, or it is no text.
    #[error("use {name:?} from the system's keychain: {why}")]
    Unusable {
        /// The secret's name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
}

/// The command that stores a secret where midwire looks for it.
fn how(name: &str) -> String {
    if cfg!(target_os = "macos") {
        format!("security add-generic-password -s {SERVICE} -a {name} -w")
    } else if cfg!(windows) {
        format!("the Credential Manager, as a generic credential {name}.{SERVICE} with the user name {name}")
    } else {
        format!("secret-tool store --label='{SERVICE} {name}' service {SERVICE} username {name}")
    }
}

/// The secret `name`. May wait for a person who is asked to unlock the keychain. Not to be called from within an
/// asynchronous task.
pub fn secret(name: &str) -> Result<String, KeychainError> {
    if let Err(error) = Entry::store_status() {
        return Err(fault(name, error));
    }
    let read = Entry::new(SERVICE, name).and_then(|entry| entry.get_password());
    read.map_err(|error| fault(name, &error))
}

fn fault(name: &str, error: &Error) -> KeychainError {
    let name = name.to_owned();
    match error {
        Error::NoEntry => KeychainError::Missing { name },
        // What is in it must not be said.
        Error::BadEncoding(_) => KeychainError::Unusable { name, why: "it is no text".to_owned() },
        Error::Ambiguous(_) => {
            let why = "there are several of that name; delete all but one".to_owned();
            KeychainError::Unusable { name, why }
        }
        Error::NoStorageAccess(source) | Error::PlatformFailure(source) => {
            KeychainError::Closed { name, why: source.to_string() }
        }
        Error::NoDefaultStore => KeychainError::Closed { name, why: "there is none".to_owned() },
        _ => KeychainError::Closed { name, why: "it cannot be used here".to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, fault};

    #[test]
    fn what_is_wrong_says_what_to_do_and_never_the_secret() {
        let missing = fault("API", &Error::NoEntry).to_string();
        assert!(missing.contains("\"API\"") && missing.contains("midwire"), "{missing}");
        let garbled = fault("API", &Error::BadEncoding(b"s3cret".to_vec())).to_string();
        assert!(garbled.contains("no text") && !garbled.contains("s3cret"), "{garbled}");
        let none = fault("API", &Error::NoDefaultStore).to_string();
        assert!(none.contains("there is none") && none.ends_with("${NAME}"), "{none}");
    }
}
