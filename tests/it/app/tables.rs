//! The table of commands against the key presets and the help.

use super::journey::Journey;
use super::news::GROUP;
use wayfarer::app::{COMMANDS, Remembered, command_names, meaning_of};
use wayfarer::keys::{Keymap, Mode, PRESETS};
use wayfarer::url::scheme;
use wayfarer::url::{Layer, Url};

#[test]
fn every_preset_binds_commands_that_exist() {
    for name in PRESETS {
        let mut errors = Vec::new();
        let keymap = Keymap::preset(name, &command_names(), &mut errors).unwrap();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        for (mode, keys, line) in keymap.bindings() {
            let command = line.split_whitespace().next().unwrap();
            // What lies over others has their commands, too.
            let serves = |modes: &[Mode]| modes.iter().any(|of| of == mode || mode.below().contains(of));
            assert!(
                COMMANDS.iter().any(|c| c.name == command && serves(c.modes)),
                "{name}: {command} on {keys:?} does nothing in {mode:?}"
            );
        }
    }
}

/// As files of a reader's they would be told of every mistake; as built-in ones they are not looked at so closely.
#[test]
fn presets_have_no_mistakes_and_say_the_same_as_files() {
    for name in PRESETS {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/keys/");
        let text = std::fs::read_to_string(format!("{file}{name}.toml")).unwrap();
        let mut errors = Vec::new();
        let read = Keymap::read(name, &text, "default", &command_names(), &mut errors);
        assert_eq!(errors, [], "{name}");
        let preset = Keymap::preset(name, &command_names(), &mut errors).unwrap();
        assert_eq!(read.bindings(), preset.bindings(), "{name}");
        assert_eq!(read, preset, "{name}");
    }
}

#[test]
fn names_are_unique_in_each_mode_and_explained() {
    for (i, command) in COMMANDS.iter().enumerate() {
        assert!(!command.help.is_empty());
        assert!(command.help.len() + command.name.len() <= 53, "{} wraps in the help at 80 columns", command.name);
        for other in &COMMANDS[i + 1..] {
            let both = command.modes.iter().any(|mode| other.modes.contains(mode));
            assert!(command.name != other.name || !both, "{} twice", command.name);
        }
    }
}

#[test]
fn help_lists_every_command_with_the_live_keys() {
    let mut j = Journey::at(&["0|A|/a"]);
    j.app.desk.keymap.bind(
        wayfarer::keys::Mode::Page,
        vec![wayfarer::keys::Key::named("M-x").unwrap()],
        "downloads".into(),
    );
    let j = j.keys("? ?");
    let text = j.over();
    for command in COMMANDS {
        assert!(text.contains(command.name) && text.contains(command.help), "{}", command.name);
    }
    assert!(text.lines().any(|line| line.contains("M-x") && line.contains("list of downloads")), "{text}");
    j.keys("Space Space Esc").free();
}

#[test]
fn a_reader_who_has_never_been_here_is_greeted_until_the_first_key_that_does_something() {
    let mut j = Journey::sized(40, 10);
    j.remember(Remembered { greets: true, ..Remembered::default() });
    let said = |j: &Journey| j.app.desk.greeting(39).join("\n");
    assert_eq!(
        said(&j),
        "Wayfarer: g opens a URL, Enter a link\n? shows the keys that work here\nH is the home page; a tour begins there"
    );
    let j = j.open("gopher://h/").answer("application/gopher-menu", &super::journey::long_menu("h", 20)).quiet();
    assert_eq!(j.app.page_rows(), 5);
    let mut j = j.keys("M-k").notes("no command");
    assert_eq!((j.app.desk.greeting_rows(), j.app.desk.greeting(80).len()), (3, 3), "that key did nothing");
    // In the keys as they are bound; a line that would name a key that there is not is left out.
    let page = wayfarer::keys::Mode::Page;
    for key in ["g", "o", "C-l", "?", "F1"] {
        j.app.desk.keymap.bind(page, vec![wayfarer::keys::Key::named(key).unwrap()], String::new());
    }
    j.app.desk.keymap.bind(page, vec![wayfarer::keys::Key::named("M-o").unwrap()], "open".into());
    assert_eq!(said(&j), "Wayfarer: M-o opens a URL, Enter a link\nH is the home page; a tour begins there");
    // The key does what it always does.
    let j = j.keys("Down").focus(1);
    assert_eq!((j.app.desk.greeting_rows(), j.app.page_rows(), said(&j)), (0, 8, String::new()));
}

#[test]
fn help_for_here_begins_with_the_link_and_the_page_and_names_nothing_that_does_nothing() {
    // On a screen where rows have names.
    let here = |j: Journey| j.resize(75, 24).keys("?").over();
    let at = |text: &str, words: &str| text.find(words).unwrap_or_else(|| panic!("{words} is not in {text}"));
    let menu = here(Journey::at(&["0|A|/a"]));
    assert!(at(&menu, "With the link under focus") < at(&menu, "follow the link under focus"), "{menu}");
    assert!(at(&menu, "follow the link under focus") < at(&menu, "On any page"), "{menu}");
    for nothing in
        ["next-heading", "find-next", "next-tab", "sort", "edit-field", "forward", "followup", "trust", "next-page"]
    {
        assert!(!menu.contains(nothing), "{nothing} does nothing here: {menu}");
    }
    let files = b"type=file;size=1; a\r\ntype=file;size=2; b\r\n";
    let files = here(Journey::new().open("ftp://h/").answer(wayfarer::format::media::DIRECTORY, files));
    assert!(files.contains("s n/s/d/k/r/o "), "threads, scores and columns are of other pages: {files}");
    let text = here(Journey::new().open("gopher://h/0/a").answer("text/plain", b"words"));
    assert!(!text.contains("With the link under focus") && text.contains("attributes"), "{text}");
    let page = b"<link rel=next href=2><h1>One</h1><p>Words<table><tr><th>a<th>b<tr><td>1<td>2</table>";
    let page = here(Journey::new().open("http://h/1").answer("text/html", page));
    assert!(!page.contains("edit-field"), "there is no field: {page}");
    for here in ["next-heading", "sort", "next-page"] {
        assert!(at(&page, "On this page") < at(&page, here) && at(&page, here) < at(&page, "On any page"), "{page}");
    }
}

#[test]
fn help_for_here_leaves_out_what_is_for_other_spaces() {
    // On a screen where rows have names.
    let here = |j: Journey| j.resize(75, 24).keys("?").over();
    let menu = here(Journey::at(&["0|A|/a"]));
    for of_news in ["cancel-article", "supersede", "drafts", "save-mailbox", "followup", "attributes"] {
        assert!(!menu.contains(of_news), "{of_news} does nothing on a menu: {menu}");
    }
    let item = b"0A\t/a\th\t70\t+\r\n0B\t/b\th\t70\r\n";
    let plus = Journey::new().open("gopher://h/").answer("application/gopher-menu", item);
    assert!(here(plus).contains("attributes"), "the server speaks Gopher+");
    let mut j = Journey::at(&["0|A|/a"]);
    j.choose(|choices| choices.unfinished = 1);
    assert!(here(j).contains("drafts"), "there is one");
}

#[test]
fn help_for_here_has_orders_about_rows_and_directories_where_there_are_some() {
    // On a screen where rows have names.
    let here = |j: Journey| j.resize(75, 24).keys("?").over();
    let named = |help: &str, name: &str| help.lines().any(|row| row.ends_with(&format!("  {name}")));
    let page = here(Journey::new().open("http://h/").answer("text/html", b"<p>Words"));
    for name in ["hidden", "owners", "mark-row", "mark-rows", "download", "put", "upload"] {
        assert!(!named(&page, name), "{name} does nothing on a page of the web: {page}");
    }
    assert!(!page.split_whitespace().any(|key| key == "P"), "marks rows, of which there are none: {page}");
    let menu = here(Journey::at(&["0|A|/a"]));
    assert!(named(&menu, "mark-row") && named(&menu, "mark-rows") && named(&menu, "download"), "{menu}");
    assert!(!named(&menu, "hidden") && !named(&menu, "owners"), "{menu}");
    let rows: Vec<&str> = menu.lines().filter(|row| row.ends_with("  mark-rows")).collect();
    assert!(rows[0].starts_with("P I u "), "what is begun by a key is a key of it: {rows:?}");
    // What is done with the rows of a group is not done on one of its articles.
    let article = b"From: a@h\r\nSubject: S\r\nMessage-ID: <1@h>\r\nNewsgroups: a.b\r\n\r\nYes.\r\n";
    let article = here(Journey::new().open("nntp://h/a.b/7").answer(wayfarer::format::media::MESSAGE, article));
    assert!(["thread", "mark-range", "unread-only"].iter().all(|name| !named(&article, name)), "{article}");
    assert!(named(&article, "followup") && named(&article, "mark-below"), "{article}");
    let group = Journey::new().open("nntp://s/g.one").answer(wayfarer::format::media::NEWSGROUP, GROUP.as_bytes());
    let group = here(group);
    assert!(["thread", "mark-range", "unread-only"].iter().all(|name| named(&group, name)), "{group}");
    let files = b"type=file;size=1; a\r\n";
    let files = here(Journey::new().open("ftp://h/").answer(wayfarer::format::media::DIRECTORY, files));
    assert!(["hidden", "owners", "mark-row", "download"].iter().all(|name| named(&files, name)), "{files}");
}

#[test]
fn a_key_is_named_for_what_it_does_here_and_keys_that_begin_alike_as_one() {
    let settings = Journey::sized(75, 24).open("about:settings").keys("?").over();
    let named = |key: &str| {
        settings.lines().filter(|row| row.get(..18).is_some_and(|keys| keys.split(' ').any(|k| k == key))).count()
    };
    assert_eq!((named("Right"), named("Left")), (1, 1), "{settings}");
    let menu = Journey::new().open("file:///x/").answer("text/x-listing", b"");
    let menu = menu.run("help sort").over();
    assert!(menu.contains("s n/s/d/k/c/r/t/S/o "), "{menu}");
    let form = Journey::at(&["0|A|/a"]).keys("a F1").over();
    assert!(!form.contains("send the form"), "{form}");
}

/// Below 140 columns it was one column.
#[test]
fn help_for_here_stands_in_two_columns_where_they_fit_and_cuts_no_word() {
    use std::collections::BTreeSet;
    let help = |columns: u16| Journey::at(&["0|A|/a", "1|B|/b"]).resize(columns, 24).keys("?").over();
    let words = |text: &str| -> BTreeSet<String> {
        text.split([' ', '\n', '/']).filter(|word| !word.is_empty()).map(Into::into).collect()
    };
    let narrow = help(79);
    for columns in [80, 100, 139, 140, 200] {
        let text = help(columns);
        let rows = text.lines().filter(|row| !row.starts_with("Every key can be changed"));
        let widest = rows.map(|row| row.chars().count()).max().unwrap();
        assert!(widest <= usize::from(columns) - 4, "{columns}: {widest} {text}");
        assert!(text.lines().count() < narrow.lines().count(), "{columns}: {text}");
        let cut: Vec<_> = words(&text).difference(&words(&narrow)).cloned().collect();
        assert!(cut.is_empty(), "{columns}: {cut:?}");
        let beside = |row: &&str| row.contains("follow the link") && row.trim().contains("   ");
        assert!(text.lines().any(|row| beside(&row)), "{columns}: {text}");
    }
    // On a small screen there is one, and in the list of all keys each has the name of its command.
    let rows = |text: &str| text.lines().filter(|row| row.contains("follow the link under focus")).count();
    assert_eq!(rows(&help(40)), 1);
    let all = Journey::at(&["0|A|/a"]).keys("? ?").over();
    assert!(all.lines().any(|row| row.ends_with("  follow-tab")), "{all}");
}

#[test]
fn help_is_narrowed_by_words() {
    let j = Journey::at(&["0|A|/a"]).keys("? /").prompts(":", "help ").text("bookmark link").keys("Enter");
    let text = j.over();
    assert!(text.contains("keep this page (bookmark link: the link)") && !text.contains("next-link"), "{text}");
    let text = j.run("help nothingofthekind").over();
    assert!(text.contains("No command has these words."), "{text}");
}

#[test]
fn every_word_of_the_bar_has_a_meaning() {
    let urls = include_str!("../../../assets/about/urls.txt").split_whitespace();
    let urls = urls.filter_map(|word| Url::parse(word.trim_matches(['<', '>', '(', ')', ','])).ok());
    let typed = [
        "gopher://h/7/s%09w%09+",
        "ftp://u:p@h:2121/a/b;type=i#f",
        "http://h/p?q",
        "news:g.a",
        "news:1@h",
        "nntp://h/g/1-2",
        "mailto:a@h?subject=s",
        "data:text/plain,x",
        "urn:isbn:1",
        "prospero://h/o;f=v",
        "wais://h/d?q",
        "cid:a@b",
        "mid:a@b/c@d",
        "about:home",
        "file:///a/b",
        "telnet://u@h/",
        "wais://h/d/t/p",
        "finger://h/u",
        "whois++://h/q",
        "dict://h/d:w:d:1",
        "dict://h/m:w:d:s",
        "x-any:y",
    ];
    let labels = urls.chain(typed.iter().map(|url| Url::parse(*url).unwrap())).flat_map(|url| scheme::parts(&url));
    let mut labels: Vec<&str> = labels.map(|part| part.label).chain(Layer::ALL.map(Layer::name)).collect();
    labels.sort_unstable();
    labels.dedup();
    assert!(labels.len() > 20, "{labels:?}");
    let without: Vec<&&str> = labels.iter().filter(|label| meaning_of(label).is_none()).collect();
    assert!(without.is_empty(), "{without:?}");
    let j = Journey::at(&["0|A|/a"]).run("what base").notes("relative link").run("what Xyz").notes("no word \"Xyz\"");
    assert!(j.run("what").over().contains("selector  The words that a gopher server is sent"));
    let offered = |typed: &str| {
        let j = Journey::at(&["0|A|/a"]).keys(":").text(typed);
        let rows = &j.app.hands.prompt().unwrap().completions;
        rows.iter().map(|row| row.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(offered("what base"), ["what base", "what database"]);
    assert!(offered("what ").contains(&"what selector".to_owned()));
    assert_eq!(offered("what gopher+"), ["what Gopher+"]);
}
