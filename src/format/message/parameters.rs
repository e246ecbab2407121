//! Values with parameters: `Content-Type`, `Content-Disposition` (RFC 2045, 5.1), also cut in pieces and with a charset
//! (RFC 2231).

use super::head::unfold;
use super::words;
use crate::format::charset;
use crate::url::escape;

/// A value and its parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parameters {
    /// What stands before the first `;`, lower case.
    pub value: String,
    list: Vec<(String, String)>,
}

/// A parameter as it is written: `name*2*=piece`.
struct Piece {
    name: String,
    number: Option<u32>,
    /// `charset'language'escaped` in the first piece, escaped in the others.
    extended: bool,
    text: String,
}

impl Parameters {
    /// Reads a field's value.
    pub fn read(value: &[u8]) -> Parameters {
        let text = words::raw(&unfold(value), None);
        let mut items = items(&text).into_iter();
        let value: String = items.next().unwrap_or_default().chars().filter(|c| !c.is_whitespace()).collect();
        let mut pieces: Vec<Piece> = items.filter_map(|item| piece(&item)).collect();
        pieces.sort_by(|a, b| (&a.name, a.number).cmp(&(&b.name, b.number)));
        let list = pieces.chunk_by(|a, b| a.name == b.name).map(|of| (of[0].name.clone(), joined(of))).collect();
        Parameters { value: value.to_ascii_lowercase(), list }
    }

    /// A parameter's value by its lower-case name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Cuts at `;` outside quotes and comments; comments and quotes go.
fn items(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let (mut quoted, mut depth) = (false, 0_u32);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let next = match c {
            // `"C:\new.txt"` is written by systems that know no escapes: only `\"` and `\\` are taken for one
            '\\' if quoted || depth > 0 => match chars.clone().next() {
                Some(escaped @ ('"' | '\\')) => {
                    chars.next();
                    Some(escaped)
                }
                _ => Some('\\'),
            },
            '"' if depth == 0 => {
                quoted = !quoted;
                None
            }
            '(' if !quoted => {
                depth += 1;
                None
            }
            ')' if !quoted && depth > 0 => {
                depth -= 1;
                None
            }
            ';' if !quoted && depth == 0 => {
                items.push(String::new());
                None
            }
            other => Some(other),
        };
        if depth == 0
            && let (Some(next), Some(item)) = (next, items.last_mut())
        {
            item.push(next);
        }
    }
    items
}

fn piece(item: &str) -> Option<Piece> {
    let (name, text) = item.split_once('=')?;
    let (name, text) = (name.trim().to_ascii_lowercase(), text.trim().to_owned());
    let (name, extended) = name.strip_suffix('*').map_or((name.as_str(), false), |name| (name, true));
    let numbered = name.rsplit_once('*').and_then(|(stem, number)| Some((stem, number.parse().ok()?)));
    let (name, number) = numbered.map_or((name, None), |(stem, number)| (stem, Some(number)));
    (!name.is_empty()).then(|| Piece { name: name.into(), number, extended, text })
}

/// One value from the pieces of a name, which are in order.
fn joined(pieces: &[Piece]) -> String {
    // A plain one beside an extended one is for software that does not know better.
    let plain = pieces.iter().find(|p| p.number.is_none());
    let whole = pieces.iter().find(|p| p.number.is_none() && p.extended);
    let numbered: Vec<&Piece> = pieces.iter().filter(|p| p.number.is_some()).collect();
    let used: Vec<&Piece> = match (whole, numbered.is_empty()) {
        (Some(whole), _) => vec![whole],
        (None, false) => numbered,
        (None, true) => plain.into_iter().collect(),
    };
    let mut charset = None;
    let mut octets = Vec::new();
    for (at, piece) in used.iter().enumerate() {
        match (at, piece.extended, piece.text.splitn(3, '\'').collect::<Vec<_>>().as_slice()) {
            (0, true, [name, _, text]) => {
                charset = charset::in_mail(name);
                octets.extend(escape::decode(text));
            }
            (_, true, _) => octets.extend(escape::decode(&piece.text)),
            _ => octets.extend_from_slice(piece.text.as_bytes()),
        }
    }
    match charset {
        Some(charset) => charset.decode(&octets).into_owned(),
        None => words::raw(&octets, None),
    }
}
