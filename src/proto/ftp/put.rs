//! One file of this machine into a directory (STOR and APPE; RFC 959, 4.1.3): looked at first, on both sides, and sent when the
//! reader has agreed to what was found there.
//!
//! Refuses: to write over anything that the reader was not told of, and to believe that a file has arrived before the server has
//! said so and has as many octets of it.

use super::data::Data;
use super::reply::{Reply, line, text};
use super::{IMAGE, Visit};
use crate::format::{count, human};
use crate::proto::{FetchError, Found, Kind, Put, Stage, There};
use crate::url::Url;
use crate::url::scheme::ftp;
use std::io::SeekFrom;
use std::path::Path;
use std::time::SystemTime;
use tokio::fs::{self, File};
use tokio::io::{AsyncReadExt, AsyncSeekExt};

/// Read at once, and written at once.
const CHUNK: usize = 64 * 1024;
/// It is said at most so often how much of a file has gone.
const STEPS: u64 = 100;

/// A file of this machine as it is found before anybody is asked for anything.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outgoing {
    pub put: Put,
    /// The directory, without a password.
    pub place: String,
    name: Vec<u8>,
    pub length: u64,
    pub modified: Option<SystemTime>,
}

impl Outgoing {
    /// Looks at it, and reads none of it.
    pub async fn look(put: &Put, directory: &Url) -> Result<Outgoing, FetchError> {
        let failure = |why: String| FetchError::new(Kind::Stopped, format!("Nothing was sent: {why}"));
        let path = Path::new(&put.path);
        let name = path.file_name().map(|name| name.as_encoded_bytes().to_vec()).unwrap_or_default();
        ftp::entry(directory, &name, false)?;
        let facts =
            fs::metadata(path).await.map_err(|error| failure(format!("{} cannot be read: {error}.", put.path)))?;
        if !facts.is_file() {
            return Err(failure(format!("{} is no file.", put.path)));
        }
        let place = ftp::directory(directory)?.without_secrets();
        Ok(Outgoing { put: put.clone(), place, name, length: facts.len(), modified: facts.modified().ok() })
    }

    fn shown(&self) -> String {
        text(&self.name)
    }

    async fn open(&self, from: u64) -> Result<File, FetchError> {
        let opened = async {
            let mut file = File::open(&self.put.path).await?;
            file.seek(SeekFrom::Start(from)).await?;
            Ok::<_, std::io::Error>(file)
        };
        opened.await.map_err(|error| self.unread(&error))
    }

    fn unread(&self, error: &std::io::Error) -> FetchError {
        FetchError::new(Kind::Stopped, format!("{} cannot be read: {error}.", self.put.path))
    }

    /// Whether nobody has written to it meanwhile.
    async fn is_as_it_was(&self) -> bool {
        let facts = fs::metadata(&self.put.path).await;
        facts.is_ok_and(|facts| (facts.len(), facts.modified().ok()) == (self.length, self.modified))
    }
}

impl Visit<'_> {
    /// Sends a file into the directory that the session stands in.
    pub(super) async fn put(&mut self, file: &Outgoing) -> Result<(), FetchError> {
        if let Some(reply) = self.session.transfer_as(IMAGE).await? {
            return Err(FetchError::new(Kind::Said, format!("The server takes no files as octets: {}", reply.words())));
        }
        let there = self.there(file).await?;
        if file.put.agreed != Some(there) || file.put.length != Some(file.length) {
            let detail = format!("Nothing was sent: whether \"{}\" is to go there is yours to say.", file.shown());
            let found = Found { name: file.shown(), length: file.length, there };
            return Err(FetchError { found: Some(Box::new(found)), ..FetchError::new(Kind::NeedsConsent, detail) });
        }
        let (mut data, from) = self.open_for(file, there).await?;
        let sent = self.pour(file, from, &mut data).await?;
        let secure = self.session.security.is_some();
        let lost = match sent {
            None => data.close(secure).await.err().map(|lost| lost.remark(file.length)),
            lost => lost,
        };
        // Whoever takes no more of a file may have said why.
        let said = self.session.finish(data).await;
        if let Some(why) = said.or(lost) {
            let detail = format!("\"{}\" has not arrived whole: {why}.", file.shown().trim_end_matches('.'));
            return Err(FetchError::new(Kind::Broken, detail.replace("..", ".")).hint(":put goes on with it."));
        }
        self.arrived = Some(self.recorded(file).await?);
        Ok(())
    }

    /// What the directory has by that name, as the server says now.
    async fn there(&mut self, file: &Outgoing) -> Result<There, FetchError> {
        if let Some(octets) = self.size(file).await? {
            let ours = self.context.begun.has(file, octets).await;
            return Ok(if ours { There::Part(octets) } else { There::Other(Some(octets)) });
        }
        // No length is told of what may not be read, nor by servers of old; names may be.
        let mut data = match self.session.data("NLST", 0).await? {
            Ok(data) => data,
            Err(reply) if reply.says_empty() => return Ok(There::Nothing),
            // Whoever may not look may not see what is there either.
            Err(_) => return Ok(There::Untold),
        };
        let found = is_listed(&mut data, &file.name, self.context.limits.page).await;
        if self.session.finish(data).await.is_some() || found.is_none() {
            let detail = "Nothing was sent: the server did not say whether something of that name is there.";
            return Err(FetchError::new(Kind::Broken, detail));
        }
        Ok(if found == Some(true) { There::Other(None) } else { There::Nothing })
    }

    async fn size(&mut self, file: &Outgoing) -> Result<Option<u64>, FetchError> {
        if !self.session.offers.size {
            return Ok(None);
        }
        Ok(self.session.ask(&line("SIZE", &file.name)).await?.number())
    }

    /// The data connection for it, and where in the file it begins.
    async fn open_for(&mut self, file: &Outgoing, there: There) -> Result<(Data, u64), FetchError> {
        let store = line("STOR", &file.name);
        let refused = |reply: &Reply| {
            let kind = if reply.denies() { Kind::Denied } else { Kind::Said };
            let detail = format!("The server does not take \"{}\": {}", file.shown(), reply.words());
            FetchError::new(kind, detail)
        };
        let from = match there {
            There::Part(from) if file.put.goes_on => from,
            _ => 0,
        };
        if from > 0 {
            if self.session.offers.rest
                && let Ok(data) = self.session.data(&store, from).await?
            {
                return Ok((data, from));
            }
            let appended = self.session.data(&line("APPE", &file.name), 0).await?;
            return appended.map(|data| (data, from)).map_err(|reply| refused(&reply));
        }
        self.session.data(&store, 0).await?.map(|data| (data, 0)).map_err(|reply| refused(&reply))
    }

    /// Writes the file; why no more of it went, where the server is the cause.
    async fn pour(&mut self, file: &Outgoing, from: u64, data: &mut Data) -> Result<Option<String>, FetchError> {
        let mut source = file.open(from).await?;
        let step = (file.length / STEPS).max(CHUNK as u64);
        let (mut sent, mut next, mut buffer) = (from, from, vec![0; CHUNK]);
        while sent < file.length {
            let count = source.read(&mut buffer).await.map_err(|error| file.unread(&error))?;
            let left = usize::try_from(file.length - sent).unwrap_or(usize::MAX);
            let piece = &buffer[..count.min(left)];
            if piece.is_empty() {
                break;
            }
            if sent >= next {
                self.exchange.stage(Stage::Sending(sent, file.length)).await?;
                next += step;
            }
            // Of what is on its way any part may arrive.
            sent += piece.len() as u64;
            self.context.begun.note(file, sent);
            if let Err(lost) = data.write(piece).await {
                return Ok(Some(lost.remark(sent)));
            }
        }
        if sent < file.length || !file.is_as_it_was().await {
            self.context.begun.note(file, 0);
            let detail = format!("{} has changed while it was sent: what is there now is neither.", file.put.path);
            return Err(FetchError::new(Kind::Stopped, detail).hint(":put sends it anew."));
        }
        self.exchange.stage(Stage::Sending(sent, file.length)).await?;
        Ok(None)
    }

    /// What the server has of it, in a sentence.
    async fn recorded(&mut self, file: &Outgoing) -> Result<String, FetchError> {
        let (name, length) = (file.shown(), file.length);
        let there = self.size(file).await?;
        // A part of it, whatever the server said before.
        if there.is_none_or(|octets| octets >= length) {
            self.context.begun.note(file, 0);
        }
        match there {
            Some(octets) if octets == length => {
                let octets = count(usize::try_from(octets).unwrap_or(usize::MAX));
                Ok(format!("\"{name}\" is there: the server has {octets} octets of it, as it should"))
            }
            Some(octets) => {
                let detail = format!("The server has recorded {octets} octets of \"{name}\", and {length} were sent.");
                let hint = if octets < length {
                    ":put goes on with it."
                } else {
                    "What is there is not your file: send it anew."
                };
                Err(FetchError::new(Kind::Said, detail).hint(hint))
            }
            None => Ok(format!("\"{name}\" is there, the server says; of {} it does not say how much", human(length))),
        }
    }
}

/// Whether a listing of names has one; `None` where it does not come to its end. Some servers write the way there before it.
async fn is_listed(data: &mut Data, name: &[u8], most: u64) -> Option<bool> {
    let (mut buffer, mut row, mut octets, mut found) = (vec![0; CHUNK], Vec::new(), 0, false);
    let is_it = |row: &[u8]| {
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        row == name || row.rsplit(|octet| *octet == b'/').next() == Some(name)
    };
    loop {
        let count = data.read(&mut buffer).await.ok()?;
        if count == 0 {
            return Some(found || is_it(&row));
        }
        octets += count as u64;
        if octets > most {
            return None;
        }
        for octet in &buffer[..count] {
            match octet {
                b'\n' => {
                    found |= is_it(&row);
                    row.clear();
                }
                octet => row.push(*octet),
            }
        }
    }
}
