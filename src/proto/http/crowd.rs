//! Whose the cookies of the jar are, and in which order they were set: what goes when there are too many (RFC 6265, 5.3 and 6.1).
//!
//! A site has a share, beyond which its own oldest go; when the jar is full, they go from the site that has most. So nobody
//! shuts the jar for others. Refuses: what is in a cookie.

use std::collections::{BTreeMap, BTreeSet};

/// Cookies of one site.
const SHARE: usize = 200;
/// Cookies in all.
const MOST: usize = 3000;

/// By what a cookie is known: domain, path, name.
pub(super) type Ident = (String, String, String);

/// The cookies of a jar by site, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    /// How many have been set.
    turn: u64,
    sites: BTreeMap<String, BTreeMap<u64, Ident>>,
    /// How many each site has, the most last.
    sizes: BTreeSet<(usize, String)>,
    /// Where each stands.
    places: BTreeMap<Ident, (String, u64)>,
}

impl Crowd {
    /// A site has set a cookie, perhaps once more. The one that has to go for it.
    pub fn add(&mut self, site: &str, cookie: Ident) -> Option<Ident> {
        self.remove(&cookie);
        self.turn += 1;
        self.places.insert(cookie.clone(), (site.into(), self.turn));
        let own = self.sites.entry(site.into()).or_default();
        self.sizes.remove(&(own.len(), site.into()));
        own.insert(self.turn, cookie);
        self.sizes.insert((own.len(), site.into()));
        let oldest = match (own.len() > SHARE, self.places.len() > MOST) {
            (true, _) => own.values().next(),
            (false, true) => self.sizes.last().and_then(|(_, site)| self.sites.get(site)?.values().next()),
            (false, false) => None,
        };
        let oldest = oldest.cloned()?;
        self.remove(&oldest);
        Some(oldest)
    }

    /// A cookie is gone.
    pub fn remove(&mut self, cookie: &Ident) {
        let Some((site, turn)) = self.places.remove(cookie) else { return };
        if let Some(own) = self.sites.get_mut(&site) {
            self.sizes.remove(&(own.len(), site.clone()));
            own.remove(&turn);
            match own.len() {
                0 => drop(self.sites.remove(&site)),
                left => drop(self.sizes.insert((left, site))),
            }
        }
    }
}
