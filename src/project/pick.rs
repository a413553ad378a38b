//! Values picked from results.

use crate::wire::Json;

/// A value that was picked, as JSON text.
pub type Pick = String;

/// The value at a JSON pointer in a result, as JSON text. Where the pointer leads into a string that itself is JSON, as
/// servers put it into text content, it goes on in there. The error says how far the pointer led.
pub fn pick(result: &[u8], pointer: &str) -> Result<Pick, String> {
    let json = Json::parse(result).map_err(|fault| format!("the result is no JSON: {}", fault.what))?;
    let value = json.pointer(pointer).ok_or_else(|| format!("there is nothing at {pointer}"))?;
    Ok(String::from_utf8_lossy(value.raw()).into_owned())
}
