//! What the reader may change while browsing.

use crate::config::{MarkStyle, Settings};
use crate::doc::{Marks, Wrap};
use crate::url::Url;

/// Who has the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// The browser: wheel, links, fields, the status bar, a scrollbar.
    On,
    /// The terminal: it selects text.
    Off,
}

/// What the reader chose. Starts from the settings; commands change it for the session.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// Whether long lines wrap.
    pub wrap: Wrap,
    /// How markers are written.
    pub marks: Marks,
    /// Who has the mouse.
    pub mouse: Mouse,
    /// The application's default base (`--base`).
    pub base: Option<Url>,
    /// The reader's home folder, for `~/…` at the address prompt. The shell knows it.
    pub home_folder: Option<String>,
    /// Where bodies for outside programs go, without a slash at its end. The shell knows it.
    pub scratch: String,
    /// Where drafts are kept, without a slash at its end. The shell knows it.
    pub drafts: String,
    /// The program that texts are written with, and its arguments. The shell knows it where the settings name none.
    pub editor: Vec<String>,
    /// The reader's signature. The shell knows it.
    pub signature: String,
    /// Whether nothing is written and no program started (`--safe`). The shell sees to it; here it is so that nothing is asked in
    /// vain.
    pub safe: bool,
    /// Whether tabs are kept for the next time. The shell knows it.
    pub keeps_session: bool,
    /// Whether the reader can bring the tabs of this run back the next time, where they do not come back by themselves. The
    /// shell knows it.
    pub keeps_last: bool,
    /// Whether other running copies may add to the history. The shell knows it.
    pub shares_history: bool,
}

impl Choices {
    /// The reader's editor on a file; vi where nobody named one.
    pub fn editor_on(&self, path: String) -> Vec<String> {
        let program = if self.editor.is_empty() { vec!["vi".into()] } else { self.editor.clone() };
        program.into_iter().chain([path]).collect()
    }

    /// What the settings say.
    pub fn of(settings: &Settings) -> Choices {
        let marks = match settings.marks {
            MarkStyle::Words => Marks::Words,
            MarkStyle::Glyphs => Marks::Glyphs,
        };
        let wrap = if settings.wrap { Wrap::On } else { Wrap::Off };
        let mouse = if settings.mouse { Mouse::On } else { Mouse::Off };
        let (scratch, drafts) = (format!("{}/outside", settings.downloads), format!("{}/drafts", settings.downloads));
        let (editor, signature) = (settings.editor.clone(), String::new());
        let (base, home_folder, safe) = (None, None, false);
        let (keeps_session, keeps_last, shares_history) = (false, false, false);
        Choices {
            wrap,
            marks,
            mouse,
            base,
            home_folder,
            scratch,
            drafts,
            editor,
            signature,
            safe,
            keeps_session,
            keeps_last,
            shares_history,
        }
    }
}
