//! The nine components of a URL by their names: reading one, changing some, and which of them tell two URLs apart.

use super::escape::{self, make_part};
use super::{Parts, Url, UrlError, equal, split};

/// A component by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Component {
    /// Before the first colon.
    Scheme,
    /// User, password, host and port together.
    Authority,
    /// The user's name.
    User,
    /// The password.
    Password,
    /// The host, IPv6 in its brackets.
    Host,
    /// The port as written.
    Port,
    /// The path, slash included.
    Path,
    /// The query without its `?`.
    Query,
    /// The fragment without its `#`.
    Fragment,
}

use Component::{Authority, Fragment, Host, Password, Path, Port, Query, Scheme, User};

impl Component {
    /// All of them, in reading order.
    pub const ALL: [Component; 9] = [Scheme, Authority, User, Password, Host, Port, Path, Query, Fragment];

    /// Its name, as `wayfarer url` has it.
    pub fn name(self) -> &'static str {
        match self {
            Scheme => "scheme",
            Authority => "authority",
            User => "user",
            Password => "password",
            Host => "host",
            Port => "port",
            Path => "path",
            Query => "query",
            Fragment => "fragment",
        }
    }

    /// The component of that name.
    pub fn named(name: &str) -> Option<Component> {
        Component::ALL.into_iter().find(|component| component.name() == name)
    }

    /// What a URL has there, as written; `None` is undefined.
    pub fn of(self, url: &Url) -> Option<&str> {
        match self {
            Scheme => Some(url.scheme()),
            Authority => url.authority(),
            User => url.user(),
            Password => url.password(),
            Host => url.host(),
            Port => url.port_text(),
            Path => Some(url.path()),
            Query => url.query(),
            Fragment => url.fragment(),
        }
    }
}

/// The URL with some components replaced, in that order; `None` removes one. What may not stand in a component is escaped
/// there, escapes stay as they are.
///
/// # Errors
/// What comes of it is no URL, or would be read as other components than were asked for.
pub fn changed(url: &Url, changes: &[(Component, Option<&str>)]) -> Result<Url, UrlError> {
    let mut now: [Option<String>; 9] = Component::ALL.map(|component| component.of(url).map(Into::into));
    for &(component, value) in changes {
        now[component as usize] = value.map(|value| written(component, value));
        match (component, value) {
            (Authority, _) => {
                let other = Url::parse(
                    Parts { scheme: Some("x"), authority: now[1].as_deref(), ..Parts::default() }.to_string(),
                )?;
                for inner in [User, Password, Host, Port] {
                    now[inner as usize] = inner.of(&other).map(Into::into);
                }
            }
            (User, None) => now[Password as usize] = None,
            (Password, Some(_)) if now[User as usize].is_none() => now[User as usize] = Some(String::new()),
            (Host, None) => [User, Password, Port].into_iter().for_each(|inner| now[inner as usize] = None),
            _ => {}
        }
    }
    let part = |component: Component| now[component as usize].as_deref();
    let site = [User, Password, Host, Port].into_iter().any(|inner| part(inner).is_some());
    let mut authority = String::new();
    if let Some(user) = part(User) {
        authority += user;
        authority += &part(Password).map(|password| format!(":{password}")).unwrap_or_default();
        authority.push('@');
    }
    authority += part(Host).unwrap_or_default();
    authority += &part(Port).map(|port| format!(":{port}")).unwrap_or_default();
    let path = part(Path).unwrap_or_default();
    let slash = if site && !path.is_empty() && !path.starts_with('/') { "/" } else { "" };
    let path = format!("{slash}{path}");
    let parts = Parts {
        scheme: part(Scheme),
        authority: site.then_some(authority.as_str()),
        path: &path,
        query: part(Query),
        fragment: part(Fragment),
    };
    let text = parts.to_string();
    let url = Url::parse(text.as_str())?;
    if split(&text) != parts || [User, Password, Host, Port].into_iter().any(|inner| inner.of(&url) != part(inner)) {
        return Err(UrlError::Malformed(format!("{} would be read as other parts than these", url.redacted())));
    }
    Ok(url)
}

/// A value as it stands in a component.
fn written(component: Component, value: &str) -> String {
    match component {
        Scheme | Port => value.into(),
        Authority => make_part(value, b"!$&'()*+,;=:@[]", true),
        User => make_part(value, b"!$&'()*+,;=", false),
        Password => make_part(value, b"!$&'()*+,;=:", false),
        Host => match bare_address(value) {
            Some(literal) => literal,
            None => make_part(value, b"!$&'()*+,;=:[]", true),
        },
        Path => make_part(value, escape::PATH, false),
        Query | Fragment => make_part(value, escape::QUERY, false),
    }
}

/// An IPv6 address in the brackets without which it is no host (RFC 3986, 3.2.2), and a zone with its sign escaped (RFC 6874, 2):
/// no name has a colon in it, so nothing else can be meant.
fn bare_address(value: &str) -> Option<String> {
    let (address, zone) = value.split_once('%').map_or((value, None), |(address, zone)| (address, Some(zone)));
    address.parse::<std::net::Ipv6Addr>().ok()?;
    let zone = zone.map(|zone| format!("%25{}", make_part(zone.strip_prefix("25").unwrap_or(zone), b"", false)));
    Some(format!("[{address}{}]", zone.unwrap_or_default()))
}

/// The components by which the normal forms of two URLs differ; none for equivalent ones.
pub fn differences(a: &Url, b: &Url) -> Vec<Component> {
    let normal = |url: &Url| Url::parse(equal::normal(url).into_owned()).unwrap_or_else(|_| url.clone());
    let (a, b) = (normal(a), normal(b));
    let told = Component::ALL.into_iter().filter(|component| *component != Authority);
    let found: Vec<_> = told.filter(|component| component.of(&a) != component.of(&b)).collect();
    // one has an empty site and the other has none
    if found.is_empty() && a != b { vec![Authority] } else { found }
}
