//! Groups as threads, lists of groups with what is said of them: pages written anew.

use super::input;
use crate::random::search;
use jiff::tz::{Offset, TimeZone};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use wayfarer::doc::{Anchor, Arranged, Builder, Document, Folded, Layout, LinkId, Marks, Wrap};
use wayfarer::format::{Arrange, Input, Learnt, Order, PageRows, Plan, Reading, Roll, Show, Wishes, media, parser};
use wayfarer::news::ArticleSet;
use wayfarer::role::Role;
use wayfarer::stop::Stop;

const THREADS: &[u8] = include_bytes!("../../data/format/newsgroup.threads.in");

/// A page, all of which has come.
struct Page {
    given: Arc<Document>,
    rows: PageRows,
    /// What was learnt when it was shown before.
    learnt: Learnt,
}

impl Page {
    fn of(media: &str, url: &str, octets: &[u8]) -> Page {
        Page::read(&input(media, url), octets)
    }

    fn read(input: &Input, octets: &[u8]) -> Page {
        let mut parser = parser(input).unwrap();
        let mut out = Builder::new();
        parser.feed(octets, &mut out);
        parser.finish(&mut out);
        Page { rows: parser.rows().unwrap(), given: Arc::new(out.finish()), learnt: Learnt::Nothing }
    }

    fn group(octets: &[u8]) -> Page {
        Page::of(media::NEWSGROUP, "news:comp.infosystems.gopher", octets)
    }

    fn plan(&mut self, wishes: &Wishes, stop: &Stop) -> Option<Plan> {
        let job = Arrange {
            given: Arc::clone(&self.given),
            rows: Some(self.rows.clone()),
            wishes: wishes.clone(),
            toggled: (0..self.given.folds.len() as u32).collect(),
            below: Vec::new(),
            key: "Enter".into(),
            learnt: self.learnt.clone(),
        };
        let plan = job.run(stop)?;
        self.learnt = plan.learnt.clone();
        Some(plan)
    }

    fn arrange(&mut self, wishes: &Wishes) -> Arranged {
        let page = self.plan(wishes, &Stop::new()).unwrap().shown.expect("a page that is written anew");
        assert_eq!(page.blocks().len(), page.document().blocks().len());
        for shown in (0..page.document().link_count()).map(LinkId) {
            let link = page.given_link(shown).unwrap();
            assert_eq!(page.document().reference(shown), self.given.reference(link));
            assert_eq!(page.shown_link(link), Some(shown));
        }
        page
    }

    fn rewrite(&mut self, reading: &Reading) -> Arranged {
        self.arrange(&Wishes { order: Order::Thread, reading: reading.clone(), ..Wishes::default() })
    }

    fn screen(&mut self, reading: &Reading, width: u16) -> String {
        screen(self.rewrite(reading).document(), width)
    }
}

fn screen(document: &Document, width: u16) -> String {
    let layout = Layout { width, measure: None, wrap: Wrap::Off, marks: Marks::Words };
    let mut out = String::new();
    for line in layout.lines(document, Anchor::default(), 1000) {
        let text: String = line.segments.iter().map(|segment| segment.text.as_ref()).collect();
        writeln!(out, "{}", text.trim_end()).unwrap();
    }
    out
}

fn reading(read: &str) -> Reading {
    let zone = TimeZone::fixed(Offset::constant(1));
    let now = jiff::civil::date(2026, 11, 20).at(15, 0, 0, 0).to_zoned(zone).unwrap();
    let read = Some(ArticleSet::parse(read.as_bytes()).0);
    Reading { now: Some(now), read, ..Reading::default() }
}

#[test]
fn a_group_as_threads() {
    let mut page = Page::group(THREADS);
    let wanted = "\
comp.infosystems.gopher · 7 of 205 articles, 4 unread, 1 thread new
  • Café menus                                        Reader Fünf     14:00
▾   Gopher+ forms that still work                     Reader One   4  yesterday
  ├ • two@example.org                                                 yesterday
  └ ┬ Reader Three                                                    09:12
    └ • ASK blocks (was: Gopher+ forms that still w…  Two, Reader     09:40
▾   [Veronica-2 down?]                                             2
  ├ • seven                                                           2019-03-16
  └   six                                                             Tue
older articles: 1,192–1,199
";
    let first = page.screen(&reading("1-1200,1203,1205"), 80);
    assert_eq!(first, wanted);
    let narrow = page.screen(&reading("1-1200,1203,1205"), 40);
    // Who wrote it says more there than when.
    assert!(narrow.contains("▾   Gopher+ forms that sti…  Reader One\n"), "{narrow}");
}

#[test]
fn threads_that_were_read_are_closed_and_those_being_read_stay_open() {
    let mut page = Page::group(THREADS);
    let shown = page.screen(&reading("1-1203,1205-1207"), 80);
    assert!(shown.contains("▸   Gopher+ forms that still work    Reader One   4  yesterday\n▾"), "{shown}");
    assert!(!shown.contains("ASK"), "{shown}");
    // Its last article is read; only on the next visit is it closed.
    let shown = page.screen(&reading("1-1207"), 80);
    assert!(shown.contains("▾   [Veronica-2 down?]"), "{shown}");
    let shown = Page::group(THREADS).screen(&reading("1-1207"), 80);
    assert!(shown.contains("▸   [Veronica-2 down?]"), "{shown}");
    // The reader says otherwise: heads are known by their given blocks (that of the first article under a missing one).
    let folds = BTreeMap::from([(4, true), (7, false)]);
    let mut page = Page::group(THREADS);
    let shown = page.screen(&Reading { folds, ..reading("1-1203,1205-1207") }, 80);
    assert!(shown.contains("▾   Gopher+ forms"), "{shown}");
    assert!(shown.contains("▸ • 1 unread  [Veronica-2 down?]"), "{shown}");
}

#[test]
fn a_closed_thread_shows_what_is_unread_in_it() {
    let mut page = Page::group(THREADS);
    let folds = BTreeMap::from([(4, false)]);
    let shown = page.screen(&Reading { folds, ..reading("1-1205,1207") }, 80);
    assert!(shown.contains("▸ • 1 unread  Gopher+ forms"), "{shown}");
}

#[test]
fn any_article_with_answers_folds() {
    let mut page = Page::group(THREADS);
    // One answer stands under it, unread.
    let folds = BTreeMap::from([(1, false)]);
    let closed = |read: &str| Reading { folds: folds.clone(), ..reading(read) };
    let shown = page.screen(&closed("1-1200,1203,1205"), 80);
    let wanted = "
  ├ • two@example.org                                yesterday
  └ ▸ • 1 unread  Reader Three                    2  09:12
▾";
    assert!(shown.contains(wanted), "{shown}");
    assert!(!shown.contains("ASK"), "{shown}");
    let shown = page.screen(&closed("1-1207"), 80);
    assert!(shown.contains("  └ ▸ Reader Three "), "{shown}");
    // What has no answers does not.
    let folds = BTreeMap::from([(5, false)]);
    assert_eq!(page.screen(&Reading { folds, ..reading("1-1207") }, 80), page.screen(&reading("1-1207"), 80));
}

#[test]
fn the_thread_that_the_reader_stands_in_stays_open() {
    let here = |article: u32| Reading { here: Some(LinkId(article)), ..reading("1-1207") };
    assert!(Page::group(THREADS).screen(&here(6), 80).contains("▸   Gopher+"));
    let shown = Page::group(THREADS).screen(&here(4), 80);
    assert!(shown.contains("▾   Gopher+") && shown.contains("▸   [Veronica"), "{shown}");
    // On the head of a closed thread they do not stand in it.
    let shown = Page::group(THREADS).screen(&here(3), 80);
    assert!(shown.contains("▸   Gopher+"), "{shown}");
    let closed = Reading { folds: BTreeMap::from([(4, false)]), ..here(4) };
    assert!(Page::group(THREADS).screen(&closed, 80).contains("▸   Gopher+"));
}

#[test]
fn only_what_is_unread() {
    let mut page = Page::group(THREADS);
    let shown = page.screen(&Reading { show: Show::Unread, ..reading("1-1205,1207") }, 80);
    assert!(shown.contains("ASK blocks") && shown.contains("  ├   two@example.org"), "whole threads: {shown}");
    assert!(!shown.contains("Veronica") && !shown.contains("Café"), "{shown}");
    let reading = Reading { show: Show::Unread, ..reading("1-1205,1207") };
    let shown = page.arrange(&Wishes { order: Order::Date, reading, ..Wishes::default() });
    let shown = screen(shown.document(), 80);
    assert!(!shown.contains("Re:") && shown.contains("• ASK blocks"), "{shown}");
}

#[test]
fn a_group_by_date() {
    let mut page = Page::group(THREADS);
    let shown = page.arrange(&Wishes { order: Order::Date, reading: reading("1-1206"), ..Wishes::default() });
    let shown = screen(shown.document(), 80);
    let wanted = "\
• Café menus                                         Reader Fünf      14:00
  ASK blocks (was: Gopher+ forms that still work)    Two, Reader      09:40
  Re: Gopher+ forms that still work                  Reader Three     09:12
  Re: Gopher+ forms that still work                  two@example.org  yesterday
  Gopher+ forms that still work                      Reader One       yesterday
  Re: Veronica-2 down?                               six              Tue
  Re: Veronica-2 down?                               seven            2019-03-16
";
    assert!(shown.contains(wanted), "{shown}");
}

#[test]
fn what_is_unread_has_a_look_of_its_own() {
    let mut page = Page::group(THREADS);
    let unread = |page: &Arranged| {
        let document = page.document();
        let spans = document.spans_in(0..document.text().len()).iter().filter(|span| span.role == Role::LinkUnread);
        spans.filter_map(|span| Some(page.given_link(span.link?)?.0)).collect::<Vec<_>>()
    };
    assert_eq!(unread(&page.rewrite(&reading("1-1200,1203,1205"))), [2, 4, 1, 6]);
    // Nothing is known of what was read: nothing is marked, and dates are numbers.
    let plain = page.rewrite(&Reading::default());
    assert!(unread(&plain).is_empty());
    let plain = screen(plain.document(), 80);
    assert!(plain.starts_with("comp.infosystems.gopher · 7 of 205 articles\n") && !plain.contains('•'), "{plain}");
    assert!(plain.contains("└ ┬ Reader Three  ") && plain.contains("Two, Reader     2026-11-20\n"), "{plain}");
}

#[test]
fn older_slices_join_what_is_there() {
    let (newest, older) = THREADS.split_at(memchr::memmem::find(THREADS, b"\r\n\r\n").unwrap() + 4);
    let mut parser = parser(&input(media::NEWSGROUP, "news:g")).unwrap();
    let mut out = Builder::new();
    parser.feed(newest, &mut out);
    let begun = (parser.rows().unwrap(), Arc::new(out.document().clone()));
    parser.feed(older, &mut out);
    parser.finish(&mut out);
    // What was handed out stays as it was.
    let mut page = Page { rows: begun.0, given: begun.1, learnt: Learnt::Nothing };
    let before = page.arrange(&Wishes { order: Order::Thread, ..Wishes::default() });
    assert_eq!(before.document().blocks().len(), 4, "a heading, a thread of one article and one of two");
    let mut page = Page { rows: parser.rows().unwrap(), given: Arc::new(out.finish()), ..page };
    assert_eq!(page.arrange(&Wishes::default()), Page::group(THREADS).arrange(&Wishes::default()));
}

fn big_group(articles: std::ops::Range<u64>) -> Vec<u8> {
    let mut octets = Vec::new();
    for n in articles.rev() {
        let references = if n % 5 > 0 { format!("<{}@x>", (n - 1).saturating_sub(n % 3)) } else { String::new() };
        writeln_to(&mut octets, format_args!("{n}\tRe: x {}\tf\t\t<{n}@x>\t{references}\t\t\t\r", n / 50));
    }
    octets
}

#[test]
fn what_was_learnt_saves_work_and_changes_nothing() {
    let group = [b"g\t1\t2000\t\t\r\n".to_vec(), big_group(1..2_001)].concat();
    let mut page = Page::group(&group);
    for (order, filter) in [(Order::Thread, ""), (Order::Thread, "7"), (Order::Date, ""), (Order::Given, "7")] {
        let folds = BTreeMap::from([(3, false), (70, false)]);
        let reading = Reading { folds, ..reading("1-700") };
        let wishes = Wishes { order, filter: filter.into(), reading, ..Wishes::default() };
        assert_eq!(page.arrange(&wishes), Page::group(&group).arrange(&wishes), "{order:?} {filter}");
    }
}

#[test]
fn a_page_that_is_given_up_ends_with_nothing() {
    let group = [b"g\t1\t2000\t\t\r\n".to_vec(), big_group(1..2_001)].concat();
    let stop = Stop::new();
    stop.give_up();
    for order in [Order::Thread, Order::Date] {
        assert_eq!(Page::group(&group).plan(&Wishes { order, ..Wishes::default() }, &stop), None);
    }
}

#[test]
fn a_group_without_articles() {
    let mut page = Page::group(b"empty.group\t0\t0\t0\t\r\n");
    assert_eq!(page.screen(&reading(""), 80), "empty.group · 0 articles, 0 unread, 0 threads new\n");
    let mut nothing = Page::group(b"");
    assert_eq!(nothing.screen(&reading(""), 80), "");
}

#[test]
fn lines_of_threads_end_somewhere() {
    // A hundred thousand generations: the lines before a subject stay short.
    let mut octets = b"g\t1\t100000\t\t\r\n".to_vec();
    for n in 0..100_000 {
        writeln_to(&mut octets, format_args!("{n}\tRe: x\tf\t\t<{n}@x>\t<{}@x>\t\t\t\r", n - 1));
    }
    let mut page = Page::group(&octets);
    let rewritten = page.rewrite(&Reading::default());
    assert_eq!(rewritten.blocks().len(), 100_001);
    let longest = (1..100_001).map(|block| rewritten.document().block_text(block).chars().count()).max();
    assert!(longest < Some(150), "{longest:?}");
}

/// What a chain of answers, each with a sibling that nobody answered, looks like: the column of each row's own line, and what
/// stands before it.
fn leads(generations: usize, width: usize) -> Vec<(usize, String)> {
    let mut octets = format!("g\t1\t{}\t\t\r\n", 2 * generations + 1).into_bytes();
    writeln_to(&mut octets, format_args!("1\tx\tf\t\t<0@x>\t\t\t\t\r"));
    for n in 1..=generations {
        writeln_to(&mut octets, format_args!("{}\tRe: x\tf\t\t<{n}@x>\t<{}@x>\t\t\t\r", 2 * n, n - 1));
        writeln_to(&mut octets, format_args!("{}\tRe: x\tf\t\t<s{n}@x>\t<{}@x>\t\t\t\r", 2 * n + 1, n - 1));
    }
    let screen = Page::group(&octets).screen(&Reading::default(), width as u16);
    let own = |line: &str| line.rfind(['├', '└']).map(|at| (line[..at].chars().count(), line[..at].to_owned()));
    screen.lines().filter_map(own).collect()
}

/// Below eight generations all stood in one column, as if they were siblings.
#[test]
fn answers_in_a_deep_thread_never_stand_right_below_what_they_answer() {
    for (generations, width) in [(91, 80), (91, 160), (91, 40), (30, 40), (200, 80), (200, 200)] {
        let leads = leads(generations, width);
        assert_eq!(leads.len(), 2 * generations, "{generations} at {width}");
        // Down the chain, and then its siblings on the way back: a row and its sibling stand in one column.
        let (chain, siblings) = leads.split_at(generations);
        for (at, pair) in chain.windows(2).enumerate() {
            assert_ne!(pair[0].0, pair[1].0, "generation {at} of {generations} at {width}");
        }
        for (one, other) in chain.iter().zip(siblings.iter().rev()) {
            assert_eq!(one.0, other.0, "siblings, {generations} at {width}: {one:?}, {other:?}");
        }
        let widest = leads.iter().map(|(column, _)| *column).max().unwrap();
        assert!(widest < width * 3 / 5, "{widest} at {width}");
        let deepest = &chain[generations - 1].1;
        assert!(deepest.starts_with(&generations.to_string()), "{deepest}");
    }
    // Where there is room for all of them, nothing is left out.
    assert!(leads(12, 80).iter().all(|(_, before)| before.starts_with("  ")));
    assert!(leads(29, 160).iter().all(|(_, before)| before.starts_with("  ")));
}

fn writeln_to(octets: &mut Vec<u8>, line: std::fmt::Arguments<'_>) {
    use std::io::Write;
    writeln!(octets, "{line}").unwrap();
}

#[test]
fn groups_by_name_with_their_descriptions() {
    let list = include_bytes!("../../data/format/newsgroups.list.in");
    let mut page = Page::of(media::NEWSGROUPS, "news:*", list);
    let wanted = "\
alt.moderated        0  (moderated)
comp.lang.c      1,100  The language C
de.comp.hör         20  (no posting)
lone
low                  3  Low numbers
none                 0  (no posting) comes with it
odd
old.name             2  (now new.name)
";
    assert_eq!(page.screen(&Reading::default(), 80), wanted);
}

#[test]
fn what_a_server_says_to_everybody_stands_above_its_groups() {
    let list = include_bytes!("../../data/format/newsgroups.list.in");
    let mut plain = Page::of(media::NEWSGROUPS, "news:*", list);
    let said = |lines: &[&str]| {
        let mut input = input(media::NEWSGROUPS, "news:*");
        input.notices = lines.iter().map(|line| (*line).to_owned()).collect();
        Page::read(&input, list)
    };
    for lines in [&["Welcome."][..], &["Welcome.", "Be kind.", "\u{1b}[31mRed"]] {
        let mut page = said(lines);
        let wishes = Wishes { reading: reading(""), ..Wishes::default() };
        let (shown, without) = (page.arrange(&wishes), plain.arrange(&wishes));
        let text = screen(shown.document(), 80);
        let (above, rows) = text.split_at(text.match_indices('\n').nth(lines.len() - 1).unwrap().0 + 1);
        assert!(above.starts_with("┄ Welcome.\n") && !above.contains('\u{1b}'), "{above}");
        assert_eq!(rows, screen(without.document(), 80), "the groups are as they would be without");
        // Closed, it is one line with a word on the rest, and the links of the groups lead where they did.
        let closed = shown.folded(&page.given, &Folded::of(&page.given, &BTreeSet::new()), "Enter");
        let text = screen(closed.document(), 80);
        let head = if lines.len() > 1 { "┄ Welcome. (2 more lines: Enter)\n" } else { "┄ Welcome.\n" };
        assert!(text.starts_with(head), "{text}");
        assert_eq!(&text[head.len()..], rows);
        for link in (0..closed.document().link_count()).map(LinkId) {
            let given = closed.given_link(link).unwrap();
            assert_eq!(closed.document().reference(link), page.given.reference(given));
            assert_eq!(closed.document().link_text(link), page.given.link_text(given).trim());
        }
        let Some(Roll::Groups(groups)) = page.rows.roll(&wishes, &page.learnt) else { panic!("no groups") };
        for row in groups.iter() {
            assert_eq!(page.given.link_text(row.link), String::from_utf8_lossy(&row.name));
        }
    }
}

#[test]
fn new_groups_are_marked_and_counted() {
    let octets = b"a.old\t1\t5\t5\ty\t\nz.new\t1\t2\t2\tm\t\nb.old\t1\t1\t1\ty\t\n\tz.new\n\tnot.listed\n";
    let mut page = Page::of(media::NEWSGROUPS, "news:*", octets);
    assert_eq!(page.given.notes, ["1 new group"]);
    let wishes = Wishes::default();
    let shown = screen(page.arrange(&wishes).document(), 60);
    assert_eq!(shown, "z.new  new    2  (moderated)\na.old         5\nb.old         1\n");
    // Who looks at their own groups sees the new ones too.
    let newsrc = std::sync::Arc::new(wayfarer::news::Newsrc::parse(b"b.old: 1\n").0);
    let reading = Reading { newsrc: Some(newsrc), show: Show::Subscribed, ..Reading::default() };
    let shown = screen(page.arrange(&Wishes { reading, ..Wishes::default() }).document(), 40);
    assert_eq!(shown, "  b.old       1\nz.new  new    2\n");
}

#[test]
fn sizes_are_told_where_there_is_room() {
    let octets = b"g\t1\t2\t2\t\n1\tOne\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<1@x>\t\t31948\t1\t\n\
                   2\tTwo\tB <b@x>\tTue, 03 Nov 2026 10:00:00 +0000\t<2@x>\t\t\t1\t\n";
    let mut page = Page::group(octets);
    let wide = page.screen(&reading(""), 100);
    let row = |words: &str| wide.lines().find(|line| line.contains(words)).unwrap().to_owned();
    assert!(row("One").contains("31.9 kB") && !row("Two").contains("kB"), "{wide}");
    for width in [80, 40] {
        let narrow = page.screen(&reading(""), width);
        assert!(!narrow.contains("31.9 kB") && narrow.contains("One"), "{narrow}");
    }
}

#[test]
fn older_articles_are_where_the_server_says() {
    let row = "500\tOne\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<1@x>\t\t9\t1\t\n";
    let older = |head: &str, row: &str| {
        let page = Page::group(format!("{head}\n{row}").as_bytes());
        (0..page.given.link_count()).map(LinkId).filter_map(|l| page.given.reference(l)).next_back().map(str::to_owned)
    };
    assert_eq!(older("g\t1\t500\t9\t", row).unwrap(), "news:g/499-499", "a guess");
    assert_eq!(older("g\t1\t500\t9\t\t3-17", row).unwrap(), "news:g/3-17");
    assert_eq!(older("g\t1\t500\t9\tn\t-", row).unwrap(), "news:1@x", "there are none");
    assert_eq!(older("g\t1\t500\t9\t\t3-17", "").unwrap(), "news:g/3-17", "a page without articles leads on");
}

#[test]
fn articles_and_groups_by_words() {
    let mut page = Page::group(THREADS);
    let only = |filter: &str| Wishes { order: Order::Thread, filter: filter.into(), ..Wishes::default() };
    let shown = screen(page.arrange(&only("re: two")).document(), 80);
    assert!(shown.contains("\n  Re: Gopher+ forms that still work    two@example.org"), "{shown}");
    assert_eq!(shown.lines().count(), 3, "a heading, an article, older ones: {shown}");
    let list = include_bytes!("../../data/format/newsgroups.list.in");
    let mut page = Page::of(media::NEWSGROUPS, "news:*", list);
    let shown = screen(page.arrange(&only("comp language")).document(), 80);
    assert!(shown.starts_with("comp.lang.c ") && shown.lines().count() == 1, "{shown}");
    let sizes = Wishes { order: Order::Size, ..Wishes::default() };
    let shown = screen(page.arrange(&sizes).document(), 30);
    assert!(shown.starts_with("comp.lang.c\nde.comp.hör\nlow\nold.name\n"), "{shown}");
}

#[test]
fn a_hundred_thousand_groups() {
    let mut octets = Vec::new();
    for n in 0..100_000 {
        writeln_to(&mut octets, format_args!("group.{n}\t1\t{n}\t\ty\t\r"));
    }
    for n in (0..100_000).rev() {
        writeln_to(&mut octets, format_args!("group.{n}\t\t\t\t\tNumber {n}\r"));
    }
    let mut page = Page::of(media::NEWSGROUPS, "news:*", &octets);
    let rewritten = page.rewrite(&Reading::default());
    assert_eq!(rewritten.blocks().len(), 100_000);
    assert_eq!(rewritten.document().block_text(99_999), "group.99999\t99,999\tNumber 99999");
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn every_article_has_its_row(
        articles in proptest::collection::vec((1u64..30, "[a-h]?", proptest::collection::vec("[a-k]", 0..4), "(|Re: )[xy]?"), 0..20),
        read in proptest::collection::vec(1u64..30, 0..20),
        dates in any::<bool>(),
    ) {
        let mut octets = b"g\t1\t30\t\t\r\n".to_vec();
        for (number, id, references, subject) in &articles {
            let references: String = references.iter().map(|id| format!("<{id}> ")).collect();
            writeln_to(&mut octets, format_args!("{number}\t{subject}\tf\t\t<{id}>\t{references}\t\t\t\r"));
        }
        let mut page = Page::group(&octets);
        let mut set = ArticleSet::new();
        read.iter().for_each(|number| set.insert(*number));
        let order = if dates { Order::Date } else { Order::Thread };
        // Nothing was read when it was first shown, so that no thread is closed.
        page.rewrite(&Reading { read: Some(ArticleSet::new()), ..Reading::default() });
        let reading = Reading { read: Some(set), ..Reading::default() };
        let shown = page.arrange(&Wishes { order, reading, ..Wishes::default() });
        let links = (0..shown.document().link_count()).map(LinkId);
        let mut links: Vec<LinkId> = links.filter_map(|link| shown.given_link(link)).collect();
        links.sort();
        prop_assert_eq!(links, (0..page.given.link_count()).map(LinkId).collect::<Vec<_>>());
    }
}

/// Where an article of a mailbox is its line says, and only what reads files of this machine writes such lines.
#[test]
fn a_server_never_says_that_an_article_is_a_file() {
    let group = b"a.b\t1\t1\t1\t\n1\tOne\tAnn <a@h>\t\t<1@h>\t\t9\t1\tfile:///etc/passwd\n";
    for (url, wanted) in
        [("news:a.b", "news:1@h"), ("nntp://h/a.b", "news://h/1@h"), ("file:///box", "file:///etc/passwd")]
    {
        let page = Page::of(media::NEWSGROUP, url, group);
        assert_eq!(page.given.reference(LinkId(0)), Some(wanted), "{url}");
    }
    let other = b"a.b\t1\t1\t1\t\n1\tOne\tAnn <a@h>\t\t<1@h>\t\t9\t1\tjavascript:x\n";
    assert_eq!(Page::of(media::NEWSGROUP, "file:///box", other).given.reference(LinkId(0)), Some("news:1@h"));
}

#[test]
fn each_row_of_a_list_is_read_by_its_own_charset() {
    let koi8 = |text: &str| encoding_rs::KOI8_R.encode(text).0.into_owned();
    let rows = [
        b"relcom.talk\t1\t2\t2\ty\t".to_vec(),
        koi8("Обо всем"),
        b"\nde.rec.h\xf6ren\t1\t2\t2\ty\t\n".to_vec(),
        b"fr.rec.cuisine\t1\t2\t2\ty\tCaf\xe9s et cr\xe8mes\n".to_vec(),
        b"alt.gothic\t1\t2\t2\ty\t".to_vec(),
        koi8("Обсуждение готической музыки и культуры"),
        "\nno.mat\t1\t2\t2\ty\tRømmegrøt\n".as_bytes().to_vec(),
        b"zh.bbs\t1\t2\t2\ty\t~{<:Ky2;S{~}\n".to_vec(),
    ]
    .concat();
    let own: &[(String, String)] = &[("relcom.*".into(), "koi8-r".into())];
    let list = Input { groups: own.into(), ..input(media::NEWSGROUPS, "news:*") };
    let mut page = Page::read(&list, &rows);
    let screen = page.screen(&Reading::default(), 80);
    for (group, words) in [
        ("relcom.talk", "Обо всем"),
        ("de.rec.hören", ""),
        ("fr.rec.cuisine", "Cafés et crèmes"),
        ("alt.gothic", "Обсуждение готической музыки и культуры"),
        ("no.mat", "Rømmegrøt"),
        ("zh.bbs", "己所不欲"),
    ] {
        let row = screen.lines().find(|line| line.starts_with(group)).unwrap_or_else(|| panic!("{group}: {screen}"));
        assert!(row.contains(words), "{row}");
    }
    assert!(
        page.given.notes.iter().any(|note| note.contains("koi8-r, koi8-u, windows-1252")),
        "{:?}",
        page.given.notes
    );
    // One charset is said of all: it holds for all.
    let said = Input { charset: Some("koi8-r".into()), ..input(media::NEWSGROUPS, "news:*") };
    assert!(Page::read(&said, b"a.b\t1\t2\t2\ty\t\xef\xc2\xcf\n").screen(&Reading::default(), 80).contains("Обо"));
}

/// A group may be shown as it was kept, before its server has said what it has.
#[test]
fn what_a_server_says_of_a_group_that_is_shown_counts_from_then_on() {
    let kept = b"g\t1\t3\t\t\n1\tOne\tme@h\t\t<1@h>\t\t1\t1\t\n2\tRe: One\tme@h\t\t<2@h>\t<1@h>\t1\t1\t\n3\tThree\tme@h\t\t<3@h>\t\t1\t1\t\n\n";
    let mut page = Page::of(media::NEWSGROUP, "news:g", kept);
    assert!(page.screen(&Reading::default(), 60).starts_with("g · 3 articles\n"));
    let said = [&kept[..], b"=\t2\t4\t3\t\n4\tFour\tme@h\t\t<4@h>\t\t1\t1\t\n\n"].concat();
    let learnt = page.learnt.clone();
    let mut page = Page { learnt, ..Page::of(media::NEWSGROUP, "news:g", &said) };
    let screen = page.screen(&Reading::default(), 60);
    assert!(screen.starts_with("g · 3 articles\n") && screen.contains("Four"), "{screen}");
    assert!(!screen.contains("  One "), "the first has expired: {screen}");
    assert!(!screen.contains("older articles"), "{screen}");
    // Nothing has expired, and more are there than have come.
    let said = [&kept[..], b"=\t1\t3\t3\t\n"].concat();
    assert!(
        Page::of(media::NEWSGROUP, "news:g", &said).screen(&Reading::default(), 60).starts_with("g · 3 articles\n")
    );
}
