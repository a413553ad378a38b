//! A JSON object that is written member by member, with the bytes of others in it untouched: `--envelope`, the
//! state of a connection, a list of several pages.

use crate::wire::quote;

/// An object that is being written, in one line.
#[derive(Debug, Default)]
pub(in crate::cli) struct Object(Vec<u8>);

impl Object {
    /// One without members.
    pub(in crate::cli) fn new() -> Self {
        Self::default()
    }

    /// A member with a value of somebody else's.
    pub(in crate::cli) fn raw(&mut self, name: &str, json: &[u8]) -> &mut Self {
        self.name(name);
        self.0.extend_from_slice(json);
        self
    }

    /// A member with a string.
    pub(in crate::cli) fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.raw(name, quote(text).as_bytes())
    }

    /// A member with a string, where there is one.
    pub(in crate::cli) fn maybe(&mut self, name: &str, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// A member with a number or a switch of ours.
    pub(in crate::cli) fn plain(&mut self, name: &str, value: impl ToString) -> &mut Self {
        self.raw(name, value.to_string().as_bytes())
    }

    /// A member with an array of values of somebody else's.
    pub(in crate::cli) fn array<'a>(&mut self, name: &str, items: impl IntoIterator<Item = &'a [u8]>) -> &mut Self {
        self.name(name);
        self.0.push(b'[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.0.push(b',');
            }
            self.0.extend_from_slice(item);
        }
        self.0.push(b']');
        self
    }

    /// The text.
    pub(in crate::cli) fn finish(&mut self) -> Vec<u8> {
        if self.0.is_empty() {
            self.0.push(b'{');
        }
        self.0.push(b'}');
        std::mem::take(&mut self.0)
    }

    fn name(&mut self, name: &str) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
        self.0.extend_from_slice(quote(name).as_bytes());
        self.0.push(b':');
    }
}

/// The same JSON in one line: line ends lie only between its tokens.
pub(in crate::cli) fn one_line(json: &[u8]) -> Vec<u8> {
    json.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_others_stay_as_they_are() {
        let mut object = Object::new();
        object.text("a\"", "b\n").raw("c", br#"{ "x": 1.0, "x": 1e400 }"#).maybe("d", None).plain("e", 7);
        object.array("f", [&b"1.50"[..], b"{}"]).array("g", []);
        let text = String::from_utf8(object.finish()).expect("UTF-8");
        assert_eq!(text, r#"{"a\"":"b\n","c":{ "x": 1.0, "x": 1e400 },"e":7,"f":[1.50,{}],"g":[]}"#);
        assert_eq!(Object::new().finish(), b"{}");
        assert_eq!(one_line(b"{\r\n \"a\": 1}"), b"{   \"a\": 1}");
    }
}
