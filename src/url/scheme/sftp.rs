//! `sftp:` (draft-ietf-secsh-scp-sftp-ssh-uri): a file or a directory of a server that is logged in to by `ssh`. A path is
//! octets; one that begins with `/~` is in the user's own directory there, and so is no path at all.
//!
//! Host and user become arguments of the reader's own `ssh`, whose settings may hand them to a shell: nothing goes there that
//! could be more than a name (TEL-05). Refuses: passwords, which `ssh` takes from nobody.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, server, show, wire};
use crate::url::{Url, UrlError, equal, escape};
use serde_json::json;

/// The fields of an SFTP URL, decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sftp {
    /// `None` leaves it to `ssh`.
    pub user: Option<String>,
    /// The path as the server is asked for it: absolute, or in the user's own directory. Never empty.
    pub path: Vec<u8>,
    /// Whether the URL says that it is a directory: by a slash at its end, or by no path.
    pub is_directory: bool,
}

impl Sftp {
    /// Reads the fields of an SFTP URL.
    ///
    /// # Errors
    /// A password; a user that is more than a name; CR, LF, NUL or an escaped slash in a segment (SEC-03).
    pub fn of(url: &Url) -> Result<Sftp, UrlError> {
        if url.password().is_some() {
            let why = "ssh takes no password from an address; leave it out, and ssh logs in by a key";
            return Err(UrlError::Refused(why.into()));
        }
        let joined = super::joined_path(url)?;
        let mut path = Vec::with_capacity(joined.len() + 1);
        for segment in joined.split('/') {
            let segment = wire::decode("path", segment)?;
            if segment.contains(&b'/') {
                return Err(UrlError::Refused("a name in the path holds an escaped /".into()));
            }
            path.push(b'/');
            path.extend_from_slice(&segment);
        }
        let is_directory = path.ends_with(b"/");
        let path = match path.strip_prefix(b"/~") {
            Some([] | b"/") => b".".to_vec(),
            Some([b'/', own @ ..]) => own.to_vec(),
            _ if url.path().is_empty() => b".".to_vec(),
            _ => path,
        };
        Ok(Sftp { user: url.user().map(user).transpose()?, path, is_directory })
    }
}

/// A user name as an argument. Shells, and the words of `ProxyCommand`, would make more of some characters.
fn user(written: &str) -> Result<String, UrlError> {
    let octets = wire::decode("user name", written)?;
    wire::check_argument("user name", &octets)?;
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'+' | b'@');
    match String::from_utf8(octets) {
        Ok(user) if !user.is_empty() && user.bytes().all(|b| plain(&b)) => Ok(user),
        _ => Err(UrlError::Refused("the user name holds more than letters, digits and . _ - + @".into())),
    }
}

/// A host as an argument, names beyond ASCII as Punycode, IPv6 without its brackets.
fn host(written: &str) -> Result<String, UrlError> {
    let address = written.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let host = address.map_or_else(|| equal::host(written), str::to_ascii_lowercase);
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b':');
    match host.bytes().all(plain) && !host.starts_with('-') {
        true => Ok(host),
        false => Err(UrlError::BadHost(written.into())),
    }
}

/// The URL of a path that the server has told, on the same server. A directory's ends with a slash.
///
/// # Errors
/// The path is not absolute.
pub fn at(url: &Url, path: &[u8], is_directory: bool) -> Result<Url, UrlError> {
    if !path.starts_with(b"/") {
        return Err(UrlError::Malformed("only an absolute path has an address".into()));
    }
    let slash = if is_directory && !path.ends_with(b"/") { "/" } else { "" };
    let authority = url.authority().unwrap_or_default();
    Url::parse(format!("{}://{authority}{}{slash}", url.scheme(), escape::encode(path, escape::PATH)))
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Sftp,
    paths: Paths::Segments,
    parts: |url| {
        let path = Sftp::of(url)?.path;
        Ok(vec![Part { kind: PartKind::Path, label: "path", text: show::octets(&path) }])
    },
    fields: |url| {
        let Sftp { user, path, .. } = Sftp::of(url)?;
        Ok(json!({ "user": user, "path": show::field(&path) }))
    },
    plan: |url| {
        let server = server::server(url)?;
        let Sftp { user, path, .. } = Sftp::of(url)?;
        let user = user.into_iter().flat_map(|user| ["-l".to_owned(), user]);
        let port = server::explicit_port(url).into_iter().flat_map(|port| ["-p".to_owned(), port.to_string()]);
        let mut arguments: Vec<String> = user.chain(port).collect();
        arguments.extend(["-s".into(), "--".into(), host(&server.host)?, "sftp".into()]);
        Ok(Plan { act: Act::Ssh { arguments, path }, confirm: server.confirm })
    },
    up: super::http::up,
    root: |url| super::with_path(url, "/"),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<(Vec<String>, Vec<u8>), String> {
        match super::super::plan(&Url::parse(text).unwrap()) {
            Ok(Plan { act: Act::Ssh { arguments, path }, .. }) => Ok((arguments, path)),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn what_ssh_is_told() {
        for (url, arguments, path) in [
            ("sftp://h/a/b", "-s -- h sftp", "/a/b"),
            ("sftp://h/a/", "-s -- h sftp", "/a/"),
            ("sftp://h/", "-s -- h sftp", "/"),
            ("sftp://h", "-s -- h sftp", "."),
            ("sftp://h/~", "-s -- h sftp", "."),
            ("sftp://h/~/", "-s -- h sftp", "."),
            ("sftp://h/~/a%20b", "-s -- h sftp", "a b"),
            ("sftp://h/~joe/a", "-s -- h sftp", "/~joe/a"),
            ("sftp://h/a?b", "-s -- h sftp", "/a?b"),
            ("sftp://joe@H:2222/x", "-l joe -p 2222 -s -- h sftp", "/x"),
            ("sftp://joe%40d.example@[::1]/x", "-l joe@d.example -s -- ::1 sftp", "/x"),
            ("sftp://b%C3%BCcher.example/x", "-s -- xn--bcher-kva.example sftp", "/x"),
        ] {
            let arguments = arguments.split(' ').map(str::to_owned).collect();
            assert_eq!(plan(url), Ok((arguments, path.as_bytes().to_vec())), "{url}");
        }
    }

    #[test]
    fn nothing_reaches_ssh_that_is_more_than_a_name() {
        for url in [
            "sftp://-oProxyCommand=x/a",
            "sftp://-lx@h/a",
            "sftp://a;b@h/a",
            "sftp://$(x)@h/a",
            "sftp://`x`@h/a",
            "sftp://a%20b@h/a",
            "sftp://a%0Ab@h/a",
            "sftp://a'b@h/a",
            "sftp://%25h@h/a",
            "sftp://@h/a",
            "sftp://u:p@h/a",
            "sftp://h;x/a",
            "sftp://h%20x/a",
            "sftp://h%24x/a",
            "sftp:///a",
            "sftp://h:25/a",
            "sftp://h/a%0Ab",
            "sftp://h/a%00b",
            "sftp://h/a%2Fb",
        ] {
            assert!(plan(url).is_err(), "{url}: {:?}", plan(url));
        }
    }

    #[test]
    fn the_address_of_a_path_leads_to_it() {
        let url = Url::parse("sftp://joe@h:2222/~/").unwrap();
        for (path, is_directory, text) in [
            (&b"/home/joe"[..], true, "sftp://joe@h:2222/home/joe/"),
            (b"/a b?c#d;e%", false, "sftp://joe@h:2222/a%20b%3Fc%23d;e%25"),
            (b"/\xFF", false, "sftp://joe@h:2222/%FF"),
            (b"/", true, "sftp://joe@h:2222/"),
        ] {
            let found = at(&url, path, is_directory).unwrap();
            assert_eq!(found.as_str(), text);
            assert!(Sftp::of(&found).unwrap().path.starts_with(path));
        }
        assert!(at(&url, b"a", false).is_err());
    }
}
