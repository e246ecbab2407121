//! Links of a directory that is saved: the files that they lead to are saved in their place, or they are made again, or left.
//!
//! Refuses: to follow one into a directory, and to make one that could lead out of the folder, unless the reader asks for it.

use super::super::name::Naming;
use crate::app::state::transfers::Linked;
use crate::app::{Leaf, Links};
use crate::format::count;
use std::collections::BTreeSet;

impl Linked {
    /// A link in `directory` (empty, or with a slash at its end) that leads to these octets.
    pub(super) fn new(leaf: Leaf, target: Option<&[u8]>, directory: &str, naming: Naming) -> Linked {
        let inside = target.and_then(|target| inside(target, directory.matches('/').count(), naming));
        let is_inside = inside.is_some();
        let target = inside.or_else(|| target.map(|target| naming.target(target)));
        Linked { leaf, target, inside: is_inside, folder: false }
    }
}

/// Where a link leads that stands `depth` folders below the one that is saved, in names as they are saved; `None` where that
/// could be outside. Steps up come first: behind a name, which may be a link's, they lead nobody knows where.
fn inside(target: &[u8], depth: usize, naming: Naming) -> Option<String> {
    let mut steps: Vec<String> = Vec::new();
    let (mut up, mut down) = (0, false);
    if target.starts_with(b"/") {
        return None;
    }
    for step in target.split(|octet| *octet == b'/') {
        match step {
            b"" | b"." => continue,
            b".." if down || up == depth => return None,
            b".." => {
                up += 1;
                steps.push("..".into());
            }
            name => {
                down = true;
                steps.push(Some(naming.kept(name)).filter(|name| !name.is_empty())?);
            }
        }
    }
    Some(if steps.is_empty() { ".".into() } else { steps.join("/") })
}

/// Whether a target has steps up alone.
fn is_above(target: &str) -> bool {
    target.split('/').all(|step| matches!(step, "" | "." | ".."))
}

/// Finds out which links lead to folders of the plan; of others nobody knows before they are asked for.
pub(super) fn see_folders(links: &mut [Linked], folders: &[String]) {
    let folders: BTreeSet<&str> = folders.iter().map(String::as_str).collect();
    for link in links {
        let target = link.target.as_deref().filter(|_| link.inside);
        link.folder = target.is_some_and(|target| folders.contains(&*whole(&link.leaf.path, target)));
    }
}

/// Where a link inside leads, below the folder that is saved.
fn whole(path: &str, target: &str) -> String {
    let mut steps: Vec<&str> = path.split('/').collect();
    steps.pop();
    for step in target.split('/') {
        match step {
            "." => {}
            ".." => drop(steps.pop()),
            name => steps.push(name),
        }
    }
    steps.join("/")
}

/// What becomes of links, the next choice, or the one before.
pub(super) fn other(links: Links, step: isize) -> Links {
    const ALL: [Links; 4] = [Links::Followed, Links::Kept, Links::KeptAll, Links::Left];
    let at = ALL.iter().position(|one| *one == links).unwrap_or_default();
    ALL[(at + if step < 0 { ALL.len() - 1 } else { 1 }) % ALL.len()]
}

/// What becomes of so many.
pub(super) fn words(links: &[Linked], become_: Links) -> String {
    let out = links.iter().filter(|link| !link.inside).count();
    let many = if links.len() == 1 { "1 link".into() } else { format!("{} links", count(links.len())) };
    let folders = links.iter().filter(|link| lost(link, Links::Followed).is_some()).count();
    match become_ {
        Links::Followed if folders > 0 => {
            format!("{many}: saved as the files that they lead to; not {} to folders", count(folders))
        }
        Links::Followed => format!("{many}: saved as the files that they lead to"),
        Links::Kept if out > 0 => format!("{many}: made again; not {} that may lead outside", count(out)),
        Links::Kept => format!("{many}: made again"),
        Links::KeptAll if out > 0 => format!("{many}: made again, also {} that may lead outside", count(out)),
        Links::KeptAll => format!("{many}: made again, wherever they lead"),
        Links::Left => format!("{many}: left out"),
    }
}

/// Why one is neither saved nor made again; `None` of one that is.
pub(super) fn lost(link: &Linked, become_: Links) -> Option<String> {
    Some(match (become_, &link.target) {
        // Followed for ever it would be saved in itself.
        (Links::Followed, Some(target)) if is_above(target) => {
            "a link to the folder that it is in, or one above it; left out".into()
        }
        (Links::Followed, Some(target)) if link.folder => format!("a link to a folder, {target}; left out"),
        (Links::Left, _) => "a link, left out".into(),
        (Links::Kept, Some(target)) if !link.inside => {
            format!("a link that may lead outside, to {target}; not made again")
        }
        (Links::Kept | Links::KeptAll, None) => "a link; the listing does not say where it leads".into(),
        _ => return None,
    })
}

/// One in the plan: where it leads, or why it does not come.
pub(super) fn row(link: &Linked, become_: Links) -> String {
    let path = &link.leaf.path;
    let outside = if link.inside || become_ == Links::Left { "" } else { " (may be outside)" };
    match (lost(link, become_).filter(|_| become_ != Links::Left), &link.target) {
        (Some(why), _) => format!("{path}: {why}"),
        (None, Some(target)) => format!("{path} → {target}{outside}"),
        (None, None) => path.clone(),
    }
}

/// Links by what becomes of them.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Files that come.
    pub files: Vec<Leaf>,
    /// Links that are made, by path and target.
    pub made: Vec<(String, String)>,
    /// The others, by path, and why.
    pub left: Vec<(String, String)>,
}

/// Sorts links by what becomes of them.
pub(super) fn sorted(links: Vec<Linked>, become_: Links) -> Sorted {
    let mut sorted = Sorted::default();
    for link in links {
        match (lost(&link, become_), link) {
            (Some(why), link) => sorted.left.push((link.leaf.path, why)),
            (None, Linked { leaf, target: Some(target), .. }) if become_ != Links::Followed => {
                sorted.made.push((leaf.path, target));
            }
            (None, Linked { leaf, .. }) => sorted.files.push(leaf),
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::charset::Charset;

    #[test]
    fn a_link_that_is_made_again_stays_inside() {
        for (target, depth, expected) in [
            ("a", 0, Some("a")),
            ("./a//b/", 0, Some("a/b")),
            (".", 0, Some(".")),
            ("..", 0, None),
            ("..", 1, Some("..")),
            ("../../a", 1, None),
            ("../../a", 2, Some("../../a")),
            // What comes before may be a link to the folder itself.
            ("a/..", 3, None),
            ("a/../../../b", 3, None),
            ("/a", 9, None),
            ("-a/x.wayfarer-part", 0, Some("-a/x.wayfarer-part_")),
            ("a\u{1b}[31m", 0, Some("a")),
        ] {
            assert_eq!(
                inside(target.as_bytes(), depth, Naming::Text(Charset::Utf8)).as_deref(),
                expected,
                "{target} {depth}"
            );
        }
    }
}
