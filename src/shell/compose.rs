//! What writing articles and mails needs of this machine: the editor, the folder of drafts, the signature.

use super::place;
use crate::app::Choices;
use crate::config::Settings;
use std::io::Read;

/// Octets of a signature; custom wants four lines.
const SIGNATURE: u64 = 4096;

/// Adds it to what the browser is told.
pub(super) fn prepare(choices: &mut Choices, settings: &Settings) {
    if let Some(folders) = directories::ProjectDirs::from("", "", "wayfarer") {
        choices.drafts = folders.data_dir().join("drafts").display().to_string();
    }
    if choices.editor.is_empty() {
        choices.editor = editor();
    }
    choices.signature = signature(&settings.news.posting.signature);
}

/// The environment's editor, its words parted by white space: no shell reads it.
fn editor() -> Vec<String> {
    let named = |name: &str| {
        let words: Vec<String> = std::env::var(name).ok()?.split_whitespace().map(Into::into).collect();
        Some(words).filter(|words| !words.is_empty())
    };
    named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| vec!["vi".into()])
}

/// A file that is not there is no signature.
fn signature(path: &str) -> String {
    let mut text = Vec::new();
    if path.is_empty() {
        return String::new();
    }
    // A fifo would never end.
    let file = place::expand(path);
    let file =
        std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file).and_then(|_| std::fs::File::open(file).ok());
    let read = file.map(|file| file.take(SIGNATURE).read_to_end(&mut text));
    if matches!(read, Some(Ok(_))) { String::from_utf8_lossy(&text).into_owned() } else { String::new() }
}
