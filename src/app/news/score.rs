//! What the reader says of articles by rules: this author, this thread is to be seen first, or not at all, and for how long. A rule
//! goes to the end of the score file, as slrn writes them; the file as it is then counts at once, on every page.

use super::held::{Held, held};
use super::{article, fresh, group_of, undo};
use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::{Effect, Kept, Overlay, Page, PageState, Pending, PromptKind, Sight};
use crate::config::KILLED;
use crate::doc::sanitise;
use crate::format::{media, message};
use crate::news::score::{About, Named, NewRule, Scores, Scoring};
use jiff::ToSpan;
use std::sync::Arc;

/// What is given to what the reader watches.
const WATCHED: i32 = 1000;
/// How many days a rule counts if nothing else is said.
const DAYS: i64 = 30;

/// How long a rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Term {
    Days(i64),
    Forever,
}

impl Term {
    /// `90`, `forever`.
    fn of(word: &str) -> Option<Term> {
        match word {
            "forever" => Some(Term::Forever),
            days => days.parse().ok().filter(|days| (1..=36_500).contains(days)).map(Term::Days),
        }
    }
}

/// What a rule gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Points {
    score: i32,
    settles: bool,
}

const WATCH: Points = Points { score: WATCHED, settles: false };
const IGNORE: Points = Points { score: KILLED, settles: true };

impl Points {
    /// `watch`, `ignore`, `-50`, `=200`.
    fn of(word: &str) -> Option<Points> {
        match word {
            "watch" => Some(WATCH),
            "ignore" => Some(IGNORE),
            _ => {
                let digits = word.strip_prefix('=');
                let score = digits.unwrap_or(word).parse().ok()?;
                Some(Points { score, settles: digits.is_some() })
            }
        }
    }
}

/// What the reader's rules do on pages of groups; nothing where there are none.
pub(super) fn scoring(sight: Sight<'_>) -> Option<Scoring> {
    let scores = &sight.news.scores;
    (!scores.rules().is_empty())
        .then(|| Scoring { scores: Arc::clone(scores), kill: sight.desk.settings.news.kill_score })
}

/// The score file was read, or has grown.
pub(in crate::app) fn known(cx: &mut Cx<'_>, scores: Arc<Scores>) {
    cx.news.scores = scores;
    fresh::come(cx);
}

/// `score`: asks for what, and how much; `score author -50 90`, `score thread ignore forever`, `score subject watch 7 everywhere`.
pub(in crate::app) fn score(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let Some(named) = about_to_rate(cx) else { return Vec::new() };
    if words.trim().is_empty() {
        ask_what(cx, named);
        return Vec::new();
    }
    match read(&named, words) {
        Some((about, points, term, everywhere)) => give(cx, &named, about, points, term, everywhere),
        None => {
            cx.complain(
                "score subject, author, thread or article; then watch, ignore or a number; then days or forever",
            );
            Vec::new()
        }
    }
}

/// `watch-thread`.
pub(in crate::app) fn watch_thread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    thread(cx, WATCH)
}

/// `ignore-thread`.
pub(in crate::app) fn ignore_thread(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    thread(cx, IGNORE)
}

fn thread(cx: &mut Cx<'_>, points: Points) -> Vec<Effect> {
    let Some(named) = about_to_rate(cx) else { return Vec::new() };
    let about = About::Thread(named.thread.clone());
    give(cx, &named, about, points, Term::Days(DAYS), false)
}

/// `ignore-subject`: whatever has this subject in this group, for 30 days; `ignore-subject 7`, `ignore-subject forever`.
pub(in crate::app) fn ignore_subject(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let Some(named) = about_to_rate(cx) else { return Vec::new() };
    let term = match words.trim() {
        "" => Some(Term::Days(DAYS)),
        word => Term::of(word),
    };
    let Some(term) = term else {
        cx.complain("ignore-subject, for 30 days; or for a number of days, or forever");
        return Vec::new();
    };
    let about = About::Subject(named.subject.clone());
    give(cx, &named, about, IGNORE, term, false)
}

/// The article that a rule is to be made of; where none can be that is said.
fn about_to_rate(cx: &mut Cx<'_>) -> Option<Named> {
    if cx.desk.choices.safe {
        cx.complain("nothing is scored: --safe forbids to write the score file");
        return None;
    }
    if undo::is_refused(cx) {
        return None;
    }
    let named = named(cx);
    if named.is_none() {
        cx.say("no article is in view or under focus");
    }
    named
}

/// What the words of the command say.
fn read(named: &Named, words: &str) -> Option<(About, Points, Term, bool)> {
    let mut words = words.split_whitespace();
    let about = about(named, words.next()?)?;
    let points = Points::of(words.next()?)?;
    let (mut term, mut everywhere) = (Term::Days(DAYS), false);
    for word in words {
        match word {
            "everywhere" => everywhere = true,
            word => term = Term::of(word)?,
        }
    }
    Some((about, points, term, everywhere))
}

fn about(named: &Named, word: &str) -> Option<About> {
    match word {
        "subject" => Some(About::Subject(named.subject.clone())),
        "author" => Some(About::Author(named.author.clone())),
        "thread" => Some(About::Thread(named.thread.clone())),
        "article" => Some(About::Article(named.id.clone())),
        _ => None,
    }
}

/// By what articles are to be scored.
fn ask_what(cx: &mut Cx<'_>, named: Named) {
    let mut text = vec!["Which articles are to be scored?".to_owned()];
    text.extend([&named.subject, &named.author].map(|line| short(line)).into_iter().filter(|line| !line.is_empty()));
    let choices = vec![
        choice('s', "this subject"),
        choice('f', "this author"),
        choice('t', "this thread"),
        choice('i', "this one"),
    ];
    cx.hands.raise(Overlay::Question { text, choices, pending: Pending::Score(Box::new(named), None) });
}

/// The answer to a question about a rule.
pub(in crate::app) fn answered(cx: &mut Cx<'_>, named: Named, about: Option<About>, key: char) -> Vec<Effect> {
    let Some(about) = about else {
        let word = match key {
            's' => "subject",
            'f' => "author",
            't' => "thread",
            'i' => "article",
            _ => return Vec::new(),
        };
        if let Some(about) = self::about(&named, word) {
            ask_how(cx, named, about);
        }
        return Vec::new();
    };
    let (points, term) = match key {
        'w' => (WATCH, Term::Days(DAYS)),
        'W' => (WATCH, Term::Forever),
        'i' => (IGNORE, Term::Days(DAYS)),
        'I' => (IGNORE, Term::Forever),
        'n' => {
            // The rest of the line is the reader's: a number, and days.
            cx.hands.ask(PromptKind::Command, ":", &format!("score {} ", word(&about)), None);
            return Vec::new();
        }
        _ => return Vec::new(),
    };
    give(cx, &named, about, points, term, false)
}

/// What they are to get.
fn ask_how(cx: &mut Cx<'_>, named: Named, about: About) {
    let text = vec![short(&told(&named, &about))];
    let choices = vec![
        choice('w', "watch, 30 days"),
        choice('W', "for ever"),
        choice('i', "ignore, 30 days"),
        choice('I', "for ever"),
        choice('n', "a number"),
    ];
    cx.hands.raise(Overlay::Question { text, choices, pending: Pending::Score(Box::new(named), Some(about)) });
}

fn word(about: &About) -> &'static str {
    match about {
        About::Subject(_) => "subject",
        About::Author(_) => "author",
        About::Thread(_) => "thread",
        About::Article(_) => "article",
    }
}

/// What a rule is about, in words that tell the reader more than an id.
fn told(named: &Named, about: &About) -> String {
    match about {
        About::Subject(of) | About::Author(of) => format!("{} {of}", word(about)),
        About::Thread(_) | About::Article(_) => format!("{} {}", word(about), named.subject),
    }
}

/// As much of others' words as a line of a question holds.
fn short(text: &str) -> String {
    const MOST: usize = 200;
    sanitise(&text.chars().take(MOST).collect::<String>()).into_owned()
}

/// The rule goes to the file.
fn give(cx: &mut Cx<'_>, named: &Named, about: About, points: Points, term: Term, everywhere: bool) -> Vec<Effect> {
    let Some(today) = cx.desk.now.as_ref().map(jiff::Zoned::date) else { return Vec::new() };
    let expires = match term {
        Term::Forever => None,
        Term::Days(days) => today.checked_add(days.days()).ok(),
    };
    let verb = match points {
        WATCH => "watch",
        IGNORE => "ignore",
        _ => "score",
    };
    let group = (!everywhere).then(|| named.group.clone());
    let remark = format!("{today} {verb} {}: {}", word(&about), named.subject);
    let said = match verb {
        "watch" => "watched".into(),
        "ignore" => "ignored".into(),
        _ => format!("scored {}{}", if points.settles { "=" } else { "" }, points.score),
    };
    let until = expires.map_or_else(|| "for ever".into(), |day| format!("until {day}"));
    let told = short(&format!("{said} {until}: {}", told(named, &about)));
    let Points { score, settles } = points;
    match (NewRule { group, about, score, settles, expires, remark }).written() {
        Ok(lines) if fresh::is_there(cx.sight(), &lines) => {
            cx.say(undo::told(cx.sight(), format!("you have this rule already: {told}")));
            Vec::new()
        }
        Ok(lines) => {
            cx.say(undo::told(cx.sight(), told.clone()));
            undo::rule(cx, told, lines.clone());
            vec![Effect::Keep(Kept::Score(lines))]
        }
        Err(why) => {
            cx.complain(why);
            Vec::new()
        }
    }
}

/// What the article in view, or under focus, is known by: by its group's page, else by its own header.
fn named(cx: &mut Cx<'_>) -> Option<Named> {
    let held = held(cx);
    if let Some(Held { at, group, articles, here: Some(here), .. }) = &held {
        let page = cx.tab.history.get(*at)?.page.as_deref()?;
        let facts = page.rows.as_ref()?.facts(page.given(), articles.get(*here)?.link)?;
        return Some(Named::of(group, facts.subject, facts.from, facts.message_id, facts.references));
    }
    let sight = cx.sight();
    if !sight.entry()?.page.as_deref().is_some_and(Page::is_article) {
        return None;
    }
    let group = held.map(|held| held.group).or_else(|| article::groups(sight).into_iter().next())?;
    let field = |name: &[u8]| {
        let value = String::from_utf8_lossy(article::value(sight, name).unwrap_or_default()).into_owned();
        message::words(&value.replace(['\r', '\n'], " "))
    };
    Some(Named::of(&group, &field(b"subject"), &field(b"from"), &field(b"message-id"), &field(b"references")))
}

/// Opens or closes the row of what is killed, where the focus is on it.
pub(super) fn fold_killed(cx: &mut Cx<'_>) -> Option<()> {
    let Held { articles, here, .. } = held(cx).filter(|held| held.is_in_view(cx.sight()))?;
    let first = articles.get(here?).filter(|article| article.killed)?.thread;
    let page = cx.page_mut()?;
    let mut wishes = page.arrangement.wishes.clone();
    // Articles are known by their given blocks: the first block is the heading.
    let head = articles.get(first)?.link;
    let open = wishes.reading.folds.get(&(head.0 + 1)) == Some(&true);
    wishes.reading.folds.insert(head.0 + 1, !open);
    page.wish(wishes);
    if let Some(link) = super::shown(cx.sight(), head) {
        crate::app::motion::focus::go_to(cx, link);
    }
    Some(())
}

/// What the anatomy says of an article's score: `-9999 by ~/.config/wayfarer/scores:12 (name)`, a row for each rule.
pub(in crate::app) fn why(sight: Sight<'_>) -> Vec<String> {
    let (at, link) = match scored(sight) {
        Some(found) => found,
        None => return Vec::new(),
    };
    let Some(page) = sight.tab.history.get(at).and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    let reading = &page.arrangement.wishes.reading;
    let why = page.rows.as_ref().and_then(|rows| rows.why(page.given(), link, reading));
    let (Some(why), Some(scoring)) = (why, &reading.scoring) else { return Vec::new() };
    if why.rules.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![format!("{}{}", why.score, if why.score <= scoring.kill { ", killed" } else { "" })];
    let rules = why.rules.iter().filter_map(|rule| scoring.scores.rules().get(*rule));
    rows.extend(rules.map(|rule| {
        let name = if rule.name.is_empty() { &rule.says } else { &rule.name };
        let settles = if rule.settles { "=" } else { "" };
        short(&format!("{settles}{} by {} {name}", rule.score, scoring.scores.place(rule)))
    }));
    rows
}

/// The article in view, or under focus, by its group's page: the page's place in history, and the article's link there.
fn scored(sight: Sight<'_>) -> Option<(usize, crate::doc::LinkId)> {
    let Held { at, articles, here, .. } = super::held::seen(sight)?;
    Some((at, articles.get(here?)?.link))
}

/// What is killed counts as read in groups that the reader takes, as with slrn: their list would tell of articles that nobody
/// is led to. What is killed no more is unread again, if it was. True where that was looked at.
pub(super) fn pass_killed(cx: &mut Cx<'_>) -> bool {
    let Some((url, page)) = cx.entry().and_then(|entry| Some((entry.url.clone(), entry.page.as_deref()?))) else {
        return false;
    };
    if page.head.media != media::NEWSGROUP || page.state != PageState::Complete || cx.tab.private {
        return false;
    }
    let Some(crate::format::Roll::Articles { articles, .. }) = page.roll() else { return false };
    let killed: Vec<u64> = articles.iter().rev().take_while(|a| a.killed).filter_map(|a| a.number).collect();
    let (Some(server), Some(group)) = (super::server_of(cx.sight(), &url), group_of(&url)) else { return false };
    let known = cx.news.servers.get(&server).is_some_and(|server| server.known);
    if !known || !cx.news.is_subscribed(&server, &group) {
        return false;
    }
    // Once: what the reader marks unread after that stays so.
    let passed = Some((cx.tab.at, url, killed.len()));
    if cx.news.killed == passed {
        return false;
    }
    cx.news.killed = passed;
    let mut passed = cx.news.passed.remove(&(server.clone(), group.clone())).unwrap_or_default();
    let alive = articles.iter().filter(|article| !article.killed).filter_map(|article| article.number);
    let alive: Vec<u64> = alive.filter(|number| passed.contains(*number)).collect();
    cx.news.change(&server, |newsrc| {
        newsrc.change(&group, |read| {
            // What is killed no more is as it was before.
            alive.iter().for_each(|number| read.remove(*number));
            for number in killed.into_iter().filter(|number| !read.contains(*number)).collect::<Vec<_>>() {
                read.insert(number);
                passed.insert(number);
            }
        });
    });
    alive.iter().for_each(|number| passed.remove(*number));
    if !passed.is_empty() {
        cx.news.passed.insert((server, group), passed);
    }
    true
}
