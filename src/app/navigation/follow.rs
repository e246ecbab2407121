//! Following a link of the page in view: what it opens or closes, the field that it is, the place to which it leads.

use super::journey;
use crate::app::forms::web;
use crate::app::motion::window::document;
use crate::app::motion::{arrangement, focus, window};
use crate::app::state::Cx;
use crate::app::{Effect, Sight, navigation};
use crate::doc::LinkId;
use crate::url::Resolved;

/// Follows the link under focus.
pub(in crate::app) fn follow(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    match window::focus(cx.sight()) {
        Some(link) => follow_link(cx, link),
        None => {
            cx.say("no link under focus");
            Vec::new()
        }
    }
}

/// Follows any link of the page in view.
pub(in crate::app) fn follow_link(cx: &mut Cx<'_>, link: LinkId) -> Vec<Effect> {
    if arrangement::toggle(cx, link) {
        return Vec::new();
    }
    if let Some(effects) = web::follow(cx, link) {
        return effects;
    }
    match cx.sight().link(link).map(|link| link.target) {
        Some(Ok(Resolved::Url(url))) => {
            let opening = focus::opening(cx.sight(), link, url);
            navigation::go(cx, opening)
        }
        Some(Ok(Resolved::SameDocument { fragment })) => journey::jump_to(cx, fragment.as_deref()),
        Some(Err(error)) => {
            let said = cx.sight().veiled(error.to_string());
            cx.complain(said);
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// What the line says of a link before it is followed.
pub(in crate::app) fn describe(sight: Sight<'_>, link: LinkId) -> String {
    let Some(document) = document(sight) else { return String::new() };
    if let Some(words) = web::describe(sight, link) {
        return words;
    }
    let text = document.link_text(link).trim();
    match sight.link(link).map(|link| link.target) {
        Some(Ok(Resolved::Url(url))) => format!("{text} → {}", sight.told(&url)),
        Some(Ok(Resolved::SameDocument { fragment })) => format!("{text} → #{}", fragment.unwrap_or_default()),
        Some(Err(error)) => format!("{text}: {error}"),
        None => String::new(),
    }
}
