//! What is gone from the web: an archive is offered, and asked for nothing before the reader goes there.

use super::journey::{Journey, head, url};
use wayfarer::config::{Settings, set_option};
use wayfarer::format::media;
use wayfarer::proto::{FetchError, FetchEvent, Head, Kind};

fn failed(typed: &str, kind: Kind) -> Journey {
    Journey::new().open(typed).expect_fetch(typed).event(FetchEvent::Failed(FetchError::new(kind, "It is gone.")))
}

#[test]
fn the_page_of_a_failure_leads_to_the_archive() {
    for kind in [Kind::NoSuchHost, Kind::NotFound] {
        let j =
            failed("http://www.example.org/a?b=c#d", kind).shows("as the archive at web.archive.org kept it").quiet();
        let entry = j.app.entry().unwrap().document().unwrap();
        let links: Vec<_> = (0..entry.link_count()).filter_map(|n| entry.reference(wayfarer::doc::LinkId(n))).collect();
        assert!(links.contains(&"https://web.archive.org/web/http://www.example.org/a?b=c"), "{links:?}");
    }
    // A server that is there is asked again instead; an archive has nothing of this house, and learns no names of users.
    for (typed, kind) in [
        ("http://www.example.org/", Kind::Refused),
        ("http://localhost/", Kind::NotFound),
        ("http://10.0.0.1/", Kind::NotFound),
        ("http://printer/", Kind::NoSuchHost),
        ("http://joe:pw@www.example.org/", Kind::NotFound),
        ("http://web.archive.org/web/x", Kind::NotFound),
        ("gopher://www.example.org/", Kind::NoSuchHost),
    ] {
        failed(typed, kind).look(|j| assert!(!j.page().contains("archive at"), "{typed}"));
    }
}

#[test]
fn a_page_that_says_it_is_gone_names_the_command_for_it() {
    let gone = |status: &str| {
        let answered = Head { status: Some(status.into()), ..head("http://www.example.org/a", media::HTML) };
        Journey::new().open("http://www.example.org/a").event(FetchEvent::Head(Box::new(answered))).body(b"<p>no").end()
    };
    let j = gone("404 Not Found").notes("404 Not Found; :archive opens it as web.archive.org kept it");
    j.run("archive").expect_fetch("https://web.archive.org/web/http://www.example.org/a");
    gone("410 Gone").notes("410 Gone; :archive");
    gone("500 Oops").run("archive").expect_fetch("https://web.archive.org/web/http://www.example.org/a");
    Journey::at(&["0|A|/a"]).run("archive").notes("an archive keeps pages of the web").quiet();
}

#[test]
fn the_archive_is_a_setting() {
    let set = |value: &str| {
        let (mut settings, mut errors) = (Settings::default(), Vec::new());
        set_option(&mut settings, &format!("archive={value}"), &mut errors);
        (settings, errors.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let kept = |value: &str| {
        let (settings, errors) = set(value);
        assert!(errors.is_empty(), "{errors:?}");
        settings.in_archive(&url("http://www.example.org/a?b")).map(|url| url.to_string())
    };
    assert_eq!(kept(""), None);
    assert_eq!(kept("https://a.example/{url}").as_deref(), Some("https://a.example/http://www.example.org/a?b"));
    let data = Some("https://a.example/?u=http%3A%2F%2Fwww.example.org%2Fa%3Fb");
    assert_eq!(kept("https://a.example/?u={url}").as_deref(), data);
    for wrong in
        ["{url}", "https://{url}/", "https://a.example/", "gopher://a.example/0/{url}", "https://a.example/{url}/{url}"]
    {
        let (settings, errors) = set(wrong);
        assert_eq!(settings.archive, Settings::default().archive, "{wrong}");
        assert!(errors[0].contains("with {url} once in its path or query"), "{wrong}: {errors:?}");
    }
    let mut j = Journey::new();
    j.app.desk.settings.archive.clear();
    j.open("http://www.example.org/")
        .answer(media::PLAIN, b"x")
        .run("archive")
        .notes("no archive is named in the settings");
}
