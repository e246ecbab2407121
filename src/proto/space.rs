//! What was kept of the web, as a space of its own: what leads to a page that is in the same file opens it from there, by the address
//! that its record says (RFC 3986, 5.1.2: the entity around it gives the base), and all else leads where it always led.

use super::Within;
use crate::archive::{Archive, Said};
use crate::url::scheme::{self, Family, archive::Archive as Named};
use crate::url::{self, EntityBase, Siblings, Url};
use std::sync::Arc;

/// Addresses of one file that are found from its pages.
const MOST: usize = 100_000;

/// Which address is where in an archive. Of several answers the last counts that is no refusal, and no redirect.
pub(super) fn siblings(archive: &Archive, file: &Url) -> Option<Siblings> {
    let mut siblings = Siblings { base: Named::url(file, b"").ok()?, parts: Default::default() };
    let mut answers: Vec<_> = archive.answers().collect();
    // Refusals first: what comes later is put in their place.
    answers.sort_by_key(|(_, member)| {
        let said = member.said.as_deref();
        (said.is_some_and(|said| said.status.is_none()), member.modified.map(|modified| modified.seconds))
    });
    for (location, member) in answers.into_iter().rev() {
        let Some(address) = address(location) else { continue };
        if siblings.parts.len() >= MOST {
            break;
        }
        if !siblings.parts.contains_key(address.as_str())
            && let Ok(url) = Named::url(file, &member.path)
        {
            // Browsers ask for the root where there is no path.
            if address.path().is_empty()
                && address.query().is_none()
                && let Ok(root) = Url::parse(format!("{address}/"))
            {
                siblings.parts.entry(root.as_str().into()).or_insert_with(|| url.clone());
            }
            siblings.parts.insert(address.as_str().into(), url);
        }
    }
    (!siblings.parts.is_empty()).then_some(siblings)
}

/// How much they hold, in octets.
pub(super) fn memory(siblings: &Siblings) -> usize {
    siblings.parts.iter().map(|(address, url)| address.len() + 2 * url.as_str().len() + 64).sum()
}

/// The address that a record says: one of a server, without a password. What names things of this machine is believed of nobody.
fn address(location: &str) -> Option<Url> {
    let url = Url::parse(location).ok()?.without_fragment();
    let foreign = !matches!(scheme::family(&url), Family::File | Family::About | Family::Archive | Family::Data);
    if !foreign || !url.has_hierarchy() {
        return None;
    }
    Url::parse(url.without_secrets()).ok()
}

/// Bases and neighbours of a page that was kept.
pub(super) fn within(url: &Url, said: &Said, siblings: Option<&Arc<Siblings>>) -> Option<Arc<Within>> {
    let base = address(said.location.as_deref()?).map(|url| EntityBase { url, from: said.from.clone() })?;
    Some(Arc::new(Within { url: url.clone(), base: Some(base), siblings: siblings.cloned() }))
}

/// Where a redirect leads that was kept.
pub(super) enum Onward {
    /// To what is in the same file.
    Here(Url),
    /// To where nobody is asked for it: a page with a link says so.
    Elsewhere(Vec<u8>),
}

/// Where a redirect leads that was kept, if it is one.
pub(super) fn moved(said: &Said, siblings: Option<&Siblings>) -> Option<Onward> {
    let from = address(said.location.as_deref()?)?;
    let to = url::redirect(&from, said.moved.as_deref()?).ok()?;
    let kept = siblings.and_then(|siblings| siblings.parts.get(to.without_fragment().as_str()));
    let page = || {
        let status = said.status.as_deref().unwrap_or_default().replace(char::is_control, " ");
        format!("# {status}\nThe server led on from {from}. That is not in this file:\n\n=> {to}\n").into_bytes()
    };
    Some(kept.map_or_else(|| Onward::Elsewhere(page()), |kept| Onward::Here(kept.with_fragment(to.fragment()))))
}
