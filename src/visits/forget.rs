//! Forgetting: one page, a host, a span of time, everything.

use super::{Visit, Visits};
use crate::url::Url;

/// What is to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forget {
    /// The page of this URL.
    Page(Url),
    /// Every page of this host, lower case; empty for what has no host.
    Host(String),
    /// Every page that was visited since this time, in seconds since 1970.
    Since(i64),
    /// All.
    All,
}

impl Visits {
    /// Forgets; says how many pages are gone.
    pub fn forget(&mut self, what: &Forget) -> usize {
        let gone = self.concerned(what);
        gone.iter().for_each(|number| self.rows[*number].count = 0);
        self.seen.clear();
        self.index_again();
        gone.len()
    }

    /// How many pages would be gone.
    pub fn count(&self, what: &Forget) -> usize {
        self.concerned(what).len()
    }

    fn concerned(&self, what: &Forget) -> Vec<usize> {
        let page = match what {
            Forget::Page(url) => return self.by_form.get(&self.form(url)).map(|at| *at as usize).into_iter().collect(),
            Forget::Host(_) | Forget::Since(_) | Forget::All => |visit: Visit<'_>| match what {
                Forget::Host(name) => host(visit.url) == *name,
                Forget::Since(time) => visit.time >= *time,
                Forget::All | Forget::Page(_) => true,
            },
        };
        let rows = (0..).zip(&self.rows).filter(|(_, row)| row.count > 0);
        rows.filter(|(_, row)| page(self.visit(row))).map(|(number, _)| number).collect()
    }
}

/// The host of a URL, lower case; empty when it has none.
pub(super) fn host(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.and_then(|url| url.host().map(str::to_ascii_lowercase)).unwrap_or_default()
}
