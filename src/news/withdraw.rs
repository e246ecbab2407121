//! Taking back what one has posted: a cancel, and an article in the place of another (RFC 5537, 5.3 and 5.4).
//!
//! Whose an article is, is judged by whoever asks; what a server makes of it is the server's business.

use super::compose::{Manner, Original, field, server, sign};

impl Original {
    /// Whether it has an id by which servers can be told of it.
    pub fn is_named(&self) -> bool {
        super::compose::is_id(&self.id)
    }

    /// The draft of a cancel: an order to servers, with a text for people who see it all the same. `None` when it has no id.
    pub fn cancel(&self, manner: &Manner<'_>) -> Option<String> {
        let id = Some(&self.id).filter(|_| self.is_named())?;
        let mut draft = String::new();
        server(manner, &mut draft);
        field("From", manner.from, &mut draft);
        field("Newsgroups", &self.groups.join(","), &mut draft);
        field("Subject", &format!("cmsg cancel <{id}>"), &mut draft);
        field("Control", &format!("cancel <{id}>"), &mut draft);
        draft.push_str("\nIts author has cancelled this article.\n");
        Some(draft)
    }

    /// The draft of an article in its place, which begins with its text. `None` when it has no id.
    pub fn superseding(&self, manner: &Manner<'_>) -> Option<String> {
        let id = Some(&self.id).filter(|_| self.is_named())?;
        let mut draft = String::new();
        server(manner, &mut draft);
        field("From", manner.from, &mut draft);
        field("Newsgroups", &self.groups.join(","), &mut draft);
        if !self.followup_to.is_empty() {
            field("Followup-To", &self.followup_to.join(","), &mut draft);
        }
        field("Subject", &self.subject, &mut draft);
        if let Some(references) = self.own_references() {
            field("References", &references, &mut draft);
        }
        field("Supersedes", &format!("<{id}>"), &mut draft);
        draft.push('\n');
        self.write(&mut draft);
        sign(manner, &mut draft);
        Some(draft)
    }
}
