//! `message/external-body` (RFC 2046, 5.2.3; RFC 2017): a body that is elsewhere, as the URL of its access type.

use super::parameters::Parameters;
use crate::url::{Url, escape};

/// The URL where the body is. `None` for access types that no URL has, and for what is missing or wrong.
pub(super) fn url(content: &Parameters) -> Option<Url> {
    let text = match content.get("access-type")?.to_ascii_lowercase().as_str() {
        // RFC 2017, 3: white space in it is not part of it
        "url" => content.get("url")?.chars().filter(|c| !c.is_whitespace()).collect(),
        "anon-ftp" | "ftp" => ftp(content)?,
        "mail-server" => {
            let subject = content.get("subject").map(|s| format!("?subject={}", escape::encode(s.as_bytes(), b"")));
            let server = escape::encode(content.get("server")?.as_bytes(), b"!$'*+@");
            format!("mailto:{server}{}", subject.unwrap_or_default())
        }
        _ => return None,
    };
    Url::parse(text).ok()
}

/// The FTP URL whose commands are those of the access type: log in, go to the directory, get the name by the mode.
fn ftp(content: &Parameters) -> Option<String> {
    let segment = |text: &str| escape::encode(text.as_bytes(), escape::FTP_SEGMENT);
    let directory = content.get("directory").unwrap_or_default();
    // an absolute directory is one CWD with a slash in front of it (RFC 1738, 3.2.2)
    let (root, rest) = directory.strip_prefix('/').map_or(("", directory), |rest| ("%2F", rest));
    let mut folders: String = rest.split('/').filter(|f| !f.is_empty()).map(|f| format!("{}/", segment(f))).collect();
    if folders.is_empty() && !root.is_empty() {
        folders = "/".into();
    }
    let mode = match content.get("mode").unwrap_or_default().to_ascii_lowercase().as_str() {
        "image" | "i" => ";type=i",
        "ascii" | "a" => ";type=a",
        _ => "",
    };
    Some(format!("ftp://{}/{root}{folders}{}{mode}", content.get("site")?, segment(content.get("name")?)))
}
