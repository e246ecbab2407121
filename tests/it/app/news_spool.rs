//! A whole spool read by one key: every article is shown once, in the order of its group's page, however late groups and articles come
//! and however fast the key is pressed.

use super::journey::Journey;
use super::news::{Reader, plain_reader, reader};
use crate::sim::random::Random;
use std::collections::BTreeSet;
use wayfarer::app::{Effect, JobId};
use wayfarer::doc::LinkId;
use wayfarer::format::media;
use wayfarer::proto::{End, FetchError, FetchEvent, Kind};

/// One group: its articles by their numbers, as overview lines.
struct Group {
    name: &'static str,
    lines: Vec<String>,
}

impl Group {
    /// So many articles in threads of all depths that grew at the same time. Some numbers have none, and what some threads began with
    /// is gone.
    fn of(name: &'static str, count: usize, random: &mut Random) -> Group {
        let (mut lines, mut lines_of): (Vec<String>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
        let mut number = 0;
        while lines.len() < count {
            number += 1 + usize::from(random.once_in(7)) * random.below(5);
            let id = format!("<{number}.{name}@x>");
            // What it answers, with all that this one answered.
            let above = match lines_of.len() {
                0 => Vec::new(),
                _ if random.once_in(3) => Vec::new(),
                all => lines_of[all - 1 - random.below(all.min(60))].clone(),
            };
            let above = if above.is_empty() && random.once_in(6) { vec![format!("<gone.{id}")] } else { above };
            let date = format!("{:02}:{:02}:{:02}", number / 3600, number / 60 % 60, number % 60);
            lines.push(format!(
                "{number}\tS {}\tA <a@x>\tMon, 02 Nov 2026 {date} +0000\t{id}\t{}\t1\t1\t\n",
                above.first().unwrap_or(&id).trim_matches(['<', '>']),
                above.join(" ")
            ));
            lines_of.push(above.into_iter().chain([id]).collect());
        }
        Group { name, lines }
    }

    fn high(&self) -> usize {
        self.lines.last().map_or(0, |line| line.split('\t').next().unwrap().parse().unwrap())
    }

    fn head(&self) -> String {
        format!("{}\t1\t{}\t{}\t\n", self.name, self.high(), self.lines.len())
    }

    fn whole(&self) -> String {
        self.head() + &self.lines.concat()
    }

    /// Its articles in the order in which its page has them.
    fn in_order(&self) -> Vec<String> {
        let r = reader("").then(|j| j.open("news:other").answer(media::NEWSGROUP, b"other\t1\t0\t0\t\n"));
        let r = r.then(|j| j.open(&format!("news:{}", self.name)).answer(media::NEWSGROUP, self.whole().as_bytes()));
        let r = r.then(|j| j.run("folds open"));
        let document = r.j.app.entry().unwrap().document().unwrap();
        let all = (0..document.link_count()).filter_map(|link| document.reference(LinkId(link)));
        all.filter_map(|reference| reference.strip_prefix("news:").filter(|id| id.ends_with("@x")))
            .map(str::to_owned)
            .collect()
    }
}

fn body(id: &str, lines: usize) -> String {
    format!("From: a@x\r\nSubject: {id}\r\n\r\n{}", "A line.\r\n".repeat(lines))
}

/// The URL that is on its way.
fn wanted(r: &Reader) -> String {
    r.j.fetches.last().unwrap().1.url.as_str().to_owned()
}

#[test]
fn space_alone_shows_each_article_once_in_the_order_of_threads() {
    let mut random = Random::new(19);
    let groups =
        [Group::of("g.a", 700, &mut random), Group::of("g.b", 0, &mut random), Group::of("g.c", 60, &mut random)];
    let mut r = plain_reader("g.a:\ng.b:\ng.c:\n");
    r = r.then(|j| j.open("news:g.a").answer(media::NEWSGROUP, groups[0].whole().as_bytes()));
    let (mut shown, mut pressed) = (Vec::new(), 0);
    loop {
        pressed += 1;
        assert!(pressed < 5_000, "it ends");
        let before = r.j.fetches.len();
        r = r.keys("Space");
        assert!(r.j.app.hands.overlays().is_empty(), "nothing is asked in between");
        if r.j.fetches.len() == before {
            if r.j.app.hands.note.as_ref().is_some_and(|note| note.text.contains("nor in other groups")) {
                break;
            }
            continue;
        }
        let url = wanted(&r);
        let name = url.strip_prefix("news:").unwrap().to_owned();
        r = match groups.iter().find(|group| group.name == name) {
            Some(group) => r.then(|j| j.answer(media::NEWSGROUP, group.whole().as_bytes())),
            None => {
                let lines = if random.once_in(10) { 60 } else { 3 };
                shown.push(name.clone());
                r.then(|j| j.answer(media::MESSAGE, body(&name, lines).as_bytes()))
            }
        };
    }
    let order: Vec<String> = groups.iter().flat_map(Group::in_order).collect();
    assert_eq!(order.len(), 760);
    assert_eq!(shown, order);
}

/// Reads a group by Space alone, whose page comes in pieces, the newest first, while it is read.
fn read_while_it_comes(seed: u64) {
    let mut random = Random::new(seed);
    let group = Group::of("g.a", 600, &mut random);
    let mut r = plain_reader("g.a:\n").then(|j| j.open("news:g.a").head(media::NEWSGROUP));
    r.j.effects.retain(|effect| !matches!(effect, Effect::Fetch { .. } | Effect::Verdict { .. }));
    let listing: JobId = r.j.last();
    let send = |r: Reader, event| r.then(|j| j.event_of(listing, event));
    r = send(r, FetchEvent::Body(group.head().into_bytes()));
    let mut read = BTreeSet::new();
    let mut pieces: Vec<String> = [0..200, 200..450, 450..600].map(|range| group.lines[range].concat()).into();
    r = send(r, FetchEvent::Body((pieces.pop().unwrap() + "\n").into_bytes()));
    let (mut shown, mut pressed, mut ended) = (BTreeSet::new(), 0, false);
    let mut step = 0;
    while shown.len() < 600 {
        pressed += 1;
        assert!(pressed < 10_000, "{} of 600 were shown: {:?}", shown.len(), r.j.app.hands.note);
        if pressed > 20 && random.once_in(60) {
            r = match pieces.pop() {
                Some(piece) => send(r, FetchEvent::Body((piece + "\n").into_bytes())),
                None if !std::mem::replace(&mut ended, true) => send(r, FetchEvent::End(End::default())),
                None => r,
            };
        }
        // The key is pressed when nothing is to be seen of it, too.
        if step == 0 || random.once_in(9) {
            r = r.keys("Space");
        }
        let id = r.j.last();
        if id == listing || shown.contains(&id) {
            continue;
        }
        // The article comes late, and in two pieces.
        let url = wanted(&r);
        let text = body(&url, 3);
        let (first, rest) = text.split_at(text.len() / 2);
        step += 1;
        r = match step {
            1 => r.then(|j| j.event_of(id, FetchEvent::Head(Box::new(super::journey::head(&url, media::MESSAGE))))),
            2 => r.then(|j| j.event_of(id, FetchEvent::Body(first.into()))),
            3 => r.then(|j| j.event_of(id, FetchEvent::Body(rest.into()))),
            _ => {
                assert!(shown.insert(id) && read.insert(url.clone()), "{url} came twice");
                step = 0;
                r.then(|j| j.event_of(id, FetchEvent::End(End::default())))
            }
        };
        r.j.effects.clear();
    }
    // All that was asked for was shown; numbers without an article count as read, though the group's page came behind the articles.
    assert_eq!(r.j.fetches.len(), 601);
    let r = r.then(|j| if ended { j } else { j.event_of(listing, FetchEvent::End(End::default())) });
    let first = group.lines[0].split('\t').next().unwrap();
    r.file(&format!("g.a: {first}-{}\n", group.high()));
}

#[test]
fn space_alone_shows_each_article_once_while_the_group_comes() {
    (0..4).for_each(read_while_it_comes);
}

/// The reader of a small group looks at its first article.
fn at_the_first() -> (Reader, Vec<String>) {
    let group = Group::of("g.a", 12, &mut Random::new(3));
    let r = plain_reader("g.a:\n").then(|j| j.open("news:g.a").answer(media::NEWSGROUP, group.whole().as_bytes()));
    (comes(r.keys("Space")), group.in_order())
}

/// What is on its way comes.
fn comes(r: Reader) -> Reader {
    let text = body(&wanted(&r), 3);
    r.then(|j| j.answer(media::MESSAGE, text.as_bytes()))
}

#[test]
fn keys_that_are_pressed_in_one_burst_count_once_each() {
    for key in ["Space", "n"] {
        let (r, order) = at_the_first();
        let mut r = r.keys(&[key; 5].join(" "));
        for name in &order[1..6] {
            assert_eq!(wanted(&r), format!("news:{name}"), "{key}");
            let before = r.file.clone();
            let id = r.j.last();
            r = r.then(|j| j.head(media::MESSAGE));
            assert_eq!(r.file, before, "nothing of {name} is shown yet");
            let text = body(name, 3);
            r = r.then(|j| j.body(text.as_bytes()));
            assert_ne!(r.file, before, "{name} is shown");
            assert_eq!(r.j.last(), id, "{name} is shown to its end");
            r = r.then(Journey::end);
        }
        assert_eq!(wanted(&r), format!("news:{}", order[5]), "the last press led here");
        r.at(&format!("news:{}", order[5]));
    }
}

#[test]
fn what_is_pressed_ahead_is_meant_for_what_comes() {
    // Marked unread is the one that comes, and not the one before.
    let (r, order) = at_the_first();
    let first = r.file.clone();
    let r = comes(r.keys("n m")).at(&format!("news:{}", order[1]));
    assert_eq!(r.file, first);
    // Whoever does something else, stops, or sees a failure does not go on.
    for other in ["Left", "z", "Esc"] {
        let (r, _) = at_the_first();
        let r = r.keys("n n n").keys(other);
        let fetches = r.j.fetches.len();
        let r = r.keys("Home").then(|j| j.open("news:g.a").answer(media::NEWSGROUP, b"g.a\t1\t0\t0\t\n"));
        assert_eq!(r.j.fetches.len(), fetches + 1, "{other}");
    }
    let (r, order) = at_the_first();
    let r = r.keys("n n n").then(|j| j.fail(FetchError::new(Kind::Broken, "The line is down.")));
    assert_eq!(wanted(&r), format!("news:{}", order[1]));
    // An article that takes long to come may be left for the next one.
    let (r, order) = at_the_first();
    let r = r.keys("n").then(|j| j.head(media::MESSAGE).body(b"Subject: s\r\n\r\nLong.\r\n")).keys("n");
    assert_eq!(wanted(&r), format!("news:{}", order[2]));
}
