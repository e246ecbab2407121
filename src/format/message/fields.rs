//! Header fields on the page: the chosen ones first, each name, id and address a link (NEWS-07); all of them in a fold.

use super::address;
use super::head::{Field, Head, id_ranges, ids, unfold};
use super::words;
use crate::date;
use crate::doc::{BlockKind, Builder, FoldKind, Marker, sanitise};
use crate::format::charset::Charset;
use crate::format::plain::{Articles, write_linked_among};
use crate::format::{count, human};
use crate::role::Role;

/// How much of one value is shown, in octets of text.
const LONGEST: usize = 64 * 1024;
/// How many ids or addresses of one field are links.
const MOST: usize = 1000;
/// How many of the articles that one follows are in sight at once: two lines, even of a small screen.
const NEAREST: usize = 12;
/// So few more are not worth a fold.
const FEW: usize = 4;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Addresses,
    Groups,
    Ids,
    /// The articles that this one follows, the oldest first; shown from the nearest on as ^1, ^2, ….
    Thread,
    Date,
    /// Text, perhaps with URLs in it.
    Words,
    /// Text with ids and names that look like addresses.
    Literal,
    /// A small picture in letters.
    Picture,
}

/// When a field stands at the top of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Top {
    Always,
    /// Unless it says the same as another field.
    UnlessSame(&'static str),
    /// In the fold only.
    Never,
}

/// A row of what is known of fields. Those at the top are in the order of the page.
struct Row {
    name: &'static str,
    holds: Holds,
    top: Top,
}

const fn row(name: &'static str, holds: Holds, top: Top) -> Row {
    Row { name, holds, top }
}

const ROWS: &[Row] = &[
    row("From", Holds::Addresses, Top::Always),
    row("Date", Holds::Date, Top::Always),
    row("Newsgroups", Holds::Groups, Top::Always),
    row("Followup-To", Holds::Groups, Top::UnlessSame("Newsgroups")),
    row("Reply-To", Holds::Addresses, Top::UnlessSame("From")),
    row("To", Holds::Addresses, Top::Always),
    row("Cc", Holds::Addresses, Top::Always),
    row("Organization", Holds::Words, Top::Always),
    row("Organisation", Holds::Words, Top::Always),
    row("Summary", Holds::Words, Top::Always),
    row("Keywords", Holds::Words, Top::Always),
    row("X-URL", Holds::Words, Top::Always),
    row("URL", Holds::Words, Top::Always),
    row("References", Holds::Thread, Top::Always),
    row("In-Reply-To", Holds::Ids, Top::UnlessSame("References")),
    row("Supersedes", Holds::Ids, Top::Always),
    row("Control", Holds::Words, Top::Always),
    row("Message-ID", Holds::Ids, Top::Never),
    row("Sender", Holds::Addresses, Top::Never),
    row("Bcc", Holds::Addresses, Top::Never),
    row("Mail-Copies-To", Holds::Addresses, Top::Never),
    row("Resent-From", Holds::Addresses, Top::Never),
    row("Resent-To", Holds::Addresses, Top::Never),
    row("Errors-To", Holds::Addresses, Top::Never),
    row("Return-Path", Holds::Addresses, Top::Never),
    row("Injection-Date", Holds::Date, Top::Never),
    row("NNTP-Posting-Date", Holds::Date, Top::Never),
    row("Expires", Holds::Date, Top::Never),
    row("Path", Holds::Literal, Top::Never),
    row("Received", Holds::Literal, Top::Never),
    row("Content-Type", Holds::Literal, Top::Never),
    row("Content-Disposition", Holds::Literal, Top::Never),
    row("Content-ID", Holds::Literal, Top::Never),
    row("X-Face", Holds::Picture, Top::Never),
    row("Face", Holds::Picture, Top::Never),
];

/// Writes fields with one indent.
pub(super) struct Fields<'a> {
    pub head: &'a Head<'a>,
    /// What raw octets are read by.
    pub hint: Option<Charset>,
    /// Those that it names.
    pub articles: &'a Articles,
    pub indent: u8,
}

impl Fields<'_> {
    /// The heading, the chosen fields, the fold with all.
    pub fn write(&self, level: u8, out: &mut Builder) {
        let subject = self.subject();
        out.marked(BlockKind::Heading(level), Role::heading(level), Marker::None, self.indent);
        out.text(&subject);
        if level == 1 {
            out.document_mut().entitle(&subject);
        }
        for row in ROWS.iter().filter(|row| row.top != Top::Never) {
            for field in self.head.fields.iter().filter(|field| field.is(row.name)) {
                if !self.is_repeated(field, row.top) {
                    self.field(row.name, field, row.holds, out);
                }
            }
        }
        self.all(out);
        out.marked(BlockKind::Line, Role::Text, Marker::None, self.indent);
        if level == 1 && out.document().content.is_none() {
            out.begin_content();
        }
    }

    fn subject(&self) -> String {
        let subject = self.head.text("subject", self.hint).unwrap_or_default();
        let subject = sanitise(shortened(subject.trim())).into_owned();
        if subject.is_empty() { "(no subject)".into() } else { subject }
    }

    /// Whether a field says nothing new.
    fn is_repeated(&self, field: &Field, top: Top) -> bool {
        let Top::UnlessSame(other) = top else { return false };
        let Some(value) = self.head.get(other) else { return false };
        if other == "From" {
            let of = |value: &[u8]| {
                let list = address::list(shortened(&words::raw(&unfold(value), self.hint)));
                list.into_iter().map(|address| address.address).collect::<Vec<_>>()
            };
            return of(value) == of(field.value);
        }
        let theirs = ids(value);
        let own = ids(field.value);
        unfold(value) == unfold(field.value)
            || (other == "References" && !own.is_empty() && own.iter().all(|id| theirs.contains(id)))
    }

    /// Every field, out of sight until the reader asks.
    fn all(&self, out: &mut Builder) {
        if self.head.fields.is_empty() {
            return;
        }
        self.begin(out);
        let head = out.link(&format!("all headers ({})", count(self.head.fields.len())), Role::Control, "");
        out.begin_fold(FoldKind::Headers, head, false);
        for field in &self.head.fields {
            let known = ROWS.iter().find(|row| field.is(row.name));
            let holds = match known.map_or(Holds::Words, |row| row.holds) {
                // here they stand as they were written
                Holds::Thread => Holds::Ids,
                Holds::Date => Holds::Literal,
                other => other,
            };
            self.field(&words::raw(field.name, None), field, holds, out);
        }
        out.end_fold();
    }

    fn begin(&self, out: &mut Builder) {
        out.marked(BlockKind::Entry, Role::Text, Marker::None, self.indent);
    }

    fn field(&self, name: &str, field: &Field, holds: Holds, out: &mut Builder) {
        self.begin(out);
        if !name.is_empty() {
            out.styled(&format!("{}: ", sanitise(shortened(name))), Role::Dim);
        }
        match holds {
            Holds::Addresses => self.addresses(field, out),
            Holds::Groups => self.groups(field, out),
            Holds::Ids => self.ids(field, out),
            Holds::Thread => self.thread(field, out),
            Holds::Date => {
                let text = words::decode(field.value, self.hint);
                let shown = date::read(text.as_bytes()).map(|date| date.to_string()).unwrap_or(text);
                out.styled(&sanitise(shortened(&shown)), Role::Date);
            }
            Holds::Words => self.words(field, out),
            Holds::Literal => out.text(&sanitise(shortened(&words::decode(field.value, self.hint)))),
            Holds::Picture => out.styled(&format!("a picture, {}", human(field.value.len() as u64)), Role::Dim),
        }
    }

    fn words(&self, field: &Field, out: &mut Builder) {
        let text = words::decode(field.value, self.hint);
        let text = sanitise(shortened(&text)).into_owned();
        write_linked_among(&text, self.articles, out);
    }

    fn addresses(&self, field: &Field, out: &mut Builder) {
        let text = words::raw(&unfold(field.value), self.hint);
        let list = address::list(shortened(&text));
        for (at, address) in list.iter().take(MOST).enumerate() {
            if at > 0 {
                out.text(", ");
            }
            let shown = sanitise(&address.text);
            match address.url() {
                Some(url) => drop(out.link(&shown, Role::Link, &url)),
                None => out.text(&shown),
            }
        }
        more(list.len(), out);
    }

    /// Groups; `poster` in Followup-To is the author (RFC 5536, 3.2.6).
    fn groups(&self, field: &Field, out: &mut Builder) {
        let text = words::raw(&unfold(field.value), self.hint);
        let groups = || shortened(&text).split(',').map(str::trim).filter(|group| !group.is_empty());
        for (at, group) in groups().take(MOST).enumerate() {
            if at > 0 {
                out.text(", ");
            }
            let url = match group {
                "poster" if field.is("Followup-To") => self.author(),
                group => self.articles.place.group(group.as_bytes()),
            };
            match url {
                Some(url) => drop(out.link(&sanitise(group), Role::Link, &url)),
                None => out.text(&sanitise(group)),
            }
        }
        more(groups().count(), out);
    }

    /// Where a reply to the author goes.
    fn author(&self) -> Option<String> {
        let value = self.head.get("reply-to").or_else(|| self.head.get("from"))?;
        address::list(shortened(&words::raw(&unfold(value), self.hint))).first()?.url()
    }

    /// Text in which every `<id>` is a link.
    fn ids(&self, field: &Field, out: &mut Builder) {
        let text = words::raw(&unfold(field.value), self.hint);
        let text = shortened(&text);
        let mut at = 0;
        for range in id_ranges(text.as_bytes()).into_iter().take(MOST) {
            let id = &text[range.clone()];
            out.text(&sanitise(&text[at..range.start]));
            self.link_id(id, &sanitise(id), out);
            at = range.end;
        }
        out.text(&sanitise(&text[at..]));
    }

    fn thread(&self, field: &Field, out: &mut Builder) {
        let found = ids(field.value);
        if found.is_empty() {
            return self.words(field, out);
        }
        let near: Vec<(usize, &[u8])> = found.iter().rev().copied().enumerate().take(MOST).collect();
        let folds = near.len() > NEAREST + FEW;
        let (near, far) = near.split_at(if folds { NEAREST } else { near.len() });
        self.steps(near, out);
        if folds {
            out.text(" ");
            let head = out.link(&format!("and {} before", count(found.len() - NEAREST)), Role::Control, "");
            out.begin_fold(FoldKind::Thread, head, false);
            self.begin(out);
            self.steps(far, out);
            more(found.len(), out);
            out.end_fold();
        }
    }

    /// Articles before this one, each with the number of steps to it.
    fn steps(&self, articles: &[(usize, &[u8])], out: &mut Builder) {
        for (at, (steps, id)) in articles.iter().enumerate() {
            if at > 0 {
                out.text(" ");
            }
            self.link_id(&words::raw(id, None), &format!("^{}", steps + 1), out);
        }
    }

    /// Writes the link to an article; an id that is none stays text.
    fn link_id(&self, id: &str, text: &str, out: &mut Builder) {
        match self.articles.place.article(id.as_bytes()) {
            Some(reference) => drop(out.link(text, Role::Link, &reference)),
            None => out.text(&sanitise(id)),
        }
    }
}

/// Says how many were left out.
fn more(all: usize, out: &mut Builder) {
    if all > MOST {
        out.styled(&format!(" (and {} more)", count(all - MOST)), Role::Dim);
    }
}

/// As much of a value as is shown.
fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}
