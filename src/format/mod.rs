//! Bytes of a media type → `Document`.
//!
//! A parser holds its state between chunks and must give the same document however the bytes are cut. Formats know nothing
//! of where the bytes came from. Refuses: I/O, sockets.

pub mod ask;
mod attributes;
mod below;
mod by_column;
mod caps;
pub mod charset;
mod codepage;
mod colours;
mod dict;
mod directory;
mod error;
mod feed;
mod feed_end;
mod gemtext;
pub mod guess;
pub mod html;
mod items;
mod language;
pub mod lines;
pub mod listing;
mod markdown;
pub mod mbox;
mod menu;
mod menu_item;
pub mod message;
pub mod mhtml;
mod moment;
mod newsgroup;
mod newsgroups;
mod notices;
mod order;
mod outlines;
mod overstrike;
pub mod packed;
mod phone_book;
mod picture;
mod plain;
mod plain_text;
mod reader;
mod rewriter;
mod roll;
mod row_charsets;
mod rows;
mod size;
mod utf7;
mod whois;

pub use below::Below;
pub use error::ErrorPage;
pub use feed::{FeedEntries, FeedEntry, feed_entries, feed_entry_anchor, is_feed};
pub use order::{ByColumn, Order, Wishes};
pub use picture::is_picture;
pub use reader::{Grown, Intake, Reader, Whole, begun};
pub use rewriter::{Reading, Show, Threads};
pub use roll::{GroupRow, Kin, Listed, Roll};
pub use rows::{Arrange, Learnt, PageRows, Plan, Sorted};
pub use size::{ago, ago_briefly, count, human};

/// Which of many: of blocks, rows, articles. They are numbered by 32 bits, and none is begun that those could not tell apart.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

use crate::doc::{Builder, Document};
use crate::url::Url;

/// The media types that Wayfarer names itself.
pub mod media {
    /// A gopher menu (RFC 1436).
    pub const MENU: &str = "application/gopher-menu";
    /// Gopher+ attribute blocks.
    pub const ATTRIBUTES: &str = "application/gopher+-attributes";
    /// Gopher+ attribute blocks that hold an ASK form to be filled in.
    pub const FORM: &str = "application/gopher+-ask";
    /// What a gopher server says of itself (`caps.txt`). Nothing is ever sent under this name.
    pub const CAPS: &str = "text/x-gopher-caps";
    /// A directory in the lines of RFC 3659's MLSD.
    pub const DIRECTORY: &str = "application/x-directory";
    /// The same, with columns for permissions and owner. Nothing is ever sent under this name.
    pub const DIRECTORY_LONG: &str = "application/x-directory-long";
    /// A CSO (Ph) server's answer (RFC 2378).
    pub const PHONE_BOOK: &str = "application/x-cso";
    /// What a WHOIS server says (RFC 3912): text in which other servers may be named. Nothing is ever sent under this name.
    pub const WHOIS: &str = "text/x-whois";
    /// What a dictionary server says (RFC 2229), codes and all. Nothing is ever sent under this name.
    pub const DICT: &str = "text/x-dict";
    /// Newsgroups, a line for each: `name TAB low TAB high TAB count TAB status TAB description`. `low` and `high` are the
    /// numbers of its first and last article, `count` is how many there are and may be empty, `status` is that of RFC 3977
    /// (7.6.3: `y`, `n`, `m`, …). Descriptions come later, in lines of their own in which all between name and description
    /// is empty; they belong to the group of that name, wherever it stands, and to nothing if it does not. `TAB name` says
    /// that a group of the list is new since the reader's last visit.
    pub const NEWSGROUPS: &str = "application/x-newsgroups";
    /// A newsgroup. The first line is `group TAB low TAB high TAB count TAB status` (`n`: nothing can be posted to this
    /// server, else empty), where it is known which numbers there are followed by `TAB older`: where as many articles again
    /// stand before those that come, as `first-last`, or `-` if there are none. Then a line for each article, `number TAB subject TAB from TAB date TAB message-id TAB references
    /// TAB bytes TAB lines TAB xref`, headers as they are in the article, in octets; what is unknown is empty. Where the group is a
    /// mailbox of this machine, the URL of the article stands in the place of `xref`. They come in
    /// slices, the newest articles first, within a slice as the server has them (by number); an empty line ends a slice.
    pub const NEWSGROUP: &str = "application/x-newsgroup";
    /// Plain text.
    pub const PLAIN: &str = "text/plain";
    /// Plain text in the colours that it asks for. Nothing is ever sent under this name.
    pub const COLOURED: &str = "text/x-coloured";
    /// A page of Wayfarer itself, in the notation of `format/gemtext.rs`.
    pub const OWN: &str = "text/x-wayfarer";
    /// A page of HTML.
    pub const HTML: &str = "text/html";
    /// A page of HTML in the syntax of XML.
    pub const XHTML: &str = "application/xhtml+xml";
    /// A page that says it is XHTML and is no XML, read as HTML. Nothing is ever sent under this name.
    pub const LIKE_XHTML: &str = "text/x-like-xhtml";
    /// A directory of nex: text, with the links of gemtext.
    pub const NEX: &str = "text/x-nex";
    /// A page of gemtext.
    pub const GEMTEXT: &str = "text/gemini";
    /// A message: a news article, a mail (RFC 5322, 5536; MIME).
    pub const MESSAGE: &str = "message/rfc822";
    /// A compressed file in which there may be a page. Nothing is ever sent under this name, nor under the next.
    pub const PACKED: &str = "application/x-wayfarer-packed";
    /// A compressed file of which the text is shown, whatever that is.
    pub const PACKED_TEXT: &str = "text/x-wayfarer-packed";
    /// The articles of a thread: a line with how many there are; then for each, in the order of the thread, a line `LENGTH TAB
    /// message-id` and so many octets, or `-` for the length of one that is missing, `+` for that of one that is too long.
    /// Nothing is ever sent under this name.
    pub const THREAD: &str = "application/x-wayfarer-thread";
    /// A message whose bodies are shown with their letters rotated by 13. Nothing is ever sent under this name.
    pub const MESSAGE_ROT13: &str = "message/x-rot13";
}

/// What a parser must know besides the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The media type, without parameters, lower case.
    pub media: String,
    /// What was said of the charset, the reader's word before the protocol's.
    pub charset: Option<charset::Said>,
    /// What newsgroups are written in whose articles say nothing.
    pub groups: charset::Groups,
    /// The URL that the bytes came from (titles, parent links, TLS kept on menus); not a base.
    pub url: Url,
    /// What the server says to people besides the content, line by line.
    pub notices: Vec<String>,
}

/// Why a page that was read so far should be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Again {
    /// It declares this charset after it was read by a guess.
    Charset(charset::Said),
    /// It says that it is XHTML but is no XML, and would be read better as HTML; in words.
    Html(String),
}

/// Reads one document, chunk by chunk.
pub trait Parser {
    /// Takes the next octets.
    fn feed(&mut self, bytes: &[u8], out: &mut Builder);
    /// Takes the end.
    fn finish(&mut self, out: &mut Builder);
    /// How much it holds besides the document, in octets, as far as that grows with what comes; with what reading it at the
    /// end takes, where that is much. Asked after every piece, so it counts and does not look.
    fn memory(&self) -> usize;

    /// Why all of it should be read again, from its beginning.
    fn again(&self) -> Option<Again> {
        None
    }

    /// Whether something of what has come may not be written yet though a reader could read it (a paragraph, a line whose end has
    /// not come).
    fn holds_back(&self) -> bool {
        false
    }

    /// Its rows so far, where they can be shown in another order than they came in. Without any, a page is shown as it is
    /// written.
    fn rows(&self) -> Option<PageRows> {
        None
    }
}

/// A media type and what reads it.
type Row = (&'static str, fn(&Input) -> Box<dyn Parser>);

const PARSERS: &[Row] = &[
    (media::MENU, |input| Box::new(menu::Menu::new(input))),
    // What servers of Gopher+ call a menu.
    ("application/gopher+-menu", |input| Box::new(menu::Menu::new(input))),
    (media::ATTRIBUTES, attributes::parser),
    (media::FORM, |input| Box::new(attributes::Attributes::new(input))),
    (media::DIRECTORY, |input| Box::new(directory::Directory::new(input))),
    (media::DIRECTORY_LONG, |input| Box::new(directory::Directory::new(input))),
    (media::PHONE_BOOK, |input| Box::new(phone_book::PhoneBook::new(input))),
    (media::CAPS, |input| Box::new(caps::Caps::new(input))),
    (media::WHOIS, |input| Box::new(whois::Whois::new(input))),
    (media::DICT, |input| Box::new(dict::Dictionary::new(input))),
    (media::NEWSGROUPS, |input| Box::new(newsgroups::Newsgroups::new(input))),
    (media::NEWSGROUP, |input| Box::new(newsgroup::Newsgroup::new(input))),
    (media::PLAIN, |input| Box::new(plain::Plain::new(input))),
    (media::COLOURED, |input| Box::new(plain::Plain::coloured(input))),
    (media::OWN, |input| Box::new(gemtext::Gemtext::new(input))),
    ("text/markdown", |input| Box::new(markdown::Markdown::new(input))),
    (media::HTML, |input| Box::new(html::Html::new(input))),
    (media::XHTML, |input| Box::new(html::Html::xml(input))),
    (media::LIKE_XHTML, |input| Box::new(html::Html::like_xml(input))),
    (media::GEMTEXT, |input| Box::new(gemtext::Gemtext::new(input))),
    (media::NEX, |input| Box::new(gemtext::Gemtext::new(input))),
    (media::PACKED, |input| Box::new(packed::Packed::new(input))),
    (media::PACKED_TEXT, |input| Box::new(packed::Packed::new(input))),
    (media::THREAD, |input| Box::new(message::conversation::Conversation::new(input))),
    (media::MESSAGE_ROT13, |input| Box::new(message::Message::new(input))),
];

/// Whether a media type is shown as a page.
pub fn is_page(media: &str) -> bool {
    PARSERS.iter().any(|(known, _)| *known == media)
        || message::is_message(media)
        || feed::TYPES.contains(&media)
        || is_picture(media)
        || guess::is_textual(media)
}

/// The document of octets that are all here; `None` for types that are not shown.
pub fn parse(input: &Input, octets: &[u8]) -> Option<Document> {
    let (mut parser, mut out) = (parser(input)?, Builder::new());
    parser.feed(octets, &mut out);
    parser.finish(&mut out);
    Some(out.finish())
}

/// Whether a media type is one of those that are shown in a way of their own.
pub fn is_listed(media: &str) -> bool {
    PARSERS.iter().any(|(listed, _)| *listed == media)
}

/// Whether a media type is shown as plain text.
pub fn is_plain(media: &str) -> bool {
    let other = is_listed(media) || message::is_message(media) || feed::TYPES.contains(&media);
    matches!(media, media::PLAIN | media::COLOURED) || !other && guess::is_textual(media)
}

/// The parser of a media type; `None` for types that are not shown. Types whose octets are text
/// are shown as plain text when nothing better is known.
pub fn parser(input: &Input) -> Option<Box<dyn Parser>> {
    match PARSERS.iter().find(|(media, _)| *media == input.media) {
        Some((_, new)) => Some(new(input)),
        None if message::is_message(&input.media) => Some(Box::new(message::Message::new(input))),
        None if feed::TYPES.contains(&input.media.as_str()) => Some(Box::new(feed::Feeds::new(input))),
        None if is_picture(&input.media) => Some(Box::new(picture::Picture::new(input))),
        None if guess::is_textual(&input.media) => Some(Box::new(plain::Plain::new(input))),
        None => None,
    }
}
