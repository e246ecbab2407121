//! A folder with all below it, and what the lists of sums in it say of its files: which are to be reckoned, and what came of it.
//!
//! Names in lists are only looked up among the files that are there, below the folder of the list: none leads anywhere. Refuses:
//! reading files, judging signatures.

use super::list::is_news;
use super::names::signs;
use super::{Beside, Kind, Sum, each, may_be_in_clear, of_others, said_of};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Names of one sort that are said.
const SHOWN: usize = 5;

/// What has another name here than where it came from.
#[derive(Debug)]
pub struct Named {
    /// The path of its folder here, which has a slash at its end unless it is the top.
    pub folder: Vec<u8>,
    /// Its name there.
    pub own: Vec<u8>,
    /// Its name here.
    pub name: Vec<u8>,
}

/// A folder and what its lists say.
#[derive(Debug, Default)]
pub struct Tree {
    /// The files by their paths from the top, with all that is said of each, and the list that says it.
    files: BTreeMap<Vec<u8>, Vec<(Sum, usize)>>,
    /// Paths by those that they would have with the name from where they came, and that name by the path here.
    saved: BTreeMap<Vec<u8>, Vec<u8>>,
    own: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The signatures of files by the paths of those, each with the place of its ending.
    signatures: BTreeMap<Vec<u8>, (usize, Vec<u8>)>,
    /// The lists that said something.
    lists: Vec<Vec<u8>>,
    missing: BTreeSet<Vec<u8>>,
    /// Folders that cannot be read, with a slash at their ends, none below another, and what would be in one.
    unread: BTreeSet<Vec<u8>>,
    not_read: BTreeSet<Vec<u8>>,
    /// With the lists that are not right about each.
    wrong: Vec<(Vec<u8>, Vec<usize>)>,
    /// Names that lead out of the folder of their list, or are none.
    outside: usize,
    right: usize,
    weak: Option<Kind>,
    remarks: Vec<String>,
}

impl Tree {
    /// Of the files that have these paths, steps between slashes, and the folders that cannot be read, with the reasons. What kept its
    /// name is never found by another's, whatever `names` say.
    pub fn new(
        files: impl IntoIterator<Item = Vec<u8>>,
        unread: impl IntoIterator<Item = (Vec<u8>, String)>,
        names: Vec<Named>,
    ) -> Tree {
        let files = files.into_iter().map(|path| (path, Vec::new())).collect();
        let mut tree = Tree { files, ..Tree::default() };
        for (folder, why) in unread {
            tree.remarks.push(format!("{} cannot be read: {why}", shown(&folder)));
            if !tree.is_unread(&folder) {
                tree.unread.insert([&*folder, b"/"].concat());
            }
        }
        let given: BTreeSet<Vec<u8>> = names.iter().map(|one| [&*one.folder, &one.name].concat()).collect();
        for Named { folder, own, name } in names {
            let (was, path) = ([&*folder, &own].concat(), [folder, name].concat());
            let kept = tree.is_there(&was) && !given.contains(&was);
            if !kept && !tree.saved.contains_key(&was) && !tree.own.contains_key(&path) {
                tree.own.insert(path.clone(), own);
                tree.saved.insert(was, path);
            }
        }
        tree.signatures = tree.signed();
        tree
    }

    fn signed(&self) -> BTreeMap<Vec<u8>, (usize, Vec<u8>)> {
        let mut found = BTreeMap::new();
        for path in self.files.keys() {
            let Some((of, worth)) = signs(self.own(path)) else { continue };
            let best = found.entry(self.saved(cut(path).0, of)).or_insert_with(|| (worth, path.clone()));
            if worth < best.0 {
                *best = (worth, path.clone());
            }
        }
        found
    }

    /// Whether a file has this path, or one below it.
    fn is_there(&self, path: &[u8]) -> bool {
        let below = [path, b"/"].concat();
        let mut next = self.files.range(below.clone()..);
        self.files.contains_key(path)
            || self.is_unread(&below)
            || next.next().is_some_and(|(path, _)| path.starts_with(&below))
    }

    /// Whether a path is in a folder that cannot be read.
    fn is_unread(&self, path: &[u8]) -> bool {
        let before = (Bound::Unbounded, Bound::Included(path));
        self.unread.range::<[u8], _>(before).next_back().is_some_and(|folder| path.starts_with(folder))
    }

    /// The path here of what has a name below a folder there, step by step as each was saved.
    fn saved(&self, folder: &[u8], name: &[u8]) -> Vec<u8> {
        let mut path = folder.to_vec();
        for (at, step) in name.split(|octet| *octet == b'/').enumerate() {
            path.extend_from_slice(if at == 0 { b"" } else { b"/" });
            path.extend_from_slice(step);
            if let Some(saved) = self.saved.get(&path) {
                path.clone_from(saved);
            }
        }
        path
    }

    /// The name that the last step of a path has where it came from.
    fn own<'a>(&'a self, path: &'a [u8]) -> &'a [u8] {
        self.own.get(path).map_or(cut(path).1, |own| own)
    }

    /// The files that hold sums of others, or may: what signs a list that is not there can be that list, signed in clear.
    pub fn lists(&self) -> Vec<Vec<u8>> {
        let holds = |path: &&Vec<u8>| match of_others(self.own(path)) {
            Some((Beside::Sums(..), _)) => true,
            Some((Beside::OfSums, _)) => may_be_in_clear(self.own(path)) && !self.signs_another(path),
            Some((Beside::Signature, _)) | None => false,
        };
        self.files.keys().filter(holds).cloned().collect()
    }

    /// Whether a file is called a signature of a list: then it is one itself only if it is signed in clear.
    pub fn is_signature(&self, path: &[u8]) -> bool {
        matches!(of_others(self.own(path)), Some((Beside::OfSums, _)))
    }

    fn signs_another(&self, path: &[u8]) -> bool {
        let of = signs(self.own(path)).map(|(of, _)| self.saved(cut(path).0, of));
        of.is_some_and(|of| self.files.contains_key(&of))
    }

    /// Takes what one of them says.
    pub fn list(&mut self, path: &[u8], text: &[u8]) {
        let folder = cut(path).0;
        let own = of_others(self.own(path)).and_then(|(_, of)| Some((self.saved(folder, of?), of?.to_vec())));
        self.lists.push(path.to_vec());
        let Some((of, name)) = own.filter(|(of, _)| self.files.contains_key(of)) else {
            return each(text, &mut |name, sum| self.take(folder, &name, sum));
        };
        let said = said_of(&name, text, true);
        if said.is_empty() {
            self.remarks.push(format!("{} has no checksum", shown(path)));
        }
        said.into_iter().for_each(|sum| self.note(&of, sum));
    }

    fn take(&mut self, folder: &[u8], name: &[u8], sum: Sum) {
        if !is_below(name) {
            self.outside += 1;
            return;
        }
        // Some write more blanks than one would.
        let names = [name, name.trim_ascii()].into_iter().filter(|name| is_below(name));
        match names.map(|name| self.saved(folder, name)).find(|path| self.files.contains_key(path)) {
            Some(path) => self.note(&path, sum),
            None => {
                let unread = self.is_unread(&self.saved(folder, name));
                let kind = if unread { &mut self.not_read } else { &mut self.missing };
                kind.insert([folder, name].concat());
            }
        }
    }

    /// The last list says this of a file.
    fn note(&mut self, path: &[u8], sum: Sum) {
        let list = self.lists.len().saturating_sub(1);
        if let Some(said) = self.files.get_mut(path).filter(|said| is_news(said.iter().map(|(sum, _)| sum), &sum)) {
            said.push((sum, list));
        }
    }

    /// The signature of a list, in the file that stands beside it.
    pub fn signature(&self, list: &[u8]) -> Option<&[u8]> {
        self.signatures.get(list).map(|(_, path)| &**path)
    }

    /// The files that are to be reckoned, and how: whatever is said of one has to be true, or whoever adds a list outvotes another.
    pub fn wanted(&self) -> Vec<(Vec<u8>, Vec<Kind>)> {
        let kinds = |said: &Vec<(Sum, usize)>| said.iter().map(|(sum, _)| sum.kind).collect::<BTreeSet<_>>();
        let said = self.files.iter().filter(|(_, said)| !said.is_empty());
        said.map(|(path, said)| (path.clone(), kinds(said).into_iter().collect())).collect()
    }

    /// One of them is reckoned.
    pub fn reckoned(&mut self, path: &[u8], sums: &[Sum]) {
        let Some(said) = self.files.get(path).filter(|said| !said.is_empty()) else { return };
        let against: BTreeSet<usize> =
            said.iter().filter(|(sum, _)| !sums.contains(sum)).map(|(_, list)| *list).collect();
        if !against.is_empty() {
            return self.wrong.push((path.to_vec(), against.into_iter().collect()));
        }
        self.right += 1;
        let best = said.iter().map(|(sum, _)| sum.kind).max();
        self.weak = self.weak.or(best.filter(|kind| kind.is_weak()));
    }

    /// Something could not be looked at, in words.
    pub fn remark(&mut self, words: String) {
        self.remarks.push(words);
    }

    /// Whether it is what it should be, `None` where nothing could tell, and that in words.
    pub fn verdict(self) -> (Option<bool>, String) {
        if self.lists.is_empty() {
            let none = "there is no file of checksums in it, as SHA256SUMS or NAME.sha256".to_owned();
            return (None, self.with_remarks(none));
        }
        let apart = |path: &Vec<u8>| of_others(self.own(path)).is_some();
        let unlisted = self.files.iter().filter(|(path, said)| said.is_empty() && !apart(path)).count();
        // Where there are several, which ones say so tells more.
        let by = |(path, lists): &(Vec<u8>, Vec<usize>)| {
            let lists: Vec<&Vec<u8>> = lists.iter().filter_map(|list| self.lists.get(*list)).collect();
            let all = first(lists.iter().copied().map(|list| shown(list)));
            if self.lists.len() > 1 { format!("{} by {all}", shown(path)) } else { shown(path) }
        };
        let weak =
            self.weak.map(|kind| format!(" ({} is weak: forged files can agree)", kind.name())).unwrap_or_default();
        let some = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let parts = [
            named(self.wrong.iter().map(by), "wrong"),
            Some(format!("{} right{weak}", self.right)),
            named(self.missing.iter().map(|path| shown(path)), "missing"),
            named(self.not_read.iter().map(|path| shown(path)), "not read"),
            some(unlisted, "not listed"),
            match self.outside {
                1 => Some("1 name that leads out of it".into()),
                many => some(many, "names that lead out of it"),
            },
            named(self.lists.iter().map(|path| shown(path)), if self.lists.len() == 1 { "list" } else { "lists" }),
        ];
        let said = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let agrees = if self.wrong.is_empty() { (self.right > 0).then_some(true) } else { Some(false) };
        (agrees, self.with_remarks(said))
    }

    /// These words, and behind them the first of the remarks.
    fn with_remarks(&self, mut said: String) -> String {
        self.remarks.iter().take(SHOWN).for_each(|remark| said.push_str(&format!("; {remark}")));
        match self.remarks.len().saturating_sub(SHOWN) {
            0 => said,
            more => format!("{said}; and {more} more"),
        }
    }
}

/// So many, and the first of them by their names.
fn named(names: impl ExactSizeIterator<Item = String>, what: &str) -> Option<String> {
    let count = names.len();
    (count > 0).then(|| format!("{count} {what} ({})", first(names)))
}

/// The first of some names, and how many more there are; nothing is made of those.
fn first(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let first = names.take(SHOWN).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// A path for a sentence: of one that is longer than any reader would go through, its beginning and its end.
fn shown(path: &[u8]) -> String {
    const LONGEST: usize = 240;
    let text = String::from_utf8_lossy(path);
    if text.len() <= LONGEST {
        return text.into_owned();
    }
    let (begin, end) = (text.floor_char_boundary(LONGEST / 3), text.ceil_char_boundary(text.len() - LONGEST / 2));
    format!("{}…{}", &text[..begin], &text[end..])
}

/// The folder of a path, with the slash at its end, and the name in it.
fn cut(path: &[u8]) -> (&[u8], &[u8]) {
    path.split_at(memchr::memrchr(b'/', path).map_or(0, |at| at + 1))
}

/// Whether a name in a list is one, and leads to nothing that is not below the list's folder.
fn is_below(name: &[u8]) -> bool {
    let step = |step: &[u8]| !step.is_empty() && step != b"." && step != b"..";
    name.split(|octet| *octet == b'/').all(step) && !name.iter().any(u8::is_ascii_control)
}
