//! What is asked of the Client page by its panels and by other pages: to read a link, to use a value, to fill a call in.

use std::sync::Arc;

use eframe::egui::Ui;

use super::ClientPage;
use crate::engine::view::ConnectionId;
use crate::peer::client::Kind;
use crate::ui::client::Subject;
use crate::ui::client::keeping::ToPick;
use crate::ui::desk::Desk;
use crate::ui::keys::Act;
use crate::ui::panels::client::result::{Found, Wish};

impl ClientPage {
    /// Does what was wished in the result.
    pub(super) fn follow(&mut self, wish: Wish, desk: &mut Desk, id: ConnectionId, subject: Option<&Subject>) {
        match wish {
            Wish::Read(uri) => {
                let resource = Subject::new(Kind::Resources, uri);
                self.reveal(desk, id, &resource);
                let list = desk.bench.get(id).and_then(|it| it.lists.get(&Kind::Resources)).map(Arc::clone);
                let item = list.as_deref().and_then(|list| list.items.find(&resource.key));
                self.work.draft(id, &resource, item);
                self.work.call(desk, id, &resource);
            }
            Wish::Pick(Found { pointer, value }) => {
                let call = subject.and_then(|subject| self.work.shown(id, subject, desk));
                desk.bench.to_pick = call.map(|call| ToPick { connection: id, call, pointer, value });
            }
            Wish::Traffic => {
                let Some(connection) = desk.bench.get(id) else { return };
                let call = subject.and_then(|subject| self.work.shown(id, subject, desk));
                let request = call.and_then(|call| connection.call(call)?.request_id().map(ToString::to_string));
                if let Some(path) = connection.recording.clone() {
                    desk.aim = Some((path, request.map(|id| format!("id:{id} from:client")).unwrap_or_default()));
                }
            }
        }
    }

    /// Fills a saved call in on the connection that is shown.
    pub(super) fn load(&mut self, desk: &mut Desk, subject: &Subject, arguments: &str) {
        let Some(id) = desk.bench.current else { return desk.notice("Connect to a server first") };
        self.reveal(desk, id, subject);
        let list = desk.bench.get(id).and_then(|it| it.lists.get(&subject.kind)).map(Arc::clone);
        let item = list.as_deref().and_then(|list| list.items.find(&subject.key));
        self.work.draft(id, subject, item).arguments.set_text(arguments);
    }

    /// Does what was asked for of the saved calls: one is filled in, a form becomes one, a result of a run is shown.
    pub(super) fn saved_calls(&mut self, desk: &mut Desk) {
        if let Some(loading) = desk.bench.to_load_saved.take() {
            self.load(desk, &loading.subject, &loading.filled);
            if let Some(id) = desk.bench.current {
                self.work.load(id, loading);
            }
        }
        if let Some(tie) = desk.bench.to_tie.take() {
            self.work.tie(tie.connection, &tie.subject, tie.name);
        }
        if let Some((id, call)) = desk.bench.to_show.take() {
            let record = desk.bench.get(id).and_then(|it| it.call(call));
            let Some(subject) = record.and_then(|record| record.subject.clone()) else { return };
            desk.bench.current = Some(id);
            self.reveal(desk, id, &subject);
            let list = desk.bench.get(id).and_then(|it| it.lists.get(&subject.kind)).map(Arc::clone);
            let item = list.as_deref().and_then(|list| list.items.find(&subject.key));
            self.work.draft(id, &subject, item).shown = Some(call);
        }
    }

    /// Uses the value at the caret of the result.
    pub(super) fn use_value(&mut self, ui: &Ui, act: Act, desk: &mut Desk, id: ConnectionId, kind: Kind) {
        if let Some(wish) = self.result.use_value(ui, act) {
            let subject = self.list.subject(id, kind);
            self.follow(wish, desk, id, subject.as_ref());
        }
    }
}
