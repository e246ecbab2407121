//! Handing an article on to somebody by mail: its text with what it says of itself above, in a mail that names nobody yet.

use super::Mailbox;
use super::compose::{Manner, Original, field, line, quoted_line, sign};

/// What a subject of something handed on begins with.
const FORWARDED: &str = "Fwd: ";

impl Original {
    /// The subject of the mail: one `Fwd: `, and all else as it stands.
    pub fn forward_subject(&self) -> String {
        let known = self.subject.get(..FORWARDED.len()).filter(|begin| begin.eq_ignore_ascii_case(FORWARDED));
        let subject = known.map_or(self.subject.as_str(), |begin| &self.subject[begin.len()..]);
        format!("{FORWARDED}{}", line(subject).trim())
    }

    /// The draft of the mail.
    pub fn forward(&self, manner: &Manner<'_>) -> String {
        let mut draft = String::new();
        field("From", manner.from, &mut draft);
        field("To", "", &mut draft);
        field("Subject", &self.forward_subject(), &mut draft);
        draft.push_str("\n\n");
        self.handed_on(&mut draft);
        sign(manner, &mut draft);
        draft
    }

    /// Who wrote what where and when, and the text.
    pub fn handed_on(&self, draft: &mut String) {
        let author = Mailbox { name: self.name.clone(), address: self.address.clone() };
        let id = Some(&self.id).filter(|_| self.is_named()).map(|id| format!("<{id}>")).unwrap_or_default();
        draft.push_str("-------- Forwarded message --------\n");
        for (name, value) in [
            ("From", author.to_string()),
            ("Newsgroups", self.groups.join(", ")),
            ("Subject", self.subject.clone()),
            ("Date", self.date.clone()),
            ("Message-ID", id),
        ] {
            if !value.is_empty() {
                field(name, &value, draft);
            }
        }
        draft.push('\n');
        self.write(draft);
    }

    /// The text as it stands.
    pub(super) fn write(&self, draft: &mut String) {
        for written in &self.text {
            match written.depth {
                0 => draft.push_str(&format!("{}\n", line(&written.text).trim_end())),
                deep => quoted_line(&">".repeat(deep.min(40)), line(&written.text).trim_end(), draft),
            }
        }
    }
}
