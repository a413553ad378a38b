//! Which of several requests with one id an answer is for. The id does not tell, but the wire may: what comes on the
//! stream of a POST answers that POST.

use super::Machine;
use super::exchange::{Do, Number};
use crate::engine::remote::line::Asked;
use crate::model::Id;

impl Machine {
    /// Tells which request a message with these ids is for that came on this exchange, where that is in doubt.
    pub(super) fn tell_which(&mut self, number: Number, ids: &[Id]) {
        let Some(exchange) = self.exchanges.get(&number) else { return };
        if let [id] = ids
            && let Some(asked) = exchange.waits.iter().find(|asked| asked.id == *id).cloned()
        {
            // One of those that wait is itself.
            self.tell_place(&asked, 2);
        }
    }

    /// The same of a request, when at least so many with its id wait.
    pub(super) fn tell_place(&mut self, asked: &Asked, least: usize) {
        let exchanges = self.exchanges.values().flat_map(|exchange| &exchange.waits);
        let waiting = exchanges.chain(self.legacy.resumes.iter().flat_map(|resume| &resume.waits));
        if self.whole && waiting.filter(|other| other.id == asked.id).count() >= least {
            self.out.push_back(Do::Answers(asked.place));
        }
    }
}
