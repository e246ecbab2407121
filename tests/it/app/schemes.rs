//! Every scheme that the specifications name, followed from a page: it is fetched, asked about, begun in a program or an editor, or
//! told of in words of its own; and the table of all of them.

use super::journey::{Journey, url};
use wayfarer::app::{Effect, Overlay};
use wayfarer::format::media;
use wayfarer::url::scheme;

/// The browser with settings of the reader's own.
fn with(mut j: Journey, options: &[&str]) -> Journey {
    let mut errors = Vec::new();
    for option in options {
        wayfarer::config::set_option(&mut j.app.desk.settings, option, &mut errors);
    }
    assert!(errors.is_empty(), "{errors:?}");
    j
}

/// What following a link comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comes {
    Fetched,
    /// A question: it is of this machine.
    Asked,
    /// A page with a program that a link of it starts.
    Service,
    /// A prompt for words.
    Words,
    /// A draft is written.
    Written,
    /// It is looked for in messages that are open.
    Looked,
    /// A page says these words, and has a row for the settings.
    Told(&'static str),
    /// A page says these words, and no row would help.
    Refused(&'static str),
}

const LINKS: &[(&str, Comes)] = &[
    ("http://h/", Comes::Fetched),
    ("https://h/", Comes::Fetched),
    ("gopher://h/", Comes::Fetched),
    ("gophers://h/", Comes::Fetched),
    ("ftp://h/", Comes::Fetched),
    ("ftps://h/", Comes::Fetched),
    ("news:a.b", Comes::Fetched),
    ("snews:a.b", Comes::Fetched),
    ("nntp://h/a.b/1", Comes::Fetched),
    ("finger://h/joe", Comes::Fetched),
    ("whois://h/example.org", Comes::Fetched),
    ("whois://h/", Comes::Words),
    ("whois++://h/name=ada", Comes::Fetched),
    ("dict://h/", Comes::Fetched),
    ("dict://h/d:tea", Comes::Fetched),
    ("dict://h/d::wn", Comes::Words),
    ("cso://h/", Comes::Words),
    ("ph://h/ada", Comes::Fetched),
    ("url:gopher://h/", Comes::Fetched),
    ("gemini://h/", Comes::Fetched),
    ("spartan://h/", Comes::Fetched),
    ("nex://h/", Comes::Fetched),
    ("guppy://h/", Comes::Fetched),
    ("archive://http%3A%2F%2Fh%2Fx.zip/a", Comes::Fetched),
    ("data:,x", Comes::Fetched),
    ("mbox:/m/box", Comes::Asked),
    ("about:help", Comes::Fetched),
    ("telnet://guest@h/", Comes::Service),
    ("rlogin://guest@h/", Comes::Service),
    ("tn3270://h/", Comes::Service),
    ("mailto:a@b.example", Comes::Written),
    ("wais://h/db?tea", Comes::Told("full-text database")),
    ("wais://h/db/TEXT/1=2;", Comes::Told("full-text database")),
    ("prospero://h/x;version=1", Comes::Told("Prospero directory service")),
    ("afs://cell/p", Comes::Told("Andrew File System")),
    ("nfs://h/p", Comes::Told("NFS server")),
    ("z39.50r://h/db", Comes::Told("library catalogue")),
    ("z39.50s://h/db", Comes::Told("library catalogue")),
    ("z39.50://h/db", Comes::Told("library catalogue")),
    ("mailserver:x", Comes::Refused("never defined")),
    ("urn:isbn:0306406152", Comes::Told("lasting name")),
    ("x500:c=GB", Comes::Told("X.500")),
    ("tel:+441234", Comes::Told("telephone number")),
    ("sms:+441234", Comes::Told("short message")),
    ("irc://h/chat", Comes::Told("Internet Relay Chat")),
    ("xmpp:a@b", Comes::Told("instant messaging")),
    ("magnet:?xt=urn:x", Comes::Told("what is in it")),
    ("doi:10.1000/182", Comes::Told("publication")),
    ("isbn:0306406152", Comes::Told("number of a book")),
    ("ssh://h/", Comes::Told("encrypted")),
    ("git://h/x.git", Comes::Told("repository of git")),
    ("ldap://h/c=GB", Comes::Told("by LDAP")),
    ("x-thing:y", Comes::Told("experimental scheme")),
    ("nonesuch://h/", Comes::Told("not known here")),
    ("javascript:alert(1)", Comes::Refused("scripts are never run")),
    ("vbscript:x", Comes::Refused("scripts are never run")),
    ("mid:x@y", Comes::Looked),
    ("cid:x@y", Comes::Refused("message")),
];

#[test]
fn a_link_of_every_scheme_leads_somewhere() {
    for (target, comes) in LINKS {
        let mut j = Journey::new();
        j.app.desk.settings.handlers.insert("mailto".into(), Vec::new());
        let page = format!("<a href=\"{target}\">go</a>");
        let mut j = j.open("http://page.example/").answer(media::HTML, page.as_bytes());
        j.effects.clear();
        let j = j.keys("Enter");
        let fetched = j.effects.iter().any(|effect| matches!(effect, Effect::Fetch { .. }));
        let asked = matches!(j.app.hands.overlays().last(), Some(Overlay::Question { .. }));
        match comes {
            Comes::Fetched => assert!(fetched, "{target}: {:?}", j.effects),
            Comes::Asked => assert!(asked && !fetched, "{target}"),
            Comes::Service => {
                assert!(!fetched && !asked && j.page().contains("Start it in this terminal"), "{target}");
            }
            Comes::Words => assert!(j.app.hands.prompt().is_some() && !fetched, "{target}"),
            Comes::Looked => assert!(fetched || j.app.hands.note.is_some() || !j.effects.is_empty(), "{target}"),
            Comes::Written => {
                assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Write { .. })), "{target}");
            }
            Comes::Told(words) | Comes::Refused(words) => {
                let page = j.page();
                assert!(!fetched && !asked && page.contains(words), "{target}: {page}");
                let row = page.contains("[gateways]\n") || page.contains("[handlers]\n");
                assert_eq!(row, matches!(comes, Comes::Told(_)), "{target}: {page}");
            }
        }
    }
}

#[test]
fn what_nobody_here_speaks_may_be_had_elsewhere() {
    for (target, other) in [
        ("doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("isbn:0306406152", "https://openlibrary.org/isbn/0306406152"),
        ("urn:isbn:0306406152", "https://openlibrary.org/isbn/0306406152"),
        ("urn:ietf:rfc:1738", "https://www.rfc-editor.org/rfc/rfc1738.txt"),
        ("afs://cell.example/a/b", "file:///afs/cell.example/a/b"),
        ("prospero://h.example/x", "ftp://h.example/"),
    ] {
        assert_eq!(scheme::instead(&url(target)).unwrap().0.as_str(), other, "{target}");
    }
    assert_eq!(scheme::instead(&url("urn:uuid:1")), None);
    assert_eq!(scheme::instead(&url("urn:ietf:rfc:1%0A2")), None);
    let j = Journey::new().open("doi:10.1000/182").shows("https://doi.org/10.1000/182").quiet();
    j.keys("Enter").expect_fetch("https://doi.org/10.1000/182");
}

#[test]
fn every_scheme_is_spoken_here_or_has_an_account() {
    for name in scheme::all() {
        let spoken = wayfarer::proto::find(name).is_some();
        let leads_on = matches!(name, "mailto" | "url" | "cso" | "ph" | "mbox");
        assert_eq!(spoken || leads_on, scheme::account_of(name).is_none(), "{name}");
    }
}

#[test]
fn the_table_of_schemes_says_what_opens_each() {
    let j = Journey::sized(80, 400).open("about:schemes").shows("Built in").shows("What a host tells of its users");
    let page = j.page();
    for name in scheme::all() {
        assert!(page.contains(&format!("{name} ")), "{name}: {page}");
    }
    let j = j.open("about:schemes?name=wais").shows("opened").shows("[gateways]").shows("{database}").quiet();
    let j = with(j, &["gateways.wais=http://gw.example/{host}/{database}"]);
    let j = j.open("about:schemes?name=wais").shows("By a gateway").shows("http://gw.example/{host}/{database}");
    j.open("about:schemes?name=telnet").shows("By a program").shows("telnet {host} {port}").quiet();
}

#[test]
fn a_gateway_takes_the_parts_of_a_url() {
    let filled = |template: &str, text: &str| {
        let mut j = with(Journey::new(), &[template]);
        j.effects.clear();
        let j = j.open(text);
        match &j.effects[..] {
            [.., Effect::Fetch { request, .. }] => request.url.to_string(),
            other => panic!("{template}: {other:?}"),
        }
    };
    for (template, text, wanted) in [
        (
            "gateways.wais=http://gw/{host}:{port}/{database}?{query}",
            "wais://h/db?a&b=c",
            "http://gw/h:210/db?a%26b%3Dc",
        ),
        ("gateways.wais=http://gw/{path}", "wais://h/db/T/1=2;", "http://gw/db/T/1%3D2%3B"),
        ("gateways.doi=https://gw/{path}", "doi:10.1/a%20b#f", "https://gw/10.1/a%20b#f"),
        ("gateways.urn=http://gw/{raw}", "urn:x:a?=b", "http://gw/urn:x:a%3F%3Db"),
        (
            "gateways.nfs=http://gw/{raw}?x=%s",
            "nfs://me:pw@h/%2f",
            "http://gw/nfs://me@h/%2f?x=nfs%3A%2F%2Fme%40h%2F%252f",
        ),
        ("gateways.nfs=http://gw/{user}/{host}", "nfs://{host}@h/", "http://gw/%7Bhost%7D/h"),
    ] {
        let wanted = wanted.split('#').next().unwrap();
        assert_eq!(filled(template, text).split('#').next().unwrap(), wanted, "{template} {text}");
    }
    for wrong in ["http://{host}/", "{raw}", "http://gw:{port}/{raw}", "http://gw/{hots}", "http://gw/", "http://%s.x/"]
    {
        let mut errors = Vec::new();
        let mut j = Journey::new();
        wayfarer::config::set_option(&mut j.app.desk.settings, &format!("gateways.wais={wrong}"), &mut errors);
        assert_eq!(errors.len(), 1, "{wrong}");
    }
}

#[test]
fn finger_is_asked_for_more_and_for_less_by_one_key() {
    let j = Journey::new().open("finger://h/joe").answer(media::PLAIN, b"Login: joe\nPlan: http://h/\n").quiet();
    let j = j.run("attributes").expect_fetch("finger://h/W%20joe").answer(media::PLAIN, b"Login: joe\n");
    let j = j.run("attributes").expect_fetch("finger://h/joe");
    // A link of the plan has come to the focus by itself.
    let j = j.answer(media::PLAIN, b"Plan: gopher://h/0/joe\n").focus(0);
    j.run("attributes").expect_fetch("finger://h/W%20joe").quiet();
}

#[test]
fn a_page_that_has_finger_pass_a_question_on_needs_a_yes() {
    let j = Journey::new().open("http://h/").answer(media::HTML, b"<a href='finger://h/joe@other'>go</a>").quiet();
    let j = j.keys("Enter").asks("pass the question on to other").quiet();
    j.text("y").expect_fetch("finger://h/joe@other");
}

#[test]
fn a_word_that_is_missing_becomes_part_of_the_address() {
    let j = Journey::new().open("dict://h/d::wn").prompts("search for (at h)", "").text("black tea").keys("Enter");
    j.expect_fetch("dict://h/d:black%20tea:wn")
        .open("whois://h/")
        .text("example.org")
        .keys("Enter")
        .expect_fetch("whois://h/example.org");
}
