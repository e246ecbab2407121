//! Score files as slrn has them: what their lines mean, what is wrong in them, and rules that are made of articles.

use jiff::civil::{Date, date};
use wayfarer::news::score::{About, Facts, Moment, Named, NewRule, ScoreText, Scores, included};

const TODAY: Date = date(2026, 11, 4);

fn scores(text: &str) -> Scores {
    Scores::read(vec![ScoreText { name: "scores".into(), text: text.into(), includes: Vec::new() }])
}

fn flaws(scores: &Scores) -> Vec<String> {
    scores.flaws().iter().map(ToString::to_string).collect()
}

fn facts() -> Facts<'static> {
    Facts {
        subject: "Re: Swap, swap and gizmos",
        from: "Linus <linus@example.org>",
        date: "Tue, 03 Nov 2026 10:00:00 +0000",
        message_id: "<2@x>",
        references: "<0@x> <1@x>",
        xref: "h g.one:2 g.advocacy:7",
        bytes: 20_480,
        lines: 12,
        written: Some(1_793_700_000),
    }
}

/// What the rules give.
fn given(text: &str, group: &str, facts: &Facts<'_>) -> i32 {
    let scores = scores(text);
    assert_eq!(flaws(&scores), [""; 0], "{text}");
    scores.judge(group.as_bytes(), Moment { today: TODAY, second: 1_793_800_000 }).why(facts).score
}

#[test]
fn rules_give_what_slrn_gives() {
    for (rules, wanted) in [
        ("Score: 10\nSubject: swap", 10),
        ("Score: 10\nSubject: \\cswap,", 0),
        ("Score: 10\nFrom: LINUS@example\\.org", 10),
        ("Score: 10\nMessage-ID: <2@x>", 10),
        ("Score: 10\nReferences: <0@x>", 10),
        ("Score: 10\nXref: advocacy", 10),
        ("Score: 10\nNewsgroup: ^g\\.one$", 10),
        ("Score: 10\nDate: Nov 2026", 10),
        ("Score: 10\nLines: 12", 10),
        ("Score: 10\nLines: 13", 0),
        ("Score: 10\n~Lines: 13", 10),
        ("Score: 10\nBytes: 20480", 10),
        ("Score: 10\nAge: 2", 10),
        ("Score: 10\nAge: 1", 0),
        ("Score: 10\n~Age: 1", 10),
        ("Score: 10\nHas-Body: 1", 10),
        ("Score: 10\nHas-Body: 0", 0),
        // All of them, or any.
        ("Score: 10\nSubject: swap\nFrom: nobody", 0),
        ("Score: 10\nSubject: swap\n~From: nobody", 10),
        ("Score:: 10\nSubject: nothing\nFrom: linus", 10),
        ("Score:: 10\nSubject: nothing\nFrom: nobody", 0),
        // Groups of them.
        ("Score:: -1000\n~Subject: gizmo\n{:\n  Subject: ^Re:\n  ~Subject: ^Re:.*\\c[A-Z]OO\n}", -1000),
        ("Score: 7\n~{::\nSubject: nothing\nFrom: nobody\n}", 7),
        ("Score: 7\n{::\n{:\nSubject: swap\nFrom: nobody\n}\nXref: advocacy\n}", 7),
        // Together, until one settles it.
        ("Score: 10\nSubject: swap\nScore: 5\nFrom: linus", 15),
        ("Score: =3 % enough\nSubject: swap\nScore: 5\nFrom: linus", 3),
        ("Score: 2147483647\nSubject: swap\nScore: 5\nFrom: linus", i32::MAX),
        // Days.
        ("Score: 10\nExpires: 11/5/2026\nSubject: swap", 10),
        ("Score: 10\nExpires: 4-11-2026\nSubject: swap", 0),
        ("Score: 10\nExpires:\nSubject: swap", 10),
        // Sections.
        ("[g.*]\nScore: 10\nSubject: swap", 10),
        ("[h.*, G.ONE]\nScore: 10\nSubject: swap", 10),
        ("[~ g.*]\nScore: 10\nSubject: swap", 0),
        ("[~h.*]\nScore: 10\nSubject: swap", 10),
        ("[h.*]\nScore: 10\nSubject: swap\n[*]\nScore: 1\nSubject: swap", 1),
        ("% all of it\n# a remark\n\n  score: 10\n\tsubject: swap", 10),
    ] {
        assert_eq!(given(rules, "g.one", &facts()), wanted, "{rules}");
    }
    // What the overview does not tell is nothing, and older than any day.
    assert_eq!(given("Score: 1\nAge: 9999\nScore: 2\n~Xref: x\nScore: 4\n~Bytes: 1", "g", &Facts::default()), 6);
}

#[test]
fn the_sample_of_slrn_is_read_without_a_word() {
    let sample = "[news.software.readers]\n\tScore: =1000\n\t% All slrn articles are good\n\tSubject: slrn\n\n\
        \tScore: 1000\n\tFrom: davis@space\\.mit\\.edu\n\n\tScore: -9999\n\tSubject: \\<agent\\>\n\n[comp.os.linux.*]\n\
        \tScore: -10\n\tExpires: 1/1/2030\n\tSubject: swap\n\n\tScore: -9999\n\tXref: advocacy\n\t~From: Linus\n\n\
        \tScore: -9999\n\tFrom: someone@who\\.knows\\.where\n\t~Subject: gizmo\n\t~Newsgroup: development\n\n\
        [~misc.invest.*, misc.taxes]\n\tScore:: -9999\n\tSubject: Earn Money\n\tSubject: Earn \\$\n";
    let scores = scores(sample);
    assert_eq!((flaws(&scores), scores.rules().len()), (Vec::new(), 7));
    assert_eq!(scores.rules()[6].groups(), "~misc.invest.*, misc.taxes");
    let judge = scores.judge(b"news.software.readers", Moment { today: TODAY, second: 0 });
    let why = judge.why(&Facts { subject: "an slrn agent to Earn $", ..Facts::default() });
    assert_eq!((why.score, why.rules), (1000, vec![0]));
}

#[test]
fn each_wrong_line_is_told_and_costs_its_own_rule() {
    let text = "From: early\n\
        Score: many\nFrom: a\n\
        Score: 1\nOrganization: b\n\
        Score: 2\nSubject: \\(x\n\
        Score: 3\n\
        Score: 4\nFrom: d\nExpires: 1-1-2030\n\
        Score: 5\nExpires: 31-31-2030\nFrom: e\n\
        Score: 6\n{:\nFrom: f\n\
        Score: 7\nFrom: g\n}\n\
        Score: 8\nno colon\n\
        Score: 9\nBytes: few\n\
        Score: 10\nFrom:\n\
        #ifdef SLRN\n\
        [broken\nScore: 11\nFrom: h\n\
        [ , ]\nScore: 12\nFrom: i\n\
        [*]\nScore: 13\nFrom: good\n\
        include other\n";
    let scores = scores(text);
    let lines: Vec<usize> = scores.flaws().iter().map(|flaw| flaw.line).collect();
    assert_eq!(lines, [1, 2, 5, 7, 8, 11, 13, 15, 20, 22, 24, 26, 27, 28, 31, 37], "{:#?}", flaws(&scores));
    let rules: Vec<i32> = scores.rules().iter().map(|rule| rule.score).collect();
    assert_eq!(rules, [13]);
    assert_eq!(scores.place(&scores.rules()[0]), "scores:35");
}

#[test]
fn files_are_included_where_they_stand_and_once() {
    let file = |name: &str, text: &str, includes| ScoreText { name: name.into(), text: text.into(), includes };
    let main = "[g.*]\ninclude one\nScore: 3\nFrom: c\nINCLUDE two\n";
    assert_eq!(included(main).collect::<Vec<_>>(), ["one", "two"]);
    let scores = Scores::read(vec![
        file("main", main, vec![Ok(1), Err("two is gone".into())]),
        file("one", "Score: 1\nFrom: a\ninclude main\nScore: 2\nFrom: b\n", vec![Ok(0)]),
    ]);
    assert_eq!(scores.rules().iter().map(|rule| rule.score).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(scores.rules().iter().all(|rule| rule.groups() == "g.*"));
    assert_eq!(flaws(&scores).len(), 2, "{:?}", flaws(&scores));
    assert!(flaws(&scores)[1].contains("main:5: two is gone"));
}

fn rule(about: About) -> NewRule {
    let (group, remark) = (Some(b"g.one".to_vec()), "test".into());
    NewRule { group, about, score: -9999, settles: true, expires: Some(date(2026, 12, 4)), remark }
}

#[test]
fn a_rule_is_written_as_slrn_writes_it() {
    let written = rule(About::Thread("a.b@x".into())).written().unwrap();
    let wanted =
        "\n% test\n[g.one]\nScore:: =-9999\nExpires: 04-12-2026\nMessage-Id: <a\\.b@x>\nReferences: <a\\.b@x>\n";
    assert_eq!(written, wanted);
    let named = Named::of(b"g", "Re: Re: Tunnels", "\"A. B\" <a@x> (c)", "<3@x>", "<1@x> <2@x>");
    assert_eq!((&*named.subject, &*named.author, &*named.id, &*named.thread), ("Tunnels", "a@x", "3@x", "1@x"));
    let named = Named::of(b"g", "", "a@x (A. B)", "<>", "");
    assert_eq!((&*named.author, &*named.id), ("a@x", ""));
    assert!(rule(About::Article(named.id)).written().is_err());
}

/// Whoever writes an article knows how score files look.
#[test]
fn what_an_article_says_is_no_expression_and_no_line() {
    let nasty = [
        "x\nScore: 9999\nFrom: .",
        "x\r\nScore: 9999\r\nFrom: .",
        "x\u{85}Score: 9999",
        "x\u{2028}Score: 9999",
        "x\u{B}\u{C}\0Score: 9999",
        "[a-z]*.+?^$\\(\\|\\)\\{2\\}\\<\\>\\d\\1\\",
        "% { } :: ~ # include /etc/passwd",
        "]\n[*]\nScore: 1\nFrom: .",
        "=?x?= ( | ) café Ü",
    ];
    for text in nasty {
        let abouts = [About::Subject(text.into()), About::Author(text.into()), About::Thread(text.into())];
        for about in abouts {
            let new = NewRule { remark: text.into(), ..rule(about) };
            let written = new.written().unwrap();
            let lines: Vec<&str> = written.split(|c: char| c.is_control() || c == '\u{2028}').collect();
            let scores = scores(&written);
            assert_eq!((flaws(&scores), scores.rules().len()), (Vec::new(), 1), "{written}");
            assert_eq!(lines.iter().filter(|line| line.starts_with("Score")).count(), 1, "{written}");
            let judge = scores.judge(b"g.one", Moment { today: TODAY, second: 0 });
            // It is about that article and not about others.
            let own = format!("<{text}>");
            let facts = Facts { subject: text, from: text, message_id: &own, ..Facts::default() };
            assert_eq!(judge.why(&facts).score, -9999, "{written}");
            let other = Facts { subject: "abc", from: "abc", message_id: "<abc>", ..Facts::default() };
            assert_eq!(judge.why(&other).score, 0, "{written}");
        }
    }
    for group in [&b"g]\n[*"[..], b"*", b"~g", b"a,b", b"a b", b"\xFF", b"", b"a\nScore: 1"] {
        assert!(NewRule { group: Some(group.into()), ..rule(About::Author("a".into())) }.written().is_err());
    }
    // slrn takes what is beyond 1023 octets for a line of its own.
    let long = format!("{}Score: 9999", "ü".repeat(505));
    for about in [About::Subject(long.clone()), About::Author(long.clone()), About::Article(long.clone())] {
        let written = NewRule { remark: long.clone(), ..rule(about) }.written();
        assert!(written.is_err() || written.unwrap().lines().all(|line| line.len() <= 1000));
    }
}

#[test]
fn thousands_of_articles_are_judged_by_hundreds_of_rules() {
    let rules: String = (0..200).map(|n| format!("Score: {n}\nSubject: word{n}\\>\n~From: nobody{n}@x\n")).collect();
    let scores = scores(&rules);
    let judge = scores.judge(b"g", Moment { today: TODAY, second: 0 });
    let total: i64 = (0..20_000)
        .map(|n| {
            let subject = format!("Re: something long about word{} and so on", n % 400);
            i64::from(judge.why(&Facts { subject: &subject, from: "A <a@x>", ..Facts::default() }).score)
        })
        .sum();
    assert_eq!(total, 50 * (0..200).sum::<i64>());
}
