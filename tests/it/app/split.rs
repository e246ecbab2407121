//! Two panes: a list and what it names, a page and its link, its source, its anatomy.

use super::counts::with;
use super::journey::{Journey, lines, long_menu, menu};
use super::news;
use super::pointing::{Mouse, screen};
use wayfarer::app::{Effect, Gesture, TabState};
use wayfarer::format::media;
use wayfarer::keys::Mode;

/// What the pane without the focus shows.
fn beside(j: &Journey) -> String {
    let sight = j.app.beside().expect("a second pane");
    sight.entry().map_or_else(|| "nothing".into(), |entry| entry.url.to_string())
}

trait Panes {
    fn beside(self, url: &str) -> Self;
    fn tabs(self, count: usize) -> Self;
}

impl Panes for Journey {
    #[track_caller]
    fn beside(self, url: &str) -> Journey {
        assert_eq!(beside(&self), url);
        self
    }

    #[track_caller]
    fn tabs(self, count: usize) -> Journey {
        assert_eq!(self.app.tab_count(), count);
        self
    }
}

const MENU: [&str; 6] = ["0|A|/a", "0|Bees|/b", "0|C|/c", "1|Deeper|/d", "7|Find|/f", "9|Zip|/z"];

/// A menu with the first of its items in the other pane.
fn reading() -> Journey {
    let j = Journey::at(&MENU).keys("|").tabs(2).at_url("gopher://h/").beside("nothing");
    let j = j.keys("Enter").expect_fetch("gopher://h/0/a").answer(media::PLAIN, &lines(50));
    j.quiet().at_url("gopher://h/").focus(0).beside("gopher://h/0/a")
}

#[test]
fn what_a_list_names_opens_in_the_other_pane_and_the_list_keeps_the_focus() {
    let j = reading().keys("Down Enter").expect_fetch("gopher://h/0/b");
    // The old one stays until the new one is there.
    let j = j.beside("gopher://h/0/a").answer(media::PLAIN, b"b").quiet().beside("gopher://h/0/b").focus(1);
    let j = j.keys("M-n").expect_fetch("gopher://h/0/c").focus(2).answer(media::PLAIN, b"c").beside("gopher://h/0/c");
    let j = j.keys("M-n").notes("last item").keys("M-p").expect_fetch("gopher://h/0/b").focus(1);
    let j = j.answer(media::PLAIN, b"b").quiet().beside("gopher://h/0/b").at_url("gopher://h/");
    // The list is one step back from each of them, as if the reader had gone there from it.
    j.keys("C-w w").at_url("gopher://h/0/b").keys("h").at_url("gopher://h/").focus(1).beside("gopher://h/0/b").quiet();
}

#[test]
fn the_next_item_is_the_one_under_focus_as_long_as_none_was_opened() {
    Journey::at(&MENU).keys("| Down M-n").expect_fetch("gopher://h/0/b").keys("M-n").expect_cancel(1).focus(2);
}

#[test]
fn along_the_list_from_the_pane_of_the_article() {
    let j = reading().keys("C-w w M-n").expect_fetch("gopher://h/0/b").answer(media::PLAIN, b"b").quiet();
    let j = j.at_url("gopher://h/0/b").beside("gopher://h/");
    assert_eq!(
        j.app.beside().unwrap().entry().unwrap().focus,
        Some(wayfarer::doc::LinkId(1)),
        "the list shows what is read"
    );
    // At its end the key that goes on goes on to the next one.
    let j = j.keys("Space").notes("goes on").keys("Space").expect_fetch("gopher://h/0/c");
    j.answer(media::PLAIN, b"c").keys("C-w w").at_url("gopher://h/").focus(2);
}

#[test]
fn a_list_in_an_order_of_its_own_is_gone_along_in_that_order() {
    let rows = b"type=file;size=5; small\r\ntype=file;size=500; large\r\ntype=file;size=50; middle\r\n";
    let j = Journey::new().open("ftp://f/d/").answer(media::DIRECTORY, rows).run("sort size").keys("|");
    // The largest comes first.
    let j = j.keys("Down Enter").expect_fetch("ftp://f/d/large").answer(media::PLAIN, b"x").keys("M-n");
    let j = j.expect_fetch("ftp://f/d/middle").answer(media::PLAIN, b"x").keys("C-w w M-n");
    j.expect_fetch("ftp://f/d/small");
}

#[test]
fn another_list_a_search_and_what_is_no_page_open_where_the_list_is() {
    let j = reading().keys("Down Down Down Enter").expect_fetch("gopher://h/1/d");
    let j = j.answer(media::MENU, &menu("h", &["0|D|/d/d"])).at_url("gopher://h/1/d").beside("gopher://h/0/a");
    let j = j.keys("Enter").expect_fetch("gopher://h/0/d/d").answer(media::PLAIN, b"d").at_url("gopher://h/1/d");
    let j = j.beside("gopher://h/0/d/d").keys("h").at_url("gopher://h/").focus(3).keys("Down Enter");
    let j = j.prompts("search for", "").text("words").keys("Enter").expect_fetch("gopher://h/7/f%09words");
    j.at_url("gopher://h/").beside("gopher://h/0/d/d");
}

#[test]
fn what_the_other_pane_asks_is_asked_there() {
    let j = reading().keys("End Enter").expect_fetch("gopher://h/9/z").head("application/x-zoo").free();
    assert_eq!(j.app.beside().unwrap().tab.state(), TabState::Asks);
    assert!(screen(&j).iter().any(|row| row.contains("? asks")), "{:#?}", screen(&j));
    let j = j.keys("C-w w").asks("This is no page").keys("c").free().at_url("gopher://h/0/a");
    j.keys("C-w w").at_url("gopher://h/");
}

#[test]
fn the_same_key_closes_it_and_what_was_never_entered_closes_with_it() {
    let j = reading().keys("|").tabs(1).notes("C-w u").at_url("gopher://h/").keys("C-w u");
    j.expect_fetch("gopher://h/0/a").at_url("gopher://h/0/a").tabs(2);
    let j = reading().keys("C-w w C-w w |").tabs(2).notes("the other is tab 2").at_url("gopher://h/").keys("}");
    let j = j.at_url("gopher://h/0/a").quiet();
    assert!(j.app.beside().is_none());
    // Closed from the article, the list is the other one.
    let j = reading().keys("C-w w C-w o").tabs(2).notes("the other is tab 1").at_url("gopher://h/0/a");
    assert_eq!(j.app.tab_rows(), 1);
    Journey::at(&MENU).keys("C-w o").notes("there is one pane").keys("C-w w").notes("| makes two");
}

#[test]
fn esc_in_the_list_stops_what_it_has_opened() {
    let j = reading().keys("Down Enter").expect_fetch("gopher://h/0/b").keys("Esc").expect_cancel(2);
    j.notes("stopped in the other pane").beside("gopher://h/0/a").tabs(2);
}

#[test]
fn esc_closes_no_pane_and_a_tab_that_closes_leaves_the_other() {
    let j = reading().keys("Esc").tabs(2).beside("gopher://h/0/a").keys("C-w w Esc").beside("gopher://h/");
    let j = j.keys("C-w x").tabs(1).at_url("gopher://h/");
    assert_eq!(j.app.pane().rows, 22);
    let j = reading().keys("C-w x").tabs(1).at_url("gopher://h/0/a");
    assert!(j.app.beside().is_none());
}

#[test]
fn a_third_tab_has_the_screen_for_itself_and_the_pair_comes_back() {
    let j = reading().keys("C-t Esc").tabs(3);
    assert!(j.app.beside().is_none());
    let j = j.keys("{").at_url("gopher://h/").beside("gopher://h/0/a");
    assert_eq!(j.app.tab_rows(), 1, "the third one is not in view");
    j.keys("}").keys("C-w w").notes("there is one pane");
}

#[test]
fn each_pane_is_laid_out_by_its_own_width_and_in_its_own_room() {
    let j = reading().look(|j| {
        let rows = [j.app.page_rows(), j.app.beside().unwrap().page_rows()];
        assert_eq!(rows, [7, 13], "a list above needs less; two rows are heads, two the foot");
    });
    j.resize(160, 50).look(|j| {
        let columns = [j.app.sight().page_columns(), j.app.beside().unwrap().page_columns()];
        assert_eq!((columns, j.app.page_rows()), ([63, 96], 47));
    });
    // No text goes out of sight where the room becomes smaller.
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 100)).keys("PgDn PgDn");
    let focus = j.app.entry().unwrap().focus;
    let j = j.keys("| Enter");
    assert_eq!(j.app.entry().unwrap().focus, focus);
    assert!(screen(&j)[1..8].iter().any(|row| row.contains('▸')), "{:#?}", screen(&j));
}

#[test]
fn where_there_is_no_room_for_two_the_one_with_the_focus_is_there_and_says_so() {
    for (columns, rows) in [(20, 5), (20, 4), (10, 3), (3, 2), (1, 1)] {
        // Where the second could not be seen from the beginning there is none.
        let j = Journey::at(&MENU).resize(columns, rows).keys("|").tabs(1).notes("no room for two panes").quiet();
        j.run("split anatomy").tabs(1).notes("no room for two panes");
        let j = Journey::at(&MENU).keys("|").resize(columns, rows);
        let _ = screen(&j);
        assert!(j.app.beside().is_none());
        // What was asked for is what is seen.
        let j = j.keys("Enter").expect_fetch("gopher://h/0/a").answer(media::PLAIN, b"a").at_url("gopher://h/0/a");
        let _ = screen(&j);
        j.keys("C-w w").notes("C-w w shows the other pane").at_url("gopher://h/").keys("|").tabs(2);
    }
    let j = reading().resize(20, 5);
    assert!(screen(&j)[0].starts_with("▸1 of 2 "), "{:#?}", screen(&j));
    reading().resize(20, 5).resize(80, 24).beside("gopher://h/0/a");
}

#[test]
fn a_page_and_its_link_its_source_itself() {
    let page = b"<title>T</title><p>Words and a <a href=two>link</a>.";
    let web = || Journey::new().open("http://h/one").answer("text/html", page);
    let j = web().keys("|").expect_fetch("http://h/two").at_url("http://h/one").answer("text/html", b"<p>Two.").quiet();
    let j = j.beside("http://h/two").keys("Enter").expect_fetch("http://h/two").answer("text/html", b"<p>Two.");
    j.at_url("http://h/two").beside("http://h/two");
    let j = web().run("split source").quiet().beside("http://h/one");
    let source = |j: &Journey| {
        let document = j.app.beside().unwrap().entry().unwrap().document().unwrap().text().to_owned();
        document.contains("<title>")
    };
    assert!(source(&j));
    // Without a link the source is what is put beside it.
    let j = Journey::new().open("http://h/one").answer("text/html", b"<title>T</title><p>Words.").keys("|").quiet();
    assert!(source(&j));
    // A text is beside itself, each pane with its own place.
    let j = Journey::new().open("gopher://h/0/t").answer(media::PLAIN, &lines(100)).keys("| C-w w PgDn").quiet();
    let tops = [j.app.entry().unwrap().top.block, j.app.beside().unwrap().entry().unwrap().top.block];
    assert!(tops[0] > 0 && tops[1] == 0, "{tops:?}");
    j.run("split source").notes("its own source").run("split x").notes("nothing called x");
}

#[test]
fn the_anatomy_beside_a_page_is_that_of_what_has_the_focus() {
    let said = |j: &Journey| j.app.beside().unwrap().entry().unwrap().document().unwrap().text().to_owned();
    let j = Journey::at(&MENU).run("split anatomy").quiet();
    assert!(said(&j).contains("gopher://h/0/a") && said(&j).contains("Where you are"), "{}", said(&j));
    let j = j.keys("Down");
    assert!(said(&j).contains("gopher://h/0/b") && !said(&j).contains("gopher://h/0/a"), "{}", said(&j));
    assert!(j.app.session().tabs.len() == 1, "it is not kept");
    j.keys("C-w w Down PgDn = Esc C-w w").at_url("gopher://h/").keys("|").tabs(2);
}

#[test]
fn the_mouse_moves_the_focus_and_the_wheel_turns_what_is_under_it() {
    let j = reading().over(Gesture::WheelDown, "This is line 5.").at_url("gopher://h/");
    assert_eq!(j.app.beside().unwrap().entry().unwrap().top.block, 3);
    let j = j.press("This is line 5.").at_url("gopher://h/0/a").quiet();
    // A press there follows no link.
    let j = j.press("Bees").at_url("gopher://h/").quiet().focus(0);
    j.press("Bees").focus(1).expect_fetch("gopher://h/0/b");
}

#[test]
fn who_listens_has_one_pane() {
    let mut j = Journey::at(&MENU);
    j.app.desk.settings.speech = true;
    j.keys("|").notes("one pane only").tabs(1).keys("Enter").expect_fetch("gopher://h/0/a");
}

#[test]
fn links_by_number_hint_and_list_open_in_the_other_pane_too() {
    for keys in ["2 Enter", "f s", "O Down Enter"] {
        let j = reading().keys(keys);
        assert_eq!(j.app.mode(), Mode::Page, "{keys}");
        j.expect_fetch("gopher://h/0/b").at_url("gopher://h/");
    }
}

/// What a list of the network leads to is judged as the list's, whatever page is read beside it.
#[test]
fn a_file_that_a_list_of_the_network_names_is_asked_about_from_either_pane() {
    let rows = b"0A\t/a\th\t70\r\nhFile\tURL:file:///home/me/a\th\t70\r\nhOther\tURL:file:///home/me/b\th\t70\r\n.\r\n";
    let at = || Journey::new().open("gopher://h/").answer(media::MENU, rows);
    let read = |j: Journey| j.keys("| Enter").expect_fetch("gopher://h/0/a").answer(media::PLAIN, b"a").quiet();
    read(at()).keys("Down Enter").asks("A page from the network leads to a file of this machine.").quiet();
    // Who agreed to one has not agreed to the next.
    let j = read(at()).keys("Down Enter").text("y").expect_fetch("file:///home/me/a").answer(media::PLAIN, b"mine");
    j.keys("M-n").asks("A page from the network leads to a file of this machine.").quiet();
    let j = at().keys("Down Enter").text("y").expect_fetch("file:///home/me/a").answer(media::PLAIN, b"mine");
    j.keys("M-n").asks("A page from the network leads to a file of this machine.").quiet();
}

#[test]
fn nothing_private_is_kept_of_what_a_private_list_names() {
    let j = Journey::new().run("private gopher://h/").answer(media::MENU, &menu("h", &MENU)).keys("|");
    assert!(j.app.beside().unwrap().tab.private);
    j.keys("Enter").answer(media::PLAIN, b"a").beside("gopher://h/0/a");
}

#[test]
fn an_article_beside_its_group_is_read_and_the_group_says_so() {
    let j = news::reader("g.one: 1-2\n").group("news:g.one").keys("|");
    let unread = |j: &Journey| j.app.entry().unwrap().page.as_deref().unwrap().arrangement.unread.unwrap();
    let before = unread(&j.j);
    let j = j.keys("n").comes("8@x", "").at("news:g.one").on("news:8@x").then(|j| j.beside("news:8@x"));
    assert_eq!(unread(&j.j), before - 1);
    let j = j.file("g.one: 1-2,5-8\n").keys("n").comes("9@x", "").on("news:9@x").file("g.one: 1-2,5-9\n");
    // In the other pane the same key goes on, and the list goes along.
    let j = j.keys("C-w w").keys("n").comes("3@x", "").at("news:3@x").keys("C-w w").at("news:g.one");
    j.on("news:3@x").file("g.one: 1-3,5-9\n");
}

#[test]
fn what_is_forgotten_stays_so_in_a_second_pane() {
    let mut j = Journey::at(&MENU);
    j.choose(|choices| choices.keeps_session = true);
    let j = j.run("forget host h").keys("y").run("split page").tabs(2);
    let session = j.app.session();
    let kept: Vec<_> = session.tabs.iter().flat_map(|tab| &tab.places).map(|place| place.url.as_str()).collect();
    assert_eq!(kept, [""; 0]);
}

#[test]
fn a_count_before_enter_opens_an_item_beside_its_list() {
    let j = with("preset = \"vi\"").open("gopher://h/").answer(media::MENU, &menu("h", &MENU)).quiet();
    let j = j.run("split list").tabs(2).keys("2 Enter").expect_fetch("gopher://h/0/b").focus(1);
    j.answer(media::PLAIN, b"b").at_url("gopher://h/").beside("gopher://h/0/b").quiet();
}

/// A list longer than its pane, with its third item in the other one.
fn long() -> Journey {
    let j = Journey::new().open("gopher://h/").answer(media::MENU, &long_menu("h", 40)).keys("| Down Down Enter");
    let j = j.answer(media::PLAIN, &lines(30)).quiet().focus(2);
    j.beside("gopher://h/0/3")
}

#[test]
fn the_next_item_is_that_after_the_one_shown_wherever_the_focus_of_the_list_is() {
    let j = long().keys("PgDn PgDn");
    assert!(j.app.entry().unwrap().focus.unwrap().0 > 5);
    // It is marked without colour, as the pointer is elsewhere.
    let marked = |j: &Journey| screen(j).iter().filter(|row| row.contains('▹')).count();
    let j = j.keys("Home");
    assert_eq!(marked(&j), 1, "{:#?}", screen(&j));
    let j = j.keys("End M-n").focus(3).answer(media::PLAIN, b"x");
    assert_eq!(marked(&j), 0);
    let j = j.beside("gopher://h/0/4").keys("End M-p").focus(2).answer(media::PLAIN, b"x");
    j.beside("gopher://h/0/3");
    // What was stopped is not what is shown.
    long().keys("Down Down Enter Esc M-n").focus(3);
}

#[test]
fn space_in_the_list_turns_the_pages_of_what_is_read_and_goes_on() {
    let j = Journey::at(&MENU).keys("| Down Space").expect_fetch("gopher://h/0/b").keys("Space").quiet();
    let top = |j: &Journey| j.app.beside().unwrap().entry().unwrap().top.block;
    let j = j.answer(media::PLAIN, &lines(20)).keys("Space").at_url("gopher://h/").focus(1).top(0);
    assert!(top(&j) > 0);
    let j = j.keys("Space").notes("the end; Space again goes on").keys("Up Space").notes("the end").keys("Space");
    let j = j.expect_fetch("gopher://h/0/c").answer(media::PLAIN, b"c").at_url("gopher://h/").focus(2);
    let j = j.beside("gopher://h/0/c").keys("Space Space Space").quiet().keys("M-p").expect_fetch("gopher://h/0/b");
    // A list opens nothing unasked.
    j.quiet();
    Journey::at(&MENU).keys("| Down Down Down Space").quiet().at_url("gopher://h/");
}

#[test]
fn space_in_a_group_goes_on_to_the_next_unread_article() {
    let mut r = news::reader("g.one: 1-2\n").group("news:g.one").keys("|").keys("n").comes("8@x", "");
    for _ in 0..9 {
        r = r.keys("Space");
        if r.j.effects.iter().any(|effect| matches!(effect, Effect::Fetch { .. })) {
            break;
        }
    }
    r.comes("9@x", "").at("news:g.one").on("news:9@x").then(|j| j.beside("news:9@x"));
}

#[test]
fn one_step_back_from_what_is_read_is_the_pane_of_the_list() {
    let j = reading().keys("C-w w Left").at_url("gopher://h/").beside("gopher://h/0/a").quiet();
    // Where another list is there, it is the one that led here.
    let j = j.keys("End Up Up Enter").expect_fetch("gopher://h/1/d").answer(media::MENU, &menu("h", &["0|D|/d/d"]));
    j.keys("C-w w Left").at_url("gopher://h/").beside("gopher://h/1/d").quiet();
}

#[test]
fn two_panes_and_one_again_is_where_the_reader_was() {
    let text: String = (0..14).map(|n| format!("<p>Line {n}.")).collect();
    let page = format!("<title>T</title>{text}<p>A <a href=two>link</a>.{text}");
    let at = || Journey::new().open("http://h/one").answer("text/html", page.as_bytes());
    let place = |j: &Journey| (j.app.entry().unwrap().top, j.app.entry().unwrap().focus);
    for keys in ["Home", "Down Down Down Down Down Down Down Down Down"] {
        let j = at().keys(keys);
        let before = place(&j);
        let j = j.keys("|").keys("C-w w C-w w |");
        assert_eq!(place(&j), before, "{keys}");
    }
    // Who has moved since stays there.
    let j = at().keys("| PgDn");
    let moved = place(&j);
    assert!(place(&j.keys("|")).0 <= moved.0);
}

#[test]
fn a_pane_in_which_nothing_was_opened_closes() {
    for keys in ["| C-w w C-w o", "| C-w w |", "| C-w w C-w w |"] {
        Journey::at(&MENU).keys(keys).tabs(1).at_url("gopher://h/").notes("one pane").quiet();
    }
    Journey::at(&MENU).keys("| Enter C-w w C-w o").tabs(2).notes("the other is tab 1");
}

#[test]
fn an_article_that_a_list_led_to_stands_beside_its_list() {
    let read = || Journey::at(&MENU).keys("Down Enter").answer(media::PLAIN, &lines(50)).keys("Space");
    let j = read().keys("|").quiet().tabs(2).at_url("gopher://h/0/b").beside("gopher://h/");
    let top = j.app.entry().unwrap().top.block;
    assert!(top > 0, "the reader stays where they read");
    assert!(screen(&j).iter().any(|row| row.contains("Deeper")), "{:#?}", screen(&j));
    // It is the pair that it would be with the list first.
    let j = j.keys("M-n").expect_fetch("gopher://h/0/c").answer(media::PLAIN, b"c").beside("gopher://h/");
    let j = j.keys("Left").at_url("gopher://h/").beside("gopher://h/0/c").focus(2).quiet().keys("Up Enter");
    let j = j.expect_fetch("gopher://h/0/b").answer(media::PLAIN, b"b").at_url("gopher://h/").beside("gopher://h/0/b");
    j.keys("|").tabs(2).at_url("gopher://h/").notes("the other is tab 2");
    // One pane again is the article as it was before, and its list one step back.
    let j = read().keys("| |").tabs(1).at_url("gopher://h/0/b").notes("one pane").keys("Left").at_url("gopher://h/");
    j.quiet();
    // The only item of its list has it at its side, too, and so has one that names other places.
    let j = Journey::at(&MENU[..1]).keys("Enter").answer(media::PLAIN, b"See gopher://h/1/x for more.\n").keys("|");
    j.quiet().beside("gopher://h/").run("split link").expect_fetch("gopher://h/1/x");
}

#[test]
fn an_article_of_a_group_stands_beside_the_group() {
    let j = news::reader("g.one: 1-2\n").group("news:g.one").keys("n").comes("8@x", "").at("news:8@x");
    let j = j.keys("|").at("news:8@x").then(|j| j.quiet().beside("news:g.one"));
    j.keys("n").comes("9@x", "").at("news:9@x").then(|j| j.beside("news:g.one"));
}

#[test]
fn an_item_that_is_on_its_way_comes_beside_the_list() {
    let j = Journey::at(&MENU).keys("Down Enter |").tabs(2).at_url("gopher://h/");
    assert!(j.app.beside().unwrap().awaits_an_item());
    let fetched: Vec<String> = j.fetches.iter().map(|(_, request)| request.url.to_string()).collect();
    assert_eq!(fetched[1..], ["gopher://h/0/b", "gopher://h/0/b"]);
    assert!(j.effects.iter().any(|effect| matches!(effect, Effect::Cancel(_))), "{:?}", j.effects);
    j.answer(media::PLAIN, b"b").at_url("gopher://h/").beside("gopher://h/0/b").focus(1);
    // Another list comes where the list is.
    let j = Journey::at(&MENU).keys("Down Down Down Enter |").tabs(2).answer(media::MENU, &menu("h", &["0|D|/d/d"]));
    j.at_url("gopher://h/1/d").beside("nothing");
}

#[test]
fn a_window_that_is_deleted_in_the_manner_of_emacs_leaves_the_other() {
    let at = || with("preset = \"emacs\"").open("gopher://h/").answer(media::MENU, &menu("h", &MENU)).quiet();
    let j = at().keys("C-x 3 Enter").answer(media::PLAIN, b"a").keys("C-x 0");
    assert!(j.app.beside().is_none());
    let j = j.at_url("gopher://h/0/a").tabs(2);
    assert!(j.app.desk.split.is_none());
    at().keys("C-x 0").notes("there is one pane").tabs(1);
}
