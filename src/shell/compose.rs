//! What writing articles and mails needs of this machine: the editor, the folder of drafts and what is left in it, the signature,
//! chance for the names of articles, whether somebody takes mails.

use super::place;
use crate::app::{Choices, is_service};
use crate::config::Settings;
use crate::url::{Url, scheme};
use ring::rand::{SecureRandom, SystemRandom};
use std::io::Read;
use std::path::Path;

/// Octets of a signature; custom wants four lines.
const SIGNATURE: u64 = 4096;

/// Drafts that are counted; nobody wants to know whether there are more.
const COUNTED: usize = 1000;

/// Adds it to what the browser is told.
pub(super) fn prepare(choices: &mut Choices, settings: &Settings) {
    if let Some(folders) = directories::ProjectDirs::from("", "", "wayfarer") {
        choices.drafts = folders.data_dir().join("drafts").display().to_string();
    }
    if choices.editor.is_empty() {
        choices.editor = editor();
    }
    choices.signature = signature(&settings.news.posting.signature);
    choices.seed = seed();
    choices.missing = missing(settings);
    choices.unfinished = unfinished(Path::new(&choices.drafts));
    choices.takes_mail =
        settings.handlers.get("sendmail").and_then(|program| program.first()).is_some_and(|program| is_there(program));
}

/// Programs of the settings for telnet and its kin that are not on this machine.
pub(super) fn missing(settings: &Settings) -> Vec<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = |program: &str| match program.contains('/') {
        true => is_there(program),
        false => std::env::split_paths(&path).any(|folder| folder.join(program).is_file()),
    };
    let services = scheme::all().filter(|name| Url::parse(format!("{name}://h/")).is_ok_and(|url| is_service(&url)));
    let programs = services.filter_map(|name| settings.handler(name)?.first());
    programs.filter(|program| !found(program)).cloned().collect()
}

/// As hexadecimal digits; none where the system gives none.
fn seed() -> String {
    let mut chance = [0; 16];
    match SystemRandom::new().fill(&mut chance) {
        Ok(()) => chance.iter().map(|octet| format!("{octet:02x}")).collect(),
        Err(_) => String::new(),
    }
}

/// How many drafts there are in a folder.
fn unfinished(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.take(COUNTED).filter(|entry| entry.path().extension().is_some_and(|end| end == "txt")).count()
}

/// Whether a program is there, as far as its path says; who names one without a path knows that it is.
fn is_there(program: &str) -> bool {
    !program.contains('/') || place::expand(program).is_file()
}

/// The environment's editor, its words parted by white space, but for a file's name that has some in it: no shell reads it.
fn editor() -> Vec<String> {
    let named = |name: &str| {
        let said = std::env::var(name).ok()?;
        let words: Vec<String> = match said.contains('/') && Path::new(&said).is_file() {
            true => vec![said],
            false => said.split_whitespace().map(Into::into).collect(),
        };
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
