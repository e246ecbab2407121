//! The last look at an article before it is sent: header and text as others will read them, and what may be done with it.

use super::super::question::confirm;
use super::super::{App, Effect, Overlay, Pending};
use crate::doc::{Anchor, BlockKind, Builder, sanitise};
use crate::news::Draft;
use crate::role::Role;

/// The overlay's title.
const TITLE: &str = "Post this article?";

/// The overlay; `remarks` go before the article.
pub(super) fn page(draft: &Draft, path: &str, remarks: &[String], agent: &str, flowed: bool) -> Overlay {
    let mut out = Builder::new();
    for remark in remarks {
        out.block(BlockKind::Paragraph, Role::Error);
        out.text(&sanitise(remark));
    }
    if !remarks.is_empty() {
        out.block(BlockKind::Paragraph, Role::OverlayDim);
        out.text(&format!("The draft is kept in {}", sanitise(path)));
        out.block(BlockKind::Line, Role::Overlay);
    }
    let groups = draft.groups();
    if groups.len() > 1 && draft.get("Followup-To").is_empty() {
        out.block(BlockKind::Paragraph, Role::OverlayDim);
        out.text(&format!("This goes to {} groups, and so will the answers: Followup-To names one.", groups.len()));
        out.block(BlockKind::Line, Role::Overlay);
    }
    for (name, value) in draft.server().map(|server| ("Server".to_owned(), server.to_owned())).into_iter() {
        field(&name, &format!("{value} (where it goes; not sent)"), &mut out);
    }
    for (name, value) in draft.sent_fields(agent, flowed) {
        field(&name, &value, &mut out);
    }
    out.block(BlockKind::Line, Role::Overlay);
    let mut signed = false;
    for line in draft.sent_lines(flowed) {
        signed |= line == "-- ";
        let role = match () {
            () if signed => Role::OverlayDim,
            () if line.starts_with('>') => Role::Quote,
            () => Role::Overlay,
        };
        out.block(BlockKind::Line, role);
        out.text(&sanitise(&line));
    }
    let hint = "s send · e edit · p keep · x drop".into();
    Overlay::Text { title: TITLE.into(), document: Box::new(out.finish()), top: Anchor::default(), hint }
}

/// Why a draft is not sent, and where it is.
pub(super) fn kept(why: &str, path: &str, key: Option<String>) -> Overlay {
    let mut out = Builder::new();
    out.block(BlockKind::Paragraph, Role::Overlay);
    out.text(&sanitise(why));
    out.block(BlockKind::Paragraph, Role::OverlayDim);
    out.text("The draft is kept in");
    out.block(BlockKind::Line, Role::Overlay);
    out.text(&sanitise(path));
    if let Some(key) = key {
        out.block(BlockKind::Paragraph, Role::OverlayDim);
        out.text(&format!("{key} takes it up again."));
    }
    let (title, document) = ("Not sent".into(), Box::new(out.finish()));
    Overlay::Text { title, document, top: Anchor::default(), hint: "Esc close".into() }
}

fn field(name: &str, value: &str, out: &mut Builder) {
    out.block(BlockKind::Entry, Role::Overlay);
    out.styled(&format!("{}: ", sanitise(name)), Role::OverlayDim);
    out.text(&sanitise(value));
}

fn is_it(overlay: &Overlay) -> bool {
    matches!(overlay, Overlay::Text { title, .. } if title == TITLE)
}

/// Whether it lies on top.
pub(in crate::app) fn is_open(app: &App) -> bool {
    app.overlays.last().is_some_and(is_it)
}

/// Takes it away.
pub(super) fn close(app: &mut App) {
    app.overlays.retain(|overlay| !is_it(overlay));
}

/// A letter that is an answer; `None` leaves it to the key map.
pub(in crate::app) fn letter(app: &mut App, letter: char) -> Option<Vec<Effect>> {
    if !is_open(app) {
        return None;
    }
    match letter {
        's' => Some(super::send(app)),
        'e' => {
            close(app);
            Some(super::edit(app))
        }
        'p' => Some(super::keep(app)),
        'x' => {
            let text = vec!["Throw this draft away?".into(), "Nothing of it is kept.".into()];
            app.overlays.push(confirm(text, "throw it away", Pending::Discard));
            Some(Vec::new())
        }
        _ => None,
    }
}
