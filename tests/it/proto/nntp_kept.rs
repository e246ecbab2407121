//! News connections that are kept between fetches: used again, replaced when dead, few, each for its own login.

use super::client::{Outcome, context, converse, fetch_all, in_one, request};
use super::nntp_hostile::hasty;
use super::nntp_server::{Answers, Do, News, say};
use wayfarer::proto::{Context, Kind, Login, Request, Stage, Verdict};

fn all(server: &News, paths: &[&str], context: &Context) -> Vec<Outcome> {
    let requests: Vec<Request> = paths.iter().map(|path| request(&server.url(path))).collect();
    fetch_all(&requests, context)
}

#[test]
fn one_connection_serves_article_after_article() {
    let server = News::start(&[]);
    let outcomes = all(&server, &["g", "a@b", "no@b", "c@d"], &context());
    assert!(outcomes.iter().all(|outcome| outcome.failure.is_none()));
    assert!(outcomes[1].head.as_ref().unwrap().lines[0].contains("kept"), "{:?}", outcomes[1].head);
    assert_eq!(
        server.commands(),
        ["MODE READER", "GROUP g", "OVER 1-2", "ARTICLE <a@b>", "ARTICLE <no@b>", "ARTICLE <c@d>"]
    );
}

/// A refusal leaves the conversation in order.
#[test]
fn refusals_do_not_cost_the_connection() {
    let server = News::start(&[("ARTICLE <no@b>", say("430 no\r\n")), ("GROUP no", say("411 no\r\n"))]);
    let outcomes = all(&server, &["no@b", "no", "c@d"], &context());
    assert_eq!(outcomes.iter().map(|outcome| outcome.failure.is_some()).collect::<Vec<_>>(), [true, true, false]);
    assert_eq!(server.visits().len(), 1);
}

#[test]
fn a_group_is_chosen_once_and_again_when_an_article_is_newer_than_that() {
    let server = News::start(&[("ARTICLE 9", say("423 no\r\n"))]);
    let urls = ["g/1", "g/2", "g/9"].map(|path| server.url(path).replace("news:", "nntp:"));
    let requests: Vec<Request> = urls.iter().map(|url| request(url)).collect();
    fetch_all(&requests, &context());
    assert_eq!(
        server.commands(),
        ["MODE READER", "GROUP g", "ARTICLE 1", "ARTICLE 2", "ARTICLE 9", "GROUP g", "ARTICLE 9"]
    );
}

/// Whoever goes from server to server holds few connections open; those that were used last.
#[test]
fn few_connections_are_kept_of_many_servers() {
    let servers: Vec<News> = (0..12).map(|_| News::start(&[])).collect();
    let context = context();
    let requests: Vec<Request> = servers.iter().map(|server| request(&server.url("g"))).collect();
    fetch_all(&requests, &context);
    let kept = format!("{:?}", context.nntp);
    assert_eq!(kept.matches(": 1").count(), 8, "{kept}");
    assert!(kept.contains(&format!("port {}\": 1", servers[11].port)), "{kept}");
    assert!(!kept.contains(&format!("port {}\": 1", servers[0].port)), "{kept}");
}

/// Closed, told to go, or forgotten by the network: the reader does not see it.
#[test]
fn a_dead_connection_is_replaced_once() {
    for (step, context) in
        [(vec![Do::Close], context()), (say("400 idle for too long\r\n"), context()), (vec![Do::Wait], hasty())]
    {
        let dies: Answers = &[("ARTICLE <2@h>", step.clone())];
        let server = News::changing(&[dies, &[]]);
        let outcomes = all(&server, &["1@h", "2@h"], &context);
        assert_eq!(outcomes[1].failure, None, "{step:?}");
        drop(context);
        assert_eq!(server.visits()[1], ["MODE READER", "ARTICLE <2@h>"]);
    }
    // A new one that dies as well is a failure, not a loop.
    let dies: Answers = &[("ARTICLE <2@h>", vec![Do::Close])];
    let server = News::start(dies);
    let outcomes = all(&server, &["1@h", "2@h"], &context());
    assert!(
        outcomes[1].words().contains("closed the connection instead of answering ARTICLE"),
        "{}",
        outcomes[1].words()
    );
    assert_eq!(server.visits().len(), 2);
}

#[test]
fn half_read_answers_close_the_connection() {
    let endless = vec![Do::Say("220 1 <1@h>\r\n".into()), Do::Say(b"text\r\n".repeat(20_000)), Do::Wait];
    let server = News::start(&[("ARTICLE <1@h>", endless)]);
    let outcomes = all(&server, &["1@h", "2@h"], &hasty());
    assert!(outcomes[0].cut().unwrap().contains("nothing came for"), "{:?}", outcomes[0].end);
    assert_eq!(outcomes[1].failure, None);
    assert_eq!(server.visits().len(), 2);
}

#[test]
fn each_login_has_its_own_connection_and_a_server_no_more_than_two() {
    let server = News::start(&[]);
    let who = |name: &str| {
        let login = Login { user: name.as_bytes().to_vec(), password: b"x".to_vec(), account: None };
        Request { login: Some(login), ..request(&server.url("a@b")) }
    };
    let requests = [request(&server.url("a@b")), who("one"), who("two"), who("one"), request(&server.url("a@b"))];
    let context = context();
    fetch_all(&requests, &context);
    assert!(format!("{:?}", context.nntp).ends_with(": 2}"), "{:?}", context.nntp);
    assert!(!format!("{context:?}").contains("\"x\""));
    drop(context);
    let visits = server.visits();
    // The first was closed to make room for "two", so the last is a new one.
    assert_eq!(visits.iter().map(Vec::len).collect::<Vec<_>>(), [2, 5, 4, 2], "{visits:?}");
}

/// A third request says that it waits for one of the two connections, and gets it.
#[test]
fn a_busy_server_is_waited_for() {
    let server = News::start(&[("ARTICLE <1@h>", vec![Do::Wait]), ("ARTICLE <2@h>", vec![Do::Wait])]);
    let context = hasty();
    let wish = |number: usize| request(&server.url(&format!("{number}@h")));
    let (first, second, third) = (wish(1), wish(2), wish(3));
    let one = |wish| converse(wish, &context, Verdict::Accept, |_| {});
    let (first, second, third) = in_one(async { tokio::join!(one(&first), one(&second), one(&third)) });
    assert_eq!((first.failure().kind, second.failure().kind), (Kind::TimedOut, Kind::TimedOut));
    assert_eq!(third.stages, [Stage::Queued, Stage::Connecting, Stage::Waiting]);
    assert_eq!(third.failure, None);
    drop(context);
    assert_eq!(server.visits().len(), 3);
}
