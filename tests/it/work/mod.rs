//! What takes long, done inline: the same for all of it as for parts of it, and nothing when it is given up.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::random::search;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use wayfarer::bookmarks::Bookmarks;
use wayfarer::doc::{BlockKind, Builder, Document, LinkId, Search};
use wayfarer::format::{Arrange, Below, Input, Intake, Learnt, Wishes, media, parser};
use wayfarer::role::Role;
use wayfarer::stop::Stop;
use wayfarer::url::Url;
use wayfarer::visits::{Visit, Visits};
use wayfarer::work::{
    Candidate, Count, Find, FindLinks, Hit, LinkPattern, List, ListItem, ListRows, Message, Narrow, Offer, Offered,
    Origin, Print, Product, Quote, Read, Take, Taken, Track, Way, Work,
};

fn lines(count: usize) -> Arc<Document> {
    let mut out = Builder::new();
    for number in 0..count {
        out.block(BlockKind::Line, Role::Text);
        out.text(&format!("line {number} of them"));
    }
    Arc::new(out.finish())
}

fn input(media: &str) -> Input {
    Input {
        media: media.into(),
        charset: None,
        url: Url::parse("ftp://h/x/").unwrap(),
        groups: Default::default(),
        notices: Vec::new(),
    }
}

fn find(document: &Arc<Document>, words: &str, from: usize, way: Way) -> Find {
    Find { document: Arc::clone(document), search: Search::new(words).unwrap(), from, way }
}

fn visits(pages: i64) -> Visits {
    let mut visits = Visits::default();
    for time in 0..pages {
        let url = format!("http://host{}.example/page/{time}", time % 7);
        visits.add(Visit { url: &url, title: &format!("Title {time}"), time, count: 1 });
    }
    visits
}

fn offer(text: &str, visits: &Visits, compared: usize) -> Offer {
    let near = |(text, origin): (&'static str, Origin)| Candidate { text: text.into(), title: "".into(), origin };
    Offer {
        text: text.into(),
        near: [("http://near.example/", Origin::Tab), ("gopher://typed.example/", Origin::Typed)]
            .map(near)
            .into_iter()
            .collect(),
        bookmarks: Bookmarks::read("[[bookmark]]\nurl = \"http://kept.example/\"\ntitle = \"Kept\"\n").unwrap(),
        pages: visits.pages().clone(),
        most: 8,
        after: Offered::nothing(),
        compared,
    }
}

fn named(count: u32) -> ListRows {
    let item = |key: u32| ListItem { text: format!("Row {key}"), detail: format!("Detail {}", key % 10), key };
    (0..count).map(item).collect::<Vec<_>>().into()
}

/// One of each kind.
fn works() -> Vec<Work> {
    let (document, paper) = (lines(100), lines(100));
    let mut out = Builder::new();
    for number in 0..30 {
        out.link(&format!("Link {number}"), Role::Link, "x");
    }
    let linked = Arc::new(out.finish());
    let mut directory = parser(&input(media::DIRECTORY)).unwrap();
    let mut out = Builder::new();
    directory.feed(b"type=file;size=1; b\r\ntype=file;size=2; a\r\n", &mut out);
    let arrange = Arrange {
        given: Arc::new(out.finish()),
        rows: directory.rows(),
        wishes: Wishes { filter: "a".into(), ..Wishes::default() },
        toggled: BTreeSet::new(),
        below: Vec::new(),
        key: "Enter".into(),
        learnt: Learnt::Nothing,
    };
    let below = Below { title: "Below".into(), input: input(media::PLAIN), octets: b"words\n".as_slice().into() };
    let octets: Arc<[u8]> = b"Message-ID: <1@x>\nFrom: a@h.example\nSubject: s\n\nwords\n".as_slice().into();
    let (part, of) = (Url::parse("cid:part-1").unwrap(), Url::parse("news:1@x").unwrap());
    let message = Message { octets: Arc::clone(&octets), url: of.clone(), outermost: of.clone(), near: true };
    let pages = visits(10).pages().clone();
    let intake = Intake { input: input(media::PLAIN), title: None, keep: 0, memory: usize::MAX };
    vec![
        Work::Arrange(Box::new(arrange)),
        Work::Find(find(&document, "line 7", 0, Way::Down)),
        Work::Count(Count { document: Arc::clone(&document), search: Search::new("line").unwrap(), from: 0, most: 50 }),
        Work::Offer(Box::new(offer("title", &visits(10), usize::MAX))),
        Work::List(List { pages, words: "title".into(), before: None, most: 5 }),
        Work::Track(Box::new(Track {
            pages: visits(10).pages().clone(),
            to: 3,
            name: String::new(),
            notes: Default::default(),
            now: None,
            file: None,
        })),
        Work::Narrow(Narrow { rows: named(300), among: None, words: "row 7".into() }),
        Work::Read(Box::new(Read { intake, octets: b"one\ntwo\n".as_slice().into(), below: None })),
        Work::Append(document, Box::new(below)),
        Work::Take(Box::new(Take { url: part, id: None, messages: vec![message] })),
        Work::Quote(Box::new(Quote { octets, charset: None, url: of })),
        Work::Print(Print { document: paper, table: None }),
        Work::FindLinks(FindLinks { document: linked, pattern: LinkPattern::Words("LINK 2".into()), from: 1, most: 2 }),
    ]
}

#[test]
fn every_kind_of_work_has_its_product() {
    for work in works() {
        let fits = match (&work, work.clone().run(&Stop::new()).unwrap()) {
            (Work::Arrange(_), Product::Arranged(plan)) => (plan.passed, plan.rows) == (1, 2) && plan.shown.is_some(),
            (Work::Find(_), Product::Found(Some(hit))) => !hit.wrapped && hit.range.len() == 6,
            (Work::Count(_), Product::Counted(starts)) => starts.len() == 50,
            (Work::Offer(_), Product::Offered(offered)) => offered.found.len() == 8 && offered.rest.is_none(),
            (Work::List(_), Product::Listed(listing)) => listing.visits().len() == 5 && listing.has_older,
            (Work::Track(_), Product::Tracked(trail)) => {
                trail.stations.len() == 1 && !trail.document.blocks().is_empty()
            }
            (Work::Narrow(_), Product::Narrowed(rows)) => rows.len() == 57,
            (Work::Read(_), Product::Read(Some(whole))) => whole.page.document.text() == "onetwo",
            (Work::Append(..), Product::Appended(document)) => document.text().ends_with("Belowwords"),
            (Work::Take(_), Product::Taken(Taken::Part { part, .. })) => part.octets == b"words\n",
            (Work::Quote(_), Product::Quoted(Some(original))) => original.subject == "s",
            (Work::FindLinks(_), Product::Linked(links)) => links == [LinkId(2), LinkId(20)],
            (Work::Print(_), Product::Printed(text)) => text.starts_with(b"line 0 "),
            (_, product) => panic!("{product:?}"),
        };
        assert!(fits, "{work:?}");
    }
}

#[test]
fn a_list_is_narrowed_to_the_rows_that_hold_every_word_in_their_text_or_detail() {
    let rows = named(5000);
    let narrow = |words: &str, among: Option<Arc<[u32]>>| {
        Narrow { rows: rows.clone(), among, words: words.into() }.run(&Stop::new()).unwrap()
    };
    let expected: Vec<u32> = (0..5000).filter(|key| key.to_string().contains("12") && key % 10 == 3).collect();
    assert_eq!(narrow("12 DETAIL 3", None).iter().filter(|key| *key % 10 == 3).count(), expected.len());
    let twelve = narrow("ROW 12", None);
    assert_eq!(narrow("row 123", Some(twelve))[..], narrow("row 123", None)[..]);
    assert_eq!(narrow("nothing", None).len(), 0);
    assert!(Narrow { rows: named(100), among: None, words: "x".into() }.is_small());
    assert!(!Narrow { rows: named(100_000), among: None, words: "x".into() }.is_small());
}

#[test]
fn what_is_given_up_has_no_product() {
    let stop = Stop::new();
    stop.give_up();
    for work in works() {
        assert_eq!(work.clone().run(&stop), None, "{work:?}");
    }
}

#[test]
fn a_long_page_is_looked_through_both_ways_and_around() {
    let document = lines(60_000);
    let length = document.text().len();
    let hit = |words: &str, from: usize, way: Way| find(&document, words, from, way).run(&Stop::new()).unwrap();
    let line = |hit: Option<Hit>| hit.map(|hit| (document.anchor_at(hit.range.start).block, hit.wrapped));
    assert_eq!(line(hit("line 59999 ", 0, Way::Down)), Some((59_999, false)));
    assert_eq!(line(hit("line 7 ", length / 2, Way::Down)), Some((7, true)));
    assert_eq!(line(hit("line 7 ", length / 2, Way::Up)), Some((7, false)));
    assert_eq!(line(hit("line 59999 ", length / 2, Way::Up)), Some((59_999, true)));
    assert_eq!(line(hit("nowhere", 5, Way::Up)), None);
}

#[test]
fn the_best_addresses_are_the_same_however_many_are_compared_at_a_time() {
    let visits = visits(500);
    for text in ["title 4", "http://host3", "kept", "near", "", "title", "nothing like it"] {
        let all = offer(text, &visits, usize::MAX).run(&Stop::new()).unwrap();
        assert_eq!(all.rest, None);
        for compared in [1, 2, 3, 7, 100, 503] {
            let mut part = offer(text, &visits, compared);
            let mut steps = 0;
            while part.after.rest.is_some() {
                part.after = part.run(&Stop::new()).unwrap();
                steps += 1;
                assert!(steps <= 504, "{text}");
            }
            let found = |offered: &Offered| {
                offered.found.iter().map(|found| (found.text.clone(), found.matched.clone())).collect::<Vec<_>>()
            };
            assert_eq!(found(&part.after), found(&all), "{text} by {compared}");
        }
    }
}

proptest! {
    #![proptest_config(search(200))]

    #[test]
    fn the_next_match_is_the_first_of_all_that_are_counted(text in "[ab \n]{0,80}", from in 0usize..90, down in any::<bool>()) {
        let mut out = Builder::new();
        for line in text.lines() {
            out.block(BlockKind::Line, Role::Text);
            out.text(line);
        }
        let document = Arc::new(out.finish());
        let search = Search::new("a").unwrap();
        let count = Count { document: Arc::clone(&document), search, from: 0, most: usize::MAX };
        let starts = count.run(&Stop::new()).unwrap();
        let from = from.min(document.text().len());
        let way = if down { Way::Down } else { Way::Up };
        let hit = find(&document, "a", from, way).run(&Stop::new()).unwrap();
        let at = starts.partition_point(|start| (*start as usize) < from);
        let wanted = match down {
            true => starts.get(at).or(starts.first()),
            false => at.checked_sub(1).map(|at| &starts[at]).or(starts.last()),
        };
        prop_assert_eq!(hit.map(|hit| hit.range.start), wanted.map(|start| *start as usize));
    }
}
