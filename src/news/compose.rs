//! Drafts of articles and mails, as text for the reader's editor: a header, an empty line, the text (RFC 5536, RFC 5537, 3.4).
//!
//! What an article says comes as an [`Original`], already decoded. Whatever it holds becomes neither a new header line nor a
//! control sequence in the draft.

use super::mailbox::Mailbox;
use super::subject;
use unicode_width::UnicodeWidthChar;

/// The longest References field, name included (RFC 5537, 3.4.4).
const LONGEST_REFERENCES: usize = 998;
/// The longest message-id (RFC 5536, 3.1.3).
const LONGEST_ID: usize = 250;
/// Columns of a quoted paragraph that is wrapped anew, marks included.
const COLUMNS: usize = 74;
/// How much of an article is quoted, in octets.
const MOST_QUOTED: usize = 256 * 1024;

/// What is answered, decoded and in one piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Original {
    /// Who wrote it, as shown to readers: the name, else the address.
    pub name: String,
    /// Their address.
    pub address: String,
    /// All who wrote it, as far as mail gets there.
    pub authors: Vec<Mailbox>,
    /// Where answers by mail go; none where no address is named.
    pub replies: Vec<Mailbox>,
    /// What `Reply-To` says where that cannot be followed, so that answers go to the author; else empty.
    pub astray: String,
    /// The groups it is in.
    pub groups: Vec<String>,
    /// Where its author wants answers to be; `poster` is by mail (RFC 5536, 3.2.6).
    pub followup_to: Vec<String>,
    /// Its subject.
    pub subject: String,
    /// Its message-id, without brackets; empty if it has none.
    pub id: String,
    /// The ids of what it answers, the oldest first.
    pub references: Vec<String>,
    /// When it was written, as shown to readers.
    pub date: String,
    /// Its text, without the signature.
    pub text: Vec<Quoted>,
}

/// A line or paragraph of a text that is quoted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quoted {
    /// How deep it was quoted already.
    pub depth: usize,
    /// What it says.
    pub text: String,
    /// It is a paragraph, which may be wrapped (RFC 3676).
    pub flows: bool,
}

/// What the reader's own hand adds to drafts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Manner<'a> {
    /// `Name <address>`; empty leaves a line to fill in.
    pub from: &'a str,
    /// The line before a quote, with `{name}`, `{address}`, `{date}`, `{group}`, `{subject}` and `{id}` in it.
    pub attribution: &'a str,
    /// The signature; empty is none.
    pub signature: &'a str,
    /// The server that is written into the draft, when it is not the one that the group has anyway.
    pub server: Option<&'a str>,
    /// Whether wrapped paragraphs are marked as such.
    pub flowed: bool,
}

impl Original {
    /// Whether its author wants answers by mail only.
    pub fn wants_mail(&self) -> bool {
        self.followup_to.iter().any(|group| group.eq_ignore_ascii_case("poster"))
    }

    /// The subject of an answer: one `Re: `, whatever stood there (RFC 5537, 3.4.3 wants no more than one), and without the
    /// `(was: …)` of whoever changed it: that was for the first answer.
    pub fn answer_subject(&self) -> String {
        format!("Re: {}", line(without_was(subject(&self.subject).base)))
    }

    /// The draft of an answer in the groups.
    pub fn followup(&self, manner: &Manner<'_>) -> String {
        let groups = if self.followup_to.is_empty() { &self.groups } else { &self.followup_to };
        let mut draft = String::new();
        server(manner, &mut draft);
        field("From", manner.from, &mut draft);
        field("Newsgroups", &groups.join(","), &mut draft);
        field("Subject", &self.answer_subject(), &mut draft);
        if let Some(references) = self.answer_references() {
            field("References", &references, &mut draft);
        }
        draft.push('\n');
        self.quote(manner, &mut draft);
        sign(manner, &mut draft);
        draft
    }

    /// The draft of an answer by mail.
    pub fn mail(&self, manner: &Manner<'_>) -> String {
        let mut draft = String::new();
        field("From", manner.from, &mut draft);
        field("To", &list(&self.replies), &mut draft);
        field("Subject", &self.answer_subject(), &mut draft);
        if let Some(references) = self.answer_references() {
            field("In-Reply-To", &format!("<{}>", self.id), &mut draft);
            field("References", &references, &mut draft);
        }
        draft.push('\n');
        self.quote(manner, &mut draft);
        sign(manner, &mut draft);
        draft
    }

    /// Its own References, as they stand in what takes its place; `None` when it answers nothing.
    pub(super) fn own_references(&self) -> Option<String> {
        let (last, before) = self.references.split_last()?;
        Original { id: last.clone(), references: before.to_vec(), ..Original::default() }.answer_references()
    }

    /// The References of an answer: those of the original and its own id; `None` when it has no id.
    fn answer_references(&self) -> Option<String> {
        let good = |id: &&String| is_id(id);
        let own = Some(&self.id).filter(good)?;
        let mut ids: Vec<&String> = self.references.iter().filter(good).filter(|id| *id != own).collect();
        ids.push(own);
        let mut length = "References:".len() + ids.iter().map(|id| id.len() + 3).sum::<usize>();
        // The first and the last two must stay.
        let (mut end, last) = (1, ids.len().saturating_sub(2).max(1));
        while length > LONGEST_REFERENCES && end < last {
            length -= ids[end].len() + 3;
            end += 1;
        }
        ids.drain(1..end);
        Some(ids.iter().map(|id| format!("<{id}>")).collect::<Vec<_>>().join(" "))
    }

    /// The attribution and the quoted text.
    pub fn quote(&self, manner: &Manner<'_>, draft: &mut String) {
        let text = trimmed(&self.text);
        if text.is_empty() {
            return;
        }
        if !manner.attribution.trim().is_empty() {
            draft.push_str(&self.attribution(manner.attribution));
            draft.push('\n');
        }
        let most = draft.len() + MOST_QUOTED;
        for (at, quoted) in text.iter().enumerate() {
            let end = quoted.text.floor_char_boundary(most.saturating_sub(draft.len()));
            quoted.write(end, manner.flowed, draft);
            if end < quoted.text.len() || draft.len() >= most && at + 1 < text.len() {
                draft.push_str("> […]\n");
                break;
            }
        }
        draft.push('\n');
    }

    fn attribution(&self, template: &str) -> String {
        let marks: [(&str, &str); 6] = [
            ("{name}", if self.name.trim().is_empty() { &self.address } else { &self.name }),
            ("{address}", &self.address),
            ("{date}", &self.date),
            ("{group}", self.groups.first().map_or("", String::as_str)),
            ("{subject}", &self.subject),
            ("{id}", &self.id),
        ];
        let (mut out, mut rest) = (String::new(), template);
        // From left to right: what was put in is never looked at again.
        while let Some((at, mark, value)) = marks.iter().filter_map(|(m, v)| Some((rest.find(m)?, m, v))).min() {
            out.push_str(&rest[..at]);
            out.push_str(value);
            rest = &rest[at + mark.len()..];
        }
        line(&(out + rest))
    }
}

/// The draft of a new article.
pub fn new_article(groups: &[String], manner: &Manner<'_>) -> String {
    let mut draft = String::new();
    server(manner, &mut draft);
    field("From", manner.from, &mut draft);
    field("Newsgroups", &groups.join(","), &mut draft);
    field("Subject", "", &mut draft);
    draft.push('\n');
    sign(manner, &mut draft);
    draft
}

/// The draft of a mail with these fields, and its text.
pub fn new_mail(to: &[Mailbox], fields: &[(String, String)], manner: &Manner<'_>) -> String {
    let mut draft = String::new();
    field("From", manner.from, &mut draft);
    field("To", &list(to), &mut draft);
    let mut text = String::new();
    let mut subject = "";
    for (name, value) in fields {
        match name.as_str() {
            "body" => text.push_str(value),
            "subject" => subject = value,
            "in-reply-to" => field("In-Reply-To", value, &mut draft),
            "keywords" => field("Keywords", value, &mut draft),
            "cc" => field("Cc", value, &mut draft),
            _ => {}
        }
    }
    field("Subject", subject, &mut draft);
    draft.push('\n');
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    for written in text.split('\n').filter(|_| !text.is_empty()) {
        draft.push_str(line(written).trim_end());
        draft.push('\n');
    }
    sign(manner, &mut draft);
    draft
}

impl Quoted {
    /// Writes it up to an end.
    fn write(&self, end: usize, flowed: bool, draft: &mut String) {
        let marks = ">".repeat(self.depth.min(40) + 1);
        let text = line(&self.text[..end]);
        let text = text.trim_end();
        // An unwrapped line that no article may have is wrapped too.
        if !self.flows && text.len() < 900 || text.is_empty() {
            return quoted_line(&marks, text, draft);
        }
        let room = COLUMNS.saturating_sub(marks.len() + 1).max(20);
        let mut rest = text;
        while let Some((now, later)) = wrapped(rest, room) {
            let soft = if flowed { " " } else { "" };
            quoted_line(&marks, &format!("{}{soft}", now.trim_end()), draft);
            rest = later.trim_start();
        }
        quoted_line(&marks, rest, draft);
    }
}

/// Mailboxes as a field has them.
fn list(mailboxes: &[Mailbox]) -> String {
    mailboxes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether it can be an id, without its brackets.
pub(super) fn is_id(id: &str) -> bool {
    (3..LONGEST_ID - 2).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic() && !b"<>".contains(&b))
}

/// A subject without the one that it had before, `(was: …)` or `[was: …]` at its end; one that is nothing else stays.
fn without_was(subject: &str) -> &str {
    let bare = subject.trim_end();
    let open = match bare.as_bytes().last() {
        Some(b')') => '(',
        Some(b']') => '[',
        _ => return subject,
    };
    let is_was = |rest: &str| {
        let word = rest.trim_start().get(..3).filter(|word| word.eq_ignore_ascii_case("was"));
        word.is_some() && rest.trim_start()[3..].trim_start().starts_with(':')
    };
    let at = bare.match_indices(open).map(|(at, _)| at).find(|at| is_was(&bare[at + 1..]));
    at.map(|at| bare[..at].trim_end()).filter(|rest| !rest.is_empty()).unwrap_or(subject)
}

pub(super) fn quoted_line(marks: &str, text: &str, draft: &mut String) {
    draft.push_str(marks);
    if !text.is_empty() {
        draft.push(' ');
        draft.push_str(text);
    }
    draft.push('\n');
}

/// Cuts a text that is too wide at its last space that fits, else where it must; `None` when it fits. No more of a long text is
/// looked at than fits.
fn wrapped(text: &str, room: usize) -> Option<(&str, &str)> {
    let (mut cut, mut wide) = (None, 0);
    for (at, c) in text.char_indices() {
        wide += c.width().unwrap_or(1);
        if wide > room && (cut.is_some() || at > 900) {
            return Some(text.split_at(cut.unwrap_or(at)));
        }
        if c == ' ' && at > 0 {
            // A word that is wider than the line, as URLs are, stays whole.
            if wide > room {
                return Some(text.split_at(at));
            }
            cut = Some(at);
        }
    }
    None
}

/// Without the empty lines around it.
fn trimmed(text: &[Quoted]) -> &[Quoted] {
    let full = |quoted: &Quoted| !quoted.text.trim().is_empty();
    let first = text.iter().position(full).unwrap_or(text.len());
    let last = text.iter().rposition(full).map_or(first, |last| last + 1);
    &text[first..last]
}

pub(super) fn server(manner: &Manner<'_>, draft: &mut String) {
    if let Some(server) = manner.server {
        field(super::draft::SERVER, server, draft);
    }
}

pub(super) fn field(name: &str, value: &str, draft: &mut String) {
    let value = line(value);
    draft.push_str(&format!("{name}: {}\n", value.trim()));
}

pub(super) fn sign(manner: &Manner<'_>, draft: &mut String) {
    let signature = manner.signature.trim_end();
    let own = signature.strip_prefix("-- \n").unwrap_or(signature);
    if own.trim().is_empty() {
        draft.push('\n');
        return;
    }
    draft.push_str("\n-- \n");
    own.lines().for_each(|own| draft.push_str(&format!("{}\n", line(own).trim_end())));
}

/// On one line, and without anything that an editor or a terminal might obey.
pub(super) fn line(text: &str) -> String {
    let tame = |c: char| if c != '\t' && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) { ' ' } else { c };
    text.chars().map(tame).collect()
}
