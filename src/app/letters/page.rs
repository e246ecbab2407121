//! The last look at an article before it is sent: header and text as others will read them, and what may be done with it.

use crate::app::hands::question::confirm;
use crate::app::state::Cx;
use crate::app::{Effect, Letter, Overlay, Pending, TextOwner};
use crate::doc::{Anchor, BlockKind, Builder, sanitise};
use crate::role::Role;

/// The overlay's titles.
const TITLES: [&str; 2] = ["Post this article?", "Send this mail?"];
/// That of one which takes an article back.
const CANCEL: &str = "Cancel your article?";

/// The overlay; `remarks` go before the article.
pub(super) fn page(letter: Letter, remarks: &[String], agent: &str, flowed: bool) -> Overlay {
    let (draft, path) = (&letter.draft, &letter.path);
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
    let note = Some(letter.note.clone()).filter(|note| !note.is_empty());
    let told: Vec<String> = note.into_iter().chain(draft.remarks()).chain(draft.doubt()).collect();
    for sentence in &told {
        out.block(BlockKind::Paragraph, Role::OverlayDim);
        out.text(&sanitise(sentence));
    }
    if !told.is_empty() {
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
    let title = match draft.get("Control").split(' ').next() {
        Some("cancel") => CANCEL,
        _ => TITLES[usize::from(draft.is_mail())],
    };
    let (title, document) = (title.into(), Box::new(out.finish()));
    Overlay::Text { owner: TextOwner::LastLook(Box::new(letter)), title, document, top: Anchor::default(), hint }
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
    Overlay::notice("Not sent", out.finish())
}

fn field(name: &str, value: &str, out: &mut Builder) {
    out.block(BlockKind::Entry, Role::Overlay);
    out.styled(&format!("{}: ", sanitise(name)), Role::OverlayDim);
    out.text(&sanitise(value));
}

/// Takes the last look away, from the top or from below a question about it.
pub(super) fn close(cx: &mut Cx<'_>) -> Option<Letter> {
    match cx.hands.drop_last(|overlay| matches!(overlay, Overlay::Text { owner: TextOwner::LastLook(_), .. }))? {
        Overlay::Text { owner: TextOwner::LastLook(letter), .. } => Some(*letter),
        _ => None,
    }
}

/// What is asked about before the letter in sight goes; nothing where it cannot go at all.
fn doubt(cx: &Cx<'_>) -> Option<String> {
    match cx.hands.top() {
        Some(Overlay::Text { owner: TextOwner::LastLook(letter), .. }) if letter.draft.mistakes().is_empty() => {
            letter.draft.doubt()
        }
        _ => None,
    }
}

/// A letter that is an answer; `None` leaves it to the key map.
pub(in crate::app) fn letter(cx: &mut Cx<'_>, letter: char) -> Option<Vec<Effect>> {
    if !matches!(cx.hands.top(), Some(Overlay::Text { owner: TextOwner::LastLook(_), .. })) {
        return None;
    }
    match letter {
        's' if let Some(doubt) = doubt(cx) => Some(super::doubt(cx, doubt)),
        's' => close(cx).map(|letter| super::send(cx, letter)),
        'e' => close(cx).map(|letter| super::edit(cx, letter)),
        'p' => Some(super::keep(cx)),
        'x' => {
            let text = vec!["Throw this draft away?".into(), "Nothing of it is kept.".into()];
            cx.hands.raise(confirm(text, "throw it away", Pending::Discard));
            Some(Vec::new())
        }
        _ => None,
    }
}
