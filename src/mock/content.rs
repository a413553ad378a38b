//! Content as a mock file writes it, to JSON text: blocks of results, contents of resources, messages of prompts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::keys::{BLOCK, BYTES, CONTENT, MESSAGE};
use super::object::{Object, list};
use super::reader::{Reader, Table, file_of};
use super::source::{Value, items_of, table_of, text_of};
use crate::wire::quote;

impl Reader<'_> {
    /// A list of content blocks: a text, or a list of texts and blocks.
    pub(super) fn blocks(&mut self, value: &Value<'_>) -> Option<String> {
        match items_of(value) {
            Some(items) => {
                let blocks: Vec<String> = items.iter().filter_map(|item| self.block(item)).collect();
                Some(list(&blocks))
            }
            None => self.block(value).map(|block| list(&[block])),
        }
    }

    /// One content block.
    fn block(&mut self, value: &Value<'_>) -> Option<String> {
        let mut block = Object::default();
        if let Some(text) = text_of(value) {
            block.put("type", quote("text"));
            block.put("text", self.text_json(text));
            return Some(block.json());
        }
        // A block that says its type is sent as it is.
        if table_of(value).is_some_and(|table| table.contains_key("type")) {
            return self.json_at(value, "a content block");
        }
        let table = self.table(value, BLOCK)?;
        let kinds = ["text", "image", "audio", "resource", "link"];
        let said: Vec<&str> = kinds.into_iter().filter(|kind| table.get(kind).is_some()).collect();
        let &[kind] = said.as_slice() else {
            self.fault(table.at(), "a content block has one of text, image, audio, resource, link and type");
            return None;
        };
        match kind {
            "text" => {
                let text = self.text(&table, "text")?;
                block.put("type", quote("text"));
                block.put("text", self.text_json(&text));
            }
            "resource" => {
                let inner = self.table(table.get("resource")?, CONTENT)?;
                let contents = self.contents_of(&inner, None, None, true)?;
                block.put("type", quote("resource"));
                block.put("resource", contents);
            }
            "link" => self.link(&mut block, table.get("link")?)?,
            _ => self.media(&mut block, &table, kind)?,
        }
        block.maybe("annotations", self.object(&table, "annotations"));
        self.more(&table, &mut block);
        Some(block.json())
    }

    fn link(&mut self, block: &mut Object, value: &Value<'_>) -> Option<()> {
        block.put("type", quote("resource_link"));
        if let Some(uri) = text_of(value) {
            block.put("uri", self.text_json(uri));
            block.put("name", self.text_json(uri));
            return Some(());
        }
        let json = self.json_at(value, "link")?;
        block.take(crate::wire::Json::parse(json.as_bytes()).ok()?);
        Some(())
    }

    /// An image or audio: base64, or the bytes of a file.
    fn media(&mut self, block: &mut Object, table: &Table<'_, '_>, kind: &str) -> Option<()> {
        let value = table.get(kind)?;
        let (data, guess) = self.base64(value, kind)?;
        let usual = if kind == "image" { "image/png" } else { "audio/wav" };
        block.put("type", quote(kind));
        block.put("data", data);
        let mime = self.text(table, "mimeType").or_else(|| guess.map(str::to_owned));
        block.put("mimeType", quote(mime.as_deref().unwrap_or(usual)));
        Some(())
    }

    /// Base64 as a JSON string, and the type that the file's name tells.
    fn base64(&mut self, value: &Value<'_>, name: &str) -> Option<(String, Option<&'static str>)> {
        if let Some(file) = file_of(value) {
            let bytes = self.file(file, value.span().start)?;
            return Some((quote(&BASE64.encode(bytes)), mime(file)));
        }
        if table_of(value).is_some() {
            self.table(value, BYTES)?;
        }
        let text = self.text_at(value, name)?;
        Some((self.text_json(&text), None))
    }

    /// The contents of a resource as one object, from a table that has `text`, `blob` or `file`. What it does not say of
    /// itself it has from the resource. In a table of its `own`, `uri`, `meta` and `more` are those of the contents.
    pub(super) fn contents_of(
        &mut self,
        table: &Table<'_, '_>,
        uri: Option<&str>,
        mime_type: Option<&str>,
        own: bool,
    ) -> Option<String> {
        let mut contents = Object::default();
        let named = if own { self.text(table, "uri") } else { None };
        let Some(uri) = named.or_else(|| uri.map(str::to_owned)) else {
            self.fault(table.at(), "contents of a resource need `uri`");
            return None;
        };
        contents.put("uri", self.text_json(&uri));
        let mime_type = self.text(table, "mimeType").or_else(|| mime_type.map(str::to_owned));
        let (name, data, guess) = self.data(table)?;
        contents.text("mimeType", mime_type.as_deref().or(guess));
        contents.put(name, data);
        if own {
            self.more(table, &mut contents);
        }
        Some(contents.json())
    }

    /// `text` or `blob` with its JSON, and the type that a file's name tells.
    fn data(&mut self, table: &Table<'_, '_>) -> Option<(&'static str, String, Option<&'static str>)> {
        if let Some(text) = self.text(table, "text") {
            return Some(("text", self.text_json(&text), None));
        }
        if let Some(value) = table.get("blob") {
            let (data, guess) = self.base64(value, "blob")?;
            return Some(("blob", data, guess));
        }
        let Some(value) = table.get("file") else {
            self.fault(table.at(), "contents of a resource need `text`, `blob` or `file`");
            return None;
        };
        let file = self.text_at(value, "file")?;
        let bytes = self.file(&file, value.span().start)?;
        Some(match String::from_utf8(bytes) {
            Ok(text) => ("text", quote(&text), mime(&file)),
            Err(error) => ("blob", quote(&BASE64.encode(error.as_bytes())), mime(&file)),
        })
    }

    /// A list of contents.
    pub(super) fn contents_list(&mut self, value: &Value<'_>, uri: &str, mime_type: Option<&str>) -> Option<String> {
        let Some(items) = items_of(value) else {
            self.fault(value.span().start, "`contents` is a list of tables with `text`, `blob` or `file`");
            return None;
        };
        let mut all = Vec::new();
        for item in items {
            if let Some(table) = self.table(item, CONTENT) {
                all.extend(self.contents_of(&table, Some(uri), mime_type, true));
            }
        }
        Some(list(&all))
    }

    /// The messages of a prompt: a text, or a list of texts and tables.
    pub(super) fn messages(&mut self, value: &Value<'_>) -> Option<String> {
        let Some(items) = items_of(value) else {
            return self.block(value).map(|block| list(&[message("user", &block)]));
        };
        let mut messages = Vec::new();
        for item in items {
            messages.extend(self.message(item));
        }
        Some(list(&messages))
    }

    fn message(&mut self, value: &Value<'_>) -> Option<String> {
        if text_of(value).is_some() {
            return self.block(value).map(|block| message("user", &block));
        }
        let table = self.table(value, MESSAGE)?;
        for role in ["user", "assistant"] {
            if let Some(content) = table.get(role) {
                return self.block(content).map(|block| message(role, &block));
            }
        }
        let role = self.needed(&table, "role", "a message without `user` or `assistant`")?;
        let Some(content) = table.get("content") else {
            self.fault(table.at(), "a message with a `role` needs `content`");
            return None;
        };
        self.block(content).map(|block| message(&role, &block))
    }
}

fn message(role: &str, content: &str) -> String {
    format!(r#"{{"role":{},"content":{content}}}"#, quote(role))
}

/// The type that a file's name tells.
fn mime(file: &str) -> Option<&'static str> {
    let (_, extension) = file.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "wav" => "audio/wav",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "json" => "application/json",
        "html" => "text/html",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "txt" => "text/plain",
        "pdf" => "application/pdf",
        _ => return None,
    })
}
