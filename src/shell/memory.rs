//! What is kept from one run to the next, in plain text files, one line each: words typed at prompts, charsets and orders
//! by host, visits to news servers.

use crate::app::{PromptKind, SiteChoice};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Prompts whose words are kept, by the names under which the file has them.
const PROMPTS: &[(PromptKind, &str)] = &[
    (PromptKind::Open, "open"),
    (PromptKind::Find, "find"),
    (PromptKind::FindLink, "find-link"),
    (PromptKind::Search, "search"),
    (PromptKind::Command, "command"),
];

/// Lines that are kept when a file is read; older ones go.
const KEPT: usize = 500;

/// The folder of these files; `None` when nothing may be written.
pub(super) struct Memory {
    folder: Option<PathBuf>,
}

impl Memory {
    /// The reader's state folder.
    pub(super) fn new(safe: bool) -> Memory {
        let folders = directories::ProjectDirs::from("", "", "wayfarer").filter(|_| !safe);
        Memory { folder: folders.map(|folders| folders.state_dir().unwrap_or(folders.data_dir()).to_path_buf()) }
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether the reader has never been here. From now on they have.
    pub(super) fn greets(&self) -> bool {
        let new = self.folder.as_ref().filter(|folder| !folder.exists());
        // A folder that cannot be made is told of when something is to be kept.
        new.is_some_and(|folder| fs::create_dir_all(folder).is_ok())
    }

    /// The words by prompt, the oldest first. Lines that cannot be read cost only themselves.
    pub(super) fn words(&self) -> BTreeMap<PromptKind, Vec<String>> {
        let mut words: BTreeMap<PromptKind, Vec<String>> = BTreeMap::new();
        for (name, typed) in self.pairs("words") {
            let Some((prompt, _)) = PROMPTS.iter().find(|(_, known)| *known == name) else { continue };
            let kept = words.entry(*prompt).or_default();
            kept.retain(|earlier| *earlier != typed);
            kept.push(typed);
        }
        words
    }

    /// Keeps words.
    pub(super) fn remember(&self, prompt: PromptKind, words: &str) -> io::Result<()> {
        let named = PROMPTS.iter().find(|(kind, _)| *kind == prompt);
        named.map_or(Ok(()), |(_, name)| self.append("words", name, words))
    }

    /// The charsets chosen for hosts; a later line of a host replaces its earlier ones.
    pub(super) fn charsets(&self) -> BTreeMap<String, String> {
        self.pairs("charsets").into_iter().collect()
    }

    /// The orders chosen for hosts' directories, likewise.
    pub(super) fn orders(&self) -> BTreeMap<String, String> {
        self.pairs("orders").into_iter().collect()
    }

    /// When the groups of news servers were listed, likewise.
    pub(super) fn visits(&self) -> BTreeMap<String, Timestamp> {
        let time = |(server, time): (String, String)| Some((server, time.parse().ok()?));
        self.pairs("visits").into_iter().filter_map(time).collect()
    }

    /// Keeps what was chosen for a host.
    pub(super) fn remember_site(&self, host: &str, choice: &SiteChoice) -> io::Result<()> {
        match choice {
            SiteChoice::Charset(name) => self.append("charsets", host, name),
            SiteChoice::Order(words) => self.append("orders", host, words),
            SiteChoice::Visit(time) => self.append("visits", host, &time.to_string()),
            // Newsrc files and the cookie jar have keepers of their own; trust ends with the program.
            SiteChoice::News { .. } | SiteChoice::Cookies(_) | SiteChoice::Trust(_) => Ok(()),
        }
    }

    fn pairs(&self, file: &str) -> Vec<(String, String)> {
        let Some(file) = self.folder.as_ref().map(|folder| folder.join(file)) else { return Vec::new() };
        let Ok(octets) = fs::read(&file) else { return Vec::new() };
        let text = String::from_utf8_lossy(&octets);
        let lines: Vec<&str> = text.lines().collect();
        let recent = &lines[lines.len().saturating_sub(KEPT)..];
        if recent.len() * 2 < lines.len() {
            let fresh = file.with_extension("new");
            // A file that stays long is no harm.
            let _ = fs::write(&fresh, recent.join("\n") + "\n").and_then(|()| fs::rename(&fresh, &file));
        }
        recent.iter().filter_map(|line| line.split_once('\t')).map(|(a, b)| (a.into(), b.into())).collect()
    }

    /// One write at the file's end, so that two running copies do not hurt each other.
    fn append(&self, file: &str, name: &str, value: &str) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        fs::create_dir_all(folder)?;
        let line = format!("{name}\t{}\n", value.replace(['\n', '\r', '\t'], " "));
        fs::OpenOptions::new().create(true).append(true).open(folder.join(file))?.write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_stays_short() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory { folder: Some(folder.path().join("state")) };
        assert!(memory.greets());
        assert!(!memory.greets());
        for i in 0..KEPT * 3 {
            memory.remember(PromptKind::Open, &format!("gopher://h/{i}")).unwrap();
        }
        memory.remember(PromptKind::Open, "two\nlines").unwrap();
        memory.remember(PromptKind::Hint, "as").unwrap();
        fs::OpenOptions::new()
            .append(true)
            .open(folder.path().join("state/words"))
            .unwrap()
            .write_all(b"\xFF\n")
            .unwrap();
        let words = memory.words();
        assert_eq!(words.keys().collect::<Vec<_>>(), [&PromptKind::Open], "hints are not kept");
        assert_eq!(words[&PromptKind::Open].last().unwrap(), "two lines");
        assert_eq!(fs::read(folder.path().join("state/words")).unwrap().split(|b| *b == b'\n').count(), KEPT + 1);
        for choice in ["cp437", "utf-8"] {
            memory.remember_site("h", &SiteChoice::Charset(choice.into())).unwrap();
        }
        memory.remember_site("", &SiteChoice::Order("size reverse".into())).unwrap();
        assert_eq!(memory.orders().get("").map(String::as_str), Some("size reverse"), "files have no host");
        assert_eq!(memory.charsets().get("h").map(String::as_str), Some("utf-8"));
    }
}
