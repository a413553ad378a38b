//! Request and answer of a call as they are: coloured, as a tree, or byte for byte, by the panels of the Traffic page.

use std::sync::Arc;

use eframe::egui::{Rect, RichText, Ui};

use crate::engine::view::{Body, Detail, Row, RowKey, Sign, Status};
use crate::model::Side;
use crate::peer::client::{CallId, Outcome};
use crate::ui::client::CallRecord;
use crate::ui::panels::client::result::Found;
use crate::ui::panels::detail::{DetailPanel, Tab};
use crate::ui::panels::{pretty, raw, tree};
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;

/// Bytes of a request that are laid out within a frame.
const AT_ONCE: usize = 256 * 1024;

/// The state of it.
#[derive(Default)]
pub struct RawSide {
    /// The panel that shows it.
    pub panel: DetailPanel,
    of: Option<(CallId, usize, Option<Arc<Body>>)>,
    detail: Option<Arc<Detail>>,
}

impl RawSide {
    /// How it is looked at.
    pub fn switch(&mut self, ui: &mut Ui) {
        let options = [(Tab::Pretty, "Pretty"), (Tab::Tree, "Tree"), (Tab::Raw, "Bytes")];
        ui.spacing_mut().item_spacing.x = 4.0;
        for (tab, word) in options.into_iter().rev() {
            let on = self.panel.tab == tab;
            if button::small(ui, word, on).clicked() {
                self.panel.tab = tab;
            }
        }
    }

    /// The value at the caret of the answer, and where it is.
    pub(super) fn found(&mut self) -> Option<Found> {
        let tree = self.panel.tab == Tab::Tree;
        let part = self.panel.answer.as_ref()?;
        match part.seen_tree().filter(|_| tree) {
            Some(tree) => Some(Found { pointer: tree.path(), value: tree.value() }),
            None => Some(Found { pointer: part.path()?, value: part.value() }),
        }
    }

    /// Draws it in `rect`.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, call: &CallRecord, settings: &Settings, active: bool) {
        let current = (call.id, call.rounds.len(), call.body.clone());
        let same = self.of.as_ref().is_some_and(|(id, rounds, body)| {
            let same_body = match (body, &call.body) {
                (Some(old), Some(new)) => Arc::ptr_eq(old, new),
                (None, None) => true,
                _ => false,
            };
            *id == call.id && *rounds == call.rounds.len() && same_body
        });
        if !same {
            self.detail = Some(Arc::new(detail(call)));
            self.of = Some(current);
        }
        let Some(detail) = self.detail.clone() else { return };
        if detail.request.is_none() && detail.answer.is_none() {
            ui.label(RichText::new("Nothing was sent yet.").color(theme::palette(ui).dim));
            return;
        }
        self.panel.sync(Some(&detail));
        self.panel.picks = matches!(call.outcome, Some(Outcome::Result(_) | Outcome::Error(_)));
        match self.panel.tab {
            Tab::Tree => tree::show(ui, rect, &mut self.panel, &detail, active),
            Tab::Raw => raw::show(ui, rect, &mut self.panel, &detail),
            _ => {
                self.panel.tab = Tab::Pretty;
                pretty::bodies(ui, rect, &mut self.panel, &detail, settings, active);
            }
        }
    }
}

/// A call as the Traffic page would show its exchange.
fn detail(call: &CallRecord) -> Detail {
    let request = call.rounds.last().filter(|round| round.request.len() <= AT_ONCE);
    let request = request.map(|round| Arc::new(Body::loose(&round.request, Some(Side::Client), round.at)));
    let row = Row {
        key: RowKey::Exchange(u32::try_from(call.id).unwrap_or(u32::MAX)),
        seq: 0,
        at: call.at,
        sign: Sign::FromClient,
        method: call.method.as_str().into(),
        subject: call.subject.as_ref().map_or("", |it| it.key.as_str()).into(),
        status: if call.outcome.is_some() { Status::Ok } else { Status::Pending },
        outcome: "".into(),
        duration: call.outcome.is_some().then_some(call.took),
        size: 0,
        rounds: 1,
        going: None,
    };
    Detail {
        row,
        version: 0,
        revision: None,
        era: None,
        id: None,
        request,
        answer: call.body.clone(),
        belongs: Vec::new(),
        remarks: Vec::new(),
        http: None,
    }
}
