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
    /// Whether small and capital letters are the same in names of files where downloads go. The shell knows it.
    pub folds_case: bool,
    /// Where bodies for outside programs go, without a slash at its end. The shell knows it.
    pub scratch: String,
    /// Where drafts are kept, without a slash at its end. The shell knows it.
    pub drafts: String,
    /// The program that texts are written with, and its arguments. The shell knows it where the settings name none.
    pub editor: Vec<String>,
    /// The reader's signature. The shell knows it.
    pub signature: String,
    /// Chance of this run, for names that nobody else gives; empty where there is none. The shell knows it.
    pub seed: String,
    /// How many drafts are kept from earlier. The shell knows it.
    pub unfinished: usize,
    /// Whether the program that takes mails is there (`handlers.sendmail`). The shell knows it.
    pub takes_mail: bool,
    /// Programs of the settings for telnet and its kin that are not installed. The shell knows it.
    pub missing: Vec<String>,
    /// Whether nothing is written and no program started (`--safe`). The shell sees to it; here it is so that nothing is asked in
    /// vain.
    pub safe: bool,
    /// Whether only the copies that were kept of pages are shown, and nobody is asked.
    pub offline: bool,
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
        let (editor, signature, seed) = (settings.editor.clone(), String::new(), String::new());
        let (unfinished, takes_mail, missing) = (0, false, Vec::new());
        let (base, home_folder, safe, offline) = (None, None, false, false);
        let (keeps_session, keeps_last, shares_history, folds_case) = (false, false, false, false);
        Choices {
            wrap,
            marks,
            mouse,
            base,
            home_folder,
            folds_case,
            scratch,
            drafts,
            editor,
            signature,
            seed,
            unfinished,
            takes_mail,
            missing,
            safe,
            offline,
            keeps_session,
            keeps_last,
            shares_history,
        }
    }
}
