//! Settings from inside: `about:settings`, `:set`, `:theme`, `:keep`, `:reload-settings`.

use super::journey::Journey;
use wayfarer::app::{Effect, Kept, Known, ListKind, Msg, Overlay};
use wayfarer::config::{self, Fixed, Kind, Settings, SettingsFile, When};
use wayfarer::doc::Wrap;
use wayfarer::table::Value;

const TEXT: &str = "# mine\nwrap = false # scroll\n\n# far\nmargin = 2\n[limits]\nconnect = \"5 s\"\n";

fn file(text: &str) -> SettingsFile {
    let fixed = vec![Fixed { name: "cursor".into(), value: "true".into(), by: "-o".into() }];
    SettingsFile { name: "~/settings.toml".into(), text: text.into(), fixed, themes: vec!["mine".into()], keys: None }
}

impl Journey {
    /// The file, as it was asked for, or as a change has left it.
    fn says(self, text: &str) -> Journey {
        self.answers(file(text), None)
    }

    fn answers(mut self, file: SettingsFile, remark: Option<&str>) -> Journey {
        let (file, remark) = (Box::new(file), remark.map(String::from));
        match self.effects.iter().position(|effect| matches!(effect, Effect::ReadSettings { .. })) {
            Some(at) => {
                let Effect::ReadSettings { id } = self.effects.remove(at) else { unreachable!() };
                self.send(Msg::Settings { id, file, remark })
            }
            None => self.send(Msg::Known { known: Known::Settings(file), remark }),
        }
    }

    /// On the page, with this file.
    fn with(text: &str) -> Journey {
        let mut j = Journey::new();
        j.app.desk.settings = file(text).settings().0;
        let j = j.open("about:settings");
        assert!(j.effects.iter().any(|effect| matches!(effect, Effect::ReadSettings { .. })));
        j.says(text)
    }

    #[track_caller]
    fn lacks(self, words: &str) -> Journey {
        assert!(!self.page().contains(words), "{words:?} is shown");
        self
    }

    /// At the row of a setting.
    fn at_row(self, name: &str) -> Journey {
        let words = format!("find-link {name}");
        let mut j = self.run(&words);
        j.effects.clear();
        j
    }

    /// What was to be kept of settings.
    fn kept_settings(&self) -> Vec<(&str, Option<Value>)> {
        let of = |effect: &'_ Effect| match effect {
            Effect::Keep(Kept::Setting { name, value }) => Some((name.clone(), value.clone())),
            _ => None,
        };
        let kept = self.effects.iter().filter_map(of);
        kept.map(|(name, value)| (config::find(&name).unwrap().name, value)).collect()
    }
}

#[test]
fn words_that_no_setting_has_are_said_to_find_none() {
    let j = Journey::new().run("settings").keys("&").text("zzz <nothing>").shows("No setting has \"zzz <nothing>\".");
    assert!(!j.keys("Esc").page().contains("No setting has"));
}

#[test]
fn what_settings_do_is_told_by_the_keys_there_are() {
    let keymap =
        |name: &str| wayfarer::keys::Keymap::preset(name, &wayfarer::app::command_names(), &mut Vec::new()).unwrap();
    let named = |preset: &str| {
        let mut j = Journey::new();
        j.app.desk.keymap = keymap(preset);
        let j = j.open("about:settings");
        let page = j.page().split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, after) = page.split_once("else scroll sideways. \"").expect("what wrap says");
        after.split('"').next().unwrap_or_default().to_owned()
    };
    assert_eq!(named("default"), "w");
    // Where no key does it, the command is named.
    for preset in ["vi", "lynx", "emacs", "slrn"] {
        let keys =
            keymap(preset).keys_for(wayfarer::keys::Mode::Page, "wrap").first().map(|keys| wayfarer::keys::shown(keys));
        assert_eq!(named(preset), keys.unwrap_or(":wrap".into()), "{preset}");
    }
}

#[test]
fn every_setting_has_words_a_value_and_takes_its_own_default() {
    let (defaults, helps) = (Settings::default(), config::helps());
    for setting in config::settings() {
        let help = helps.iter().find(|(name, _)| name == setting.name);
        // What is said of the table is said of its first row.
        let of_table = ["session.restore", "news.server", "charset.default"].contains(&setting.name);
        assert!(help.is_some_and(|(_, help)| !help.is_empty()) || of_table, "{}", setting.name);
        if !matches!(setting.kind, Kind::Table(_)) {
            let mut settings = Settings::default();
            let value = setting.value(&defaults);
            config::set(&mut settings, setting.name, &value).unwrap();
            assert_eq!(settings, defaults, "{} = {value}", setting.name);
        }
    }
}

#[test]
fn the_page_shows_value_default_and_what_the_file_says() {
    let j = Journey::with(TEXT).shows("~/settings.toml").shows("wrap  false  line 2 of the file, default true");
    let j = j.shows("Whether lines of plain text").shows("limits").shows("theme  \"auto\"  default");
    let j = j.shows("cursor  true  -o says true, default false").shows("for the server").at_row("margin");
    assert_eq!(j.kept_settings(), []);
}

#[test]
fn the_head_of_a_page_that_is_made_anew_stays_in_view() {
    let mut j = Journey::new().resize(120, 24).open("about:settings");
    let folder = "~/a-folder-whose-name-is-so-long-that-the-line-which-begins-with-it-takes-two-rows/settings.toml";
    j = j.answers(SettingsFile { name: folder.into(), ..file(TEXT) }, None);
    assert_eq!(j.app.entry().unwrap().top, Default::default());
}

#[test]
fn left_and_right_try_a_value_at_once_and_keep_it() {
    let j = Journey::with(TEXT).at_row("wrap").keys("Right").notes("wrap is true; u takes it back");
    assert_eq!(j.app.choices().wrap, Wrap::On);
    assert_eq!(j.kept_settings(), [("wrap", Some(Value::Switch(true)))]);
    let j = j.shows("wrap  true  line 2 of the file").keys("u").notes("wrap is false again");
    assert_eq!(j.app.choices().wrap, Wrap::Off);
    assert_eq!(j.kept_settings().last(), Some(&("wrap", Some(Value::Switch(false)))));
    let j = j.at_row("margin").keys("Left");
    assert_eq!(j.app.desk.settings.margin, 1);
    let j = j.keys("x").shows("margin  0  default").keys("u").shows("margin  1  line 3 of the file");
    let j = j.at_row("sort").keys("x").notes("sort is so already").at_row("theme").keys("Right Right");
    assert_eq!(j.app.desk.settings.theme, "light");
    let j = j.keys("Left Left Left");
    assert_eq!(j.app.desk.settings.theme, "mine", "the reader's own, at the end");
    let j = j.at_row("keys").keys("Right");
    let keys = j.app.desk.keymap.keys_for(wayfarer::keys::Mode::Page, "top");
    assert!(keys.iter().any(|keys| wayfarer::keys::shown(keys) == "g g"), "those of vi");
}

#[test]
fn enter_asks_for_what_is_written_out() {
    let j = Journey::with(TEXT).at_row("home").keys("Enter").text("x").keys("Enter");
    assert_eq!(j.app.desk.settings.home, "about:homex");
    let j = j.at_row("connect").keys("Enter").prompts("limits.connect", "5 s").text("x").keys("Enter");
    assert!(
        j.app.hands.prompt().is_some_and(|prompt| prompt.remark.contains("a time is wanted")),
        "it stays to be mended"
    );
    let j = j
        .keys("Backspace Backspace")
        .text("min")
        .keys("Enter")
        .notes("limits.connect is \"5 min\", from the next start on");
    assert_eq!(j.kept_settings(), [("limits.connect", Some(Value::Text("5 min".into())))]);
    j.shows("limits.connect  \"5 s\"").shows("from the next start on \"300 s\"");
}

#[test]
fn a_damaged_file_is_told_and_not_written_over() {
    let j = Journey::with("wrap = false\nwidth = = 7\n").at_row("wrap").keys("Right");
    assert_eq!(j.kept_settings(), []);
    assert_eq!(j.app.choices().wrap, Wrap::On, "until the end");
    j.notes("~/settings.toml: line 2");
}

#[test]
fn set_knows_every_setting_that_may_change_at_once() {
    for setting in config::settings().iter().filter(|setting| !matches!(setting.kind, Kind::Table(_))) {
        let j = Journey::new().run(&format!("set {}", setting.name)).notes(&format!("{} is ", setting.name));
        let value = setting.value(&j.app.desk.settings);
        let j = j.run(&format!("set {} {}", setting.name, value));
        match (setting.name, setting.when) {
            ("charset.default", _) => {}
            (name, When::Now) if value != Value::from("") => drop(j.notes(&format!("{name} is {value} until the end"))),
            (_, When::Now) => {}
            (_, When::AtStart) => drop(j.notes("counts from the start on")),
        }
    }
    let j = Journey::new().run("set width 40").run("set numbers on").run("set theme nothing");
    assert_eq!((j.app.desk.settings.width, j.app.desk.settings.numbers), (Some(40), true));
    assert_eq!(j.app.desk.settings.theme, "auto");
    let j = j.run("keep").notes("kept for the next time: numbers, width");
    assert_eq!(j.kept_settings(), [("numbers", Some(Value::Switch(true))), ("width", Some(Value::Number(40)))]);
}

#[test]
fn a_theme_is_shown_as_long_as_it_is_selected() {
    let theme = |j: &Journey| j.app.desk.settings.theme.clone();
    let j = Journey::at(&["0|A|/a"]).run("theme").says(TEXT);
    assert!(matches!(j.app.hands.top(), Some(Overlay::List { kind: ListKind::Themes, .. })));
    let j = j.keys("Down Down");
    assert_eq!(theme(&j), "light");
    let j = j.text("gruv");
    assert_eq!(theme(&j), "gruvbox-dark");
    let j = j.keys("Esc");
    assert_eq!(theme(&j), "auto");
    let j = j.run("theme").text("mine").keys("Enter").notes("theme is \"mine\" until the end; :keep keeps it");
    assert_eq!(theme(&j), "mine");
    let j = j.run("theme dracula");
    assert_eq!(theme(&j), "dracula");
    assert_eq!(j.run("keep").kept_settings(), [("theme", Some(Value::Text("dracula".into())))]);
}

#[test]
fn reloading_takes_over_what_may_change_and_says_what_waits() {
    let j = Journey::new().run("reload-settings");
    assert!(matches!(j.effects[..], [Effect::ReadSettings { .. }]));
    let j = j.says("wrap = false\n[limits]\nconnect = \"5 s\"\n[shortcuts]\nz = \"http://z/%s\"\n");
    let j = j.notes("taken over: wrap, cursor, shortcuts · from the next start on: limits.connect");
    assert_eq!((j.app.choices().wrap, j.app.desk.settings.cursor), (Wrap::Off, true));
    assert!(j.app.desk.settings.shortcuts.contains_key("z"));
    let j = j.run("reload-settings").says("warp = 3\n").notes("~/settings.toml:1: there is no setting \"warp\"");
    assert_eq!(j.app.choices().wrap, Wrap::On, "the default again");
}

#[test]
fn what_an_earlier_change_has_left_is_no_answer_to_reloading() {
    let j = Journey::with(TEXT).at_row("wrap").keys("Right").run("reload-settings");
    let written = Box::new(file(&TEXT.replace("false", "true").replace("margin = 2", "margin = 9")));
    let j = j.send(Msg::Known { known: Known::Settings(written), remark: None });
    assert_eq!(j.app.desk.settings.margin, 2, "nobody asked for that");
    let j = j.says(&TEXT.replace("margin = 2", "margin = 5")).notes("taken over: wrap, margin");
    assert_eq!(j.app.desk.settings.margin, 5);
}

#[test]
fn reloading_names_every_changed_setting_that_waits_for_the_next_start() {
    let tables = "[news]\nserver = \"s\"\n[news.servers]\n\"a.*\" = \"t\"\n[http.cookie_hosts]\nh = \"never\"\n\
                  [http.proxies]\nftp = \"http://p/\"\n";
    let j = Journey::new().run("reload-settings").says(tables);
    let j = j.notes("from the next start on: http.proxies, http.cookie_hosts, news.server, news.servers");
    let j = j.run("reload-settings").says("").notes("no setting has changed");
    // What the environment says is no row of the file.
    let mut surrounded = j;
    let variable = |name: &str| (name == "ftp_proxy").then(|| "http://p/".to_owned());
    surrounded.app.desk.settings.http.proxies.surround(variable);
    surrounded.run("reload-settings").says("").notes("no setting has changed");
}

#[test]
fn undo_takes_one_change_at_a_time_whichever_way_it_was_made() {
    let margin = |j: &Journey| j.app.desk.settings.margin;
    let j = Journey::with(TEXT).at_row("margin").keys("Right").run("set margin 7").run("set margin 9");
    assert_eq!((margin(&j), j.kept_settings().len()), (9, 1));
    let j = j.keys("u").notes("margin is 7 again");
    assert_eq!((margin(&j), j.kept_settings().len()), (7, 1), "the file was not changed by :set");
    let j = j.keys("u").notes("margin is 3 again").run("keep").notes("nothing was changed by :set");
    let j = j.keys("u").notes("margin is 2 again");
    assert_eq!(j.kept_settings().last(), Some(&("margin", Some(Value::Number(2)))));
    // What a change took out of those for the run alone is there again.
    let j = Journey::with(TEXT).run("set margin 7").at_row("margin").keys("Right u").run("keep");
    j.notes("kept for the next time: margin");
}

#[test]
fn a_mistaken_row_changes_nothing_when_it_is_read_again() {
    let good = "wrap = false\nmargin = 3\n[limits]\nconnect = \"5 s\"\n[shortcuts]\nz = \"http://z/%s\"\n";
    let given_up = format!("wrap = true\n{}", "[\n".repeat(120));
    for (bad, margin, told) in [
        (&good.replace("= false", "= fals").replace("= 3", "= 4")[..], 4, "taken over: margin"),
        (&good.replace("= false", "= 7").replace("= 3", "= 4"), 4, "taken over: margin"),
        (&good.replace("= false", "= \"\u{fffd}\"").replace("= 3", "= 4"), 4, "this row is not UTF-8"),
        (&good.replace("http://z/%s", "nothing").replace("= 3", "= 4"), 4, "taken over: margin"),
        (&given_up, 3, "and 100 more"),
    ] {
        let j = Journey::with(good).run("reload-settings").says(good);
        let j = j.run("reload-settings").says(bad).notes("settings.toml").notes(told);
        let settings = &j.app.desk.settings;
        assert_eq!((settings.wrap, settings.margin), (false, margin), "{bad}");
        assert!(settings.shortcuts.contains_key("z"), "{bad}");
    }
}

#[test]
fn what_cannot_be_written_can_be_tried_again() {
    let damaged = "wrap = true\nwidth = = 7\n";
    let j = Journey::with(TEXT).at_row("wrap").keys("Right").says(damaged).keys("u").notes("~/settings.toml: line 2");
    assert!(j.app.desk.settings.wrap, "not taken back");
    let j = j.says("wrap = true\n").keys("u").notes("wrap is false again");
    let mut j = j.run("set numbers on").says(damaged).run("keep").notes("~/settings.toml: line 2");
    j.effects.clear();
    let j = j.says("wrap = false\n").run("keep").notes("kept for the next time: numbers");
    assert_eq!(j.kept_settings(), [("numbers", Some(Value::Switch(true)))]);
}

#[test]
fn a_file_that_cannot_be_read_any_more_is_still_known() {
    let remark = Some("~/settings.toml: cannot be read");
    let j = Journey::with(TEXT).run("reload-settings").answers(SettingsFile::default(), remark);
    j.shows("~/settings.toml").lacks("not there yet").shows("wrap  false  line 2 of the file");
}

#[test]
fn a_file_that_cannot_be_read_takes_nothing_away() {
    let remark = Some("~/settings.toml: cannot be read");
    let j = Journey::new().run("set wrap off").run("reload-settings").answers(file(""), remark);
    assert_eq!(j.notes("cannot be read").app.choices().wrap, Wrap::Off);
}

#[test]
fn a_password_of_a_proxy_is_shown_nowhere() {
    let said = "http.proxy".to_owned();
    let text = "[http]\nproxy = \"http://joe:geheim@old/\"\n";
    let given = |text: &str| SettingsFile {
        fixed: vec![Fixed { name: said.clone(), value: "http://joe:geheim@fixed/".into(), by: "-o".into() }],
        ..file(text)
    };
    let mut j = Journey::new();
    j.app.desk.settings = given(text).settings().0;
    let j = j.open("about:settings").answers(given(text), None);
    let j = j.shows("joe:***@fixed").lacks("geheim").at_row("proxy").keys("Enter").prompts("http.proxy", "");
    let j = j.text("http://joe:geheim@new/").keys("Enter").notes("http.proxy is \"http://joe:***@new/\"");
    let j = j.lacks("geheim").keys("u").notes("http.proxy is \"http://joe:***@fixed/\" again");
    j.lacks("geheim").run("set http.proxy").notes("http.proxy is \"http://joe:***@fixed/\"");
    let mut errors = Vec::new();
    config::set_option(&mut Settings::default(), "http.proxy=ftp://joe:geheim@h/", &mut errors);
    assert!(errors.len() == 1 && !errors[0].to_string().contains("geheim"), "{errors:?}");
}

#[test]
fn a_row_changes_and_all_else_of_the_file_stays() {
    let set = |text: &str, name: &str, value: Value| config::written(text, name, &value);
    let on = Value::Switch(true);
    for (text, name, new) in [
        (TEXT, "wrap", TEXT.replace("false", "true")),
        ("", "wrap", "wrap = true\n".into()),
        ("", "ftp.tls", "[ftp]\ntls = true\n".into()),
        ("# mine\n", "wrap", "# mine\nwrap = true\n".into()),
        ("# mine", "wrap", "# mine\nwrap = true\n".into()),
        ("a = 1\n\n# of ftp\n[ftp]\n", "wrap", "a = 1\nwrap = true\n\n# of ftp\n[ftp]\n".into()),
        ("# mine\n\n# of ftp\n[ftp]\n", "wrap", "# mine\nwrap = true\n\n# of ftp\n[ftp]\n".into()),
        ("[ftp]\n# which\ntls = 1 # so\n[http]\n", "ftp.tls", "[ftp]\n# which\ntls = true # so\n[http]\n".into()),
        ("[ftp] # x\n[http]\na = 1", "http.tls", "[ftp] # x\n[http]\na = 1\ntls = true\n".into()),
        ("ftp.tls = 1\n", "ftp.tls", "ftp.tls = true\n".into()),
        ("ftp = { tls = 1, x = 2 }\n", "ftp.tls", "ftp = { tls = true, x = 2 }\n".into()),
    ] {
        assert_eq!(set(text, name, on.clone()), Ok(new), "{name} into {text:?}");
    }
    assert!(set("ftp = { x = 2 }\n", "ftp.tls", on.clone()).unwrap_err().contains("by hand"));
    assert!(set("a = = 1\n", "wrap", on.clone()).unwrap_err().contains("line 1"));
    let odd = Value::Text("a \"b\" \\ \u{7}é".into());
    assert!(set("", "home", odd.clone()).is_ok_and(|text| file(&text).rows()[0].value == odd));
    for (text, name, new) in [
        (TEXT, "wrap", "# mine\n# wrap = false # scroll\n\n# far\nmargin = 2\n[limits]\nconnect = \"5 s\"\n"),
        (TEXT, "margin", "# mine\nwrap = false # scroll\n\n# far\n[limits]\nconnect = \"5 s\"\n"),
        (TEXT, "width", TEXT),
        ("[ftp]\ntls = 1", "ftp.tls", "[ftp]\n"),
        ("editor = [\n \"vi\",\n]\nwrap = true\n", "editor", "wrap = true\n"),
    ] {
        assert_eq!(config::remove(text, name), Ok(new.to_owned()));
    }
    // What the reader said beside a row comes back with it, at its place.
    for (text, name, value) in [
        (TEXT, "wrap", Value::Switch(false)),
        ("a = 1\n[ftp]\ntls = true # so\n[http]\n", "ftp.tls", Value::Switch(true)),
    ] {
        let without = config::remove(text, name).unwrap();
        assert_eq!(config::written(&without, name, &value), Ok(text.to_owned()));
    }
    let other = config::written("# wrap = false # scroll\n[ftp]\n# wrap = true\n", "wrap", &on);
    assert_eq!(other, Ok("wrap = true\n# wrap = false # scroll\n[ftp]\n# wrap = true\n".into()));
    assert!(config::remove("ftp = { tls = 1, x = 2 }\n", "ftp.tls").is_err());
}
