//! Sites, and what cookies may say of them (RFC 6265bis): which places belong together, which cookies go from one site to
//! another, and the promises that a cookie's name makes. Refuses nothing itself; the jar asks.

use crate::url::Url;
use cookie_store::{Cookie, RawCookie};

/// Whether a page and a place are of one site: the same scheme, and the same domain below a registry (5.2).
pub(super) fn is_same(page: &Url, place: &url::Url) -> bool {
    let host = page.host().unwrap_or_default().to_ascii_lowercase();
    let other = place.host_str().unwrap_or_default();
    page.scheme().eq_ignore_ascii_case(place.scheme()) && domain(&host) == domain(other)
}

/// Whether a cookie goes along when another site leads to its place. One that says nothing is lax (5.6.7).
pub(super) fn travels(cookie: &RawCookie<'_>, changes: bool) -> bool {
    match cookie.same_site() {
        Some(said) if said.is_none() => true,
        Some(said) if said.is_strict() => false,
        _ => !changes,
    }
}

/// Whether a cookie is what it says of itself: one for all sites is secure, as is what a secure place alone may set; so are
/// those whose names promise it (4.1.3).
pub(super) fn keeps_its_word(cookie: &RawCookie<'_>, place: &url::Url) -> bool {
    let secure = cookie.secure() == Some(true);
    let begins = |start: &str| cookie.name().get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start));
    let for_all = cookie.same_site().is_some_and(|said| said.is_none());
    let of_host = cookie.domain().is_none() && cookie.path() == Some("/");
    (!secure || is_secure(place))
        && (secure || !for_all && !begins("__Secure-") && !begins("__Host-"))
        && (of_host || !begins("__Host-"))
}

/// Whether a cookie would stand in for a secure one, as whoever changes what comes in clear text may want (RFC 6265bis, 5.7,
/// 16): of the same name, for hosts of which one lies in the other, in its path or below it.
pub(super) fn stands_in(new: &Cookie<'_>, place: &url::Url, old: &Cookie<'_>) -> bool {
    if new.secure() == Some(true) || is_secure(place) || old.secure() != Some(true) || new.name() != old.name() {
        return false;
    }
    let (Some(a), Some(b)) = (new.domain.as_cow(), old.domain.as_cow()) else { return false };
    let (a, b) = (a.trim_start_matches('.'), b.trim_start_matches('.'));
    let within =
        |inner: &str, outer: &str| inner.strip_suffix(outer).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let (path, above) = (&*new.path, &*old.path);
    let below =
        path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || above.ends_with('/'));
    (within(a, b) || within(b, a)) && below
}

/// Whether nobody on the way can read or change what a place says.
fn is_secure(place: &url::Url) -> bool {
    place.scheme() == "https" || is_this_machine(place.host_str().unwrap_or_default())
}

/// Whether a host's name alone says that it is this machine.
pub(super) fn is_this_machine(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Whether a host is an address and no name.
pub(super) fn is_numeric(host: &str) -> bool {
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    host.starts_with('[') || last.starts_with("0x") || last.bytes().all(|b| b.is_ascii_digit())
}

/// The domain that somebody has registered, as far as that can be told; an address is one by itself.
pub(super) fn domain(host: &str) -> &str {
    if is_numeric(host) {
        return host;
    }
    let above = std::iter::successors(Some(host), |name| name.split_once('.').map(|(_, above)| above));
    above.take_while(|name| !is_registry(name)).last().unwrap_or(host)
}

/// Whether a domain is one under which anybody may have a name: "com", "co.uk". Without the list of all such domains this is
/// the rule of the first browsers that had cookies.
pub(super) fn is_registry(domain: &str) -> bool {
    let labels: Vec<&str> = domain.trim_matches('.').split('.').collect();
    match labels.as_slice() {
        [_] => true,
        [second, top] => top.len() == 2 && second.len() <= 3,
        _ => false,
    }
}
