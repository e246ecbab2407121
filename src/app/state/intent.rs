//! What a feature wants and may not do itself: to go somewhere, to have a failure explained, tabs. It says so, and the top floor
//! does it, in the tab in which it was wanted, when the feature has ended. Plain data, served in the order in which it came.

use crate::app::{Opening, Target};
use crate::doc::LinkId;
use crate::proto::FetchError;
use crate::url::Url;

/// Something to be done by those who know all features.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::app) enum Intent {
    /// To open a place.
    Open(Box<Opening>),
    /// To hand a place over to another program.
    HandOver(Box<Opening>),
    /// To show why a place could not be opened.
    Explain(Box<Opening>, Box<FetchError>),
    /// To follow a link of the page in view.
    Follow(LinkId),
    /// To fetch the page in view again.
    Reload,
    /// To fetch a page again behind the reader's back: what they were told stays to be read.
    Again(Url),
    /// To go to a place of history.
    Visit(usize),
    /// To be asked which program opens something.
    AskProgram(Target, Option<Url>),
    /// To run a program on a file that has arrived.
    Arrived(String, Vec<String>),
    /// Memory was taken: pages far from the reader's place may have to go.
    Trim,
    /// The tabs of an earlier run, by its number in the list.
    BringBack(usize),
    /// To go to the mark of this letter.
    GoMark(char),
    /// The keys that the reader chose anew.
    Rekey,
    /// To run the steps of a command one after the other, each when the one before is done.
    Steps(&'static str, Vec<String>),
    /// Places in new tabs.
    OpenTabs {
        /// Which, in order.
        urls: Vec<Url>,
        /// Whether the first of them comes to the front.
        front: bool,
    },
}
