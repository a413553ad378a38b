//! The hosts whose files midwire knows.

/// A host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// Claude Desktop.
    ClaudeDesktop,
    /// Claude Code.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Visual Studio Code, with GitHub Copilot.
    VsCode,
    /// Windsurf.
    Windsurf,
    /// Cherry Studio, which exports its list rather than keeping it in a file.
    CherryStudio,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Zed.
    Zed,
    /// Cline.
    Cline,
    /// Roo Code.
    Roo,
    /// LM Studio.
    LmStudio,
    /// Continue.
    Continue,
    /// GitHub Copilot CLI.
    Copilot,
    /// Kiro.
    Kiro,
    /// Any other, whose file has `mcpServers`, `servers` or `mcp_servers`.
    Other,
}

impl Host {
    /// Every host: itself, its word on a command line and in project files, its name.
    pub const ALL: [(Self, &'static str, &'static str); 17] = [
        (Self::ClaudeDesktop, "claude-desktop", "Claude Desktop"),
        (Self::ClaudeCode, "claude-code", "Claude Code"),
        (Self::Cursor, "cursor", "Cursor"),
        (Self::VsCode, "vscode", "VS Code"),
        (Self::Windsurf, "windsurf", "Windsurf"),
        (Self::CherryStudio, "cherry-studio", "Cherry Studio"),
        (Self::Codex, "codex", "Codex"),
        (Self::Gemini, "gemini", "Gemini CLI"),
        (Self::Opencode, "opencode", "opencode"),
        (Self::Zed, "zed", "Zed"),
        (Self::Cline, "cline", "Cline"),
        (Self::Roo, "roo", "Roo Code"),
        (Self::LmStudio, "lm-studio", "LM Studio"),
        (Self::Continue, "continue", "Continue"),
        (Self::Copilot, "copilot", "Copilot CLI"),
        (Self::Kiro, "kiro", "Kiro"),
        (Self::Other, "other", "other"),
    ];

    /// Its word on a command line and in project files.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(host, _, _)| *host == self).map_or("other", |(_, word, _)| word)
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        Self::ALL.iter().find(|(host, _, _)| *host == self).map_or("other", |(_, _, title)| title)
    }

    /// The host with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, other, _)| *other == word).map(|(host, _, _)| *host)
    }
}
