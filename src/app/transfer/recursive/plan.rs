//! The plan of a directory's download, over the page: how much, where to, and what is left out and why.

use super::links;
use super::tree::some;
use crate::app::state::Cx;
use crate::app::state::transfers::{Crawl, Linked, Reading, Scope, Why};
use crate::app::{Links, Overlay, TextOwner};
use crate::doc::{Anchor, BlockKind, Builder, Document, sanitise};
use crate::format::{count, human};
use crate::role::Role;

/// The overlay's title.
const TITLE: &str = "Save a directory";
/// Names shown of those left out for one reason.
const SHOWN: usize = 200;
/// Sentences of an archive on itself that are shown.
const NOTES: usize = 8;

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
    let keys = match (crawl.now.is_empty(), crawl.links.is_empty()) {
        (false, _) => "Esc stop",
        (true, true) => "Enter start · Esc leave",
        (true, false) => "Enter start · Tab links · Esc no",
    };
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
    let octets = crawl.octets;
    let followed =
        |link: &&Linked| crawl.manner.links == Links::Followed && links::lost(link, crawl.manner.links).is_none();
    let links = crawl.links.iter().filter(followed).count();
    let unknown = crawl.unsized_files + links;
    let unknown = if unknown > 0 { format!(" and {} of unknown size", count(unknown)) } else { String::new() };
    let files = plural(crawl.leaves.len() + links, "file", "files");
    let directories = match crawl.directories {
        0 if crawl.scope.is_marked() && crawl.now.is_empty() => String::new(),
        many => format!(" in {}", plural(many, "directory", "directories")),
    };
    format!("{files}{directories}, {}{unknown}", human(octets))
}

fn written(crawl: &Crawl) -> Document {
    let mut out = Builder::new();
    let mut line = |role: Role, text: &str| {
        out.block(BlockKind::Paragraph, role);
        out.text(&sanitise(text));
    };
    line(Role::OverlayDim, &crawl.root.redacted());
    match crawl.now.first() {
        Some(Reading { branch, .. }) => {
            line(Role::Overlay, &format!("reading directories: {} so far", sum(crawl)));
            line(Role::OverlayDim, &format!("now: /{}", branch.path));
            // While it grows, the list of what is left out would only be in the way.
            return out.finish();
        }
        None => line(Role::Overlay, &format!("{}, into {}", sum(crawl), crawl.folder)),
    }
    if matches!(crawl.scope, Scope::Again) {
        line(Role::OverlayDim, "saved before: what is there and has not changed is not fetched again");
    }
    crawl.notes.iter().take(NOTES).for_each(|note| line(Role::OverlayDim, note));
    if !crawl.links.is_empty() {
        line(Role::OverlayTitle, &links::words(&crawl.links, crawl.manner.links));
        for link in crawl.links.iter().take(SHOWN) {
            line(Role::OverlayDim, &format!("  {}", links::row(link, crawl.manner.links)));
        }
        if crawl.links.len() > SHOWN {
            line(Role::OverlayDim, &format!("  and {} more", count(crawl.links.len() - SHOWN)));
        }
    }
    if !crawl.changes.is_empty() {
        let many = crawl.changes.len();
        let stays = if many == 1 { "stay as it is" } else { "stay as they are" };
        line(Role::OverlayTitle, &format!("{} that cannot {stays}:", some(many, "name")));
        crawl.changes.iter().take(SHOWN).for_each(|change| line(Role::OverlayDim, &format!("  {change}")));
        if many > SHOWN {
            line(Role::OverlayDim, &format!("  and {} more", count(many - SHOWN)));
        }
    }
    for (why, names) in &crawl.left_out {
        let many = names.len() + if *why == Why::Many { crawl.beyond } else { 0 };
        line(Role::OverlayTitle, &format!("left out: {}", reason(*why, many)));
        names.iter().take(SHOWN).for_each(|name| line(Role::OverlayDim, &format!("  {name}")));
        if many > SHOWN {
            line(Role::OverlayDim, &format!("  and {} more", count(many - SHOWN)));
        }
    }
    out.finish()
}

/// What is left out and why, a line for each.
pub(super) fn left_out(crawl: &Crawl) -> Vec<String> {
    let lines = |(why, names): (&Why, &Vec<String>)| {
        let reason = reason(*why, 1);
        let said = move |name: &String| match *why {
            // It says itself why.
            Why::Refused => name.clone(),
            _ => format!("{name}: left out, {reason}"),
        };
        names.iter().map(said).collect::<Vec<_>>()
    };
    let beyond = (crawl.beyond > 0).then(|| format!("left out, too: {}", reason(Why::Many, crawl.beyond)));
    crawl.left_out.iter().flat_map(lines).chain(beyond).collect()
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
        Why::Line => ("line", " of listings that name nothing in a way that is known"),
        Why::Twice => ("entry", " that its listing has named already"),
        Why::Marked => ("marked row", ", of another space or not fetched without a question"),
    };
    let what = match (many, what.strip_suffix('y')) {
        (1, _) => what.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) => format!("{what}s"),
    };
    format!("{} {what}{more}", count(many))
}
