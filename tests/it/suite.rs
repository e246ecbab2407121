//! What all tests keep to, so that they say the same on every machine and at every run.

use std::fs;
use std::path::{Path, PathBuf};

/// Every source of a test but this one, with its name.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (mut folders, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (inner, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        let sources = files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
        let named = sources.map(|path| (path.strip_prefix(&root).unwrap().display().to_string(), path));
        found.extend(named.map(|(name, path)| (name, fs::read_to_string(path).unwrap())));
    }
    found.retain(|(name, _)| name != "it/suite.rs");
    assert!(found.len() > 100, "{}", found.len());
    found
}

/// The files for which something is wrong.
fn wrong(is: impl Fn(&str) -> bool) -> Vec<String> {
    sources().into_iter().filter(|(_, text)| is(text)).map(|(name, _)| name).collect()
}

#[test]
fn nothing_sleeps() {
    assert_eq!(wrong(|text| text.contains("thread::sleep") || text.contains("time::sleep")), [""; 0]);
}

#[test]
fn the_program_never_gets_the_environment_of_the_tests() {
    let starts = ["CARGO_BIN_EXE_wayfarer", "Command::new(PROGRAM", "Command::new(crate::terminal::PROGRAM"];
    let does = |text: &str| starts.iter().any(|start| text.contains(start));
    assert_eq!(wrong(|text| does(text) && !text.contains("env_clear()")), [""; 0]);
}

#[test]
fn nothing_is_drawn_but_from_the_one_seed() {
    let elsewhere = ["ProptestConfig", "TestRunner::default", "thread_rng", "rand::"];
    assert_eq!(wrong(|text| elsewhere.iter().any(|word| text.contains(word))), [""; 0]);
    let bare = |text: &str| text.matches("proptest!").count() != text.matches("search(").count();
    assert_eq!(wrong(|text| text.contains("use crate::random::search") && bare(text)), [""; 0]);
    assert_eq!(wrong(|text| text.contains("proptest!") && !text.contains("use crate::random::search")), [""; 0]);
}
