//! Reading news by score: what is valued and what is killed, and rules that are made of articles.

use super::journey::Journey;
use super::news::{GROUP, Reader, reader};
use jiff::Zoned;
use std::sync::Arc;
use wayfarer::app::{Effect, Kept, Known, Msg};
use wayfarer::format::media;
use wayfarer::news::score::{ScoreText, Scores};

fn known(j: Journey, text: &str) -> Journey {
    let file = ScoreText { name: "scores".into(), text: text.into(), includes: Vec::new() };
    j.send(Msg::Known { known: Known::Scores(Arc::new(Scores::read(vec![file]))), remark: None })
}

/// A reader who knows what day it is.
fn today(newsrc: &str) -> Reader {
    reader(newsrc).then(|j| j.send(Msg::Clock("2026-11-05T12:00:00+00:00[UTC]".parse::<Zoned>().unwrap())))
}

/// The group as it is under some rules.
fn scored(newsrc: &str, rules: &str) -> Reader {
    today(newsrc).then(|j| known(j, rules)).group("news:g.one")
}

/// The rule that was handed over.
#[track_caller]
fn rule(r: &mut Reader) -> String {
    let kept = r.j.effects.extract_if(.., |effect| matches!(effect, Effect::Keep(Kept::Score(_))));
    match kept.collect::<Vec<_>>().as_slice() {
        [Effect::Keep(Kept::Score(lines))] => lines.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_rule_that_safe_forbids_kills_nothing() {
    for keys in ["I", "#", "@", "A"] {
        let mut r = today("g.one:\n");
        r.j.choose(|choices| choices.safe = true);
        let r = r.group("news:g.one").keys(keys).notes("--safe forbids to write the score file");
        assert!(!r.j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Score(_)))), "{keys}");
        let r = r.shows("6 articles, 6 unread").lacks("killed").file("g.one: 5-7\n");
        r.keys("n").comes("8@x", "");
    }
}

#[test]
fn what_is_killed_is_one_row_that_opens() {
    let r = scored("g.one:\n", "Score: =-9999\nSubject: lamps\nScore: =-9999\nFrom: a@x\n");
    let r = r.shows("6 articles, 3 unread, 1 thread new, 3 killed").shows("▸   3 killed by score").lacks("Lamps");
    // Nobody is led there, and the group's list says so too.
    let r =
        r.file("g.one: 1,5-9\n").keys("n").comes("2@x", "").keys("n").comes("3@x", "").keys("n").comes("4%2Fe@x", "");
    let r = r.keys("n").shows("4%2Fe@x");
    let r = r.then(|j| j.keys("Esc")).keys("h").on("news:4%2Fe@x").keys("j").on("news:8@x").keys("e");
    let r = r.shows("▾   3 killed by score").shows("Lamps\tE").shows("Re: Lamps\tF").shows("Old\tA");
    r.keys("e").shows("▸   3 killed by score").lacks("Lamps\tE");
}

#[test]
fn a_killed_article_leaves_its_place_to_its_answers() {
    let r = scored("g.one:\n", "Score: -9999\nMessage-ID: <2@x>\n").shows("[Tunnels]").shows("└").shows("D");
    r.shows("1 killed by score");
}

#[test]
fn from_which_score_on_articles_are_killed_is_a_setting() {
    let rules = "Score: -50\nSubject: lamps\n";
    scored("g.one:\n", rules).lacks("killed");
    let mut r = today("g.one:\n").then(|j| known(j, rules));
    r.j.app.desk.settings.news.kill_score = -50;
    let mut r = r.group("news:g.one").shows("2 killed by score").lacks("Lamps");
    r.j.app.desk.settings.news.kill_score = -51;
    r.keys("m").lacks("killed").shows("Lamps");
    for (value, taken) in
        [("-50", Some(-50)), ("-9999", Some(-9999)), ("-1", Some(-1)), ("0", None), ("-10000", None), ("no", None)]
    {
        let (mut settings, mut errors) = (wayfarer::config::Settings::default(), Vec::new());
        wayfarer::config::set_option(&mut settings, &format!("news.kill_score={value}"), &mut errors);
        assert_eq!(settings.news.kill_score, taken.unwrap_or(-9999), "{value}");
        assert_eq!(errors.is_empty(), taken.is_some(), "{value}");
    }
}

#[test]
fn what_is_valued_is_marked_and_comes_first() {
    let r = scored("g.one:\n", "Score: 10\nFrom: c@x\nScore: 5\nSubject: old\nScore: -1\nSubject: tunnels\n");
    let order = |r: &Reader| {
        let page = r.j.page();
        ["Lamps", "Tunnels", "Old"].map(|word| page.find(word).unwrap())
    };
    let [lamps, tunnels, old] = order(&r);
    assert!(lamps < tunnels && tunnels < old);
    let r = r.shows("•!Old").shows("▾ • Tunnels").shows("•!C");
    let r = r.keys("s S").notes("sorted by score");
    let [lamps, tunnels, old] = order(&r);
    assert!(tunnels < old && old < lamps, "{}", r.j.page());
    // Reading goes on in that order.
    let r = r.keys("n").comes("2@x", "").keys("h").keys("e").shows("▸ •!");
    r.keys("s r").shows("Lamps");
}

#[test]
fn rules_that_come_while_a_group_is_read_count_at_once() {
    let r = today("g.one:\n").group("news:g.one").lacks("killed");
    let r = r.then(|j| known(j, "Score: =-9999\nFrom: a@x\n")).shows("1 killed by score");
    r.then(|j| known(j, "% nothing\n")).lacks("killed");
}

#[test]
fn one_key_and_two_answers_make_a_rule() {
    let mut r = today("g.one:\n").group("news:g.one").keys("j j j").on("news:3@x").keys("A").keys("t").keys("i");

    let lines = rule(&mut r);
    let wanted = "\n% 2026-11-05 ignore thread: Tunnels\n[g.one]\nScore:: =-9999\nExpires: 05-12-2026\n\
        Message-Id: <2@x>\nReferences: <2@x>\n";
    assert_eq!(lines, wanted);
    let r = r.notes("ignored until 2026-12-05: thread Tunnels");
    let r = r.then(|j| known(j, &lines)).shows("3 killed by score").lacks("Tunnels");
    // The same from the article itself, by its author, for ever.
    let mut r = r.on("news:1@x").keys("Home n").comes("8@x", "").keys("A").keys("f").keys("W");
    assert!(rule(&mut r).ends_with("[g.one]\nScore: 1000\nFrom: e@x\n"));
    let mut r = r.keys("I");
    assert!(rule(&mut r).contains("Message-Id: <8@x>"));
    let r = r.keys("A").keys("s").keys("n").then(|j| j.prompts(":", "score subject ").text("-50 7 everywhere"));
    let mut r = r.keys("Enter");
    let lines = rule(&mut r);
    assert!(lines.contains("[*]\nScore:: -50\nExpires: ") && lines.contains("Subject: ^Lamps$\n"), "{lines}");
    let r = r.then(|j| j.run("score author much")).then(|j| j.notes("score subject, author"));
    // Whoever thinks better of it has made none.
    let r = r.keys("A").keys("Esc").keys("A").keys("t").keys("Esc");
    assert!(!r.j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Score(_)))));
}

#[test]
fn an_article_from_no_group_is_known_by_its_header() {
    let head = "References: <0@x>\r\n <1@x>\r\nNewsgroups: g.two,g.one\r\n";
    let mut r = today("").then(|j| j.open("news:7@x")).comes("7@x", head).keys("I");
    assert!(rule(&mut r).ends_with("Message-Id: <0@x>\nReferences: <0@x>\n"));
    today("").then(|j| j.open("news:g.one").answer(media::NEWSGROUPS, b"")).keys("I").notes("no article");
}

#[test]
fn the_anatomy_says_why_an_article_has_its_score() {
    let rules = "Score: 10 % Cs\nFrom: c@x\nScore: 5\nSubject: tunnels\n";
    let r = scored("g.one:\n", rules).keys("j j j").on("news:3@x").keys("=");
    let over = |r: &Reader| format!("{:?}", r.j.app.hands.top());
    assert!(over(&r).contains("10 by scores:1 Cs"), "{}", over(&r));
    let r = r.keys("Esc").keys("Enter").comes("3@x", "").keys("=");
    assert!(over(&r).contains("5 by scores:3"), "{}", over(&r));
}

#[test]
fn a_group_that_arrives_is_scored_piece_by_piece() {
    let (first, rest) = GROUP.split_at(GROUP.find("\n    8").unwrap_or(GROUP.len() / 2));
    let r = today("g.one:\n").then(|j| known(j, "Score: =-9999\nFrom: [ae]@x\n"));
    let r = r.then(|j| j.open("news:g.one").head(media::NEWSGROUP).body(first.as_bytes())).shows("1 killed");
    r.then(|j| j.body(rest.as_bytes()).end()).shows("2 killed by score");
}

#[test]
fn rules_are_listed_with_what_met_them_and_what_is_wrong() {
    let rules = "Score: =-9999 % lamps are out\nExpires: 1/1/2030\nSubject: lamps\nScore: 1\nSubjekt: x\n[h.*]\nScore: 5\nFrom: a\n";
    let r = scored("g.one:\n", rules).then(|j| j.run("scores")).at("about:scores");
    let r = r.shows("2 rules in scores; 1 line makes no sense").shows("scores:5: ").shows("Subjekt");
    let r = r.shows("=-9999  *  lamps are out  until 2030-01-01  met 2 times").shows("scores:1  Subject: lamps");
    let r = r.shows("5  h.*  met 0 times");
    let r = r.then(|j| j.run("filter lamps")).shows("lamps are out").lacks("h.*").lacks("Subjekt");
    r.then(|j| j.run("filter zebra")).shows("Nothing here has \"zebra\".");
}

/// What took a rule back was an editor on the file, and what it had killed stayed read.
#[test]
fn the_last_rule_is_taken_back_with_what_it_killed() {
    let mut r = today("g.one: 5\n").group("news:g.one").keys("j j j").on("news:3@x").keys("I");
    let lines = rule(&mut r);
    let r = r.notes("ignored until 2026-12-05: thread Tunnels; C-_ takes it back");
    let r = r.then(|j| known(j, &lines)).shows("3 killed by score").file("g.one: 2-7\n");
    let r = r.keys("C-_").notes("taken back: ignored until 2026-12-05: thread Tunnels");
    let r = r.then(|j| j.expect(Effect::Keep(Kept::Unscore(lines.clone()))));
    let r = r.then(|j| known(j, "")).lacks("killed").shows("Tunnels").file("g.one: 5-7\n");
    r.keys("C-_").notes("no mark or rule of yours is left");
    // What was read before stays so, and what another rule kills stays killed.
    let r = scored("g.one: 3\n", "Score: =-9999\nFrom: a@x\n").file("g.one: 1,3,5-7\n").keys("j j").keys("I");
    let r = r.then(|j| known(j, &format!("Score: =-9999\nFrom: a@x\n{lines}"))).file("g.one: 1-7\n");
    let r = r.keys("C-_").then(|j| known(j, "Score: =-9999\nFrom: a@x\n"));
    r.file("g.one: 1,3,5-7\n");
}

#[test]
fn one_key_ignores_a_subject_in_its_group_for_a_time_and_one_watches_a_thread() {
    let mut r = today("g.one:\n").group("news:g.one").keys("j j j").on("news:3@x").keys("#");
    let lines = rule(&mut r);
    assert!(lines.contains("[g.one]\nScore:: =-9999\nExpires: 05-12-2026\nSubject: ^Tunnels$\n"), "{lines}");
    let mut r = r.notes("ignored until 2026-12-05: subject Tunnels").keys("@");
    assert!(rule(&mut r).contains("Score:: 1000\n"));
    let mut r = r.notes("watched until").then(|j| j.run("ignore-subject 7"));
    assert!(rule(&mut r).contains("Expires: 12-11-2026"));
    let mut r = r.then(|j| j.run("ignore-subject forever"));
    assert!(!rule(&mut r).contains("Expires"));
    r.then(|j| j.run("ignore-subject much")).notes("ignore-subject, for 30 days");
}

/// The next article of an ignored thread came, since the group's page behind knew nothing of the rule.
#[test]
fn a_rule_made_in_an_article_is_kept_to_by_the_next_key() {
    for (makes, on) in [("I", "n"), ("A t i", "n"), ("#", "n"), ("I", "Space Space Space")] {
        for is_known in [true, false] {
            let r = today("g.one: 5-9\n").group("news:g.one").keys("n").comes("2@x", "");
            let mut r = r.keys(makes);
            let lines = rule(&mut r);
            let r = if is_known { r.then(|j| known(j, &lines)) } else { r };
            let r = r.keys(on).comes("1@x", "");
            let r = r.keys("n").notes("nothing is unread in g.one");
            // Taken back, it is as if it had not been made.
            let r = r.keys("C-_").notes("taken back");
            r.then(|j| known(j, "")).keys("n").comes("3@x", "");
        }
    }
}

/// The same rule stood in the file twice.
#[test]
fn a_rule_that_is_there_is_not_made_again() {
    let mut r = today("g.one:\n").group("news:g.one").keys("n").comes("8@x", "").keys("I");
    let lines = rule(&mut r);
    let r = r.keys("I").notes("you have this rule already");
    let r = r.then(|j| known(j, &lines)).keys("I").notes("you have this rule already: ignored until 2026-12-05");
    assert!(!r.j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Score(_)))));
}

/// The focus went to the first row, or with the killed one to the end.
#[test]
fn what_is_killed_leaves_the_focus_to_the_row_after_it() {
    for (down, killed, next) in [("j j j", "news:3@x", "news:1@x"), ("j j j j j", "news:1@x", "news:4%2Fe@x")] {
        let mut r = today("g.one:\n").group("news:g.one").keys(down).on(killed).keys("I");
        let lines = rule(&mut r);
        let r = r.then(|j| known(j, &lines)).on(next);
        r.keys("C-_").then(|j| known(j, "")).on(killed);
    }
    let mut r = today("g.one:\n").group("news:g.one").keys("j j j").on("news:3@x").keys("A i i");
    let lines = rule(&mut r);
    let r = r.then(|j| known(j, &lines)).on("news:4%2Fe@x").keys("C-_").then(|j| known(j, "")).on("news:3@x");
    // And back from the article in which it was made.
    let mut r = r.keys("n").comes("3@x", "").keys("I");
    let lines = rule(&mut r);
    r.then(|j| known(j, &lines)).keys("h").on("news:1@x");
}
