//! What the reader opens and closes.

use super::threads;
use crate::app::motion::focus;
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::{Effect, Kept, SiteChoice};
use crate::doc::{FoldKind, LinkId};
use crate::format::media;

/// Opens or closes the fold of a head; false when the link is none.
pub(in crate::app) fn toggle(cx: &mut Cx<'_>, link: LinkId) -> bool {
    let Some(page) = cx.page_mut() else { return false };
    let Some(number) = page.fold(link) else { return false };
    page.toggle(number);
    true
}

/// The same for a head by its number in the document as it was written.
pub(in crate::app) fn toggle_given(cx: &mut Cx<'_>, head: LinkId) {
    if let Some(page) = cx.page_mut()
        && let Some(number) = page.fold_of(head)
    {
        page.toggle(number);
    }
}

/// All header fields of a message, or only the chosen ones, and so of the messages after it. What is opened is brought on
/// the screen.
pub(in crate::app) fn headers(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(page) = cx.page_mut() else { return Vec::new() };
    let folds = (0..).zip(page.given().folds.iter()).filter(|(_, fold)| fold.kind == FoldKind::Headers);
    let folds: Vec<(u32, bool, LinkId)> = folds.map(|(number, fold)| (number, fold.open, fold.head)).collect();
    let Some((first, written, head)) = folds.first().copied() else {
        cx.say("only messages have headers");
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
    cx.desk.folding.headers_shown = opens;
    if focus {
        focus::go_to(cx, head);
    }
    Vec::new()
}

/// `folds` opens all, or closes all when all are open; `folds open`, `folds close`.
pub(in crate::app) fn folds(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    if cx.entry().is_some_and(|entry| entry.page.as_deref().is_some_and(|page| page.head.media == media::NEWSGROUP)) {
        threads::all(cx, words);
        return Vec::new();
    }
    let Some(page) = cx.page_mut() else { return Vec::new() };
    let toggled = &page.arrangement.toggled;
    let open = |number: &u32, written: bool| written != toggled.contains(number);
    // what stands around the content is closed by the reader view alone
    let folds = (0..).zip(&page.given().folds);
    let folds = folds.filter(|(number, fold)| !fold.kind.is_aside() || !open(number, fold.open));
    let folds: Vec<(u32, bool)> = folds.map(|(number, fold)| (number, fold.open)).collect();
    let opens = match words.trim() {
        "open" => true,
        "close" => false,
        "" => folds.iter().any(|(number, written)| !open(number, *written)),
        _ => {
            cx.complain("folds open, folds close");
            return Vec::new();
        }
    };
    if folds.is_empty() {
        cx.say("nothing is folded on this page");
        return Vec::new();
    }
    page.arrangement.toggled = folds.iter().filter(|(_, open)| *open != opens).map(|(number, _)| *number).collect();
    page.arrangement.anew();
    cx.say(if opens { "everything is open" } else { "everything is folded" });
    Vec::new()
}

/// Folds away what stands around the content, on this page and on all of its host (of its folder, for a file); again, shows it.
pub(in crate::app) fn reader(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(page) = cx.page_mut() else { return Vec::new() };
    let marked = page.given().folds.iter().any(|fold| fold.kind.is_aside() && fold.first < fold.end);
    let (host, kind) = (address::place(&page.head.url), address::kind_of_place(&page.head.url));
    let on = !cx.desk.reader.contains(&host);
    if on && !marked {
        cx.say("this page does not say what of it is navigation");
        return Vec::new();
    }
    if on {
        cx.desk.reader.insert(host.clone());
    } else {
        cx.desk.reader.remove(&host);
    }
    cx.say(if on { format!("only the content, on all pages of this {kind}") } else { "the whole page".into() });
    vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Reader(on) })]
}

/// Shows all quotes of a message, or hides all when all are shown, and so in the messages after it; true when they are shown
/// now, nothing where there are none that can be hidden.
pub(in crate::app) fn turn_quotes(cx: &mut Cx<'_>) -> Option<bool> {
    let page = cx.page_mut()?;
    let folds = (0..).zip(&page.given().folds).filter(|(_, fold)| fold.kind.is_quote());
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
    cx.desk.folding.quotes_hidden = !opens;
    Some(opens)
}
