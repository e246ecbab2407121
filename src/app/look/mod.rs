//! Looking at where the reader is: the anatomy of an address, resolution as it is typed, the status bar's words, and the same told; a page's
//! source in the editor, pictures closer by.

pub(super) mod anatomy;
pub(super) mod editor;
pub mod glossary;
pub(super) mod illustration;
pub(super) mod picture;
pub(super) mod place;
pub(super) mod playground;
pub(super) mod related;
pub mod status;
