//! The twenty keys that hands press first, per preset and program, and what they find there.

use super::journey::Journey;
use wayfarer::app::command_names;
use wayfarer::keys::{Key, Keymap, Lookup, Mode};

pub(super) fn preset(name: &str) -> Keymap {
    Keymap::preset(name, &command_names(), &mut Vec::new()).unwrap()
}

#[track_caller]
fn table(name: &str, rows: &[(&str, &str)]) {
    let map = preset(name);
    for (keys, line) in rows {
        let found = map.lookup(Mode::Page, &Key::sequence(keys).unwrap());
        assert_eq!(found, Lookup::Command((*line).into()), "{name}: {keys}");
    }
    // Help shows them.
    let mut j = Journey::new();
    j.app.desk.keymap = map;
    let help = j.run("help all").over();
    for (keys, line) in rows {
        let name = line.split(' ').next().unwrap();
        let shows = |row: &str| row.ends_with(&format!("  {name}")) && row.contains(keys);
        assert!(help.lines().any(shows), "{keys} {name} is not in {help}");
    }
}

#[test]
fn vi_vim_less_and_vimb() {
    table(
        "vi",
        &[
            ("j", "down"),
            ("k", "up"),
            ("h", "left"),
            ("l", "right"),
            ("0", "left all"),
            ("$", "right all"),
            ("g g", "top"),
            ("G", "bottom"),
            ("C-d", "half-down"),
            ("C-u", "half-up"),
            ("C-f", "page-down"),
            ("C-b", "page-up"),
            ("/", "find"),
            ("n", "find-next"),
            ("N", "find-previous"),
            ("m", "set-mark"),
            ("'", "go-mark"),
            (".", "repeat"),
            ("}", "next-heading"),
            ("C-o", "back"),
            ("g t", "next-tab"),
            ("f", "hints"),
            ("y y", "copy-url"),
            ("Z Z", "quit"),
            (":", "command"),
            ("z t", "line-to top"),
            ("?", "find-back"),
            ("H", "back"),
            ("M", "link-at middle"),
            ("g H", "link-at top"),
        ],
    );
    let map = preset("vi");
    assert_eq!(map.lookup(Mode::Page, &Key::sequence("g L").unwrap()), Lookup::Command("link-at bottom".into()));
    assert!(map.counts);
    for name in ["q", "q!", "qa", "w", "wq", "x", "e", "tabnew", "bd", "bn", "ls", "delmarks"] {
        assert!(map.own_named(name).is_some(), "{name}");
    }
}

#[test]
fn lynx() {
    table(
        "lynx",
        &[
            ("Down", "next-link"),
            ("Right", "follow"),
            ("Left", "back"),
            ("Space", "go-on"),
            ("-", "page-up"),
            ("b", "page-up"),
            ("/", "find"),
            ("n", "find-next"),
            ("g", "open"),
            ("G", "edit-url"),
            ("d", "download"),
            ("p", "save"),
            ("m", "home"),
            ("o", "settings"),
            ("k", "help all"),
            ("V", "history"),
            ("Backspace", "places"),
            ("a", "bookmark"),
            ("v", "bookmarks"),
            ("l", "links"),
            ("=", "anatomy"),
            ("\\", "source"),
            ("z", "stop"),
            ("e", "edit-source"),
            ("q", "quit"),
            ("C-l", "redraw"),
            ("C-w", "redraw"),
            ("C-x x", "close-tab"),
        ],
    );
}

#[test]
fn emacs_and_its_eww() {
    table(
        "emacs",
        &[
            ("C-n", "down"),
            ("C-p", "up"),
            ("C-v", "page-down"),
            ("M-v", "page-up"),
            ("M-<", "top"),
            ("M->", "bottom"),
            ("C-s", "find-typing"),
            ("C-g", "stop"),
            ("M-x", "command"),
            ("C-x C-f", "open"),
            ("C-x b", "tabs"),
            ("C-x k", "close-tab"),
            ("C-x u", "reopen-tab"),
            ("C-x C-c", "quit"),
            ("g", "reload"),
            ("G", "open"),
            ("l", "back"),
            ("r", "forward"),
            ("n", "next-page"),
            ("p", "previous-page"),
            ("u", "parent"),
            ("w", "copy-url"),
            ("&", "outside"),
            ("b", "bookmark"),
            ("d", "download"),
            ("C-x z", "repeat"),
            ("C-u", "count"),
            ("C-h k", "key"),
            ("C-x ]", "half-down"),
        ],
    );
}

#[test]
fn slrn() {
    const ROWS: &[(&str, &str)] = &[
        ("Space", "go-on"),
        ("b", "page-up"),
        ("n", "next-unread"),
        ("p", "previous-unread"),
        ("N", "next-group"),
        ("P", "post"),
        ("f", "followup"),
        ("r", "reply-mail"),
        ("c", "catch-up"),
        ("d", "mark-on"),
        ("C", "mark-to-here"),
        ("#", "mark-row"),
        ("*", "mark-unread"),
        ("s", "search-news"),
        (".", "repeat"),
        ("u", "mark-unread"),
        ("M-u", "mark-unread"),
        ("M-d", "mark-thread"),
        ("M-p", "parent-article"),
        ("M-t", "thread"),
        ("M-r", "rot13"),
        ("K", "score"),
        ("t", "headers"),
        ("T", "quoted"),
        ("l", "unread-only"),
        ("G", "reload"),
        ("U", "links"),
        ("o", "save-mailbox"),
        ("|", "pipe"),
        ("<", "top"),
        (">", "bottom"),
        ("q", "parent back"),
        ("Q", "quit-now"),
        ("D", "cancel-article"),
        ("M-P", "drafts"),
    ];
    let map = preset("slrn");
    for (keys, line) in ROWS {
        let found = map.lookup_in(&[Mode::News, Mode::Page], &Key::sequence(keys).unwrap());
        assert_eq!(found, Lookup::Command((*line).into()), "{keys}");
    }
    for (keys, line) in [
        ("s", "subscribe on"),
        ("u", "subscribe off"),
        ("n", "down"),
        ("P", "post"),
        ("c", "catch-up"),
        ("l", "unread-only"),
        ("L", "open news:*"),
        ("Space", "follow"),
        ("q", "quit"),
    ] {
        let found = map.lookup_in(&[Mode::Groups, Mode::News, Mode::Page], &Key::sequence(keys).unwrap());
        assert_eq!(found, Lookup::Command(line.into()), "{keys}");
    }
    // Elsewhere the default keys hold.
    assert_eq!(map.lookup(Mode::Page, &Key::sequence("q").unwrap()), Lookup::Command("quit".into()));
    let mut j = Journey::new();
    j.app.desk.keymap = map;
    let help = j.run("help all").over();
    assert!(help.lines().any(|row| row.ends_with("  next-group") && row.contains('N')), "{help}");
}

#[test]
fn phetch_and_slrn_by_default() {
    table(
        "default",
        &[
            ("Down", "down"),
            ("j", "down"),
            ("k", "up"),
            ("Left", "back"),
            ("Right", "follow"),
            ("Space", "go-on"),
            ("-", "page-up"),
            ("PgDn", "page-down"),
            ("p", "previous-link"),
            ("1", "number 1"),
            ("g", "open"),
            ("r", "source"),
            ("w", "wrap"),
            ("y", "copy-url"),
            ("S", "save"),
            ("?", "help"),
            ("q", "quit"),
            ("m", "set-mark"),
            ("`", "go-mark"),
            ("M-.", "repeat"),
        ],
    );
    let map = preset("default");
    for (keys, line) in [
        ("n", "next-unread"),
        ("p", "previous-unread"),
        ("c", "catch-up"),
        ("m", "mark"),
        ("M-d", "mark-thread"),
        ("K", "mark-thread"),
        ("*", "folds"),
        ("F3", "find-next"),
        ("C-_", "undo"),
        ("x u", "undo"),
        ("x h", "mark-to-here"),
        ("Z", "mark-unread"),
        ("x c", "mark-unread"),
        ("#", "ignore-subject"),
        ("@", "watch-thread"),
        (")", "next-group"),
        ("~", "unread-only"),
        ("q", "parent back"),
        ("Q", "quit-now"),
    ] {
        let keys = Key::sequence(keys).unwrap();
        assert_eq!(map.lookup_in(&[Mode::News, Mode::Page], &keys), Lookup::Command(line.into()));
    }
    let q = Key::sequence("q").unwrap();
    assert_eq!(map.lookup_in(&[Mode::Groups, Mode::News, Mode::Page], &q), Lookup::Command("quit".into()));
}

#[test]
fn no_preset_loses_a_command_that_the_default_keys_run() {
    // What has another way in a preset is no loss: digits choose links by counts and Enter in vi, the arrows always go from link to
    // link in lynx.
    let named = |line: &str| line.split(' ').next().unwrap().to_owned();
    let default = preset("default");
    for name in ["vi", "lynx", "emacs", "slrn"] {
        let map = preset(name);
        for (mode, keys, line) in default.bindings() {
            let command = named(line);
            let runs =
                |(m, _, l): &(Mode, Vec<Key>, String)| (m == mode || mode.below().contains(m)) && named(l) == command;
            let elsewhere = command == "number"
                || (name == "lynx" && ["down", "up"].contains(&&*command))
                || map.bindings().iter().any(runs);
            assert!(elsewhere, "{name}: nothing runs {command} ({keys:?}) in {mode:?}");
        }
    }
}

#[test]
fn vi_leaves_by_q_closes_by_q_and_opens_by_e() {
    let mut j = Journey::new();
    j.app.desk.keymap = preset("vi");
    let j = j.text(":e gopher://h/").keys("Enter").expect_fetch("gopher://h/").answer("application/gopher-menu", b"");
    let j = j.text(":tabnew gopher://o/").keys("Enter").expect_fetch("gopher://o/");
    assert_eq!(j.app.tab_count(), 2);
    let j = j.text(":q").keys("Enter");
    assert_eq!(j.app.tab_count(), 1);
    let j = j.text(":b 1").keys("Enter").text(":ls").keys("Enter Esc").free();
    j.text(":q").keys("Enter").expect(wayfarer::app::Effect::Quit);
}

#[test]
fn emacs_finds_while_one_types() {
    let mut j = Journey::new();
    j.app.desk.keymap = preset("emacs");
    let text: String = (1..=99).map(|n| format!("line {n}\n")).collect();
    let j = j.open("gopher://h/0/a").answer("text/plain", text.as_bytes()).quiet();
    let found = |j: &Journey| {
        let text = j.app.entry().unwrap().document().unwrap().text().to_owned();
        j.app.tab.found.as_ref().map(|found| text[found.clone()].to_owned())
    };
    let j = j.keys("C-s").text("line 5");
    assert_eq!(found(&j).as_deref(), Some("line 5"));
    let j = j.text("5");
    assert_eq!((found(&j).as_deref(), j.app.entry().unwrap().top.block > 20), (Some("line 55"), true));
    // Back where it began, or on from match to match.
    let j = j.keys("C-g").free().top(0).keys("C-s").text("line 4").keys("C-s");
    assert_eq!(found(&j).as_deref(), Some("line 4"));
    assert!(j.app.entry().unwrap().top.block > 10, "the match after the first is line 40");
    let j = j.keys("Enter").free();
    assert!(j.app.entry().unwrap().top.block > 10);
    let j = j.keys("M-< C-s C-s").prompts("find as typed", "line 4");
    assert_eq!(found(&j).as_deref(), Some("line 4"));
}

#[test]
fn vi_finds_upwards_and_on_in_that_direction() {
    let mut j = Journey::new();
    j.app.desk.keymap = preset("vi");
    let text: String = (1..=99).map(|n| format!("{} {n}\n", if n % 20 == 0 { "twenty" } else { "line" })).collect();
    let j = j.open("gopher://h/0/a").answer("text/plain", text.as_bytes()).run("goto 50");
    let found = |j: &Journey| {
        let document = j.app.entry().unwrap().document().unwrap();
        j.app.tab.found.as_ref().map(|found| document.anchor_at(found.start).block + 1)
    };
    let j = j.text("?").prompts("find upwards", "").text("twenty").keys("Enter").free();
    assert_eq!(found(&j), Some(40));
    let j = j.keys("n");
    assert_eq!(found(&j), Some(20));
    let j = j.keys("n").notes("top reached; on from the end");
    assert_eq!(found(&j), Some(80));
    let j = j.keys("N").notes("end reached; on from the top").keys("N");
    assert_eq!(found(&j), Some(40));
    // Down again; and nothing typed is the same words.
    let j = j.text("/").keys("Enter");
    assert_eq!(found(&j), Some(60));
    let j = j.text("?").keys("Enter");
    assert_eq!(found(&j), Some(40));
    let j = j.run("find twenty").keys("n");
    assert!(found(&j) > Some(40), "{:?}", found(&j));
}

#[test]
fn vi_goes_to_the_links_at_the_edges_of_the_screen() {
    let mut j = Journey::new();
    j.app.desk.keymap = preset("vi");
    let j = j.open("gopher://h/").answer("application/gopher-menu", &super::journey::long_menu("h", 60));
    let rows = u32::try_from(j.app.page_rows()).unwrap();
    let j = j.keys("g L").focus(rows - 1).top(0).keys("M").focus(rows / 2).keys("g H").focus(0).top(0);
    j.run("link-at nowhere").notes("top, middle or bottom");
    let j = Journey::new().open("gopher://h/0/a").answer("text/plain", b"words\n");
    j.run("link-at top").notes("no links on this screen");
}

#[test]
fn switches_are_set_as_vi_spells_them() {
    use wayfarer::doc::Wrap;
    let wrap = |j: &Journey| j.app.choices().wrap;
    let j = Journey::new().run("set nowrap").notes("wrap is false");
    assert_eq!(wrap(&j), Wrap::Off);
    let j = j.run("set wrap?").notes("wrap is false").run("set wrap").notes("wrap is true");
    assert_eq!(wrap(&j), Wrap::On);
    let j = j.run("set wrap").notes("wrap is true").run("set wrap!").notes("wrap is false").run("set invwrap");
    assert_eq!(wrap(&j), Wrap::On);
    j.run("set nothing").notes("there is no setting \"nothing\"").run("set notheme").notes("there is no setting");
}

#[test]
fn emacs_counts_by_a_key_and_tells_what_a_key_does() {
    let menu = super::journey::long_menu("h", 90);
    let at = || {
        let mut j = Journey::new();
        j.app.desk.keymap = preset("emacs");
        j.open("gopher://h/").answer("application/gopher-menu", &menu)
    };
    at().keys("C-u 5 C-n").focus(5).keys("C-n").focus(6).free().quiet();
    at().keys("C-u C-n").focus(4).keys("C-u C-u C-n").focus(20);
    at().keys("C-u 1 2 C-n").focus(12).keys("C-u 3 C-p").focus(9).keys("C-u C-g C-n").focus(10);
    // Elsewhere digits are what they are.
    at().keys("C-u C-n").keys("3").prompts("link", "3");
    let j = at().keys("C-h k C-n").notes("C-n runs down: next link on the screen, else one line down").focus(0).free();
    let j = j.keys("C-h k C-x C-f").notes("C-x C-f runs open: open an address").free();
    let j = j.keys("C-h k C-x C-n").notes("has no command").keys("C-n").focus(1);
    // By its name in every preset.
    Journey::at(&["0|A|/a"]).run("key").keys("q").notes("q runs quit: leave").quiet();
    j.keys("C-h k 3").notes("3 runs number 3").free();
}

/// `:w` ran wqa, and left.
#[test]
fn a_name_that_is_written_out_is_that_command_and_no_longer_one() {
    let open = || {
        let mut j = Journey::new();
        j.app.desk.keymap = preset("vi");
        j.open("gopher://h/0/a").answer(wayfarer::format::media::PLAIN, b"A text.\n")
    };
    let j = open().text(":w").keys("Enter");
    assert!(j.app.hands.prompt().is_some_and(|prompt| prompt.label.starts_with("save")), "where to save is asked");
    let j = j.keys("Enter");
    assert!(!j.effects.contains(&wayfarer::app::Effect::Quit), "and nothing else is done");
    let j = open().text(":b").keys("Enter");
    assert_eq!(j.app.tab_count(), 1);
    let j = open().text(":tabn").keys("Enter");
    assert!(j.app.hands.prompt().is_none(), "no address is asked for");
}

#[test]
fn a_count_before_the_percent_sign_is_a_share_of_the_page() {
    let text: String = (0..200).map(|line| format!("line {line}\n")).collect();
    let mut j = Journey::new();
    j.app.desk.keymap = preset("vi");
    let j = j.open("gopher://h/0/a").answer(wayfarer::format::media::PLAIN, text.as_bytes()).text("50%");
    assert!((90..110).contains(&j.app.entry().unwrap().top.block), "{:?}", j.app.entry().unwrap().top);
    let j = j.text(":$").keys("Enter");
    assert!(j.app.entry().unwrap().top.block > 170);
}

/// Nothing was said.
#[test]
fn in_emacs_c_s_again_without_words_says_that_none_were_sought() {
    let mut j = Journey::new();
    j.app.desk.keymap = preset("emacs");
    let remark = |j: &Journey| j.app.hands.prompt().unwrap().remark.clone();
    let j = j.open("gopher://h/0/a").answer("text/plain", b"one\ntwo\n").keys("C-s");
    assert_eq!(remark(&j), "Enter stays there, Esc goes back");
    let j = j.keys("C-s");
    assert_eq!(remark(&j), "no words were sought before: type some");
    let j = j.text("tw").keys("Enter C-s C-s").prompts("find as typed", "tw");
    assert_eq!(remark(&j), "");
}

#[test]
fn one_key_shows_pictures_in_every_preset() {
    for name in ["default", "vi", "lynx", "emacs", "slrn"] {
        table(name, &[("x", "picture")]);
    }
}
