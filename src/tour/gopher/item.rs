//! Everything that the gopher server of the tour has.

/// An item.
pub(super) struct Item {
    /// Its type (RFC 1436, 3.8).
    pub kind: char,
    /// Its selector. The root answers to two.
    pub selector: &'static str,
    /// Its words on a menu.
    pub title: &'static str,
    /// What it is.
    pub body: Body,
}

/// What an item is.
#[derive(Clone, Copy)]
pub(super) enum Body {
    /// A menu: lines of RFC 1436; a line without TAB is one of information.
    Menu(&'static str),
    /// Text to be sent in lines.
    Text(&'static str),
    /// Octets to be sent as they are.
    Octets(&'static [u8]),
    /// A text that can be had in several views: media type and language, and the text. The first one is the usual one.
    Views(&'static [(&'static str, &'static str)]),
    /// A search through [`STOPS`].
    Search,
    /// Questions of Gopher+.
    Form,
}

/// The stops of the tour, as lines of a menu.
pub(super) const STOPS: &str = include_str!("../../../assets/tour/gopher/stops.map");
/// What follows what was found.
pub(super) const FOUND: &str = include_str!("../../../assets/tour/gopher/found.map");
/// The questions of the form.
pub(super) const QUESTIONS: &str = include_str!("../../../assets/tour/gopher/form.ask");

const GREETINGS: &[(&str, &str)] = &[
    ("text/plain En_US", include_str!("../../../assets/tour/gopher/greeting.en.txt")),
    ("text/plain De_DE", include_str!("../../../assets/tour/gopher/greeting.de.txt")),
    ("text/plain Eo_EO", include_str!("../../../assets/tour/gopher/greeting.eo.txt")),
    ("text/html En_US", include_str!("../../../assets/tour/gopher/greeting.html")),
];

const fn row(kind: char, selector: &'static str, title: &'static str, body: Body) -> Item {
    Item { kind, selector, title, body }
}

/// Every item.
#[rustfmt::skip]
const ITEMS: &[Item] = &[
    row('1', "", "The tour", Body::Menu(include_str!("../../../assets/tour/gopher/root.map"))),
    row('0', "/welcome", "A text to go to and to come back from", Body::Text(include_str!("../../../assets/tour/gopher/welcome.txt"))),
    row('1', "/stops", "All stops on one menu", Body::Menu(STOPS)),
    row('0', "/a selector: not a path? #2", "Stop 2: a selector is opaque", Body::Text(include_str!("../../../assets/tour/gopher/selector.txt"))),
    row('1', "/types", "Stop 3: every type of item", Body::Menu(include_str!("../../../assets/tour/gopher/types.map"))),
    row('1', "/search", "Stop 4: a search and its words", Body::Menu(include_str!("../../../assets/tour/gopher/search.map"))),
    row('7', "/find", "Search the stops of the tour", Body::Search),
    row('1', "/plus", "Stop 5: Gopher+, attributes and views", Body::Menu(include_str!("../../../assets/tour/gopher/plus.map"))),
    row('0', "/greeting", "A greeting in three languages, and as a page of the web", Body::Views(GREETINGS)),
    row('1', "/questions", "Stop 6: Gopher+, a form with questions", Body::Menu(include_str!("../../../assets/tour/gopher/questions.map"))),
    row('0', "/form", "Some questions", Body::Form),
    row('0', "/files/text.txt", "Text", Body::Text(include_str!("../../../assets/tour/gopher/files/text.txt"))),
    row('0', "/files/mirror.txt", "The same text at another place", Body::Text(include_str!("../../../assets/tour/gopher/files/mirror.txt"))),
    row('4', "/files/hello.hqx", "BinHex", Body::Text(include_str!("../../../assets/tour/gopher/files/hello.hqx"))),
    row('5', "/files/hello.zip", "Archive", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/hello.zip"))),
    row('6', "/files/hello.uu", "Uuencoded file", Body::Text(include_str!("../../../assets/tour/gopher/files/hello.uu"))),
    row('9', "/files/octets.bin", "Binary file", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/octets.bin"))),
    row('g', "/files/square.gif", "GIF", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/square.gif"))),
    row('I', "/files/square.png", "Picture", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/square.png"))),
    row('h', "/files/page.html", "Page of the web, by gopher", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/page.html"))),
    row(':', "/files/square.bmp", "Bitmap", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/square.bmp"))),
    row(';', "/files/blink.avi", "Movie", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/blink.avi"))),
    row('s', "/files/tone.wav", "Sound", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/tone.wav"))),
    row('d', "/files/notes.md", "Document", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/notes.md"))),
    row('P', "/files/page.pdf", "PDF document", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/page.pdf"))),
    row('r', "/files/letter.rtf", "RTF document", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/letter.rtf"))),
    row('x', "/files/list.xml", "XML document", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/list.xml"))),
    row('M', "/files/letter.eml", "Mail", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/letter.eml"))),
    row('c', "/files/tour.ics", "Calendar", Body::Octets(include_bytes!("../../../assets/tour/gopher/files/tour.ics"))),
];

/// The item of a selector.
pub(super) fn find(selector: &str) -> Option<&'static Item> {
    let selector = if selector == "/" { "" } else { selector };
    ITEMS.iter().find(|item| item.selector == selector)
}

impl Item {
    /// Its views, the usual one first: media type and language.
    pub fn views(&self) -> Vec<&'static str> {
        match self.body {
            Body::Menu(_) | Body::Search => vec!["application/gopher-menu"],
            Body::Views(views) => views.iter().map(|(view, _)| *view).collect(),
            Body::Text(_) => vec!["text/plain"],
            // Not before its questions are answered.
            Body::Form => Vec::new(),
            Body::Octets(_) => vec!["application/octet-stream"],
        }
    }
}
