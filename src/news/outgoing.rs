//! An article as it goes out: fields folded, encoded words (RFC 2047), MIME headers, format=flowed (RFC 3676).
//!
//! Its message-id is the reader's own ([`super::message_id`]) or, without one, the server's, which gives it its path (RFC 5537, 3.5).

use super::draft::{Draft, RECIPIENTS, SERVER};
use super::mailbox::Mailbox;
use base64::prelude::{BASE64_STANDARD, Engine};

/// Where fields are folded, in octets.
const FOLD: usize = 76;
/// Octets of text in one encoded word: it has at most 75 characters (RFC 2047, 2).
const WORD: usize = 45;
/// Fields that are written here, whatever the draft says.
const OURS: &[&str] =
    &[SERVER, "User-Agent", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Path", "Xref"];
/// Fields with addresses in them: only names may be encoded there.
const ADDRESSES: &[&str] = &["From", "Reply-To", "Sender", "Mail-Copies-To", "Approved"];
/// Fields whose words are no text: never encoded.
const LITERAL: &[&str] =
    &["Newsgroups", "Followup-To", "References", "In-Reply-To", "Supersedes", "Control", "Date", "Message-ID"];

impl Draft {
    /// The fields that are sent, as the reader sees them: values not yet encoded. `agent` is the program's name.
    pub fn sent_fields(&self, agent: &str, flowed: bool) -> Vec<(String, String)> {
        let kept = |(name, _): &&(String, String)| !OURS.iter().any(|ours| ours.eq_ignore_ascii_case(name));
        let mut fields: Vec<(String, String)> = self.fields.iter().filter(kept).cloned().collect();
        let ascii = self.lines.iter().all(|line| line.is_ascii());
        let charset = if ascii { "us-ascii" } else { "utf-8" };
        let format = if flowed { "; format=flowed" } else { "" };
        let coding = if ascii { "7bit" } else { "8bit" };
        for (name, value) in [
            ("User-Agent", agent),
            ("MIME-Version", "1.0"),
            ("Content-Type", &format!("text/plain; charset={charset}{format}")),
            ("Content-Transfer-Encoding", coding),
        ] {
            fields.push((name.into(), value.into()));
        }
        fields
    }

    /// The text that is sent, line by line.
    pub fn sent_lines(&self, flowed: bool) -> impl Iterator<Item = String> + '_ {
        self.lines.iter().map(move |line| match flowed {
            _ if line == "-- " => line.clone(),
            false => line.trim_end().into(),
            // RFC 3676, 4.4: what begins with a space, or would with ">" be taken for a mailbox's line, gets one more.
            true if line.starts_with(' ') || line.starts_with("From ") => format!(" {line}"),
            true => line.clone(),
        })
    }

    /// The article, lines ended by CR LF.
    pub fn article(&self, agent: &str, flowed: bool) -> Vec<u8> {
        let mut out = String::new();
        for (name, value) in self.sent_fields(agent, flowed) {
            write(&name, &value, &mut out);
        }
        out.push_str("\r\n");
        for line in self.sent_lines(flowed) {
            out.push_str(&line);
            out.push_str("\r\n");
        }
        out.into_bytes()
    }
}

fn write(name: &str, value: &str, out: &mut String) {
    let one_of = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let as_is = || value.split_ascii_whitespace().map(Into::into).collect();
    let words = match value.is_ascii() {
        // Whom it goes to is what was read in it, and what the reader was told.
        _ if one_of(RECIPIENTS) => addresses(&value).unwrap_or_else(as_is),
        false if one_of(ADDRESSES) => addresses(&value).unwrap_or_else(|| text(&value)),
        false if !one_of(LITERAL) => text(&value),
        _ => as_is(),
    };
    out.push_str(name);
    out.push(':');
    let mut column = name.len() + 1;
    for (at, word) in words.iter().enumerate() {
        // The first word stays with the name: a line of nothing but white space is forbidden (RFC 5536, 2.2).
        if at > 0 && column + 1 + word.len() > FOLD {
            out.push_str("\r\n");
            column = 0;
        }
        out.push(' ');
        out.push_str(word);
        column += 1 + word.len();
    }
    out.push_str("\r\n");
}

/// Words of a text; each run of words beyond ASCII is encoded as one, since white space between two encoded words is lost.
fn text(value: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    for word in value.split_ascii_whitespace() {
        if word.is_ascii() && !word.contains("=?") {
            encoded(&std::mem::take(&mut run).join(" "), &mut out);
            out.push(word.into());
        } else {
            run.push(word);
        }
    }
    encoded(&run.join(" "), &mut out);
    out
}

/// A list of mailboxes, written anew: names are encoded where they need it, addresses never are. `None` where something in it is
/// none.
fn addresses(value: &str) -> Option<Vec<String>> {
    let list: Vec<Mailbox> = Mailbox::list(value).into_iter().collect::<Result<_, _>>().ok()?;
    let mut out: Vec<String> = Vec::new();
    for one in &list {
        if let Some(last) = out.last_mut() {
            last.push(',');
        }
        // A name that looks like an encoded word is one for whoever decodes it (RFC 2047, 5).
        if one.name.is_ascii() && !one.name.contains("=?") {
            out.extend(one.to_string().split_ascii_whitespace().map(Into::into));
        } else {
            encoded(&one.name, &mut out);
            out.push(format!("<{}>", one.address));
        }
    }
    (!out.is_empty()).then_some(out)
}

/// A text as encoded words.
fn encoded(text: &str, out: &mut Vec<String>) {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"!*+-/".contains(&b);
    let quoted_length = |text: &str| text.bytes().map(|b| if plain(b) || b == b' ' { 1 } else { 3 }).sum::<usize>();
    // Mostly letters that stay readable.
    let quotes = text.bytes().filter(u8::is_ascii).count() * 2 >= text.len();
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = 0;
        for (at, c) in rest.char_indices() {
            let next = at + c.len_utf8();
            let fits = if quotes { quoted_length(&rest[..next]) <= WORD + 15 } else { next <= WORD };
            if at > 0 && !fits {
                break;
            }
            end = next;
        }
        let (now, later) = rest.split_at(end);
        out.push(if quotes { q(now, plain) } else { format!("=?UTF-8?B?{}?=", BASE64_STANDARD.encode(now)) });
        rest = later;
    }
}

fn q(text: &str, plain: fn(u8) -> bool) -> String {
    let mut word = String::from("=?UTF-8?Q?");
    for b in text.bytes() {
        match b {
            b' ' => word.push('_'),
            b if plain(b) => word.push(char::from(b)),
            b => word.push_str(&format!("={b:02X}")),
        }
    }
    word + "?="
}
