//! Marks of many articles at once, and what takes them back.

use super::news::{Reader, plain_reader, reader};

#[test]
fn one_key_marks_a_folded_thread_and_takes_that_back() {
    let r = plain_reader("g.one:\n").group("news:g.one").on("news:8@x").keys("Tab").on("news:2@x");
    let r = r.shows("▸ • 3 unread  Tunnels").keys("m").notes("3 articles marked read; C-_ takes it back");
    let r = r.file("g.one: 2-7\n").shows("▸   Tunnels").on("news:2@x").keys("m").file("g.one: 5-7\n");
    let r = r.keys("C-_").notes("taken back: 3 articles marked unread").file("g.one: 2-7\n");
    let r = r.keys("x u").notes("taken back: 3 articles marked read").file("g.one: 5-7\n");
    let r = r.keys("C-_").notes("no mark or rule of yours is left");
    // Open it is one article as any other.
    r.keys("e m").notes("marked read").file("g.one: 2,5-7\n");
}

#[test]
fn a_thread_is_thrown_away_by_one_key() {
    let r = plain_reader("g.one:\n").group("news:g.one").on("news:8@x");
    let r = r.keys("K").notes("thread: 2 read").on("news:2@x").file("g.one: 5-9\n");
    // From an article of it too; then the next one opens.
    let r = r.keys("n").comes("2@x", "").keys("M-d").notes("thread: 2 read");
    let r = r.file("g.one: 2-9\n").comes("1@x", "").file("g.one: 1-9\n");
    r.keys("C-_").file("g.one: 1-2,5-9\n").keys("C-_").file("g.one: 1-2,5-7\n");
}

#[test]
fn what_answers_an_article_is_marked_with_it() {
    let r = reader("g.one:\n").group("news:g.one").keys("j j j").on("news:3@x");
    let r = r.keys("x s").notes("2 articles marked read").file("g.one: 3-7\n").keys("x s").file("g.one: 5-7\n");
    r.keys("x u x u").file("g.one: 5-7\n");
}

#[test]
fn all_down_to_here_is_marked() {
    let r = reader("g.one: 9\n").group("news:g.one").keys("j j j").on("news:3@x").keys("x h");
    let r = r.notes("down to here: 3 read").file("g.one: 2-3,5-9\n");
    r.keys("C-_").file("g.one: 5-7,9\n").keys("n").comes("3@x", "").keys("x h").file("g.one: 2-3,5-9\n");
    // A folded row stands for all that is in it; what does not pass a filter is not meant.
    let r = plain_reader("g.one:\n").group("news:g.one").keys("Tab").on("news:2@x").keys("x h");
    r.file("g.one: 2-9\n");
    let r = reader("g.one:\n").group("news:g.one").then(|j| j.run("filter Tunnels")).keys("End x h");
    r.notes("3 read").file("g.one: 2-7\n");
}

#[test]
fn a_range_is_marked_from_a_line_to_here() {
    let r = reader("g.one:\n").group("news:g.one").keys("x r").notes("no line is marked; M-m marks this one");
    let r = r.keys("j").on("news:9@x").keys("M-m j j").on("news:3@x").keys("x r");
    let r = r.notes("from the mark to here: 3 read").file("g.one: 2-3,5-7,9\n");
    // Upwards as well.
    let r = r.keys("C-_ j M-m k k").on("news:2@x").keys("x r").file("g.one: 2-7\n");
    r.keys("x r").notes("no line is marked");
}

#[test]
fn catching_up_is_taken_back_to_exactly_what_was_read_before() {
    let before = "g.zero! 3\ng.one: 2,4-7\n";
    let r = plain_reader(before).group("news:g.one");
    let r = r.keys("c").notes("all of g.one is read; C-_ takes it back").file("g.zero! 3\ng.one: 1-9\n");
    let r = r.keys("C-_").notes("taken back: all of g.one is read").file(before);
    // From a list, too.
    let r = r.list("news:*").keys("Home c").file("g.zero! 3\ng.one: 1-9\n").keys("C-_");
    r.file(before);
}

#[test]
fn marks_that_are_taken_back_leave_what_was_read_since() {
    let xref = "Xref: s g.one:8 g.two:17\r\n";
    let r: Reader = plain_reader("g.one:\ng.two: 1\n").group("news:g.one").keys("Tab m").file("g.one: 2-7\ng.two: 1\n");
    let r = r.keys("Home n").comes("8@x", xref).file("g.one: 2-8\ng.two: 1,17\n");
    let r = r.keys("C-_").file("g.one: 5-8\ng.two: 1,17\n");
    // A mark goes to where the article was posted to as well, and back.
    let r = r.keys("m").notes("marked unread").file("g.one: 5-7\ng.two: 1\n");
    r.keys("C-_").file("g.one: 5-8\ng.two: 1,17\n");
}

#[test]
fn a_group_that_is_taken_no_longer_is_taken_again() {
    let before = "g.one: 1-7\ng.two: 1\n";
    let r = plain_reader(before).group("news:g.one").keys("n").comes("8@x", "").keys("u");
    let r = r.notes("you no longer take g.one; C-_ takes it back").file("g.one! 1-8\ng.two: 1\n").keys("C-_");
    let r = r.notes("taken back: you no longer take g.one").file("g.one: 1-8\ng.two: 1\n");
    // What was taken is not.
    let r = r.list("news:*").keys("End u").notes("you take").keys("C-_").notes("taken back: you take");
    r.keys("C-_").notes("no mark or rule of yours is left");
}

#[test]
fn marks_are_taken_back_while_the_next_group_is_offered() {
    let before = "g.one: 1-7\ng.two: 1\n";
    let r = plain_reader(before).group("news:g.one").keys("n").comes("8@x", "").keys("M-d");
    let r = r.then(|j| j.asks("Nothing is unread in g.one.")).file("g.one: 1-9\ng.two: 1\n").keys("C-_");
    r.then(super::journey::Journey::free).notes("taken back: thread").file("g.one: 1-8\ng.two: 1\n");
}

#[test]
fn what_is_read_is_made_unread_by_one_key() {
    let r = reader("g.one: 2-9\n").group("news:g.one").keys("Home j").on("news:2@x");
    let r = r.keys("Z").notes("3 articles marked unread; C-_ takes it back").file("g.one: 5-9\n");
    let r = r.keys("Z").notes("all of it is unread").keys("C-_").file("g.one: 2-9\n").keys("x c").file("g.one: 5-9\n");
    // An article by itself, where it is shown.
    let r = r.keys("n").comes("2@x", "").file("g.one: 2,5-9\n").keys("Z").notes("marked unread").file("g.one: 5-9\n");
    r.keys("Z").notes("it is unread").keys("C-_").file("g.one: 2,5-9\n");
}

#[test]
fn what_k_has_done_fits_a_narrow_screen() {
    let r = plain_reader("g.one:\n").group("news:g.one").keys("K");
    let said = r.j.app.hands.note.as_ref().unwrap().text.clone();
    assert_eq!(said, "thread: 2 read; C-_ takes it back");
    assert!(said.len() + "12,34".len() <= 40);
}

#[test]
fn one_key_goes_to_the_next_group_and_leaves_this_one_unread() {
    let before = "g.one: 1-7\ng.two: 1\n";
    let r = plain_reader(before).group("news:g.one").keys(")");
    let r = r.then(|j| j.expect_fetch("news:g.two")).file(before);
    // From an article, too, and on a list to the row.
    let r = r.group("news:g.one").keys("n").comes("8@x", "").keys(")");
    r.then(|j| j.expect_fetch("news:g.two")).file("g.one: 1-8\ng.two: 1\n");
    plain_reader("g.one: 1-7\n")
        .group("news:g.one")
        .keys(")")
        .notes("no other group that you take has anything unread");
}
