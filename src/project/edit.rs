//! Changes of a project file, made in its text: what is not changed stays byte for byte, comments and all. A change that
//! would not come out as it was meant is refused.

use std::ops::Range;

use super::source::{Form, Source, Value, direct_ends, form, members, table_of};
use super::write::{self, Members, key};
use super::{Edit, Named, Project, ProjectError};

/// What a new file begins with.
const HEADER: &str = "# Saved calls. `midwire run FILE NAME` runs one of them, or a chain.\nmidwire = 1\n";

/// The text of a project file after a change.
pub fn edit(text: &str, edit: &Edit) -> Result<String, ProjectError> {
    let text = if text.trim().is_empty() { HEADER } else { text };
    let before = Project::read(text)?;
    let (wanted, after) = match edit {
        Edit::Call(name, new) => {
            let old = super::get(&before.calls, name).map(write::call);
            (
                with(&before, |project| put(&mut project.calls, name, (**new).clone())),
                table(text, ["calls", name], old, write::call(new))?,
            )
        }
        Edit::Target(name, new) => {
            let old = super::get(&before.targets, name).map(write::target);
            let after = table(text, ["targets", name], old, write::target(new))?;
            (with(&before, |project| put(&mut project.targets, name, (**new).clone())), after)
        }
        Edit::Chain(name, new) => {
            let old = super::get(&before.chains, name).map(write::chain);
            let after = table(text, ["chains", name], old, write::chain(new))?;
            (with(&before, |project| put(&mut project.chains, name, new.clone())), after)
        }
        Edit::Answer(name, new) => {
            let old = super::get(&before.answers, name).map(write::answer);
            let after = table(text, ["answers", name], old, write::answer(new))?;
            (with(&before, |project| put(&mut project.answers, name, new.clone())), after)
        }
        Edit::Variable(name, new) => {
            let after = if super::get(&before.variables, name) == Some(new) {
                text.to_owned()
            } else {
                set(text, &["variables"], name, Some(&write::value(new)))?
            };
            (with(&before, |project| put(&mut project.variables, name, new.clone())), after)
        }
        Edit::RemoveCall(name) => {
            (with(&before, |project| project.calls.retain(|(other, _)| other != name)), remove(text, &["calls", name])?)
        }
        Edit::RemoveChain(name) => (
            with(&before, |project| project.chains.retain(|(other, _)| other != name)),
            remove(text, &["chains", name])?,
        ),
    };
    // Whatever the file looks like: what comes out says what was meant, and all else that it said before.
    match Project::read(&after) {
        Ok(came) if sorted(came.clone()) == sorted(wanted) => Ok(after),
        _ => Err(refused("the file writes this in a form that midwire does not change; change it by hand")),
    }
}

fn with(project: &Project, change: impl FnOnce(&mut Project)) -> Project {
    let mut project = project.clone();
    change(&mut project);
    project
}

fn put<T>(named: &mut Named<T>, name: &str, value: T) {
    match named.iter_mut().find(|(other, _)| other == name) {
        Some((_, old)) => *old = value,
        None => named.push((name.to_owned(), value)),
    }
}

/// A project with its tables by name, so that only what they say is compared; notes have other lines after a change.
fn sorted(mut project: Project) -> Project {
    project.notes.clear();
    project.calls.sort_by(|a, b| a.0.cmp(&b.0));
    project.targets.sort_by(|a, b| a.0.cmp(&b.0));
    project.chains.sort_by(|a, b| a.0.cmp(&b.0));
    project.answers.sort_by(|a, b| a.0.cmp(&b.0));
    project.variables.sort_by(|a, b| a.0.cmp(&b.0));
    for (_, call) in &mut project.calls {
        call.picks.sort();
        call.fields.sort();
    }
    for (_, target) in &mut project.targets {
        if let super::SavedWay::Command { set: pairs, .. } | super::SavedWay::Url { headers: pairs, .. } =
            &mut target.way
        {
            pairs.sort();
        }
    }
    project
}

fn refused(why: &str) -> ProjectError {
    ProjectError::Change { why: why.to_owned() }
}

/// Changes those members of a table that differ, or adds the table.
fn table(text: &str, path: [&str; 2], old: Option<Members>, new: Members) -> Result<String, ProjectError> {
    let Some(old) = old else { return Ok(appended(text, &path, new)) };
    let mut text = text.to_owned();
    for (name, value) in new {
        let before = old.iter().find(|(other, _)| *other == name).and_then(|(_, value)| value.as_ref());
        if before != value.as_ref() {
            text = set(&text, &path, name, value.as_deref())?;
        }
    }
    Ok(text)
}

/// The text with a table at its end.
fn appended(text: &str, path: &[&str], members: Members) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = text.to_owned();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push_str(end);
    }
    let header: Vec<String> = path.iter().map(|name| key(name)).collect();
    out.extend([end, "[", &header.join("."), "]", end]);
    for (name, value) in members {
        if let Some(value) = value {
            out.extend([key(name).as_str(), " = ", &value, end]);
        }
    }
    out
}

/// The text with a member of a table set, or taken away.
fn set(text: &str, path: &[&str], name: &str, value: Option<&str>) -> Result<String, ProjectError> {
    let source = Source::read(text)?;
    let place: Vec<&str> = path.iter().copied().chain([name]).collect();
    let Some(value) = value else {
        return if source.at(&place).is_some() { remove(text, &place) } else { Ok(text.to_owned()) };
    };
    if let Some(old) = source.at(&place) {
        return match (table_of(old), form(text, old)) {
            // A table of pairs under its own header goes on being one.
            (Some(_), Form::Header(_) | Form::Implied) if value.starts_with('{') => pairs(text, &place, value),
            (Some(_), Form::Header(_) | Form::Implied) => {
                let without = remove_uncommented(text, &place)?;
                set(&without, path, name, Some(value))
            }
            _ => Ok(replaced(text, old.span(), value)),
        };
    }
    let Some(parent) = source.at(path) else {
        let mut out = appended(text, path, Vec::new());
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        out.extend([key(name).as_str(), " = ", value, end]);
        return Ok(out);
    };
    let Some(table) = table_of(parent) else { return Err(refused("the file has something else of that name")) };
    match form(text, parent) {
        Form::Header(header) => {
            let last = direct_ends(text, table).first().copied().unwrap_or(header.end).max(header.end);
            let at = line_end(text, last);
            let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let at = if text[..at].ends_with('\r') { at - 1 } else { at };
            Ok(format!("{}{newline}{} = {value}{}", &text[..at], key(name), &text[at..]))
        }
        Form::Inline(braces) => {
            let inside = text[braces.start + 1..braces.end - 1].trim_end().len() + braces.start + 1;
            let comma = if table.is_empty() { " " } else { ", " };
            Ok(format!("{}{comma}{} = {value} {}", &text[..inside], key(name), &text[braces.end - 1..]))
        }
        Form::Implied => Err(refused("the file writes that table in parts; add to it by hand")),
    }
}

/// Makes a table that is not in braces say what an inline table says.
fn pairs(text: &str, place: &[&str], inline: &str) -> Result<String, ProjectError> {
    let line = format!("x = {inline}");
    let wanted = Source::read(&line)?;
    let mut text = text.to_owned();
    let new = wanted.at(&["x"]).and_then(table_of).map(members).unwrap_or_default();
    let gone: Vec<String> = {
        let source = Source::read(&text)?;
        let old = source.at(place).and_then(table_of).map(members).unwrap_or_default();
        let kept = |name: &str| new.iter().any(|member| member.name == name);
        old.iter().filter(|member| !kept(member.name)).map(|member| member.name.to_owned()).collect()
    };
    for member in new {
        let value = &line[member.value.span()];
        text = set(&text, place, member.name, Some(value))?;
    }
    for name in gone {
        text = set(&text, place, &name, None)?;
    }
    Ok(text)
}

fn replaced(text: &str, span: Range<usize>, value: &str) -> String {
    format!("{}{value}{}", &text[..span.start], &text[span.end..])
}

/// The text without a value or table.
fn remove(text: &str, place: &[&str]) -> Result<String, ProjectError> {
    let mut text = text.to_owned();
    // Each turn takes one stretch away: a table may be written in several.
    while let Some(stretch) = stretch(&text, place)? {
        text.replace_range(stretch, "");
    }
    Ok(text)
}

/// The same where somebody may have written comments that would go with it: then it is refused.
fn remove_uncommented(text: &str, place: &[&str]) -> Result<String, ProjectError> {
    let without = remove(text, place)?;
    if text.matches('#').count() != without.matches('#').count() {
        return Err(refused("that table has comments, or a `#` in its values; change it by hand"));
    }
    Ok(without)
}

/// One stretch of the text that says a value or a part of a table.
fn stretch(text: &str, place: &[&str]) -> Result<Option<Range<usize>>, ProjectError> {
    let source = Source::read(text)?;
    let Some(value) = source.at(place) else { return Ok(None) };
    let Some((name, parents)) = place.split_last() else { return Ok(None) };
    let parent = if parents.is_empty() { Some(&source.root) } else { source.at(parents).and_then(table_of) };
    let Some(member) = parent.into_iter().flat_map(members).find(|member| member.name == *name) else {
        return Ok(None);
    };
    let inline = parents.iter().enumerate().any(|(index, _)| {
        source.at(&parents[..=index]).is_some_and(|table| matches!(form(text, table), Form::Inline(_)))
    });
    if inline {
        return Err(refused("the file writes that inside braces; take it away by hand"));
    }
    Ok(Some(match (table_of(value), form(text, value)) {
        (Some(_), Form::Header(header)) => {
            if let Some(inner) = inner_header(text, value) {
                return Ok(Some(inner));
            }
            let last = table_of(value).map(|table| direct_ends(text, table)).unwrap_or_default();
            lines(text, header.start..last.first().copied().unwrap_or(header.end).max(header.end))
        }
        (Some(table), Form::Implied) => {
            let inner = members(table).into_iter().next();
            let Some(inner) = inner else { return Ok(None) };
            let place: Vec<&str> = place.iter().copied().chain([inner.name]).collect();
            return stretch(text, &place);
        }
        _ => lines(text, member.at..value.span().end),
    }))
}

/// A table with a header of its own inside a table: it goes first.
fn inner_header(text: &str, value: &Value<'_>) -> Option<Range<usize>> {
    let inner = members(table_of(value)?).into_iter();
    let mut headed =
        inner.filter(|member| matches!(form(text, member.value), Form::Header(_)) && table_of(member.value).is_some());
    let member = headed.next()?;
    if let Some(deeper) = inner_header(text, member.value) {
        return Some(deeper);
    }
    let Form::Header(header) = form(text, member.value) else { return None };
    let last = table_of(member.value).map(|table| direct_ends(text, table)).unwrap_or_default();
    Some(lines(text, header.start..last.first().copied().unwrap_or(header.end).max(header.end)))
}

/// The whole lines that a stretch is on.
fn lines(text: &str, stretch: Range<usize>) -> Range<usize> {
    let start = text[..stretch.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = line_end(text, stretch.end);
    start..(end + 1).min(text.len())
}

/// Where the line that a place is on ends.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline)
}
