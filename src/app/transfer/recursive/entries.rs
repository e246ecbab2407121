//! A listing into a plan: which of its entries come, under which names, and which are left out and why.
//!
//! Refuses: names that are no names (`../x`), what is neither file nor directory, and a directory that was met before.

use super::{DEPTH, DIRECTORIES, ENTRIES, NAMED, NAMES, earlier, links, names, plan};
use crate::app::state::listing::{self, Found};
use crate::app::state::transfers::{Branch, Crawl, Linked, Reading, Scope, Why};
use crate::app::transfer::name::{Naming, is_home, is_own, seen, written};
use crate::app::{Leaf, Manner, Sight, Tree};
use crate::proto::Request;
use crate::url::scheme::{self, Family};
use crate::url::{Url, equal};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

impl Crawl {
    /// A plan with nothing in it yet; what was saved into the folder before holds of it, names as well.
    pub(super) fn new(sight: Sight<'_>, root: Url, folder: String, request: Request, scope: Scope) -> Crawl {
        let before = earlier(sight, &root, &folder).map(|download| &download.manner);
        let links = before.map(|manner| manner.links).unwrap_or_default();
        let in_home = is_home(sight, &folder);
        Crawl {
            root,
            folder,
            request,
            now: Vec::new(),
            next: VecDeque::new(),
            seen: BTreeSet::new(),
            leaves: Vec::new(),
            octets: 0,
            unsized_files: 0,
            links: Vec::new(),
            manner: Manner { links, names: Vec::new(), rows: None },
            given: before.map(|manner| names::by_directory(&manner.names)).unwrap_or_default(),
            folders: Vec::new(),
            times: Vec::new(),
            scope,
            saved_names: sight.desk.settings.saved_names,
            folds: sight.desk.choices.folds_case,
            in_home,
            changes: Vec::new(),
            entries: 0,
            named: 0,
            directories: 0,
            left_out: BTreeMap::new(),
            beyond: 0,
            notes: Vec::new(),
        }
    }

    /// A directory is not, or not all of it, in the plan.
    pub(super) fn leave_all(&mut self, reading: &Reading, why: &str) {
        let path = &reading.branch.path;
        let path = if path.is_empty() { "the directory itself" } else { path };
        self.leave(Why::Refused, format!("{path}: {why}"));
    }

    /// Adds a file to the plan.
    pub(super) fn add(&mut self, leaf: Leaf) {
        match leaf.size {
            Some(size) => self.octets = self.octets.saturating_add(size),
            None => self.unsized_files += 1,
        }
        self.leaves.push(leaf);
    }

    pub(super) fn leave(&mut self, why: Why, what: String) {
        let names = self.left_out.entry(why).or_default();
        match why {
            // A listing may go on for long after.
            Why::Many if names.len() >= NAMED => self.beyond += 1,
            _ => names.push(what),
        }
    }

    /// Puts an entry into the plan, or leaves it out; one that has to have another name waits for all that can keep theirs.
    pub(super) fn take(&mut self, reading: &mut Reading, found: Found) {
        let shown = format!("{}{}", reading.branch.path, own(&found));
        if let Scope::MarkedAgain(rows) = &mut self.scope
            && reading.branch.path.is_empty()
            && !rows.remove(&shown)
        {
            return;
        }
        self.entries += 1;
        self.named += shown.len() + reading.branch.url.as_str().len();
        if self.entries > ENTRIES || self.named > NAMES {
            return self.leave(Why::Many, shown);
        }
        // One address cannot be two files: what comes of the second would stand in for the first.
        if !reading.named.insert(own(&found)) {
            return self.leave(Why::Twice, shown);
        }
        let link = found.left == Some(Why::Link);
        if let Some(why) = found.left.filter(|_| !link) {
            return self.leave(why, shown);
        }
        let name = self.name(reading, &found);
        if name.is_empty() || !is_one_name(&found.octets) {
            return self.leave(Why::Name, shown);
        }
        // Where capitals count, what could not stay as it was when it was saved before, and now can, is in nobody's way.
        if !reading.names.folds && is_own(&name, &found.name) && reading.names.take(&name) {
            return self.put(&reading.branch, found, name);
        }
        match reading.names.given(&own(&found)) {
            Some(given) => self.put(&reading.branch, found, given),
            // In another charset it has other octets here.
            None if is_own(&name, &found.name) && reading.names.take(&name) => {
                self.put(&reading.branch, found, name);
            }
            None => reading.held.push(found),
        }
    }

    /// A directory has ended: what waits has its name, first what would keep its own.
    pub(super) fn take_held(&mut self, reading: &mut Reading) {
        reading.names.release();
        let held = std::mem::take(&mut reading.held);
        let mut held: Vec<_> = held.into_iter().map(|found| (self.name(reading, &found), found)).collect();
        held.sort_by_key(|(name, found)| !is_own(name, &found.name));
        for (name, found) in held {
            let name = reading.names.free(name);
            self.put(&reading.branch, found, name);
        }
    }

    /// What an entry would be called, if it were alone; nothing at all, perhaps.
    fn name(&self, reading: &Reading, found: &Found) -> String {
        let name = Naming::of(self.saved_names, found.charset).kept(&found.name);
        // In the reader's home, what is hidden means something to programs.
        if self.in_home && reading.branch.path.is_empty() { seen(&name).to_owned() } else { name }
    }

    /// Puts an entry that has a name into the plan.
    fn put(&mut self, branch: &Branch, found: Found, name: String) {
        let (directory, mut marks, depth) = (branch.path.clone(), branch.marks.clone(), branch.depth + 1);
        let naming = Naming::of(self.saved_names, found.charset);
        let (shown, link) = (format!("{directory}{}", own(&found)), found.left == Some(Why::Link));
        let Some(url) = listing::child(&branch.url, &found) else { return self.leave(Why::Name, shown) };
        if !is_own(&name, &found.name) {
            self.changes.push(format!("{shown} is saved as {directory}{name}"));
            if names::is_kept(&shown, self.manner.names.len()) {
                self.manner.names.push((shown.clone(), name.clone()));
            }
        }
        if link || !found.directory {
            let leaf = Leaf {
                url: if link { as_file(url) } else { url },
                path: format!("{directory}{name}"),
                // Those of a link are its own, not those of what it leads to.
                size: found.size.filter(|_| !link),
                modified: found.modified.filter(|_| !link),
                runs: found.runs && !link,
                link,
                anew: false,
                replaces: false,
                mark: found.mark,
            };
            match link {
                true => self.links.push(Linked::new(leaf, found.target.as_deref(), &directory, naming)),
                false => self.add(leaf),
            }
            return;
        }
        match () {
            () if depth > DEPTH => self.leave(Why::Deep, shown),
            () if self.seen.len() >= DIRECTORIES => self.leave(Why::Many, shown),
            () if found.mark.as_ref().is_some_and(|mark| marks.contains(mark)) => self.leave(Why::Seen, shown),
            () if !self.seen.insert(equal::normal(&url).into_owned()) => self.leave(Why::Seen, shown),
            () => {
                marks.extend(found.mark);
                self.folders.push(format!("{directory}{name}"));
                self.times.extend(found.modified.map(|time| (format!("{directory}{name}"), time)));
                let path = format!("{directory}{name}/");
                self.next.push_back(Branch { url, path, depth, marks });
            }
        }
    }

    /// The plan, agreed to.
    pub(super) fn agreed(self) -> Tree {
        let mut remarks = plan::left_out(&self);
        let links::Sorted { files, made: links, left } = links::sorted(self.links, self.manner.links);
        remarks.extend(left.iter().map(|(path, why)| format!("{path}: {why}")));
        let hides = |why: &Why| matches!(why, Why::Refused | Why::Many | Why::Deep | Why::Seen);
        let leaves: Vec<Leaf> = self.leaves.into_iter().chain(files).collect();
        let mut pending: Vec<usize> = (0..leaves.len()).collect();
        if scheme::family(&self.root) == Family::Archive {
            // One that is compressed as a whole is read in one go then, and not from its beginning for each file.
            pending.sort_by(|a, b| leaves[*a].mark.cmp(&leaves[*b].mark));
        }
        Tree {
            pending: pending.into(),
            leaves,
            links,
            apart: left.into_iter().map(|(path, _)| path).collect(),
            folders: self.folders,
            times: self.times,
            again: matches!(self.scope, Scope::Again),
            whole_sight: !self.left_out.keys().any(hides),
            changes: self.changes,
            remarks,
            ..Tree::default()
        }
    }
}

/// The address of a link as that of a file: only what leads to one can be fetched so.
pub(super) fn as_file(url: Url) -> Url {
    let file = (scheme::family(&url) == Family::Ftp).then(|| Url::parse(format!("{};type=i", url.as_str())).ok());
    file.flatten().unwrap_or(url)
}

/// A name as the server has it, in characters.
fn own(found: &Found) -> String {
    written(if found.octets.is_empty() { found.shown.as_bytes() } else { &found.octets })
}

/// Whether a name is one component, whatever the system it comes from.
fn is_one_name(octets: &[u8]) -> bool {
    !octets.iter().any(|octet| matches!(octet, b'/' | 0 | b'\r' | b'\n')) && !matches!(octets, b"." | b"..")
}
