//! What the reader is told or asked before a draft goes: where it goes and where answers to it go, lines that are too wide for others,
//! files that are stuck into it, a text that says nothing.
//!
//! None of this is a mistake that keeps it from going, but for files: a group is for text, and what is refused here comes with the
//! reason and another way.

use super::draft::Draft;
use unicode_width::UnicodeWidthStr;

/// Columns that readers of news have.
const COLUMNS: usize = 80;
/// Lines of header by which other programs attach files.
const ATTACHES: &[&str] = &["Attach", "Attached", "Attachment", "Attachments", "X-Attach"];

impl Draft {
    /// What the reader should know before it goes, each a sentence or two.
    pub fn remarks(&self) -> Vec<String> {
        let mut told = Vec::new();
        match self.is_mail() {
            true => told.extend(self.tell_whom()),
            false => self.tell_where(&mut told),
        }
        told.extend(self.wide());
        told
    }

    /// What is asked about before it goes: that it says nothing of its own.
    pub fn doubt(&self) -> Option<String> {
        let (above, signed) = self.unsigned();
        if self.own() > 0 || self.is_control() {
            return None;
        }
        let quotes = above.iter().any(|line| line.starts_with('>'));
        let what = if quotes { "There is nothing but what others wrote." } else { "There is no text." };
        let below = if signed { " What stands below \"-- \" is the signature." } else { "" };
        Some(format!("{what}{below}"))
    }

    /// Whether it is an order to servers, such as a cancel, and nothing to read.
    pub fn is_control(&self) -> bool {
        !self.get("Control").is_empty()
    }

    /// Every address that a mail goes to: names say what whoever chose them wants them to say.
    fn tell_whom(&self) -> Option<String> {
        let to: Vec<String> = self.recipients().into_iter().map(|one| one.address).collect();
        match to.as_slice() {
            [] => None,
            [one] => Some(format!("This goes to {one}.")),
            many => Some(format!("This goes to {} addresses: {}.", many.len(), many.join(", "))),
        }
    }

    fn tell_where(&self, told: &mut Vec<String>) {
        let (groups, answers) = (self.groups(), self.get("Followup-To"));
        let many = groups.len() > 1;
        let goes = format!("This goes to {} groups", groups.len());
        match answers {
            _ if self.is_control() => told.extend(many.then(|| format!("{goes}."))),
            "" => told.extend(many.then(|| format!("{goes}, and so will the answers: Followup-To names one."))),
            "poster" => {
                told.extend(many.then(|| format!("{goes}.")));
                told.push("Answers come to you by mail, not to the group (Followup-To: poster).".into());
            }
            answers => {
                told.extend(many.then(|| format!("{goes}.")));
                told.push(format!("Answers go to {answers} (Followup-To)."));
            }
        }
    }

    /// Lines of the reader's own that are wider than the screens of others. An address alone has to be as long as it is.
    fn wide(&self) -> Option<String> {
        let is_wide = |line: &str| {
            let words = || line.split_whitespace();
            line.width() > COLUMNS && !line.starts_with('>') && words().all(|word| word.width() < COLUMNS - 10)
        };
        let mut wide = self.lines.iter().enumerate().filter(|(_, line)| is_wide(line));
        let (first, line) = wide.next()?;
        let more = match wide.count() {
            0 => String::new(),
            1 => ", and so is one more".into(),
            more => format!(", and so are {more} more"),
        };
        let width = line.width();
        Some(format!("Line {} of the text is {width} columns wide{more}: readers of news have {COLUMNS}.", first + 1))
    }

    /// Why files that are stuck into it do not go.
    pub(super) fn attached(&self) -> Option<String> {
        const ELSEWHERE: &str = "put the file where it can be fetched, and give its address";
        let named = |names: &[&str]| {
            let known = |name: &String| names.iter().any(|known| known.eq_ignore_ascii_case(name));
            self.fields.iter().find(|(name, _)| known(name))
        };
        if let Some((name, _)) = named(ATTACHES) {
            return Some(format!("{name}: nothing can be attached, what is written here is text; {ELSEWHERE}."));
        }
        let typed = named(&["Content-Type"]).map(|(_, value)| value.trim().to_ascii_lowercase());
        if typed.is_some_and(|value| !value.starts_with("text/plain")) {
            return Some(format!("Content-Type: what is written here goes out as text/plain; {ELSEWHERE}."));
        }
        let at = self.lines.iter().enumerate().find(|(at, line)| begins_file(line, self.lines.get(at + 1)))?.0;
        Some(format!("Line {} of the text begins a file: most groups take none; {ELSEWHERE}.", at + 1))
    }
}

/// Whether a line begins a file in uuencode or yEnc.
fn begins_file(line: &str, next: Option<&String>) -> bool {
    if line.starts_with("=ybegin ") && line.contains(" name=") {
        return true;
    }
    let Some((mode, name)) = line.strip_prefix("begin ").and_then(|rest| rest.split_once(' ')) else { return false };
    let octal = (3..=4).contains(&mode.len()) && mode.bytes().all(|b| matches!(b, b'0'..=b'7'));
    // A whole line of it has 45 octets, which are 60 letters behind an "M"; a shorter one is the last.
    let coded = |next: &String| next.bytes().all(|b| matches!(b, b' '..=b'`')) && !next.is_empty();
    octal && !name.trim().is_empty() && next.is_some_and(coded)
}
