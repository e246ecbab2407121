//! What is kept from one run to the next: words typed at prompts, one line each, in a plain text file.

use crate::app::PromptKind;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Prompts whose words are kept, by the names under which the file has them.
const PROMPTS: &[(PromptKind, &str)] = &[
    (PromptKind::Open, "open"),
    (PromptKind::Find, "find"),
    (PromptKind::FindLink, "find-link"),
    (PromptKind::Search, "search"),
    (PromptKind::Command, "command"),
    (PromptKind::Save, "save"),
    (PromptKind::Program, "program"),
];

/// Lines that are kept when the file is read; older ones go.
const KEPT: usize = 500;

/// The file; `None` when nothing may be written.
pub(super) struct Memory {
    file: Option<PathBuf>,
}

impl Memory {
    /// The file in the reader's state folder.
    pub(super) fn new(safe: bool) -> Memory {
        let folders = directories::ProjectDirs::from("", "", "wayfarer").filter(|_| !safe);
        let file = folders.map(|folders| folders.state_dir().unwrap_or(folders.data_dir()).join("words"));
        Memory { file }
    }

    /// Whether the reader has never typed anything here.
    pub(super) fn is_first(&self) -> bool {
        self.file.as_ref().is_some_and(|file| !file.exists())
    }

    /// The words by prompt, the oldest first. Lines that cannot be read cost only themselves.
    pub(super) fn words(&self) -> BTreeMap<PromptKind, Vec<String>> {
        let mut words: BTreeMap<PromptKind, Vec<String>> = BTreeMap::new();
        let Some(octets) = self.file.as_ref().and_then(|file| fs::read(file).ok()) else { return words };
        let text = String::from_utf8_lossy(&octets);
        let lines: Vec<&str> = text.lines().collect();
        let recent = &lines[lines.len().saturating_sub(KEPT)..];
        if recent.len() * 2 < lines.len() {
            self.rewrite(recent);
        }
        for line in recent {
            let Some((name, typed)) = line.split_once('\t') else { continue };
            let Some((prompt, _)) = PROMPTS.iter().find(|(_, known)| *known == name) else { continue };
            let kept = words.entry(*prompt).or_default();
            kept.retain(|earlier| earlier != typed);
            kept.push(typed.into());
        }
        words
    }

    /// Keeps words; one write at the file's end, so that two running copies do not hurt each other.
    pub(super) fn remember(&self, prompt: PromptKind, words: &str) -> std::io::Result<()> {
        let Some((_, name)) = PROMPTS.iter().find(|(kind, _)| *kind == prompt) else { return Ok(()) };
        let Some(file) = &self.file else { return Ok(()) };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let line = format!("{name}\t{}\n", words.replace(['\n', '\r'], " "));
        fs::OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
    }

    fn rewrite(&self, lines: &[&str]) {
        let Some(file) = &self.file else { return };
        let fresh = file.with_extension("new");
        // A file that stays long is no harm.
        let _ = fs::write(&fresh, lines.join("\n") + "\n").and_then(|()| fs::rename(&fresh, file));
    }
}
