//! The stack of base URLs: which one answers for a relative reference (RFC 3986, 5.1; BASE-01 … 10).

use super::{Resolved, Rules, Url, UrlError};

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

/// The four layers of bases; it belongs to a history entry, so that going back restores it (BASE-10).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BaseStack {
    layers: [Option<Url>; 4],
}

impl BaseStack {
    /// A stack with only the retrieval URL and the application's default.
    pub fn retrieved(retrieval: Url, default: Option<Url>) -> BaseStack {
        BaseStack { layers: [None, None, Some(retrieval), default] }
    }

    /// The base of one layer.
    pub fn get(&self, layer: Layer) -> Option<&Url> {
        self.layers[layer as usize].as_ref()
    }

    /// Sets or clears the base of one layer.
    pub fn set(&mut self, layer: Layer, base: Option<Url>) {
        self.layers[layer as usize] = base;
    }

    /// The innermost base there is, and its layer.
    pub fn effective(&self) -> Option<(Layer, &Url)> {
        Layer::ALL.into_iter().find_map(|layer| Some((layer, self.get(layer)?)))
    }

    /// Resolves a reference against the effective base.
    ///
    /// # Errors
    /// No base at all, a base without hierarchy, or a result that is no URL.
    pub fn resolve(&self, reference: &str) -> Result<Resolved, UrlError> {
        match self.effective() {
            Some((_, base)) => super::resolve(base, reference, Rules::default()),
            None => match super::split(reference) {
                r if r.scheme.is_some() => Url::parse(reference).map(Resolved::Url),
                _ => Err(UrlError::NoBase(reference.into())),
            },
        }
    }
}
