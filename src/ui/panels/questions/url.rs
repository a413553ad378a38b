//! Elicitation by a URL: all of it is shown, its host stands out, and what may deceive about it is said. It is never
//! fetched, and opened in a browser only when somebody says so.

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{Align, Frame, Layout, OpenUrl, RichText, Ui};

use super::elicit::decline_or;
use super::sheet::Made;
use crate::engine::view::Json;
use crate::ui::icons::Icon;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

const ACCEPTED: &str = r#"{"action":"accept"}"#;

/// An elicitation by a URL.
pub struct Address {
    message: String,
    url: String,
    id: Option<String>,
    parts: Parts,
    warnings: Vec<String>,
    opened: bool,
}

/// Where the host lies in a URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Parts {
    scheme: String,
    user: bool,
    host: std::ops::Range<usize>,
}

impl Address {
    /// The question with these params.
    pub fn new(params: Json<'_>) -> Self {
        let text = |name: &str| params.get(name).and_then(|it| it.text()).map(std::borrow::Cow::into_owned);
        let url = text("url").unwrap_or_default();
        let parts = parts(&url);
        let warnings = warnings(&url, &parts);
        let message = text("message").unwrap_or_default();
        Self { message, id: text("elicitationId"), parts, warnings, url, opened: false }
    }

    /// Draws it.
    pub fn show(&mut self, ui: &mut Ui) -> Made {
        let palette = theme::palette(ui);
        for line in self.message.lines() {
            ui.label(RichText::new(words::plain(line)).color(palette.text));
        }
        let frame = Frame::new().fill(palette.bg0).stroke(theme::hairline(palette)).corner_radius(theme::CORNER);
        frame.inner_margin(10.0).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(self.coloured(ui));
        });
        if let Some(id) = &self.id {
            let text = format!("elicitationId {}", words::plain(id));
            ui.label(RichText::new(text).font(theme::mono()).color(palette.dim));
        }
        for warning in &self.warnings {
            ui.label(RichText::new(warning).color(palette.warn));
        }
        let note = if self.opened {
            "It was opened. Accepting says that you agreed, not that you are done there."
        } else {
            "midwire does not open it by itself, and fetches nothing from it."
        };
        ui.label(RichText::new(note).font(theme::sans(11.5)).color(palette.dim));
        ui.add_space(4.0);
        self.buttons(ui)
    }

    fn buttons(&mut self, ui: &mut Ui) -> Made {
        let mut made = Made::Nothing;
        let opens = matches!(self.parts.scheme.as_str(), "http" | "https") && !self.parts.host.is_empty();
        ui.horizontal(|ui| {
            ui.add_enabled_ui(opens, |ui| {
                let label = "Open the URL in the browser";
                let response = button::framed(ui, None, "Open in the browser", label, false);
                let why = "Only http and https URLs with a host are opened.";
                if response.on_disabled_hover_text(why).clicked() {
                    ui.ctx().open_url(OpenUrl::new_tab(&self.url));
                    self.opened = true;
                }
            });
            if button::icon_sized(ui, Icon::Copy, "Copy the URL", false, 26.0).clicked() {
                ui.ctx().copy_text(self.url.clone());
            }
        });
        ui.horizontal(|ui| {
            if button::primary(ui, "Accept", "Accept: agree to go there").clicked() {
                made = Made::Result(ACCEPTED.to_owned());
            }
            made = decline_or(ui, std::mem::replace(&mut made, Made::Nothing));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if button::framed(ui, None, "Edit as JSON", "Edit the answer as JSON", false).clicked() {
                    made = Made::AsJson(ACCEPTED.to_owned());
                }
            });
        });
        made
    }

    /// All of the URL, with its host standing out.
    fn coloured(&self, ui: &Ui) -> LayoutJob {
        let palette = theme::palette(ui);
        let mut job = LayoutJob::default();
        job.wrap.max_width = ui.available_width();
        let host = &self.parts.host;
        let pieces = [
            (0..host.start, theme::mono(), palette.dim),
            (host.clone(), theme::mono_medium(13.0), palette.accent),
            (host.end..self.url.len(), theme::mono(), palette.dim),
        ];
        for (range, font, colour) in pieces {
            let text = words::plain(self.url.get(range).unwrap_or_default()).into_owned();
            job.append(&text, 0.0, TextFormat { font_id: font, color: colour, ..Default::default() });
        }
        job
    }
}

/// Finds scheme, user information and host without understanding the rest.
fn parts(url: &str) -> Parts {
    let Some(at) = url.find("://") else { return Parts::default() };
    let start = at + 3;
    let end = url[start..].find(['/', '?', '#', '\\']).map_or(url.len(), |length| start + length);
    let user = url[start..end].rfind('@');
    let start = user.map_or(start, |at| start + at + 1);
    let port = if url[start..end].starts_with('[') {
        url[start..end].find(']').map(|at| start + at + 1)
    } else {
        url[start..end].rfind(':').map(|at| start + at)
    };
    Parts { scheme: url[..at].to_ascii_lowercase(), user: user.is_some(), host: start..port.unwrap_or(end) }
}

/// What may deceive about a URL, each in a sentence with its rule.
fn warnings(url: &str, parts: &Parts) -> Vec<String> {
    let mut found = Vec::new();
    let host = url.get(parts.host.clone()).unwrap_or_default();
    let local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    if host.is_empty() {
        found.push("It is no absolute URL with a host (EL-012).".to_owned());
    }
    if !parts.scheme.is_empty() && parts.scheme != "https" && !(parts.scheme == "http" && local) {
        found.push(format!("It is not https but {} (EL-012).", words::plain(&parts.scheme)));
    }
    if parts.user {
        found.push("What stands before the @ is no host: it may be there to look like one (EL-013).".to_owned());
    }
    if host.split('.').any(|label| label.to_ascii_lowercase().starts_with("xn--")) {
        let shown = url::Url::parse(url).ok().and_then(|url| Some(url.host_str()?.to_owned())).unwrap_or_default();
        found.push(format!("The host is written in Punycode and looks otherwise in a browser: {shown} (EL-016)."));
    }
    if !host.is_ascii() {
        let coded = url::Url::parse(url).ok().and_then(|url| Some(url.host_str()?.to_owned())).unwrap_or_default();
        found.push(format!("The host has letters that may look like others; it is {coded} (EL-016)."));
    }
    if url.chars().any(words::is_hidden) || url.contains([' ', '\\']) {
        found.push("It has signs that do not belong into a URL, shown as ⟨…⟩.".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{parts, warnings};

    fn host(url: &str) -> &str {
        &url[parts(url).host]
    }

    fn said(url: &str) -> String {
        warnings(url, &parts(url)).join(" ")
    }

    #[test]
    fn the_host_is_found_wherever_one_hides_it() {
        assert_eq!(host("https://example.com/path?x=https://other.com"), "example.com");
        assert_eq!(host("https://bank.example@attacker.example:8443/"), "attacker.example");
        assert_eq!(host("http://[::1]:80/x"), "[::1]");
        assert_eq!(host("https://good.example\\@evil.example"), "good.example");
        assert_eq!(host("mailto:x@y"), "");
    }

    #[test]
    fn what_deceives_is_said_and_what_does_not_is_not() {
        assert_eq!(said("https://example.com/a?b=c"), "");
        assert_eq!(said("http://localhost:3000/ok"), "");
        assert!(said("http://example.com/").contains("not https"));
        assert!(said("https://bank.example@attacker.example/").contains("before the @"));
        assert!(said("https://xn--pple-43d.com/").contains("Punycode"));
        assert!(said("https://аpple.com/").contains("xn--"), "{}", said("https://аpple.com/"));
        assert!(said("https://example.com/\u{202e}gpj").contains("do not belong"));
        assert!(said("javascript:alert(1)").contains("no absolute URL"));
        assert!(said("file:///etc/passwd").contains("not https but file"));
    }
}
