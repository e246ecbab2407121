//! One document below another: a README under the listing of its directory, as a fold.

use super::{Input, parser};
use crate::doc::{BlockKind, Builder, Document, FoldKind};
use crate::role::Role;
use crate::stop::Stop;
use std::sync::Arc;

/// What is written between two looks at whether it is still wanted, in octets.
const PIECE: usize = 16 * 1024;

/// A document to be written below another.
#[derive(Debug, Clone, PartialEq)]
pub struct Below {
    /// The head of the fold; sanitised.
    pub title: String,
    /// How the one below is read.
    pub input: Input,
    /// What it is read from.
    pub octets: Arc<[u8]>,
}

impl Below {
    /// Both in one; `None` when it was given up. Of a type that is not shown there is only the head.
    pub fn under(&self, above: &Document, stop: &Stop) -> Option<Document> {
        let mut out = Builder::from(above.clone());
        out.block(BlockKind::Line, Role::Info);
        let title = out.link(&self.title, Role::Info, "");
        out.begin_fold(FoldKind::Details, title, true);
        if let Some(mut parser) = parser(&self.input) {
            for piece in self.octets.chunks(PIECE) {
                stop.go_on()?;
                parser.feed(piece, &mut out);
            }
            parser.finish(&mut out);
        }
        out.end_fold();
        Some(out.finish())
    }
}
