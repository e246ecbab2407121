//! Address lists (RFC 5322, 3.4): `Name <local@domain>`, `local@domain (Name)`, groups, and what is none of these.

use super::words;
use crate::url::escape;

/// One address of a list, or words that are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// As shown: `Name <local@domain>`; not sanitised.
    pub text: String,
    /// `local@domain`, when it is one.
    pub address: Option<String>,
}

impl Address {
    /// Its URL (RFC 6068, 2).
    pub fn url(&self) -> Option<String> {
        self.address.as_ref().map(|address| format!("mailto:{}", escape::encode(address.as_bytes(), b"!$'*+@")))
    }
}

/// The addresses of an unfolded list.
pub(super) fn list(text: &str) -> Vec<Address> {
    let mut found = Vec::new();
    let (mut quoted, mut comment, mut angle, mut from) = (false, 0_u32, false, 0);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match c {
            '\\' if quoted || comment > 0 => escaped = true,
            '"' if comment == 0 => quoted = !quoted,
            '(' if !quoted => comment += 1,
            ')' if !quoted => comment = comment.saturating_sub(1),
            '<' if !quoted && comment == 0 => angle = true,
            '>' if !quoted && comment == 0 => angle = false,
            ',' if !quoted && comment == 0 && !angle => {
                found.push(one(&text[from..at]));
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(one(&text[from..]));
    found.retain(|address| !address.text.is_empty());
    found
}

fn one(text: &str) -> Address {
    let text = text.trim();
    let angle = text.rfind('<').zip(text.rfind('>')).filter(|(open, close)| open < close);
    let (name, address) = match (angle, text.find('(')) {
        (Some((open, close)), _) => (unquoted(&text[..open]), text[open + 1..close].trim()),
        (None, Some(open)) => (unquoted(comment(&text[open..])), text[..open].trim()),
        (None, None) => (String::new(), text),
    };
    if !is_address(address) {
        return Address { text: words::words(text), address: None };
    }
    let name = words::words(&name);
    let shown = if name.is_empty() { address.to_owned() } else { format!("{name} <{address}>") };
    Address { text: shown, address: Some(address.into()) }
}

/// The words of a comment.
fn comment(text: &str) -> &str {
    let inner = text.strip_prefix('(').unwrap_or(text);
    inner.strip_suffix(')').unwrap_or(inner)
}

/// A display name without quotes and escapes.
fn unquoted(name: &str) -> String {
    let name = name.trim();
    let inner = name.strip_prefix('"').and_then(|n| n.strip_suffix('"')).unwrap_or(name);
    let mut chars = inner.chars();
    let mut out = String::with_capacity(inner.len());
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
    }
    out
}

fn is_address(text: &str) -> bool {
    let local_and_domain = text.rsplit_once('@');
    local_and_domain.is_some_and(|(local, domain)| {
        !local.is_empty()
            && !domain.is_empty()
            && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "<>(),;".contains(c))
    })
}
