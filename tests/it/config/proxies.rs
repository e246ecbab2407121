//! Proxies for schemes other than the web's own: settings, environment, exceptions.

use super::said;
use wayfarer::config::{Proxies, read};
use wayfarer::url::Url;

fn through(proxies: &Proxies, url: &str) -> Option<String> {
    proxies.of(&Url::parse(url).unwrap()).map(|proxy| proxy.as_str().to_owned())
}

#[test]
fn the_environment_says_what_the_settings_leave_open() {
    let text = "[http.proxies]\ngopher = \"http://mine:3128\"\nwais = \"none\"\n";
    let (mut settings, errors) = read("s.toml", text);
    assert_eq!(said(&errors), "");
    let proxies = &mut settings.http.proxies;
    let mistakes = proxies.surround(|name| match name {
        "gopher_proxy" | "wais_proxy" | "FTP_PROXY" => Some("theirs:8080".into()),
        "news_proxy" => Some("socks5://theirs".into()),
        "https_proxy" | "gophers_proxy" => Some("http://other".into()),
        _ => None,
    });
    assert_eq!(mistakes, ["news_proxy: \"none\" or the http: URL of a proxy is wanted"]);
    assert_eq!(through(proxies, "gopher://h/"), Some("http://mine:3128".into()));
    assert_eq!(through(proxies, "FTP://h/"), Some("http://theirs:8080".into()));
    for direct in ["wais://h/d", "news:a.b", "gophers://h/", "ftps://h/", "http://h/", "file:///", "about:home"] {
        assert_eq!(through(proxies, direct), None, "{direct}");
    }
}

#[test]
fn the_proxies_of_the_web_are_those_that_the_environment_names() {
    let of = |pairs: &[(&str, &str)]| {
        let mut proxies = Proxies::default();
        let said = |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string());
        let mistakes = proxies.surround(said);
        let web = ["http", "https"].map(|scheme| proxies.of_web(scheme).map(str::to_owned));
        (web, mistakes.concat())
    };
    let some = |url: &str| Some(url.to_owned());
    let none = || String::new();
    assert_eq!(of(&[]), ([None, None], none()));
    assert_eq!(
        of(&[("http_proxy", "h:3128"), ("HTTPS_PROXY", " http://s ")]),
        ([some("http://h:3128"), some("http://s")], none())
    );
    let all = [("ALL_PROXY", "socks5h://a"), ("https_proxy", "http://me:pw@s:1")];
    assert_eq!(of(&all), ([some("socks5h://a"), some("http://me:pw@s:1")], none()));
    let (web, mistakes) = of(&[("http_proxy", "a b"), ("all_proxy", "ftp://h")]);
    assert_eq!(web, [None, None]);
    assert!(mistakes.contains("http_proxy: the URL") && mistakes.contains("all_proxy: the URL"), "{mistakes}");
    // What a web server hands on as HTTP_PROXY, a visitor may have said.
    assert_eq!(of(&[("HTTP_PROXY", "h"), ("REQUEST_METHOD", "GET")]), ([None, None], none()));
}

#[test]
fn what_the_environment_says_unreadably_is_not_asked_for_directly() {
    let asked = |variables: &[(&str, &str)], url: &str| {
        let mut proxies = Proxies::default();
        let said =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        proxies.surround(said);
        proxies.plan(&Url::parse(url).unwrap()).is_ok()
    };
    for (variables, url, goes) in [
        (&[("http_proxy", "a b")] as &[_], "http://h/", false),
        (&[("http_proxy", "a b")], "https://h/", true),
        (&[("all_proxy", "ftp://h")], "https://h/", false),
        (&[("all_proxy", "ftp://h"), ("https_proxy", "http://p")], "https://h/", true),
        (&[("http_proxy", "a b"), ("no_proxy", "h")], "http://h/", true),
        (&[("gopher_proxy", "socks5://p")], "gopher://h/", false),
        (&[("gopher_proxy", "socks5://p")], "ftp://h/", true),
        (&[("HTTP_PROXY", "a b"), ("REQUEST_METHOD", "GET")], "http://h/", true),
    ] {
        assert_eq!(asked(variables, url), goes, "{variables:?} {url}");
    }
}

#[test]
fn hosts_of_no_proxy_are_asked_directly() {
    let rows = [
        ("h.example", "ftp://h.example/", true),
        ("example", "ftp://H.Example/", true),
        (".example", "ftp://h.example/", true),
        ("*.example", "ftp://h.example/", true),
        ("ample", "ftp://h.example/", false),
        ("a,b ,h.example", "ftp://h.example/", true),
        ("h.example:21", "ftp://h.example/", true),
        ("h.example:2121", "ftp://h.example/", false),
        ("10.0.0.0/8", "ftp://10.1.2.3/", true),
        ("10.0.0.0/8", "ftp://11.1.2.3/", false),
        ("10.1.2.3", "ftp://10.1.2.3/", true),
        ("::1", "ftp://[::1]/", true),
        ("[::1]:2121", "ftp://[0::1]:2121/", true),
        ("fe80::/10", "ftp://[fe81::1]/", true),
        ("*", "ftp://h/", true),
        (",", "ftp://h/", false),
        ("", "ftp://h/", false),
    ];
    for (list, url, direct) in rows {
        let mut proxies = Proxies::default();
        proxies.surround(|name| match name {
            "no_proxy" => Some(list.into()),
            "ftp_proxy" => Some("http://proxy".into()),
            _ => None,
        });
        assert_eq!(through(&proxies, url).is_none(), direct, "{list} {url}");
    }
}

#[test]
fn only_what_can_go_through_a_proxy_has_one() {
    let text =
        "[http.proxies]\nhttp = \"http://p\"\ngophers = \"http://p\"\nftp = \"socks5://p\"\nnntp = \"http://\"\n";
    let (settings, errors) = read("s.toml", text);
    assert_eq!(errors.len(), 4, "{}", said(&errors));
    let plan = |url: &str| settings.http.proxies.plan(&wayfarer::url::Url::parse(url).unwrap());
    assert!(["http://h/", "gophers://h/"].iter().all(|url| through(&settings.http.proxies, url).is_none()));
    assert!(["ftp://h/", "nntp://h/"].iter().all(|url| plan(url).is_err()), "what it was for is not asked without it");
}
