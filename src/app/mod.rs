//! The browser: one state, one update function. Keys and events in, effects out; no clock, disk, socket or screen.
//!
//! Where things are: `opening` judges every URL before anything is sent, `arrival` takes what fetches say, `press` turns keys
//! into commands, `commands` is the table of all commands. `status` answers what the view wants to know.

mod anatomy;
mod arranging;
mod arrival;
mod asking;
mod choices;
mod commands;
mod composing;
mod copying;
mod editing;
mod effect;
pub mod elsewhere;
mod entry;
mod failure;
mod filling;
mod focus;
mod form;
mod harvest;
mod help;
mod inspect;
mod journey;
mod lists;
mod login;
mod memory;
mod message;
mod news;
mod opening;
mod outside;
mod overlay;
mod part;
mod piping;
mod pointing;
mod press;
mod prompt;
mod question;
mod reading;
mod readme;
mod related;
mod saving;
mod scroll;
mod searching;
mod state;
pub mod status;
mod suggest;
mod tab;
mod update;
mod web_form;

pub use arranging::{Arrangement, default_order};
pub use choices::{Choices, Mouse};
pub use commands::{COMMANDS, Command, names as command_names};
pub use effect::{Beginning, Destination, Effect, Existing, FetchId, Kept, SiteChoice};
pub use entry::{Entry, Hop, Page, PageState};
pub use form::{FieldValue, FormField, FormState};
pub use harvest::{DEPTH, DIRECTORIES, ENTRIES, Leaf, Tree};
pub use message::{Msg, Transfer};
pub use overlay::{Choice, ListItem, ListKind, Overlay, Pending};
pub use pointing::{Gesture, Spot};
pub use prompt::{Prompt, PromptKind};
pub use saving::{Download, DownloadState, Pace};
pub use state::{App, Loading, Matches, Note, NoteKind, Screen};
pub use tab::Tab;
pub use update::update;
pub use web_form::{Filled, Sent, Uploading, describe as describe_field};
