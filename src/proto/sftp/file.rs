//! A file, some requests ahead of its octets: each costs a way there and back.

use super::packet::{Answer, Attributes};
use super::session::{Session, is_end, refusal};
use crate::proto::{FetchError, Resume};
use std::collections::VecDeque;

/// Octets that are asked for at a time: what every server gives.
const PIECE: u32 = 32 * 1024;
/// Requests that are under way at a time.
const AHEAD: usize = 32;

/// A file that is being read.
pub(super) struct Reading<'a> {
    pub session: &'a mut Session,
    pub path: &'a [u8],
    pub handle: Vec<u8>,
    /// What is asked for, in the order of the file.
    asked: VecDeque<Asked>,
    /// The first octet that is not asked for.
    next: u64,
    /// As far as it is known.
    length: Option<u64>,
    /// Nothing more is asked for.
    over: bool,
}

struct Asked {
    number: u32,
    offset: u64,
    length: u32,
}

impl<'a> Reading<'a> {
    pub fn new(
        session: &'a mut Session,
        path: &'a [u8],
        handle: Vec<u8>,
        start: u64,
        length: Option<u64>,
    ) -> Reading<'a> {
        Reading { session, path, handle, asked: VecDeque::new(), next: start, length, over: false }
    }

    /// The next octets; none at the end.
    pub async fn more(&mut self) -> Result<Vec<u8>, FetchError> {
        while !self.over && self.asked.len() < self.ahead() {
            let (offset, length) = (self.next, PIECE);
            match self.session.ask_for(&self.handle, offset, length).await {
                Ok(number) => self.asked.push_back(Asked { number, offset, length }),
                // What was asked for before may be on its way, though nobody listens any more.
                Err(_) if !self.asked.is_empty() => self.over = true,
                Err(error) => return Err(error),
            }
            self.next += u64::from(length);
        }
        let Some(Asked { number, offset, length }) = self.asked.pop_front() else { return Ok(Vec::new()) };
        match self.session.answer(number).await? {
            Answer::Data(octets) if !octets.is_empty() && octets.len() <= length as usize => {
                // Less than was asked for, and not the end: the rest is asked for again, and comes next.
                let came = u32::try_from(octets.len()).unwrap_or(length);
                if came < length {
                    let (offset, length) = (offset + u64::from(came), length - came);
                    let number = self.session.ask_for(&self.handle, offset, length).await?;
                    self.asked.push_front(Asked { number, offset, length });
                }
                Ok(octets)
            }
            end if is_end(&end) => {
                self.over = true;
                // What was asked for beyond the end has answers that nobody wants.
                while let Some(asked) = self.asked.pop_front() {
                    self.session.answer(asked.number).await?;
                }
                self.session.close(&self.handle).await?;
                Ok(Vec::new())
            }
            other => Err(refusal(&other, self.path)),
        }
    }

    /// Beyond the length that the server told only one question is asked, for the end.
    fn ahead(&self) -> usize {
        match self.length {
            Some(length) if self.next > length => 1,
            _ => AHEAD,
        }
    }
}

/// Words that are the same as long as the file is.
pub(super) fn validator(attributes: &Attributes) -> Option<String> {
    let size = attributes.size.map(|size| format!("size={size}"));
    let time = attributes.modified.map(|time| format!("modify={time}"));
    let facts: Vec<String> = size.into_iter().chain(time).collect();
    (!facts.is_empty()).then(|| facts.join(";"))
}

/// Where to go on with a file of which the beginning is there: zero where it is another file now.
pub(super) fn start(attributes: &Attributes, resume: Option<&Resume>) -> u64 {
    let same = |resume: &&Resume| validator(attributes).is_some_and(|validator| validator == resume.validator);
    let within = |resume: &&Resume| attributes.size.is_none_or(|size| resume.from <= size);
    resume.filter(same).filter(within).map_or(0, |resume| resume.from)
}
