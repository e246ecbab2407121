//! News that is kept on disk: what is asked for then, what is shown without a server, and what a damaged file costs.

use super::client::{Outcome, context, converse, fetch, request};
use super::nntp_hostile::hasty;
use super::nntp_server::{Answers, Do, News, say};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use wayfarer::disk::Writer;
use wayfarer::proto::nntp::{Kept, Most};
use wayfarer::proto::{Context, Kind, Request, Verdict};

const ONE: &str = "1\tOne\tme@h\tThu, 2 Jan 2025 10:00:00 GMT\t<1@h>\t\t100\t3\th group:1\n";
const TWO: &str = "2\tRe: One\tyou@h\tThu, 2 Jan 2025 11:00:00 GMT\t<2@h>\t<1@h>\t200\t4\th group:2 other:7\n";
const PLENTY: Most = Most { overviews: 64 << 20, articles: 64 << 20 };

/// A running copy with news in a folder.
struct Copy {
    context: Context,
    writer: Arc<Writer>,
    runtime: Runtime,
}

impl Copy {
    fn of(folder: &Path, most: Most) -> Copy {
        let writer = Arc::new(Writer::new(|sentence| panic!("{sentence}")).unwrap());
        let kept = Kept::new(folder.join("news"), Arc::clone(&writer), most);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Copy { context: Context { kept, ..context() }, writer, runtime }
    }

    fn get(&self, url: &str) -> Outcome {
        self.ask(&request(url))
    }

    /// Fetches, and waits until all is written.
    fn ask(&self, request: &Request) -> Outcome {
        let outcome = self.runtime.block_on(converse(request, &self.context, Verdict::Accept, |_| {}));
        assert_eq!(self.writer.owed_to_reader(Duration::from_secs(60)), Vec::<String>::new());
        outcome
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn overview_of(folder: &Path) -> PathBuf {
    files(folder).into_iter().find(|path| path.extension().is_some_and(|end| end == "overview")).expect("an overview")
}

/// A server that is visited by one copy after the other, each in its turn.
fn visits(all: &[Answers], most: Most, paths: &[&str]) -> (TempDir, Vec<Outcome>, Vec<Vec<String>>) {
    let (folder, server) = (tempfile::tempdir().unwrap(), News::changing(all));
    let outcomes = paths.iter().map(|path| Copy::of(folder.path(), most).get(&server.url(path))).collect();
    (folder, outcomes, server.visits())
}

fn group(reply: &str) -> (&'static str, Vec<Do>) {
    ("GROUP", say(format!("211 {reply} g\r\n")))
}

const THREE: &str = "224 here\r\n3\tThree\tme@h\tFri, 3 Jan 2025 10:00:00 GMT\t<3@h>\t\t1\t1\tXref: h g:3\r\n.\r\n";

#[test]
fn a_known_group_is_asked_for_what_is_new_and_for_nothing_else() {
    let first: Answers = &[];
    let third: Answers = &[group("3 1 3"), ("OVER 3-", say(THREE)), ("STAT 2", say("223 2 <2@h> here\r\n"))];
    let (folder, outcomes, visits) = visits(&[first, first, third, third], PLENTY, &["g"; 4]);
    assert_eq!(outcomes[0].text(), format!("g\t1\t2\t2\t\n{ONE}{TWO}\n"));
    assert_eq!(outcomes[1].text(), outcomes[0].text());
    let three = "3\tThree\tme@h\tFri, 3 Jan 2025 10:00:00 GMT\t<3@h>\t\t1\t1\th g:3\n";
    assert_eq!(outcomes[2].text(), format!("g\t1\t3\t3\t\n{ONE}{TWO}\n{three}\n"));
    assert_eq!(outcomes[3].text(), format!("g\t1\t3\t3\t\n{three}\n{ONE}{TWO}\n"));
    assert_eq!(visits[0], ["MODE READER", "GROUP g", "OVER 1-2"]);
    assert_eq!(visits[1], ["MODE READER", "GROUP g"]);
    assert_eq!(visits[2], ["MODE READER", "GROUP g", "STAT 2", "OVER 3-"]);
    assert_eq!(visits[3], ["MODE READER", "GROUP g"]);
    let sent = &outcomes[2].sent[0].lines;
    assert_eq!(sent[1..], ["GROUP g", "STAT 2", "OVER 3-"], "it is written down as it was");
    assert!(outcomes[1].head().lines.last().unwrap().contains("from what is kept, just now"), "{:?}", outcomes[1].head);
    let mode = fs::metadata(overview_of(folder.path())).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// What is kept comes before the server is asked; then what it has, and what is new.
#[test]
fn a_known_group_comes_ahead_of_its_server() {
    let third: Answers = &[group("2 2 3"), ("OVER 3-", say(THREE)), ("STAT 2", say("223 2 <2@h> here\r\n"))];
    let silent: Answers = &[("GROUP", vec![Do::Wait])];
    let turned: Answers = &[("", say("502 not you\r\n"))];
    let other: Answers = &[group("3 1 3"), ("STAT", say("223 2 <other@h> here\r\n"))];
    let denied: Answers = &[("GROUP", say("480 who are you?\r\n"))];
    let folder = tempfile::tempdir().unwrap();
    let server = News::changing(&[&[], silent, turned, denied, third, other]);
    let url = server.url("g");
    Copy::of(folder.path(), PLENTY).get(&url);
    let ahead = || Request { ahead: true, ..request(&url) };
    let kept = format!("g\t1\t2\t\t\n{ONE}{TWO}\n");
    let ask = |limits: fn() -> Context| {
        let mut copy = Copy::of(folder.path(), PLENTY);
        copy.context = Context { kept: copy.context.kept.clone(), ..limits() };
        copy.ask(&ahead())
    };
    let outcome = ask(hasty);
    assert!(outcome.head().ahead.is_some());
    assert_eq!(outcome.text(), kept);
    assert!(outcome.cut().unwrap().ends_with("This is what was kept."), "{:?}", outcome.end);
    let outcome = ask(context);
    assert_eq!(outcome.text(), kept);
    assert!(outcome.cut().unwrap().contains("not you"), "{:?}", outcome.end);
    // What the owner is asked for first, or what is no longer so, is a failure, which leaves what came.
    assert_eq!(ask(context).failure().kind, Kind::NeedsLogin);
    let outcome = ask(context);
    let three = "3\tThree\tme@h\tFri, 3 Jan 2025 10:00:00 GMT\t<3@h>\t\t1\t1\th g:3\n";
    assert_eq!(outcome.text(), format!("{kept}=\t2\t3\t2\t\n{three}\n"));
    assert_eq!(outcome.sent[0].lines[1..], ["GROUP g", "STAT 2", "OVER 3-"]);
    assert_eq!(outcome.head().ahead, None, "its own head takes the place of the other");
    let outcome = ask(context);
    assert!(outcome.words().contains("has numbered g anew"), "{}", outcome.words());
    // It was thrown away: nothing comes ahead of the server any more.
    assert!(ask(context).head.is_none_or(|head| head.ahead.is_none()));
}

#[test]
fn what_has_expired_is_shown_no_more() {
    let (_folder, outcomes, visits) = visits(&[&[], &[group("1 2 2")], &[group("0 3 2")]], PLENTY, &["g"; 3]);
    assert_eq!(outcomes[1].text(), format!("g\t2\t2\t1\t\n{TWO}\n"));
    assert_eq!(outcomes[2].text(), "g\t3\t2\t0\t\n");
    assert_eq!((visits[1].len(), visits[2].len()), (2, 2), "{visits:?}");
}

#[test]
fn a_server_that_counts_anew_is_believed_and_what_was_kept_is_thrown_away() {
    let one = say("224 x\r\n1\tNew\tme@h\t\t<new@h>\t\t1\t1\r\n.\r\n");
    let other = say("223 2 <other@h> here\r\n");
    let back: Answers = &[group("1 1 1"), ("OVER 1-1", one.clone())];
    let grown: Answers = &[group("3 1 3"), ("STAT", other), ("OVER 1-3", one.clone())];
    let gone: Answers = &[group("3 1 3"), ("STAT", say("423 no\r\n")), ("OVER 1-3", one)];
    for (now, asked) in [(back, "OVER 1-1"), (grown, "OVER 1-3"), (gone, "OVER 1-3")] {
        let (_folder, outcomes, visits) = visits(&[&[], now, now], PLENTY, &["g"; 3]);
        assert!(outcomes[1].text().ends_with("\n1\tNew\tme@h\t\t<new@h>\t\t1\t1\t\n\n"), "{}", outcomes[1].text());
        assert!(outcomes[1].head().notices[0].contains("has numbered g anew"), "{:?}", outcomes[1].head().notices);
        assert_eq!(visits[1].last().unwrap(), asked);
    }
}

/// The reader sees what there is, and that it is not what the server says now.
#[test]
fn without_a_server_what_is_kept_is_shown_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let server = News::start(&[]);
    let urls = ["g", "a@b"].map(|path| server.url(path));
    let missing = ["h", "no@b", "*"].map(|path| server.url(path));
    let number = server.url("g/2").replace("news:", "nntp:");
    let copy = Copy::of(folder.path(), PLENTY);
    urls.iter().chain([&server.url("2@h")]).for_each(|url| assert_eq!(copy.get(url).failure, None));
    drop(copy);
    server.visits();
    let copy = Copy::of(folder.path(), PLENTY);
    let page = copy.get(&urls[0]);
    assert_eq!(page.text(), format!("g\t1\t2\t\t\n{ONE}{TWO}\n"));
    assert_eq!(page.head().status.as_deref(), Some("kept just now; the server does not answer"));
    assert!(page.head().notices[0].contains("This is what was kept"), "{:?}", page.head().notices);
    let path = overview_of(folder.path());
    let long_ago = SystemTime::now() - Duration::from_secs(3 * 3600 + 60);
    fs::File::options().append(true).open(path).unwrap().set_modified(long_ago).unwrap();
    let status = copy.get(&urls[0]).head().status.clone();
    assert_eq!(status.as_deref(), Some("kept 3 h ago; the server does not answer"));
    assert_eq!(copy.get(&urls[1]).text(), "Subject: x\r\n\r\n.dots\r\n");
    assert_eq!(copy.get(&number).text(), "Subject: x\r\n\r\n.dots\r\n", "the overview says which it is");
    for url in missing {
        assert!(copy.get(&url).failure.is_some(), "{url}");
    }
}

/// A server that was there and took no visitors hid what was kept.
#[test]
fn where_a_server_turns_us_down_what_is_kept_is_shown_with_its_words() {
    for greeting in ["400 too many of you\r\n", "502 not you\r\n"] {
        let turned: Answers = &[("", say(greeting))];
        let (_folder, outcomes, _) = visits(&[&[], turned, turned], PLENTY, &["g", "g", "h"]);
        assert_eq!(outcomes[1].text(), format!("g\t1\t2\t\t\n{ONE}{TWO}\n"));
        assert_eq!(outcomes[1].head().status.as_deref(), Some("kept just now; the server turned us down"));
        let notice = &outcomes[1].head().notices[0];
        assert!(notice.contains(greeting[4..].trim()) && notice.contains("This is what was kept"), "{notice}");
        assert!(outcomes[2].failure.is_some(), "nothing is kept of it");
    }
}

/// A line without a number may be of any article: its slice is not taken for all that there is.
#[test]
fn a_line_that_makes_no_sense_leaves_no_hole_in_what_is_kept() {
    let odd = say("224 x\r\n1\tOne\tme@h\t\t<1@h>\t\t1\t1\r\nodd\r\n.\r\n");
    let (_folder, outcomes, visits) = visits(&[&[("OVER", odd)], &[]], PLENTY, &["g"; 2]);
    assert_eq!(outcomes[0].cut(), Some("one line of the answer made no sense"));
    assert_eq!(outcomes[1].text(), format!("g\t1\t2\t2\t\n{ONE}{TWO}\n"));
    assert_eq!(visits[1].last().unwrap(), "OVER 1-2", "it is asked for again");
}

#[test]
fn an_article_that_is_kept_is_not_asked_for_again_unless_it_is_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let server = News::start(&[("ARTICLE 9", say("220 9 <a@b> here\r\nSubject: x\r\n\r\n..dots\r\n.\r\n"))]);
    let (url, text) = (server.url("a@b"), "Subject: x\r\n\r\n.dots\r\n");
    let copy = Copy::of(folder.path(), PLENTY);
    let by_number = server.url("g/9").replace("news:", "nntp:");
    assert_eq!(copy.get(&by_number).text(), text);
    let kept = copy.get(&url);
    assert_eq!((kept.text().as_str(), kept.sent.len()), (text, 0));
    assert_eq!(kept.head().status.as_deref(), Some("kept just now"));
    let again = Request { unless: kept.head().validator.clone(), ..request(&url) };
    assert_eq!((copy.ask(&again).text().as_str(), copy.get(&url).sent.len()), (text, 0));
    let path = files(folder.path()).into_iter().find(|path| path.ends_with("a@b.article")).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    // A damaged one is fetched anew.
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(3) {
        let mut octets = whole.clone();
        octets[at] ^= 4;
        fs::write(&path, octets).unwrap();
        assert_eq!(copy.get(&url).text(), text, "at {at}");
    }
    for length in (0..whole.len()).step_by(5) {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(copy.get(&url).text(), text, "{length}");
    }
    drop(copy);
    let commands = server.commands();
    let number = commands.iter().filter(|line| line.starts_with("ARTICLE")).count();
    assert!(number > whole.len() / 2, "{number}");
}

/// Whatever becomes of a file, every article is shown once, and no octet of what is no line.
#[test]
fn a_damaged_overview_is_put_aside_with_a_sentence_and_fetched_anew() {
    let folder = tempfile::tempdir().unwrap();
    let server = News::start(&[]);
    let copy = Copy::of(folder.path(), PLENTY);
    let url = server.url("g");
    let page = copy.get(&url).text();
    let path = overview_of(folder.path());
    let whole = fs::read(&path).unwrap();
    let mut cases: Vec<(String, Vec<u8>, bool)> = Vec::new();
    for at in (0..whole.len()).step_by(2) {
        let mut octets = whole.clone();
        octets[at] ^= if octets[at] == b'\n' { 1 } else { 2 };
        cases.push((format!("{at} is another"), octets, true));
        cases.push((format!("cut at {at}"), whole[..at].to_vec(), false));
    }
    let zeros = [whole.as_slice(), &[0; 40]].concat();
    cases.push(("zeros at the end".into(), zeros, true));
    cases.push(("twice".into(), [&whole[..], &whole[b"# wayfarer overview 1\n".len()..]].concat(), true));
    cases.push(("binary".into(), (0..=255).cycle().take(5000).collect(), true));
    for (what, octets, is_told) in cases {
        fs::write(&path, octets).unwrap();
        let outcome = copy.get(&url);
        let told =
            outcome.head().notices.iter().chain(&outcome.end.as_ref().unwrap().cut).any(|s| s.contains("put aside"));
        let newer = what.ends_with("is another") && !told;
        assert!(told == is_told || newer, "{what}: {:?} {:?}", outcome.head, outcome.end);
        let mut lines: Vec<&str> = page.lines().filter(|line| !line.is_empty()).collect();
        let text = outcome.text();
        let mut got: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        lines.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, lines, "{what}");
    }
}

/// What a kill leaves half written is passed over, and gone with the next record.
#[test]
fn a_torn_end_costs_the_torn_record_alone() {
    let third: Answers = &[group("3 1 3"), ("OVER", say(THREE)), ("STAT 2", say("223 2 <2@h>\r\n"))];
    let (folder, server) = (tempfile::tempdir().unwrap(), News::changing(&[&[], third]));
    let url = server.url("g");
    Copy::of(folder.path(), PLENTY).get(&url);
    let path = overview_of(folder.path());
    let before = fs::read(&path).unwrap();
    let wanted = Copy::of(folder.path(), PLENTY).get(&url).text();
    let whole = fs::read(&path).unwrap();
    assert!(whole.len() > before.len());
    for length in before.len()..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let outcome = Copy::of(folder.path(), PLENTY).get(&url);
        assert_eq!(outcome.head().notices, Vec::<String>::new(), "{length}");
        let (mut got, mut lines): (Vec<_>, Vec<_>) =
            (outcome.text().lines().map(str::to_owned).collect(), wanted.lines().map(str::to_owned).collect());
        got.sort_unstable();
        lines.sort_unstable();
        assert_eq!(got, lines, "{length}");
        assert_eq!(fs::read(&path).unwrap(), whole, "{length}");
    }
}

#[test]
fn several_copies_keep_the_same_lines_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = News::start(&[]);
    let url = server.url("g");
    let copies: Vec<Copy> = (0..4).map(|_| Copy::of(folder.path(), PLENTY)).collect();
    std::thread::scope(|scope| {
        for copy in &copies {
            scope.spawn(|| drop(copy.get(&url)));
        }
    });
    let text = String::from_utf8(fs::read(overview_of(folder.path())).unwrap()).unwrap();
    assert_eq!((text.matches("<1@h>\t\t").count(), text.matches("\nover ").count()), (1, 1), "{text}");
}

/// A hostile line is shown as ever, and does not make its neighbours be taken for all that there is.
#[test]
fn lines_out_of_order_are_not_kept() {
    let line = |number: &str| format!("{number}\ts\tf\td\t<{number}@h>\t\t1\t1\r\n");
    let odd: &[&[&str]] = &[
        &["2", "1"],
        &["1", "1"],
        &["18446744073709551615", "1"],
        &["99999999999999999999", "1"],
        &["1", "\0\u{202e}2"],
    ];
    for numbers in odd {
        let lines: String = numbers.iter().map(|number| line(number)).collect();
        let over = ("OVER", say(format!("224 x\r\n{lines}.\r\n")));
        let (folder, outcomes, visits) = visits(&[&[over]], PLENTY, &["g", "g"]);
        assert_eq!(outcomes[0].failure, None);
        assert_eq!(outcomes[1].failure, None);
        let asked = visits[1].iter().any(|line| line.starts_with("OVER 1-2") || line.starts_with("OVER 2-"));
        let complete = files(folder.path()).iter().any(|path| fs::read_to_string(path).unwrap().contains("over 1 2 "));
        assert!(asked && !complete, "{numbers:?} {visits:?}");
    }
    // What is too long for a line is no line.
    let huge = format!("224 x\r\n1\t{}\tf\td\t<1@h>\r\n2\ts\tf\td\t<2@h>\r\n.\r\n", "x".repeat(3 << 20));
    let (_folder, outcomes, _) = visits(&[&[("OVER", say(huge))]], PLENTY, &["g", "g"]);
    assert!(outcomes.iter().all(|outcome| outcome.text().contains("<2@h>")));
}

#[test]
fn the_oldest_groups_go_when_there_is_too_much() {
    let line = |number: u64| format!("{number}\t{}\tf\td\t<{number}@h>\t\t1\t1\r\n", "s".repeat(500));
    let lines: String = (1..=100).map(line).collect();
    let over = say(format!("224 x\r\n{lines}.\r\n"));
    let answers: Answers = &[group("100 1 100"), ("OVER", over)];
    let (folder, server) = (tempfile::tempdir().unwrap(), News::start(answers));
    let most = Most { overviews: 400 << 10, articles: 0 };
    for number in 0..8u64 {
        let copy = Copy::of(folder.path(), most);
        assert_eq!(copy.get(&server.url(&format!("g{number}"))).failure, None);
        for path in files(folder.path()) {
            let file = fs::File::options().append(true).open(&path).unwrap();
            if path.ends_with(format!("g{number}.overview")) {
                file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1000 + number)).unwrap();
            }
        }
    }
    let names: Vec<String> =
        files(folder.path()).iter().map(|path| path.file_name().unwrap().to_string_lossy().into()).collect();
    // One server has half of the room.
    assert!(
        names.len() <= 4 && names.contains(&"g7.overview".to_owned()) && !names.contains(&"g0.overview".to_owned()),
        "{names:?}"
    );
}

/// A group that has mostly expired is written anew, and none of its articles is lost.
#[test]
fn a_file_is_written_anew_when_most_of_it_has_expired() {
    let line = |number: u64| format!("{number}\t{}\tf\td\t<{number}@h>\t\t1\t1\r\n", "s".repeat(1000));
    let over =
        |range: std::ops::RangeInclusive<u64>| say(format!("224 x\r\n{}.\r\n", range.map(line).collect::<String>()));
    let first: Answers = &[group("500 1 500"), ("OVER", over(1..=500))];
    let later: Answers = &[group("50 451 500")];
    let (folder, outcomes, visits) = visits(&[first, later, later], PLENTY, &["g"; 3]);
    assert_eq!(outcomes[2].text().lines().filter(|line| line.starts_with("4")).count(), 49, "{visits:?}");
    assert_eq!(visits[2].len(), 2);
    assert!(fs::metadata(overview_of(folder.path())).unwrap().len() < 100_000);
    let third: Answers = &[group("50 951 1000"), ("OVER", over(951..=1000)), ("STAT", say("500 no\r\n"))];
    let (folder, outcomes, _) = self::visits(&[first, third, third, third], PLENTY, &["g"; 4]);
    assert!(outcomes[3].text().contains("\n1000\t") && !outcomes[3].text().contains("\n950\t"));
    assert!(fs::metadata(overview_of(folder.path())).unwrap().len() < 500_000);
}

/// A group of a million articles opens by its newest, without the others being read; `--ignored` says in what time.
#[test]
#[ignore = "takes half a gigabyte of disk"]
fn a_million_lines_open_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let line = |number: u64| format!("{number}\t{}\tf\td\t<{number}@h>\t\t1\t1\r\n", "s".repeat(250));
    let (mut slices, mut high, mut width) = (Vec::new(), 1_000_000u64, 500);
    while high > 0 {
        let low = high.saturating_sub(width - 1).max(1);
        let lines: String = (low..=high).map(line).collect();
        slices.push((format!("OVER {low}-{high}"), say(format!("224 x\r\n{lines}.\r\n"))));
        (high, width) = (low - 1, (width * 2).clamp(2_000, 10_000));
    }
    let facts = group("1000000 1 1000000");
    let first: Vec<_> =
        slices.iter().map(|(line, steps)| (line.as_str(), steps.clone())).chain([facts.clone()]).collect();
    let server = News::changing(&[&first, &[facts]]);
    drop(first);
    let copy = |articles: u64| {
        let mut copy = Copy::of(folder.path(), Most { overviews: 4 << 30, articles: 0 });
        (copy.context.news.articles, copy.context.limits.page) = (articles, 4 << 30);
        copy
    };
    assert_eq!(copy(0).get(&server.url("g")).cut(), None);
    for articles in [20_000, 0] {
        let begun = std::time::Instant::now();
        let outcome = copy(articles).get(&server.url("g"));
        let lines = outcome.text().lines().filter(|line| line.contains("@h>")).count();
        println!("{lines} of a million lines: {:?}", begun.elapsed());
        assert_eq!(lines, if articles == 0 { 1_000_000 } else { 20_000 });
    }
    assert!(server.visits()[1..].iter().all(|visit| visit.len() == 2));
}

/// Articles for later: over one connection, each once, counted at the end.
#[test]
fn articles_are_collected_for_later() {
    let article =
        |id: &str| (format!("ARTICLE <{id}>"), say(format!("220 0 <{id}>\r\nSubject: {id}\r\n\r\ntext\r\n.\r\n")));
    let answers: Vec<(String, Vec<Do>)> = ["1@h", "2@h", "3@h"].iter().map(|id| article(id)).collect();
    let mut answers: Vec<(&str, Vec<Do>)> =
        answers.iter().map(|(line, steps)| (line.as_str(), steps.clone())).collect();
    answers.push(("ARTICLE <gone@h>", say("430 no\r\n")));
    answers.push(("ARTICLE <lie@h>", say("220 0 <other@h>\r\nSubject: no\r\n\r\nlie\r\n.\r\n")));
    let (folder, server) = (tempfile::tempdir().unwrap(), News::start(&answers));
    let copy = Copy::of(folder.path(), PLENTY);
    copy.get(&server.url("1@h"));
    let ids: Vec<Vec<u8>> = ["1@h", "2@h", "gone@h", "lie@h", "3@h"].iter().map(|id| id.as_bytes().to_vec()).collect();
    let wish = Request { articles: Some(ids.into()), ..request(&server.url("g")) };
    let outcome = copy.ask(&wish);
    assert_eq!((outcome.text().lines().last(), outcome.cut()), (Some("5 5 2 1 2"), None));
    let kept = copy.get(&server.url("3@h"));
    assert_eq!((kept.text().as_str(), kept.sent.len()), ("Subject: 3@h\r\n\r\ntext\r\n", 0));
    drop((copy, outcome));
    let asked = server.commands();
    assert_eq!(asked.iter().filter(|line| line.starts_with("ARTICLE")).count(), 5, "{asked:?}");
    // Where nothing is kept, nobody is asked.
    let outcome = fetch(&wish, &context());
    assert!(outcome.words().contains("No articles are kept on disk here"), "{}", outcome.words());
}

/// What came in clear text, or for another login, is not shown as what it is not.
#[test]
fn what_is_kept_is_kept_by_server_login_and_channel() {
    let (folder, server) = (tempfile::tempdir().unwrap(), News::start(&[]));
    Copy::of(folder.path(), PLENTY).get(&server.url("a@b"));
    let login = wayfarer::proto::Login { user: b"joe".to_vec(), password: b"x".to_vec(), account: None };
    let copy = Copy::of(folder.path(), PLENTY);
    let other = Request { login: Some(login), ..request(&server.url("a@b")) };
    assert_eq!(copy.ask(&other).sent.len(), 1);
    let secure = copy.get(&server.url("a@b").replace("news:", "snews:"));
    assert!(secure.failure.is_some(), "{:?}", secure.head);
    // One page is forgotten, wherever it came from; a host, and nothing of another's.
    copy.get(&server.url("g"));
    let left = || {
        copy.writer.owed_to_reader(Duration::from_secs(60));
        files(folder.path())
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect::<Vec<_>>()
    };
    let url = |text: &str| wayfarer::url::Url::parse(text).unwrap();
    assert_eq!(left(), ["a@b.article", "g.overview", "a@b.article"]);
    copy.context.kept.forget_page(&url("news:a@b"));
    assert_eq!(left(), ["g.overview"]);
    copy.context.kept.forget(Some("127.0.0.2"), None);
    copy.context.kept.forget(None, Some(i64::MAX));
    copy.context.kept.forget_page(&url("news:h"));
    assert_eq!(left(), ["g.overview"]);
    copy.context.kept.forget(Some("127.0.0.1"), None);
    assert_eq!(left(), Vec::<String>::new());
}
