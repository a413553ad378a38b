//! How the frames of the shelf are put together for the server that is to get them.

/// The server that is to get a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// Whether 2026-07-28 is spoken.
    pub modern: bool,
    /// Whether it is reached over HTTP.
    pub http: bool,
    /// The revision spoken.
    pub revision: String,
    /// An id that was not used yet.
    pub id: u64,
    /// `clientInfo`, as JSON text.
    pub identity: String,
    /// `clientCapabilities`, as JSON text.
    pub capabilities: String,
}

impl Ground {
    /// The harmless method that frames are built around.
    const fn method(&self) -> &'static str {
        if self.modern { "tools/list" } else { "ping" }
    }

    /// The `_meta` that a request needs, with its name; empty in the legacy era.
    fn meta(&self) -> String {
        self.meta_of(&self.revision)
    }

    fn meta_of(&self, version: &str) -> String {
        if !self.modern {
            return String::new();
        }
        let (identity, capabilities) = (&self.identity, &self.capabilities);
        format!(
            concat!(
                r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","#,
                r#""io.modelcontextprotocol/clientInfo":{identity},"#,
                r#""io.modelcontextprotocol/clientCapabilities":{capabilities}}}"#
            ),
            version = version,
            identity = identity,
            capabilities = capabilities
        )
    }

    /// The member `params` with a comma before it, holding `members` and what the era needs.
    fn params(&self, members: &str) -> String {
        let meta = self.meta();
        let comma = if members.is_empty() || meta.is_empty() { "" } else { "," };
        if members.is_empty() && meta.is_empty() {
            return String::new();
        }
        format!(r#","params":{{{members}{comma}{meta}}}"#)
    }

    /// A good request with this id (JSON text).
    fn request(&self, id: &str) -> String {
        let params = self.params("");
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{}"{params}}}"#, self.method())
    }

    /// Its own fields for a request of this method; empty where the client's own do.
    fn mirrored(&self, method: &str, version: &str) -> Vec<(String, String)> {
        if !(self.modern && self.http) {
            return Vec::new();
        }
        let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        vec![field("MCP-Protocol-Version", version), field("Mcp-Method", method)]
    }
}

/// What a frame is made of. In texts `{id}` stands for an id, `{method}` for a harmless method, `{params}` for
/// `,"params":{…}` with what the era needs, or nothing, and `{meta}` for the member `_meta` with a comma before it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Make {
    /// A good request but for its id, given as JSON text.
    Id(&'static str),
    /// A text with its stand-ins.
    Text(&'static str),
    /// A request of this method with these members of `params`.
    Call(&'static str, &'static str),
    /// Bytes before and behind a good request.
    Around(&'static [u8], &'static [u8]),
    /// A good request with bytes in a string that the server has to read: between the quotes.
    Within(&'static [u8]),
    /// A good request, its string made of so many times a letter.
    Long(usize),
    /// So many opened brackets in `params`.
    Deep(usize),
    /// A good request cut after so many hundredths of its length.
    Cut(usize),
    /// A good request with another protocol version in body and field.
    Version(&'static str),
    /// A good request with this field instead of the client's own; an empty value leaves it out.
    Field(&'static str, &'static str),
}

impl Make {
    pub(super) fn bytes(self, ground: &Ground) -> Vec<u8> {
        let id = ground.id.to_string();
        let good = || ground.request(&id);
        match self {
            Self::Id(id) => ground.request(id).into_bytes(),
            Self::Text(text) => fill(text, ground).into_bytes(),
            Self::Call(method, members) => {
                let params = ground.params(members);
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}}}"#).into_bytes()
            }
            Self::Around(before, behind) => [before, good().as_bytes(), behind].concat(),
            Self::Within(bytes) => within(ground, bytes),
            Self::Long(length) => within(ground, &vec![b'a'; length]),
            Self::Deep(depth) => {
                let deep = format!(r#""x":{}{}"#, "[".repeat(depth), "]".repeat(depth));
                let params = ground.params(&deep);
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{}"{params}}}"#, ground.method()).into_bytes()
            }
            Self::Cut(hundredths) => {
                let whole = good();
                whole.as_bytes()[..whole.len() * hundredths / 100].to_vec()
            }
            Self::Version(version) => {
                let meta = ground.meta_of(version);
                let params = if meta.is_empty() { String::new() } else { format!(r#","params":{{{meta}}}"#) };
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{}"{params}}}"#, ground.method()).into_bytes()
            }
            Self::Field(..) => good().into_bytes(),
        }
    }

    pub(super) fn fields(self, ground: &Ground) -> Vec<(String, String)> {
        match self {
            Self::Call(method, _) => ground.mirrored(method, &ground.revision),
            Self::Version(version) if ground.http => {
                let mut fields = ground.mirrored(ground.method(), version);
                if fields.is_empty() {
                    fields.push(("MCP-Protocol-Version".to_owned(), version.to_owned()));
                }
                fields
            }
            Self::Field(name, value) => {
                let mut fields = ground.mirrored(ground.method(), &ground.revision);
                fields.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
                fields.push((name.to_owned(), value.to_owned()));
                fields
            }
            _ => ground.mirrored(ground.method(), &ground.revision),
        }
    }
}

fn fill(text: &str, ground: &Ground) -> String {
    let meta = ground.meta();
    let comma = if meta.is_empty() { String::new() } else { format!(",{meta}") };
    text.replace("{id}", &ground.id.to_string())
        .replace("{next}", &(ground.id + 1).to_string())
        .replace("{method}", ground.method())
        .replace("{params}", &ground.params(""))
        .replace("{meta}", &comma)
}

/// A good request with bytes in a string among its params.
fn within(ground: &Ground, bytes: &[u8]) -> Vec<u8> {
    let meta = ground.meta();
    let comma = if meta.is_empty() { "" } else { "," };
    let head = format!(r#"{{"jsonrpc":"2.0","id":{},"method":"{}","params":{{"x":""#, ground.id, ground.method());
    let tail = format!(r#""{comma}{meta}}}}}"#);
    [head.as_bytes(), bytes, tail.as_bytes()].concat()
}
