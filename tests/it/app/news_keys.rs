//! Keys on pages of news as whoever comes from slrn presses them: fast, few for what is done often, and none that does harm.

use super::journey::Journey;
use super::news::{GROUP, LIST, Reader, plain_reader};
use wayfarer::app::{Effect, Kept, Msg, command_names};
use wayfarer::format::media;
use wayfarer::keys::{Key, Keymap};

fn slrn(newsrc: &str) -> Reader {
    with_keys("slrn", plain_reader(newsrc))
}

fn with_keys(preset: &str, mut r: Reader) -> Reader {
    r.j.app.desk.keymap = Keymap::preset(preset, &command_names(), &mut Vec::new()).unwrap();
    r
}

/// Who writes and where drafts are kept.
fn writing(mut r: Reader) -> Reader {
    r.j.choose(|choices| {
        (choices.drafts, choices.editor) = ("/drafts".into(), vec!["ed".into()]);
        (choices.seed, choices.takes_mail) = ("5eed".into(), true);
    });
    r.j.app.desk.settings.news.posting.from = "Me <a@x>".into();
    r
}

/// The draft that is begun.
#[track_caller]
fn draft(r: &Reader) -> String {
    let written = r.j.effects.iter().rev().find_map(|effect| match effect {
        Effect::Write { content, .. } => Some(String::from_utf8(content.clone()).unwrap()),
        _ => None,
    });
    written.expect("a draft is begun")
}

fn hasty(r: Reader) -> Reader {
    r.then(|j| j.hasty())
}

#[test]
fn a_question_that_a_key_asked_takes_the_next_key_at_once() {
    let group = |newsrc: &str| hasty(plain_reader(newsrc).group("news:g.one"));
    group("g.one: 1-9\ng.two: 1\n").keys("n").keys("n").then(|j| j.expect_fetch("news:g.two"));
    let r = group("g.one:\n").keys("A").keys("s").then(|j| j.asks("subject"));
    r.keys("w").then(|j| j.free());
}

#[test]
fn a_token_is_not_given_by_the_enter_that_named_the_file() {
    let j = Journey::new().hasty().open("titan://h/notes.gmi").text("~/a").keys("Enter");
    let j = j.prompts("token, if it wants one", "").keys("Enter").prompts("token, if it wants one", "");
    j.notes("this has just come").pause().keys("Enter").asks("Read this file and send it");
}

#[test]
fn d_of_slrn_marks_read_and_goes_on_without_opening() {
    let r = slrn("g.one! 1\n").group("news:g.one").keys("M-t j").on("news:9@x");
    let r = r.keys("d").notes("article: 1 read").file("g.one! 1,9\n").on("news:2@x").at("news:g.one");
    // A folded thread as a whole.
    let r = r.keys("d").notes("article: 3 read").file("g.one! 1-4,9\n").on("news:8@x");
    let r = r.keys("d").file("g.one! 1-4,8-9\n").at("news:g.one");
    // In an article it is the next one that opens.
    drop(r);
    let r = slrn("g.one:\n").group("news:g.one").keys("n").comes("8@x", "").keys("d").comes("9@x", "");
    r.file("g.one: 5-9\n");
}

/// By the default keys it ended the program from wherever one was.
#[test]
fn q_leads_from_article_to_group_to_list_and_out() {
    for r in [slrn("g.one:\n"), plain_reader("g.one:\n")] {
        let r = r.list("news:").keys("j j").then(|j| j.run("open news:g.one"));
        let r = r.then(|j| j.answer(media::NEWSGROUP, GROUP.as_bytes())).keys("n").comes("8@x", "");
        let r = r.keys("q").at("news:g.one").keys("q").at("news:");
        r.keys("q").then(|j| j.expect(Effect::Quit));
    }
    let r = plain_reader("g.one:\n").then(|j| j.open("news:8@x")).comes("8@x", "").keys("q");
    r.then(|j| j.notes("there is nothing above this page; Q leaves"));
}

#[test]
fn s_and_u_of_slrn_take_groups_and_let_them_go() {
    let r = slrn("g.one: 1\n").list("news:*").keys("Home").on("news:g.one");
    let r = r.keys("s").notes("g.one: you take it already").keys("u").notes("you no longer take g.one");
    let r = r.file("g.one! 1\n").keys("u").notes("you do not take it").keys("s").notes("you take g.one");
    let r = r.file("g.one: 1\n");
    // On articles they search, and mark unread.
    let r = r.group("news:g.one").keys("s").then(|j| j.prompts(":", "search-news subject ")).keys("Esc");
    r.keys("n").comes("8@x", "").keys("u").notes("marked unread").file("g.one: 1,5-7\n");
}

#[test]
fn no_key_of_slrn_does_harm() {
    let at = |r: Reader| r.group("news:g.one");
    // They made a rule of what was to be tagged, folded all threads, took the group no longer.
    let r = at(slrn("g.one:\n")).keys("#").then(|j| j.free());
    assert!(!r.j.effects.iter().any(|effect| matches!(effect, Effect::Keep(Kept::Score(..)))), "{:?}", r.j.effects);
    at(slrn("g.one: 1-9\n")).keys("*").notes("marked unread");
    at(slrn("g.one:\n")).keys("a").then(|j| j.prompts(":", "search-news author ")).keys("Esc").file("g.one: 5-7\n");
    at(slrn("g.one:\n")).keys("C").notes("down to here");
}

/// Escape and a digit come before slrn's key; here they lead to no tab on pages of news.
#[test]
fn the_prefix_of_slrn_leads_where_its_users_are_used_to() {
    let at = || slrn("g.one: 1\n").group("news:g.one");
    at().keys("M-1 M-t").notes("all threads are open");
    for prefix in ["M-1", "M-2"] {
        let r = at().keys(prefix).keys("M-p");
        let thread =
            |effect: &Effect| matches!(effect, Effect::Fetch { request, .. } if request.conversation.is_some());
        assert!(r.j.effects.iter().any(thread), "{:?}", r.j.effects);
    }
    let r = with_keys("slrn", writing(plain_reader("g.one:\n"))).group("news:g.one").keys("n");
    let r = r.comes("8@x", "Newsgroups: g.one\r\nMessage-ID: <8@x>\r\n").keys("M-1 f");
    assert!(draft(&r).contains("References: <8@x>\n"));
}

/// Whoever comes from slrn types Esc and then the key.
#[test]
fn esc_and_then_a_key_is_that_key_with_meta_in_the_keys_of_slrn() {
    let at = || slrn("g.one:\n").group("news:g.one");
    assert_eq!(at().keys("Esc d").file, at().keys("M-d").file);
    at().keys("Esc u").notes("it is unread");
    at().keys("Esc 1 Esc t").notes("all threads are open");
    at().keys("M-1 Esc t").notes("all threads are open");
    at().keys("Esc Up").notes("M-Up has no command");
    // Esc once more drops it, and the key after that is itself.
    assert_eq!(at().keys("Esc Esc d").file, at().keys("d").file);
    assert_eq!(at().keys("M-1 Esc Esc d").file, at().keys("d").file);
    // Where Esc has something to end it ends that, and the next key is itself.
    let loading = at().keys("n").keys("Esc").notes("stopped");
    assert_eq!(loading.keys("d").file, at().keys("d").file);
    let prompt = at().keys("/").keys("Esc").then(|j| j.free());
    assert_eq!(prompt.keys("d").file, at().keys("d").file);
    let found = at().keys("/").then(|j| j.text("Lamps").keys("Enter")).keys("Esc");
    assert!(!found.j.app.hands.is_mid_key());
    // A list, a question and a text over the page close.
    at().keys("?").keys("Esc").then(|j| j.free());
    // No other keys know of it.
    let r = plain_reader("g.one:\n").group("news:g.one").keys("Esc");
    assert!(!r.j.app.hands.is_mid_key());
}

#[test]
fn tagged_articles_are_saved_as_one_mailbox() {
    let mut r = plain_reader("g.one! 1\n").group("news:g.one").keys("e j Ins").on("news:2@x").keys("Ins").keys("M-S");
    let mut asked = Vec::new();
    for _ in 0..4 {
        let at = r.j.effects.iter().position(|effect| matches!(effect, Effect::Fetch { .. })).unwrap();
        let Effect::Fetch { id, request } = r.j.effects.remove(at) else { unreachable!() };
        asked.push(request.url.as_str().to_owned());
        let octets = b"From: a@x\r\n\r\nHello.\r\n".to_vec();
        let head = wayfarer::proto::Head::new(request.url.clone(), media::MESSAGE);
        r = r.then(|j| {
            let j = j.event_of(id, wayfarer::proto::FetchEvent::Head(Box::new(head)));
            let j = j.event_of(id, wayfarer::proto::FetchEvent::Body(octets));
            j.event_of(id, wayfarer::proto::FetchEvent::End(wayfarer::proto::End::default()))
        });
    }
    // The one that was tagged in an open thread, and all that is folded away under the other.
    assert_eq!(asked, ["news:9@x", "news:2@x", "news:3@x", "news:4%2Fe@x"]);
    let written = r.j.effects.iter().rev().find_map(|effect| match effect {
        Effect::Write { path, content, .. } => Some((path.clone(), content.clone())),
        _ => None,
    });
    let (path, content) = written.unwrap();
    assert!(path.ends_with("g.one.mbox"), "{path}");
    assert_eq!(String::from_utf8(content).unwrap().matches("From - ").count(), 4);
}

#[test]
fn what_is_done_often_takes_few_keys() {
    let article = |preset| {
        let r = with_keys(preset, writing(plain_reader("g.one:\n"))).group("news:g.one").keys("n");
        let mut r = r.comes("8@x", "Newsgroups: g.one\r\nMessage-ID: <8@x>\r\n");
        r.j.effects.clear();
        r
    };
    for (preset, followup, mail, on_by_mail, post, cancel, on) in
        [("default", "F", "M", "M-F", "i", "M-k", "J"), ("slrn", "f", "r", "F", "P", "D", "d")]
    {
        let r = draft(&article(preset).keys(followup));
        assert!(r.contains("Newsgroups: g.one\n") && r.contains("References: <8@x>\n"), "{preset}: {r}");
        let r = draft(&article(preset).keys(mail));
        assert!(r.contains("To: a@x\n"), "{preset}: {r}");
        let r = draft(&article(preset).keys(on_by_mail));
        assert!(r.contains("To: \nSubject: Fwd: 8@x\n") && r.contains("\nHello.\n"), "{preset}: {r}");
        let r = draft(&article(preset).keys(post));
        assert!(r.contains("Newsgroups: g.one\n") && !r.contains("References"), "{preset}: {r}");
        let r = draft(&article(preset).keys(cancel));
        assert!(r.contains("Control: cancel <8@x>"), "{preset}: {r}");
        let r = with_keys(preset, plain_reader("g.one:\n")).group("news:g.one").keys(on);
        r.notes("article: 2 read").at("news:g.one");
        let r = with_keys(preset, writing(plain_reader("g.one:\n"))).group("news:g.one");
        let r = r.keys("M-b").then(|j| j.prompts(":", "search-news body ")).keys("Esc").keys("C-o");
        assert!(r.j.effects.iter().any(|effect| matches!(effect, Effect::Read { path, .. } if path == "/drafts/")));
        for keys in [followup, mail, on_by_mail, post, cancel, on] {
            assert_eq!(keys.split(' ').count(), 1, "{preset}");
        }
    }
}

#[test]
fn help_tells_what_a_table_over_others_lends_of_them() {
    let row = |r: &Reader, keys: &str, name: &str| {
        let over = r.j.over();
        let rows = over.lines().filter(|row| row.trim_end().ends_with(&format!("  {name}"))).collect::<Vec<_>>();
        let [one] = rows[..] else { panic!("{name} stands there {} times: {over}", rows.len()) };
        assert!(keys.split(' ').all(|key| one.contains(key)), "{one}");
    };
    let narrow = |r: Reader| r.then(|j| j.resize(75, 24)).keys("?");
    let r = narrow(plain_reader("g.one:\n").group("news:g.one").keys("n").comes("8@x", ""));
    row(&r, "F W", "followup");
    row(&r, "M W", "reply-mail");
    row(&r, "i W", "post");
    let r = narrow(slrn("g.one:\n").list("news:"));
    row(&r, "s u", "subscribe");
    row(&r, "q", "quit");
    let key = |name: &str| Msg::Key(Key::named(name).unwrap());
    let r = r.then(|j| j.send(key("?")));
    assert!(r.j.over().contains("On lists of newsgroups"), "{}", r.j.over());
}

#[test]
fn help_for_a_list_of_groups_has_nothing_for_articles() {
    let narrow = |r: Reader| r.then(|j| j.resize(75, 24)).keys("?");
    let group = narrow(plain_reader("g.one:\n").group("news:g.one"));
    let articles = ["mark-thread", "watch-thread", "conversation", "mark-to-here", "save-mailbox", "cancel-article"];
    for order in articles {
        assert!(group.j.over().contains(order), "{order}: {}", group.j.over());
    }
    let list = narrow(plain_reader("g.one:\n").list("news:"));
    let text = list.j.over();
    for order in articles {
        assert!(!text.contains(order), "{order} does nothing on a list: {text}");
    }
    let (link, page) = (text.find("With the link under focus").unwrap(), text.find("On this page").unwrap());
    let catch_up = text.find("catch-up").unwrap();
    assert!(link < catch_up && catch_up < page, "of the group under focus: {text}");
}

/// Beside slrn and tin nothing that is done often takes more keys.
#[test]
fn all_down_to_here_is_read_by_one_key_and_all_groups_are_listed_by_one() {
    let here = |r: Reader, keys: &str| r.group("news:g.one").keys("j").keys(keys).file;
    let read = here(plain_reader("g.one:\n"), "x h");
    assert_ne!(read, here(plain_reader("g.one:\n"), "k"));
    assert_eq!(here(plain_reader("g.one:\n"), "M-C"), read);
    assert_eq!(here(slrn("g.one:\n"), "M-C"), read);
    plain_reader("g.one:\n").list("news:").keys("L").then(|j| j.expect_fetch("news:*"));
}

/// The focus was on the first group of a list that came only then.
#[test]
fn a_list_that_comes_only_now_has_the_group_that_was_left_under_focus() {
    let page = GROUP.replace("g.one", "g.two");
    for list in ["news:", "news://h/"] {
        let r = plain_reader("g.zero: 1\ng.one: 1\ng.two: 1\n");
        let r = r.then(|j| j.open(&format!("{list}g.two")).answer(media::NEWSGROUP, page.as_bytes())).keys("q");
        let r = r.then(|j| j.answer(media::NEWSGROUPS, LIST.as_bytes()));
        r.on(&format!("{list}g.two"));
    }
}

#[test]
fn an_author_is_found_by_one_key_and_a_name() {
    let r = plain_reader("g.one:\n").group("news:g.one").keys("M-f");
    r.then(|j| j.prompts(":", "search-news author "));
    let r = slrn("g.one:\n").group("news:g.one").keys("a");
    r.then(|j| j.prompts(":", "search-news author "));
}

#[test]
fn an_article_that_is_read_is_tagged_as_its_row_is() {
    for (reader, key) in [(slrn("g.one! 1\n"), "#"), (plain_reader("g.one! 1\n"), "Ins")] {
        let r = reader.group("news:g.one").keys("n").comes("8@x", "").keys(key).notes("its row is marked: 1 in g.one");
        let r = r.at("news:8@x").keys("n").comes("9@x", "").keys(key).notes("2 in g.one").keys(key);
        let r = r.notes("marked no longer: 1 in g.one").keys("q").at("news:g.one");
        let marked = &r.j.app.entry().unwrap().marked;
        assert_eq!(marked.len(), 1);
    }
    // One that no group led to has no row.
    slrn("g.one:\n").then(|j| j.open("news:8@x")).comes("8@x", "").keys("#").notes("only rows of directories");
}
