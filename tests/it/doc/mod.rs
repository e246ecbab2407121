//! Documents, their lines, finding in them, and the sanitiser.

#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

mod arranged;
mod figures;
mod find;
mod layout;
mod lines;
mod measure;
mod memory;
mod sanitise;

use wayfarer::doc::{BlockKind, Builder, Document, Layout, Line, Marker, Marks, Wrap};
use wayfarer::role::Role;

/// A document of blocks of one kind.
pub fn document(kind: BlockKind, texts: &[&str]) -> Document {
    let mut builder = Builder::new();
    for text in texts {
        builder.block(kind, Role::Text);
        builder.text(text);
    }
    builder.finish()
}

/// A menu entry each.
pub fn menu(entries: &[(Marker, &str)]) -> Document {
    let mut builder = Builder::new();
    for (marker, text) in entries {
        builder.marked(BlockKind::Entry, Role::Text, *marker, 0);
        builder.link(text, Role::Link, "x");
    }
    builder.finish()
}

pub fn layout(width: u16) -> Layout {
    Layout { width, measure: None, wrap: Wrap::On, marks: Marks::Words }
}

/// What a line shows.
pub fn shown(line: &Line<'_>) -> String {
    line.segments.iter().map(|s| s.text.as_ref()).collect()
}

/// What every line of a document shows.
pub fn screen(layout: Layout, document: &Document) -> Vec<String> {
    layout.lines(document, Default::default(), usize::MAX).iter().map(shown).collect()
}

/// Documents are plain data: they go to other threads, and reading one changes nothing in it.
#[test]
fn a_document_is_plain_data() {
    fn plain<T: Clone + Send + Sync + PartialEq + std::fmt::Debug + 'static>() {}
    plain::<Document>();
    plain::<Builder>();
    plain::<wayfarer::doc::Arranged>();
    plain::<Layout>();
}
