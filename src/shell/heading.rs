//! `--head`: what a response says of itself, and by which charset its text would be read, for which its beginning is looked at.

use super::cli::Cli;
use crate::config::Settings;
use crate::doc::{ReadBy, sanitise};
use crate::format::charset::{By, Said};
use crate::format::{Input, Intake, Reader};
use crate::proto::Head;
use std::io::{self, Write};

/// Octets that are looked at.
const BEGINNING: u64 = 16 * 1024;

/// Octets that are kept, to be read again where the text says late what it is.
const KEPT: usize = 2 * 16 * 1024;

/// What is said of the charset: by the option, else by the settings for the host, by the server, by the settings for all.
pub(super) fn said(cli: &Cli, settings: &Settings, head: &Head) -> Option<Said> {
    let host = head.url.host().unwrap_or_default().to_ascii_lowercase();
    let said = |name: Option<&String>, by| name.map(|name| Said { name: name.clone(), by });
    said(cli.charset.as_ref(), By::Asked)
        .or_else(|| said(settings.charset.hosts.get(&host), By::Chosen))
        .or_else(|| said(head.charset.as_ref(), By::Declared))
        .or_else(|| said(settings.charset.default.as_ref(), By::Default))
}

/// A head that waits for the beginning of its body.
pub(super) struct Heading {
    head: Head,
    /// Nobody for what is no page.
    reader: Option<Reader>,
}

impl Heading {
    /// A head.
    pub(super) fn new(head: Head, cli: &Cli, settings: &Settings) -> Heading {
        let (media, charset, url) = (head.media.clone(), said(cli, settings, &head), head.url.clone());
        let input =
            Input { media, charset, url, groups: settings.charset.groups.as_slice().into(), notices: Vec::new() };
        let reader = Reader::new(Intake { input, title: None, keep: KEPT, memory: settings.limits.memory });
        Heading { head, reader }
    }

    /// Takes the next octets.
    pub(super) fn feed(&mut self, octets: &[u8]) {
        self.reader.iter_mut().for_each(|reader| reader.take(octets));
    }

    /// Whether nothing more is needed.
    pub(super) fn is_over(&self) -> bool {
        self.reader.as_ref().is_none_or(|reader| reader.is_over() || reader.received() >= BEGINNING)
    }

    /// Prints it.
    pub(super) fn print(self, out: &mut impl Write) -> io::Result<()> {
        let Heading { head, reader } = self;
        let read = reader.and_then(|reader| reader.finish().page.document.charset.clone());
        let declared = || Some(ReadBy { name: head.charset.clone()?, why: "declared".into(), otherwise: None });
        let mut lines = vec![format!("url: {}", head.url.redacted()), format!("media: {}", head.media)];
        lines.extend(read.or_else(declared).map(|ReadBy { name, why, .. }| format!("charset: {name} ({why})")));
        lines.extend(head.length.iter().map(|length| format!("length: {length}")));
        lines.extend(head.filename.iter().map(|name| format!("filename: {name}")));
        lines.extend(
            head.security.iter().map(|s| format!("certificate: {} ({:?})", s.certificate.fingerprint, s.trust)),
        );
        lines.extend(head.lines.iter().cloned());
        lines.iter().try_for_each(|line| writeln!(out, "{}", sanitise(line)))
    }
}
