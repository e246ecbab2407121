//! Leaving: what the reader is asked before, what they are told comes back, and what they want to become of their tabs.

use crate::app::forms::begun;
use crate::app::hands::Raised;
use crate::app::hands::question::choice;
use crate::app::{App, Choice, Effect, Overlay, Parting, Pending, Tab, TextOwner, letters, transfer};

/// Leaves at once where nothing is open but a page; asks otherwise.
pub(super) fn quit(app: &mut App, _: &str) -> Vec<Effect> {
    app.parting = Parting::Quit;
    let (tabs, forms) = (app.tab_count(), forms(app));
    let mut text = work(app);
    text.extend(said_of_forms(forms));
    text.extend(said_of_tabs(app));
    if text.is_empty() {
        return vec![Effect::Quit];
    }
    let pages = Pages { several: tabs > 1, forms: forms > 0, back: comes_back(app) };
    text.extend(pages.remark());
    let question = Overlay::Question { text, choices: pages.choices(), pending: Pending::Quit };
    app.hands.raise(question);
    Vec::new()
}

/// Leaves whatever is open.
pub(super) fn quit_now(app: &mut App, _: &str) -> Vec<Effect> {
    app.parting = Parting::Quit;
    vec![Effect::QuitNow]
}

/// The answer.
pub(super) fn answered(app: &mut App, key: char) -> Vec<Effect> {
    app.parting = match key {
        'q' if app.tab_count() > 1 || forms(app) > 0 => Parting::Back,
        'q' => Parting::Quit,
        'x' => Parting::Forget,
        _ => return Vec::new(),
    };
    vec![Effect::Quit]
}

/// What is under way and is not the page's.
fn work(app: &App) -> Vec<String> {
    let mut text = Vec::new();
    if letters::is_under_way(app.sight()) {
        text.push("An article is being sent. If it does not arrive, its draft is kept.".into());
    }
    let is_letter = |overlay: &Overlay| matches!(overlay, Overlay::Text { owner: TextOwner::LastLook(_), .. });
    let waits = |raised: &Raised| matches!(raised, Raised::Overlay(overlay) if is_letter(overlay));
    if app.hands.overlays().iter().any(is_letter) || app.hands.waiting().any(waits) {
        text.push("An article is written and was not sent; its draft is kept.".into());
    }
    text.extend(app.tabs().filter_map(Tab::outgoing).map(|outgoing| {
        let rest =
            if outgoing.goes_on { "what went stays there, and another run begins anew" } else { outgoing.rest() };
        format!("{}. Leaving ends that; {rest}.", outgoing.far())
    }));
    match transfer::open_work(app.sight()) {
        0 => {}
        1 => text.push("1 download is not finished. What came is kept, and it can go on the next time.".into()),
        running => text.push(format!(
            "{running} downloads are not finished. What came is kept, and they can go on the next time."
        )),
    }
    text
}

/// Pages with forms that are filled in and were not sent.
fn forms(app: &App) -> usize {
    let typed = usize::from(begun::begun(app.sight()).is_some());
    let unsent =
        app.tabs().flat_map(|tab| &tab.history).filter(|entry| entry.is_unsent() || entry.filled.asked.is_some());
    unsent.count() + typed
}

fn said_of_forms(forms: usize) -> Option<String> {
    match forms {
        0 => None,
        1 => Some("A form is filled in and was not sent, or has no answer yet.".into()),
        _ => Some(format!("On {forms} pages forms are filled in and were not sent, or have no answer yet.")),
    }
}

fn said_of_tabs(app: &App) -> Option<String> {
    let private = app.tabs().filter(|tab| tab.private && !tab.is_empty()).count();
    let said = match private {
        _ if app.tab_count() == 1 => return None,
        0 => String::new(),
        1 => ", one of them private: nothing of that is kept".into(),
        _ => format!(", {private} of them private: nothing of those is kept"),
    };
    Some(format!("{} tabs are open{said}.", app.tab_count()))
}

/// How pages come back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Back {
    /// By themselves.
    Alone,
    /// When the reader wants it.
    Asked,
    /// Not at all.
    Never,
}

fn comes_back(app: &App) -> Back {
    let choices = app.choices();
    let public = |tab: &Tab| !tab.private && !tab.is_empty();
    match (choices.keeps_session, choices.keeps_last) {
        _ if !app.tabs().any(public) => Back::Never,
        (true, _) => Back::Alone,
        (false, true) => Back::Asked,
        (false, false) => Back::Never,
    }
}

/// What would be lost of pages.
struct Pages {
    several: bool,
    forms: bool,
    back: Back,
}

impl Pages {
    fn remark(&self) -> Option<String> {
        match self.back {
            Back::Never if self.several || self.forms => Some("None of it comes back.".into()),
            Back::Alone | Back::Asked if self.forms => Some("Forms come back filled in, but for passwords.".into()),
            Back::Never | Back::Alone | Back::Asked => None,
        }
    }

    fn choices(&self) -> Vec<Choice> {
        let (they, them) = if self.several { ("they come", "them") } else { ("it comes", "it") };
        let leave = match self.back {
            _ if !self.several && !self.forms => vec![choice('q', "leave")],
            Back::Alone => {
                vec![
                    choice('q', &format!("leave, {they} back next time")),
                    choice('x', &format!("leave and forget {them}")),
                ]
            }
            Back::Asked => {
                vec![
                    choice('q', &format!("leave, about:last keeps {them}")),
                    choice('x', &format!("leave and forget {them}")),
                ]
            }
            Back::Never => vec![choice('x', "leave all the same")],
        };
        leave.into_iter().chain([choice('n', "stay")]).collect()
    }
}
