//! Articles that were sought: what the page's heading says of that.

use crate::format::size;
use crate::url::scheme::sought::Sought;

/// What was looked through, and who has looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Search {
    by: By,
    /// How many articles were looked at.
    pub looked: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// The server, and nobody knows how many it has looked at; and us, in so many that it could not read.
    Server(usize),
    /// Us, in what is kept on disk.
    Kept,
    /// Us, in what the server sent.
    Rows,
}

impl Search {
    /// As the first line of the page says it.
    pub fn by(who: &[u8]) -> Search {
        let (who, encoded) = who.split_at(who.iter().position(|octet| *octet == b' ').unwrap_or(who.len()));
        let encoded = std::str::from_utf8(encoded).ok().and_then(|digits| digits.trim().parse().ok()).unwrap_or(0);
        let by = match who {
            b"server" => By::Server(encoded),
            b"kept" => By::Kept,
            _ => By::Rows,
        };
        Search { by, looked: 0 }
    }

    /// `3 found by the server`, `3 found by the server and among 12 that are encoded`, `3 found in 1,204 articles kept here`.
    pub fn words(self, found: usize) -> String {
        let found = size::count(found);
        let articles =
            || format!("{} {}", size::count(self.looked), if self.looked == 1 { "article" } else { "articles" });
        match self.by {
            By::Server(0) => format!("{found} found by the server"),
            By::Server(encoded) => {
                format!("{found} found by the server and among {} that are encoded", size::count(encoded))
            }
            By::Kept => format!("{found} found in {} kept here", articles()),
            By::Rows => format!("{found} found in {}", articles()),
        }
    }
}

/// `"tunnels" in subjects of comp.misc`.
pub(super) fn title(sought: &Sought, name: &[u8], shown: &str) -> String {
    let words = crate::doc::sanitise(&sought.words).replace('\t', " ");
    let of = if name == b"*" { "all groups" } else { shown };
    format!("\"{words}\" in {} of {of}", sought.part.words())
}
