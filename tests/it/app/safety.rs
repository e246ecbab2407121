//! The policy before anything is sent: refusals, questions, programs.

use super::journey::{Journey, head, menu, url};
use wayfarer::app::{Effect, Kept, Meaning, Overlay, Pending};
use wayfarer::doc::LinkId;
use wayfarer::format::media;
use wayfarer::proto::{Certificate, FetchError, FetchEvent, Kind, PinnedCertificate, RefusedCertificate, Verdict};

#[test]
fn a_refused_url_becomes_a_page_and_nothing_is_sent() {
    Journey::at(&["0|A|/a"])
        .open("gopher://h:25/0HELO")
        .quiet()
        .at_url("gopher://h:25/0HELO")
        .shows("Refused: port 25 belongs to another protocol; gopher: URLs may not be used to talk to it.")
        .look(|j| assert!(!j.page().contains("try again"), "trying again cannot help"))
        .keys("h")
        .at_url("gopher://h/");
}

#[test]
fn line_breaks_never_reach_the_wire() {
    Journey::new().open("gopher://h/0a%0D%0AQUIT").quiet().shows("a");
}

#[test]
fn an_odd_port_asks_when_followed_and_not_when_typed() {
    let rows = b"1Odd\t/odd\th\t123\r\n1Odder\t/odd\th\t300\r\n.\r\n";
    Journey::new()
        .open("gopher://h:300/")
        .expect_fetch("gopher://h:300/")
        .open("gopher://h/")
        .answer(media::MENU, rows)
        .expect_cancel(0)
        .keys("Enter")
        .shows("Refused: ")
        .keys("h Down Enter")
        .quiet()
        .asks("300")
        .text("x")
        .asks("300")
        .keys("Enter")
        .asks("300")
        .text("n")
        .free()
        .quiet()
        .keys("Enter")
        .asks("gopher://h:300/1/odd")
        .text("y")
        .free()
        .expect_fetch("gopher://h:300/1/odd");
}

#[test]
fn esc_on_a_question_changes_nothing() {
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, b"1Odd\t/odd\th\t300\r\n.\r\n")
        .keys("Enter")
        .asks("300")
        .keys("Esc")
        .free()
        .quiet()
        .at_url("gopher://h/");
}

#[test]
fn a_page_from_the_network_reaches_a_file_only_by_consent() {
    let rows = menu("h", &["h|Passwords|URL:file:///etc/passwd", "h|Web|URL:gopher://other/"]);
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, &rows)
        .keys("Enter")
        .quiet()
        .asks("file:///etc/passwd")
        .text("n")
        .free()
        .quiet()
        .keys("Enter")
        .text("y")
        .expect_fetch("file:///etc/passwd")
        .answer(media::PLAIN, b"root")
        .at_url("file:///etc/passwd");
}

#[test]
fn a_typed_file_and_files_among_files_need_no_question() {
    Journey::at(&["0|A|/a"])
        .open("file:///a/")
        .expect_fetch("file:///a/")
        .answer(media::GEMTEXT, b"=> b.txt b\n")
        .keys("Enter")
        .free()
        .expect_fetch("file:///a/b.txt");
}

#[test]
fn a_typed_url_item_does_not_type_its_target() {
    Journey::at(&["0|A|/a"]).open("gopher://h/hURL:file:///etc/passwd").quiet().asks("file:///etc/passwd");
}

#[test]
fn a_url_item_opens_its_target() {
    let rows = menu("h", &["h|There|URL:gopher://other/"]);
    Journey::new().open("gopher://h/").answer(media::MENU, &rows).keys("Enter").expect_fetch("gopher://other/").quiet();
}

#[test]
fn telnet_shows_its_arguments_and_runs_after_a_yes() {
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, b"8Board\tguest\tbbs.example\t23\r\n.\r\n")
        .keys("Enter")
        .quiet()
        .shows("telnet bbs.example 23")
        .keys("Enter")
        .quiet()
        .asks("telnet bbs.example 23")
        .text("n")
        .quiet()
        .keys("Enter")
        .text("y")
        .expect_run(&["telnet", "bbs.example", "23"])
        .ran(Err("telnet ended with status 1".into()))
        .expect(Effect::Redraw)
        .notes("status 1");
}

#[test]
fn a_host_that_looks_like_an_option_is_never_an_argument() {
    let mut j = Journey::new();
    j.app.desk.settings.handlers.insert("telnet".into(), vec!["telnet".into(), "{host}".into(), "{port}".into()]);
    let j = j.open("telnet://-oProxyCommand=x/").quiet();
    assert!(!matches!(j.app.hands.overlays().last(), Some(Overlay::Question { pending: Pending::Run(_), .. })));
}

#[test]
fn a_scheme_without_a_program_is_explained() {
    let mut j = Journey::new();
    j.app.desk.settings.handlers.clear();
    j.open("telnet://bbs.example/").quiet().shows("A terminal session on another host").shows("[handlers]");
}

#[test]
fn passwords_are_never_shown_copied_or_remembered() {
    let secret = "ftp://me:hunter2@h/a.txt";
    let j = Journey::new()
        .keys("g")
        .text(secret)
        .look(|j| assert!(!j.app.hands.prompt().unwrap().remark.contains("hunter2")))
        .keys("Enter");
    assert!(!j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Words { .. }))));
    let j = j.answer(media::PLAIN, b"x").keys("y");
    let j = j.expect(Effect::Copy("ftp://me@h/a.txt".into())).keys("G");
    let j = j.prompts("open", "ftp://me@h/a.txt");
    assert!(!j.keys("Esc =").over().contains("hunter2"));
}

#[test]
fn passwords_of_links_and_places_are_in_no_list() {
    let details = |j: &Journey| match j.app.hands.overlays().last() {
        Some(Overlay::List { items, .. }) => items.iter().map(|item| item.detail + &item.text).collect(),
        other => panic!("{other:?}"),
    };
    let j = Journey::new().open("ftp://me:hunter2@h/a").answer(media::GEMTEXT, b"=> ftp://me:hunter2@h/b b\n");
    let all: [String; 3] = [
        details(&j.run("places")),
        details(
            &Journey::new().open("gopher://h/0a").answer(media::GEMTEXT, b"=> ftp://me:hunter2@h/ b\n").run("links"),
        ),
        Journey::new().open("gopher://h/0a").answer(media::GEMTEXT, b"=> ftp://me:hunter2@h/ b\n").keys("=").over(),
    ];
    for shown in all {
        assert!(shown.contains("ftp") && !shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn what_a_server_says_in_a_message_is_made_harmless() {
    let j = Journey::at(&["0|A|/a"]).keys("R").fail(FetchError::new(Kind::Said, "No \u{1b}[2J\u{202e}."));
    assert_eq!(j.app.hands.note.as_ref().unwrap().text, "No ‹RLO›.");
}

#[test]
fn outside_asks_for_a_program_and_then_for_consent() {
    Journey::at(&["0|A|/a"])
        .keys("X")
        .prompts("open with", "")
        .text("viewer --new")
        .look(|j| {
            let remark = j.app.hands.prompt().unwrap().remark.clone();
            assert_eq!(remark, "runs: viewer --new gopher://h/0/a");
        })
        .keys("Enter")
        .asks("viewer --new gopher://h/0/a")
        .text("y")
        .expect_run(&["viewer", "--new", "gopher://h/0/a"])
        .run("outside page")
        .text("v")
        .keys("Enter")
        .asks("v gopher://h/")
        .keys("Esc")
        .free()
        .quiet();
}

#[test]
fn a_program_from_the_settings_keeps_its_arguments_whole() {
    let mut j = Journey::at(&["8|Board|x"]);
    j.app.desk.settings.handlers.insert("telnet".into(), vec!["my telnet".into(), "{host}".into()]);
    j.keys("X")
        .prompts("open with", "my telnet {host}")
        .keys("Enter")
        .asks("my telnet h")
        .text("y")
        .expect_run(&["my telnet", "h"]);
}

#[test]
fn what_another_program_opens_cannot_be_saved() {
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, b"8Board\tguest\tbbs.example\t23\r\n.\r\n")
        .keys("d")
        .free()
        .quiet()
        .notes("cannot be saved");
}

#[test]
fn a_question_waits_until_the_hands_are_free() {
    Journey::at(&["0|A|/a", "9|B|/b"])
        .keys("Down Enter")
        .keys("g")
        .head("application/octet-stream")
        .prompts("open", "")
        .text("so")
        .prompts("open", "so")
        .keys("Esc")
        .asks("application/octet-stream");
}

#[test]
fn a_followed_link_is_judged_where_it_leads() {
    let j = Journey::at(&["0|A|/a"]).open("gopher://h/hURL:gopher://h:25/0x").quiet();
    assert_eq!(j.app.entry().unwrap().url, url("gopher://h:25/0x"));
}

#[test]
fn a_password_is_kept_from_no_prompt() {
    let kept = |keys: &str, text: &str| {
        let j = Journey::new().keys(keys).text(text).keys("Enter");
        j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Words { .. })))
    };
    for secret in ["ftp://me:hunter2@h/", "<ftp://me:hunter2@h/>", "me:hunter2@h.example", "ftp:/me:hunter2@h/"] {
        assert!(!kept("g", secret), "{secret}");
        assert!(!kept(":", &format!("open {secret}")), "{secret}");
    }
    assert!(kept("g", "gopher://h/") && kept(":", "open gopher://h/") && kept(":", "set wrap off"));
}

#[test]
fn a_page_has_ssh_log_in_somewhere_only_by_consent() {
    let link = b"<a href='sftp://joe@s/home/'>x</a>";
    let j = Journey::new().open("http://h/").answer(media::HTML, link).keys("Enter").quiet();
    let j = j.asks("A page from the network leads to joe@s, where ssh would log in with your keys.").text("y");
    // On the same server one goes on as one likes; another user is another login.
    let j = j.expect_fetch("sftp://joe@s/home/").answer(media::DIRECTORY, b"type=dir; d\r\n").keys("Down Enter");
    let j = j.expect_fetch("sftp://joe@s/home/d/").answer(media::HTML, b"<a href='sftp://s/'>x</a>").keys("Enter");
    let j = j.quiet().asks("leads to s, where ssh would log in").text("n");
    j.open("sftp://other/").expect_fetch("sftp://other/");
    // Nor along the list of a page, of which one place was agreed to.
    let list = b"<ul><li><a href='sftp://a/x'>a</a><li><a href='sftp://b/x'>b</a><li><a href='sftp://c/x'>c</a></ul>";
    let j =
        Journey::new().open("http://h/").answer(media::HTML, list).keys("Enter").text("y").expect_fetch("sftp://a/x");
    j.answer(media::PLAIN, b"x").keys("M-n").quiet().asks("leads to b, where ssh would log in");
}

#[test]
fn a_document_within_a_url_is_no_bridge_to_files() {
    let rows = menu("h", &["h|Data|URL:data:text/gemini,x"]);
    Journey::new()
        .open("gopher://h/")
        .answer(media::MENU, &rows)
        .keys("Enter")
        .expect_fetch("data:text/gemini,x")
        .answer(media::GEMTEXT, b"=> file:///etc/passwd x\n")
        .keys("Enter")
        .quiet()
        .asks("file:///etc/passwd");
}

#[test]
fn a_url_item_leads_to_no_file_unasked_even_before_any_page() {
    Journey::new().open("gopher://h/hURL:file:///etc/passwd").quiet().asks("file:///etc/passwd");
    Journey::new().open("URL:file:///etc/motd").expect_fetch("file:///etc/motd");
}

#[test]
fn nothing_copied_can_be_obeyed_where_it_is_pasted() {
    let j = Journey::new()
        .open("gopher://h/0page")
        .answer(media::GEMTEXT, b"=> gopher://h/0x\x1b[201~\rrm\xe2\x80\xae\r% x\n")
        .keys("Y");
    let copied = |effect: &Effect| matches!(effect, Effect::Copy(text) if text.contains("gopher://h/0x"));
    let Some(Effect::Copy(text)) = j.effects.iter().find(|effect| copied(effect)) else { panic!("{:?}", j.effects) };
    assert_eq!(text, "gopher://h/0x%1B%5B201~%0Drm%E2%80%AE%0D%");
}

#[test]
fn the_page_of_a_failure_holds_no_password_in_its_source() {
    let j = Journey::new().open("ftp://me:hunter2@h/a/b").fail(FetchError::new(Kind::NotFound, "No."));
    let entry = j.app.entry().unwrap();
    let page = entry.page.as_deref().unwrap();
    assert!(!String::from_utf8_lossy(page.source.as_ref().unwrap()).contains("hunter2"));
    assert_eq!(page.document().link_url(LinkId(0), &entry.bases), Some(url("ftp://me:hunter2@h/a/")));
}

#[test]
fn a_value_that_looks_like_an_option_is_never_an_argument() {
    let j = Journey::at(&["I|Picture|/p.png"])
        .keys("Enter")
        .expect_fetch("gopher://h/I/p.png")
        .head("-oops/x")
        .text("o")
        .keys("C-u");
    j.text("view {type} {file}").keys("Enter").expect_verdict(Verdict::Refuse).quiet().notes("option");
}

#[test]
fn a_title_from_outside_the_body_is_made_harmless() {
    let mut head = head("file:///x/", media::DIRECTORY);
    head.title = Some("/x\x1b[2J\u{202e}".into());
    let j = Journey::new().open("file:///x/").event(FetchEvent::Head(Box::new(head)));
    assert_eq!(j.app.entry().unwrap().title(), "/x‹RLO›");
}

#[test]
fn a_gateway_serves_a_scheme_and_the_page_keeps_its_own_url() {
    let mut j = Journey::new();
    let mut errors = Vec::new();
    for option in ["gateways.wais=gopher://gw/0/wais?%s", "gateways.urn=http://gw/%s", "handlers.wais=[\"waisq\"]"] {
        wayfarer::config::set_option(&mut j.app.desk.settings, option, &mut errors);
    }
    wayfarer::config::set_option(&mut j.app.desk.settings, "gateways.wais=wais://gw/%s", &mut errors);
    wayfarer::config::set_option(&mut j.app.desk.settings, "gateways.wais=gopher://gw/0/wais", &mut errors);
    assert_eq!(errors.len(), 2, "{errors:?}");
    j.open("wais://me:pw@h/db?a&b")
        .expect_fetch("gopher://gw/0/wais?wais%3A%2F%2Fme%40h%2Fdb%3Fa%26b")
        .answer(media::PLAIN, b"found")
        .at_url("wais://me:pw@h/db?a&b")
        .open("urn:isbn:1")
        .expect_fetch("http://gw/urn%3Aisbn%3A1");
}

/// GATE-05: the page's own address is its base; a name that can be none leaves that to the gateway's.
#[test]
fn a_page_from_a_gateway_has_one_base_and_the_anatomy_explains_it() {
    let asked = |url: &str| {
        let mut j = Journey::new();
        for option in ["gateways.wais=http://gw/wais?%s", "gateways.urn=http://gw/urn?%s"] {
            wayfarer::config::set_option(&mut j.app.desk.settings, option, &mut Vec::new());
        }
        j.open(url).answer(media::HTML, b"<a href=other>o</a> <a href='wais://k/db'>k</a>").keys("=")
    };
    let said = |j: &Journey, row: &str| assert!(j.over().lines().any(|line| line == row), "{row}: {}", j.over());
    let j = asked("wais://h/db?x");
    said(&j, "resolved     wais://h/other");
    said(&j, "             retrieval  wais://h/db?x  ◀ in force");
    said(&j, "gateway      http://gw/wais?wais%3A%2F%2Fh%2Fdb%3Fx");
    said(&j, "             has it for you; what its page leads to is relative to the page's own address");
    let j = j.keys("Esc Down =");
    said(&j, "gateway      http://gw/wais?wais%3A%2F%2Fk%2Fdb");
    said(&j, "would send   GET /wais?wais%3A%2F%2Fk%2Fdb HTTP/1.1 to gw:80");
    let j = asked("urn:isbn:1");
    said(&j, "resolved     http://gw/other");
    said(&j, "             retrieval  http://gw/urn?urn%3Aisbn%3A1  ◀ in force");
    j.quiet().keys("Enter").expect_fetch("http://gw/other");
}

#[test]
fn a_changed_certificate_takes_the_place_of_the_pinned_one_only_after_a_question() {
    let refused = |how: &str| {
        let pin = Some(PinnedCertificate {
            server: "h:70".into(),
            certificate: Certificate::unseen("cd34"),
            since: "2026-03-01".into(),
        });
        let certificate =
            Some(Box::new(RefusedCertificate { certificate: Certificate::unseen("ab12"), pin, first: None }));
        let error = FetchError { certificate, ..FetchError::new(Kind::Secure, "REFUSED: it has changed.") };
        Journey::new().run(how).expect_fetch("gophers://h/1").fail(error)
    };
    // What a private tab trusts, it alone does.
    let j = refused("private gophers://h/1").run("trust").asks("in private tabs").text("y");
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Trust { private: true, .. })), "{:?}", j.effects);
    refused("open gophers://h/1").run("trust").asks("cd34").asks("2026-03-01").asks("ab12").text("n").free().quiet();
    let j = refused("open gophers://h/1").run("trust").text("y");
    let trust =
        Effect::Trust { server: "h:70".into(), certificate: Certificate::unseen("ab12"), pinned: true, private: false };
    assert!(j.effects.contains(&trust), "{:?}", j.effects);
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Fetch { .. })), "{:?}", j.effects);
}

#[test]
fn a_first_certificate_beside_a_damaged_line_is_pinned_only_after_a_question() {
    let refused = |how: &str| {
        let first = Some("h:70".into());
        let certificate =
            Some(Box::new(RefusedCertificate { certificate: Certificate::unseen("ab12"), pin: None, first }));
        let error = FetchError { certificate, ..FetchError::new(Kind::Secure, "REFUSED: whose line it was.") };
        Journey::new().run(how).expect_fetch("gophers://h/1").fail(error).run("trust")
    };
    refused("open gophers://h/1")
        .asks("It may have been this server's.")
        .asks("for good")
        .asks("ab12")
        .text("n")
        .free();
    refused("private gophers://h/1").asks("in private tabs");
    let j = refused("open gophers://h/1").text("y");
    let trust =
        Effect::Trust { server: "h:70".into(), certificate: Certificate::unseen("ab12"), pinned: true, private: false };
    assert!(j.effects.contains(&trust), "{:?}", j.effects);
}

#[test]
fn a_changed_certificate_is_told_as_loudly_when_a_page_is_asked_for_again() {
    let pin = PinnedCertificate {
        server: "h:70".into(),
        certificate: Certificate::unseen("cd34"),
        since: "2026-03-01".into(),
    };
    let certificate =
        Some(Box::new(RefusedCertificate { certificate: Certificate::unseen("ab12"), pin: Some(pin), first: None }));
    let error = FetchError { certificate, ..FetchError::new(Kind::Secure, "REFUSED: it has changed.") };
    let j =
        Journey::new().open("gophers://h/0/a").answer(media::PLAIN, b"old").keys("R").expect_fetch("gophers://h/0/a");
    j.fail(error).shows("REFUSED: it has changed.").run("trust").asks("cd34").text("n").free();
}

#[test]
fn a_refused_certificate_is_trusted_only_by_its_fingerprint_and_only_after_a_question() {
    let refused = || {
        let error = FetchError {
            certificate: Some(Box::new(RefusedCertificate {
                certificate: Certificate::unseen("ab12"),
                pin: None,
                first: None,
            })),
            ..FetchError::new(Kind::Secure, "REFUSED: h proves nothing.")
        };
        Journey::new().open("https://h/a").expect_fetch("https://h/a").fail(error).shows("REFUSED")
    };
    refused().run("trust").asks("ab12").text("n").free().quiet();
    let trust =
        Effect::Trust { server: "h".into(), certificate: Certificate::unseen("ab12"), pinned: false, private: false };
    let j = refused().run("trust").asks("Trust its certificate until Wayfarer ends?").text("y");
    let told = j.effects.iter().position(|effect| *effect == trust).unwrap();
    let asked = j.effects.iter().position(|effect| matches!(effect, Effect::Fetch { .. })).unwrap();
    assert!(told < asked, "the shell knows before it asks again");
    let error = FetchError::new(Kind::Secure, "h does not speak TLS.");
    Journey::new()
        .open("https://h/a")
        .expect_fetch("https://h/a")
        .fail(error)
        .run("trust")
        .notes("no certificate was refused here")
        .quiet();
}

/// SEC-04, D11: whoever types or follows a login is told who is asked and how the password goes.
#[test]
fn a_login_in_an_address_is_told_of_before_it_goes() {
    let typed = |text: &str| Journey::at(&["0|A|/a"]).keys("g C-u").text(text).keys("Enter");
    typed("ftp://joe:secret@h/").notes("the host is what comes after the @: h; the password goes in clear text");
    typed("http://joe:secret@h/").notes("; the password goes in clear text, readable on the way");
    typed("https://joe:secret@h/").notes("the host is what comes after the @: h; the password goes over TLS");
    typed("http://www.bank.example@h/")
        .notes("the host is what comes after the @: h; the web's addresses have no user");
    typed("ftp://www.bank.example@h/").notes("the host is what comes after the @: h");
    for harmless in ["ftp://joe@h/", "http://h/@joe:x", "gopher://h/"] {
        typed(harmless).look(|j| assert!(j.app.hands.note.is_none(), "{harmless}: {:?}", j.app.hands.note));
    }
    // While it is being typed, and when it is followed.
    let j = Journey::at(&["0|A|/a"]).keys("g C-u").text("http://joe:secret@h/");
    let Some(Meaning::Url { note, .. }) = &j.app.hands.prompt().unwrap().meaning else { panic!() };
    assert!(note.as_ref().is_some_and(|note| note.contains("after the @: h") && !note.contains("secret")), "{note:?}");
    let page = "<a href='http://joe:secret@k/'>x</a>";
    let j = Journey::new().open("http://h/").answer(media::HTML, page.as_bytes()).keys("Enter");
    let j = j.expect_fetch("http://joe:secret@k/").notes("after the @: k; the password goes in clear text");
    // Who is there has been told.
    let j = j.answer(media::HTML, b"<a href=y>y</a>").keys("Enter").expect_fetch("http://joe:secret@k/y");
    assert!(j.app.hands.note.is_none(), "{:?}", j.app.hands.note);
}
