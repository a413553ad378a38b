//! Captured conversations between real peers, imported and served.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use midwire::engine::jsonl;
use midwire::engine::serve::recording;
use midwire::recorded::Session;

use super::recorded::{replayed, told};
use super::{crossed, turned};

/// The captures of a folder, in order.
pub fn captures(folder: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<_> = list.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    files
}

/// One of them, imported and read.
pub fn session(capture: &Path) -> Result<Session, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.midwire");
    let file = std::fs::File::open(capture).expect("the capture can be read");
    jsonl::import(&mut BufReader::new(file), &path, "captured").expect("it can be imported");
    recording::read(&path)
}

#[test]
#[ignore = "needs a folder of captures, named by MIDWIRE_CAPTURES"]
fn a_whole_corpus_is_served() {
    let folder = std::env::var("MIDWIRE_CAPTURES").expect("MIDWIRE_CAPTURES names a folder of captures");
    let tell = std::env::var_os("MIDWIRE_TELL").is_some();
    let only = std::env::var("MIDWIRE_ONLY").unwrap_or_default();
    for capture in captures(Path::new(&folder)) {
        let name = capture.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        match session(&capture) {
            Ok(session) => {
                let (differences, notes) = replayed(&session);
                let calls = session.calls.len();
                println!("== {name}: {calls} calls, {} differences {:?}", differences.len(), session.warnings);
                let crossed = crossed::crossed(&session);
                let words = crossed.said.len();
                println!("  in the other era: {} the same, {words} said to have no meaning", crossed.same);
                crossed.wrong.iter().for_each(|wrong| println!("  in the other era: {wrong}"));
                if tell {
                    crossed.said.iter().for_each(|said| println!("  no meaning: {said}"));
                }
                for wrong in turned::differences(&session) {
                    println!("  as a mock file: {wrong}");
                }
                differences.iter().for_each(|it| println!("  {} {}: {}", it.seq, it.method, it.what));
                if tell {
                    println!("{}{notes:#?}", told(&session));
                }
            }
            Err(why) => println!("== {name}: {why}"),
        }
    }
}
