//! The parts of an address, a row each: decoded, as written and as they go out, where these differ.

use super::table::Table;
use crate::app::Sight;
use crate::doc::sanitise;
use crate::proto::host_on_the_wire;
use crate::role::Role;
use crate::url::scheme::{self, Family, Part, PartKind, ftp::Ftp, gopher::Gopher, http::Http, on_the_wire};
use crate::url::{Url, escape};

/// An address that is longer is not taken apart, in octets: the reader would wait for it.
pub(super) const LONG: usize = 16 << 10;
/// What is shown of one.
const BEGINNING: usize = 2 << 10;

/// As much of an address as is shown of a long one.
pub(super) fn cut(address: &str) -> String {
    match address.len() > LONG {
        true => format!("{}…", &address[..address.floor_char_boundary(BEGINNING)]),
        false => address.into(),
    }
}

/// Writes how a long address begins.
pub(super) fn long(label: &str, address: &str, table: &mut Table) {
    table.row(label, &cut(address), Role::OverlayFocus);
    let octets = address.len();
    table.row(
        "",
        &format!("{octets} octets: too long to be taken apart here; it is followed and copied whole"),
        Role::OverlayDim,
    );
}

/// Writes the parts.
pub(super) fn write(sight: Sight<'_>, url: &Url, table: &mut Table) {
    if url.password().or(url.token()).is_none() && url.redacted() != url.as_str() {
        return table.row("  parts", "not shown: a password stands where none can", Role::Warning);
    }
    // A token stands in the path: nothing of it is taken apart.
    let hidden = url.token().and_then(|_| Url::parse(url.redacted()).ok());
    let url = hidden.as_ref().unwrap_or(url);
    let parts = sight.parts(url);
    let default = scheme::default_port(url.scheme());
    let mut told = Vec::new();
    for part in &parts {
        let written = written(url, part);
        let wire = wire(url, part);
        let mut pieces = vec![(part.text.clone(), Role::Overlay)];
        let aside = |words: String| (words, Role::OverlayDim);
        match (part.kind, default) {
            (PartKind::PortOdd, Some(default)) => pieces.push(aside(format!(" (default {default})"))),
            (PartKind::PortDefault, _) => pieces.push(aside(" (default)".into())),
            (PartKind::Fragment, _) => pieces.push(aside(" (never sent)".into())),
            _ => {}
        }
        let sent = wire.filter(|wire| *wire != part.text);
        match written.as_ref().filter(|written| **written != part.text) {
            Some(written) if sent.as_ref() == Some(written) => {
                pieces.push(aside(format!("  written and sent {written}")));
            }
            Some(written) => pieces.push(aside(format!("  written {written}"))),
            None => {}
        }
        if let Some(decoded) = decoded(part, written.as_deref()) {
            pieces.push(aside(format!("  decoded {decoded}")));
        }
        if let Some(sent) = sent.filter(|sent| written.as_ref() != Some(sent)) {
            pieces.push(aside(format!("  on the wire {sent}")));
        }
        table.pieces(&format!("  {}", part.label), &part.text, &pieces);
        told.extend(written);
        told.push(part.text.clone());
    }
    // What is not a part as it is written is told as a whole.
    for (label, raw) in [("path", Some(url.path())), ("query", url.query())] {
        let whole = raw.filter(|raw| !matches!(*raw, "" | "/") && scheme::family(url) != Family::Gopher);
        if let Some(raw) = whole.map(sanitise).filter(|raw| !told.iter().any(|told| *told == **raw)) {
            table.pieces(
                "  written",
                &raw,
                &[(raw.to_string(), Role::Overlay), (format!("  the {label}"), Role::OverlayDim)],
            );
        }
    }
}

/// A part as the URL writes it; `None` where it is not one piece there.
fn written(url: &Url, part: &Part) -> Option<String> {
    let raw = match (part.kind, part.label) {
        (PartKind::Scheme, _) => Some(url.scheme()),
        (PartKind::User, _) => url.user(),
        (PartKind::Host, _) => url.host(),
        (PartKind::Fragment, _) => url.fragment(),
        (_, "path") => Some(url.path()),
        (_, "query") => url.query(),
        (_, "selector") => url.path().get(2..).map(|path| path.split("%09").next().unwrap_or_default()),
        _ => None,
    };
    raw.map(|raw| sanitise(raw).into_owned())
}

/// What all escapes of a part say together, where that is more than is shown of it already.
fn decoded(part: &Part, written: Option<&str>) -> Option<String> {
    let written = written.filter(|_| matches!(part.label, "path" | "query" | "fragment"))?;
    let decoded = escape::decode(written);
    let text = sanitise(&String::from_utf8_lossy(&decoded)).into_owned();
    (text != part.text && text != written).then_some(text)
}

/// A part as it goes out; `None` where it does not, or not by itself.
fn wire(url: &Url, part: &Part) -> Option<String> {
    if part.kind == PartKind::Host {
        return host_on_the_wire(url);
    }
    match scheme::family(url) {
        Family::Web | Family::Gemini | Family::Guppy => {
            let target = Http::of(url).ok()?.target;
            let (path, query) =
                target.split_once('?').map_or((target.as_str(), None), |(path, query)| (path, Some(query)));
            match part.label {
                "path" => Some(path.into()),
                "query" => query.map(Into::into),
                _ => None,
            }
        }
        Family::Gopher => {
            let gopher = Gopher::of(url).ok().filter(|gopher| !gopher.is_filled_form())?;
            match part.label {
                "selector" => Some(on_the_wire(&gopher.selector)),
                "search" => gopher.search.as_deref().map(on_the_wire),
                _ => None,
            }
        }
        Family::Ftp => {
            let ftp = Ftp::of(url).ok()?;
            (part.label == "name").then(|| ftp.name.as_deref().map(on_the_wire)).flatten()
        }
        _ => None,
    }
}
