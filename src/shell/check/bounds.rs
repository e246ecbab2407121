//! Where deeper pages are read: on the servers of the pages given, and in the folders of those that are files.

use crate::url::Url;
use crate::url::scheme::{self, Act, Family};
use std::collections::BTreeSet;

/// Scheme, host and port: what a server is.
pub(super) fn site(url: &Url) -> String {
    let host = url.host().unwrap_or_default().to_ascii_lowercase();
    format!("{}://{host}:{}", url.scheme().to_ascii_lowercase(), url.port().unwrap_or_default())
}

/// The servers and folders of the pages given.
pub(in crate::shell) struct Bounds {
    sites: BTreeSet<String>,
    /// As octets, each with its slash.
    folders: BTreeSet<Vec<u8>>,
}

impl Bounds {
    /// Those of pages on servers. Of a file nobody knows before it is read whether it is a folder itself.
    pub(in crate::shell) fn new(places: &[Url]) -> Bounds {
        let servers = places.iter().filter(|place| scheme::family(place) != Family::File);
        Bounds { sites: servers.map(site).collect(), folders: BTreeSet::new() }
    }

    /// Takes in where a page given was found.
    pub(in crate::shell) fn widen(&mut self, page: &Url) {
        match path(page) {
            Some(mut path) => {
                path.truncate(memchr::memrchr(b'/', &path).map_or(0, |slash| slash + 1));
                self.folders.insert(path);
            }
            None if scheme::family(page) == Family::File => {}
            None => drop(self.sites.insert(site(page))),
        }
    }

    /// Whether a page may be read for its links.
    pub(in crate::shell) fn hold(&self, url: &Url) -> bool {
        if scheme::family(url) != Family::File {
            return self.sites.contains(&site(url));
        }
        let Some(path) = path(url) else { return false };
        let climbs = path.split(|octet| *octet == b'/').any(|name| name == b"..");
        !climbs && self.folders.iter().any(|folder| !folder.is_empty() && path.starts_with(folder))
    }
}

/// The path of a file, if it is one.
fn path(url: &Url) -> Option<Vec<u8>> {
    match scheme::plan(url).ok()?.act {
        Act::File(path) if scheme::family(url) == Family::File => Some(path),
        _ => None,
    }
}
