//! A draft as it comes back from the reader's editor: taken apart, and looked over before anything is sent.

use super::mailbox::Mailbox;
use std::collections::HashSet;

/// The line of a draft that says which server it goes to; it is not sent.
pub(super) const SERVER: &str = "Server";
/// The lines of a mail that name whom it goes to.
pub(super) const RECIPIENTS: &[&str] = &["To", "Cc", "Bcc"];
/// The longest line of an article, in octets (RFC 5322, 2.1.1).
pub(super) const LONGEST_LINE: usize = 998;

/// A draft.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// Names and values as written, unfolded, in order. Empty ones are left out.
    pub fields: Vec<(String, String)>,
    /// The lines of the text, without empty ones at the end.
    pub lines: Vec<String>,
    /// Lines of the header that are no fields.
    pub broken: Vec<String>,
}

impl Draft {
    /// Reads what the editor left.
    pub fn read(text: &str) -> Draft {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let mut draft = Draft::default();
        for line in lines.by_ref().take_while(|line| !line.trim().is_empty()) {
            draft.field(line);
        }
        draft.fields.retain(|(_, value)| !value.is_empty());
        draft.lines = lines.map(Into::into).collect();
        let last = draft.lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
        draft.lines.truncate(last);
        // A signature that was never written under.
        if draft.lines.last().is_some_and(|line| line == "-- ") {
            draft.lines.pop();
        }
        draft
    }

    fn field(&mut self, line: &str) {
        if line.starts_with([' ', '\t'])
            && let Some((_, value)) = self.fields.last_mut()
        {
            value.push(' ');
            value.push_str(line.trim());
            return;
        }
        match line.split_once(':') {
            Some((name, value)) if !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic()) => {
                self.fields.push((name.into(), value.trim().into()));
            }
            _ => self.broken.push(line.into()),
        }
    }

    /// The value of a field; empty when there is none.
    pub fn get(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }

    /// The groups it goes to.
    pub fn groups(&self) -> Vec<&str> {
        self.get("Newsgroups").split(',').map(str::trim).filter(|group| !group.is_empty()).collect()
    }

    /// The server that it names, as `nntp://host:port`.
    pub fn server(&self) -> Option<&str> {
        Some(self.get(SERVER)).filter(|server| !server.is_empty())
    }

    /// Whether it is a mail: it goes to somebody and to no group.
    pub fn is_mail(&self) -> bool {
        self.groups().is_empty() && !self.get("To").is_empty()
    }

    /// Whom a mail goes to, in the order of its lines; those that no mail can go to are left out, and are [mistakes](Self::mistakes).
    pub fn recipients(&self) -> Vec<Mailbox> {
        let lines = RECIPIENTS.iter().flat_map(|name| Mailbox::list(self.get(name)));
        lines.flatten().filter(Mailbox::is_sendable).collect()
    }

    /// What keeps it from being sent, each a sentence; none when it may go.
    pub fn mistakes(&self) -> Vec<String> {
        let mut found: Vec<String> =
            self.broken.iter().map(|line| format!("This line of the header is no field: {}", short(line))).collect();
        self.look_at_header(&mut found);
        self.look_at_text(&mut found);
        found
    }

    fn look_at_header(&self, found: &mut Vec<String>) {
        let mut seen = HashSet::new();
        for (name, value) in &self.fields {
            if value.chars().any(|c| c.is_control() && c != '\t') {
                found.push(format!("{name} has a control character in it."));
            }
            if !seen.insert(name.to_ascii_lowercase()) {
                found.push(format!("There is more than one {name}."));
            }
        }
        let from = self.get("From");
        if from.is_empty() {
            found.push("From is empty: write \"Name <address>\" there, or set news.from for all articles.".into());
        } else if !is_author(from) {
            found.push(format!("From is no address: {}. \"Name <address>\" is wanted.", short(from)));
        }
        self.look_at_recipients(found);
        let id = self.get("Message-ID");
        let bare = id.strip_prefix('<').and_then(|id| id.strip_suffix('>')).filter(|id| id.contains('@'));
        if !id.is_empty() && !bare.is_some_and(super::compose::is_id) {
            found.push(format!("Message-ID is none: {}. Without the line it is made anew.", short(id)));
        }
        if self.get("Subject").is_empty() {
            found.push("There is no Subject.".into());
        }
        if !self.is_mail() && self.groups().is_empty() {
            found.push("Newsgroups names no group, and To nobody: nobody would get it.".into());
        }
        for group in self.groups().into_iter().filter(|group| !is_group(group)) {
            found.push(format!("Newsgroups: {} is no name of a group.", short(group)));
        }
        let answers = self.get("Followup-To");
        for group in answers.split(',').map(str::trim).filter(|group| !group.is_empty()) {
            if !is_group(group) && group != "poster" {
                found.push(format!("Followup-To: {} is no name of a group.", short(group)));
            }
        }
    }

    /// What names nobody goes nowhere, and what could name somebody else goes nowhere either.
    fn look_at_recipients(&self, found: &mut Vec<String>) {
        for name in RECIPIENTS {
            for one in Mailbox::list(self.get(name)) {
                let none = match &one {
                    Ok(known) if known.is_sendable() => continue,
                    Ok(known) => &known.address,
                    Err(words) => *words,
                };
                found.push(format!("{name}: {} is no address. \"Name <address>\" is wanted.", short(none)));
            }
        }
        if self.is_mail() && self.recipients().is_empty() && found.is_empty() {
            found.push("To names nobody.".into());
        }
    }

    fn look_at_text(&self, found: &mut Vec<String>) {
        for (at, line) in self.lines.iter().enumerate() {
            if line.len() > LONGEST_LINE {
                found.push(format!("Line {} of the text has more than {LONGEST_LINE} octets: break it.", at + 1));
            }
            if line.chars().any(|c| c.is_control() && c != '\t') {
                found.push(format!("Line {} of the text has a control character in it.", at + 1));
            }
        }
        found.extend(self.attached());
    }

    /// The lines above the signature, and whether there is one.
    pub(super) fn unsigned(&self) -> (&[String], bool) {
        match self.lines.iter().position(|line| line == "-- ") {
            Some(at) => (&self.lines[..at], true),
            None => (&self.lines, false),
        }
    }

    /// How many lines are the reader's own: no quotes, no attribution, no signature.
    pub(super) fn own(&self) -> usize {
        let full: Vec<&str> = self.unsigned().0.iter().map(|line| line.trim()).filter(|l| !l.is_empty()).collect();
        let quote = |at: usize| full.get(at).is_some_and(|line| line.starts_with('>'));
        let attribution = |at: usize| at == 0 && quote(1) && full[at].ends_with(':');
        (0..full.len()).filter(|at| !quote(*at) && !attribution(*at)).count()
    }
}

/// Whether it is the address of somebody, as servers take it.
fn is_author(from: &str) -> bool {
    matches!(Mailbox::list(from).as_slice(), [Ok(author)] if author.has_domain() && author.is_sendable())
}

/// RFC 5536, 3.1.4, and letters of other scripts, which some hierarchies have.
fn is_group(name: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || "+-_".contains(c);
    name != "poster" && name.split('.').all(|part| !part.is_empty() && part.chars().all(letter))
}

fn short(text: &str) -> String {
    let end = text.floor_char_boundary(60);
    format!("\"{}{}\"", &text[..end], if end < text.len() { "…" } else { "" })
}
