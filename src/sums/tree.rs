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

/// A list.
#[derive(Debug)]
struct List {
    path: Vec<u8>,
    /// Whether it has any sum.
    holds: bool,
    /// The files that it names, of those that are right, by their numbers.
    right: Vec<usize>,
}

/// What lists say of a file: all sums, each with the first list that has it, and the lists that name it.
#[derive(Debug, Default)]
struct Said {
    sums: Vec<(Sum, usize)>,
    lists: Vec<usize>,
}

/// A folder and what its lists say.
#[derive(Debug, Default)]
pub struct Tree {
    /// The files by their paths from the top, with all that is said of each.
    files: BTreeMap<Vec<u8>, Said>,
    /// Paths by those that they would have with the name from where they came, and that name by the path here.
    saved: BTreeMap<Vec<u8>, Vec<u8>>,
    own: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The signatures of files by the paths of those, each behind the place of its ending.
    signatures: BTreeMap<Vec<u8>, BTreeSet<(usize, Vec<u8>)>>,
    /// The lists that were read.
    lists: Vec<List>,
    missing: BTreeSet<Vec<u8>>,
    /// Folders that cannot be read, with a slash at their ends, none below another, and what would be in one.
    unread: BTreeSet<Vec<u8>>,
    not_read: BTreeSet<Vec<u8>>,
    /// With the lists that are not right about each.
    wrong: Vec<(Vec<u8>, Vec<usize>)>,
    /// Names that lead out of the folder of their list, and others that are none.
    outside: usize,
    odd: usize,
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
        let files = files.into_iter().map(|path| (path, Said::default())).collect();
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

    fn signed(&self) -> BTreeMap<Vec<u8>, BTreeSet<(usize, Vec<u8>)>> {
        let mut found: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for path in self.files.keys() {
            if let Some((of, worth)) = signs(self.own(path)) {
                found.entry(self.saved(cut(path).0, of)).or_default().insert((worth, path.clone()));
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

    /// The files that hold sums of others, or may: what signs a list that is not there can be that list, signed in clear. What signs
    /// one that is there can be one as well, which shows when its signatures are read.
    pub fn lists(&self) -> Vec<Vec<u8>> {
        let holds = |path: &&Vec<u8>| {
            let own = self.own(path);
            is_list(list_name(own)) && (signs(own).is_none() || may_be_in_clear(own) && !self.signs_another(path))
        };
        self.files.keys().filter(holds).cloned().collect()
    }

    /// Whether a file is called a signature: then it is a list itself only if it is signed in clear.
    pub fn is_signature(&self, path: &[u8]) -> bool {
        signs(self.own(path)).is_some()
    }

    fn signs_another(&self, path: &[u8]) -> bool {
        let of = signs(self.own(path)).map(|(of, _)| self.saved(cut(path).0, of));
        of.is_some_and(|of| self.files.contains_key(&of))
    }

    /// Takes what one of them says; gives its number.
    pub fn list(&mut self, path: &[u8], text: &[u8]) -> usize {
        let (folder, number, mut holds) = (cut(path).0, self.lists.len(), false);
        let of = of_others(list_name(self.own(path))).and_then(|(_, of)| Some(of?.to_vec()));
        let alone = of.map(|name| (self.saved(folder, &name), name)).filter(|(of, _)| self.files.contains_key(of));
        self.lists.push(List { path: path.to_vec(), holds, right: Vec::new() });
        if let Some((of, name)) = &alone {
            for sum in said_of(name, text, true) {
                holds = true;
                self.note(of, sum);
            }
        }
        // What it says of others counts, too, or whoever puts a file there that it is called after has it passed over.
        let is_told = |other: &[u8]| {
            alone.as_ref().is_some_and(|(_, name)| cut(other).1 == name || cut(other.trim_ascii()).1 == name)
        };
        each(text, &mut |name, sum| {
            holds = true;
            if !is_told(&name) {
                self.take(folder, &name, sum);
            }
        });
        if let Some(list) = self.lists.last_mut() {
            list.holds = holds;
        }
        number
    }

    fn take(&mut self, folder: &[u8], name: &[u8], sum: Sum) {
        if !is_below(name) {
            let out = name.starts_with(b"/") || name.split(|octet| *octet == b'/').any(|step| step == b"..");
            *(if out { &mut self.outside } else { &mut self.odd }) += 1;
            return;
        }
        // Some write more blanks than one would.
        let names = [name, name.trim_ascii()].into_iter().filter(|name| is_below(name));
        match names.map(|name| self.saved(folder, name)).find(|path| self.files.contains_key(path)) {
            Some(path) => self.note(&path, sum),
            None if name.iter().any(u8::is_ascii_control) => self.odd += 1,
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
        let Some(said) = self.files.get_mut(path) else { return };
        if said.lists.last() != Some(&list) {
            said.lists.push(list);
        }
        if is_news(said.sums.iter().map(|(sum, _)| sum), &sum) {
            said.sums.push((sum, list));
        }
    }

    /// The signatures of a list, in the files that stand beside it.
    pub fn signatures(&self, list: &[u8]) -> Vec<Vec<u8>> {
        self.signatures.get(list).into_iter().flatten().map(|(_, path)| path.clone()).collect()
    }

    /// The files that are to be reckoned, and how: whatever is said of one has to be true, or whoever adds a list outvotes another.
    pub fn wanted(&self) -> Vec<(Vec<u8>, Vec<Kind>)> {
        let kinds = |said: &Said| said.sums.iter().map(|(sum, _)| sum.kind).collect::<BTreeSet<_>>();
        let said = self.files.iter().filter(|(_, said)| !said.sums.is_empty());
        said.map(|(path, said)| (path.clone(), kinds(said).into_iter().collect())).collect()
    }

    /// One of them is reckoned.
    pub fn reckoned(&mut self, path: &[u8], sums: &[Sum]) {
        let Some(said) = self.files.get(path).filter(|said| !said.sums.is_empty()) else { return };
        let against: BTreeSet<usize> =
            said.sums.iter().filter(|(sum, _)| !sums.contains(sum)).map(|(_, list)| *list).collect();
        if !against.is_empty() {
            return self.wrong.push((path.to_vec(), against.into_iter().collect()));
        }
        for list in &said.lists {
            if let Some(list) = self.lists.get_mut(*list) {
                list.right.push(self.right);
            }
        }
        self.right += 1;
        let best = said.sums.iter().map(|(sum, _)| sum.kind).max();
        self.weak = self.weak.or(best.filter(|kind| kind.is_weak()));
    }

    /// How many files are right.
    pub fn right(&self) -> usize {
        self.right
    }

    /// Those of them that the list of this number names, by their numbers.
    pub fn right_by(&self, list: usize) -> &[usize] {
        self.lists.get(list).map_or(&[], |list| &list.right)
    }

    /// Something could not be looked at, in words.
    pub fn remark(&mut self, words: String) {
        self.remarks.push(words);
    }

    /// The same, of what weighs more than all that was said so far.
    pub fn remark_first(&mut self, words: String) {
        self.remarks.insert(0, words);
    }

    /// Whether it is what it should be, `None` where nothing could tell, and that in words.
    pub fn verdict(mut self) -> (Option<bool>, String) {
        if let Some(words) = self.not_looked_at() {
            self.remark_first(words);
        }
        let (lists, empty): (Vec<&List>, Vec<&List>) = self.lists.iter().partition(|list| list.holds);
        let empty = named(empty.iter().map(|list| shown(&list.path)), "without checksums");
        if lists.is_empty() {
            let none = "there is no file of checksums in it, as SHA256SUMS or NAME.sha256";
            let said = [Some(none.to_owned()), empty].into_iter().flatten().collect::<Vec<_>>().join("; ");
            return (None, self.with_remarks(said));
        }
        let apart: BTreeSet<&[u8]> = lists.iter().map(|list| &*list.path).collect();
        let is_apart = |path: &Vec<u8>| apart.contains(&**path) || self.signs_another(path);
        let unlisted = self.files.iter().filter(|(path, said)| said.sums.is_empty() && !is_apart(path)).count();
        // Where there are several, which ones say so tells more.
        let by = |(path, against): &(Vec<u8>, Vec<usize>)| {
            let against: Vec<&List> = against.iter().filter_map(|list| self.lists.get(*list)).collect();
            let all = first(against.iter().map(|list| shown(&list.path)));
            if lists.len() > 1 { format!("{} by {all}", shown(path)) } else { shown(path) }
        };
        let weak =
            self.weak.map(|kind| format!(" ({} is weak: forged files can agree)", kind.name())).unwrap_or_default();
        let some = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let parts = [
            named(self.wrong.iter().map(by), "wrong"),
            Some(format!("{} right{weak}", self.right)),
            named(self.missing.iter().map(|path| shown(path)), "missing"),
            named(self.not_read.iter().map(|path| shown(path)), "not read"),
            some(unlisted, "not listed", "not listed"),
            some(self.outside, "name that leads out of it", "names that lead out of it"),
            some(self.odd, "name that no file here can have", "names that no file here can have"),
            named(lists.iter().map(|list| shown(&list.path)), if lists.len() == 1 { "list" } else { "lists" }),
            empty,
        ];
        let said = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let agrees = if self.wrong.is_empty() { (self.right > 0).then_some(true) } else { Some(false) };
        (agrees, self.with_remarks(said))
    }

    /// The signatures of files that are no lists, in words.
    fn not_looked_at(&self) -> Option<String> {
        let signed = self.signatures.iter().filter(|(of, _)| self.files.contains_key(*of));
        let signed = signed.filter(|(of, _)| !is_list(list_name(self.own(of))));
        let all: Vec<&Vec<u8>> = signed.flat_map(|(_, all)| all.iter().map(|(_, path)| path)).collect();
        let first = first(all.iter().map(|path| shown(path)));
        match all.len() {
            0 => None,
            1 => {
                Some(format!("1 signature of a file is not looked at ({first}): save that file alone, and :verify it"))
            }
            many => Some(format!(
                "{many} signatures of files are not looked at ({first}): save such a file alone, and :verify it"
            )),
        }
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

/// The name of the list that a file called so is, or signs.
fn list_name(own: &[u8]) -> &[u8] {
    signs(own).map_or(own, |(of, _)| of)
}

fn is_list(own: &[u8]) -> bool {
    matches!(of_others(own), Some((Beside::Sums(..), _)))
}

/// Whether a name in a list is one, and leads to nothing that is not below the list's folder.
fn is_below(name: &[u8]) -> bool {
    let step = |step: &[u8]| !step.is_empty() && step != b"." && step != b"..";
    name.split(|octet| *octet == b'/').all(step)
}
