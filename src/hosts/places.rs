//! Where hosts keep their files, on each platform.

use std::path::{Path, PathBuf};

use super::Host;

/// A platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and its like.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// The folders that places are counted from.
#[derive(Debug, Clone)]
pub struct Folders {
    /// The user's home.
    pub home: PathBuf,
    /// Where the platform wants settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    pub settings: PathBuf,
    /// `XDG_CONFIG_HOME`, or `~/.config` on every platform.
    pub xdg: PathBuf,
    /// `%LOCALAPPDATA%`; elsewhere as `settings`.
    pub local: PathBuf,
    /// `CODEX_HOME`, or `~/.codex`.
    pub codex: PathBuf,
    /// `CLAUDE_CONFIG_DIR`, or the home.
    pub claude: PathBuf,
    /// The project that somebody works in.
    pub project: Option<PathBuf>,
}

/// A file that may exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Whose it is.
    pub host: Host,
    /// The file. Its name, or that of its folder, may hold one `*` for whatever is there.
    pub path: PathBuf,
    /// It belongs to the project, not to the user.
    pub of_project: bool,
}

/// What a path is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    Home,
    Settings,
    Xdg,
    Local,
    Codex,
    Claude,
    Project,
    Root,
}

use Base::{Claude, Codex, Home, Local, Project, Root, Settings, Xdg};

const L: &[Platform] = &[Platform::Linux];
const M: &[Platform] = &[Platform::MacOs];
const W: &[Platform] = &[Platform::Windows];
const LM: &[Platform] = &[Platform::Linux, Platform::MacOs];
const ALL: &[Platform] = &[Platform::Linux, Platform::MacOs, Platform::Windows];

const PLACES: &[(Host, &[Platform], Base, &str)] = &[
    (Host::ClaudeCode, ALL, Project, ".mcp.json"),
    (Host::Cursor, ALL, Project, ".cursor/mcp.json"),
    (Host::VsCode, ALL, Project, ".vscode/mcp.json"),
    (Host::VsCode, ALL, Project, ".vscode/settings.json"),
    (Host::Codex, ALL, Project, ".codex/config.toml"),
    (Host::Gemini, ALL, Project, ".gemini/settings.json"),
    (Host::Opencode, ALL, Project, "opencode.json"),
    (Host::Opencode, ALL, Project, "opencode.jsonc"),
    (Host::Opencode, ALL, Project, ".opencode/opencode.json"),
    (Host::Opencode, ALL, Project, ".opencode/opencode.jsonc"),
    (Host::Zed, ALL, Project, ".zed/settings.json"),
    (Host::Roo, ALL, Project, ".roo/mcp.json"),
    (Host::Continue, ALL, Project, ".continue/mcpServers/*.json"),
    (Host::Kiro, ALL, Project, ".kiro/settings/mcp.json"),
    (Host::ClaudeDesktop, ALL, Settings, "Claude/claude_desktop_config.json"),
    // Installed from the store, Windows keeps its settings elsewhere.
    (
        Host::ClaudeDesktop,
        W,
        Local,
        "Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
    ),
    (Host::ClaudeCode, ALL, Claude, ".claude.json"),
    (Host::ClaudeCode, L, Root, "/etc/claude-code/managed-mcp.json"),
    (Host::ClaudeCode, M, Root, "/Library/Application Support/ClaudeCode/managed-mcp.json"),
    (Host::ClaudeCode, W, Root, "C:/Program Files/ClaudeCode/managed-mcp.json"),
    (Host::Cursor, ALL, Home, ".cursor/mcp.json"),
    (Host::VsCode, ALL, Settings, "Code/User/mcp.json"),
    (Host::VsCode, ALL, Settings, "Code/User/profiles/*/mcp.json"),
    (Host::VsCode, ALL, Settings, "Code/User/settings.json"),
    (Host::VsCode, ALL, Settings, "Code - Insiders/User/mcp.json"),
    (Host::VsCode, ALL, Settings, "VSCodium/User/mcp.json"),
    (Host::Windsurf, ALL, Home, ".codeium/windsurf/mcp_config.json"),
    (Host::Windsurf, ALL, Home, ".codeium/windsurf-next/mcp_config.json"),
    (Host::Windsurf, ALL, Home, ".codeium/mcp_config.json"),
    (Host::Codex, ALL, Codex, "config.toml"),
    (Host::Gemini, ALL, Home, ".gemini/settings.json"),
    (Host::Gemini, L, Root, "/etc/gemini-cli/settings.json"),
    (Host::Gemini, M, Root, "/Library/Application Support/GeminiCli/settings.json"),
    (Host::Gemini, W, Root, "C:/ProgramData/gemini-cli/settings.json"),
    (Host::Opencode, ALL, Xdg, "opencode/opencode.json"),
    (Host::Opencode, ALL, Xdg, "opencode/opencode.jsonc"),
    (Host::Opencode, ALL, Xdg, "opencode/config.json"),
    (Host::Zed, LM, Xdg, "zed/settings.json"),
    (Host::Zed, W, Settings, "Zed/settings.json"),
    (Host::Cline, ALL, Settings, "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
    (Host::Cline, ALL, Home, ".cline/data/settings/cline_mcp_settings.json"),
    (Host::Roo, ALL, Settings, "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
    (Host::LmStudio, ALL, Home, ".lmstudio/mcp.json"),
    (Host::Continue, ALL, Home, ".continue/config.json"),
    (Host::Continue, ALL, Home, ".continue/config.yaml"),
    (Host::Continue, ALL, Home, ".continue/mcpServers/*.json"),
    (Host::Copilot, ALL, Home, ".copilot/mcp-config.json"),
    (Host::Kiro, ALL, Home, ".kiro/settings/mcp.json"),
];

/// The files that hosts have here, if they exist: those of the project first.
pub fn places(platform: Platform, folders: &Folders) -> Vec<Place> {
    let here = PLACES.iter().filter(|(_, platforms, _, _)| platforms.contains(&platform));
    let found = here.filter_map(|&(host, _, base, path)| {
        let folder: &Path = match base {
            Home => &folders.home,
            Settings => &folders.settings,
            Xdg => &folders.xdg,
            Local => &folders.local,
            Codex => &folders.codex,
            Claude => &folders.claude,
            Project => folders.project.as_deref()?,
            Root => Path::new(""),
        };
        Some(Place { host, path: folder.join(path), of_project: base == Project })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{Folders, Platform, places};
    use crate::hosts::Host;

    #[test]
    fn each_platform_has_its_places_and_each_host_but_two_one() {
        let folders = |settings: &str| Folders {
            home: "/h".into(),
            settings: settings.into(),
            xdg: "/h/.config".into(),
            local: "/local".into(),
            codex: "/h/.codex".into(),
            claude: "/h".into(),
            project: Some("/p".into()),
        };
        let found = |platform, settings, host| -> Vec<String> {
            let places = places(platform, &folders(settings));
            let mine = places.iter().filter(|place| place.host == host);
            mine.map(|place| place.path.to_string_lossy().replace('\\', "/")).collect()
        };
        let desktop = found(Platform::MacOs, "/h/Library/Application Support", Host::ClaudeDesktop);
        assert_eq!(desktop, ["/h/Library/Application Support/Claude/claude_desktop_config.json"]);
        assert_eq!(found(Platform::Windows, "/roaming", Host::ClaudeDesktop).len(), 2);
        assert_eq!(
            found(Platform::Windows, "/roaming", Host::Zed),
            ["/p/.zed/settings.json", "/roaming/Zed/settings.json"]
        );
        assert_eq!(
            found(Platform::Linux, "/h/.config", Host::Codex),
            ["/p/.codex/config.toml", "/h/.codex/config.toml"]
        );
        for platform in [Platform::Linux, Platform::MacOs, Platform::Windows] {
            for (host, word, _) in Host::ALL {
                let none = matches!(host, Host::CherryStudio | Host::Other);
                assert_eq!(found(platform, "/s", host).is_empty(), none, "{word}");
            }
        }
        let of_project = places(Platform::Linux, &folders("/s"));
        let first_of_user = of_project.iter().position(|place| !place.of_project).expect("some");
        assert!(of_project[first_of_user..].iter().all(|place| !place.of_project));
    }
}
