//! Filling a saved call into the form that it is for.

use crate::engine::view::ConnectionId;
use crate::peer::client::Kind;
use crate::project::{Project, SavedCall, What, fill_known, fill_text_known};
use crate::ui::client::Subject;
use crate::ui::client::keeping::Loading;
use crate::ui::client::options::Options;
use crate::ui::client::variables::Variables;
use crate::ui::desk::Desk;

/// The open connection that a call for this server of the file goes over. Where a call names none, the only server of
/// the file is meant; where there is none or several, the connection that is shown.
pub(super) fn right(desk: &Desk, project: &Project, target: Option<&str>) -> Option<ConnectionId> {
    let only = match &project.targets[..] {
        [(only, _)] => Some(only.as_str()),
        _ => None,
    };
    desk.bench.servers.connection(&desk.bench, target.or(only), desk.bench.current.unwrap_or_default())
}

/// Fills a saved call in over the connection that is right for it.
pub(super) fn load(desk: &mut Desk, project: &Project, name: &str, call: &SavedCall) {
    let Some(id) = right(desk, project, call.target.as_deref()) else {
        return desk
            .notice("No connection to the server of this call, as the file has it, is open; connect to it first");
    };
    let Some(subject) = subject(&call.what, &desk.bench.variables, project) else {
        return desk.notice("This call has no form; it can be run as it is");
    };
    if call.meta.is_some() {
        desk.notice(format!("The form has no place for the _meta of {name}; Run sends it"));
    }
    desk.bench.current = Some(id);
    let value = |variable: &str| desk.bench.variables.value(project, variable);
    let arguments = call.arguments.clone();
    let filled = fill_known(arguments.as_deref().unwrap_or("{}"), &value).0;
    let options = options(call, &value);
    let name = name.to_owned();
    desk.bench.to_load_saved = Some(Loading { subject, name, arguments, filled, options });
}

fn subject(what: &What, variables: &Variables, project: &Project) -> Option<Subject> {
    let text = |text: &String| fill_text_known(text, &|variable| variables.value(project, variable));
    Some(match what {
        What::Tool(name) => Subject::new(Kind::Tools, text(name)),
        What::Prompt(name) => Subject::new(Kind::Prompts, text(name)),
        What::Resource(uri) => Subject::new(Kind::Resources, text(uri)),
        What::Template(template) => Subject::new(Kind::Templates, template.clone()),
        What::Method(_) | What::Notification(_) | What::Raw(_) => return None,
    })
}

/// The options of a saved call as they are typed.
fn options(call: &SavedCall, value: &dyn Fn(&str) -> Option<String>) -> Options {
    let seconds = |ms: Option<u64>| ms.filter(|ms| *ms > 0).map(seconds).unwrap_or_default();
    let field = |(name, text): &(String, String)| format!("{name}: {}", fill_text_known(text, value));
    Options {
        id: call.id.clone().unwrap_or_default(),
        bare: call.bare,
        task: call.task.is_some(),
        ttl: call.task.flatten().map(|ttl| ttl.to_string()).unwrap_or_default(),
        fields: call.fields.iter().map(field).collect::<Vec<_>>().join("\n"),
        patience: seconds(call.patience_ms),
        cap: seconds(call.cap_ms),
    }
}

fn seconds(ms: u64) -> String {
    let (whole, rest) = (ms / 1_000, ms % 1_000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{Options, SavedCall, What, options};

    #[test]
    fn options_are_filled_in_as_they_are_typed() {
        let call = SavedCall {
            id: Some("\"x\"".to_owned()),
            task: Some(Some(5_000)),
            patience_ms: Some(1_500),
            cap_ms: Some(0),
            fields: vec![("X-A".to_owned(), "{{a}}/{{gone}}".to_owned()), ("X-B".to_owned(), "2".to_owned())],
            ..SavedCall::of(What::Tool("a".to_owned()))
        };
        let found = options(&call, &|name| (name == "a").then(|| "\"1\"".to_owned()));
        let text = |text: &str| text.to_owned();
        let expected = Options {
            id: text("\"x\""),
            bare: false,
            task: true,
            ttl: text("5000"),
            fields: text("X-A: 1/{{gone}}\nX-B: 2"),
            patience: text("1.5"),
            cap: text(""),
        };
        assert_eq!(found, expected);
        assert!(found.faults().iter().all(Option::is_none));
    }
}
