//! The browser: one state, one update function. Keys and events in, effects out; no clock, disk, socket or screen.
//!
//! Its rooms stand in floors, the lowest first; each knows those below it (the rows `app::…` of the crate's table):
//! numbers and pages; the reader's hands, messages, tabs; what there is, as features see it (`state`); the features side by
//! side; going from place to place (`navigation`). What stands here and in no room is the top floor, which alone knows all
//! features: `update`, `commands`, `keyboard`, `answers`, `errands`, `intents`.

mod again;
mod ahead;
mod answers;
mod background;
mod browser;
mod commands;
mod completion;
mod counts;
mod errands;
mod forms;
mod handed;
mod hands;
mod help;
mod help_rows;
mod ids;
mod intents;
mod internal;
mod keyboard;
mod leaving;
mod letter;
mod letters;
mod look;
mod marks;
mod memory;
mod message;
mod motion;
mod mouse;
mod names;
mod navigation;
mod news;
mod page;
mod sequence;
mod serving;
mod session;
mod split;
mod startup;
mod state;
mod tab;
mod tabs;
mod tour;
mod transfer;
mod update;

pub use crate::work::ListItem;
pub use again::REPEATED;
pub use browser::App;
pub use commands::{COMMANDS, Command, names as command_names};
pub use counts::{COUNTED, Counted};
pub use forms::web::{describe as describe_field, holds as field_holds};
pub use hands::form::{FieldValue, Form, FormField, FormId, FormOwner, Wants};
pub use hands::overlay::{Choice, ListKind, Narrowed, Overlay, Pending, TextOwner};
pub use hands::prompt::{Completion, FieldPlace, LONGEST_WORDS, Meaning, Prompt, PromptKind, Purpose, Takes, Text};
pub use hands::{Hands, Note, NoteKind, RowAct, TextRows};
pub use ids::{DownloadId, JobId, PageId, TabId};
pub use internal::schemes::{schemes_page, unopened_page};
pub use letter::Letter;
pub use look::glossary::meaning as meaning_of;
pub use look::illustration::may_be_picture;
pub use look::status;
pub use message::{
    Beginning, Choices, Compared, Destination, Effect, Existing, Expected, Gesture, Gone, Kept, KeptDownload, KeptMark,
    KeptPlace, KeptTab, Known, LastTabs, Links, ListSignature, ListedFile, Manner, Mouse, Msg, NotWritten, Parting,
    Preparation, Remembered, Session, SiteChoice, Spot, Standing, There, Transfer, Verified,
};
pub use motion::arrangement::default_order;
pub use navigation::arrival::KEEP;
pub use navigation::gateway;
pub use navigation::programs::not_installed;
pub use navigation::service::{Machine, is_service, service_page};
pub use page::redirect;
pub use page::veil::Veil;
pub use page::{
    Aim, Among, Arrangement, Consent, Entry, FieldMark, Filled, Hop, Illustrations, KeptAnswers, KeptField, KeptValue,
    Label, Linking, Listed, Loading, Marked, Matches, Opening, Outgoing, Page, PageState, Pictured, Place, Scope,
    Sending, Sent, Submitted, Target, Uploading, Way,
};
pub use serving::means;
pub use state::desk::is_tour;
pub use state::{
    Desk, Download, DownloadState, Leaf, Library, Pace, Pane, Placed, Screen, Sight, Split, Transfers, Tree,
};
pub use tab::{Tab, TabState};
pub use tabs::Tabs;
pub use transfer::recursive::{DEPTH, DIRECTORIES, ENTRIES};
pub use transfer::{UNFINISHED, is_unfinished};
pub(crate) use transfer::{may_be_file, name_octets};
pub use update::update;

pub use crate::work::Origin;
