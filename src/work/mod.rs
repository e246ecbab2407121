//! What takes long, as plain data: what is to be done, and what came of it.
//!
//! The browser asks for work under a number and goes on with the keyboard; whoever runs it hands the product back. All that
//! work reads it holds itself, shared and not copied. Each kind is a plain function that looks at its [`Stop`] at bounded
//! distances. Refuses: threads, the clock, numbers of its own.

mod find;
mod message;
mod offer;
mod print;
mod rows;
mod trail;

pub use find::{Count, Find, FindLinks, Hit, LinkPattern, Way};
pub use message::{Message, Quote, Take, Taken};
pub use offer::{Candidate, Found, Offer, Offered, Origin, Rest};
pub use print::Print;
pub use rows::{Links, ListItem, ListRows, Narrow, Options};
pub use trail::{Kind as TrailFile, TITLE as TRAIL_TITLE, Track, Tracked, line};

use crate::doc::{Document, LinkId};
use crate::format::{Arrange, Below, Intake, Plan, Reader, Whole};
use crate::news::Original;
use crate::picture::{Decode, Draw, Drawing, Picture};
use crate::stop::Stop;
use crate::visits::{Listing, Pages};
use std::sync::Arc;

/// Something to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// Put a page in order.
    Arrange(Box<Arrange>),
    /// Find the next match in a page.
    Find(Find),
    /// Count the matches in a page.
    Count(Count),
    /// Find links.
    FindLinks(FindLinks),
    /// Find addresses that are like what is being typed.
    Offer(Box<Offer>),
    /// List pages that were visited.
    List(List),
    /// Find how one came to a page.
    Track(Box<Track>),
    /// Narrow a list by words.
    Narrow(Narrow),
    /// Read octets that are kept as a page.
    Read(Box<Read>),
    /// Write one document below another.
    Append(Arc<Document>, Box<Below>),
    /// Take what a URL names out of messages.
    Take(Box<Take>),
    /// Read a message that is to be answered.
    Quote(Box<Quote>),
    /// Write a page as it reads on paper.
    Print(Print),
    /// Draw a part of a picture for the terminal.
    Draw(Box<Draw>),
    /// Read a picture for the text of a page.
    Decode(Box<Decode>),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Product {
    /// The page as it is to be shown.
    Arranged(Box<Plan>),
    /// The match, if there is one.
    Found(Option<Hit>),
    /// Where matches start, as text offsets.
    Counted(Vec<u32>),
    /// The links.
    Linked(Vec<LinkId>),
    /// The addresses.
    Offered(Box<Offered>),
    /// The pages.
    Listed(Listing),
    /// The trail.
    Tracked(Box<Tracked>),
    /// The rows that hold the words.
    Narrowed(Arc<[u32]>),
    /// The page; `None` for types that are not shown.
    Read(Option<Box<Whole>>),
    /// Both in one.
    Appended(Arc<Document>),
    /// The part, if it is there.
    Taken(Taken),
    /// The message; `None` for one without an author.
    Quoted(Option<Box<Original>>),
    /// The text.
    Printed(Vec<u8>),
    /// The part of the picture; `None` where it cannot be written.
    Drawn(Option<Drawing>),
    /// The picture, or why there is none.
    Decoded(Result<Picture, String>),
    /// Nothing: it ended by a fault of this program.
    Broken,
}

/// Pages that were visited, to be listed.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// Where the reader has been.
    pub pages: Pages,
    /// Words that each must hold.
    pub words: String,
    /// Only those that were visited before this time, in seconds since 1970.
    pub before: Option<i64>,
    /// How many.
    pub most: usize,
}

/// Octets to be read as a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// How.
    pub intake: Intake,
    /// The octets.
    pub octets: Arc<[u8]>,
    /// What stood below the page, and stands there again.
    pub below: Option<Below>,
}

impl Work {
    /// Does it; `None` when it was given up.
    pub fn run(self, stop: &Stop) -> Option<Product> {
        match self {
            Work::Arrange(arrange) => arrange.run(stop).map(|plan| Product::Arranged(Box::new(plan))),
            Work::Find(find) => find.run(stop).map(Product::Found),
            Work::Count(count) => count.run(stop).map(Product::Counted),
            Work::FindLinks(find) => find.run(stop).map(Product::Linked),
            Work::Offer(offer) => offer.run(stop).map(|offered| Product::Offered(Box::new(offered))),
            Work::List(List { pages, words, before, most }) => {
                pages.listing(&words, before, most, stop).map(Product::Listed)
            }
            Work::Track(track) => track.run(stop).map(|trail| Product::Tracked(Box::new(trail))),
            Work::Narrow(narrow) => narrow.run(stop).map(Product::Narrowed),
            Work::Append(above, below) => {
                below.under(&above, stop).map(|document| Product::Appended(Arc::new(document)))
            }
            Work::Read(read) => read.run(stop).map(|whole| Product::Read(whole.map(Box::new))),
            Work::Take(take) => take.run(stop).map(Product::Taken),
            Work::Quote(quote) => quote.run(stop).map(|original| Product::Quoted(original.map(Box::new))),
            Work::Print(print) => print.run(stop).map(Product::Printed),
            Work::Draw(draw) => draw.run(stop).map(Product::Drawn),
            Work::Decode(decode) => decode.run(stop).map(Product::Decoded),
        }
    }

    /// Whether it is done in a millisecond or two: whoever asks may do it at once.
    pub fn is_small(&self) -> bool {
        match self {
            Work::Arrange(arrange) => arrange.is_small(),
            Work::Find(find) => find.is_small(),
            Work::Count(count) => count.is_small(),
            Work::FindLinks(find) => find.is_small(),
            // The first part of it is, and whoever asks knows which that is.
            Work::Offer(_) => false,
            // Where every page will do, the newest are looked at.
            Work::List(list) => list.words.is_empty() || list.pages.rows() <= 1 << 11,
            Work::Track(track) => track.is_small(),
            Work::Narrow(narrow) => narrow.is_small(),
            Work::Print(print) => print.is_small(),
            // Some octets are made to be read slowly.
            Work::Read(_) | Work::Append(..) | Work::Take(_) | Work::Quote(_) | Work::Draw(_) | Work::Decode(_) => {
                false
            }
        }
    }
}

impl Read {
    /// Reads them; `None` when that was given up.
    fn run(self, stop: &Stop) -> Option<Option<Whole>> {
        /// What is read between two looks at whether it is still wanted.
        const PIECE: usize = 16 * 1024;
        let Some(mut reader) = Reader::new(Intake { keep: 0, ..self.intake }) else { return Some(None) };
        for piece in self.octets.chunks(PIECE) {
            stop.go_on()?;
            reader.take(piece);
            if reader.is_over() {
                break;
            }
        }
        let mut whole = reader.finish();
        if let Some(below) = self.below {
            whole.page.document = Arc::new(below.under(&whole.page.document, stop)?);
        }
        Some(Some(whole))
    }
}
