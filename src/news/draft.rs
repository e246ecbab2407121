//! A draft as it comes back from the reader's editor: taken apart, and looked over before anything is sent.

use std::collections::HashSet;

/// The line of a draft that says which server it goes to; it is not sent.
pub(super) const SERVER: &str = "Server";
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
        if self.get("Subject").is_empty() {
            found.push("There is no Subject.".into());
        }
        if !self.is_mail() && self.groups().is_empty() {
            found.push("Newsgroups names no group.".into());
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

    fn look_at_text(&self, found: &mut Vec<String>) {
        for (at, line) in self.lines.iter().enumerate() {
            if line.len() > LONGEST_LINE {
                found.push(format!("Line {} of the text has more than {LONGEST_LINE} octets: break it.", at + 1));
            }
            if line.chars().any(|c| c.is_control() && c != '\t') {
                found.push(format!("Line {} of the text has a control character in it.", at + 1));
            }
        }
        let (above, signed) = self.unsigned();
        if self.own() == 0 {
            let quotes = above.iter().any(|line| line.starts_with('>'));
            let what = if quotes { "There is nothing but what others wrote." } else { "There is no text." };
            let below = if signed { " What stands below \"-- \" is the signature." } else { "" };
            found.push(format!("{what}{below}"));
        }
    }

    /// The lines above the signature, and whether there is one.
    fn unsigned(&self) -> (&[String], bool) {
        match self.lines.iter().position(|line| line == "-- ") {
            Some(at) => (&self.lines[..at], true),
            None => (&self.lines, false),
        }
    }

    /// How many lines are the reader's own: no quotes, no attribution, no signature.
    fn own(&self) -> usize {
        let full: Vec<&str> = self.unsigned().0.iter().map(|line| line.trim()).filter(|l| !l.is_empty()).collect();
        let quote = |at: usize| full.get(at).is_some_and(|line| line.starts_with('>'));
        let attribution = |at: usize| at == 0 && quote(1) && full[at].ends_with(':');
        (0..full.len()).filter(|at| !quote(*at) && !attribution(*at)).count()
    }
}

/// Whether there is an address in it that a server would take.
fn is_author(from: &str) -> bool {
    let (_, address, _) = parts(from);
    let Some((local, domain)) = address.rsplit_once('@') else { return false };
    let plain =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && !b"<>(),;\"".contains(&b));
    plain(local) && plain(domain) && !domain.starts_with('.') && !domain.ends_with('.')
}

/// What stands before the address of `Name <address>`, the address itself, and what stands after it; `address (Name)` too.
pub(super) fn parts(from: &str) -> (&str, &str, &str) {
    match (from.rfind('<').zip(from.rfind('>')).filter(|(open, close)| open < close), from.find(" (")) {
        (Some((open, close)), _) => (&from[..open], from[open + 1..close].trim(), &from[close + 1..]),
        (None, Some(open)) => ("", from[..open].trim(), &from[open..]),
        (None, None) => ("", from.trim(), ""),
    }
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
