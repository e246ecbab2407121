//! The tabs of the last times: those of a run whose tabs do not come back by themselves are kept beside the session's file,
//! the last ones as `NAME.last-1`, those before as `NAME.last-2` and so on. Several running copies may add to them.

use super::record::{self, Ending, Record};
use crate::app::{LastTabs, Session};
use crate::disk::{self, replace};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How many times are kept.
const TIMES: u8 = 5;
/// What the files of all of them begin with, after the session's name.
const SORT: &str = "last-";

/// Where those of a session are kept.
#[derive(Debug, Clone)]
pub(super) struct LastTimes {
    /// The session's own file.
    session: PathBuf,
}

/// Whether the ending of a file's name is one of these.
pub(super) fn is_one(ending: &str) -> bool {
    ending.strip_prefix(SORT).is_some_and(|number| number.parse::<u8>().is_ok())
}

impl LastTimes {
    pub(super) fn of(session: &Path) -> LastTimes {
        LastTimes { session: session.into() }
    }

    /// The file of the last time.
    pub(super) fn path(&self) -> PathBuf {
        self.file(1)
    }

    fn file(&self, number: u8) -> PathBuf {
        self.session.with_extension(format!("{SORT}{number}"))
    }

    /// All of them, the last first. What is wrong in a file costs that part of it.
    pub(super) fn read(&self) -> Vec<LastTabs> {
        (1..=TIMES).filter_map(|number| read(&self.file(number))).collect()
    }

    /// The session's file has tabs that do not come back by themselves: it becomes the last of these. Says whether it did.
    pub(super) fn take(&self, record: &Record) -> io::Result<bool> {
        if !is_worth(&record.session) {
            return Ok(false);
        }
        let _held = self.hold()?;
        self.make_room(&record.session)?;
        fs::rename(&self.session, self.file(1)).map(|()| true)
    }

    /// Adds the tabs of a run that keeps no session.
    pub(super) fn add(&self, session: &Session) -> Result<(), String> {
        let wrong = |error: io::Error| format!("{}; the tabs are not kept", disk::wrong(&self.file(1), &error));
        if !is_worth(session) {
            return Ok(());
        }
        let _held = self.hold().map_err(wrong)?;
        self.make_room(session).map_err(wrong)?;
        replace(&self.file(1), record::write(session, Ending::Back).as_bytes()).map_err(wrong)
    }

    /// Nobody else changes them meanwhile; it takes no longer than a few names.
    fn hold(&self) -> io::Result<File> {
        disk::lock(&self.session.with_extension("last-lock"))
    }

    /// The first number is to be free: each moves up by one as far as there is none free before. The same tabs as the last time
    /// take their place.
    fn make_room(&self, session: &Session) -> io::Result<()> {
        if read(&self.file(1)).is_none_or(|last| addresses(&last.session).eq(addresses(session))) {
            return Ok(());
        }
        let free = (1..TIMES).find(|number| !self.file(*number).exists()).unwrap_or(TIMES);
        (1..free).rev().try_for_each(|number| fs::rename(self.file(number), self.file(number + 1)))
    }
}

fn read(file: &Path) -> Option<LastTabs> {
    let octets = disk::read_file(file).ok()?;
    let time = fs::metadata(file).and_then(|known| known.modified()).ok();
    let ended = time.and_then(|time| jiff::Timestamp::try_from(time).ok()).filter(|time| time.as_second() > 0);
    let session = Session { killed: false, ..record::read(&octets).session };
    (!session.tabs.is_empty()).then_some(LastTabs { session, ended })
}

/// Whether there is more in it than pages of the program itself.
fn is_worth(session: &Session) -> bool {
    addresses(session).any(|url| !url.starts_with("about:"))
}

/// What each tab shows.
fn addresses(session: &Session) -> impl Iterator<Item = &str> {
    session.tabs.iter().filter_map(|tab| tab.places.get(tab.at).or(tab.places.last())).map(|place| place.url.as_str())
}
