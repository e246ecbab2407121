//! The browser: one state, one update function. Keys and events in, effects out; no clock, disk, socket or screen.
//!
//! Where things are: `opening` judges every URL before anything is sent, `arrival` takes what fetches say, `press` turns keys
//! into commands, `commands` is the table of all commands. `status` answers what the view wants to know.

mod anatomy;
mod arrival;
mod asking;
mod choices;
mod commands;
mod composing;
mod composing_page;
mod effect;
pub mod elsewhere;
mod entry;
mod failure;
mod filling;
mod focus;
mod form;
mod help;
mod inspect;
mod journey;
mod lists;
mod login;
mod memory;
mod message;
mod opening;
mod outside;
mod overlay;
mod press;
mod prompt;
mod question;
mod reading;
mod saving;
mod scroll;
mod searching;
mod state;
pub mod status;
mod suggest;
mod update;

pub use choices::Choices;
pub use commands::{COMMANDS, Command, names as command_names};
pub use effect::{Effect, FetchId};
pub use entry::{Entry, Page, PageState};
pub use form::{FieldValue, FormField, FormState};
pub use message::{Msg, Transfer};
pub use overlay::{Choice, ListItem, ListKind, Overlay, Pending};
pub use prompt::{Prompt, PromptKind};
pub use state::{App, Download, DownloadState, Loading, Matches, Note, NoteKind, Screen};
pub use update::update;
