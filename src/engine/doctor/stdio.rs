//! A server on stdio: whether its command is there, starts, keeps its stdout clean, agrees on a revision, and ends
//! when its input does.

use std::time::Duration;

use super::session::{self, Heard};
use super::{Chart, Fault, Verdict, anatomy, ending};
use crate::engine::client::{Options, Way};
use crate::engine::record::Say;

/// How long a server is listened to once it is open: some say more on stdout only then.
const LISTEN: Duration = Duration::from_millis(300);
/// From so many lines on stderr is worth mentioning for itself.
const LOUD: u64 = 40;

/// Looks at it.
pub(super) fn examine(options: Options, chart: &mut Chart<'_>, say: Say) {
    const LATER: [&str; 6] = ["starts", "stdout", "era", "version", "stderr", "end"];
    let Way::Command { command, .. } = &options.target.way else { return };
    match anatomy::of_command(command) {
        Ok(found) => chart.step("command", Verdict::Fine, found, ""),
        Err((why, remedy)) => {
            chart.step("command", Verdict::Failed(Fault::Start), why, remedy);
            return chart.skip(&LATER, "there is no command to run");
        }
    }
    let grace = options.grace;
    let mut opened = match session::open(options, say) {
        Ok(opened) => opened,
        Err(why) => {
            chart.step("starts", Verdict::Failed(Fault::Start), why, "");
            return chart.skip(&LATER[1..], "the server does not start");
        }
    };
    opened.hear(LISTEN, |told| told.over.is_some());
    let recording = opened.session.recording();
    let was_open = opened.told.over.is_none();
    let (told, took) = opened.close();
    let end = recording.as_deref().map(ending::of).unwrap_or_default();
    let refused = told.over.as_ref().filter(|why| end.pid.is_none() && why.contains("start the server"));
    if let Some(why) = refused {
        chart.step("starts", Verdict::Failed(Fault::Start), why.clone(), "");
        return chart.skip(&LATER[1..], "the server does not start");
    }
    let pid = end.pid.map_or_else(String::new, |pid| format!("process {pid}"));
    chart.aside("starts", Verdict::Fine, pid, "");
    stdout(&told, chart);
    told.chart(chart);
    stderr(&told, chart);
    if was_open {
        ends(&end, took, grace, chart);
    } else {
        let how = end.how.unwrap_or_else(|| "it closed its stdout".to_owned());
        let remedy = "run the command by hand and look at what it says on stderr";
        chart.aside("end", Verdict::Failed(Fault::Connection), format!("{how} before it was told to"), remedy);
    }
}

/// Whether stdout carries nothing but messages.
fn stdout(told: &Heard, chart: &mut Chart<'_>) {
    let Some((bytes, why)) = told.first_strays.first() else {
        return chart.aside("stdout", Verdict::Fine, "nothing but messages", "");
    };
    let text: String = String::from_utf8_lossy(bytes).trim_end().chars().take(120).collect();
    let detail = match told.strays {
        1 => format!("one line is no message: {text:?} ({why})"),
        lines => format!("{lines} lines are no messages, first {text:?} ({why})"),
    };
    let remedy = "on stdio, stdout is the protocol: let the server write such things to stderr";
    chart.aside("stdout", Verdict::Odd, detail, remedy);
}

fn stderr(told: &Heard, chart: &mut Chart<'_>) {
    let first = told.first_noise.first().map_or_else(String::new, |line| {
        let line: String = line.chars().take(120).collect();
        format!(", first {line:?}")
    });
    let (detail, remedy) = match told.noise {
        0 => ("silent".to_owned(), ""),
        1 => (format!("1 line{first}"), ""),
        lines if lines < LOUD => (format!("{lines} lines{first}"), ""),
        lines => (format!("{lines} lines{first}"), "hosts keep this in their logs; a quieter level may do"),
    };
    chart.aside("stderr", Verdict::Fine, detail, remedy);
}

/// Whether it ends at the end of its input.
fn ends(end: &ending::Ending, took: Duration, grace: Duration, chart: &mut Chart<'_>) {
    let how = end.how.clone().unwrap_or_else(|| "how is not known".to_owned());
    let left = match end.left {
        0 => String::new(),
        left => format!("; {left} processes were left behind and were ended"),
    };
    let seconds = took.as_secs_f64();
    let (verdict, detail, remedy) = if end.signals.is_empty() {
        let verdict = if end.left > 0 { Verdict::Odd } else { Verdict::Fine };
        (verdict, format!("{how}, {seconds:.1} s after its input ended{left}"), "")
    } else {
        let signals = end.signals.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
        let detail =
            format!("it ignored the end of its input for {} s; signal {signals} was needed{left}", grace.as_secs_f64());
        (Verdict::Odd, detail, "let the server exit when its stdin ends, or hosts leave it running")
    };
    chart.step("end", verdict, detail, remedy);
}
