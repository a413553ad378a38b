//! From a line of the layout to a JSON pointer (RFC 6901) and back.

use super::{Pretty, PrettyLine};
use crate::wire::Json;

impl Pretty {
    /// The JSON pointer of the value on a line; for a line that opens or closes a container, of that
    /// container. It walks up from the line, so it is for the line under the pointer, not for all.
    pub fn pointer(&self, index: usize) -> String {
        let mut steps = Vec::new();
        let mut index = self.opener(index).unwrap_or_default();
        while let Some(line) = self.lines.get(index).filter(|line| line.depth > 0) {
            let (parent, before) = self.parent(index, line.depth);
            steps.push(self.name(line).map_or_else(|| before.to_string(), |name| escape(&name)));
            index = parent;
        }
        steps.iter().rev().fold(String::new(), |pointer, step| pointer + "/" + step)
    }

    /// The line on which the value at a JSON pointer begins. Of members with one name it takes the
    /// last, as [`Json::pointer`] does; what stands inside a small container has that container's line.
    pub fn line_of(&self, pointer: &str) -> Option<usize> {
        let mut index = 0;
        if pointer.is_empty() {
            return (!self.lines.is_empty()).then_some(0);
        }
        let steps = pointer.strip_prefix('/')?;
        let mut rest = Some(steps);
        while let Some(pointer) = rest {
            let Some(fold) = self.lines.get(index)?.fold else {
                let inner = Json::parse(self.value(index).as_bytes()).ok()?;
                return inner.pointer(&format!("/{pointer}")).map(|_| index);
            };
            let (step, after) = pointer.split_once('/').map_or((pointer, None), |(step, rest)| (step, Some(rest)));
            index = self.child(index, fold as usize, &step.replace("~1", "/").replace("~0", "~"))?;
            rest = after;
        }
        Some(index)
    }

    /// The line that opens the container in which a line stands, and how many siblings come between.
    fn parent(&self, index: usize, depth: u32) -> (usize, usize) {
        let mut before = 0;
        for above in (0..index).rev() {
            let line = &self.lines[above];
            if line.depth < depth {
                return (above, before);
            }
            before += usize::from(line.depth == depth && !line.is_closer());
        }
        (0, before)
    }

    fn child(&self, opener: usize, closer: usize, step: &str) -> Option<usize> {
        let mut children = std::iter::successors(Some(opener + 1), |&index| {
            Some(self.lines[index].fold.map_or(index, |fold| fold as usize) + 1)
        })
        .take_while(|&index| index < closer);
        if self.lines[opener + 1].is_member() {
            return children.filter(|&index| self.name(&self.lines[index]).is_some_and(|name| name == step)).last();
        }
        let position = step.parse().ok().filter(|_| step == "0" || !step.starts_with(['0', '+']))?;
        children.nth(position)
    }

    /// A line's member name, decoded.
    fn name(&self, line: &PrettyLine) -> Option<String> {
        let range = self.name_of(line)?;
        Json::trusted(&self.text.as_bytes()[range]).text().map(std::borrow::Cow::into_owned)
    }
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
