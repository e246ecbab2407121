//! The browser: one state, one update function. Keys and events in, effects out; no clock, disk, socket or screen.

mod effect;
mod entry;
mod form;
mod message;
mod overlay;
mod prompt;
mod state;

pub use effect::{Effect, FetchId};
pub use entry::{Entry, Page, PageState};
pub use form::{FieldValue, FormField, FormState};
pub use message::{Msg, Transfer};
pub use overlay::{Choice, ListItem, ListKind, Overlay, Pending};
pub use prompt::{Prompt, PromptKind};
pub use state::{App, Download, DownloadState, Loading, Matches, Note, NoteKind, Screen, update};

/// A row.
pub struct Command {
    /// n
    pub name: &'static str,
    /// h
    pub help: &'static str,
}
/// rows
pub const COMMANDS: &[Command] = &[];
