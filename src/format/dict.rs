//! What a dictionary server says → `Document` (RFC 2229, 3): definitions with their words linked, words that are like one, what
//! databases and strategies there are.

use super::charset::{Charset, Said};
use super::lines::{Endings, Lines};
use super::plain::write_linked;
use super::{Input, Parser};
use crate::doc::{BlockKind, Builder, LinkId, Marker, sanitise};
use crate::role::Role;
use crate::url::scheme::dict::Dict;

/// A longer text between braces is no word.
const WORD: usize = 200;

/// Reads the answers of a dictionary server.
pub struct Dictionary {
    lines: Lines,
    state: State,
}

/// What the lines are that come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Answers, each with its code.
    Answers,
    Definition,
    Words,
    Databases,
    Strategies,
    /// A text of another kind.
    Text,
}

struct State {
    asked: Dict,
    host: String,
    /// `//host:port`, before which the scheme stands and behind which a path.
    site: String,
    part: Part,
    begun: bool,
    /// Definitions or matches so far.
    count: u32,
    /// No database has the word itself.
    missing: bool,
    /// The database whose words came last.
    database: String,
    /// A line in which a brace is open, with the line after it not here yet.
    held: Option<String>,
    strays: bool,
}

impl Dictionary {
    /// A parser for the answers to a URL; they are in UTF-8 unless the reader says otherwise (RFC 2229, 2.5).
    pub fn new(input: &Input) -> Dictionary {
        let utf8 = Said::from("utf-8");
        let said = Some(input.charset.as_ref().unwrap_or(&utf8));
        let state = State {
            asked: Dict::of(&input.url).unwrap_or(Dict::Front),
            host: input.url.host().unwrap_or_default().to_owned(),
            site: format!("dict://{}", input.url.authority().unwrap_or_default()),
            part: Part::Answers,
            begun: false,
            count: 0,
            missing: false,
            database: String::new(),
            held: None,
            strays: false,
        };
        Dictionary { lines: Lines::said(said, input, Endings::Lf), state }
    }
}

impl Parser for Dictionary {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.end_of_text(out);
        self.lines.tell(self.state.strays, out);
    }

    fn memory(&self) -> usize {
        self.lines.memory() + self.state.held.as_ref().map_or(0, String::capacity)
    }

    fn holds_back(&self) -> bool {
        true
    }
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        let line = charset.decode(line);
        self.strays |= matches!((charset, &line), (Charset::Utf8, std::borrow::Cow::Owned(_)));
        self.begin(out);
        if self.part == Part::Answers {
            return self.answer(&line, out);
        }
        if line == "." {
            self.end_of_text(out);
            self.part = Part::Answers;
            return;
        }
        let line = line.strip_prefix('.').filter(|rest| rest.starts_with('.')).unwrap_or(&line);
        match self.part {
            Part::Definition if self.is_wanted() => self.definition(line, out),
            Part::Definition => {}
            Part::Words => self.word(line, out),
            Part::Databases | Part::Strategies => self.row(line, out),
            Part::Answers | Part::Text => plain(line, out),
        }
    }

    /// The head of the page.
    fn begin(&mut self, out: &mut Builder) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let text = |octets: &[u8]| sanitise(&String::from_utf8_lossy(octets)).into_owned();
        let title = match &self.asked {
            Dict::Front => format!("The dictionaries of {}", sanitise(&self.host)),
            Dict::Define { word, .. } => text(word),
            Dict::Match { word, .. } => format!("Words like {}", text(word)),
        };
        out.document_mut().title = Some(title.clone());
        heading(&title, 1, out);
        if self.asked == Dict::Front {
            entry("Look a word up in the first that has it", &format!("{}/d::!", self.site), "", out);
            entry("Look a word up in all of them", &format!("{}/d::*", self.site), "", out);
        }
    }

    fn answer(&mut self, line: &str, out: &mut Builder) {
        let code: u16 = line.get(..3).and_then(|code| code.parse().ok()).unwrap_or_default();
        let words = line.get(3..).unwrap_or_default().trim();
        self.part = match code {
            150 => Part::Answers,
            151 => Part::Definition,
            152 => Part::Words,
            110 => Part::Databases,
            111 => Part::Strategies,
            101..=199 => Part::Text,
            _ => Part::Answers,
        };
        match code {
            110 => heading("Databases", 2, out),
            111 => {
                heading("Words that are like one", 2, out);
                paragraph("Each of these is a way to compare words, tried in all databases.", Role::Dim, out);
            }
            151 => {
                self.count += 1;
                if self.is_wanted() {
                    heading(&source(words), 2, out);
                }
            }
            152 if self.missing => heading("Words that are like it", 2, out),
            552 => self.no_match(out),
            554 | 555 | 400.. => paragraph(words, Role::Error, out),
            _ => {}
        }
    }

    fn no_match(&mut self, out: &mut Builder) {
        let database = match &self.asked {
            Dict::Front => return,
            Dict::Define { database, .. } | Dict::Match { database, .. } => database,
        };
        let place = match database.as_slice() {
            b"!" | b"*" => "No dictionary here".to_owned(),
            named => format!("The dictionary {}", String::from_utf8_lossy(named)),
        };
        let first = !std::mem::replace(&mut self.missing, true);
        let words = match (&self.asked, first) {
            (Dict::Define { .. }, true) => format!("{place} has this word."),
            _ => format!("{place} has a word like it."),
        };
        let words = if place.starts_with("No ") { words } else { words.replace(" has ", " does not have ") };
        paragraph(&words, Role::Text, out);
        if !first || matches!(self.asked, Dict::Match { .. }) {
            entry("The dictionaries of this server, and ways to compare words", &format!("{}/", self.site), "", out);
        }
    }

    /// Whether the definition or the match at hand is the one that the URL wants, if it wants one.
    fn is_wanted(&self) -> bool {
        match self.asked {
            Dict::Define { number, .. } | Dict::Match { number, .. } => {
                number.is_none_or(|number| number == self.count)
            }
            Dict::Front => true,
        }
    }

    /// `database "word"`
    fn word(&mut self, line: &str, out: &mut Builder) {
        let Some((database, word)) = pair(line) else { return plain(line, out) };
        self.count += 1;
        if !self.missing && !self.is_wanted() {
            return;
        }
        if self.database != database {
            heading(&database, 3, out);
            self.database.clone_from(&database);
        }
        let reference = self.define(word.as_bytes(), database.as_bytes());
        entry(&word, &reference, "", out);
    }

    /// `name "description"`, of a database or a strategy.
    fn row(&mut self, line: &str, out: &mut Builder) {
        let Some((name, what)) = pair(line) else { return plain(line, out) };
        let path = match self.part {
            Part::Databases => {
                Dict::Define { word: Vec::new(), database: name.clone().into_bytes(), number: None }.path()
            }
            _ => {
                let (database, strategy) = (b"*".to_vec(), name.clone().into_bytes());
                Dict::Match { word: Vec::new(), database, strategy, number: None }.path()
            }
        };
        entry(if what.is_empty() { &name } else { &what }, &format!("{}{path}", self.site), &name, out);
    }

    fn define(&self, word: &[u8], database: &[u8]) -> String {
        let define = Dict::Define { word: word.to_vec(), database: database.to_vec(), number: None };
        format!("{}{}", self.site, define.path())
    }

    /// A line of a definition; a brace that is open at its end is looked for in the next.
    fn definition(&mut self, line: &str, out: &mut Builder) {
        let text = match self.held.take() {
            Some(held) => format!("{held}\n{line}"),
            None => line.to_owned(),
        };
        let open = text.rfind('{').filter(|open| !text[*open..].contains('}') && text.len() - open < WORD);
        if open.is_some() && !text.contains('\n') {
            self.held = Some(text);
            return;
        }
        self.linked(&text, out);
    }

    fn end_of_text(&mut self, out: &mut Builder) {
        if let Some(held) = self.held.take() {
            self.linked(&held, out);
        }
    }

    /// One or two lines with `{words}` as links, in the database that the reader asked.
    fn linked(&self, text: &str, out: &mut Builder) {
        let database = match &self.asked {
            Dict::Define { database, .. } => database.clone(),
            Dict::Front | Dict::Match { .. } => b"!".to_vec(),
        };
        line_begins(out);
        let mut rest = text;
        while let Some((before, word, after)) = braced(rest) {
            lines(before, &mut |piece, out| write_linked(&sanitise(piece), out), out);
            let plain: Vec<&str> = word.split_whitespace().collect();
            let reference = self.define(plain.join(" ").as_bytes(), &database);
            let mut link: Option<LinkId> = None;
            let mut each = |piece: &str, out: &mut Builder| {
                let inner = piece.trim_start();
                out.text(&piece[..piece.len() - inner.len()]);
                match link {
                    _ if inner.is_empty() => {}
                    Some(link) => out.link_more(&sanitise(inner), Role::Link, link),
                    None => link = Some(out.link(&sanitise(inner), Role::Link, &reference)),
                }
            };
            lines(word, &mut each, out);
            rest = after;
        }
        lines(rest, &mut |piece, out| write_linked(&sanitise(piece), out), out);
    }
}

/// What stands before the first word in braces, that word, and what stands behind it.
fn braced(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let close = from + text[from..].find('}')?;
        if let Some(open) = text[from..close].rfind('{').map(|open| from + open) {
            let word = &text[open + 1..close];
            if !word.trim().is_empty() && word.len() < WORD {
                return Some((&text[..open], word, &text[close + 1..]));
            }
        }
        from = close + 1;
    }
}

/// Writes text in the line that has begun, each further line in one of its own.
fn lines(text: &str, each: &mut dyn FnMut(&str, &mut Builder), out: &mut Builder) {
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            line_begins(out);
        }
        each(line, out);
    }
}

fn line_begins(out: &mut Builder) {
    out.marked(BlockKind::Line, Role::Text, Marker::None, 0);
}

fn plain(line: &str, out: &mut Builder) {
    line_begins(out);
    out.text(&sanitise(line));
}

fn heading(words: &str, level: u8, out: &mut Builder) {
    out.block(BlockKind::Heading(level), Role::heading(level));
    out.text(&sanitise(words));
}

fn paragraph(words: &str, role: Role, out: &mut Builder) {
    out.block(BlockKind::Paragraph, role);
    out.text(&sanitise(words));
}

/// A link on a line of its own, a name behind it.
fn entry(label: &str, reference: &str, name: &str, out: &mut Builder) {
    out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
    out.link(&sanitise(label), Role::Link, reference);
    if !name.is_empty() && name != label {
        out.styled(&format!("  {}", sanitise(name)), Role::Dim);
    }
}

/// `"word" database "description"`: what a definition is from.
fn source(words: &str) -> String {
    let rest = take(words).map_or("", |(_, rest)| rest);
    match pair(rest) {
        Some((name, what)) if what.is_empty() => name,
        Some((_, what)) => what,
        None => rest.trim().to_owned(),
    }
}

/// Two words, either of them quoted.
fn pair(line: &str) -> Option<(String, String)> {
    let (first, rest) = take(line)?;
    let second = take(rest).map(|(second, _)| second).unwrap_or_default();
    Some((first, second))
}

/// The first word of a line, out of its quotation marks, and what follows it.
fn take(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let Some(inner) = line.strip_prefix('"') else {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        return (end > 0).then(|| (line[..end].to_owned(), &line[end..]));
    };
    let (mut word, mut escaped) = (String::new(), false);
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => {
                word.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Some((word, &inner[at + 1..])),
            _ => word.push(c),
        }
    }
    Some((word, ""))
}
