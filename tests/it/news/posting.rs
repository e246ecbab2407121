//! What goes out under the reader's name: ids, what is said and asked before, taking back.

use wayfarer::news::{Draft, Mailbox, Manner, Original, Quoted, is_public, message_id};

const GOOD: &str = "From: Me <me@h>\nNewsgroups: a.b\nSubject: x\n\nMine.\n";

#[test]
fn an_article_has_an_id_of_its_own_that_tells_nothing_of_the_machine() {
    let id = message_id("5eed", 1, 2, "Example.ORG").unwrap();
    assert!(id.starts_with('<') && id.ends_with("@example.org>") && id.len() == "<@example.org>".len() + 24, "{id}");
    let ids: std::collections::HashSet<_> = (0..1000).map(|n| message_id("5eed", n, 2, "example.org")).collect();
    assert_eq!(ids.len(), 1000);
    assert_ne!(message_id("5eed", 1, 3, "example.org"), Some(id.clone()), "another second");
    assert_ne!(message_id("other", 1, 2, "example.org"), Some(id), "another run");
    assert_eq!(message_id("", 1, 2, "example.org"), None, "no chance, no id");
    for private in [
        "localhost",
        "box",
        "box.local",
        "box.lan",
        "1.2.3.4",
        "[1.2.3.4]",
        "",
        "a..b",
        "é.org",
        "x>\r\ny.org",
        "-a.org",
    ] {
        assert!(!is_public(private), "{private}");
        assert_eq!(message_id("5eed", 1, 2, private), None, "{private}");
    }
    for from in ["Me <me@example.org>", "me@example.org (Me)", "\"Me, <x@y>\" <me@example.org>"] {
        assert_eq!(Mailbox::author(from).unwrap().domain(), "example.org", "{from}");
    }
}

#[test]
fn the_id_of_a_draft_is_sent() {
    let draft = Draft::read(&format!("Message-ID: <1@example.org>\n{GOOD}"));
    assert_eq!(draft.mistakes(), [""; 0]);
    let article = String::from_utf8(draft.article("Test/1", false)).unwrap();
    assert!(article.starts_with("Message-ID: <1@example.org>\r\n"), "{article}");
}

#[test]
fn where_an_article_and_its_answers_go_is_said_before() {
    let cases = [
        ("a.b", "", &[][..]),
        ("a.b,a.c", "", &["goes to 2 groups, and so will the answers"]),
        ("a.b,a.c,a.d", "a.c", &["goes to 3 groups.", "Answers go to a.c (Followup-To)."]),
        ("a.b", "a.c", &["Answers go to a.c (Followup-To)."]),
        ("a.b", "poster", &["Answers come to you by mail"]),
    ];
    for (groups, answers, wanted) in cases {
        let draft = GOOD.replace("a.b", groups).replace("Subject", &format!("Followup-To: {answers}\nSubject"));
        let told = Draft::read(&draft).remarks();
        assert_eq!(told.len(), wanted.len(), "{groups} {answers}: {told:?}");
        assert!(told.iter().zip(wanted).all(|(told, wanted)| told.contains(wanted)), "{told:?}");
    }
}

#[test]
fn lines_that_are_too_wide_are_named_before() {
    let wide = "many words ".repeat(8);
    let told = |text: &str| Draft::read(&GOOD.replace("Mine.", text)).remarks();
    assert!(told(&format!("fine\n{wide}"))[0].starts_with("Line 2 of the text is 88 columns wide: "));
    assert!(
        told(&format!("{wide}\nfine\n{wide}\n{wide}"))[0]
            .contains("Line 1 of the text is 88 columns wide, and so are 2 more")
    );
    assert_eq!(told(&"x".repeat(80)), [""; 0]);
    assert_eq!(told(&format!("https://example.org/{}", "x".repeat(100))), [""; 0], "an address is as long as it is");
    assert_eq!(told(&format!("> {wide}\nMine.")), [""; 0], "others wrote it");
    assert_eq!(told(&"漢字かな ".repeat(10)).len(), 1, "columns, not letters");
}

#[test]
fn what_says_nothing_is_asked_about_and_no_mistake() {
    for (text, words) in [
        ("", "no text"),
        ("Ann wrote:\n> x\n\n-- \nMe", "nothing but what others wrote"),
        ("-- \nMe", "no text. What stands below \"-- \" is the signature"),
        ("> x\n>> y", "nothing but what others wrote"),
    ] {
        let draft = Draft::read(&GOOD.replace("Mine.", text));
        assert_eq!(draft.mistakes(), [""; 0]);
        assert!(draft.doubt().is_some_and(|doubt| doubt.contains(words)), "{text}");
    }
    assert_eq!(Draft::read(GOOD).doubt(), None);
}

#[test]
fn files_are_refused_with_a_reason() {
    let files = [
        ("Subject: x", "Subject: x\nAttach: /etc/passwd"),
        ("Subject: x", "Subject: x\nContent-Type: multipart/mixed; boundary=x"),
        ("Mine.", "See:\nbegin 644 cat.gif\n#0V%T\n`\nend"),
        ("Mine.", "=ybegin line=128 size=5 name=cat.gif\nxxxxx\n=yend size=5"),
    ];
    for (from, to) in files {
        let mistakes = Draft::read(&GOOD.replace(from, to)).mistakes();
        assert!(mistakes.iter().any(|mistake| mistake.contains("give its address")), "{to}: {mistakes:?}");
    }
    for fine in ["begin 644 cat.gif", "begin 999 things\nHere.", "begin again 644\nM"] {
        assert_eq!(Draft::read(&GOOD.replace("Mine.", fine)).mistakes(), [""; 0], "{fine}");
    }
}

fn own() -> Original {
    let line = |depth, text: &str| Quoted { depth, text: text.into(), flows: false };
    Original {
        address: "me@h".into(),
        groups: vec!["a.b".into(), "a.c".into()],
        subject: "Gopher (was: x)".into(),
        id: "9@h".into(),
        references: vec!["1@h".into(), "2@h".into()],
        text: vec![line(1, "Theirs."), line(0, ""), line(0, "Mine.")],
        ..Original::default()
    }
}

#[test]
fn taking_back_names_the_article_and_goes_where_it_went() {
    let manner = Manner { from: "Me <me@h>", server: Some("nntp://h"), ..Manner::default() };
    let cancel = own().cancel(&manner).unwrap();
    assert_eq!(
        cancel,
        "Server: nntp://h\nFrom: Me <me@h>\nNewsgroups: a.b,a.c\nSubject: cmsg cancel <9@h>\nControl: cancel <9@h>\n\n\
         Its author has cancelled this article.\n"
    );
    let draft = Draft::read(&cancel);
    assert_eq!((draft.mistakes().len(), draft.doubt(), draft.is_control()), (0, None, true));
    let next = own().superseding(&manner).unwrap();
    assert_eq!(
        next,
        "Server: nntp://h\nFrom: Me <me@h>\nNewsgroups: a.b,a.c\nSubject: Gopher (was: x)\nReferences: <1@h> <2@h>\n\
         Supersedes: <9@h>\n\n> Theirs.\n\nMine.\n\n"
    );
    for id in ["", "a b", "9@h> <10@h", "9@h\nControl: cancel <8@h>"] {
        let odd = Original { id: id.into(), ..own() };
        assert_eq!((odd.cancel(&manner), odd.superseding(&manner)), (None, None), "{id:?}");
    }
}

#[test]
fn what_is_handed_on_says_whose_it_is_and_names_nobody() {
    let manner = Manner { from: "Me <me@h>", signature: "Me", server: Some("nntp://h"), ..Manner::default() };
    let theirs = Original { name: "Ann, of h".into(), date: "Thu, 26 Nov 2026".into(), ..own() };
    let text = theirs.forward(&manner);
    assert_eq!(
        text,
        "From: Me <me@h>\nTo: \nSubject: Fwd: Gopher (was: x)\n\n\n-------- Forwarded message --------\n\
         From: \"Ann, of h\" <me@h>\nNewsgroups: a.b, a.c\nSubject: Gopher (was: x)\nDate: Thu, 26 Nov 2026\n\
         Message-ID: <9@h>\n\n> Theirs.\n\nMine.\n\n-- \nMe\n"
    );
    // It goes nowhere before somebody is named.
    assert!(Draft::read(&text).mistakes().iter().any(|mistake| mistake.contains("To nobody")));
    let draft = Draft::read(&text.replace("To: ", "To: bob@h"));
    assert_eq!((draft.mistakes().len(), draft.is_mail()), (0, true));
    for (subject, wanted) in [("Fwd: x", "Fwd: x"), ("FWD: x", "Fwd: x"), ("Re: x", "Fwd: Re: x"), ("", "Fwd: ")] {
        assert_eq!(Original { subject: subject.into(), ..own() }.forward_subject(), wanted);
    }
}

/// Whatever an article or an address says, each field is one line: in the draft, and again where the article is made of it.
#[test]
fn no_value_makes_a_line_of_the_header() {
    let evil = "x\r\nEvil: y\n\nControl: cancel <1@h>\0";
    let original =
        Original { subject: evil.into(), groups: vec![evil.into()], followup_to: vec![evil.into()], ..own() };
    let manner = Manner { from: evil, server: Some(evil), ..Manner::default() };
    for draft in [
        original.cancel(&manner),
        original.superseding(&manner),
        Some(original.followup(&manner)),
        Some(original.forward(&manner)),
    ] {
        let draft = draft.unwrap();
        let (header, _) = draft.split_once("\n\n").unwrap();
        assert!(
            !header.lines().any(|line| line.starts_with("Evil") || line.starts_with("Control: cancel <1@h>")),
            "{header}"
        );
    }
    let fields = [("Subject", evil), ("Newsgroups", evil), ("From", evil), ("Supersedes", evil), ("X-Own", evil)];
    let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let draft = Draft { fields, lines: vec!["Mine.".into()], ..Draft::default() };
    assert!(draft.mistakes().iter().any(|mistake| mistake.contains("control character")));
    let article = String::from_utf8(draft.article("Test/1", false)).unwrap();
    let (header, _) = article.split_once("\r\n\r\n").unwrap();
    assert!(!header.lines().any(|line| line.starts_with("Evil") || line.starts_with("Control")), "{header}");
    assert!(!header.replace("\r\n", "").contains(|c: char| c.is_control()), "{header:?}");
}
