//! Whom a field names (RFC 5322, 3.4), and how they are written anew.

use wayfarer::news::{Draft, Mailbox, Manner, Original, new_mail};

/// Names and addresses of a list; what is none stands behind a "!".
fn read(field: &str) -> Vec<String> {
    let shown = |one: Result<Mailbox, &str>| match one {
        Ok(one) if one.name.is_empty() => one.address,
        Ok(one) => format!("{}|{}", one.name, one.address),
        Err(text) => format!("!{text}"),
    };
    Mailbox::list(field).into_iter().map(shown).collect()
}

#[test]
fn lists_are_read_as_the_specification_has_them() {
    const ROWS: &[(&str, &[&str])] = &[
        ("", &[]),
        (" , ,", &[]),
        ("a@h", &["a@h"]),
        ("Bob Smith <bob@example>", &["Bob Smith|bob@example"]),
        ("\"Smith, Bob (work)\" <bob@example>", &["Smith, Bob (work)|bob@example"]),
        ("\"a \\\"b\\\" \\\\\" <a@h>", &["a \"b\" \\|a@h"]),
        ("bob@example (Smith, Bob)", &["Smith, Bob|bob@example"]),
        ("bob@example (Bob \\) (the) <x@y>)", &["Bob ) (the) <x@y>|bob@example"]),
        ("(not this) <bob@h> (nor this)", &["not this nor this|bob@h"]),
        ("Bob (work) Smith <bob@h>", &["Bob Smith|bob@h"]),
        ("Bob S. <b@h>, a@h", &["Bob S.|b@h", "a@h"]),
        ("a@h <b@h>", &["a@h|b@h"]),
        ("Friends: Ann <a@h>, b@h;, c@h", &["Ann|a@h", "b@h", "c@h"]),
        ("undisclosed-recipients:;", &[]),
        ("<@relay,@other:bob@h>", &["bob@h"]),
        ("bob . b @ h . example", &["bob.b@h.example"]),
        ("\"bob\"@h", &["bob@h"]),
        ("\"not@me\"@h", &["\"not@me\"@h"]),
        ("\"a b\".c@h", &["\"a b.c\"@h"]),
        ("bob@[IPv6:::1], a@h", &["bob@[IPv6:::1]", "a@h"]),
        ("root", &["root"]),
        ("=?utf-8?q?a=2C_b=40h?= <c@h>", &["=?utf-8?q?a=2C_b=40h?=|c@h"]),
    ];
    for (field, wanted) in ROWS {
        assert_eq!(read(field), *wanted, "{field}");
    }
}

/// Nobody is guessed at in what is no address.
#[test]
fn what_is_no_mailbox_is_none() {
    for none in [
        "Bob",
        "\"Bob <bob@h>",
        "bob@h (Bob",
        "Bob <bob@h",
        "Bob bob@h>",
        "<a@h> <b@h>",
        "<a@h> b@h",
        "a@h b@h",
        "a b@h",
        "<>",
        "Bob <>",
        "Bob <a, b@h>",
        "Bob <a@h;b@h>",
        "a@b@h",
        "a..b@h",
        ".a@h",
        "a@h.",
        "a@",
        "@h",
        "a@h@",
        "a@h/x",
        "a@[",
        "a@[::1",
        "a@[x y]",
        "\"\0\"@h",
        "a\u{200b}@h",
        "a\u{202e}@h",
        "a@h: b",
        "\\a@h",
    ] {
        let found = read(none);
        assert!(
            found == ["Bob"] || found.iter().all(|one| one.starts_with('!')) && !found.is_empty(),
            "{none}: {found:?}"
        );
    }
    let long = format!("{}@h", "a".repeat(400));
    assert!(read(&long)[0].starts_with('!'));
    assert_eq!(read(&"a@h,".repeat(20_000)).len(), 1, "a field without end names nobody");
    for piece in ["(", "\"", "<", "[", "@[", ":", "a:", "a ", "\\", "<@", ",", "a@", "@:"] {
        let _ = read(&piece.repeat(60_000 / piece.len()));
    }
}

#[test]
fn a_mailbox_that_is_written_is_read_as_itself() {
    let mailbox = |name: &str, address: &str| Mailbox { name: name.into(), address: address.into() };
    for (one, wanted) in [
        (mailbox("", "a@h"), "a@h"),
        (mailbox("Bob Smith", "b@h"), "Bob Smith <b@h>"),
        (mailbox("Jörg", "j@h"), "Jörg <j@h>"),
        (mailbox("Smith, Bob (work)", "bob@example"), "\"Smith, Bob (work)\" <bob@example>"),
        (mailbox("a \"b\" \\", "a@h"), "\"a \\\"b\\\" \\\\\" <a@h>"),
        (mailbox("Bob S.", "b@h"), "\"Bob S.\" <b@h>"),
        (mailbox("other@x", "b@h"), "\"other@x\" <b@h>"),
        (mailbox("<other@x>", "b@h"), "\"<other@x>\" <b@h>"),
        (mailbox("x\r\nBcc: y@z", "b@h"), "\"x  Bcc: y@z\" <b@h>"),
        (mailbox("Ö, x", "\"a b\"@h"), "\"Ö, x\" <\"a b\"@h>"),
    ] {
        assert_eq!(one.to_string(), wanted);
        let again = Mailbox::list(&one.to_string()).into_iter().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!(again.len(), 1, "{wanted}");
        assert_eq!(again[0].address, one.address, "{wanted}");
    }
}

fn mail(to: &str) -> Draft {
    Draft::read(&format!("From: Me <me@h>\nTo: {to}\nSubject: x\n\nMine.\n"))
}

#[test]
fn to_whom_a_mail_goes_is_said_by_address() {
    assert_eq!(mail("\"boss@work, Ann\" <evil@h>").remarks(), ["This goes to evil@h."]);
    let two = Draft::read("From: Me <me@h>\nTo: a@h\nCc: Bo <b@h>\nBcc: root\nSubject: x\n\nMine.\n");
    assert_eq!(two.remarks(), ["This goes to 3 addresses: a@h, b@h, root."]);
    assert_eq!(two.mistakes(), [""; 0]);
    for (to, words) in [
        ("a@h, \"b <c@h>", "To: \"\"b <c@h>\" is no address."),
        ("a b@h", "To: \"a b@h\" is no address."),
        ("jörg@h", "To: \"jörg@h\" is no address."),
        ("nobody:;", "To names nobody."),
    ] {
        let mistakes = mail(to).mistakes();
        assert!(mistakes.iter().any(|mistake| mistake.contains(words)), "{to}: {mistakes:?}");
    }
}

#[test]
fn what_goes_out_names_whom_the_reader_was_told() {
    let sent = |to: &str| {
        let article = String::from_utf8(mail(to).article("T", false)).unwrap();
        article.replace("\r\n ", " ").lines().find_map(|line| line.strip_prefix("To: ")).unwrap().to_owned()
    };
    assert_eq!(sent("\"Smith, Bob\" <bob@example>"), "\"Smith, Bob\" <bob@example>");
    assert_eq!(sent("\"Ö, x\" <a@h>, b@h (B, c@h)"), "=?UTF-8?Q?=C3=96=2C_x?= <a@h>, \"B, c@h\" <b@h>");
    assert_eq!(sent("\"=?utf-8?q?a=40b=2C?=\" <c@h>"), "=?UTF-8?Q?=3D=3Futf-8=3Fq=3Fa=3D40b=3D2C=3F=3D?= <c@h>");
    assert_eq!(sent("Team: a@h, b@h;"), "a@h, b@h");
}

#[test]
fn the_draft_of_an_answer_goes_to_one_person_where_one_wrote() {
    let manner = Manner { from: "Me <me@h>", ..Manner::default() };
    let bob = Mailbox { name: "Smith, Bob (work)".into(), address: "bob@example".into() };
    let original = Original { replies: vec![bob.clone()], subject: "x".into(), ..Original::default() };
    let draft = Draft::read(&original.mail(&manner));
    assert_eq!(draft.get("To"), "\"Smith, Bob (work)\" <bob@example>");
    assert_eq!(draft.recipients(), std::slice::from_ref(&bob));
    let draft = Draft::read(&new_mail(std::slice::from_ref(&bob), &[], &manner));
    assert_eq!(draft.recipients(), [bob]);
}
