//! What the overview told of each article, kept for whoever judges it later: rules come and go while the page stays.

use super::author::decoded;
use crate::news::Overview;
use crate::news::score::Facts;

/// What was told, an article after the other, in one text.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    /// Of each author, date, id, references and cross-posts, with a TAB behind each.
    text: String,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// Where its text ends.
    end: usize,
    bytes: u64,
    lines: u64,
}

impl Told {
    /// The next article; its author decoded from octets, the rest is ASCII or else nobody's loss.
    pub fn push(&mut self, overview: &Overview<'_>, from: &str) {
        for c in decoded(from).chars() {
            self.text.push(if c == '\t' { ' ' } else { c });
        }
        self.text.push('\t');
        self.text.push_str(&String::from_utf8_lossy(overview.date));
        self.text.push_str("\t<");
        self.text.push_str(&String::from_utf8_lossy(overview.message_id));
        self.text.push_str(">\t");
        for field in [overview.references, overview.xref] {
            self.text.push_str(&String::from_utf8_lossy(field));
            self.text.push('\t');
        }
        let (bytes, lines) = (overview.bytes.unwrap_or(0), overview.lines.unwrap_or(0));
        self.rows.push(Row { end: self.text.len(), bytes, lines });
    }

    /// What was told of an article; its subject and its time are known elsewhere.
    pub fn facts(&self, article: u32) -> Option<Facts<'_>> {
        let Row { end, bytes, lines } = *self.rows.get(article as usize)?;
        let start = article.checked_sub(1).map_or(Some(0), |before| Some(self.rows.get(before as usize)?.end))?;
        let mut fields = self.text.get(start..end)?.split('\t');
        let mut field = || fields.next().unwrap_or_default();
        let (from, date, message_id, references, xref) = (field(), field(), field(), field(), field());
        Some(Facts { from, date, message_id, references, xref, bytes, lines, ..Facts::default() })
    }

    /// How much memory it holds, in octets.
    pub fn memory(&self) -> usize {
        self.text.capacity() + self.rows.capacity() * size_of::<Row>()
    }
}
