//! The list of downloads on disk: a line of JSON for each, after a line that says which form this is. Every change is made to
//! the file as it is now, under a lock, and takes the old file's place when it is whole: two running copies do not hurt each
//! other. A line that cannot be read costs only itself, is told of, and is kept aside.

use super::place::{expand, in_a_text};
use crate::app::{KeptDownload, Links, Manner, Standing, Verified};
use crate::disk;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};

/// The form of the file; of a newer one nothing is read or written.
const FORM: u64 = 1;
/// Downloads that are kept; of more, whole ones go first, then the oldest.
const MOST: usize = 500;
/// Octets of the file, at about: a quarter of what is read of one.
const ROOM: usize = 8 << 20;
/// Octets of a row.
const LONGEST: usize = 2 << 20;

const STANDINGS: &[(Standing, &str)] = &[
    (Standing::Open, "open"),
    (Standing::Done, "done"),
    (Standing::Cut, "broken"),
    (Standing::Stopped, "stopped"),
    (Standing::Failed, "failed"),
];

/// What became of the links of a directory, where that is not as nobody said.
const LINKS: &[(Links, &str)] =
    &[(Links::Kept, "made again"), (Links::KeptAll, "all made again"), (Links::Left, "left out")];

/// The file.
#[derive(Debug, Clone)]
pub(super) struct Downloads {
    file: PathBuf,
    /// The reader's home folder, which is written as `~`.
    home: Option<PathBuf>,
}

/// A row, and the process that is at it.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    kept: KeptDownload,
    process: Option<i32>,
}

/// What a file holds.
#[derive(Debug, Default)]
struct Read {
    rows: Vec<Row>,
    /// Lines that make no sense, by number.
    bad: Vec<(usize, Vec<u8>)>,
}

impl Downloads {
    /// In the folder of what is kept.
    pub(super) fn new(folder: &Path) -> Downloads {
        Downloads { file: folder.join("downloads"), home: std::env::var_os("HOME").map(PathBuf::from) }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.file
    }

    /// The downloads of earlier runs, the oldest first, and what is wrong with the file. Those that another running copy is
    /// at are that one's.
    pub(super) fn read(&self) -> (Vec<KeptDownload>, Option<String>) {
        let file = disk::shown(&self.file);
        let read = match load(&self.file) {
            Ok(read) => read,
            Err(error) => return (Vec::new(), Some(disk::wrong(&self.file, &error))),
        };
        let complaint = read.bad.first().map(|(line, _)| {
            let more = match read.bad.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            let aside = self.file.with_extension("bad");
            format!(
                "{file}, line {line}{more}: this is no download; at the next change it goes to {}",
                disk::shown(&aside)
            )
        });
        let free = |row: &Row| row.process.is_none_or(|process| !is_running(process));
        (read.rows.into_iter().filter(free).map(|row| row.kept).collect(), complaint)
    }

    /// Keeps how a download stands.
    pub(super) fn keep(&self, kept: &KeptDownload) -> Result<(), String> {
        let kept = KeptDownload { path: self.shown(&kept.path), ..kept.clone() };
        self.put(kept).map_err(|error| format!("{}; the download is not listed yet", disk::wrong(&self.file, &error)))
    }

    fn put(&self, kept: KeptDownload) -> io::Result<()> {
        let _lock = disk::lock(&self.file)?;
        let Read { mut rows, bad } = load(&self.file)?;
        disk::put_aside(&self.file, bad.iter().map(|(_, line)| line.as_slice()))?;
        rows.retain(|row| !is_same(&row.kept, &kept));
        if !matches!(kept.standing, Standing::Forgotten | Standing::Dropped) {
            let process = (kept.standing == Standing::Open).then(own_process);
            rows.push(Row { kept, process });
        }
        let mut lines: Vec<(bool, String)> =
            rows.iter().map(|row| (row.kept.standing == Standing::Done, short_line(row))).collect();
        let mut octets: usize = lines.iter().map(|(_, line)| line.len()).sum();
        while lines.len() > MOST || octets > ROOM && lines.len() > 1 {
            let (_, line) = lines.remove(lines.iter().position(|(whole, _)| *whole).unwrap_or(0));
            octets -= line.len();
        }
        let mut text = format!("{}\n", json!({ "downloads": FORM }));
        lines.iter().for_each(|(_, line)| text.push_str(line));
        disk::replace(&self.file, text.as_bytes())
    }

    /// A path that means the same to whoever reads it later.
    fn shown(&self, path: &str) -> String {
        let whole = std::path::absolute(expand(path)).unwrap_or_else(|_| PathBuf::from(path));
        match self.home.as_ref().and_then(|home| whole.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", in_a_text(below)),
            None => in_a_text(&whole),
        }
    }
}

/// Whether a row gives way to another: a folder has one, and of files of one name one has taken the other's place when both are whole.
/// Unfinished files from two addresses are two.
fn is_same(old: &KeptDownload, new: &KeptDownload) -> bool {
    let both = |is: fn(&KeptDownload) -> bool| is(old) && is(new);
    let is_whole = |kept: &KeptDownload| kept.standing == Standing::Done;
    old.path == new.path && (old.url == new.url || both(|kept| kept.folder) || both(is_whole))
}

/// A download as a line of the file has it.
pub(super) fn written(kept: &KeptDownload) -> Value {
    value(&Row { kept: kept.clone(), process: None })
}

/// The same, read; `None` when it is none.
pub(super) fn read(value: &Value) -> Option<KeptDownload> {
    row(value).map(|row| row.kept)
}

fn load(file: &Path) -> io::Result<Read> {
    let octets = disk::read(file)?;
    let mut read = Read::default();
    for (at, line) in octets.split(|b| *b == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let value = serde_json::from_slice::<Value>(line).ok();
        match value.as_ref().and_then(|value| value["downloads"].as_u64()) {
            Some(FORM) => continue,
            Some(newer) if newer > FORM => {
                return Err(io::Error::other(format!("a newer Wayfarer wrote it (form {newer}); it is left as it is")));
            }
            _ => {}
        }
        match value.as_ref().and_then(row) {
            Some(row) => read.rows.push(row),
            None => read.bad.push((at + 1, line.to_vec())),
        }
    }
    Ok(read)
}

fn row(value: &Value) -> Option<Row> {
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    let texts =
        |name: &str| value[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(Into::into).collect();
    let word = text("state")?;
    let (standing, _) = STANDINGS.iter().find(|(_, known)| *known == word)?;
    let url = text("url")?;
    crate::url::Url::parse(url.as_str()).ok()?;
    let kept = KeptDownload {
        path: text("path")?,
        url,
        standing: *standing,
        received: value["received"].as_u64().unwrap_or_default(),
        length: value["length"].as_u64(),
        said: text("said").unwrap_or_default(),
        again: value["again"].as_bool().unwrap_or_default(),
        folder: value["folder"].as_bool().unwrap_or_default(),
        beside: texts("beside"),
        verified: value["verified"]["said"]
            .as_str()
            .map(|said| Verified { agrees: value["verified"]["agrees"].as_bool(), said: said.into() }),
        remarks: texts("remarks"),
        manner: manner(value),
    };
    Some(Row { kept, process: value["process"].as_i64().and_then(|process| i32::try_from(process).ok()) })
}

/// Says that a backslash in names of servers is written as two.
const ESCAPED: &str = "escaped";

/// How a directory was saved.
fn manner(value: &Value) -> Manner {
    let links = LINKS.iter().find(|(_, word)| value["links"] == *word).map(|(links, _)| *links).unwrap_or_default();
    let pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
    let rows = value["rows"].as_array().map(|rows| rows.iter().filter_map(Value::as_str).map(Into::into).collect());
    let names = value["names"].as_array().into_iter().flatten().filter_map(pair);
    if value[ESCAPED] == true {
        return Manner { links, names: names.collect(), rows };
    }
    // What a backslash stood for is not known then.
    let known = |name: &String| !name.contains('\\');
    let rows = rows.map(|rows: Vec<String>| if rows.iter().all(known) { rows } else { Vec::new() });
    Manner { links, names: names.filter(|(own, _)| known(own)).collect(), rows }
}

/// A row as a line. Of a folder of which more would be kept than there is room for it is forgotten how it was saved: saved again, it is
/// asked for as a whole.
fn short_line(row: &Row) -> String {
    let line = format!("{}\n", value(row));
    if line.len() <= LONGEST {
        return line;
    }
    let rows = row.kept.manner.rows.as_ref().map(|_| Vec::new());
    let manner = Manner { rows, names: Vec::new(), links: row.kept.manner.links };
    let kept = KeptDownload { manner, remarks: Vec::new(), ..row.kept.clone() };
    format!("{}\n", value(&Row { kept, process: row.process }))
}

fn value(row: &Row) -> Value {
    let kept = &row.kept;
    let state = STANDINGS.iter().find(|(standing, _)| *standing == kept.standing).map(|(_, word)| *word);
    let mut value = json!({ "path": kept.path, "url": kept.url, "state": state, "received": kept.received });
    if let Some(length) = kept.length {
        value["length"] = length.into();
    }
    if !kept.said.is_empty() {
        value["said"] = kept.said.clone().into();
    }
    value["again"] = kept.again.into();
    if kept.folder {
        value["folder"] = true.into();
    }
    if !kept.beside.is_empty() {
        value["beside"] = kept.beside.clone().into();
    }
    if let Some(Verified { agrees, said }) = &kept.verified {
        value["verified"] = json!({ "agrees": agrees, "said": said });
    }
    if !kept.remarks.is_empty() {
        value["remarks"] = kept.remarks.clone().into();
    }
    if let Some((_, word)) = LINKS.iter().find(|(links, _)| *links == kept.manner.links) {
        value["links"] = (*word).into();
    }
    if let Some(rows) = &kept.manner.rows {
        value["rows"] = json!(rows);
    }
    if !kept.manner.names.is_empty() {
        value["names"] = json!(kept.manner.names);
    }
    if kept
        .manner
        .names
        .iter()
        .map(|(own, _)| own)
        .chain(kept.manner.rows.iter().flatten())
        .any(|own| own.contains('\\'))
    {
        value[ESCAPED] = true.into();
    }
    if let Some(process) = row.process {
        value["process"] = process.into();
    }
    value
}

fn own_process() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

fn is_running(process: i32) -> bool {
    let id = rustix::process::Pid::from_raw(process).filter(|_| process != own_process());
    id.is_some_and(|id| rustix::process::test_kill_process(id).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn kept(path: &str, standing: Standing) -> KeptDownload {
        let (url, said) = ("gopher://h/9/a".into(), String::new());
        KeptDownload {
            path: path.into(),
            url,
            standing,
            received: 5,
            length: Some(9),
            said,
            again: true,
            folder: false,
            beside: Vec::new(),
            verified: None,
            remarks: Vec::new(),
            manner: Manner::default(),
        }
    }

    fn at(folder: &Path) -> Downloads {
        Downloads { file: folder.join("state/downloads"), home: Some("/home/me".into()) }
    }

    #[test]
    fn what_is_kept_comes_back_once_for_each_file() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = at(folder.path());
        assert_eq!(downloads.read(), (Vec::new(), None));
        for (path, standing) in [
            ("/home/me/a", Standing::Open),
            ("/b", Standing::Open),
            ("/c", Standing::Failed),
            ("/home/me/a", Standing::Done),
            ("/c", Standing::Forgotten),
        ] {
            // Each as another copy would.
            at(folder.path()).keep(&kept(path, standing)).unwrap();
        }
        let (read, complaint) = downloads.read();
        assert_eq!((read, complaint), (vec![kept("/b", Standing::Open), kept("~/a", Standing::Done)], None));
    }

    /// What had broken off could be found no more once a file from elsewhere had its name.
    #[test]
    fn files_of_one_name_from_two_places_are_two() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = at(folder.path());
        let other = |standing| KeptDownload { url: "gopher://other/9/a".into(), ..kept("/a", standing) };
        let read = || downloads.read().0;
        downloads.keep(&kept("/a", Standing::Cut)).unwrap();
        downloads.keep(&other(Standing::Open)).unwrap();
        assert_eq!(read(), [kept("/a", Standing::Cut), other(Standing::Open)]);
        downloads.keep(&other(Standing::Forgotten)).unwrap();
        assert_eq!(read(), [kept("/a", Standing::Cut)]);
        // Of two that are whole the later one has taken the place of the other.
        downloads.keep(&kept("/a", Standing::Done)).unwrap();
        downloads.keep(&other(Standing::Cut)).unwrap();
        assert_eq!(read(), [kept("/a", Standing::Done), other(Standing::Cut)]);
        downloads.keep(&other(Standing::Done)).unwrap();
        assert_eq!(read(), [other(Standing::Done)]);
        // A folder has one row.
        let tree = |url: &str| KeptDownload { url: url.into(), folder: true, ..kept("/b", Standing::Cut) };
        downloads.keep(&tree("ftp://h/a/")).unwrap();
        downloads.keep(&tree("ftp://h/b/")).unwrap();
        assert_eq!(read(), [other(Standing::Done), tree("ftp://h/b/")]);
    }

    #[test]
    fn what_came_of_a_check_comes_back_and_a_row_without_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (downloads, url) = (at(folder.path()), "ftp://h/SHA256SUMS".to_owned());
        for agrees in [None, Some(true), Some(false)] {
            let verified = Some(Verified { agrees, said: "SHA-256 agrees".into() });
            let (beside, remarks) = (vec![url.clone()], vec!["b: left out".into()]);
            let manner = Manner {
                links: Links::KeptAll,
                names: vec![("b/-c".into(), "c".into()), ("a\\xe9b".into(), "x".into())],
                rows: Some(vec!["b\\\\".into()]),
            };
            let checked = KeptDownload { beside, verified, remarks, manner, ..kept("/a", Standing::Done) };
            downloads.keep(&checked).unwrap();
            assert_eq!(downloads.read(), (vec![checked], None));
        }
        let old = "{\"downloads\":1}\n{\"path\":\"/a\",\"url\":\"ftp://h/a\",\"state\":\"done\",\"received\":5}\n";
        fs::write(downloads.path(), old).unwrap();
        let (read, complaint) = downloads.read();
        assert_eq!((read[0].beside.len(), read[0].verified.clone(), complaint), (0, None, None));
    }

    /// An earlier version wrote a backslash and octets that are no text alike.
    #[test]
    fn names_that_could_be_two_are_forgotten() {
        let names = json!([["a\\xe9b", "x"], ["README", "readme-2"]]);
        let read = manner(&json!({ "names": names, "rows": ["a\\xe9b"] }));
        assert_eq!((read.names, read.rows), (vec![("README".into(), "readme-2".into())], Some(Vec::new())));
        let read = manner(&json!({ "names": names, "rows": ["a\\xe9b"], ESCAPED: true }));
        assert_eq!((read.names.len(), read.rows), (2, Some(vec!["a\\xe9b".into()])));
    }

    #[test]
    fn copies_that_run_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for one in 0..8 {
                let downloads = at(folder.path());
                scope.spawn(move || {
                    (0..10).for_each(|n| downloads.keep(&kept(&format!("/{one}/{n}"), Standing::Done)).unwrap());
                });
            }
        });
        assert_eq!(at(folder.path()).read().0.len(), 80);
    }

    #[test]
    fn what_another_copy_is_at_is_not_offered() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = at(folder.path());
        downloads.keep(&kept("/mine", Standing::Open)).unwrap();
        let file = folder.path().join("state/downloads");
        let text = fs::read_to_string(&file).unwrap();
        let mut other = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        fs::write(&file, text.replace(&format!(":{}}}", own_process()), &format!(":{}}}", other.id()))).unwrap();
        assert_eq!(downloads.read().0, []);
        drop(other.stdin.take());
        other.wait().unwrap();
        assert_eq!(downloads.read().0.len(), 1);
    }

    #[test]
    fn a_bad_line_costs_only_itself_and_is_kept_aside() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = at(folder.path());
        for path in ["/a", "/b"] {
            downloads.keep(&kept(path, Standing::Done)).unwrap();
        }
        let file = folder.path().join("state/downloads");
        let mut octets = fs::read(&file).unwrap();
        octets.extend_from_slice(b"\xFFnonsense\n{\"path\":\"/c\",\"url\":\"go");
        fs::write(&file, octets).unwrap();
        let (read, complaint) = downloads.read();
        assert_eq!(read.len(), 2);
        let complaint = complaint.unwrap();
        assert!(complaint.contains("downloads, line 4 and 1 more: this is no download"), "{complaint}");
        downloads.keep(&kept("/d", Standing::Done)).unwrap();
        assert_eq!((downloads.read().0.len(), downloads.read().1), (3, None));
        let aside = fs::read(folder.path().join("state/downloads.bad")).unwrap();
        assert_eq!(aside, b"\xFFnonsense\n{\"path\":\"/c\",\"url\":\"go\n");
    }

    /// A list of more than is read of a file could neither be read nor written again.
    #[test]
    fn the_list_never_gets_longer_than_what_is_read_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = at(folder.path());
        let tree = |path: &str, each: usize| {
            let names = (0..1000).map(|at| ("a".repeat(each), format!("{at}"))).collect();
            let manner = Manner { names, rows: Some(vec!["b".into()]), ..Manner::default() };
            KeptDownload { folder: true, manner, ..kept(path, Standing::Done) }
        };
        for at in 0..8 {
            downloads.keep(&tree(&format!("/{at}"), 1500)).unwrap();
        }
        let read = downloads.read().0;
        assert_eq!(read.iter().map(|kept| &*kept.path).collect::<Vec<_>>(), ["/3", "/4", "/5", "/6", "/7"]);
        assert!(read.iter().all(|kept| kept.manner.names.len() == 1000));
        // Of one that is too long alone all is kept but how it was saved.
        downloads.keep(&tree("/long", 5000)).unwrap();
        let read = downloads.read().0;
        let long = read.iter().find(|kept| kept.path == "/long").unwrap();
        assert_eq!((long.manner.names.len(), long.manner.rows.as_deref()), (0, Some(&[][..])));
    }

    #[test]
    fn a_newer_file_is_left_as_it_is_and_one_that_cannot_be_written_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let downloads = at(folder.path());
        let file = folder.path().join("state/downloads");
        fs::create_dir(folder.path().join("state")).unwrap();
        fs::write(&file, "{\"downloads\":2}\n{\"where\":\"elsewhere\"}\n").unwrap();
        assert!(downloads.read().1.unwrap().contains("a newer Wayfarer wrote it"));
        assert!(downloads.keep(&kept("/a", Standing::Done)).is_err());
        assert!(fs::read_to_string(&file).unwrap().contains("elsewhere"));
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(downloads.keep(&kept("/a", Standing::Done)).is_err());
        assert!(downloads.read().1.is_some());
    }
}
