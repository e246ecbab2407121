//! Where deeper pages are read: on the servers of the pages given; of those that are files, here or on a server of files, in their folders.

use crate::url::scheme::{self, Act, Family};
use crate::url::{Url, escape};
use std::collections::BTreeSet;

/// Scheme, host and port: what a server is.
pub(super) fn site(url: &Url) -> String {
    let host = url.host().unwrap_or_default().to_ascii_lowercase();
    format!("{}://{host}:{}", url.scheme().to_ascii_lowercase(), url.port().unwrap_or_default())
}

/// The servers and folders of the pages given.
pub(in crate::shell) struct Bounds {
    sites: BTreeSet<String>,
    /// As [`path`] has them, each with its slash.
    folders: BTreeSet<Vec<u8>>,
}

/// Whether it is of files in folders, each of which leads to the one above.
fn is_of_files(url: &Url) -> bool {
    matches!(scheme::family(url), Family::File | Family::Ftp | Family::Sftp)
}

impl Bounds {
    /// Those of pages on servers. Of a file nobody knows before it is read whether it is a folder itself.
    pub(in crate::shell) fn new(places: &[Url]) -> Bounds {
        let servers = places.iter().filter(|place| !is_of_files(place));
        Bounds { sites: servers.map(site).collect(), folders: BTreeSet::new() }
    }

    /// Takes in where a page given was found.
    pub(in crate::shell) fn widen(&mut self, page: &Url) {
        match path(page) {
            Some(mut path) => {
                path.truncate(memchr::memrchr(b'/', &path).map_or(0, |slash| slash + 1));
                self.folders.insert(path);
            }
            None if is_of_files(page) => {}
            None => drop(self.sites.insert(site(page))),
        }
    }

    /// Whether a page may be read for its links.
    pub(in crate::shell) fn hold(&self, url: &Url) -> bool {
        if !is_of_files(url) {
            return self.sites.contains(&site(url));
        }
        let Some(path) = path(url) else { return false };
        let climbs = path.split(|octet| *octet == b'/').any(|name| name == b"..");
        !climbs && self.folders.iter().any(|folder| !folder.is_empty() && path.starts_with(folder))
    }
}

/// The path of a file, if it is one; of one on a server behind what the server is.
fn path(url: &Url) -> Option<Vec<u8>> {
    match (scheme::family(url), scheme::plan(url).ok()?.act) {
        (Family::File, Act::File(path)) => Some(path),
        (Family::Ftp | Family::Sftp, _) => Some([site(url).into_bytes(), escape::decode(url.path())].concat()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first row of each directory led on to the one above, and so to all of the server.
    #[test]
    fn a_directory_of_a_server_is_left_by_no_row() {
        let url = |text: &str| Url::parse(text).unwrap();
        let bounds = |given: &str, found: &str| {
            let mut bounds = Bounds::new(&[url(given)]);
            bounds.widen(&url(found));
            bounds
        };
        for (given, found) in [("ftp://h/pub/a", "ftp://h/pub/a/"), ("ftp://h/pub/a/b.txt", "ftp://h/pub/a/b.txt")] {
            let tree = bounds(given, found);
            for inside in ["ftp://h/pub/a/", "ftp://me@H:21/pub/a/c/d.txt", "ftp://h/pub/%61/e;type=i"] {
                assert!(tree.hold(&url(inside)), "{inside}");
            }
            for outside in [
                "ftp://h/pub/",
                "ftp://h/",
                "ftp://h/pub/ab/",
                "ftp://h/pub/a/../b/",
                "ftp://h/pub/a/%2e%2e/b/",
                "ftp://h:2121/pub/a/",
                "ftp://other/pub/a/",
                "ftp://h/%2Fpub/a/",
                "sftp://h/pub/a/",
                "http://h/pub/a/",
            ] {
                assert!(!tree.hold(&url(outside)), "{outside}");
            }
        }
        assert!(bounds("ftp://h/", "ftp://h/").hold(&url("ftp://h/pub/a/")));
        // Elsewhere a page belongs to all that its server has.
        assert!(bounds("http://h/a/", "http://h/a/").hold(&url("http://h/")));
        assert!(!bounds("http://h/a/", "http://h/a/").hold(&url("ftp://h/a/")));
    }
}
