//! Colours, sizes and type of the window, dark and light. The only file that names a colour; what
//! means what is said here once, and a test holds every pair of text and ground to its contrast.

use eframe::egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme, Ui, Vec2,
    Visuals, style::ScrollStyle, style::WidgetVisuals,
};

/// The colours of one theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// The ground behind tables.
    pub bg0: Color32,
    /// The ground of panels.
    pub bg1: Color32,
    /// The ground of notices and hovered rows.
    pub bg2: Color32,
    /// The ground of tags and of the chosen segment.
    pub bg3: Color32,
    /// Every second row, barely visible.
    pub zebra: Color32,
    /// Hairlines and frames of controls.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Secondary text; legible on every ground.
    pub dim: Color32,
    /// Captions and line numbers; legible on `bg0` and `bg1`.
    pub faint: Color32,
    /// Dots, guides and other marks that carry no text.
    pub mark: Color32,
    /// What can be acted on, and where the focus is.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// The ground of what is selected.
    pub accent_bg: Color32,
    /// It went well; it is live.
    pub ok: Color32,
    /// It needs a look: pending, late, cancelled, stderr.
    pub warn: Color32,
    /// It went wrong.
    pub err: Color32,
    /// The ground of what went wrong.
    pub err_bg: Color32,
    /// The ground of a hit of the search.
    pub hit_bg: Color32,
    /// From the client to the server.
    pub c2s: Color32,
    /// From the server to the client.
    pub s2c: Color32,
    /// Notifications.
    pub note: Color32,
    /// Keys in JSON.
    pub key: Color32,
    /// Strings in JSON.
    pub str: Color32,
    /// Numbers in JSON.
    pub num: Color32,
    /// `true`, `false` and `null` in JSON; keywords elsewhere.
    pub lit: Color32,
    /// The veil behind a dialog.
    pub veil: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The dark theme.
pub const DARK: Palette = Palette {
    bg0: rgb(0x11_1418),
    bg1: rgb(0x17_1b21),
    bg2: rgb(0x1e_242c),
    bg3: rgb(0x2a_323d),
    zebra: rgb(0x14_181d),
    line: rgb(0x2b_333e),
    text: rgb(0xd6_dde6),
    dim: rgb(0x93_a0b0),
    faint: rgb(0x80_8d9d),
    mark: rgb(0x5d_6875),
    accent: rgb(0x5a_a9ff),
    on_accent: rgb(0x0b_1622),
    accent_bg: rgb(0x14_304d),
    ok: rgb(0x5f_cf8a),
    warn: rgb(0xe8_b64c),
    err: rgb(0xff_7a72),
    err_bg: rgb(0x3a_1d1f),
    hit_bg: rgb(0x3f_320e),
    c2s: rgb(0x7c_c4ff),
    s2c: rgb(0xc5_9bff),
    note: rgb(0x7f_d1c7),
    key: rgb(0x8e_c8ff),
    str: rgb(0xa8_d99c),
    num: rgb(0xf2_b27a),
    lit: rgb(0xd6_a0ff),
    veil: Color32::from_black_alpha(150),
};

/// The light theme.
pub const LIGHT: Palette = Palette {
    bg0: rgb(0xf4_f6f8),
    bg1: rgb(0xff_ffff),
    bg2: rgb(0xee_f1f5),
    bg3: rgb(0xdf_e5ec),
    zebra: rgb(0xfa_fbfc),
    line: rgb(0xd8_dee6),
    text: rgb(0x1d_2630),
    dim: rgb(0x56_6270),
    faint: rgb(0x66_717d),
    mark: rgb(0x8f_9aa6),
    accent: rgb(0x0a_62bb),
    on_accent: rgb(0xff_ffff),
    accent_bg: rgb(0xdc_ebfb),
    ok: rgb(0x15_743e),
    warn: rgb(0x7f_5800),
    err: rgb(0xb9_2b27),
    err_bg: rgb(0xfb_e7e6),
    hit_bg: rgb(0xff_eab0),
    c2s: rgb(0x0a_62bb),
    s2c: rgb(0x7a_3fc4),
    note: rgb(0x0f_6b62),
    key: rgb(0x0b_5cad),
    str: rgb(0x25_6e25),
    num: rgb(0x95_490a),
    lit: rgb(0x7a_3fc4),
    veil: Color32::from_black_alpha(70),
};

/// The colours of the theme that is shown.
pub fn palette(ui: &Ui) -> &'static Palette {
    if ui.visuals().dark_mode { &DARK } else { &LIGHT }
}

/// Height of a row of the timeline, in points.
pub const ROW: f32 = 24.0;
/// Height of a control.
pub const CONTROL: f32 = 28.0;
/// Height of a line of what came over the wire.
pub const LINE: f32 = 18.0;
/// The radius of corners.
pub const CORNER: CornerRadius = CornerRadius::same(6);
/// The radius of small corners: tags and hits.
pub const CORNER_SMALL: CornerRadius = CornerRadius::same(4);
/// Width of the ring around what has the focus.
pub const RING: f32 = 1.5;

/// A font of the interface.
pub fn sans(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// The same, a little heavier.
pub fn medium(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name("medium".into()))
}

/// The font of titles.
pub fn semibold(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name("semibold".into()))
}

/// The font of everything that came over the wire.
pub fn mono() -> FontId {
    FontId::new(12.0, FontFamily::Monospace)
}

/// The same, heavier.
pub fn mono_medium(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name("mono-medium".into()))
}

/// The hairline.
pub fn hairline(palette: &Palette) -> Stroke {
    Stroke::new(1.0, palette.line)
}

/// Gives both themes their colours, sizes and type.
pub fn install(ctx: &Context) {
    super::fonts::install(ctx);
    for (theme, colours) in [(Theme::Dark, &DARK), (Theme::Light, &LIGHT)] {
        ctx.style_mut_of(theme, |style| dress(style, colours));
    }
}

fn dress(style: &mut Style, palette: &Palette) {
    style.text_styles = [
        (TextStyle::Body, sans(13.0)),
        (TextStyle::Button, sans(13.0)),
        (TextStyle::Small, sans(11.0)),
        (TextStyle::Heading, semibold(15.0)),
        (TextStyle::Monospace, mono()),
    ]
    .into();
    style.spacing.item_spacing = Vec2::new(8.0, 4.0);
    style.spacing.button_padding = Vec2::new(10.0, 4.0);
    style.spacing.interact_size = Vec2::new(CONTROL, CONTROL);
    style.spacing.window_margin = Margin::same(16);
    style.spacing.menu_margin = Margin::same(4);
    style.spacing.scroll = ScrollStyle::thin();
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.4;
    style.animation_time = 0.08;
    dress_visuals(&mut style.visuals, palette);
}

fn dress_visuals(visuals: &mut Visuals, palette: &Palette) {
    let flat = |fill: Color32, line: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: CORNER,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    visuals.widgets.noninteractive = flat(palette.bg1, palette.line, palette.text);
    visuals.widgets.inactive = flat(palette.bg1, palette.line, palette.text);
    visuals.widgets.hovered = flat(palette.bg2, palette.mark, palette.text);
    visuals.widgets.active = flat(palette.bg3, palette.accent, palette.text);
    visuals.widgets.open = flat(palette.bg2, palette.mark, palette.text);
    visuals.selection.bg_fill = palette.accent_bg;
    visuals.selection.stroke = Stroke::new(RING, palette.accent);
    visuals.hyperlink_color = palette.accent;
    visuals.faint_bg_color = palette.zebra;
    visuals.extreme_bg_color = palette.bg0;
    visuals.code_bg_color = palette.bg2;
    visuals.warn_fg_color = palette.warn;
    visuals.error_fg_color = palette.err;
    visuals.weak_text_color = Some(palette.dim);
    visuals.panel_fill = palette.bg1;
    visuals.window_fill = palette.bg1;
    visuals.window_stroke = hairline(palette);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(8);
    let shadow = Shadow { offset: [0, 6], blur: 20, spread: 0, color: palette.veil };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
}

#[cfg(test)]
mod tests {
    use super::{Color32, DARK, LIGHT, Palette};

    fn luminance(colour: Color32) -> f64 {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.039_28 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(colour.r()) + 0.7152 * part(colour.g()) + 0.0722 * part(colour.b())
    }

    fn contrast(one: Color32, other: Color32) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        if one > other { one / other } else { other / one }
    }

    fn weak_pairs(palette: &Palette) -> Vec<String> {
        let p = palette;
        let everywhere = [
            ("text", p.text),
            ("dim", p.dim),
            ("accent", p.accent),
            ("ok", p.ok),
            ("warn", p.warn),
            ("err", p.err),
            ("c2s", p.c2s),
            ("s2c", p.s2c),
            ("note", p.note),
            ("key", p.key),
            ("str", p.str),
            ("num", p.num),
            ("lit", p.lit),
        ];
        let grounds = [
            ("bg0", p.bg0),
            ("bg1", p.bg1),
            ("bg2", p.bg2),
            ("bg3", p.bg3),
            ("zebra", p.zebra),
            ("selected", p.accent_bg),
            ("error", p.err_bg),
            ("hit", p.hit_bg),
        ];
        let mut weak = Vec::new();
        for (ground, bg) in grounds {
            for (name, fg) in everywhere {
                if contrast(fg, bg) < 4.5 {
                    weak.push(format!("{name} on {ground}: {:.2}", contrast(fg, bg)));
                }
            }
        }
        if contrast(p.on_accent, p.accent) < 4.5 {
            weak.push(format!("on the accent: {:.2}", contrast(p.on_accent, p.accent)));
        }
        for (ground, bg) in [("bg0", p.bg0), ("bg1", p.bg1), ("zebra", p.zebra)] {
            if contrast(p.faint, bg) < 4.5 {
                weak.push(format!("faint on {ground}: {:.2}", contrast(p.faint, bg)));
            }
        }
        weak
    }

    #[test]
    fn text_is_legible_on_every_ground() {
        assert_eq!(weak_pairs(&DARK), Vec::<String>::new());
        assert_eq!(weak_pairs(&LIGHT), Vec::<String>::new());
        // The measure itself: black on white is 21, and the look's own faint would not do.
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
        assert!(!weak_pairs(&Palette { faint: DARK.mark, ..DARK }).is_empty());
    }
}
