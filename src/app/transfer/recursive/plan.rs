//! The plan of a directory's download, over the page: how much, where to, and what is left out and why.

use crate::app::state::Cx;
use crate::app::state::transfers::{Crawl, Why};
use crate::app::{Overlay, TextOwner};
use crate::doc::{Anchor, BlockKind, Builder, Document, sanitise};
use crate::format::{count, human};
use crate::role::Role;

/// The overlay's title.
const TITLE: &str = "Save a directory";
/// Names shown of those left out for one reason.
const SHOWN: usize = 200;

pub(super) fn open(cx: &mut Cx<'_>) {
    let (title, document) = (TITLE.into(), Box::new(Document::default()));
    let (owner, hint) = (TextOwner::Plan, String::new());
    cx.hands.raise(Overlay::Text { owner, title, document, top: Anchor::default(), hint });
}

pub(super) fn close(cx: &mut Cx<'_>) {
    cx.hands.retain(|overlay| !matches!(overlay, Overlay::Text { owner: TextOwner::Plan, .. }));
}

/// Writes it as it is now.
pub(super) fn show(cx: &mut Cx<'_>) {
    let Some(crawl) = &cx.transfers.crawl else { return };
    let fresh = Box::new(written(crawl));
    let keys = if crawl.id.is_some() { "Esc stop" } else { "Enter start · Esc leave" };
    for overlay in cx.hands.all_mut() {
        if let Overlay::Text { owner: TextOwner::Plan, document, hint, .. } = overlay {
            document.clone_from(&fresh);
            *hint = keys.into();
        }
    }
}

/// "142 files in 18 directories, 1.2 GB".
fn sum(crawl: &Crawl) -> String {
    let plural = |n: usize, one: &str, many: &str| format!("{} {}", count(n), if n == 1 { one } else { many });
    let octets = crawl.leaves.iter().filter_map(|leaf| leaf.size).fold(0, u64::saturating_add);
    let unknown = crawl.leaves.iter().filter(|leaf| leaf.size.is_none()).count();
    let unknown = if unknown > 0 { format!(" and {} of unknown size", count(unknown)) } else { String::new() };
    let files = plural(crawl.leaves.len(), "file", "files");
    let directories = plural(crawl.directories, "directory", "directories");
    format!("{files} in {directories}, {}{unknown}", human(octets))
}

fn written(crawl: &Crawl) -> Document {
    let mut out = Builder::new();
    let mut line = |role: Role, text: &str| {
        out.block(BlockKind::Paragraph, role);
        out.text(&sanitise(text));
    };
    line(Role::OverlayDim, &crawl.root.redacted());
    match &crawl.now {
        Some((branch, _)) => {
            line(Role::Overlay, &format!("reading directories: {} so far", sum(crawl)));
            line(Role::OverlayDim, &format!("now: /{}", branch.path));
            // While it grows, the list of what is left out would only be in the way.
            return out.finish();
        }
        None => line(Role::Overlay, &format!("{}, into {}", sum(crawl), crawl.folder)),
    }
    for (why, names) in &crawl.left_out {
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
