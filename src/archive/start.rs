//! Where an archive opens that is a space of its own: a book, an encyclopaedia, what was kept of the web.

use super::{Archive, Form, Member};
use crate::format::count;
use crate::format::is_page;

/// What an archive says of a member beside its name: of which kind it is, and where it was.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// The media type, lower case, without parameters.
    pub media: Option<String>,
    /// The charset.
    pub charset: Option<String>,
    /// The URL that it was found at, as written.
    pub location: Option<String>,
    /// What says so, in words.
    pub from: String,
    /// What the server said, where that is not simply what was asked for: `404 Not Found`.
    pub status: Option<String>,
    /// Where the server said it is instead, as written.
    pub moved: Option<String>,
    /// Whether it is an answer to whoever asked for its URL.
    pub answers: bool,
    /// The path of the member that is to be read after it.
    pub next: Option<Vec<u8>>,
    /// The path of the one before.
    pub previous: Option<Vec<u8>>,
}

impl Said {
    pub(super) fn memory(&self) -> usize {
        let texts = [&self.media, &self.charset, &self.location, &self.status, &self.moved];
        size_of::<Said>()
            + self.from.len()
            + texts.iter().filter_map(|text| text.as_ref()).map(String::len).sum::<usize>()
            + [&self.next, &self.previous].into_iter().flatten().map(Vec::len).sum::<usize>()
    }
}

/// Where an archive starts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Start {
    /// At the list of what is in its root.
    #[default]
    None,
    /// At a member.
    Member(Vec<u8>),
    /// At a page of links.
    Text(Vec<u8>),
}

/// What an archive opens with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begins {
    /// A member, by its path.
    Member(Vec<u8>),
    /// A page of gemtext, whose links are relative to the root.
    Page(Vec<u8>),
}

impl Archive {
    /// What it opens with, if that is anything but the list of what is in its root.
    pub fn begins(&self) -> Option<Begins> {
        match (&self.start, self.form) {
            (Start::Member(path), _) => Some(Begins::Member(path.clone())),
            (Start::Text(text), _) => Some(Begins::Page(text.clone())),
            (Start::None, Form::Warc { .. }) => Some(Begins::Page(self.records())),
            (Start::None, _) => self.zim.as_ref().and_then(|zim| zim.main()).map(|path| Begins::Member(path.into())),
        }
    }

    /// The answers of servers that are in it, each with where it was found.
    pub fn answers(&self) -> impl Iterator<Item = (&str, &Member)> {
        self.members.iter().filter_map(|member| {
            let said = member.said.as_deref().filter(|said| said.answers)?;
            Some((said.location.as_deref()?, member))
        })
    }

    /// The pages in it, by address and date.
    fn records(&self) -> Vec<u8> {
        let mut rows: Vec<(&str, Option<i64>, &Member)> = Vec::new();
        for (location, member) in self.answers() {
            let said = member.said.as_deref();
            let page = said.is_some_and(|said| said.status.is_none() && said.media.as_deref().is_some_and(is_page));
            if page {
                rows.push((location, member.modified.map(|modified| modified.seconds), member));
            }
        }
        rows.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let records = count(self.members.len());
        let mut out = match rows.len() {
            1 if self.members.len() == 1 => "One page, of one record.\n".into(),
            1 => format!("One page, of {records} records.\n"),
            pages => format!("{} pages, of {records} records, by address and date.\n", count(pages)),
        };
        self.notes.iter().for_each(|note| out.push_str(&format!("\n{}\n", plain(note))));
        let mut host = "";
        for (location, seconds, member) in rows {
            let here = location.split_once("//").map_or(location, |(_, rest)| rest);
            let here = here.split('/').next().unwrap_or_default();
            if here != host {
                host = here;
                out.push_str(&format!("\n## {}\n", plain(here)));
            }
            let date = seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
            let date = date.map_or_else(|| "no date".into(), |date| date.strftime("%Y-%m-%d %H:%M").to_string());
            let name = String::from_utf8_lossy(&member.path);
            out.push_str(&format!("=> ./{name} {date}  {}\n", plain(location)));
        }
        out.push_str("\n=> ?tree All records\n");
        out.into_bytes()
    }
}

/// An address, or a note, as words of a line.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c.is_whitespace() && c != ' ' { '\u{FFFD}' } else { c }).collect()
}
