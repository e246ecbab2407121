//! `archive:`: a member of an archive that another URL names, `archive://URL-OF-THE-ARCHIVE/path/of/member`.
//!
//! The whole URL of the archive, escaped, stands where others have a host; what follows is a path within it. So references resolve
//! by the common rules (RFC 3986, 5.2) and stay within the archive, and an archive inside an archive has an address, too. Nothing is
//! ever sent under this name: what is asked for is the archive. `?tree` is all below a folder as one list, `?tree=WORDS` what of it has
//! these words in its path.

use super::{Act, Family, Part, PartKind, Paths, Ways, family, http, show};
use crate::url::{Url, UrlError, escape};
use serde_json::json;
use std::borrow::Cow;

/// Archives within one another that are opened.
pub const DEEPEST: usize = 4;

/// The fields of an archive URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// The archive.
    pub file: Url,
    /// The path of the member in it, decoded once, without the slash before it; empty for the root.
    pub member: Vec<u8>,
}

impl Archive {
    /// Reads the fields of an archive URL.
    ///
    /// # Errors
    /// What stands for the archive is no URL, or holds a password; more than [`DEEPEST`] archives within one another; an escaped `/`
    /// or a NUL in the path.
    pub fn of(url: &Url) -> Result<Archive, UrlError> {
        Archive::within(url, 1)
    }

    fn within(url: &Url, depth: usize) -> Result<Archive, UrlError> {
        let site = url.authority().unwrap_or_default();
        let text = String::from_utf8(escape::decode(site)).unwrap_or_default();
        if text.is_empty() || site.contains(['@', ':']) {
            let says = "an archive URL needs the escaped URL of the archive where others have a host";
            return Err(UrlError::Malformed(says.into()));
        }
        if depth > DEEPEST {
            return Err(UrlError::Refused(format!("more than {DEEPEST} archives are within one another")));
        }
        let file = Url::parse(text)?.without_fragment();
        if file.as_str() != file.without_secrets() {
            return Err(UrlError::Refused("the URL of the archive holds a password".into()));
        }
        if family(&file) == Family::Archive {
            Archive::within(&file, depth + 1)?;
        }
        let mut member = Vec::new();
        for segment in url.path().strip_prefix('/').unwrap_or(url.path()).split('/') {
            let segment = escape::decode(segment);
            if segment.contains(&0) || segment.contains(&b'/') {
                return Err(UrlError::Refused("a name in the path holds an escaped / or NUL".into()));
            }
            member.extend_from_slice(&segment);
            member.push(b'/');
        }
        member.pop();
        Ok(Archive { file, member })
    }

    /// The URL of a member; a password in the URL of the archive stays out.
    ///
    /// # Errors
    /// It would be too long.
    pub fn url(file: &Url, member: &[u8]) -> Result<Url, UrlError> {
        let file = Url::parse(file.without_fragment().without_secrets())?;
        Url::parse(format!("archive://{}/{}", escape::encode(file.as_str().as_bytes(), b""), path(member)))
    }
}

/// The URL of what lies at the same place in another archive, which takes the part of the outermost one.
///
/// # Errors
/// It names nothing in an archive, or would be too long.
pub fn moved(url: &Url, to: &Url) -> Result<Url, UrlError> {
    let Archive { file, member } = Archive::of(url)?;
    match family(&file) {
        Family::Archive => Archive::url(&moved(&file, to)?, &member),
        _ => Archive::url(to, &member),
    }
}

/// The query of the page of all that is below a folder; after a `=` stand words that the paths have in them.
pub const TREE: &str = "tree";

/// Words that are looked for at once: each is sought in every path.
const MOST_WORDS: usize = 16;

/// The words that all paths have on a page of all that is below a folder; `None` for the page of the folder itself.
pub fn words(url: &Url) -> Option<Vec<Vec<u8>>> {
    let (key, words) = url.query().map(|query| query.split_once('=').unwrap_or((query, "")))?;
    let words = escape::decode(words);
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for word in words.split(|octet| octet.is_ascii_whitespace()).filter(|word| !word.is_empty()) {
        if seen.len() < MOST_WORDS && !seen.iter().any(|known| known == word) {
            seen.push(word.to_vec());
        }
    }
    (key == TREE).then_some(seen)
}

/// The page of all that is below the folder that a URL names, with these words in their paths.
///
/// # Errors
/// It would be too long.
pub fn tree(folder: &Url, words: &str) -> Result<Url, UrlError> {
    let folder = folder.without_fragment();
    let bare = folder.as_str().split('?').next().unwrap_or_default().trim_end_matches('/');
    let words = escape::encode(words.trim().as_bytes(), b"");
    Url::parse(format!("{bare}/?{TREE}{}{words}", if words.is_empty() { "" } else { "=" }))
}

/// The directory in which a file lies, with a slash at its end; `None` where paths are no paths of directories.
pub fn beside(file: &Url) -> Option<Url> {
    let hierarchical = super::table::ways(file.scheme()).paths != Paths::Own;
    let end = file.path().rfind('/').filter(|_| hierarchical)?;
    super::with_path(file, &file.path()[..=end])
}

/// Octets of a path as they stand in a URL.
fn path(member: &[u8]) -> String {
    escape::encode(member, escape::PATH)
}

/// Where something really is: of what is in an archive, where the outermost archive is. All that is asked of the reader, and all
/// that is allowed, goes by this.
pub fn place(url: &Url) -> Cow<'_, Url> {
    let mut place = Cow::Borrowed(url);
    while family(&place) == Family::Archive
        && let Ok(Archive { file, .. }) = Archive::of(&place)
    {
        place = Cow::Owned(file);
    }
    place
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Archive,
    paths: Paths::Segments,
    parts: |url| {
        // The way of archives in archives is one path, from the outermost on: escaped four times nobody could read it.
        let Archive { file, member } = Archive::of(url)?;
        let (mut outer, mut way) = (file, vec![member]);
        while family(&outer) == Family::Archive {
            let Archive { file, member } = Archive::of(&outer)?;
            outer = file;
            way.push(member);
        }
        let text = outer.as_str();
        let start = text.find("//").map_or(0, |at| at + 2);
        let at = text[start..].find('/').map_or(text.len(), |at| start + at);
        let (host, file) = text.split_at(at);
        let way: Vec<String> = way.iter().rev().map(|member| show::octets(member)).collect();
        let part = |kind, label, text| Part { kind, label, text };
        let query = url.query().map(show::component);
        let parts = [
            part(PartKind::Host, "host", show::component(host)),
            part(PartKind::Path, "archive", show::component(file)),
            part(PartKind::Path, "member", format!("/{}", way.join("/"))),
        ];
        Ok(parts.into_iter().chain(query.map(|text| part(PartKind::Query, "query", text))).collect())
    },
    fields: |url| {
        let Archive { file, member } = Archive::of(url)?;
        Ok(json!({ "archive": file.as_str(), "member": show::field(&member) }))
    },
    plan: |url| {
        let plan = super::plan(&Archive::of(url)?.file)?;
        match plan.act {
            Act::Octets { .. } | Act::Commands { .. } | Act::Http { .. } | Act::Ssh { .. } | Act::File(_) => Ok(plan),
            Act::Open(_) | Act::Ask(_) | Act::Internal | Act::Handler(_) => {
                Err(UrlError::Refused("what it names as its archive is no file that could be fetched".into()))
            }
        }
    },
    up: |url| match url.path() {
        "" | "/" if url.query().is_none() => super::up(&Archive::of(url).ok()?.file),
        _ => http::up(url),
    },
    root: |url| super::with_path(url, "/"),
};
