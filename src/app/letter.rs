//! A draft of an article or a mail, on its way from its file through the editor to the server. It travels with whoever has it:
//! the errand, the last look, the login. Its file is written first and removed last.

use crate::news::Draft;

/// A draft at hand.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Letter {
    /// Its file.
    pub(super) path: String,
    /// As it was before the reader wrote anything; empty for one that was taken up again.
    pub(super) fresh: Vec<u8>,
    /// As the editor left it.
    pub(super) draft: Draft,
    /// What its file is to hold before it goes, where that is more than it holds: its id, so that no try makes another article.
    pub(super) unkept: Option<Vec<u8>>,
    /// What the reader is to know of where it goes.
    pub(super) note: String,
    /// It needs no editor.
    pub(super) complete: bool,
    /// The reader was asked whether it is to go all the same.
    pub(super) agreed: bool,
}
