//! A part or a file that is not shown in its place: one line with its name, type and size, which is its link.

use super::files::File;
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::format::{count, human};

use crate::role::Role;

/// What such a line says.
pub(super) struct Listed<'a> {
    /// Its name; not sanitised.
    pub name: &'a str,
    pub media: &'a str,
    /// Its size, as exactly as it is known.
    pub size: u64,
    pub remarks: &'a [String],
    pub url: &'a str,
    pub indent: u8,
}

impl Listed<'_> {
    /// Writes the line.
    pub fn write(&self, out: &mut Builder) {
        out.marked(BlockKind::Entry, Role::Text, marker(self.media), self.indent);
        out.link(&sanitise(self.name), Role::Link, self.url);
        let mut words = format!("  {}, {}", sanitise(self.media), human(self.size));
        for remark in self.remarks {
            words.push_str(", ");
            words.push_str(&sanitise(remark));
        }
        out.styled(&words, Role::Dim);
    }
}

/// The line of a file inside a text.
pub(super) fn file(file: &File, url: &str, indent: u8, out: &mut Builder) {
    let name = super::words::raw(&file.name, None);
    let mut remarks = vec![file.encoding.to_owned()];
    remarks.extend(file.remarks.iter().cloned());
    let media = media_of(&name);
    Listed { name: &name, media: &media, size: file.size, remarks: &remarks, url, indent }.write(out);
}

/// The line of a file of which the one above is a part.
pub(super) fn joined(file: &File, parts: u64, url: &str, indent: u8, out: &mut Builder) {
    if url.starts_with("cid:") || url.is_empty() {
        return;
    }
    let name = super::words::raw(&file.name, None);
    out.marked(BlockKind::Entry, Role::Text, marker(&media_of(&name)), indent);
    let name = if name.trim().is_empty() { String::new() } else { format!(": {}", sanitise(name.trim())) };
    out.link(&format!("join all {} parts{name}", count(usize::try_from(parts).unwrap_or(usize::MAX))), Role::Link, url);
    if let Some(size) = file.whole {
        out.styled(&format!("  {}", human(size)), Role::Dim);
    }
}

/// The media type of a file by its name.
pub(super) fn media_of(name: &str) -> String {
    crate::format::guess::by_name(name).unwrap_or_else(|| crate::format::guess::OCTETS.into())
}

fn marker(media: &str) -> Marker {
    match media.split_once('/').unwrap_or((media, "")) {
        ("text", "html") => Marker::Html,
        ("text", "calendar") => Marker::Calendar,
        ("text", _) => Marker::Text,
        ("image", _) => Marker::Image,
        ("audio", _) => Marker::Sound,
        ("video", _) => Marker::Movie,
        ("message" | "multipart", _) => Marker::Mime,
        ("application", "pdf" | "postscript" | "rtf") => Marker::Document,
        ("application", zip)
            if ["zip", "gzip", "tar", "compress", "rar", "7z", "xz"].iter().any(|z| zip.contains(z)) =>
        {
            Marker::Archive
        }
        _ => Marker::Binary,
    }
}
