//! OPML → `Document`: its rows as links, below their folders. Nothing is fetched; whoever wants one subscribes to its link.

use super::{Input, Parser, count};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::opml::{self, Outline};
use crate::role::Role;

/// Octets that are read.
const MOST: usize = 16 << 20;

/// Reads a list of feeds.
pub(super) struct Outlines {
    held: Vec<u8>,
    full: bool,
}

impl Outlines {
    pub fn new(_: &Input) -> Outlines {
        Outlines { held: Vec::new(), full: false }
    }
}

impl Parser for Outlines {
    fn feed(&mut self, octets: &[u8], _: &mut Builder) {
        let room = MOST.saturating_sub(self.held.len());
        self.full |= octets.len() > room;
        self.held.extend_from_slice(&octets[..octets.len().min(room)]);
    }

    fn finish(&mut self, out: &mut Builder) {
        let held = std::mem::take(&mut self.held);
        let list = opml::read(&String::from_utf8_lossy(&held));
        let title = if list.title.is_empty() { "A list of feeds" } else { &list.title };
        out.document_mut().entitle(&sanitise(title));
        out.block(BlockKind::Heading(1), Role::Heading);
        out.text(&sanitise(title));
        let mut folder: &[String] = &[];
        for Outline { url, title, folder: within, .. } in &list.outlines {
            if *within != folder {
                folder = within;
                out.block(BlockKind::Heading(2), Role::Heading2);
                out.text(&sanitise(&folder.join(" / ")));
            }
            out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
            out.link(&sanitise(if title.is_empty() { url } else { title }), Role::Link, url);
        }
        let feeds = if list.outlines.len() == 1 { "feed" } else { "feeds" };
        out.document_mut()
            .notes
            .push(format!("a list of {} {feeds}: :subscribe takes one", count(list.outlines.len())));
        if list.cut || self.full {
            out.document_mut().cut = Some("it is not whole, or too long to show all of it".into());
        }
    }

    fn memory(&self) -> usize {
        // The rows at the end are no more than what they are read from, and their folders again.
        2 * self.held.capacity()
    }

    fn holds_back(&self) -> bool {
        true
    }
}
