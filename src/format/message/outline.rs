//! What a message is made of, from outside inward, and the base that each entity gives (RFC 2557, 4; BASE-04, BASE-05).

use super::index::Index;
use super::page::About;
use super::transfer::Transfer;
use super::tree::Tree;
use crate::doc::Builder;
use crate::format::{Input, media};
use crate::url::{EntityBase, Layer, Url};

/// An entity of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlined {
    /// Which: `message`, or `part-2.1`.
    pub name: String,
    /// How many entities are around it.
    pub depth: usize,
    /// Its media type.
    pub media: String,
    /// The base that the headings give it, and which heading that is.
    pub base: Option<EntityBase>,
    /// The base that its own content names: as written, and what that is in the bases around it, if it is one.
    pub document: Option<(String, Option<Url>)>,
}

/// All entities of a message that came from a URL.
pub fn outline(octets: &[u8], retrieval: &Url) -> Vec<Outlined> {
    let tree = Tree::read(octets);
    let index = Index::new(&tree, retrieval);
    let outlined = |part: usize| {
        let entity = tree.get(part);
        Outlined {
            name: if part == 0 { "message".into() } else { tree.name(part).to_string() },
            depth: tree.outward(part).count().saturating_sub(1),
            media: entity.media.clone(),
            base: index.base(part).cloned(),
            document: document(&tree, &index, part, retrieval),
        }
    };
    (0..tree.len()).map(outlined).collect()
}

/// What the content of a part says of its base.
fn document(tree: &Tree, index: &Index, part: usize, url: &Url) -> Option<(String, Option<Url>)> {
    if !matches!(tree.get(part).media.as_str(), media::HTML | media::XHTML) {
        return None;
    }
    let about = About::of(tree, part);
    let octets = Transfer::of(&about.encoding).0.whole(tree.body(part));
    let input = Input {
        media: media::HTML.into(),
        charset: about.charset().map(Into::into),
        url: url.clone(),
        groups: Default::default(),
        notices: Vec::new(),
    };
    let mut parser = crate::format::parser(&input)?;
    let mut builder = Builder::new();
    parser.feed(&octets, &mut builder);
    parser.finish(&mut builder);
    let written = builder.finish().base?;
    let mut bases = index.bases(part);
    let taken = bases.set_document_base(&written).is_ok();
    Some((written, bases.get(Layer::Document).filter(|_| taken).cloned()))
}
