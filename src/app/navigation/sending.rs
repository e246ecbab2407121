//! While a file is being sent from a page, what would take the place of that page waits for the reader's word: opening it ends the
//! sending. Refuses to decide that itself.

use super::{arrival, go, journey};
use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::{Consent, Effect, Opening, Overlay, Pending, Way};

/// Asks before a page is opened where a file is being sent from; `None` where none is.
pub(super) fn ask(cx: &mut Cx<'_>, opening: &Opening) -> Option<Vec<Effect>> {
    let outgoing = cx.tab.outgoing()?;
    let text = vec![
        format!("{}.", outgoing.far()),
        format!("What is opened here ends that; {}.", outgoing.rest()),
        opening.veil.over(opening.public().redacted()),
    ];
    // A place of the path belongs to this tab.
    let elsewhere = matches!(opening.way, Way::New | Way::Instead).then(|| choice('t', "open it in a new tab"));
    let choices = [choice('y', "open it")].into_iter().chain(elsewhere).chain([choice('n', "stay")]).collect();
    let pending = Pending::Leave(Box::new(opening.clone()));
    cx.hands.queue(Overlay::Question { text, choices, pending });
    Some(Vec::new())
}

/// The reader rather goes there.
pub(in crate::app) fn leave(cx: &mut Cx<'_>, opening: Opening) -> Vec<Effect> {
    let mut effects = arrival::drop_loading(cx);
    effects.extend(match opening.way {
        Way::Place(at) => journey::visit(cx, at),
        _ => go(cx, Opening { consent: Consent::Agreed, ..opening }),
    });
    effects
}

/// Says that a file is being sent from here, and what ends that.
pub(in crate::app) fn refuse(cx: &mut Cx<'_>) -> Option<Vec<Effect>> {
    let outgoing = cx.tab.outgoing()?;
    let stops = cx.key_for("stop").map(|key| format!("; {key} stops that")).unwrap_or_default();
    cx.say(format!("{}{stops}", outgoing.far()));
    Some(Vec::new())
}
