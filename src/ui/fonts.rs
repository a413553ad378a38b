//! The fonts that the window ships: Inter for the interface, `JetBrains Mono` for what came over the wire, and behind
//! both Noto Emoji, since tools like to answer with emoji and not every machine has a font for them.

use std::sync::Arc;

use eframe::egui::{Context, FontData, FontDefinitions, FontFamily, FontTweak};

/// Every shipped font: its name and its file.
const FONTS: [(&str, &[u8]); 5] = [
    ("inter", include_bytes!("../../assets/fonts/Inter-Regular.otf")),
    ("inter-medium", include_bytes!("../../assets/fonts/Inter-Medium.otf")),
    ("inter-semibold", include_bytes!("../../assets/fonts/Inter-SemiBold.otf")),
    ("mono", include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf")),
    ("mono-medium", include_bytes!("../../assets/fonts/JetBrainsMono-Medium.ttf")),
];

const EMOJI: &[u8] = include_bytes!("../../assets/fonts/NotoEmoji-Regular.ttf");
/// Emoji are drawn as wide as they are high; so much of their size fits into a line.
const EMOJI_SCALE: f32 = 0.81;

/// Every font of the window, with egui's own behind them for characters that ours lack.
pub fn definitions(fallback: bool) -> FontDefinitions {
    let mut fonts = if fallback { FontDefinitions::default() } else { FontDefinitions::empty() };
    for (name, bytes) in FONTS {
        fonts.font_data.insert(name.to_owned(), Arc::new(exact(bytes)));
    }
    let sans = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let mono = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let mut lead = |family: FontFamily, chain: &[&str], rest: &[String]| {
        let chain = chain.iter().map(|name| (*name).to_owned()).chain(rest.iter().cloned()).collect();
        fonts.families.insert(family, chain);
    };
    lead(FontFamily::Proportional, &["inter", "mono"], &sans);
    lead(FontFamily::Name("medium".into()), &["inter-medium", "mono"], &sans);
    lead(FontFamily::Name("semibold".into()), &["inter-semibold", "mono"], &sans);
    lead(FontFamily::Monospace, &["mono", "inter"], &mono);
    lead(FontFamily::Name("mono-medium".into()), &["mono-medium", "inter"], &mono);
    let emoji = FontData::from_static(EMOJI).tweak(FontTweak { scale: EMOJI_SCALE, ..FontTweak::default() });
    fonts.font_data.insert("emoji".to_owned(), Arc::new(emoji));
    fonts.families.values_mut().for_each(|chain| chain.push("emoji".to_owned()));
    fonts
}

/// Gives the window its fonts.
pub fn install(ctx: &Context) {
    ctx.set_fonts(definitions(true));
}

/// The font without its contextual alternates: they draw `->` and `!=` as one sign, and an inspector
/// shows what was sent. egui has no switch for font features, so the feature is renamed in memory.
fn exact(bytes: &'static [u8]) -> FontData {
    const FEATURE: &[u8] = b"calt";
    let mut font = bytes.to_vec();
    let places: Vec<usize> = memchr::memmem::find_iter(bytes, FEATURE).collect();
    for place in places {
        font[place..place + FEATURE.len()].copy_from_slice(b"cal_");
    }
    FontData::from_owned(font)
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Context, RawInput};

    use super::{FONTS, definitions};
    use crate::ui::theme;
    use crate::ui::words::GLYPHS;

    /// Emoji that tools are fond of.
    const EMOJI: &str = "😀🚀✅👍🔥☔";

    #[test]
    fn every_sign_that_the_window_draws_is_in_a_shipped_font() {
        let ctx = Context::default();
        ctx.set_fonts(definitions(false));
        let mut missing = Vec::new();
        let output = ctx.run_ui(RawInput::default(), |ui| {
            missing = GLYPHS
                .chars()
                .chain(EMOJI.chars())
                .filter(|sign| !ui.ctx().fonts_mut(|fonts| fonts.has_glyph(&theme::mono(), *sign)))
                .collect();
        });
        output.drop_without_applying_deltas();
        assert_eq!(missing, Vec::<char>::new());
    }

    #[test]
    fn ligatures_are_off_and_nothing_else_is_touched() {
        for (name, bytes) in FONTS {
            let font = super::exact(bytes);
            assert_eq!(font.bytes().len(), bytes.len(), "{name}");
            assert_eq!(memchr::memmem::find(font.bytes(), b"calt"), None, "{name}");
            let changed = bytes.iter().zip(font.bytes()).filter(|(old, new)| old != new).count();
            assert!((1..=8).contains(&changed), "{name}: {changed} bytes changed");
        }
    }
}
