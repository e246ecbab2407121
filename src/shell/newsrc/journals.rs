//! What was marked here, by newsrc, in a folder beside the history; and whether another newsreader is at work on one.

use crate::disk;
use crate::news::{Journal, Newsrc};
use crate::sums::{self, Kind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The end of a path that still makes a name of a file, in octets.
const LONGEST: usize = 200;

/// The journals of the newsrcs.
#[derive(Default)]
pub(in crate::shell) struct Journals {
    /// Their folder, if something is kept.
    folder: Option<PathBuf>,
    /// Newsrcs below it go with the run.
    scratch: PathBuf,
    /// Those that are in no file.
    held: BTreeMap<PathBuf, Journal>,
}

impl Journals {
    /// Below the folder of what is kept, but for newsrcs below `scratch`, which go with the run.
    pub(in crate::shell) fn new(state: Option<&Path>, scratch: &Path) -> Journals {
        let folder = state.map(|state| state.join("newsrcs"));
        Journals { folder, scratch: scratch.into(), held: BTreeMap::new() }
    }

    /// The file of a newsrc's journal, named as vim names what belongs to a file elsewhere.
    fn place(&self, newsrc: &Path) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| !newsrc.starts_with(&self.scratch))?;
        let name = newsrc.to_string_lossy().replace('/', "%");
        let cut = name.len().saturating_sub(LONGEST);
        let from = (cut..=name.len()).find(|at| name.is_char_boundary(*at))?;
        Some(folder.join(&name[from..]))
    }

    /// Whether there is one of a newsrc.
    pub(super) fn has(&self, newsrc: &Path) -> bool {
        self.place(newsrc).is_some_and(|place| place.exists())
    }

    /// What was marked in a newsrc; nothing where that cannot be read.
    pub(super) fn read(&self, newsrc: &Path) -> Journal {
        match self.place(newsrc) {
            Some(place) => disk::read(&place).map_or_else(|_| Journal::default(), |octets| Journal::parse(&octets)),
            None => self.held.get(newsrc).cloned().unwrap_or_default(),
        }
    }

    /// Keeps it.
    pub(super) fn write(&mut self, newsrc: &Path, journal: Journal) -> Result<(), String> {
        let Some(place) = self.place(newsrc) else {
            self.held.insert(newsrc.into(), journal);
            return Ok(());
        };
        let made = place.parent().map_or(Ok(()), disk::folder);
        let lost = "what another newsreader writes at its end may make unread what you read now";
        let written = made.and_then(|()| disk::replace(&place, &journal.write()));
        written.map_err(|error| format!("{}; {lost}", disk::wrong(&place, &error)))
    }
}

/// The process of another newsreader that has read a newsrc and will write it: slrn keeps its number beside the file, rn in a file of
/// this name.
pub(super) fn holder(newsrc: &Path) -> Option<String> {
    let own = format!("{}-lock", newsrc.file_name()?.to_string_lossy());
    let held = |name: &str| {
        let octets = disk::read_file(&newsrc.with_file_name(name)).ok()?;
        let number = String::from_utf8_lossy(octets.trim_ascii()).into_owned();
        let number = Some(number).filter(|number| number.bytes().all(|octet| octet.is_ascii_digit()))?;
        (number.parse::<u32>().is_ok() && !disk::has_ended(&number)).then_some(number)
    };
    held(&own).or_else(|| held(".rnlock"))
}

/// By which a newsrc is known again, whichever program wrote it.
pub(super) fn sum(newsrc: &Newsrc) -> String {
    sums::of(Kind::Sha256, newsrc.plain().as_bytes())
}
