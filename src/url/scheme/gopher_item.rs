//! The gopher item types: what each octet means, in words, for menus, status bar and the choice of what to do.
//!
//! RFC 1436, 3.8; Gopher+ 2.9 for `: ; <`; the rest is the custom of servers in use.

/// What can be done with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// A menu to walk into.
    Menu,
    /// A text to read.
    Text,
    /// A search that needs words; its answer is a menu.
    Search,
    /// A CSO phone book that needs a query.
    PhoneBook,
    /// A terminal session on another host; nothing to retrieve.
    Session,
    /// A page of the web, or a `URL:` item that leads elsewhere.
    Web,
    /// A picture.
    Picture,
    /// A sound.
    Sound,
    /// A moving picture.
    Movie,
    /// A formatted document for another program.
    Document,
    /// A mailbox or a message with MIME headers.
    Message,
    /// Octets to be saved.
    Binary,
    /// A line to read, no link.
    Info,
    /// The server says that something went wrong; no link.
    Error,
    /// Another server for the item before it.
    Mirror,
    /// Nothing is known of it.
    Unknown,
}

/// One item type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// The octet in menus and URLs; 0 for the row of unknown types.
    pub octet: u8,
    /// In one or two words ("menu").
    pub word: &'static str,
    /// The media type to expect; with `*` where only name or content can tell.
    pub media: &'static str,
    /// What can be done with it.
    pub kind: ItemKind,
}

impl Item {
    /// Whether the answer is a text in lines with a final dot, not raw octets until the server closes.
    pub fn in_lines(&self) -> bool {
        matches!(self.kind, ItemKind::Menu | ItemKind::Text | ItemKind::Search) || matches!(self.octet, b'4' | b'6')
    }
}

const MENU: &str = "application/gopher-menu";
const OCTETS: &str = "application/octet-stream";

/// A row of the table.
const fn row(octet: u8, word: &'static str, media: &'static str, kind: ItemKind) -> Item {
    Item { octet, word, media, kind }
}

/// Every item type that has a meaning, the usual ones first.
pub const ITEMS: &[Item] = &[
    row(b'i', "information", "text/plain", ItemKind::Info),
    row(b'1', "menu", MENU, ItemKind::Menu),
    row(b'0', "text", "text/plain", ItemKind::Text),
    row(b'h', "web page", "text/html", ItemKind::Web),
    row(b'7', "search", MENU, ItemKind::Search),
    row(b'9', "binary", OCTETS, ItemKind::Binary),
    row(b'I', "picture", "image/*", ItemKind::Picture),
    row(b'g', "GIF picture", "image/gif", ItemKind::Picture),
    row(b'3', "error", "text/plain", ItemKind::Error),
    row(b'2', "phone book", "text/plain", ItemKind::PhoneBook),
    row(b'4', "BinHex file", "application/mac-binhex40", ItemKind::Binary),
    row(b'5', "archive", OCTETS, ItemKind::Binary),
    row(b'6', "uuencoded file", "text/x-uuencode", ItemKind::Binary),
    row(b'8', "telnet session", OCTETS, ItemKind::Session),
    row(b'T', "tn3270 session", OCTETS, ItemKind::Session),
    row(b'+', "mirror", OCTETS, ItemKind::Mirror),
    row(b's', "sound", "audio/*", ItemKind::Sound),
    row(b'S', "sound", "audio/*", ItemKind::Sound),
    row(b'<', "sound", "audio/*", ItemKind::Sound),
    row(b';', "movie", "video/*", ItemKind::Movie),
    row(b':', "bitmap", "image/*", ItemKind::Picture),
    row(b'p', "PNG picture", "image/png", ItemKind::Picture),
    row(b'd', "document", OCTETS, ItemKind::Document),
    row(b'P', "PDF document", "application/pdf", ItemKind::Document),
    row(b'r', "RTF document", "application/rtf", ItemKind::Document),
    row(b'x', "XML document", "application/xml", ItemKind::Document),
    row(b'M', "mail", "message/rfc822", ItemKind::Message),
    row(b'c', "calendar", "text/calendar", ItemKind::Document),
    row(b'e', "event", "text/calendar", ItemKind::Document),
    row(b'w', "web link", "text/html", ItemKind::Web),
    row(b'!', "query", OCTETS, ItemKind::Unknown),
    row(b'q', "query", OCTETS, ItemKind::Unknown),
    row(b'Q', "query", OCTETS, ItemKind::Unknown),
];

static UNKNOWN: Item = row(0, "unknown type", OCTETS, ItemKind::Unknown);

/// The row of a type; every octet has one.
pub fn item(octet: u8) -> &'static Item {
    ITEMS.iter().find(|item| item.octet == octet).unwrap_or(&UNKNOWN)
}
