//! Reading news: from article to article, what is read, what is taken, and what the reader's newsrc learns of it.

use super::journey::Journey;
use std::sync::Arc;
use wayfarer::app::{Effect, Kept, Known, Msg, Remembered, SiteChoice};
use wayfarer::config::{NewsServer, NewsShow, NewsThreads};
use wayfarer::doc::sanitise;
use wayfarer::format::media;
use wayfarer::news::Newsrc;
use wayfarer::proto::{End, FetchError, FetchEvent, Kind};

/// Two threads and an article alone; the newest thread comes first.
pub const GROUP: &str = "g.one\t1\t9\t6\t\n\
    1\tOld\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<1@x>\t\t1\t1\t\n\
    2\tTunnels\tB <b@x>\tTue, 03 Nov 2026 10:00:00 +0000\t<2@x>\t\t1\t1\t\n\
    3\tRe: Tunnels\tC <c@x>\tTue, 03 Nov 2026 11:00:00 +0000\t<3@x>\t<2@x>\t1\t1\t\n\
    4\tRe: Tunnels\tD <d@x>\tTue, 03 Nov 2026 12:00:00 +0000\t<4/e@x>\t<2@x> <3@x>\t1\t1\t\n\
    8\tLamps\tE <e@x>\tWed, 04 Nov 2026 10:00:00 +0000\t<8@x>\t\t1\t1\t\n\
    9\tRe: Lamps\tF <f@x>\tWed, 04 Nov 2026 11:00:00 +0000\t<9@x>\t<8@x>\t1\t1\t\n";

pub(super) const LIST: &str =
    "g.zero\t1\t5\t5\ty\t\ng.one\t1\t9\t6\ty\t\ng.two\t1\t20\t20\ty\tThe second.\ng.three\t1\t2\t2\ty\t\n";

/// The reader's server is `s`, and what their newsrc holds is `newsrc`. They see all of a group, with what is unread open.
pub(crate) fn reader(newsrc: &str) -> Reader {
    let mut r = plain_reader(newsrc);
    let news = &mut r.j.app.desk.settings.news;
    (news.show, news.threads) = (NewsShow::All, NewsThreads::Unread);
    r
}

/// The same with nothing else set.
pub(super) fn plain_reader(newsrc: &str) -> Reader {
    let mut j = Journey::new();
    j.app.desk.settings.news.server = NewsServer::parse("s").ok();
    Reader { j, file: newsrc.into() }
}

/// A journey whose newsrc is kept as the shell keeps it.
pub(crate) struct Reader {
    pub(crate) j: Journey,
    pub(super) file: String,
}

impl Reader {
    /// Does what the shell does with newsrc files.
    pub(crate) fn sync(mut self) -> Reader {
        while let Some(at) = self.j.effects.iter().position(|e| matches!(e, Effect::SyncNewsrc { .. })) {
            let Effect::SyncNewsrc { server: host, ours, base } = self.j.effects.remove(at) else { break };
            let (theirs, _) = Newsrc::parse(self.file.as_bytes());
            let merged = Arc::new(Newsrc::merge(&ours, &base, &theirs));
            self.file = String::from_utf8(merged.write()).unwrap();
            self.j = self.j.send(Msg::Known { known: Known::Newsrc { server: host, newsrc: merged }, remark: None });
        }
        self
    }

    pub(crate) fn then(mut self, step: impl FnOnce(Journey) -> Journey) -> Reader {
        self.j = step(self.j);
        self.sync()
    }

    pub(super) fn keys(self, names: &str) -> Reader {
        names.split(' ').fold(self, |reader, name| reader.then(|j| j.keys(name)))
    }

    pub(super) fn group(self, url: &str) -> Reader {
        self.then(|j| j.open(url).answer(media::NEWSGROUP, GROUP.as_bytes()))
    }

    pub(super) fn list(self, url: &str) -> Reader {
        self.then(|j| j.open(url).answer(media::NEWSGROUPS, LIST.as_bytes()))
    }

    /// The article that was asked for comes.
    #[track_caller]
    pub(super) fn comes(self, id: &str, head: &str) -> Reader {
        let id = id.to_owned();
        let octets = format!("From: a@x\r\n{head}Subject: {id}\r\n\r\n{}\r\nHello.\r\n", "> quoted\r\n".repeat(20));
        self.then(|j| j.expect_fetch(&format!("news:{id}")).answer(media::MESSAGE, octets.as_bytes()))
    }

    #[track_caller]
    pub(super) fn file(self, expected: &str) -> Reader {
        assert_eq!(self.file, expected);
        self
    }

    #[track_caller]
    pub(super) fn shows(self, words: &str) -> Reader {
        self.then(|j| j.shows(words))
    }

    #[track_caller]
    pub(super) fn notes(self, words: &str) -> Reader {
        self.then(|j| j.notes(words))
    }

    #[track_caller]
    pub(super) fn at(self, url: &str) -> Reader {
        self.then(|j| j.at_url(url))
    }

    /// The link under focus leads there.
    #[track_caller]
    pub(super) fn on(self, reference: &str) -> Reader {
        let entry = self.j.app.entry().unwrap();
        assert_eq!(entry.focus.and_then(|link| entry.document().unwrap().reference(link)), Some(reference));
        self
    }

    /// The page shows it nowhere.
    #[track_caller]
    pub(super) fn lacks(self, words: &str) -> Reader {
        let page = self.j.page();
        assert!(!page.contains(words), "{words:?} is in {page:?}");
        self
    }
}

#[test]
fn a_group_shows_what_is_unread() {
    let r = reader("g.one: 1-4\n").group("news:g.one");
    r.shows("6 articles, 2 unread, 1 thread new").shows("▾ • Lamps").shows("▸   Tunnels").file("g.one: 1-7\n");
}

#[test]
fn links_of_articles_lead_to_the_same_server_when_the_reader_names_none() {
    let article = "Subject: s\r\nNewsgroups: g.one\r\n\r\nSee news:2@x and nntp:g.one/3 now.\r\n";
    for (page, wanted) in [
        ("news://h/1@x", ["news://h/g.one", "news://h/2@x", "nntp://h/g.one/3"]),
        ("nntps://h:99/g.one/1", ["snews://h:99/g.one", "snews://h:99/2@x", "nntps://h:99/g.one/3"]),
    ] {
        for wanted in wanted {
            let rest = wanted.rsplit_once("h/").or(wanted.rsplit_once(":99/")).unwrap().1;
            let opaque = format!("{}:{rest}", if wanted.starts_with("nntp") { "nntp" } else { "news" });
            let j = Journey::new().open(page).answer(media::MESSAGE, article.as_bytes());
            j.open(&opaque).expect_fetch(wanted);
        }
    }
    // Where the reader names one it is asked, as ever.
    let r = reader("").then(|j| j.open("news://h/1@x").answer(media::MESSAGE, article.as_bytes()));
    r.then(|j| j.open("news:2@x").expect_fetch("news:2@x"));
}

#[test]
fn one_key_leads_through_everything_unread() {
    let r = reader("g.one: 1,3\n").group("news:g.one");
    // The article under focus is the first that was not seen.
    let r = r.keys("n").comes("8@x", "").file("g.one: 1,3,5-8\n");
    let r = r.keys("n").comes("9@x", "").keys("n").comes("2@x", "").keys("n").comes("4%2Fe@x", "");
    r.file("g.one: 1-9\n").keys("n").notes("nothing is unread in g.one").at("news:4%2Fe@x");
}

#[test]
fn previous_unread_and_around_the_end() {
    let r = reader("g.one: 1,9\n").group("news:g.one").keys("Tab").on("news:2@x");
    let r = r.keys("n").comes("2@x", "").keys("p").comes("8@x", "").keys("p").notes("no unread article before");
    let r = r.keys("n").comes("3@x", "").keys("n").comes("4%2Fe@x", "").keys("m").notes("marked unread");
    let r = r.keys("P").comes("3@x", "");
    r.keys("P")
        .comes("2@x", "")
        .keys("P")
        .notes("first article of the thread")
        .keys("N")
        .comes("3@x", "")
        .keys("N")
        .comes("4%2Fe@x", "")
        .keys("N")
        .notes("last article");
}

#[test]
fn reading_goes_on_from_the_top() {
    let r = reader("g.one: 1-4,9\n").group("news:g.one");
    let r = r.keys("N").comes("9@x", "").keys("n").notes("on from its top");
    r.comes("8@x", "").file("g.one: 1-9\n");
}

#[test]
fn the_group_knows_what_was_read_and_where_the_reader_was() {
    let r = reader("g.one: 1\n").group("news:g.one").keys("n").comes("8@x", "").keys("n").comes("9@x", "");
    let r = r.keys("n").comes("2@x", "").keys("U").at("news:g.one").on("news:2@x").shows("2 unread");
    let r = r.keys("Enter").comes("2@x", "").keys("h").on("news:2@x").keys("m").shows("3 unread");
    r.file("g.one: 1,5-9\n");
}

#[test]
fn cross_posts_are_read_where_they_are_known() {
    let xref = "Xref: s g.one:8 g.two:17\r\n\tg.nine:3\r\n";
    let r = reader("g.one: 1\ng.two!\n").group("news:g.one").keys("n").comes("8@x", xref);
    let r = r.file("g.one: 1,5-8\ng.two! 17\n");
    let r = r.keys("m").file("g.one: 1,5-7\ng.two!\n");
    // Marked unread, it stays so as long as it is looked at.
    r.then(|j| j.resize(70, 20)).file("g.one: 1,5-7\ng.two!\n");
}

/// An article that comes before it is known what was read is marked as soon as that is.
#[test]
fn an_article_opened_by_its_id_is_read_where_its_xref_says() {
    let article = b"From: a@x\r\nXref: s g.one:7 g.nine:3\r\nSubject: s\r\n\r\nHello.\r\n";
    let r = reader("g.one: 1\n").then(|j| j.open("news:7@x").answer(media::MESSAGE, article));
    r.file("g.one: 1,7\n").keys("m").notes("marked unread").file("g.one: 1\n");
    let private = reader("g.one: 1\n").then(|j| j.run("private news:7@x").answer(media::MESSAGE, article));
    private.file("g.one: 1\n");
}

#[test]
fn what_is_unread_is_fetched_for_later() {
    let r = reader("g.one: 1-4\n").group("news:g.one").then(|j| j.run("fetch"));
    let Some(Effect::Fetch { id, request }) = r.j.effects.iter().rev().find(|e| matches!(e, Effect::Fetch { .. }))
    else {
        panic!("{:?}", r.j.effects)
    };
    let (id, request) = (*id, request.clone());
    assert_eq!(request.articles.as_deref(), Some(&[b"8@x".to_vec(), b"9@x".to_vec()][..]));
    let says = |r: Reader, event| r.then(|j| j.send(Msg::Fetch { id, elapsed: std::time::Duration::ZERO, event }));
    let r = says(r, FetchEvent::Body(b"0 2 0 0 0\n1 2 1 ".to_vec())).notes("fetching: 0 of 2 articles of g.one");
    let r = says(r, FetchEvent::Body(b"0 0\n2 2 1 0 1\n".to_vec()));
    let r = says(r, FetchEvent::End(End::default()));
    let r = r.notes("done: 2 of 2 articles of g.one looked for, 1 kept, 1 the server does not have").at("news:g.one");
    // The thread under focus; Esc ends it.
    let r = r.then(|j| j.run("mark")).then(|j| j.run("fetch thread"));
    let wanted = r.j.effects.iter().rev().find_map(|effect| match effect {
        Effect::Fetch { request, .. } => request.articles.clone(),
        _ => None,
    });
    assert_eq!(wanted.as_deref(), Some(&[b"8@x".to_vec(), b"9@x".to_vec()][..]), "read or not");
    let r = r.then(|j| j.run("fetch")).notes("are being fetched").keys("Esc").notes("stopped: 0 of 0");
    assert!(r.j.effects.iter().any(|effect| matches!(effect, Effect::Cancel(_))), "{:?}", r.j.effects);
    let r = r.then(|j| j.run("fetch nothing")).notes("fetch thread takes the thread");
    drop(r);
    let private = reader("").then(|j| j.run("private news:g.one").answer(media::NEWSGROUP, GROUP.as_bytes()));
    private.then(|j| j.run("fetch")).notes("nothing of a private tab is kept");
}

#[test]
fn an_address_that_is_the_id_of_an_article_leads_to_the_article() {
    let group = GROUP.replace("<9@x>", "<ada@x.example>");
    let body = "From: a@x\r\nReferences: <bob@x.example>\r\n\r\n<ada@x.example> <bob@x.example> <eve@x.example> <fay@x.example>\r\n";
    let r = reader("g.one:\n").then(|j| j.open("news:fay@x.example").answer(media::MESSAGE, b"From: a@x\n\n"));
    let r = r.then(|j| j.open("news:g.one").answer(media::NEWSGROUP, group.as_bytes()));
    let r = r.then(|j| j.open("news:1@x").answer(media::MESSAGE, body.as_bytes()));
    let leads = |text: &str| {
        let entry = r.j.app.entry().unwrap();
        let document = entry.document().unwrap();
        let mut links = (0..document.link_count()).map(wayfarer::doc::LinkId);
        let link = links.find(|link| document.link_text(*link) == text).unwrap();
        r.j.app.sight().link(link).unwrap().target.unwrap().url_in(&entry.url).to_string()
    };
    assert_eq!(leads("bob@x.example"), "news:bob@x.example", "the header names it");
    assert_eq!(leads("ada@x.example"), "news:ada@x.example", "the group has it");
    assert_eq!(leads("fay@x.example"), "news:fay@x.example", "it was read");
    assert_eq!(leads("eve@x.example"), "mailto:eve@x.example");
    assert_eq!(leads("a@x"), "mailto:a@x");
}

#[test]
fn catching_up_takes_one_key() {
    let r = reader("g.one: 1\n").group("news:g.one").keys("c").then(Journey::free);
    let r = r.file("g.one: 1-9\n").shows("0 unread, 0 threads new");
    let r = r.keys("j m").notes("marked unread").file("g.one: 1-8\n");
    r.keys("s u").notes("only what is unread").shows("Lamps").lacks("Tunnels").keys("s u").shows("Tunnels");
}

#[test]
fn groups_that_are_taken_come_first() {
    let r = reader("g.two: 1-17\nstrange line\ng.one: 1-9\n").list("news:*");
    let lines = |r: &Reader| r.j.page().lines().map(str::to_owned).collect::<Vec<_>>();
    let first = lines(&r);
    assert_eq!(first[0], "• g.two  3 unread\t20\tThe second.");
    assert_eq!(first[1..], ["  g.one\t6\t", "g.three\t2\t", "g.zero\t5\t"], "by name, but for those that are taken");
    let r = r.keys("s o").shows("g.zero\t5\t\ng.three").keys("s n");
    let r = r
        .keys("Home Down Down Down u")
        .notes("you take g.zero")
        .file("g.two: 1-17\nstrange line\ng.one: 1-9\ng.zero:\n");
    let r = r.shows("• g.zero  5 unread").keys("u").notes("no longer take").keys("c");
    let r = r.file("g.two: 1-17\nstrange line\ng.one: 1-9\ng.zero! 1-5\n");
    let r = r.keys("s u").notes("groups that you take").lacks("g.zero").keys("s u").lacks("g.one").shows("g.two");
    r.keys("s u").shows("g.zero").keys("Home Tab n").then(|j| j.expect_fetch("news:g.two"));
}

#[test]
fn the_groups_that_are_taken_have_an_address() {
    let r = reader("g.two: 1-17\n").list("news:").shows("g.two").lacks("g.one");
    r.then(|j| j.open("gopher://h/").answer(media::MENU, b"").run("subscribed").expect_fetch("news:"));
    // Who takes none sees all.
    reader("").list("news:").shows("g.zero").shows("g.two");
    let r = reader("").list("news://h/*");
    r.then(|j| j.run("subscribed").expect_fetch("news://h/"));
}

#[test]
fn at_the_end_of_a_group_the_next_one_is_offered() {
    let newsrc = "g.zero: 1-5\ng.one: 1-9\ng.off! 1\ng.two: 1-17\n";
    let r = reader(newsrc).list("news:*").group("news:g.one").keys("n");
    let r = r.then(|j| j.asks("Next: g.two, 3 unread")).keys("y").then(|j| j.expect_fetch("news:g.two"));
    drop(r);
    // Nothing is known of the counts without a list.
    let r = reader(newsrc).group("news:g.one").keys("n").then(|j| j.asks("Next: g.two"));
    r.keys("q").then(Journey::free).at("news:g.one");
}

#[test]
fn an_article_that_came_from_nowhere_has_no_next_one() {
    let r = reader("").then(|j| j.open("news:5@x")).comes("5@x", "Newsgroups: g.one, g.two\r\n").keys("n");
    let r = r.then(|j| j.asks("opened from no group")).keys("y").then(|j| j.expect_fetch("news:g.one"));
    let r = r.then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes())).at("news:g.one").file("");
    r.keys("h U").then(|j| j.expect_fetch("news:g.one"));
}

#[test]
fn each_server_has_its_own_newsrc() {
    let r = reader("").group("news://Other:1190/g.one");
    let host = |j: &Journey| {
        let sites = j.effects.iter().filter_map(|e| match e {
            Effect::SyncNewsrc { server, .. } => Some(server.clone()),
            _ => None,
        });
        sites.collect::<Vec<_>>()
    };
    let news = &r.j.app.desk.settings.news;
    assert_eq!(news.newsrc_of("s"), "~/.newsrc");
    assert_eq!(news.newsrc_of("other:1190"), "~/.newsrc-other:1190");
    assert_eq!(news.newsrc_of("../x"), "~/.newsrc-.._x");
    let j = Journey::new().open("news://Other:1190/g.one").answer(media::NEWSGROUP, GROUP.as_bytes());
    assert_eq!(host(&j), ["other:1190"], "asked for once");
}

#[test]
fn an_article_that_is_not_there_may_be_elsewhere() {
    let gone = || FetchError::new(Kind::NotFound, "There is no such article.");
    let r = reader("g.one:\n").then(|mut j| {
        j.app.desk.settings.news.servers = vec![("x.*".into(), NewsServer::parse("nntps://t:5630").unwrap())];
        j
    });
    let r =
        r.group("news://s/g.one").keys("j").then(|j| j.open("news://s/7@x").expect_fetch("news://s/7@x").fail(gone()));
    let r = r.shows("the same on t:5630").shows("its group: news://s/g.one");
    r.keys("U").at("news://s/g.one");
}

#[test]
fn an_article_that_is_not_there_has_a_thread() {
    let gone = || FetchError::new(Kind::NotFound, "There is no such article.");
    // It stands on the group's page and has expired since.
    let r = reader("g.one:\n").group("news:g.one").then(|j| j.open("news:3@x").fail(gone()));
    let r = r.shows("the article that it answers: Tunnels, B").shows("in its thread: Re: Tunnels, D").lacks("Lamps");
    // By its number it has an id as well.
    let r = r.keys("h").then(|j| j.open("nntp:g.one/8").fail(gone())).shows("the same by its id: news:8@x");
    let r = r.shows("in its thread: Re: Lamps, F").lacks("that it answers");
    // It is known by an answer only.
    let group = "g.one\t1\t9\t6\t\n\
        5\tRe: Masts\tG <g@x>\tTue, 03 Nov 2026 10:00:00 +0000\t<5@x>\t<1@x> <0/q@y>\t1\t1\t\n\
        1\tMasts\tH <h@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<1@x>\t\t1\t1\t\n";
    let r = r.keys("h").then(|j| j.open("news:g.two").answer(media::NEWSGROUP, group.as_bytes()));
    let r = r.then(|j| j.open("news:0%2Fq@y").fail(gone())).shows("the article that it answers: Masts, H");
    r.shows("in its thread: Re: Masts, G").lacks("Tunnels");
}

#[test]
fn an_article_that_is_not_there_was_referred_to() {
    let gone = || FetchError::new(Kind::NotFound, "There is no such article.");
    let r = reader("").then(|j| j.open("news:5@x")).comes("5@x", "References: <1@x> <0/q@y>\r\n");
    let r = r.then(|j| j.open("news:0%2Fq@y").fail(gone()));
    r.shows("the article before it: news:1@x").shows("the article that refers to it: 5@x");
}

#[test]
fn numbers_without_articles_count_as_read_where_the_group_is_taken() {
    reader("g.one: 1\n").group("news:g.one").file("g.one: 1,5-7\n").shows("5 unread");
    reader("g.one! 1\n").group("news:g.one").file("g.one! 1\n");
    reader("").group("news:g.one").file("");
    // What did not come whole tells nothing.
    let r = reader("g.one: 1\n").then(|j| j.open("news:g.one").answer_cut(media::NEWSGROUP, GROUP.as_bytes()));
    r.file("g.one: 1\n");
}

#[test]
fn marks_made_while_the_file_is_written_stay() {
    let mut j = reader("g.one: 1-7\n").group("news:g.one").j;
    let answer = |j: Journey, file: &str| {
        let newsrc = Arc::new(Newsrc::parse(file.as_bytes()).0);
        j.send(Msg::Known { known: Known::Newsrc { server: "s".into(), newsrc }, remark: None })
    };
    let asked = |j: &mut Journey| {
        let sites =
            j.effects.extract_if(.., |e| matches!(e, Effect::SyncNewsrc { .. } | Effect::Keep(Kept::Site { .. })));
        let news = |e| match e {
            Effect::SyncNewsrc { ours, base, .. } => {
                let text = |newsrc: &Newsrc| String::from_utf8(newsrc.write()).unwrap();
                Some((text(&base), text(&ours)))
            }
            _ => None,
        };
        sites.filter_map(news).collect::<Vec<_>>()
    };
    j = j.keys("Home m").keys("Down m");
    let pair = |base: &str, ours: &str| (base.to_owned(), ours.to_owned());
    assert_eq!(
        asked(&mut j),
        [pair("g.one: 1-7\n", "g.one: 1-8\n"), pair("g.one: 1-8\n", "g.one: 1-9\n")],
        "each tells of its own change only"
    );
    // The answer to the first knows nothing of the second.
    j = answer(j, "g.one: 1-8\nother: 4\n").shows("0 unread");
    j = answer(j, "g.one: 1-9\nother: 4\n").shows("0 unread");
    j = j.keys("Home m");
    assert_eq!(asked(&mut j), [pair("g.one: 1-9\nother: 4\n", "g.one: 1-7,9\nother: 4\n")]);
}

#[test]
fn groups_that_came_since_the_last_visit_are_asked_for() {
    let time = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let visits = |j: &Journey| {
        let visit = |e: &Effect| match e {
            Effect::Keep(Kept::Site { host, choice: SiteChoice::Visit(time) }) => Some((host.clone(), *time)),
            _ => None,
        };
        j.effects.iter().filter_map(visit).collect::<Vec<_>>()
    };
    let list = |j: Journey, url: &str| {
        let mut head = super::journey::head(url, media::NEWSGROUPS);
        head.clock = Some(time("2026-11-20T15:00:00Z"));
        j.open(url).event(FetchEvent::Head(Box::new(head))).body(LIST.as_bytes()).body(b"\tg.two\n").end()
    };
    let mut r = reader("g.one: 1-9\n");
    r.j.remember(Remembered { listed: [("s".into(), time("2026-11-01T12:00:00Z"))].into(), ..Remembered::default() });
    let r = r.then(|j| list(j, "news:*")).shows("g.two  new").notes("1 new group");
    assert_eq!(r.j.fetches.last().unwrap().1.since, Some(time("2026-11-01T12:00:00Z")));
    assert_eq!(visits(&r.j), [("s".to_owned(), time("2026-11-20T15:00:00Z"))]);
    // For as long as the program runs they stay new.
    let r = r.then(|j| list(j, "news:"));
    assert_eq!(r.j.fetches.last().unwrap().1.since, Some(time("2026-11-01T12:00:00Z")));
    let r = r.shows("g.two  new").shows("g.one").lacks("g.zero");
    for (url, since) in [("news:g.*", None), ("news:g.one", None), ("news://other/", None)] {
        assert_eq!(r.j.app.listed().len(), 1);
        let mut j = Journey::new();
        j.app.desk.settings.news.server = NewsServer::parse("s").ok();
        j.remember(Remembered { listed: r.j.app.listed().clone(), ..Remembered::default() });
        assert_eq!(j.open(url).fetches.last().unwrap().1.since, since, "{url}");
    }
}

#[test]
fn links_to_articles_are_copied_by_id() {
    let copied = |text: &str| Effect::Copy(text.into());
    let r = reader("g.one:\n").group("nntp://s/g.one").keys("Y").then(|j| j.expect(copied("news:8@x")));
    let r = r.then(|j| j.open("nntp://s/g.one/2"));
    let r = r.then(|j| j.answer(media::MESSAGE, b"Message-ID: <2@x>\r\n\r\nHello.\r\n"));
    r.keys("y").then(|j| j.expect(copied("news:2@x")));
}

#[test]
fn keys_of_news_end_where_news_ends() {
    let r = reader("").group("news:g.one");
    r.then(|j| j.open("gopher://h/").answer(media::MENU, b"")).keys("^").notes("^ has no command");
    let j = Journey::at(&["0|A|/a"]).run("catch-up").notes("does nothing here");
    let j = j.keys("?").look(|j| assert!(!j.over().contains("unread article"), "{}", j.over()));
    let j = j.keys("?").look(|j| assert!(j.over().contains("On pages of news"), "{}", j.over()));
    j.keys("Esc").free();
    let r = reader("").group("news:g.one");
    r.keys("?").then(|j| {
        j.look(|j| {
            let (over, any) = (j.over(), j.over().find("On any page").unwrap());
            assert!(over.find("next unread article").is_some_and(|at| at < any), "what is of news comes first: {over}");
        })
    });
}

#[test]
fn what_is_wrong_with_a_newsrc_is_told() {
    let r = reader("").group("news:g.one");
    let remark = Some("~/.newsrc:3: \u{1b}[31m odd".into());
    let j = r.j.send(Msg::Known { known: Known::Newsrc { server: "s".into(), newsrc: Arc::default() }, remark });
    assert_eq!(j.app.hands.note.unwrap().text, sanitise("~/.newsrc:3: \u{1b}[31m odd"));
}

#[test]
fn a_hundred_thousand_articles_are_walked() {
    let mut group = String::from("g.big\t1\t100000\t100000\t\n");
    for n in (1..=100_000).rev() {
        group += &format!("{n}\tSubject {}\tA <a@x>\tMon, 02 Nov 2026 10:00:00 +0000\t<{n}@x>\t\t1\t1\t\n", n / 3);
    }
    let r = reader("g.big: 1-99998\n").then(|j| j.open("news:g.big").answer(media::NEWSGROUP, group.as_bytes()));
    let r = r.shows("100,000 articles, 2 unread").keys("n").comes("100000@x", "");
    r.keys("n").comes("99999@x", "").keys("n").notes("nothing is unread").file("g.big: 1-100000\n");
}

#[test]
fn one_step_back_from_any_article_leads_to_the_group() {
    let reader = reader("").group("news:g.one").keys("n").comes("8@x", "").keys("n").comes("9@x", "");
    let places =
        |reader: &Reader| reader.j.app.tab.history.iter().map(|e| e.url.as_str().to_owned()).collect::<Vec<_>>();
    assert_eq!(places(&reader), ["news:g.one", "news:9@x"]);
    let reader = reader.keys("h");
    assert_eq!(reader.j.app.entry().unwrap().url.as_str(), "news:g.one");
}

/// What was marked unread stays so when its tab comes back to the front.
#[test]
fn tabs_mark_nothing_read_twice() {
    let r = reader("g.one:\n").group("news:g.one").keys("n").comes("8@x", "").file("g.one: 5-8\n");
    let r = r.keys("m").notes("marked unread").file("g.one: 5-7\n").keys("C-t Esc {").file("g.one: 5-7\n");
    // Another article in another tab does not make it forget.
    let r = r.then(|j| j.run("new-tab news:9@x")).comes("9@x", "").keys("{").file("g.one: 5-7\n");
    r.keys("m").file("g.one: 5-8\n");
}

#[test]
fn a_private_tab_marks_nothing_read() {
    let r = reader("g.one:\n").then(|j| j.run("private news:g.one").answer(media::NEWSGROUP, GROUP.as_bytes()));
    let r = r.keys("n").comes("8@x", "Xref: s g.one:8\r\n").shows("Hello.").file("g.one:\n");
    // Neither by a key, which says so, nor does it take groups or make rules.
    let refused = |r: Reader, key: &str| r.keys(key).notes("nothing of a private tab is kept").file("g.one:\n");
    let r = ["m", "c", "u", "@", "I", "#", "x h"].into_iter().fold(r, refused);
    let r = refused(r, "A");
    assert!(!r.j.effects.iter().any(|effect| matches!(effect, Effect::Keep(_))), "{:?}", r.j.effects);
    // To throw away is to go on, too.
    refused(r, "K").comes("2@x", "");
}
