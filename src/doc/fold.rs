//! `Fold`: blocks that can be put out of sight. What is shown instead of them is in `arranged`.

use super::LinkId;

/// Blocks that can be put out of sight, and the line that stands for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// What they are.
    pub kind: FoldKind,
    /// The link in the line above them; following it opens or closes the fold. Its reference is empty.
    pub head: LinkId,
    /// The first block.
    pub first: u32,
    /// The block past the last one; the largest number as long as the fold has no end.
    pub end: u32,
    /// Whether they are in sight before the reader says anything.
    pub open: bool,
}

/// What the blocks of a fold are. The reader may open and close all folds of a kind at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FoldKind {
    /// What a server says besides the content (a welcome, a word on the directory).
    Notice,
    /// The header fields of a message that are rarely wanted.
    Headers,
    /// The articles that a message follows, but for the nearest.
    Thread,
    /// Quoted text.
    Quote,
    /// So little of it that its head would only be in the way: that is in sight as long as the fold is closed.
    ShortQuote,
    /// Quoted text that stands above on the same page: closed until somebody asks.
    Repeated,
    /// A signature.
    Signature,
    /// What an author folded (HTML `<details>`).
    Details,
    /// What stands around the content of a page. The fold has no line as long as it is open; its head is the first link
    /// within it.
    Aside(Aside),
}

impl FoldKind {
    /// Whether it is quoted text.
    pub fn is_quote(self) -> bool {
        matches!(self, FoldKind::Quote | FoldKind::ShortQuote | FoldKind::Repeated)
    }

    /// Whether it stands around the content of a page.
    pub fn is_aside(self) -> bool {
        matches!(self, FoldKind::Aside(_))
    }
}

/// What stands around the content of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aside {
    /// Links about the site.
    Navigation,
    /// The head of the site.
    Header,
    /// The foot of the site.
    Footer,
    /// What is beside the point.
    Beside,
    /// What searches the site.
    Search,
}

impl Aside {
    /// What it is, in a word.
    pub fn word(self) -> &'static str {
        match self {
            Aside::Navigation => "navigation",
            Aside::Header => "header",
            Aside::Footer => "footer",
            Aside::Beside => "aside",
            Aside::Search => "search",
        }
    }
}
