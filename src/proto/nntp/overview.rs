//! Overview lines (RFC 3977, 8.3) in one shape: `number subject from date message-id references bytes lines xref`.

use std::collections::BTreeMap;

/// The fields of our shape after the number.
const FIELDS: usize = 8;
/// Where the message-id stands among them.
const ID: usize = 3;
/// Where cross-references stand: the only field here that servers add to the seven that the specification fixes.
const XREF: usize = 7;
/// Where references stand.
const REFERENCES: usize = 4;
/// How much of a field is kept, and how much of the references, of which the last ones say what is answered.
const LONGEST: usize = 4 * 1024;
const MOST_REFERENCES: usize = 16 * 1024;
/// How overview formats name the fields; RFC 2980 and RFC 3977 differ in two.
const NAMES: &[(&str, usize)] = &[
    ("subject:", 0),
    ("from:", 1),
    ("date:", 2),
    ("message-id:", ID),
    ("references:", REFERENCES),
    (":bytes", 5),
    ("bytes:", 5),
    (":lines", 6),
    ("lines:", 6),
    ("xref:full", XREF),
    ("xref:", XREF),
];

/// What stands where in a server's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Overview {
    /// For each field after the number, its place in our shape.
    columns: Vec<Option<usize>>,
}

impl Default for Overview {
    /// As both specifications fix it.
    fn default() -> Overview {
        Overview { columns: (0..XREF).map(Some).collect() }
    }
}

impl Overview {
    /// By a server's LIST OVERVIEW.FMT. One that does not even name the message-id describes nothing.
    pub fn of(format: &[Vec<u8>]) -> Overview {
        let place = |line: &Vec<u8>| {
            let line = line.trim_ascii().to_ascii_lowercase();
            NAMES.iter().find(|(name, _)| name.as_bytes() == line).map(|(_, place)| *place)
        };
        let columns: Vec<Option<usize>> = format.iter().take(100).map(place).collect();
        if columns.contains(&Some(ID)) { Overview { columns } } else { Overview::default() }
    }

    /// Whether a line is not in the order that the specifications fix, so that it is worth to ask for the order.
    pub fn is_odd(line: &[u8]) -> bool {
        let id = line.split(|octet| *octet == b'\t').nth(1 + ID).unwrap_or_default().trim_ascii();
        let is_id = id.starts_with(b"<") && id.ends_with(b">");
        !id.is_empty() && !is_id
    }

    /// Puts a line into our shape; false for one without a number, which is nothing.
    pub fn shape(&self, line: &[u8], out: &mut Vec<u8>) -> bool {
        let mut fields = line.split(|octet| *octet == b'\t');
        let number = fields.next().unwrap_or_default().trim_ascii();
        let is_number = (1..=19).contains(&number.len()) && number.iter().all(u8::is_ascii_digit);
        if !is_number {
            return false;
        }
        let mut shaped: [&[u8]; FIELDS] = [b""; FIELDS];
        for (at, field) in fields.enumerate() {
            let (place, text) = match self.columns.get(at) {
                Some(Some(XREF)) | None => (Some(XREF), unnamed(field, self.columns.get(at).is_some())),
                Some(place) => (*place, Some(field)),
            };
            if let (Some(place), Some(text)) = (place, text)
                && shaped[place].is_empty()
            {
                shaped[place] = text;
            }
        }
        out.extend_from_slice(number);
        for (at, field) in shaped.iter().enumerate() {
            out.push(b'\t');
            out.extend(
                bounded(at, field.trim_ascii())
                    .iter()
                    .map(|octet| if matches!(octet, b'\r' | 0) { b' ' } else { *octet }),
            );
        }
        out.push(b'\n');
        true
    }
}

/// As much of a field as is kept.
fn bounded(at: usize, field: &[u8]) -> &[u8] {
    if at != REFERENCES {
        return &field[..field.len().min(LONGEST)];
    }
    let last = &field[field.len().saturating_sub(MOST_REFERENCES)..];
    let whole =
        if last.len() < field.len() { last.iter().position(|octet| *octet == b'<').unwrap_or(last.len()) } else { 0 };
    &last[whole..]
}

/// A cross-reference without its name. Fields beyond the known ones have their names with them, and others may stand there.
fn unnamed(field: &[u8], known: bool) -> Option<&[u8]> {
    let named = field.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"xref:"));
    if named { Some(&field[5..]) } else { known.then_some(field) }
}

/// An overview line from an article's headers, in the order that the specification fixes, for servers without overviews.
pub(super) fn of_headers(number: u64, headers: &[Vec<u8>]) -> Vec<u8> {
    let mut line = number.to_string().into_bytes();
    for name in ["subject:", "from:", "date:", "message-id:", "references:", "bytes:", "lines:"] {
        line.push(b'\t');
        line.extend(header(headers, name));
    }
    line.extend_from_slice(b"\tXref: ");
    line.extend(header(headers, "xref:"));
    line
}

/// Takes a line of HDR, `number text`, for the field at a place of an overview. `(none)` is how XHDR says that an article
/// lacks it (RFC 2980, 2.6).
pub(super) fn field<const FIELDS: usize>(
    line: &[u8],
    (first, last): (u64, u64),
    at: usize,
    rows: &mut BTreeMap<u64, [Vec<u8>; FIELDS]>,
) {
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let number = std::str::from_utf8(&line[..end]).ok().and_then(|digits| digits.parse().ok());
    let text = line[end..].trim_ascii();
    if let Some(number) = number.filter(|number| (first..=last).contains(number))
        && text != b"(none)"
    {
        rows.entry(number).or_insert_with(|| [const { Vec::new() }; FIELDS])[at] = text.to_vec();
    }
}

/// An overview line from such fields, in the order that the specification fixes.
pub(super) fn of_fields(number: u64, fields: &[Vec<u8>]) -> Vec<u8> {
    let mut line = number.to_string().into_bytes();
    for field in fields {
        line.push(b'\t');
        line.extend(field.iter().map(|octet| if *octet == b'\t' { b' ' } else { *octet }));
    }
    line
}

/// A header's text, unfolded, without what would end a field.
fn header(headers: &[Vec<u8>], name: &str) -> Vec<u8> {
    let is = |line: &Vec<u8>| line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
    let Some(at) = headers.iter().position(is) else { return Vec::new() };
    let mut text = headers[at][name.len()..].to_vec();
    for more in headers[at + 1..].iter().take_while(|line| line.starts_with(b" ") || line.starts_with(b"\t")) {
        text.extend_from_slice(more);
    }
    text.iter().map(|octet| if *octet == b'\t' { b' ' } else { *octet }).collect()
}
