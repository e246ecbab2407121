//! What the browser asks the shell to do.

use crate::proto::{Request, Verdict};

/// A fetch's number; never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FetchId(pub u64);

/// An act that update itself may not do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Start a fetch; its events come back with the id.
    Fetch {
        /// Its number.
        id: FetchId,
        /// What.
        request: Request,
    },
    /// Answer a head.
    Verdict {
        /// Which fetch.
        id: FetchId,
        /// The answer.
        verdict: Verdict,
    },
    /// Answer a head: accept, and write the body to this file (never over an existing one unless `replace`).
    Save {
        /// Which fetch.
        id: FetchId,
        /// The path, `~` allowed at its beginning.
        path: String,
        /// The reader agreed to replace an existing file.
        replace: bool,
    },
    /// Stop a fetch; nothing more comes from it.
    Cancel(FetchId),
    /// Write text to a file (the page as text, its source); same rules as `Save`.
    Write {
        /// The path, `~` allowed at its beginning.
        path: String,
        /// The content.
        content: Vec<u8>,
        /// The reader agreed to replace an existing file.
        replace: bool,
    },
    /// Read a short file that the reader named (`~` allowed at its beginning); its content comes back as `Msg::Read`. Of a
    /// folder the names of its files come, each a line, the one changed last first.
    Read(String),
    /// Remove a file that was written for the reader and has served.
    Remove(String),
    /// Put text on the clipboard (OSC 52).
    Copy(String),
    /// Run a program with an argument vector; the terminal is its own until it ends.
    Run(Vec<String>),
    /// Send `Msg::Slice` when nothing else is waiting.
    Slice,
    /// Keep words typed at prompts for the next time (never passwords).
    Remember {
        /// Which prompt's history.
        prompt: super::PromptKind,
        /// The words.
        words: String,
    },
    /// Keep the charset chosen for a host for the next time.
    RememberCharset {
        /// The host, lower case.
        host: String,
        /// The charset's name.
        charset: String,
    },
    /// Clear and draw everything again.
    Redraw,
    /// Suspend the program (C-z).
    Suspend,
    /// End.
    Quit,
}
