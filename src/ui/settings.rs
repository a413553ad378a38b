//! What the window remembers from one run to the next.

use eframe::egui::ThemePreference;
use serde::{Deserialize, Serialize};

use super::client::Wish;
use super::server::Wish as Served;

/// How many filters the history keeps.
const HISTORY: usize = 50;
/// How many targets are remembered.
const TARGETS: usize = 12;

/// The remembered settings; unknown or missing fields never lose the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Dark, light, or as the system.
    pub theme: Theme,
    /// Whether the list of recordings is shown.
    pub recordings: bool,
    /// Whether the detail is shown.
    pub detail: bool,
    /// Whether request and answer stand side by side.
    pub side_by_side: bool,
    /// Whether the timeline shows messages rather than exchanges.
    pub messages: bool,
    /// Whether the timeline follows a live recording.
    pub follow: bool,
    /// Widths of the columns that can be resized.
    pub columns: Columns,
    /// Filters that were used, the latest last.
    pub history: Vec<String>,
    /// Targets that were connected to, the latest first, without secrets.
    pub targets: Vec<Wish>,
    /// What was served, the latest first.
    pub served: Vec<Served>,
    /// Path of the project file that was open; empty: none.
    pub project: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            recordings: true,
            detail: true,
            side_by_side: false,
            messages: false,
            follow: true,
            columns: Columns::default(),
            history: Vec::new(),
            targets: Vec::new(),
            served: Vec::new(),
            project: String::new(),
        }
    }
}

impl Settings {
    /// Puts a target before the others, once.
    pub fn remember_target(&mut self, wish: &Wish) {
        let wish = wish.without_secrets();
        self.targets.retain(|old| old.title() != wish.title());
        self.targets.insert(0, wish);
        self.targets.truncate(TARGETS);
    }

    /// Puts what is served before the rest, once.
    pub fn remember_served(&mut self, wish: &Served) {
        self.served.retain(|old| old != wish && (old.path != wish.path || old.from != wish.from));
        self.served.insert(0, wish.clone());
        self.served.truncate(TARGETS);
    }

    /// Adds a filter to the history, once.
    pub fn remember(&mut self, filter: &str) {
        let filter = filter.trim();
        if filter.is_empty() {
            return;
        }
        self.history.retain(|old| old != filter);
        self.history.push(filter.to_owned());
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
    }
}

/// The choice of theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the system has it.
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

impl Theme {
    /// The choice that follows when the button is pressed.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Dark,
            Self::Dark => Self::Light,
            Self::Light => Self::System,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }

    /// The same, for egui.
    pub const fn preference(self) -> ThemePreference {
        match self {
            Self::System => ThemePreference::System,
            Self::Dark => ThemePreference::Dark,
            Self::Light => ThemePreference::Light,
        }
    }
}

/// Widths of the columns of the timeline, in points. The column of method and subject takes the rest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Columns {
    /// The number.
    pub number: f32,
    /// The time of day.
    pub time: f32,
    /// The status in words.
    pub status: f32,
    /// The duration with its bar.
    pub duration: f32,
    /// The size.
    pub size: f32,
}

impl Default for Columns {
    fn default() -> Self {
        Self { number: 40.0, time: 94.0, status: 116.0, duration: 76.0, size: 64.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    #[test]
    fn the_history_holds_each_filter_once_and_has_an_end() {
        let mut settings = Settings::default();
        for number in 0..60 {
            settings.remember(&format!("id:{number}"));
        }
        settings.remember("id:30");
        settings.remember("   ");
        assert_eq!(settings.history.len(), 50);
        assert_eq!(settings.history.first().map(String::as_str), Some("id:10"));
        assert_eq!(settings.history.last().map(String::as_str), Some("id:30"));
        assert_eq!(settings.history.iter().filter(|old| *old == "id:30").count(), 1);
    }
}
