//! The rounds of a call by MRTR: what each asked, and the next one before it is sent.

use std::collections::HashMap;

use eframe::egui::{CollapsingHeader, Id, RichText, Ui};

use crate::engine::view::{ConnectionId, Json, Pretty};
use crate::peer::client::{CallId, Order};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::Code;
use crate::ui::words;

/// Bytes of a round that are laid out here; Raw has all of them.
const MOST: usize = 64 * 1024;
/// Lines of a round that are shown.
const LINES: usize = 200;

/// Draws them, where there is more than one or one that asks.
pub(super) fn show(
    ui: &mut Ui,
    desk: &mut Desk,
    id: ConnectionId,
    call: CallId,
    steps: &mut HashMap<(CallId, u32), String>,
) {
    let mut order = None;
    if let Some(connection) = desk.bench.get(id)
        && let Some(record) = connection.call(call)
        && record.rounds.iter().any(|round| round.result.is_some())
    {
        let palette = theme::palette(ui);
        ui.add_space(8.0);
        for round in &record.rounds {
            let Some(result) = &round.result else { continue };
            let requests = Json::parse(result).ok().and_then(|json| Some(json.get("inputRequests")?.members().count()));
            let asks = words::counted(requests.unwrap_or(0) as u64, "question", "questions");
            let title = format!("Round {} ended with input_required: {asks}", round.number);
            let title = RichText::new(title).font(theme::sans(12.5)).color(palette.text);
            CollapsingHeader::new(title).id_salt(("client-round", call, round.number)).show(ui, |ui| {
                let shown = if result.len() <= MOST { Pretty::of(result).map(|it| it.text) } else { None };
                let text = shown.unwrap_or_else(|| format!("{}; Raw has it.", words::size(result.len() as u64)));
                let lines: Vec<_> = text.lines().take(LINES).map(words::plain).collect();
                code(("round", call, round.number), "What the round asked").show(ui, &mut lines.join("\n").as_str());
            });
            if record.is_running()
                && connection.settings.step_rounds
                && let Some(next) = &round.next
                && record.rounds.last().is_some_and(|last| last.number == round.number)
            {
                order = step(ui, call, round.number, next, steps);
            }
        }
    }
    if let Some(order) = order {
        desk.bench.order(id, order);
    }
}

/// A field for JSON.
fn code<'a>(id: (&str, CallId, u32), label: &'a str) -> Code<'a> {
    Code { id: Id::unique(("client-rounds", id)), label, rows: 3, hint: "", json: true, fault: None, frame: None }
}

/// The params of the next round, to be edited and sent.
fn step(
    ui: &mut Ui,
    call: CallId,
    round: u32,
    next: &[u8],
    steps: &mut HashMap<(CallId, u32), String>,
) -> Option<Order> {
    let original = || String::from_utf8_lossy(next).into_owned();
    let text = steps.entry((call, round)).or_insert_with(original);
    ui.label(
        RichText::new(format!("Params of round {}", round + 1)).font(theme::sans(11.5)).color(theme::palette(ui).dim),
    );
    code(("next-round", call, round), "Params of the next round").show(ui, text);
    let mut order = None;
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        let label = format!("Send round {}", round + 1);
        if button::primary(ui, &label, &label).clicked() {
            // What was not touched is sent byte for byte as it was made.
            let edited = (*text != original()).then(|| text.clone().into_bytes());
            order = Some(Order::Step(call, edited));
        }
        if button::framed(ui, None, "As it was", "Undo what was edited", false).clicked() {
            *text = original();
        }
    });
    order
}
