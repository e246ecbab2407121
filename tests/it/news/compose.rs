//! Drafts: what stands in them, what keeps them from being sent, what goes out.

use wayfarer::news::{Draft, Mailbox, Manner, Original, Quoted, new_article, new_mail};

fn manner() -> Manner<'static> {
    Manner { from: "Me <me@h>", attribution: "On {date}, {name} wrote:", ..Manner::default() }
}

fn lines(text: &[(usize, &str, bool)]) -> Vec<Quoted> {
    text.iter().map(|(depth, text, flows)| Quoted { depth: *depth, text: (*text).into(), flows: *flows }).collect()
}

fn original() -> Original {
    Original {
        name: "Ann".into(),
        address: "ann@h".into(),
        authors: vec![Mailbox { name: "Ann".into(), address: "ann@h".into() }],
        replies: vec![Mailbox { name: "Ann".into(), address: "ann@h".into() }],
        groups: vec!["a.b".into(), "a.c".into()],
        subject: "Gopher".into(),
        id: "2@h".into(),
        references: vec!["1@h".into()],
        date: "Thu, 2 Jan 2025 10:00 (+0000)".into(),
        text: lines(&[(0, "One.", false), (0, "", false), (1, "Older.", false)]),
        ..Original::default()
    }
}

fn line_of(draft: &str, name: &str) -> String {
    let begins = format!("{name}: ");
    draft.lines().find_map(|line| line.strip_prefix(&begins)).unwrap_or_default().to_owned()
}

#[test]
fn an_answer_has_everything_in_its_place() {
    let manner = Manner { signature: "Me\nHere\n", server: Some("nntp://h:1119"), ..manner() };
    assert_eq!(
        original().followup(&manner),
        "Server: nntp://h:1119\nFrom: Me <me@h>\nNewsgroups: a.b,a.c\nSubject: Re: Gopher\nReferences: <1@h> <2@h>\n\n\
         On Thu, 2 Jan 2025 10:00 (+0000), Ann wrote:\n> One.\n>\n>> Older.\n\n\n-- \nMe\nHere\n"
    );
    let elsewhere = Original { followup_to: vec!["a.d".into()], ..original() };
    assert_eq!(line_of(&elsewhere.followup(&manner), "Newsgroups"), "a.d");
    assert!(!elsewhere.wants_mail());
    assert!(Original { followup_to: vec!["Poster".into()], ..original() }.wants_mail());
}

#[test]
fn an_answer_says_re_once() {
    for subject in ["Gopher", "Re: Gopher", "Re: Re: Gopher", "Re[2]: Gopher", "AW: Sv: Gopher", "RE^3:Gopher"] {
        let original = Original { subject: subject.into(), ..original() };
        assert_eq!(original.answer_subject(), "Re: Gopher", "{subject}");
    }
    for was in ["New (was: Re: Old)", "Re: New (WAS: Old (of two))", "New [Was : Old]", "New(was:Old) "] {
        let changed = Original { subject: was.into(), ..original() };
        assert_eq!(changed.answer_subject(), "Re: New", "{was}");
    }
    for stays in ["(was: Old)", "It (was) here", "It was: here", "New (was Old)", "New (was: Old) again", "wäs (wa: )"]
    {
        let changed = Original { subject: stays.into(), ..original() };
        assert_eq!(changed.answer_subject(), format!("Re: {stays}"));
    }
}

#[test]
fn references_keep_the_first_and_the_last_two_and_fit() {
    let ids: Vec<String> = (0..100).map(|n| format!("{n:03}-{}@h", "x".repeat(30))).collect();
    let long = Original { references: ids.clone(), ..original() };
    let references = line_of(&long.followup(&manner()), "References");
    assert!("References: ".len() + references.len() <= 998, "{}", references.len());
    assert!(references.len() > 900, "no more than needed goes");
    let kept: Vec<&str> = references.split(' ').collect();
    assert_eq!(kept[0], format!("<{}>", ids[0]));
    assert_eq!(kept[kept.len() - 2..], [format!("<{}>", ids[99]), "<2@h>".to_owned()]);
    assert!(kept.windows(2).skip(1).all(|two| two[0] < two[1]), "in order");
    // Long ids: three are left, whatever they measure; what can be no id never gets there.
    let huge = |n: u32| format!("{n}{}@h", "y".repeat(244));
    let long = Original { references: (0..9).map(huge).collect(), id: huge(9), ..original() };
    let kept = line_of(&long.followup(&manner()), "References");
    assert_eq!(kept.split(' ').count(), 3, "{kept}");
    let odd = ["", "a b@h", "a@h\r\nEvil: x", "<a@h", "é@h", "1@h"].map(String::from).to_vec();
    let odd = Original { references: [odd, vec!["z".repeat(300)]].concat(), ..original() };
    assert_eq!(line_of(&odd.followup(&manner()), "References"), "<1@h> <2@h>");
    let none = Original { id: String::new(), ..original() };
    assert_eq!(line_of(&none.followup(&manner()), "References"), "");
}

#[test]
fn quotes_are_marked_by_depth_and_paragraphs_wrapped() {
    let sentence = "word ".repeat(30);
    let text = lines(&[(0, "", false), (0, " code  x", false), (2, "deep", false), (1, sentence.trim(), true)]);
    let draft = Original { text: text.clone(), ..original() }.followup(&manner());
    let quoted: Vec<&str> = draft.lines().filter(|line| line.starts_with('>')).collect();
    assert_eq!(quoted[..2], [">  code  x", ">>> deep"]);
    assert!(quoted[2..].len() == 3 && quoted[2..].iter().all(|line| line.starts_with(">> word") && line.len() <= 74));
    let flowed = Original { text, ..original() }.followup(&Manner { flowed: true, ..manner() });
    let quoted: Vec<&str> = flowed.lines().filter(|line| line.starts_with(">> word")).collect();
    assert!(quoted[0].ends_with(' ') && quoted[1].ends_with(' ') && !quoted[2].ends_with(' '), "{quoted:?}");
    // What has no spaces stays whole, unless no article may have it.
    let url = format!("see http://h/{} there", "x".repeat(200));
    let draft = Original { text: lines(&[(0, &url, true)]), ..original() }.followup(&manner());
    assert!(draft.contains(&format!("\n> http://h/{}\n> there\n", "x".repeat(200))), "{draft}");
    let draft = Original { text: lines(&[(0, &"é".repeat(3000), false)]), ..original() }.followup(&manner());
    assert!(draft.lines().all(|line| line.len() <= 998));
    assert_eq!(draft.matches('é').count(), 3000);
    let draft =
        Original { text: lines(&vec![(0, "many many lines", false); 100_000]), ..original() }.followup(&manner());
    assert!(draft.len() < 300 * 1024 && draft.contains("\n> […]\n"));
}

/// Megabytes in one line are looked at once, and quoted as far as many lines would be.
#[test]
fn one_line_without_end_is_quoted_as_far_as_many() {
    for (piece, flows) in [("many words ", true), ("many words ", false), ("é", true), ("\u{301}", true), ("a ", false)]
    {
        let long = piece.repeat((4 << 20) / piece.len());
        let draft = Original { text: lines(&[(0, &long, flows)]), ..original() }.followup(&manner());
        assert!(draft.len() < 300 * 1024 && draft.contains("\n> […]\n"), "{piece}: {}", draft.len());
    }
    let words: Vec<String> = (0..20_000).map(|n| format!("word{n}")).collect();
    let draft = Original { text: lines(&[(0, &words.join(" "), true)]), ..original() }.followup(&manner());
    let quoted = draft.lines().filter_map(|line| line.strip_prefix("> ")).flat_map(str::split_whitespace);
    assert!(quoted.eq(&words), "every word, in its order");
}

#[test]
fn of_many_references_few_are_kept() {
    let references: Vec<String> = (0..200_000).map(|n| format!("{n}@h")).collect();
    let draft = Original { references, ..original() }.followup(&manner());
    let kept = line_of(&draft, "References");
    assert!(kept.starts_with("<0@h> <1999") && kept.ends_with("<199999@h> <2@h>"), "{kept}");
    assert!((900..998).contains(&kept.len()), "{}", kept.len());
}

#[test]
fn nothing_in_an_article_makes_a_line_of_the_header() {
    let evil = "x\r\nEvil: y\n\nbody\0\u{1b}[2J\u{85}z\u{2028}w";
    let original = Original {
        name: evil.into(),
        address: evil.into(),
        authors: vec![Mailbox { name: evil.into(), address: "a@h".into() }],
        replies: vec![Mailbox { name: evil.into(), address: "a@h".into() }],
        astray: evil.into(),
        groups: vec![evil.into()],
        followup_to: vec![evil.into()],
        subject: evil.into(),
        id: evil.into(),
        references: vec![evil.into()],
        date: evil.into(),
        text: lines(&[(0, evil, false), (0, evil, true)]),
    };
    let manner = Manner { attribution: "{name}{address}{date}{group}{subject}{id}", ..manner() };
    for draft in [original.followup(&manner), original.mail(&manner)] {
        let (header, text) = draft.split_once("\n\n").unwrap();
        assert!(header.lines().all(|line| !line.starts_with("Evil")), "{draft}");
        assert!(text.lines().skip(1).all(|line| line.is_empty() || line.starts_with('>')), "{text:?}");
        assert!(!draft.contains(|c: char| c.is_control() && c != '\n'), "{draft:?}");
        let read = Draft::read(&draft);
        assert_eq!(read.get("Evil"), "");
        assert_eq!(read.fields.len(), 3, "{read:?}");
    }
    let fields = [("subject".into(), evil.into()), ("cc".into(), evil.into()), ("body".into(), "b\r\n\0c".into())];
    let draft = new_mail(&[Mailbox { name: evil.into(), address: "a@h".into() }], &fields, &manner);
    assert_eq!(Draft::read(&draft).fields.len(), 4, "{draft}");
    assert!(draft.ends_with("\n\nb\n c\n\n"), "{draft:?}");
}

#[test]
fn marks_of_the_attribution_are_filled_once() {
    let original = Original { name: "{address}".into(), ..original() };
    let manner = Manner { attribution: "{name} <{address}> in {group} on {subject} {id} {what}:", ..manner() };
    let draft = original.followup(&manner);
    assert!(draft.contains("\n\n{address} <ann@h> in a.b on Gopher 2@h {what}:\n> One."), "{draft}");
}

#[test]
fn a_new_article_has_lines_to_fill_in() {
    let draft = new_article(&["a.b".into()], &Manner::default());
    assert_eq!(draft, "From: \nNewsgroups: a.b\nSubject: \n\n\n");
    let read = Draft::read(&draft);
    let mistakes = read.mistakes().join("\n");
    for words in ["From is empty", "no Subject"] {
        assert!(mistakes.contains(words), "{mistakes}");
    }
}

const GOOD: &str = "From: Me <me@h>\nNewsgroups: a.b, a.c\nSubject: x\n\nMine.\n";

#[test]
fn mistakes_are_found_and_named() {
    assert_eq!(Draft::read(GOOD).mistakes(), [""; 0]);
    assert_eq!(Draft::read(&GOOD.replace('\n', "\r\n")).mistakes(), [""; 0]);
    let long = "x".repeat(999);
    let cases = [
        ("From: Me <me@h>", "From: Me", "From is no address"),
        ("From: Me <me@h>", "From: Me <me@>", "From is no address"),
        ("From: Me <me@h>", "From: Me <mé@h>", "From is no address"),
        ("Subject: x", "Subject:", "no Subject"),
        ("Subject: x", "Subject: x\nSubject: y", "more than one Subject"),
        ("Subject: x", "Subject: x\nnonsense", "\"nonsense\""),
        ("Subject: x", "Subject: x\u{1b}[2J", "control character"),
        ("Newsgroups: a.b, a.c", "Newsgroups: a..b", "\"a..b\""),
        ("Newsgroups: a.b, a.c", "Newsgroups: a.b, c d", "\"c d\""),
        ("Newsgroups: a.b, a.c", "Newsgroups: poster", "\"poster\""),
        ("Newsgroups: a.b, a.c", "X-No: 1", "names no group"),
        ("Subject: x", "Subject: x\nFollowup-To: a b", "Followup-To"),
        ("Mine.", &long, "Line 1"),
        ("Mine.", "a\0b", "Line 1"),
        ("Subject: x", "Subject: x\nMessage-ID: 1@h", "Message-ID is none"),
        ("Subject: x", "Subject: x\nMessage-ID: <1@h> <2@h>", "Message-ID is none"),
    ];
    for (from, to, words) in cases {
        let mistakes = Draft::read(&GOOD.replace(from, to)).mistakes();
        assert!(mistakes.iter().any(|mistake| mistake.contains(words)), "{to}: {mistakes:?}");
    }
    let fine = [
        ("Mine.", "Ann wrote:\n> x\n\nYes."),
        ("Mine.", "Note this:\n\nmine"),
        ("Subject: x", "Subject: x\nFollowup-To: poster"),
        ("Subject: x", "Subject: x\n  and more"),
        ("From: Me <me@h>", "From: me@h (Me)"),
    ];
    for (from, to) in fine {
        assert_eq!(Draft::read(&GOOD.replace(from, to)).mistakes(), [""; 0], "{to}");
    }
}

fn sent(draft: &str, flowed: bool) -> String {
    String::from_utf8(Draft::read(draft).article("Test/1", flowed)).unwrap()
}

#[test]
fn an_article_goes_out_with_its_mime_headers() {
    let draft = GOOD.replace("Mine.", "Mine.  \n.\n> quote ").replace("From", "Server: nntp://h\nPath: x!y\nFrom");
    assert_eq!(
        sent(&draft, false),
        "From: Me <me@h>\r\nNewsgroups: a.b, a.c\r\nSubject: x\r\nUser-Agent: Test/1\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\nMine.\r\n.\r\n> quote\r\n"
    );
    let flowed = sent(&GOOD.replace("Mine.", "soft \nhard\n code\nFrom here\n> quote\né\n-- \nMe"), true);
    assert!(flowed.contains("charset=utf-8; format=flowed\r\nContent-Transfer-Encoding: 8bit"), "{flowed}");
    assert!(
        flowed.ends_with("\r\n\r\nsoft \r\nhard\r\n  code\r\n From here\r\n> quote\r\né\r\n-- \r\nMe\r\n"),
        "{flowed}"
    );
}

#[test]
fn headers_beyond_ascii_become_encoded_words() {
    let header = |field: &str| {
        let article = sent(&GOOD.replace("Subject: x", field), false);
        assert!(article.split_once("\r\n\r\n").unwrap().0.is_ascii(), "{article}");
        let rest = article.split_once("Newsgroups: a.b, a.c\r\n").unwrap().1.to_owned();
        rest.split_once("\r\nUser-Agent").unwrap().0.to_owned()
    };
    assert_eq!(header("Subject: Re: a Käse b"), "Subject: Re: a =?UTF-8?Q?K=C3=A4se?= b");
    assert_eq!(header("Subject: ä ö x"), "Subject: =?UTF-8?B?w6Qgw7Y=?= x");
    assert_eq!(header("Subject: 日本語のニュース"), "Subject: =?UTF-8?B?5pel5pys6Kqe44Gu44OL44Ol44O844K5?=");
    assert_eq!(header("Reply-To: Jörg <j@h>, b@h"), "Reply-To: =?UTF-8?Q?J=C3=B6rg?= <j@h>, b@h");
    assert_eq!(header("Reply-To: \"Ö, x\" <j@h>"), "Reply-To: =?UTF-8?Q?=C3=96=2C_x?= <j@h>");
    assert_eq!(header("Reply-To: j@h (Jörg)"), "Reply-To: =?UTF-8?Q?J=C3=B6rg?= <j@h>");
    let long = header(&format!("Subject: {}", "äöü日 ".repeat(60)));
    assert!(long.split("\r\n").count() > 5);
    for line in long.split("\r\n") {
        assert!(line.len() <= 85, "{line}");
        assert!(line.trim_start_matches("Subject:").trim().len() <= 75, "{line}");
    }
    let folded =
        sent(&GOOD.replace("Subject: x", &format!("References: {}", "<abcdef@example.org> ".repeat(40))), false);
    assert!(folded.split("\r\n").all(|line| line.len() <= 78), "{folded}");
    assert!(folded.contains("\r\n <abcdef"), "{folded}");
}

#[test]
fn encoded_words_are_read_back_as_written() {
    use wayfarer::format::message::original;
    let url = wayfarer::url::Url::parse("news:1@h").unwrap();
    for subject in [
        "Käse und Öl",
        "日本語のニュースグループへようこそ、みなさん、こんにちは",
        "plain é plain é é plain",
        "a =?x?= é",
    ] {
        let name = "Jörg \"Ö\" Ä";
        let draft = format!(
            "From: \"Jörg \\\"Ö\\\" Ä\" <j@h>\nNewsgroups: a\nSubject: {subject} {}\n\nx\n",
            "äöü ".repeat(30).trim()
        );
        let read = original(&Draft::read(&draft).article("T", false), None, &url).unwrap();
        assert_eq!(read.subject, format!("{subject} {}", "äöü ".repeat(30).trim()));
        assert_eq!(read.name, name);
    }
}
