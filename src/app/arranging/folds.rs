//! What the reader opens and closes.

use crate::app::{App, Effect, Page, focus};
use crate::doc::{FoldKind, LinkId};

/// Which folds of messages the reader wants otherwise than they are written, from message to message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::app) struct Folding {
    /// Quoted text is out of sight.
    pub quotes_hidden: bool,
    /// All headers are in sight.
    pub headers_shown: bool,
}

impl Folding {
    /// Whether folds of a kind are to be open; `None` where the reader has no wish.
    fn opens(self, kind: FoldKind) -> Option<bool> {
        match kind {
            FoldKind::Quote => Some(!self.quotes_hidden),
            FoldKind::Headers => Some(self.headers_shown),
            FoldKind::Signature | FoldKind::Details | FoldKind::Notice => None,
        }
    }
}

impl Page {
    /// Opens and closes the folds that have come, and all of a kind whose wish has changed.
    pub(in crate::app) fn fold_by(&mut self, folding: Folding) {
        let (before, seen) = self.arrangement.folding;
        let folds = &self.builder.document().folds;
        if (before, seen) == (folding, folds.len()) {
            return;
        }
        self.arrangement.folding = (folding, folds.len());
        let mut changed = false;
        for (number, fold) in folds.iter().enumerate() {
            let Some(opens) = folding.opens(fold.kind) else { continue };
            if number >= seen || before.opens(fold.kind) != Some(opens) {
                let number = number as u32;
                let toggled = &mut self.arrangement.toggled;
                changed |= if fold.open == opens { toggled.remove(&number) } else { toggled.insert(number) };
            }
        }
        // what comes is folded as it is appended
        if changed && (seen == 0 || self.arrangement.shown.is_none() || before != folding) {
            self.arrangement.anew();
        }
    }

    /// The number of the fold whose head is a shown link.
    fn fold(&self, link: LinkId) -> Option<u32> {
        let shown = self.arrangement.shown.as_ref();
        self.fold_of(shown.map_or(Some(link), |shown| shown.given_link(link))?)
    }

    fn fold_of(&self, head: LinkId) -> Option<u32> {
        self.given().folds.iter().position(|fold| fold.head == head).map(|number| number as u32)
    }

    fn toggle(&mut self, fold: u32) {
        if !self.arrangement.toggled.remove(&fold) {
            self.arrangement.toggled.insert(fold);
        }
        self.arrangement.anew();
    }

    /// Whether following a shown link opens or closes a fold.
    pub fn is_fold(&self, link: LinkId) -> bool {
        self.fold(link).is_some()
    }
}

/// Opens or closes the fold of a head; false when the link is none.
pub(in crate::app) fn toggle(app: &mut App, link: LinkId) -> bool {
    let Some(page) = app.page_mut() else { return false };
    let Some(number) = page.fold(link) else { return false };
    page.toggle(number);
    true
}

/// The same for a head by its number in the document as it was written.
pub(in crate::app) fn toggle_given(app: &mut App, head: LinkId) {
    if let Some(page) = app.page_mut()
        && let Some(number) = page.fold_of(head)
    {
        page.toggle(number);
    }
}

/// All header fields of a message, or only the chosen ones, and so of the messages after it. What is opened is brought on
/// the screen.
pub(in crate::app) fn headers(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(page) = app.page_mut() else { return Vec::new() };
    let folds = (0..).zip(page.given().folds.iter()).filter(|(_, fold)| fold.kind == FoldKind::Headers);
    let folds: Vec<(u32, bool, LinkId)> = folds.map(|(number, fold)| (number, fold.open, fold.head)).collect();
    let Some((first, written, head)) = folds.first().copied() else {
        app.say("only messages have headers");
        return Vec::new();
    };
    let opens = written == page.arrangement.toggled.contains(&first);
    for (number, written, _) in folds {
        if (written != page.arrangement.toggled.contains(&number)) != opens {
            page.toggle(number);
        }
    }
    page.arrangement.folding.0.headers_shown = opens;
    let focus = opens && page.arrangement.shown.is_none();
    app.folding.headers_shown = opens;
    if focus {
        focus::go_to(app, head);
    }
    Vec::new()
}

/// `folds` opens all, or closes all when all are open; `folds open`, `folds close`.
pub(in crate::app) fn folds(app: &mut App, words: &str) -> Vec<Effect> {
    let Some(page) = app.page_mut() else { return Vec::new() };
    let folds: Vec<(u32, bool)> = (0..).zip(page.given().folds.iter().map(|fold| fold.open)).collect();
    let toggled = &page.arrangement.toggled;
    let open = |number: &u32, written: bool| written != toggled.contains(number);
    let opens = match words.trim() {
        "open" => true,
        "close" => false,
        "" => folds.iter().any(|(number, written)| !open(number, *written)),
        _ => {
            app.complain("folds open, folds close");
            return Vec::new();
        }
    };
    if folds.is_empty() {
        app.say("nothing is folded on this page");
        return Vec::new();
    }
    page.arrangement.toggled = folds.iter().filter(|(_, open)| *open != opens).map(|(number, _)| *number).collect();
    page.arrangement.anew();
    app.say(if opens { "everything is open" } else { "everything is folded" });
    Vec::new()
}

/// Shows all quotes of a message, or hides all when all are shown, and so in the messages after it; true when they are shown
/// now, nothing where there are none that can be hidden.
pub(in crate::app) fn turn_quotes(app: &mut App) -> Option<bool> {
    let page = app.page_mut()?;
    let folds = (0..).zip(&page.given().folds).filter(|(_, fold)| fold.kind == FoldKind::Quote);
    let folds: Vec<(u32, bool)> = folds.map(|(number, fold)| (number, fold.open)).collect();
    if folds.is_empty() {
        return None;
    }
    let toggled = &page.arrangement.toggled;
    let opens = folds.iter().any(|(number, written)| *written == toggled.contains(number));
    page.arrangement.folding.0.quotes_hidden = !opens;
    for (number, written) in &folds {
        match *written == opens {
            true => page.arrangement.toggled.remove(number),
            false => page.arrangement.toggled.insert(*number),
        };
    }
    page.arrangement.anew();
    app.folding.quotes_hidden = !opens;
    Some(opens)
}
