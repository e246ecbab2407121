//! What a page says, without width or colour (`Document`), and its lines at a width (`Layout`).
//!
//! A document is one growing text, cut into blocks, with spans that give pieces of it a look and a link. Nothing in it is
//! wrapped, truncated or coloured. A layout is a plain function of document, width and place: it looks only at blocks near
//! the place it is asked for, so a page of a million lines opens and resizes as fast as a short one.
//! Refuses: terminal types, bytes of any charset, I/O.

mod arranged;
mod builder;
mod cells;
mod columns;
mod document;
mod field;
mod find;
mod insert;
mod layout;
mod marker;
mod row;
mod sanitise;
mod segments;
mod setting;
mod table;
mod wrap;

pub use arranged::{Arranged, Filter, Folded};
pub use builder::Builder;
pub use cells::{Merged, Table, TableColumn};
pub use columns::columns;
pub use document::{
    Align, Anchor, Block, BlockKind, Column, Document, Fold, FoldKind, Link, LinkId, Related, Shift, Source, Span,
};
pub use field::{Bounds, Encoding, Field, FieldKind, FieldOption, Form, LineKind, Method, Sending};
pub use find::Search;
pub use insert::Reference;
pub use layout::{Layout, Line, Place, Segment, Wrap};
pub use marker::{Marker, Marks};
pub use sanitise::{sanitise, sanitise_into};
pub use table::Part;
