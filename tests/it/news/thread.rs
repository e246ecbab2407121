//! Threads: Zawinski's examples and hostile ones, and what must hold of all of them.

use crate::random::search;
use proptest::prelude::*;
use std::fmt::Write;
use wayfarer::news::{Article, Forest, Threads};
use wayfarer::stop::Stop;

/// `id`, `references`, `subject`; the date is the article's place in the list, so is its number.
type Row<'a> = (&'a str, &'a str, &'a str);

fn article<'a>(at: u64, (id, references, subject): Row<'a>) -> Article<'a> {
    let (references, date) = (references.as_bytes(), Some(at as i64 * 100));
    Article { number: Some(at + 1), message_id: id.as_bytes(), references, subject, date }
}

/// `a(b(c) d)`, threads by their newest article, `?` for one that is not here.
fn written(forest: &Forest, name: impl Fn(u32) -> String) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for (at, row) in forest.rows.iter().enumerate() {
        match row.depth {
            0 => {
                out += &")".repeat(depth as usize);
                out += if at > 0 { " " } else { "" };
            }
            d if d > depth => out += "(",
            d => write!(out, "{} ", ")".repeat((depth - d) as usize)).unwrap(),
        }
        depth = row.depth;
        out += &row.article.map_or("?".into(), &name);
    }
    out + &")".repeat(depth as usize)
}

/// The threads of articles, added in any order; they must be the same.
fn threads(rows: &[Row]) -> String {
    let all: Vec<usize> = (0..rows.len()).collect();
    let given = in_order(rows, &all);
    let mut order = all.clone();
    order.reverse();
    assert_eq!(in_order(rows, &order), given, "newest first");
    for step in [3, 5, 7] {
        let order: Vec<usize> = (0..step).flat_map(|start| all.iter().skip(start).step_by(step).copied()).collect();
        assert_eq!(in_order(rows, &order), given, "every {step}th");
    }
    given
}

fn in_order(rows: &[Row], order: &[usize]) -> String {
    let mut threads = Threads::default();
    let mut here = Vec::new();
    for at in order {
        if threads.add(&article(*at as u64, rows[*at])).is_some() {
            here.push(if rows[*at].0.is_empty() { format!("#{}", at + 1) } else { rows[*at].0.to_owned() });
        }
    }
    let forest = forest(&threads);
    check(&forest, threads.len());
    written(&forest, |article| here[article as usize].clone())
}

fn forest(threads: &Threads) -> Forest {
    threads.forest(&Stop::new()).expect("nobody gives it up")
}

/// Every article once; each row's answers within it.
fn check(forest: &Forest, articles: usize) {
    let mut seen = vec![false; articles];
    let mut open: Vec<u32> = Vec::new();
    for (at, row) in forest.rows.iter().enumerate() {
        while open.last().is_some_and(|end| *end <= at as u32) {
            open.pop();
        }
        assert_eq!(row.depth as usize, open.len(), "row {at}");
        assert!(row.end > at as u32 && open.last().is_none_or(|end| row.end <= *end), "row {at}: {row:?}");
        open.push(row.end);
        match row.article {
            Some(article) => assert!(!std::mem::replace(&mut seen[article as usize], true), "row {at} is there twice"),
            // One that is not here has several answers, and begins a thread.
            None => {
                assert_eq!(row.depth, 0);
                let answers = forest.rows[at + 1..row.end as usize].iter().filter(|row| row.depth == 1).count();
                assert!(answers > 1, "row {at} has {answers} answers");
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen), "an article is missing");
}

#[test]
fn threads_by_references() {
    const CASES: &[(&str, &[Row], &str)] = &[
        ("nothing", &[], ""),
        ("a chain", &[("a", "", "x"), ("b", "<a>", "Re: x"), ("c", "<a> <b>", "Re: x")], "a(b(c))"),
        (
            "two answers",
            &[("a", "", "x"), ("b", "<a>", "Re: x"), ("c", "<a>", "Re: x"), ("d", "<b>", "Re: x")],
            "a(b(d) c)",
        ),
        ("the newest thread first", &[("a", "", "x"), ("b", "", "y"), ("c", "<a>", "Re: x")], "a(c) b"),
        ("a missing one within", &[("a", "", "x"), ("c", "<a> <b>", "Re: x")], "a(c)"),
        (
            "several missing within",
            &[("a", "", "x"), ("e", "<a> <b> <c> <d>", "q"), ("f", "<a> <b> <c>", "r")],
            "a(e f)",
        ),
        ("a missing first, one answer", &[("b", "<a>", "Re: x")], "b"),
        ("a missing first, two answers", &[("b", "<a>", "Re: x"), ("c", "<a>", "y")], "?(b c)"),
        ("answers of a missing one's answers", &[("c", "<a> <b>", "x"), ("d", "<a> <b>", "y")], "?(c d)"),
        ("two missing branches", &[("c", "<a> <b>", "x"), ("e", "<a> <d>", "y")], "?(c e)"),
        ("its own word counts", &[("a", "", "x"), ("b", "", "y"), ("c", "<a> <b>", "z")], "b(c) a"),
        (
            "its own word, though others differ",
            &[("b", "<a>", "x"), ("c", "<d> <b>", "y"), ("a", "", "z"), ("d", "", "w")],
            "d a(b(c))",
        ),
        (
            "cut in the middle",
            &[("a", "", "q"), ("d", "<a> <b> <c>", "w"), ("e", "<a> <c> <d>", "z"), ("b", "<a>", "y")],
            "a(b(d(e)))",
        ),
        ("empty and broken ids", &[("", "", "x"), ("", "<>", "y"), ("b", "<", "z")], "b #2 #1"),
        ("without an id, with references", &[("a", "", "x"), ("", "<a>", "y"), ("", "<a>", "z")], "a(#2 #3)"),
    ];
    for (what, rows, wanted) in CASES {
        assert_eq!(threads(rows), *wanted, "{what}");
    }
}

#[test]
fn threads_of_liars() {
    const CASES: &[(&str, &[Row], &str)] = &[
        ("itself", &[("a", "<a>", "x")], "a"),
        ("itself last", &[("a", "", "x"), ("b", "<a> <b>", "y")], "a(b)"),
        ("each other", &[("a", "<b>", "x"), ("b", "<a>", "y")], "a(b)"),
        ("a ring of three", &[("a", "<c>", "x"), ("b", "<a>", "y"), ("c", "<b>", "z")], "a(b(c))"),
        (
            "a ring and its answers",
            &[("a", "<b>", "x"), ("b", "<a>", "y"), ("c", "<b>", "z"), ("d", "<a>", "w")],
            "a(b(c) d)",
        ),
        ("a ring through a missing one", &[("a", "<b>", "x"), ("c", "<a> <b> <q>", "y")], "?(a c)"),
        ("a ring of missing ones", &[("a", "<p> <q> <p>", "x"), ("b", "<q> <p>", "y")], "?(a b)"),
        ("one twice in a row", &[("a", "", "x"), ("b", "<a> <a> <a>", "y")], "a(b)"),
        ("one id, two articles", &[("a", "", "x"), ("a", "", "y"), ("b", "<a>", "z")], "a(b) a"),
        (
            "one id, two places",
            &[("p", "", "1"), ("q", "", "2"), ("a", "<p>", "x"), ("a", "<q>", "y"), ("b", "<a>", "z")],
            "p(a(b)) q(a)",
        ),
    ];
    for (what, rows, wanted) in CASES {
        assert_eq!(threads(rows), *wanted, "{what}");
    }
}

#[test]
fn lost_answers_find_their_thread_by_subject() {
    const CASES: &[(&str, &[Row], &str)] = &[
        ("an answer without references", &[("a", "", "x"), ("b", "", "Re: x")], "a(b)"),
        ("case and spaces", &[("a", "", "Gopher  FORMS"), ("b", "", "AW: gopher forms ")], "a(b)"),
        ("a word of another language", &[("a", "", "x"), ("b", "", "Antwort: x")], "a(b)"),
        ("the name of a list", &[("a", "", "[list] x"), ("b", "", "Re: x")], "a(b)"),
        ("the name of a list in the answer", &[("a", "", "x"), ("b", "", "Re: [list] x")], "a(b)"),
        ("passed on in brackets", &[("a", "", "x"), ("b", "", "[fwd: x]")], "a(b)"),
        ("passed on, said at the end", &[("a", "", "x"), ("b", "", "x (fwd)")], "a(b)"),
        ("beside an answer with them", &[("a", "", "x"), ("b", "", "Re: x"), ("c", "<a>", "Re: x")], "a(b c)"),
        ("with its own answers", &[("a", "", "x"), ("b", "", "Re: x"), ("c", "<b>", "Re: x")], "a(b(c))"),
        ("the question came later", &[("b", "", "Re: x"), ("a", "", "x")], "a(b)"),
        ("only answers", &[("a", "", "Re: x"), ("b", "", "Re: x")], "?(a b)"),
        ("to a missing one", &[("a", "<p>", "Re: x"), ("b", "<p>", "Re: x"), ("c", "", "Re: x")], "?(a b c)"),
        (
            "two missing ones",
            &[("a", "<p>", "Re: x"), ("b", "<p>", "y"), ("c", "<q>", "Re: x"), ("d", "<q>", "z")],
            "?(a b c d)",
        ),
        ("a missing one's answers", &[("o", "", "x"), ("a", "<p>", "Re: x"), ("b", "<p>", "y")], "o(a b)"),
        (
            "the latest before it",
            &[("a", "", "FAQ"), ("b", "", "FAQ"), ("c", "", "Re: FAQ"), ("d", "", "FAQ")],
            "d b(c) a",
        ),
        ("no answers", &[("a", "", "FAQ"), ("b", "", "FAQ")], "b a"),
        ("no subject", &[("a", "", ""), ("b", "", "Re:"), ("c", "", "Re: ")], "c b a"),
        ("within a thread no more", &[("a", "", "x"), ("b", "<a>", "y"), ("c", "", "Re: y")], "c a(b)"),
    ];
    for (what, rows, wanted) in CASES {
        assert_eq!(threads(rows), *wanted, "{what}");
    }
}

#[test]
fn articles_that_come_again_are_known() {
    let mut threads = Threads::default();
    for (number, id, new) in [
        (5, "a", true),
        (5, "a", false),
        (6, "a", true),
        (6, "a", false),
        (4, "a", true),
        (5, "a", false),
        (7, "", true),
        (7, "", false),
        (6, "b", true),
    ] {
        let article = Article { number: Some(number), message_id: id.as_bytes(), ..Article::default() };
        assert_eq!(threads.add(&article).is_some(), new, "{number} {id}");
    }
    let by_id = Article { message_id: b"b", ..Article::default() };
    assert_eq!(threads.add(&by_id), None);
    assert_eq!(threads.len(), 5);
    assert_eq!(threads.with_id(b"a"), Some(2), "the first number has the id");
    assert_eq!(threads.with_id(b"c"), None);
    check(&forest(&threads), 5);
}

#[test]
fn answers_stand_by_date_and_undated_ones_last() {
    let mut threads = Threads::default();
    for (number, id, date) in
        [(1, "a", Some(1)), (2, "late", Some(50)), (3, "early", Some(-9)), (4, "never", None), (5, "nor", None)]
    {
        let references: &[u8] = if id == "a" { b"" } else { b"<a>" };
        threads.add(&Article { number: Some(number), message_id: id.as_bytes(), references, subject: "", date });
    }
    let articles: Vec<_> = forest(&threads).rows.iter().map(|row| row.article).collect();
    assert_eq!(articles, [0, 2, 1, 3, 4].map(Some));
}

#[test]
fn ten_thousand_references_and_a_million_generations() {
    let all: String = (0..10_000).map(|n| format!("<{n}@x> ")).collect();
    let mut threads = Threads::default();
    threads.add(&Article { message_id: b"end@x", references: all.as_bytes(), ..Article::default() });
    assert_eq!(forest(&threads).rows.len(), 1);
    threads.add(&Article { message_id: b"5000@x", ..Article::default() });
    assert_eq!(forest(&threads).rows.iter().map(|row| row.depth).collect::<Vec<_>>(), [0, 1]);
    // Newest first, so that each is put above a thread that is there.
    let mut threads = Threads::default();
    for n in (0..1_000_000u32).rev() {
        let (id, before) = (format!("{n}@x"), format!("<{}@x>", n.wrapping_sub(1)));
        let number = Some(u64::from(n) + 1);
        threads.add(&Article {
            number,
            message_id: id.as_bytes(),
            references: before.as_bytes(),
            ..Article::default()
        });
    }
    let forest = forest(&threads);
    assert_eq!(forest.roots().count(), 1);
    assert_eq!(forest.rows.iter().map(|row| row.depth).max(), Some(999_999));
}

#[test]
fn threading_that_is_given_up_ends_with_nothing() {
    let mut threads = Threads::default();
    threads.add(&article(0, ("a", "", "x")));
    let stop = Stop::new();
    assert!(threads.forest(&stop).is_some());
    stop.clone().give_up();
    assert_eq!(threads.forest(&stop), None);
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn threads_do_not_depend_on_the_order_of_arrival(
        articles in proptest::collection::vec(("[a-h]?", proptest::collection::vec("[a-k]", 0..5), "(|Re: )[xy]?", proptest::option::of(0i64..6)), 0..14),
        shuffle in any::<[u8; 14]>(),
    ) {
        let rows: Vec<_> = articles.iter().enumerate().map(|(at, (id, references, subject, date))| {
            let references: String = references.iter().map(|id| format!("<{id}> ")).collect();
            (at as u64 + 1, id, references, subject, *date)
        }).collect();
        let of = |order: &[usize]| {
            let mut threads = Threads::default();
            let mut numbers = Vec::new();
            for (number, id, references, subject, date) in order.iter().map(|at| &rows[*at]) {
                let (message_id, references) = (id.as_bytes(), references.as_bytes());
                if threads.add(&Article { number: Some(*number), message_id, references, subject, date: *date }).is_some() {
                    numbers.push(*number);
                }
            }
            let forest = forest(&threads);
            check(&forest, rows.len());
            written(&forest, |article| numbers[article as usize].to_string())
        };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let given = of(&order);
        order.sort_by_key(|at| shuffle[*at]);
        prop_assert_eq!(of(&order), given);
    }
}
