//! An article (RFC 5536): headers, an empty line, a text; octets, lines that end with CR LF.

/// What stands between headers and text.
const GAP: &[u8] = b"\r\n\r\n";

/// An article as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Article {
    octets: Vec<u8>,
    /// Where the headers end, their last line's end included.
    head: usize,
    /// With its angle brackets.
    pub id: String,
}

impl Article {
    /// Reads one, lines with either end; `None` where there is no text, no header, or no id.
    pub fn of(octets: &[u8]) -> Option<Article> {
        let mut lines = Vec::with_capacity(octets.len() + 64);
        for line in octets.split_inclusive(|octet| *octet == b'\n') {
            lines.extend_from_slice(bare(line));
            lines.extend_from_slice(b"\r\n");
        }
        let head = lines.windows(GAP.len()).position(|window| window == GAP)? + 2;
        let mut article = Article { octets: lines, head, id: String::new() };
        article.id = article.field("Message-ID")?;
        is_id(&article.id).then_some(article)
    }

    /// All of it.
    pub fn whole(&self) -> &[u8] {
        &self.octets
    }

    /// The headers.
    pub fn head(&self) -> &[u8] {
        &self.octets[..self.head]
    }

    /// The text.
    pub fn body(&self) -> &[u8] {
        &self.octets[self.head + 2..]
    }

    /// Lines of the text.
    pub fn lines(&self) -> usize {
        self.body().iter().filter(|octet| **octet == b'\n').count()
    }

    /// A header's text on one line; `None` where there is no such header.
    pub fn field(&self, name: &str) -> Option<String> {
        field(self.head(), name)
    }

    /// With a header more, above all others.
    pub fn with(self, name: &str, text: &str) -> Article {
        let line = format!("{name}: {text}\r\n");
        Article { octets: [line.as_bytes(), &self.octets].concat(), head: self.head + line.len(), id: self.id }
    }

    /// What OVER tells of it after its number (RFC 3977, 8.3): the seven fields, and the cross-references with their name.
    pub fn overview(&self) -> String {
        let fields =
            ["Subject", "From", "Date", "Message-ID", "References"].map(|name| self.field(name).unwrap_or_default());
        let xref = self.field("Xref").map(|xref| format!("\tXref: {xref}")).unwrap_or_default();
        format!("\t{}\t{}\t{}{xref}", fields.join("\t"), self.octets.len(), self.lines())
    }
}

/// Without CR and LF at its end.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A header's text among lines of headers, unfolded; what would end a field of an overview becomes a blank.
pub(super) fn field(head: &[u8], name: &str) -> Option<String> {
    let mut lines = head.split_inclusive(|octet| *octet == b'\n').map(bare);
    let first = lines.find_map(|line| {
        let (found, text) = line.split_at_checked(name.len())?;
        found.eq_ignore_ascii_case(name.as_bytes()).then_some(text)?.strip_prefix(b":")
    })?;
    let folded = lines.take_while(|line| line.starts_with(b" ") || line.starts_with(b"\t"));
    let text = folded.fold(first.to_vec(), |text, line| [&text, line].concat());
    Some(String::from_utf8_lossy(text.trim_ascii()).replace(['\t', '\r', '\0'], " "))
}

/// `<left@right>`, without blanks or anything that is not printed (RFC 3977, 3.6).
pub(super) fn is_id(text: &str) -> bool {
    let within = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let is_good = |id: &str| {
        id.contains('@') && id.bytes().all(|octet| octet.is_ascii_graphic() && octet != b'>' && octet != b'<')
    };
    text.len() <= 250 && within.is_some_and(is_good)
}
