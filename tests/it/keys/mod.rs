//! Names of keys, key files, presets.
#![allow(clippy::unwrap_used)] // also in what the tests share

use crate::random::search;
use crate::view::commands;
use proptest::prelude::*;
use wayfarer::app::{COMMANDS, Command};
use wayfarer::keys::{Code, Key, Keymap, Lookup, Mode, PRESETS, shown};
use wayfarer::table::ConfigError;

fn read(text: &str) -> (Keymap, Vec<String>) {
    let mut errors: Vec<ConfigError> = Vec::new();
    let map = Keymap::read("keys.toml", text, "default", &commands(), &mut errors);
    (map, errors.iter().map(ConfigError::to_string).collect())
}

fn look(map: &Keymap, mode: Mode, keys: &str) -> Lookup {
    map.lookup(mode, &Key::sequence(keys).unwrap())
}

fn command(line: &str) -> Lookup {
    Lookup::Command(line.into())
}

#[test]
fn names() {
    let plain = Key::plain;
    for (name, key) in [
        ("a", plain(Code::Char('a'))),
        ("Z", plain(Code::Char('Z'))),
        ("-", plain(Code::Char('-'))),
        ("C-a", Key { control: true, ..plain(Code::Char('a')) }),
        ("C-A", Key { control: true, ..plain(Code::Char('a')) }),
        ("C--", Key { control: true, ..plain(Code::Char('-')) }),
        ("M-u", Key { meta: true, ..plain(Code::Char('u')) }),
        ("C-M-x", Key { control: true, meta: true, ..plain(Code::Char('x')) }),
        ("M-Left", Key { meta: true, ..plain(Code::Left) }),
        ("S-Tab", Key { shift: true, ..plain(Code::Tab) }),
        ("Space", plain(Code::Char(' '))),
        ("space", plain(Code::Char(' '))),
        ("Return", plain(Code::Enter)),
        ("PageDown", plain(Code::PageDown)),
        ("F5", plain(Code::F(5))),
        ("F", plain(Code::Char('F'))),
        ("é", plain(Code::Char('é'))),
    ] {
        assert_eq!(Key::named(name), Some(key), "{name}");
    }
    for name in
        ["", "C-", "S-a", "M-S-a", "F0", "F36", "F05", "F+5", "C-C-a", "X-a", "ab", "Hyper", " ", "\t", "C-\u{1}"]
    {
        assert_eq!(Key::named(name), None, "{name:?}");
    }
}

#[test]
fn every_name_shown_in_help_is_short() {
    let shown: Vec<String> =
        ["PageDown", "return", "escape", "C-M-S-delete"].map(|n| Key::named(n).unwrap().to_string()).into();
    assert_eq!(shown, ["PgDn", "Enter", "Esc", "C-M-S-Del"]);
}

fn codes() -> impl Strategy<Value = Code> {
    use Code::{
        Backspace, Char, Delete, Down, End, Enter, Esc, F, Home, Insert, Left, PageDown, PageUp, Right, Tab, Up,
    };
    prop_oneof![
        prop::sample::select(vec![
            Enter, Esc, Tab, Backspace, Delete, Insert, Up, Down, Left, Right, Home, End, PageUp, PageDown
        ]),
        (1u8..=35).prop_map(F),
        any::<char>().prop_filter("no control", |c| !c.is_control()).prop_map(Char),
        prop::sample::select(vec![' ', '-', 'C', 'M', 'S', 'F']).prop_map(Char),
    ]
}

proptest! {
    #![proptest_config(search(256))]

    #[test]
    fn the_name_of_a_key_names_it(code in codes(), control: bool, meta: bool, shift: bool) {
        let (shift, code) = match code {
            Code::Char(c) if control => (false, Code::Char(c.to_ascii_lowercase())),
            Code::Char(_) => (false, code),
            _ => (shift, code),
        };
        let key = Key { code, control, meta, shift };
        prop_assert_eq!(Key::named(&key.to_string()), Some(key));
    }

    #[test]
    fn no_name_and_no_key_file_panics(text in any::<String>()) {
        let _ = Key::named(&text);
        let _ = read(&text);
        let _ = read(&format!("[page]\n\"{}\" = \"open\"\n{text}", text.replace(['"', '\\', '\n'], " ")));
    }
}

#[test]
fn presets_have_no_mistakes_and_can_leave_everything() {
    for name in PRESETS {
        let mut errors = Vec::new();
        let map = Keymap::preset(name, &commands(), &mut errors).unwrap();
        assert_eq!(errors, [], "{name}");
        for (mode, wanted) in [
            (
                Mode::Page,
                &["follow", "back", "open", "help", "quit", "stop", "anatomy", "find", "command", "suspend"][..],
            ),
            (Mode::Overlay, &["accept", "cancel", "up", "down", "page-up", "page-down"]),
            (Mode::Prompt, &["accept", "cancel", "complete-next", "history-previous"]),
        ] {
            for command in wanted {
                assert!(!map.keys_for(mode, command).is_empty(), "{name}: nothing runs {command}");
            }
        }
        for (mode, keys, command) in map.bindings() {
            assert_eq!(map.lookup(*mode, keys), Lookup::Command(command.clone()), "{name}: {} is hidden", shown(keys));
            let word = command.split(' ').next();
            // What lies over others has their commands, too.
            let serves = |c: &Command| c.modes.iter().any(|of| of == mode || mode.below().contains(of));
            let runs = COMMANDS.iter().any(|c| Some(c.name) == word && serves(c));
            assert!(runs, "{name}: {command} does nothing in {mode:?}");
        }
        // An arrow alone is enough to move, Enter to follow, whatever the preset.
        assert_eq!(look(&map, Mode::Page, "Enter"), command("follow"), "{name}");
        assert_eq!(look(&map, Mode::Overlay, "Esc"), command("cancel"), "{name}");
    }
    assert_eq!(Keymap::preset("nano", &commands(), &mut Vec::new()), None);
}

#[test]
fn default_keys() {
    let (map, errors) = read("");
    assert_eq!(errors, [""; 0]);
    for (keys, line) in [
        ("g", "open"),
        ("o", "open"),
        ("C-l", "open"),
        ("G", "edit-url"),
        ("E", "edit-link-url"),
        ("7", "number 7"),
        ("Space", "go-on"),
        ("S-Tab", "previous-link"),
        ("M-Left", "back"),
        ("M-u", "root"),
        ("F5", "reload"),
        ("\\", "source"),
        ("'", "find-link"),
        ("C-h", "history"),
        ("X", "outside"),
        ("Q", "quit-now"),
        ("i", "attributes"),
        ("t", "follow-tab"),
        ("T", "follow-behind"),
        ("F", "hints-tab"),
        ("C-t", "new-tab"),
        ("C-w x", "close-tab"),
        ("C-w u", "reopen-tab"),
        ("}", "next-tab"),
        ("{", "previous-tab"),
        ("M-1", "tab 1"),
        ("M-9", "tab 9"),
    ] {
        assert_eq!(look(&map, Mode::Page, keys), command(line), "{keys}");
    }
    assert_eq!(look(&map, Mode::Page, "Z"), Lookup::Unbound);
    assert_eq!(look(&map, Mode::Prompt, "q"), Lookup::Unbound, "letters are text");
    assert_eq!(map.lookup(Mode::Page, &[]), Lookup::Unbound);
}

#[test]
fn the_readers_file_lies_over_a_preset() {
    let (map, errors) =
        read("preset = \"vi\"\n[page]\n\"o\" = \"home\"\n\"x y\" = \"quit\"\n\"x z w\" = \"top\"\n\"Q\" = \"\"\n");
    assert_eq!(errors, [""; 0]);
    assert_eq!(look(&map, Mode::Page, "o"), command("home"));
    assert_eq!(look(&map, Mode::Page, "g g"), command("top"));
    assert_eq!(look(&map, Mode::Page, "j"), command("down"));
    assert_eq!(look(&map, Mode::Page, "Q"), Lookup::Unbound);
    let key = |name| Key::named(name).unwrap();
    let next = vec![(key("y"), "quit".to_string()), (key("z"), String::new())];
    assert_eq!(look(&map, Mode::Page, "x"), Lookup::Prefix(next));
    assert_eq!(look(&map, Mode::Page, "x q"), Lookup::Unbound);
}

#[test]
fn a_longer_sequence_replaces_the_key_it_begins_with_and_the_other_way_round() {
    let (map, errors) = read("[page]\n\"g o\" = \"open\"\n\"g h\" = \"home\"");
    assert_eq!(errors, [""; 0]);
    assert_eq!(look(&map, Mode::Page, "g o"), command("open"));
    let (map, errors) = read("preset = \"vi\"\n[page]\n\"g\" = \"open\"");
    assert_eq!(errors, [""; 0]);
    assert_eq!(look(&map, Mode::Page, "g"), command("open"));
    assert_eq!(look(&map, Mode::Page, "g g"), Lookup::Unbound);
}

#[test]
fn every_mistake_is_reported_at_once_with_its_line() {
    let text = r#"preset = "nano"
"x" = "open"
[page]
"Foo" = "open"
"S-a" = "open"
"x" = "opne"
"y" = 7
"" = "open"
"a b" = "top"
"a" = "bottom"
"z" = "top"
[pgae]
"q" = "quit"
[prompt]
"C-x = "cancel"
"M-x" = "cancel"
"#;
    let (map, errors) = read(text);
    assert_eq!(
        errors.iter().map(|e| e.split_once(':').unwrap().1.to_string()).collect::<Vec<_>>().join("\n"),
        r#"
1: no such preset; there are default, vi, lynx, emacs, slrn
2: "x" is in no table: keys stand below [page], [news], [groups], [own], [settings], [new], [overlay] or [prompt], your commands below [commands]
4: "Foo" is no key; names are like C-a, M-Left, S-Tab, F5, Space, PgDn, x
5: "S-a" is no key; write "A" for the shifted letter
6: "opne" is no command; did you mean "open"?
7: a command line in quotes is wanted, or "" for no meaning
8: no key is named
10: hides, or is hidden by, "a b" of line 9
13: there is no table [pgae]: keys stand below [page], [news], [groups], [own], [settings], [new], [overlay] or [prompt], your commands below [commands]
15: key with no value, expected `=`"#
            .trim_start()
    );
    assert_eq!(look(&map, Mode::Page, "z"), command("top"), "rows without a mistake count");
    assert_eq!(look(&map, Mode::Prompt, "M-x"), command("cancel"), "also after a line that is no TOML");
}

#[test]
fn commands_of_ones_own_are_read_and_those_that_run_themselves_are_refused() {
    let text = r#"
[page]
"M-a" = "phlog"
"M-b" = "one"
[commands]
phlog = "open ftp://h/a;type=i; find-link {} ;  sort name ;"
alias = "phlog"
one = "two"
two = "sort size; one"
around = "one"
long = "wide; wide"
wide = "tens; tens; tens; tens; tens; tens; tens"
tens = "top; top; top; top; top; top; top; top; top; top"
open = "close-tab"
7 = "top"
"two words" = "top"
x = 3
wrong = "opne gopher://h/"
[commands.deep]
x = "top"
"#;
    let (map, errors) = read(text);
    let step = |name: &str| map.own_named(name).map(|own| own.steps.clone());
    assert_eq!(step("phlog").unwrap(), ["open ftp://h/a;type=i", "find-link {}", "sort name"]);
    assert_eq!(step("alias").unwrap(), ["phlog"]);
    assert_eq!(look(&map, Mode::Page, "M-a"), command("phlog"), "wherever the table stands");
    assert_eq!(
        errors.join("\n"),
        r#"keys.toml:4: "one" is no command
keys.toml:8: "one" would run itself without end: one → two → one
keys.toml:9: "one" is no command
keys.toml:10: "one" is no command
keys.toml:11: "long" comes to 140 steps; 100 is the most
keys.toml:14: "open" is a command already; a name of your own is wanted
keys.toml:15: a number is no name: it is a line of the page
keys.toml:16: a name is one word of 32 letters at most, without ; and braces
keys.toml:17: a command line in quotes is wanted, or several with "; " between them
keys.toml:18: "opne" is no command; did you mean "open"?
keys.toml:20: "commands.deep.x" is in no table: keys stand below [page], [news], [groups], [own], [settings], [new], [overlay] or [prompt], your commands below [commands]"#
    );
    let own = map.own_named("phlog").unwrap();
    assert_eq!(own.lines("a b").unwrap(), ["open ftp://h/a;type=i", "find-link a b", "sort name"]);
    assert_eq!(map.own_named("alias").unwrap().lines("words").unwrap(), ["phlog words"]);
    assert_eq!(map.own_named("tens").unwrap().lines("words").unwrap_err(), "tens takes no words after it");
}

#[test]
fn commands_that_name_each_other_are_counted_in_no_time() {
    let mut text = String::from("[commands]\na0 = \"top\"\n");
    (1..150).for_each(|n| text.push_str(&format!("a{n} = \"a{0}; a{0}; a{0}\"\n", n - 1)));
    let (map, errors) = read(&text);
    assert_eq!((map.own().len(), errors.len()), (5, 145), "3 to the fourth is 81, and more is too much");
}

#[test]
fn esc_begins_a_key_with_meta_where_a_file_says_so_and_on_pages_alone() {
    let (news, esc) = ([Mode::News, Mode::Page], Key::sequence("Esc").unwrap());
    let (map, errors) = read("meta-by-esc = true\n[news]\n\"M-x\" = \"mark\"\n\"M-1 M-t\" = \"folds\"");
    assert_eq!(errors, [""; 0]);
    let Lookup::Prefix(next) = map.lookup_in(&news, &esc) else { panic!("it leads on") };
    let x = Key::named("x").unwrap();
    assert!(next.contains(&(x, "mark".into())) && next.iter().all(|(key, _)| !key.meta), "{next:?}");
    let then = Key::sequence("M-1 Esc").unwrap();
    assert_eq!(map.lookup_in(&news, &then), Lookup::Prefix(vec![(Key::named("t").unwrap(), "folds".into())]));
    for mode in [Mode::Overlay, Mode::Prompt] {
        assert_eq!(map.lookup_in(&[mode], &esc), command("cancel"));
    }
    assert_eq!(read("preset = \"slrn\"\nmeta-by-esc = false").0.lookup_in(&news, &esc), command("stop"));
    assert_eq!(read("").0.lookup_in(&news, &esc), command("stop"));
    assert_eq!(read("meta-by-esc = 3").1, ["keys.toml:1: true or false is wanted"]);
}

#[test]
fn counts_take_the_digits_from_the_links_and_give_them_back() {
    let digit = |text: &str| look(&read(text).0, Mode::Page, "5");
    assert_eq!(digit(""), command("number 5"));
    assert_eq!(digit("counts = true"), Lookup::Unbound);
    assert_eq!(digit("preset = \"vi\""), Lookup::Unbound);
    assert_eq!(digit("preset = \"vi\"\ncounts = false"), command("number 5"));
    assert_eq!(read("counts = 3").1, ["keys.toml:1: true or false is wanted"]);
}

#[test]
fn keys_for_help() {
    let (map, _) = read("");
    let keys: Vec<String> = map.keys_for(Mode::Page, "back").into_iter().map(shown).collect();
    assert_eq!(keys, ["Left", "h", "Backspace", "M-Left"]);
}

/// The table of keys for a task in newsgroups, beside those of slrn and tin: ours are bound, as many as it says, and one task is one
/// command in both presets.
#[test]
fn the_table_of_keys_beside_other_newsreaders_says_what_is_bound() {
    let table = include_str!("../../../docs/peers.md").split_once("## Keys for a task in newsgroups").unwrap().1;
    let preset = |name: &str| Keymap::preset(name, &commands(), &mut Vec::new()).unwrap();
    let maps = [preset("default"), preset("slrn")];
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ") && line.contains('`')).collect();
    assert!(rows.len() > 20, "{} rows", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let list = cells[1].contains("from a list");
        let modes: &[Mode] = if list { Mode::Groups.below() } else { Mode::News.below() };
        let modes = [&[if list { Mode::Groups } else { Mode::News }], modes].concat();
        let found = [0, 1].map(|at| {
            let cell = cells[at + 2];
            let (count, keys) = cell.split_once(" `").unwrap_or_else(|| panic!("{row}"));
            let keys = Key::sequence(keys.split('`').next().unwrap()).unwrap();
            assert_eq!(count, keys.len().to_string(), "{row}");
            (1..=keys.len()).find_map(|end| match maps[at].lookup_in(&modes, &keys[..end]) {
                Lookup::Command(line) => Some(line),
                _ => None,
            })
        });
        assert!(found[0].is_some() && found[0] == found[1], "{row}: {found:?}");
    }
}
