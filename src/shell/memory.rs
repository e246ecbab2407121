//! What is kept from one run to the next, in plain text files, one line each: words typed at prompts, charsets, orders, the
//! reader view, the measure, hidden files and owners by host, what directories listed, marks, visits to news servers, the grounds of terminals.

use super::ground::Ground;
use super::marks;
use crate::app::{LONGEST_WORDS, PromptKind, Remembered, SiteChoice};
use crate::disk::{self, Fresh, Lines};
use crate::visits::Forget;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Prompts whose words are kept, by the names under which the file has them.
const PROMPTS: &[(PromptKind, &str)] = &[
    (PromptKind::Open, "open"),
    (PromptKind::Find, "find"),
    (PromptKind::FindLink, "find-link"),
    (PromptKind::Search, "search"),
    (PromptKind::Answer, "answer"),
    (PromptKind::Name, "name"),
    (PromptKind::Command, "command"),
];

/// Lines that are kept when a file is shortened; older ones go.
const KEPT: usize = 500;

/// Whether only the content of a host's pages is shown, or its prose is set by the measure.
const ON: &str = "on";
const OFF: &str = "off";

/// A line that is longer holds more than is remembered, in octets: a name and a time stand beside the words.
const LONGEST_LINE: usize = LONGEST_WORDS + 256;

/// Words by prompt, the oldest first.
pub(super) type Words = BTreeMap<PromptKind, Vec<String>>;

/// The files.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    words: Lines,
    charsets: Lines,
    orders: Lines,
    reader: Lines,
    measure: Lines,
    hidden: Lines,
    owners: Lines,
    shows: Lines,
    listings: Lines,
    visits: Lines,
    grounds: Lines,
    marks: Lines,
}

/// A line: a name, what is kept under it, when it was.
struct Row<'a> {
    name: &'a str,
    value: &'a str,
    time: Option<i64>,
}

impl Memory {
    /// In a folder.
    pub(super) fn new(folder: &Path) -> Memory {
        let file = |name: &'static str| Lines::new(folder.join(name), name);
        let (words, charsets, orders) = (file("words"), file("charsets"), file("orders"));
        let (reader, measure, visits, grounds) = (file("reader"), file("measure"), file("visits"), file("grounds"));
        let (shows, marks, hidden, owners) = (file("shows"), file("marks"), file("hidden"), file("owners"));
        let listings = file("listings");
        Memory { words, charsets, orders, reader, measure, hidden, owners, shows, listings, visits, grounds, marks }
    }

    /// Reads all. Of a name the last line counts.
    pub(super) fn read(&self) -> Remembered {
        let mut found = Remembered::default();
        for (name, typed, _) in pairs(&self.words, &mut found.remarks) {
            let known = PROMPTS.iter().find(|(_, known)| *known == name).filter(|_| typed.len() <= LONGEST_WORDS);
            let Some((prompt, _)) = known else { continue };
            let kept = found.words.entry(*prompt).or_default();
            kept.retain(|earlier| *earlier != typed);
            kept.push(typed);
        }
        let two = |(name, value, _): (String, String, Option<i64>)| (name, value);
        found.charsets = pairs(&self.charsets, &mut found.remarks).into_iter().map(two).collect();
        found.orders = pairs(&self.orders, &mut found.remarks).into_iter().map(two).collect();
        found.shows = pairs(&self.shows, &mut found.remarks).into_iter().map(two).collect();
        found.listings = pairs(&self.listings, &mut found.remarks).into_iter().map(two).collect();
        let mut hosts = |file: &Lines, wanted: &str| -> BTreeSet<String> {
            let last: BTreeMap<_, _> = pairs(file, &mut found.remarks).into_iter().map(two).collect();
            last.into_iter().filter(|(_, said)| said == wanted).map(|(host, _)| host).collect()
        };
        (found.reader, found.unmeasured) = (hosts(&self.reader, ON), hosts(&self.measure, OFF));
        (found.hidden, found.owners) = (hosts(&self.hidden, ON), hosts(&self.owners, ON));
        let visits = pairs(&self.visits, &mut found.remarks).into_iter().map(two);
        let mut wrongs = None;
        let marks = pairs(&self.marks, &mut found.remarks).into_iter();
        for (letter, value, time) in marks {
            if let Err(wrong) = marks::take(&mut found.marks, &letter, &value, time) {
                let path = disk::shown(self.marks.path());
                wrongs.get_or_insert(format!("{path}: {wrong}; it is left out"));
            }
        }
        found.remarks.extend(wrongs);
        found.listed = visits.filter_map(|(server, time)| Some((server, time.parse().ok()?))).collect();
        found
    }

    /// The words alone.
    pub(super) fn words(&self) -> Words {
        self.read().words
    }

    /// The file that has the words of a prompt; `None` when they are not kept.
    pub(super) fn of_prompt(&self, prompt: PromptKind) -> Option<(&Lines, &'static str)> {
        PROMPTS.iter().find(|(kind, _)| *kind == prompt).map(|(_, name)| (&self.words, *name))
    }

    /// The file that has such a choice, and its words there; `None` for what has a store of its own.
    pub(super) fn of_choice(&self, choice: &SiteChoice) -> Option<(&Lines, String)> {
        match choice {
            SiteChoice::Charset(name) => Some((&self.charsets, name.clone())),
            SiteChoice::Order(words) => Some((&self.orders, words.clone())),
            SiteChoice::Reader(on) => Some((&self.reader, if *on { ON } else { OFF }.to_owned())),
            SiteChoice::Measure(on) => Some((&self.measure, if *on { ON } else { OFF }.to_owned())),
            SiteChoice::Hidden(on) => Some((&self.hidden, if *on { ON } else { OFF }.to_owned())),
            SiteChoice::Owners(on) => Some((&self.owners, if *on { ON } else { OFF }.to_owned())),
            SiteChoice::Show(words) => Some((&self.shows, words.clone())),
            SiteChoice::Listing(words) => Some((&self.listings, words.clone())),
            SiteChoice::Visit(time) => Some((&self.visits, time.to_string())),
        }
    }

    /// The ground that terminals of a name had last.
    pub(super) fn ground(&self, term: &str) -> Option<Ground> {
        // What is wrong with the file is told with that of the others.
        let mut known = pairs(&self.grounds, &mut Vec::new()).into_iter();
        known.rfind(|(name, ..)| name == term).and_then(|(_, ground, _)| Ground::named(&ground))
    }

    /// The file that has them.
    pub(super) fn grounds(&self) -> &Lines {
        &self.grounds
    }

    /// The file of the marks.
    pub(super) fn marks(&self) -> &Lines {
        &self.marks
    }

    /// All files.
    pub(super) fn files(&self) -> [&Lines; 12] {
        let of_hosts = [&self.charsets, &self.orders, &self.reader, &self.measure, &self.visits];
        let [charsets, orders, reader, measure, visits] = of_hosts;
        let [hidden, owners] = [&self.hidden, &self.owners];
        [
            &self.words,
            charsets,
            orders,
            reader,
            measure,
            visits,
            &self.grounds,
            &self.marks,
            &self.shows,
            &self.listings,
            hidden,
            owners,
        ]
    }
}

/// Adds a line to a file.
pub(super) fn add(file: &Lines, name: &str, value: &str, time: i64) -> Result<(), String> {
    let line = format!("{name}\t{}\t{time}\n", value.replace(['\n', '\r', '\t'], " "));
    file.add(&line).map_err(|error| cannot(file, &error))
}

/// Takes what is to be forgotten out of a file. Lines without a time are of no span. What was chosen or deleted since does not come
/// back as it was before: of a name the last line is judged, where that alone counts.
pub(super) fn forget(file: &Lines, what: &Forget) -> Result<(), String> {
    let counts = if file.path().ends_with("words") { Counts::All } else { Counts::Last };
    // A mark's line has more than its address.
    let of = |row: &Row<'_>| [row.name, row.value, row.value.split(' ').next().unwrap_or_default()].map(String::from);
    anew(file, |row| !of(row).iter().any(|text| what.concerns(text, row.time)), (usize::MAX, counts))
}

/// Takes the oldest lines out of a file that has grown long, and lines that are longer than what is remembered.
pub(super) fn shorten(file: &Lines) -> Result<(), String> {
    let long = |octets: &[u8]| {
        let mut lines = octets.split(|octet| *octet == b'\n');
        lines.clone().count() > 2 * KEPT + 1 || lines.any(|line| line.len() > LONGEST_LINE)
    };
    if !file.octets().is_ok_and(|octets| long(&octets)) {
        return Ok(());
    }
    // A mark is not lost because others were set a thousand times.
    let last = ["marks", "listings"].iter().any(|name| file.path().ends_with(name));
    let counts = if last { Counts::Last } else { Counts::All };
    anew(file, |row| row.value.len() <= LONGEST_WORDS, (KEPT, counts))
}

/// Which lines of a name are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    All,
    Last,
}

fn anew(file: &Lines, stays: impl Fn(&Row<'_>) -> bool, (most, counts): (usize, Counts)) -> Result<(), String> {
    let done = file.anew(|octets| {
        let (mut lines, mut bad) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(octets.split(|b| *b == b'\n')) {
            match row(line) {
                Ok(Some((text, row))) => lines.push((row, text)),
                Ok(None) => {}
                Err(_) => bad.push(number),
            }
        }
        if counts == Counts::Last {
            let mut names = BTreeSet::new();
            lines.reverse();
            lines.retain(|(row, _)| names.insert(row.name));
            lines.reverse();
        }
        lines.retain(|(row, _)| stays(row));
        let recent = &lines[lines.len().saturating_sub(most)..];
        Some(Fresh { lines: recent.iter().flat_map(|(_, line)| [line, "\n"]).collect(), bad })
    });
    done.map_err(|error| cannot(file, &error))
}

fn cannot(file: &Lines, error: &std::io::Error) -> String {
    format!("{}; it is not kept yet", disk::wrong(file.path(), error))
}

/// The lines of a file, the newest last. What makes no sense is told and costs only itself.
fn pairs(file: &Lines, remarks: &mut Vec<String>) -> Vec<(String, String, Option<i64>)> {
    let path = disk::shown(file.path());
    let octets = match file.octets() {
        Ok(octets) => octets,
        Err(error) => {
            remarks.push(format!("{}; nothing is known from it", disk::wrong(file.path(), &error)));
            return Vec::new();
        }
    };
    if let Some(version) = file.newer(&octets) {
        remarks.push(file.newer_sentence(version));
        return Vec::new();
    }
    let (mut pairs, mut told) = (Vec::new(), false);
    for (number, line) in (1..).zip(octets.split(|b| *b == b'\n')) {
        match row(line) {
            Ok(row) => pairs.extend(row.map(|(_, row)| (row.name.into(), row.value.into(), row.time))),
            Err(_) if told => {}
            Err(wrong) => {
                remarks.push(format!("{path}:{number}: {wrong}; the line is left out"));
                told = true;
            }
        }
    }
    pairs
}

/// A line and what it says; `None` for one that says nothing.
fn row(line: &[u8]) -> Result<Option<(&str, Row<'_>)>, &'static str> {
    let text = std::str::from_utf8(line).map_err(|_| "this is not UTF-8")?;
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let (name, rest) = text.split_once('\t').ok_or("a line needs two words with a TAB between them")?;
    let (value, time) = rest.split_once('\t').map_or((rest, None), |(value, time)| (value, time.parse().ok()));
    Ok(Some((text, Row { name, value, time })))
}

/// The reader's state folder; `None` when nothing may be written, or there is no home.
pub(super) fn folder(safe: bool) -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "wayfarer").filter(|_| !safe)?;
    Some(folders.state_dir().unwrap_or(folders.data_dir()).to_path_buf())
}

/// Whether the reader has never been here. From now on they have.
pub(super) fn greets(folder: Option<&Path>) -> bool {
    // A folder that cannot be made is told of when something is to be kept.
    folder.filter(|folder| !folder.exists()).is_some_and(|folder| fs::create_dir_all(folder).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::append;

    fn open(folder: &Path, word: &str, time: i64) {
        let memory = Memory::new(folder);
        let (file, name) = memory.of_prompt(PromptKind::Open).unwrap();
        add(file, name, word, time).unwrap();
    }

    fn choose(folder: &Path, host: &str, choice: SiteChoice) {
        let memory = Memory::new(folder);
        let (file, words) = memory.of_choice(&choice).unwrap();
        add(file, host, &words, 1).unwrap();
    }

    #[test]
    fn what_is_kept_comes_back_and_stays_short() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        assert!(greets(Some(&state)));
        assert!(!greets(Some(&state)));
        let memory = Memory::new(&state);
        (0..KEPT * 3).for_each(|i| open(&state, &format!("gopher://h/{i}"), 1));
        open(&state, "two\nlines", 1);
        assert!(memory.of_prompt(PromptKind::Hint).is_none(), "hints are not kept");
        append(&state.join("words"), b"\xFF\n").unwrap();
        let found = memory.read();
        let line = KEPT * 3 + 3;
        assert!(found.remarks[0].contains(&format!("words:{line}: this is not UTF-8")), "{:?}", found.remarks);
        assert_eq!(found.words[&PromptKind::Open].last().unwrap(), "two lines");
        shorten(memory.files()[0]).unwrap();
        assert_eq!(memory.words()[&PromptKind::Open].len(), KEPT);
        assert_eq!(fs::read(state.join("words.bad")).unwrap(), b"\xFF\n");
        for choice in ["cp437", "utf-8"] {
            choose(&state, "h", SiteChoice::Charset(choice.into()));
        }
        choose(&state, "", SiteChoice::Order("size reverse".into()));
        for (host, on) in [("h", true), ("other", true), ("other", false)] {
            choose(&state, host, SiteChoice::Reader(on));
        }
        let found = memory.read();
        assert_eq!(found.reader.iter().collect::<Vec<_>>(), ["h"]);
        assert_eq!(found.orders.get("").map(String::as_str), Some("size reverse"), "files have no host");
        assert_eq!(found.charsets.get("h").map(String::as_str), Some("utf-8"));
        assert_eq!(found.remarks, [""; 0]);
    }

    #[test]
    fn a_mark_outlives_a_thousand_others_and_goes_with_what_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::new(folder.path());
        let set = |letter: &str, value: &str, time| add(memory.marks(), letter, value, time).unwrap();
        set("a", "gopher://h/0/a 12 3 Of lanterns", 1);
        (0..KEPT * 3).for_each(|n| set("b", &format!("gopher://h/{n} 0 0"), 2));
        set("c", "gopher://other/ 0 0", 3);
        set("c", "", 4);
        append(&folder.path().join("marks"), b"ab\tgopher://h/ 0 0\t5\n").unwrap();
        let found = memory.read();
        assert!(
            found.remarks[0].contains("marks: \"ab\" is no letter of a mark; it is left out"),
            "{:?}",
            found.remarks
        );
        shorten(memory.marks()).unwrap();
        let marks = memory.read().marks;
        assert_eq!(marks.keys().collect::<String>(), "ab");
        assert_eq!((marks[&'a'].top.block, marks[&'a'].title.as_str()), (12, "Of lanterns"));
        let url = crate::url::Url::parse("gopher://h/0/a").unwrap();
        forget(memory.marks(), &Forget::Page(url)).unwrap();
        assert_eq!(memory.read().marks.keys().collect::<String>(), "b");
    }

    #[test]
    fn what_was_deleted_since_does_not_come_back_when_that_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::new(folder.path());
        let set = |letter: &str, value: &str, time| add(memory.marks(), letter, value, time).unwrap();
        set("a", "gopher://h/0/a 12 3 Of lanterns", 1);
        set("b", "gopher://h/0/b 0 0", 2);
        set("a", "", 9);
        for (on, time) in [(true, 1), (false, 9)] {
            let (file, words) = memory.of_choice(&SiteChoice::Reader(on)).unwrap();
            add(file, "h", &words, time).unwrap();
        }
        memory.files().iter().for_each(|file| forget(file, &Forget::Since(5)).unwrap());
        let found = memory.read();
        assert_eq!(found.marks.keys().collect::<String>(), "b");
        assert!(found.reader.is_empty(), "{:?}", found.reader);
    }

    #[test]
    fn words_that_are_longer_than_what_is_remembered_are_gone_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path(), "gopher://h/", 1);
        open(folder.path(), &"x".repeat(1_100_000), 2);
        open(folder.path(), &"y".repeat(LONGEST_WORDS), 3);
        let memory = Memory::new(folder.path());
        assert_eq!(memory.words()[&PromptKind::Open].len(), 2, "the long one is not read");
        shorten(memory.files()[0]).unwrap();
        assert!(fs::metadata(folder.path().join("words")).unwrap().len() < 5000);
        assert_eq!(memory.words()[&PromptKind::Open].len(), 2);
    }

    #[test]
    fn lines_of_earlier_versions_without_a_first_line_or_times_are_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("words"), "open\tgopher://h/\nfind\tcut of").unwrap();
        open(folder.path(), "gopher://later/", 1);
        let words = Memory::new(folder.path()).words();
        assert_eq!(words[&PromptKind::Open], ["gopher://h/", "gopher://later/"]);
        assert_eq!(words[&PromptKind::Find], ["cut of"]);
    }

    #[test]
    fn a_newer_or_unreadable_file_is_told_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let newer = "# wayfarer words 2\nwhatever\n";
        fs::write(folder.path().join("words"), newer).unwrap();
        fs::create_dir(folder.path().join("orders")).unwrap();
        let memory = Memory::new(folder.path());
        let remarks = memory.read().remarks;
        assert!(remarks[0].contains("words:1: from a newer Wayfarer (version 2)"), "{remarks:?}");
        assert!(remarks[1].contains("orders: Is a directory; nothing is known"), "{remarks:?}");
        open(folder.path(), "gopher://h/", 1);
        forget(memory.files()[0], &Forget::All).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("words")).unwrap(), newer);
        assert!(add(memory.files()[2], "h", "name", 1).unwrap_err().contains("orders: "));
    }

    #[test]
    fn forgetting_takes_out_hosts_spans_and_all() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memory::new(folder.path());
        let words = |words: &[&str]| {
            assert_eq!(memory.words().remove(&PromptKind::Open).unwrap_or_default(), words);
        };
        for (word, time) in
            [("gopher://Secret.example/1", 1), ("secret.example", 2), ("not.secret.example", 3), ("b", 9)]
        {
            open(folder.path(), word, time);
        }
        choose(folder.path(), "secret.example", SiteChoice::Charset("utf-8".into()));
        let forget = |what: Forget| memory.files().iter().for_each(|file| forget(file, &what).unwrap());
        forget(Forget::Host("secret.example".into()));
        words(&["not.secret.example", "b"]);
        assert!(memory.read().charsets.is_empty());
        forget(Forget::Since(9));
        words(&["not.secret.example"]);
        forget(Forget::All);
        words(&[]);
    }
}
