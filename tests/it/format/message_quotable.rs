//! Messages as something to answer.

use wayfarer::format::message::original;
use wayfarer::news::Original;
use wayfarer::url::Url;

fn read(text: &str) -> Original {
    original(text.replace('\n', "\r\n").as_bytes(), None, &Url::parse("news:1@h").unwrap()).unwrap()
}

fn text(of: &Original) -> Vec<(usize, &str)> {
    of.text.iter().map(|quoted| (quoted.depth, quoted.text.as_str())).collect()
}

/// Whom an answer by mail goes to.
fn to(of: &Original) -> Vec<String> {
    of.replies.iter().map(ToString::to_string).collect()
}

const HEAD: &str = "From: =?utf-8?q?J=C3=B6rg?= <j@h>\nNewsgroups: a.b,\n a.c\nSubject: =?utf-8?q?K=C3=A4se?=\nMessage-ID: <2@h>\n\
                    References: <0@h>\n <1@h>\nDate: Thu, 2 Jan 2025 10:00:00 +0000\n";

#[test]
fn the_header_is_decoded() {
    let found = read(&format!("{HEAD}\nx\n"));
    assert_eq!((found.name.as_str(), found.address.as_str()), ("Jörg", "j@h"));
    assert_eq!(to(&found), ["Jörg <j@h>"]);
    assert_eq!(found.groups, ["a.b", "a.c"]);
    assert_eq!((found.subject.as_str(), found.id.as_str()), ("Käse", "2@h"));
    assert_eq!(found.references, ["0@h", "1@h"]);
    assert_eq!(found.date, "Thu, 2 Jan 2025 10:00 (+0000)");
    let mail = read("From: a@h\nReply-To: List <l@h>, b@h\nIn-Reply-To: <7@h>\nFollowup-To: poster\n\nx");
    assert_eq!(
        (to(&mail), mail.references.as_slice()),
        (vec!["List <l@h>".into(), "b@h".into()], &["7@h".to_owned()][..])
    );
    assert!(mail.wants_mail());
    let two = read("From: a@h\nIn-Reply-To: <7@h> <8@h>\n\nx");
    assert_eq!(two.references, [""; 0], "In-Reply-To counts when it names one");
    let nobody = original(b"Subject: x\r\n\r\nx", None, &Url::parse("news:1@h").unwrap());
    assert_eq!(nobody, None);
}

#[test]
fn a_name_with_a_comma_is_one_person() {
    let found = read("From: \"Smith, Bob (work)\" <bob@example>\n\nx");
    assert_eq!(to(&found), ["\"Smith, Bob (work)\" <bob@example>"]);
    assert_eq!((found.name.as_str(), found.address.as_str()), ("Smith, Bob (work)", "bob@example"));
    let decoded = read("From: =?utf-8?q?Smith=2C_Bob_=3Cother=40x=3E?= <bob@example>\n\nx");
    assert_eq!(to(&decoded), ["\"Smith, Bob <other@x>\" <bob@example>"]);
    let bare = read("From: Bob Smith, Jr. <bob@example>\n\nx");
    assert_eq!(to(&bare), ["\"Jr.\" <bob@example>"]);
}

/// A Reply-To that can be read in two ways is followed in none.
#[test]
fn a_hostile_reply_to_names_nobody_else() {
    for hostile in [
        "\"Bob <bob@example>",
        "bob@example, \"other@x",
        "Bob <bob@example> <other@x>",
        "Bob <bob@example>, (other@x",
        "<bob@example, other@x>",
        "bob@example other@x",
        "a@h: other@x",
        "other@x\0",
        "=?utf-8?q?other=40x?=",
        "root",
        "|prog",
        "öther@x",
    ] {
        let found = read(&format!("From: Ann <ann@h>\nReply-To: {hostile}\n\nx"));
        assert_eq!(to(&found), ["Ann <ann@h>"], "{hostile}");
        assert!(!found.astray.is_empty() && !found.astray.contains(char::is_control), "{hostile}");
    }
    let many = read(&format!("From: Ann <ann@h>\nReply-To: {}\n\nx", "o@x, ".repeat(60)));
    assert_eq!(to(&many), ["Ann <ann@h>"]);
    for (shown, wanted) in [
        ("=?utf-8?q?a=2C_other=40x?= <bob@example>", "\"a, other@x\" <bob@example>"),
        ("=?utf-8?q?x=0D=0ABcc=3A_other=40x?= <bob@example>", "\"x  Bcc: other@x\" <bob@example>"),
        ("=?utf-8?q?=3Cother=40x=3E=2C?= <bob@example>", "\"<other@x>,\" <bob@example>"),
        ("\"\\\"\" <bob@example>", "\"\\\"\" <bob@example>"),
        ("=?utf-8?q?=22_=3Cother=40x=3E=2C_=22?= <bob@example>", "\"\\\" <other@x>, \\\"\" <bob@example>"),
        ("bob@example (, other@x,)", "\", other@x,\" <bob@example>"),
        ("Group: bob@example;", "bob@example"),
    ] {
        let found = read(&format!("From: Ann <ann@h>\nReply-To: {shown}\n\nx"));
        assert_eq!((to(&found), found.astray.as_str()), (vec![wanted.into()], ""), "{shown}");
        let draft = wayfarer::news::Draft::read(&found.mail(&wayfarer::news::Manner::default()));
        let addresses: Vec<String> = draft.recipients().into_iter().map(|one| one.address).collect();
        assert_eq!(addresses, ["bob@example"], "{shown}");
    }
}

#[test]
fn quote_marks_are_counted_and_the_signature_dropped() {
    let found = read(&format!("{HEAD}\nOne\n> two\n> > three\n>>> four\n>five\n >not\nAB> six\n>From x\n-- \nMe\n"));
    let wanted =
        [(0, "One"), (1, "two"), (2, "three"), (3, "four"), (1, "five"), (0, " >not"), (0, "AB> six"), (0, ">From x")];
    assert_eq!(text(&found), wanted);
}

#[test]
fn flowed_paragraphs_are_joined() {
    let head = format!("{HEAD}Content-Type: text/plain; format=flowed\n");
    let found = read(&format!("{head}\nOne \ntwo.\n> quoted \n> on\n>> deeper \n> broken\n  code\n-- \nMe \n"));
    let wanted = [(0, "One two."), (1, "quoted on"), (2, "deeper "), (1, "broken"), (0, " code")];
    assert_eq!(text(&found), wanted);
    let found =
        read(&format!("{head}\n").replace("flowed\n", "flowed; delsp=yes\n").replace("\n\n", "\n\nfoo \nbar\n"));
    assert_eq!(text(&found), [(0, "foobar")]);
}

#[test]
fn the_text_among_the_parts_is_quoted_in_its_charset() {
    let parts = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\
                 Content-Disposition: attachment\n\nno\n--b\nContent-Type: text/html\n\n<p>html</p>\n--b\n\
                 Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nK=E4se\n\
                 --b--\n";
    assert_eq!(text(&read(&format!("{HEAD}{parts}"))), [(0, "Käse")]);
    let html = read(&format!("{HEAD}Content-Type: text/html\n\n<p>One &amp; two</p>\n"));
    assert!(text(&html).iter().any(|(_, line)| line.contains("One & two")), "{:?}", html.text);
    let file = read(&format!("{HEAD}\nsee\nbegin 644 a.txt\n#0V%T\n`\nend\nthere\n"));
    assert_eq!(text(&file), [(0, "see"), (0, "there")]);
}

#[test]
fn nothing_of_a_hostile_article_is_obeyed() {
    let found = read(
        "From: \"a\u{1b}[2J=?utf-8?q?=0D=0AEvil:_x=00?=\" <a@h>\nSubject: =?utf-8?q?x=0D=0AEvil:_y?= \u{9b}2J\n\
         Newsgroups: a\0b\nMessage-ID: <x\ny@h>\n\n\u{1b}]0;t\u{7}\r\u{202e}x\n",
    );
    let draft = found.followup(&wayfarer::news::Manner { attribution: "{name}:", ..Default::default() });
    assert!(!draft.contains(|c: char| c.is_control() && c != '\n'), "{draft:?}");
    assert!(draft.lines().all(|line| !line.starts_with("Evil")), "{draft}");
    assert!(!draft.contains('\u{202e}'), "{draft:?}");
}

#[test]
fn the_quote_of_an_html_article_keeps_its_lists_quotes_and_tables() {
    let html = "<p>He wrote:<blockquote><p>first<blockquote>deeper</blockquote></blockquote><ol start=3><li>a <b>bold</b> \
                item<li>last</ol><p style=display:none>tracker</p><pre>let x;\n  y</pre>";
    let found = read(&format!("{HEAD}Content-Type: text/html\n\n{html}\n"));
    let lines: Vec<_> = text(&found).into_iter().filter(|(_, line)| !line.is_empty()).collect();
    let wanted = [
        (0, "He wrote:"),
        (1, "first"),
        (2, "deeper"),
        (0, "3. a bold item"),
        (0, "4. last"),
        (0, "let x;"),
        (0, "  y"),
    ];
    assert_eq!(lines, wanted);
    assert!(found.text[0].flows);
    let table = "<table><tr><th>name<th>size<tr><td>a file<td>12</table>";
    let found = read(&format!("{HEAD}Content-Type: text/html\n\n{table}\n"));
    let lines: Vec<&str> = text(&found).iter().map(|(_, line)| *line).collect();
    assert!(lines.contains(&"a file 12"), "{lines:?}");
    assert!(found.text.iter().all(|line| !line.flows));
}

#[test]
fn html_of_any_depth_can_be_quoted() {
    for tag in ["div", "blockquote", "ul><li", "table><tr><td", "b", "i><p", "svg><g"] {
        let html = format!("{}deep", format!("<{tag}>").repeat(10_000));
        let found = read(&format!("{HEAD}Content-Type: text/html\n\n{html}\n"));
        assert!(found.text.iter().any(|line| line.text.contains("deep")) || tag.starts_with("svg"), "{tag}");
    }
}
