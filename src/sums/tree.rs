//! A folder with all below it, and what the lists of sums in it say of its files: which are to be reckoned, and what came of it.
//!
//! Names in lists are only looked up among the files that are there, below the folder of the list: none leads anywhere. Refuses:
//! reading files, judging signatures.

use super::{Beside, Kind, Said, Sum, Sums, each, of_others, said_of};
use std::collections::{BTreeMap, BTreeSet};

/// How the signature of a list ends, by custom.
const SIGNED: &[&str] = &[".asc", ".sig", ".sign", ".gpg"];
/// Names of one sort that are said.
const SHOWN: usize = 5;

/// The path from the top of what has a name in a folder, which has a slash at its end unless it is the top.
pub type Saved<'a> = dyn Fn(&[u8], &[u8]) -> Vec<u8> + 'a;

/// A folder and what its lists say.
#[derive(Debug, Default)]
pub struct Tree {
    /// The files by their paths from the top, with what is said of each.
    files: BTreeMap<Vec<u8>, Sums>,
    /// The lists that said something.
    lists: Vec<Vec<u8>>,
    missing: BTreeSet<Vec<u8>>,
    wrong: Vec<Vec<u8>>,
    /// Names that lead out of the folder of their list, or are none.
    outside: usize,
    right: usize,
    weak: Option<Kind>,
    remarks: Vec<String>,
}

impl Tree {
    /// Of the files that have these paths, steps between slashes.
    pub fn new(files: impl IntoIterator<Item = Vec<u8>>) -> Tree {
        Tree { files: files.into_iter().map(|path| (path, Sums::default())).collect(), ..Tree::default() }
    }

    /// The files that hold sums of others.
    pub fn lists(&self) -> Vec<Vec<u8>> {
        let holds = |path: &&Vec<u8>| matches!(of_others(cut(path).1), Some((Beside::Sums(..), _)));
        self.files.keys().filter(holds).cloned().collect()
    }

    /// Takes what one of them says; `saved` tells the path of what has a name in a folder, where it is another one here.
    pub fn list(&mut self, path: &[u8], text: &[u8], saved: &Saved<'_>) {
        let (folder, name) = cut(path);
        let own = of_others(name).and_then(|(_, of)| of).map(|of| saved(folder, of));
        self.lists.push(path.to_vec());
        if let Some((of, sums)) =
            own.and_then(|of| self.files.get_key_value(&of).map(|_| of.clone()).zip(self.files.get_mut(&of)))
        {
            match said_of(cut(&of).1, text, true) {
                Said::Sum(sum) => sums.note(sum),
                Said::Two(kind) => self.remarks.push(format!("{} says two {} of it", shown(path), kind.name())),
                Said::Nothing => self.remarks.push(format!("{} has no checksum", shown(path))),
            }
            return;
        }
        each(text, &mut |name, sum| self.take(folder, &name, sum, saved));
    }

    fn take(&mut self, folder: &[u8], name: &[u8], sum: Sum, saved: &Saved<'_>) {
        if !is_below(name) {
            self.outside += 1;
            return;
        }
        // Some write more blanks than one would.
        let mut known =
            [name, name.trim_ascii()].into_iter().filter(|name| is_below(name)).map(|name| saved(folder, name));
        match known.find(|path| self.files.contains_key(path)) {
            Some(path) => self.files.entry(path).or_default().note(sum),
            None => {
                self.missing.insert([folder, name].concat());
            }
        }
    }

    /// The signature of a list, in the file that stands beside it.
    pub fn signature(&self, list: &[u8]) -> Option<Vec<u8>> {
        let beside = |ending: &str| [list, ending.as_bytes()].concat();
        SIGNED.iter().map(|ending| beside(ending)).find(|path| self.files.contains_key(path))
    }

    /// The files that are to be reckoned, and how.
    pub fn wanted(&self) -> Vec<(Vec<u8>, Kind)> {
        let kind = |(path, sums): (&Vec<u8>, &Sums)| match sums.said() {
            Said::Sum(sum) => Some((path.clone(), sum.kind)),
            Said::Two(_) | Said::Nothing => None,
        };
        self.files.iter().filter_map(kind).collect()
    }

    /// One of them is reckoned.
    pub fn reckoned(&mut self, path: &[u8], digits: &str) {
        let Some(Said::Sum(sum)) = self.files.get(path).map(Sums::said) else { return };
        match sum.digits == digits {
            true => {
                self.right += 1;
                self.weak = self.weak.or(Some(sum.kind).filter(|kind| kind.is_weak()));
            }
            false => self.wrong.push(path.to_vec()),
        }
    }

    /// Something could not be looked at, in words.
    pub fn remark(&mut self, words: String) {
        self.remarks.push(words);
    }

    /// Whether it is what it should be, `None` where nothing could tell, and that in words.
    pub fn verdict(mut self) -> (Option<bool>, String) {
        if self.lists.is_empty() {
            self.remarks.insert(0, "there is no file of checksums in it, as SHA256SUMS or NAME.sha256".into());
            return (None, self.remarks.join("; "));
        }
        let two =
            self.files.iter().filter(|(_, sums)| matches!(sums.said(), Said::Two(_))).map(|(path, _)| path.clone());
        self.wrong.extend(two);
        let apart = |path: &Vec<u8>| of_others(cut(path).1).is_some();
        let unlisted = |(path, sums): &(&Vec<u8>, &Sums)| sums.said() == Said::Nothing && !apart(path);
        let unlisted = self.files.iter().filter(unlisted).count();
        let weak =
            self.weak.map(|kind| format!(" ({} is weak: forged files can agree)", kind.name())).unwrap_or_default();
        let some = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
        let parts = [
            named(self.wrong.iter(), "wrong"),
            Some(format!("{} right{weak}", self.right)),
            named(self.missing.iter(), "missing"),
            some(unlisted, "not listed"),
            match self.outside {
                1 => Some("1 name that leads out of it".into()),
                many => some(many, "names that lead out of it"),
            },
            named(self.lists.iter(), "lists").map(|lists| lists.replacen("1 lists", "1 list", 1)),
        ];
        let mut said: Vec<String> = vec![parts.into_iter().flatten().collect::<Vec<_>>().join(", ")];
        let more = self.remarks.len().saturating_sub(SHOWN);
        said.extend(self.remarks.drain(..).take(SHOWN));
        said.extend((more > 0).then(|| format!("and {more} more")));
        let agrees = if self.wrong.is_empty() { (self.right > 0).then_some(true) } else { Some(false) };
        (agrees, said.join("; "))
    }
}

/// So many, and the first of them by their names.
fn named<'a>(paths: impl ExactSizeIterator<Item = &'a Vec<u8>>, what: &str) -> Option<String> {
    let count = paths.len();
    let first: Vec<String> = paths.take(SHOWN).map(|path| shown(path)).collect();
    let more = if count > SHOWN { format!(" and {} more", count - SHOWN) } else { String::new() };
    (count > 0).then(|| format!("{count} {what} ({}{more})", first.join(", ")))
}

fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
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
