//! Places and pages: where the reader is, how they came, what is shown there, and what is on its way to be opened.
//!
//! Refuses to fetch, to ask and to scroll: these are values, with what can be said of them alone.

pub(super) mod address;
pub(super) mod answer;
pub(super) mod arrangement;
pub(super) mod entry;
pub(super) mod fields;
pub(super) mod folds;
pub(super) mod illustration;
mod listed;
mod marked;
pub(super) mod matches;
pub(super) mod opening;
pub(super) mod outgoing;
pub(super) mod pictured;
pub mod redirect;
mod scope;
pub(super) mod veil;

pub use answer::{FieldMark, KeptField, KeptValue};
pub use arrangement::Arrangement;
pub(super) use arrangement::Readme;
pub use entry::{Among, Entry, Hop, Label, Linking, Page, PageState, Place};
pub(super) use fields::Sender;
pub use fields::{Filled, KeptAnswers, Sending, Sent, Submitted, Uploading};
pub(super) use folds::Folding;
pub use illustration::Illustrations;
pub use listed::Listed;
pub use marked::Marked;
pub use matches::Matches;
pub(super) use matches::{OngoingLinkSearch, OngoingSearch};
pub use opening::{Aim, Consent, Loading, Opening, Target, Way};
pub use outgoing::Outgoing;
pub use pictured::Pictured;
pub use scope::Scope;
