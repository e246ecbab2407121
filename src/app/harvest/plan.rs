//! The plan of a directory's download, over the page: how much, where to, and what is left out and why.

use super::super::{App, Overlay};
use super::{Harvest, Why};
use crate::doc::{Anchor, BlockKind, Builder, Document, sanitise};
use crate::format::{count, human};
use crate::role::Role;

/// The overlay's title.
pub(in crate::app) const TITLE: &str = "Save a directory";
/// Names shown of those left out for one reason.
const SHOWN: usize = 200;

/// Whether the topmost overlay is the plan.
pub(in crate::app) fn is_open(app: &App) -> bool {
    matches!(app.overlays.last(), Some(Overlay::Text { title, .. }) if title == TITLE)
}

pub(super) fn open(app: &mut App) {
    let (title, document) = (TITLE.into(), Box::new(Document::default()));
    app.overlays.push(Overlay::Text { title, document, top: Anchor::default(), hint: String::new() });
}

pub(super) fn close(app: &mut App) {
    app.overlays.retain(|overlay| !matches!(overlay, Overlay::Text { title, .. } if title == TITLE));
}

/// Writes it as it is now.
pub(super) fn show(app: &mut App) {
    let Some(harvest) = &app.harvest else { return };
    let fresh = Box::new(written(harvest));
    let keys = if harvest.id.is_some() { "Esc stop" } else { "Enter start · Esc leave" };
    for overlay in &mut app.overlays {
        if let Overlay::Text { title, document, hint, .. } = overlay
            && title == TITLE
        {
            document.clone_from(&fresh);
            *hint = keys.into();
        }
    }
}

/// "142 files in 18 directories, 1.2 GB".
fn sum(harvest: &Harvest) -> String {
    let plural = |n: usize, one: &str, many: &str| format!("{} {}", count(n), if n == 1 { one } else { many });
    let octets = harvest.leaves.iter().filter_map(|leaf| leaf.size).fold(0, u64::saturating_add);
    let unknown = harvest.leaves.iter().filter(|leaf| leaf.size.is_none()).count();
    let unknown = if unknown > 0 { format!(" and {} of unknown size", count(unknown)) } else { String::new() };
    let files = plural(harvest.leaves.len(), "file", "files");
    let directories = plural(harvest.directories, "directory", "directories");
    format!("{files} in {directories}, {}{unknown}", human(octets))
}

fn written(harvest: &Harvest) -> Document {
    let mut out = Builder::new();
    let mut line = |role: Role, text: &str| {
        out.block(BlockKind::Paragraph, role);
        out.text(&sanitise(text));
    };
    line(Role::OverlayDim, &harvest.root.redacted());
    match &harvest.now {
        Some((branch, _)) => {
            line(Role::Overlay, &format!("reading directories: {} so far", sum(harvest)));
            line(Role::OverlayDim, &format!("now: /{}", branch.path));
            // While it grows, the list of what is left out would only be in the way.
            return out.finish();
        }
        None => line(Role::Overlay, &format!("{}, into {}", sum(harvest), harvest.folder)),
    }
    for (why, names) in &harvest.left_out {
        line(Role::OverlayTitle, &format!("left out: {}", reason(*why, names.len())));
        names.iter().take(SHOWN).for_each(|name| line(Role::OverlayDim, &format!("  {name}")));
        if names.len() > SHOWN {
            line(Role::OverlayDim, &format!("  and {} more", count(names.len() - SHOWN)));
        }
    }
    out.finish()
}

fn reason(why: Why, many: usize) -> String {
    let (what, more) = match why {
        Why::Link => ("link", ", not followed"),
        Why::Device => ("device", " or the like"),
        Why::Name => ("entry", " with a name that is unsafe here"),
        Why::Deep => ("directory", " too deep below"),
        Why::Many => ("entry", " beyond what is read at most"),
        Why::Seen => ("directory", " read already"),
        Why::Refused => ("directory", " not read whole"),
    };
    let what = match (many, what.strip_suffix('y')) {
        (1, _) => what.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) => format!("{what}s"),
    };
    format!("{} {what}{more}", count(many))
}
