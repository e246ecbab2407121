//! The stack of base URLs: which one answers for a relative reference (RFC 3986, 5.1; BASE-01 … 10), and what a link,
//! a form or a `<base>` of the document leads to.

use super::resolve::{Reading, Trail, explain_as, follow, without_blanks};
use super::{Resolved, Step, Url, UrlError, split};
use std::collections::HashMap;
use std::sync::Arc;

/// Where a base URL came from, innermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Embedded in the document's content (HTML `<base>`).
    Document,
    /// Given by the entity that encapsulates the document (a message part's headers, the enclosing document).
    Entity,
    /// The URL last used to retrieve it, after redirects.
    Retrieval,
    /// The application's default (`--base`).
    Default,
}

impl Layer {
    /// Every layer, innermost first.
    pub const ALL: [Layer; 4] = [Layer::Document, Layer::Entity, Layer::Retrieval, Layer::Default];

    /// The layer in one lower-case word: `document`, `entity`, `retrieval`, `default`.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Document => "document",
            Layer::Entity => "entity",
            Layer::Retrieval => "retrieval",
            Layer::Default => "default",
        }
    }
}

/// The base that a heading gives to the part under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityBase {
    /// The base.
    pub url: Url,
    /// The heading it comes from, in words: `Content-Location of part 2.1`.
    pub from: String,
}

/// The other parts of the message that a document is in: what leads to them is not looked for elsewhere (RFC 2557, 8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Siblings {
    /// The base within the message, where the document has no other: RFC 2557's `thismessage:/`, which is shown to nobody.
    pub base: Url,
    /// The URLs of the parts, by the absolute URL, without fragment, that each says is its own.
    pub parts: HashMap<String, Url>,
}

/// The four layers of bases; it belongs to a history entry, so that going back restores it (BASE-10).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BaseStack {
    layers: [Option<Url>; 4],
    /// Where the entity's base comes from, in words.
    origin: Option<String>,
    siblings: Option<Arc<Siblings>>,
}

impl BaseStack {
    /// A stack with only the retrieval URL and the application's default.
    pub fn retrieved(retrieval: Url, default: Option<Url>) -> BaseStack {
        BaseStack { layers: [None, None, Some(retrieval), default], ..BaseStack::default() }
    }

    /// The base for what is written on a page that was asked for as `asked` and that a gateway had at `answered`: the page's own
    /// address, not the gateway's (GATE-05). A name without hierarchy (`urn:`) is no base; then it is where the page was found.
    pub fn through_gateway(asked: &Url, answered: &Url) -> Url {
        if asked.has_hierarchy() { asked.without_fragment() } else { answered.without_fragment() }
    }

    /// The base of one layer.
    pub fn get(&self, layer: Layer) -> Option<&Url> {
        self.layers[layer as usize].as_ref()
    }

    /// Sets or clears the base of one layer.
    pub fn set(&mut self, layer: Layer, base: Option<Url>) {
        self.layers[layer as usize] = base;
    }

    /// Sets the base that a heading around the document gives, and remembers which (BASE-04, BASE-05).
    pub fn set_entity(&mut self, base: EntityBase) {
        self.set(Layer::Entity, Some(base.url));
        self.origin = Some(base.from);
    }

    /// Where the entity's base comes from, in words, when that is known.
    pub fn entity_origin(&self) -> Option<&str> {
        self.origin.as_deref().filter(|_| self.get(Layer::Entity).is_some())
    }

    /// Sets the parts beside the document in its message.
    pub fn set_siblings(&mut self, siblings: Arc<Siblings>) {
        self.siblings = Some(siblings);
    }

    /// The part of the same message that a reference leads to.
    pub fn sibling(&self, reference: &str) -> Option<Url> {
        let siblings = self.siblings.as_deref()?;
        let base = match self.effective() {
            Some((_, base)) if base.has_hierarchy() => base,
            _ => &siblings.base,
        };
        match follow(base, reference, &mut Trail(None)) {
            Ok(Resolved::Url(url)) => {
                let part = siblings.parts.get(url.without_fragment().as_str())?;
                Some(part.with_fragment(url.fragment()))
            }
            _ => None,
        }
    }

    /// Takes what the document says of its base (HTML `<base href>`). A relative one is resolved against the layers
    /// outside (D40); only the first counts, later ones change nothing.
    ///
    /// # Errors
    /// It cannot be resolved, or has no hierarchy. Then the layer stays empty and the outer layers answer.
    pub fn set_document_base(&mut self, reference: &str) -> Result<(), UrlError> {
        if self.get(Layer::Document).is_some() {
            return Ok(());
        }
        match self.resolve(reference)? {
            // the empty reference: the outer base, which answers anyway
            Resolved::SameDocument { .. } => Ok(()),
            Resolved::Url(base) if base.has_hierarchy() => {
                self.set(Layer::Document, Some(base));
                Ok(())
            }
            Resolved::Url(base) => {
                Err(UrlError::Malformed(format!("{}: URLs have no hierarchy and cannot be a base", base.scheme())))
            }
        }
    }

    /// The innermost base there is, and its layer.
    pub fn effective(&self) -> Option<(Layer, &Url)> {
        Layer::ALL.into_iter().find_map(|layer| Some((layer, self.get(layer)?)))
    }

    /// Resolves what a link says against the effective base: RFC 3986, and where pages rely on it the browsers' way
    /// (`http:g` in an http page is relative, D05; `%2e` is a dot in http). The empty reference and a fragment alone
    /// stay in the document, whatever the base (D28), and need none.
    ///
    /// # Errors
    /// A relative reference and no base at all (BASE-07), or a base without hierarchy (REL-16); a result that is no URL.
    pub fn resolve(&self, reference: &str) -> Result<Resolved, UrlError> {
        if let Some(part) = self.sibling(reference) {
            return Ok(Resolved::Url(part));
        }
        match self.effective() {
            Some((_, base)) => follow(base, reference, &mut Trail(None)),
            None => baseless(reference),
        }
    }

    /// As [`BaseStack::resolve`], with the steps that led there by the bases alone.
    pub fn explain(&self, reference: &str) -> (Result<Resolved, UrlError>, Vec<Step>) {
        match self.effective() {
            Some((_, base)) => explain_as(base, reference, Reading::Link),
            None => (baseless(reference), Vec::new()),
        }
    }

    /// Where a form's action leads. It always makes a request, so the empty reference is the base itself (FRAG-05).
    ///
    /// # Errors
    /// As [`BaseStack::resolve`]; also for the empty reference when there is no base.
    pub fn resolve_action(&self, reference: &str) -> Result<Url, UrlError> {
        match (self.resolve(reference)?, self.effective()) {
            (Resolved::Url(url), _) => Ok(url),
            (same, Some((_, base))) => Ok(same.url_in(base)),
            (Resolved::SameDocument { .. }, None) => Err(UrlError::NoBase(reference.into())),
        }
    }
}

fn baseless(reference: &str) -> Result<Resolved, UrlError> {
    let reference = &*without_blanks(reference, &mut Trail(None));
    let parts = split(reference);
    match parts.scheme {
        Some(_) => Url::parse(reference).map(Resolved::Url),
        None if parts.is_same_document() => Ok(Resolved::SameDocument { fragment: parts.fragment.map(Into::into) }),
        None => Err(UrlError::NoBase(reference.into())),
    }
}
