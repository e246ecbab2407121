//! What a page says, without width or colour (`Document`), and its lines at a width (`Layout`).
//!
//! A document is one growing text, cut into blocks, with spans that give pieces of it a look and a link. Nothing in it is
//! wrapped, truncated or coloured. A layout is a plain function of document, width and place: it looks only at blocks near
//! the place it is asked for, so a page of a million lines opens and resizes as fast as a short one.
//! Refuses: terminal types, bytes of any charset, I/O.

mod arranged;
mod builder;
mod columns;
mod conceal;
mod document;
mod field;
mod figure;
mod find;
mod fold;
mod insert;
mod label;
mod layout;
mod lead;
mod marker;
mod octets;
mod row;
mod sanitise;
mod segments;
mod setting;
mod sides;
mod table;
mod unit;
mod wrap;

pub use arranged::{Arranged, Filter, Folded};
pub use builder::Builder;
pub use columns::{beginning, columns, ending};
pub use conceal::{INSIDE, Read, conceal, decoded, is_word, merged, secrets_in, starred};
pub use document::{
    Align, Anchor, Block, BlockKind, Column, Document, Link, LinkId, ReadBy, Related, Shift, Source, Span,
};
pub use field::{Bounds, Encoding, Field, FieldKind, FieldOption, Form, LineKind, Method, Sending};
pub use figure::{Canvas, Figure, Inserted, Insertion};
pub use find::Search;
pub use fold::{Aside, Fold, FoldKind};
pub use insert::Reference;
pub use label::in_short;
pub use layout::{Layout, Line, ScrollPosition, Segment, Wrap};
pub use lead::lead;
pub use marker::{Marker, Marks};
pub use octets::{carried, carries, carry};
pub use sanitise::{flat, keeps, line, sanitise, sanitise_into, sequence};
pub use sides::Sides;
pub use table::{Cell, Separated, Table, TableColumn, TableRow, most_columns};

/// A number of octets, blocks, spans or links of a document, none of which ever has 2³² of any.
pub(crate) fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A number of columns or rows; what is larger than any screen is the largest.
pub(crate) fn cells(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
