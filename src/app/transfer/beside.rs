//! Files that stand beside a download and tell whether it is what it should be, as far as the page tells from which it is begun. No
//! server is asked for names that nobody has seen. Refuses: other folders, other hosts, places that ask something first.

use super::name::last;
use crate::app::Sight;
use crate::sums::{self, Beside};
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};

/// How many are kept for one download.
const MOST: usize = 8;

/// What stands beside the file of this URL on the page in view, the best first.
pub(super) fn beside(sight: Sight<'_>, url: &Url) -> Vec<Url> {
    let Some(entry) = sight.entry() else { return Vec::new() };
    let Some(page) = entry.page.as_deref() else { return Vec::new() };
    let (name, place) = (last(url), folder(url));
    let document = page.given();
    let mut found: Vec<(Beside, Url)> = Vec::new();
    for link in (0..document.link_count()).map(crate::doc::LinkId) {
        let Some(reference) = document.reference(link) else { continue };
        // most links of a long page are seen not to be one by their ends alone
        let end = reference.rsplit('/').next().unwrap_or_default();
        if end.contains(['?', '#']) || sums::beside(&escape::decode(typeless(end)), &name).is_none() {
            continue;
        }
        let Some(other) = document.link_url(link, &entry.bases).filter(|other| folder(other) == place) else {
            continue;
        };
        let safe = scheme::plan(&other).is_ok_and(|plan| plan.confirm.is_none());
        let Some(what) = what(&other, url).filter(|_| safe) else { continue };
        // no more than are kept are ever compared: a page may have any number of such links
        if !found.iter().any(|(_, known)| *known == other) {
            let at = found.partition_point(|(known, _)| known.worth() >= what.worth());
            found.insert(at, (what, other));
            found.truncate(MOST);
        }
    }
    // the signature of a list that is not there says nothing of the file, but what ends so may be the list, signed in clear
    let listed = found.iter().any(|(what, _)| matches!(what, Beside::Sums(..)));
    found.retain(|(what, url)| listed || *what != Beside::OfSums || sums::may_be_in_clear(&last(url)));
    found.into_iter().map(|(_, url)| url).collect()
}

/// What one file is to another.
pub(super) fn what(beside: &Url, of: &Url) -> Option<Beside> {
    sums::beside(&last(beside), &last(of))
}

/// A last component without FTP's type.
fn typeless(end: &str) -> &str {
    end.split_once(";type=").map_or(end, |(end, _)| end)
}

/// The folder that a URL's file is in. In gopher the type stands before it, and is another for a text than for an archive.
fn folder(url: &Url) -> (String, String, String) {
    let path = url.path();
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    let typed = scheme::family(url) == Family::Gopher;
    let above = if typed { above.get(2..).unwrap_or_default() } else { above };
    let authority = url.authority().unwrap_or_default();
    (url.scheme().to_ascii_lowercase(), authority.to_ascii_lowercase(), above.to_owned())
}
