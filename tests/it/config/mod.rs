//! Settings: defaults, files, options, loading.

mod proxies;

use crate::random::search;
use crate::view::commands;
use std::time::Duration;
use wayfarer::config::{
    Colours, ConfigError, CookieRule, DEFAULTS, FtpTls, Limits, Mailcap, MarkStyle, NewsServer, Settings, Sources,
    fits_wildmat, load, read, set_option, theme,
};
use wayfarer::keys::{Key, Lookup, Mode};
use wayfarer::role::Role;
use wayfarer::theme::{Colour, Theme};
use wayfarer::url::Url;

fn said(errors: &[ConfigError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_embedded_file_has_no_mistakes_and_says_everything() {
    let (settings, errors) = read("settings.toml", DEFAULTS);
    assert_eq!(errors, []);
    assert_eq!(settings, Settings::default());
    assert_eq!(settings.limits, Limits::default());
    assert_eq!(settings.home, "about:home");
    assert_eq!((settings.keys.as_str(), settings.theme.as_str()), ("default", "auto"));
    assert_eq!(settings.downloads, "~/Downloads");
    assert_eq!(settings.cache, 64 << 20);
    assert_eq!(settings.handler("telnet").unwrap(), ["telnet", "{host}", "{port}"]);
}

#[test]
fn what_has_rows_of_its_own_says_how_they_are_written() {
    for name in ["charset.hosts", "http.cookie_hosts", "handlers"] {
        let mut errors = Vec::new();
        set_option(&mut Settings::default(), &format!("{name}={{\"127.0.0.1\"=\"cp437\"}}"), &mut errors);
        let wanted = format!("{name} has rows of its own: {name}.NAME = VALUE is wanted");
        assert!(said(&errors).contains(&wanted), "{}", said(&errors));
    }
}

#[test]
fn the_automatic_theme_is_that_of_the_ground() {
    for ground in ["dark", "light"] {
        assert_eq!(Some(theme("auto", ground, None, &mut Vec::new())), Theme::built_in(ground));
    }
}

/// A disk that goes bad puts anything anywhere; compared with every name it would take half a minute.
#[test]
fn a_line_of_a_megabyte_is_told_in_a_few_words() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("themes")).unwrap();
    let long = "x".repeat(1 << 20);
    std::fs::write(folder.path().join("settings.toml"), format!("theme = \"mine\"\nwr{long} = true\n")).unwrap();
    std::fs::write(folder.path().join("themes/mine.toml"), format!("\"page.link\" = \"blue {long}\"\n")).unwrap();
    let sources = Sources { folder: Some(folder.path().into()), commands: commands(), ..Sources::default() };
    let loaded = load(&sources);
    assert_eq!(loaded.errors.len(), 2, "{}", loaded.errors.len());
    for error in &loaded.errors {
        assert!(error.message.len() < 1_000 && error.message.ends_with('…'), "{} letters", error.message.len());
    }
}

#[test]
fn a_file_says_only_what_differs() {
    let (settings, errors) = read(
        "s.toml",
        r#"
wrap = false
theme = 16
colours = "256"
marks = "glyphs"
cache = 1000
[limits]
connect = "1.5 min"
silence = 5
page = "10 kB"
memory = "3 MiB"
line = "1 MiB"
[charset]
default = "iso-8859-1"
[charset.hosts]
"gopher.Example.org" = "cp437"
x.example.org = "koi8-r"
[handlers]
telnet = []
"Image/GIF" = ["feh", "--", "{file}"]
"#,
    );
    assert_eq!(said(&errors), "");
    assert!(!settings.wrap);
    assert_eq!(
        (settings.theme.as_str(), settings.colours, settings.marks),
        ("16", Colours::Indexed, MarkStyle::Glyphs)
    );
    let second = Duration::from_secs(1);
    let limits =
        Limits { connect: 90 * second, silence: 5 * second, page: 10_000, memory: 3 << 20, line: 1 << 20, rate: 0 };
    assert_eq!(settings.limits, limits);
    assert_eq!(settings.cache, 1000);
    let hosts: Vec<_> = settings.charset.hosts.iter().map(|(host, name)| (host.as_str(), name.as_str())).collect();
    assert_eq!(hosts, [("gopher.example.org", "cp437"), ("x.example.org", "koi8-r")]);
    assert_eq!(settings.charset.default.as_deref(), Some("iso-8859-1"));
    assert_eq!(settings.handler("telnet"), None, "an empty list takes a program away");
    assert_eq!(settings.handler("image/gif").unwrap()[0], "feh");
    assert_eq!(settings.handler("image/png").unwrap()[0], "xdg-open", "the family's");
    assert_eq!(settings.handler("application/x-unknown"), None);
}

#[test]
fn every_mistake_is_reported_at_once_with_its_line() {
    let text = r#"hoem = "x"
wrap = "yes"
colours = "blue"
marks = 7
theme = false
cache = "64 furlongs"
downloads = 1.5
numbers = 1
[limit]
connect = 3
[charset]
default = "klingon"
[handlers]
a = "xdg-open"
b = ["{host}"]
c = ["x", "{hots}"]
d = ["x", 5.5]
keys = [ = ]
[limits]
connect = "soon"
silence = 0
page = 5
line = "-3"
"#;
    let (settings, errors) = read("s.toml", text);
    let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
    for line in [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23] {
        assert!(lines.contains(&line), "nothing about line {line}:\n{}", said(&errors));
    }
    assert!(errors.iter().all(|error| error.file == "s.toml"));
    let all = said(&errors);
    for sentence in [
        "s.toml:1: there is no setting \"hoem\"; did you mean \"home\"?",
        "s.toml:2: wrap: true or false is wanted",
        "s.toml:3: colours: \"auto\" or \"true\" or \"256\" or \"16\" or \"never\" is wanted, not \"blue\"",
        "s.toml:12: charset.default: \"klingon\" is no charset known here",
        "s.toml:16: handlers.c: there is no {hots}; did you mean \"host\"?",
    ] {
        assert!(all.contains(sentence), "{sentence}\nnot in\n{all}");
    }
    assert_eq!(settings.wrap, Settings::default().wrap);
}

#[test]
fn a_proxy_is_advised_only_for_what_may_go_through_one() {
    let (mut settings, mut errors) = (Settings::default(), Vec::new());
    for scheme in ["sftp", "spartan", "file", "gemini", "about", "gopher"] {
        set_option(&mut settings, &format!("handlers.{scheme}=[\"x\"]"), &mut errors);
        set_option(&mut settings, &format!("gateways.{scheme}=http://gw/%s"), &mut errors);
        let told = said(&errors);
        assert!(told.contains(&format!("{scheme}: is built in, and no program is asked for it")), "{told}");
        assert_eq!(told.matches("may name a proxy").count(), if scheme == "gopher" { 2 } else { 0 }, "{told}");
        errors.clear();
    }
}

#[test]
fn options_are_settings() {
    let mut settings = Settings::default();
    let mut errors = Vec::new();
    for option in [
        "wrap=false",
        "theme=16",
        "limits.connect=500 ms",
        "home = gopher://example.org/",
        "colours=true",
        "charset.hosts.gopher.example.org=cp437",
        "handlers.telnet=[\"nc\", \"{host}\"]",
        "numbers=true",
    ] {
        set_option(&mut settings, option, &mut errors);
    }
    assert_eq!(said(&errors), "");
    assert_eq!((settings.wrap, settings.numbers, settings.theme.as_str()), (false, true, "16"));
    assert_eq!(settings.limits.connect, Duration::from_millis(500));
    assert_eq!(settings.home, "gopher://example.org/");
    assert_eq!(settings.colours, Colours::True);
    assert_eq!(settings.charset.hosts["gopher.example.org"], "cp437");
    assert_eq!(settings.handler("telnet").unwrap(), ["nc", "{host}"]);
    for option in ["wrap", "wrap=maybe", "nothing=1", "limits.=3", "limits=3"] {
        set_option(&mut settings, option, &mut errors);
    }
    assert_eq!(
        said(&errors),
        "-o wrap: KEY=VALUE is wanted
-o wrap=maybe: wrap: true or false is wanted
-o nothing=1: there is no setting \"nothing\"
-o limits.=3: there is no setting \"limits.\"
-o limits=3: there is no setting \"limits\""
    );
}

#[test]
fn no_file_panics() {
    use proptest::prelude::*;
    proptest!(search(256), |(text in any::<String>(), keys in "[a-z.]{0,20}", value in any::<String>())| {
        let _ = read("x", &text);
        set_option(&mut Settings::default(), &format!("{keys}={value}"), &mut Vec::new());
    });
}

#[test]
fn everything_is_loaded_and_every_mistake_of_every_file_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("themes")).unwrap();
    std::fs::write(path("settings.toml"), "theme = \"sea\"\nkeys = \"vi\"\nwarp = true\n").unwrap();
    std::fs::write(path("keys.toml"), "[page]\n\"x\" = \"home\"\n\"y\" = \"hmoe\"\n").unwrap();
    std::fs::write(
        path("themes/sea.toml"),
        "inherit = \"dark\"\n\"page.link\" = \"#0000ff\"\n\"page.text\" = \"blau\"\n",
    )
    .unwrap();
    let sources = Sources {
        file: Some(path("settings.toml")),
        options: vec!["wrap=false".into(), "nothing=1".into()],
        commands: commands(),
        ..Sources::default()
    };
    let loaded = load(&sources);
    assert!(!loaded.settings.wrap);
    let keys = |keys: &str| loaded.keymap.lookup(Mode::Page, &Key::sequence(keys).unwrap());
    assert_eq!(keys("x"), Lookup::Command("home".into()));
    assert_eq!(keys("g g"), Lookup::Command("top".into()));
    let theme = theme("sea", "dark", loaded.folder.as_deref(), &mut Vec::new());
    assert_eq!(theme.style(Role::Link).foreground, Colour::Rgb(0, 0, 255));
    let told = said(&loaded.errors).replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(
        told,
        "settings.toml:3: there is no setting \"warp\"; did you mean \"wrap\"?
-o nothing=1: there is no setting \"nothing\"
keys.toml:3: \"hmoe\" is no command; did you mean \"home\"?
themes/sea.toml:3: \"blau\" is neither a colour nor an attribute"
    );
}

/// Whatever this machine has in /etc/mailcap and in its environment.
#[test]
fn mailcap_files_and_variables_are_those_that_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("first"), "application/x-a; one %s; test=test -n \"$DISPLAY\"\n").unwrap();
    std::fs::write(path("second"), "application/x-a; two %s\n").unwrap();
    let program = |files: &[&str], variables: &[&str]| {
        let mailcaps = files.iter().map(|name| path(name)).collect();
        let variables = variables.iter().map(ToString::to_string).collect();
        let settings = load(&Sources { mailcaps, variables, ..Sources::default() }).settings;
        settings.handler("application/x-a").map(|program| program[0].clone())
    };
    assert_eq!(program(&[], &[]), None);
    assert_eq!(program(&["first", "second"], &[]), Some("two".into()));
    assert_eq!(program(&["missing", "first", "second"], &["DISPLAY"]), Some("one".into()));
    assert_eq!(load(&Sources::default()).settings, Settings::default());
}

#[test]
fn missing_and_unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let sources = Sources { file: Some(file.clone()), commands: commands(), ..Sources::default() };
    let loaded = load(&sources);
    assert_eq!(loaded.errors.len(), 1, "a file asked for must exist");
    assert_eq!(loaded.settings, Settings::default());
    std::fs::write(&file, b"wrap = false\nhome = \"\xff\"").unwrap();
    let loaded = load(&sources);
    assert_eq!(loaded.errors.len(), 1);
    assert_eq!(loaded.errors[0].line, 2);
    assert!(!loaded.settings.wrap, "the rows that can be read count");
    std::fs::write(&file, b"# caf\xe9\nhome = \"\xff\"\n[ftp]\ntls = \"always\"\n").unwrap();
    let loaded = load(&sources);
    assert_eq!(said(&loaded.errors).matches("this row is not UTF-8").count(), 1, "{}", said(&loaded.errors));
    assert_eq!(loaded.settings.ftp.tls, FtpTls::Always);
    std::fs::write(&file, "keys = \"nano\"\ntheme = \"../../etc/passwd\"").unwrap();
    let loaded = load(&sources);
    assert_eq!(loaded.errors.len(), 2, "{}", said(&loaded.errors));
    assert_eq!(theme("../../etc/passwd", "dark", loaded.folder.as_deref(), &mut Vec::new()), Theme::default());
    assert!(!loaded.keymap.bindings().is_empty());
}

/// What was asked for cannot be read, so it may have been more careful than what there is by default.
#[test]
fn a_damaged_row_starts_nothing_with_less_care_than_it_may_have_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let sources = Sources { file: Some(file.clone()), commands: commands(), ..Sources::default() };
    for row in [&b"cookies = \"nev\xffer\""[..], b"cookies = \"never", b"cookies = \"nevr\"", b"cookies = 1"] {
        std::fs::write(&file, [b"[http]\n", row, b"\n[ftp]\ntls = alw\xffays\n[news]\narticles = 7\n"].concat())
            .unwrap();
        let loaded = load(&sources);
        let said = said(&loaded.errors);
        assert_eq!(loaded.settings.http.cookies, CookieRule::Never, "{said}");
        assert_eq!(loaded.settings.ftp.tls, FtpTls::Always, "{said}");
        assert!(said.contains("until it is mended, http.cookies = \"never\""), "{said}");
        assert!(said.contains("until it is mended, ftp.tls = \"always\""), "{said}");
        assert_eq!((loaded.settings.news.articles, loaded.settings.news.starttls), (7, false), "{said}");
        let again = wayfarer::config::settings_file(&sources, &[]).unwrap().settings();
        assert_eq!(again, (loaded.settings, loaded.errors), "read again it is the same");
    }
    for rows in [&b"[http.cookie_hosts]\n\"a.b\" = \"nevr\"\n"[..], b"[http]\ncookie_hosts.\"a.b\" = \"ne\xffver\"\n"] {
        let other = b"[http.cookie_hosts]\n\"c.d\" = \"keep\"\n";
        let rows = if rows.starts_with(b"[http.") { [&other[..], &rows[20..]].concat() } else { rows.to_vec() };
        std::fs::write(&file, rows).unwrap();
        let loaded = load(&sources);
        let said = said(&loaded.errors);
        assert_eq!(loaded.settings.http.cookies, CookieRule::Never, "{said}");
        assert!(loaded.settings.http.cookie_hosts.values().all(|rule| *rule == CookieRule::Never), "{said}");
        assert!(said.contains("until it is mended, no host may set cookies"), "{said}");
    }
    // Read again, what is no file is not waited for, and one that does not end is not read to its end.
    std::fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    let again = || wayfarer::config::settings_file(&sources, &[]).map(drop).unwrap_err();
    assert!(again().ends_with("cannot be read: it is no file"), "{}", again());
    std::fs::remove_file(&file).unwrap();
    std::fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    assert!(again().ends_with("cannot be read: it is longer than 4 MiB"), "{}", again());
    std::fs::remove_file(&file).unwrap();
    // The header of its section is lost.
    std::fs::write(&file, "[ht\ncookies = \"never\"\n").unwrap();
    assert_eq!(load(&sources).settings.http.cookies, CookieRule::Never);
    // Another system's ends of lines are ends of lines; what is no text at all may have said anything.
    let rows = "# mine\r[http]\rcookies = \"never\"\r[ftp]\rtls = \"always\"\r";
    let wide: Vec<u8> = rows.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (octets, mistakes) in [(rows.as_bytes(), 0), (&wide, 1)] {
        std::fs::write(&file, octets).unwrap();
        let loaded = load(&sources);
        assert_eq!((loaded.settings.http.cookies, loaded.settings.ftp.tls), (CookieRule::Never, FtpTls::Always));
        assert_eq!(loaded.errors.len(), mistakes, "{}", said(&loaded.errors));
    }
    // So is all of the file, or nobody may read it.
    std::fs::write(&file, format!("{}[http]\ncookies = \"never\"\n[ftp]\ntls = \"always\"\n", "[\n".repeat(120)))
        .unwrap();
    let loaded = load(&sources);
    assert_eq!((loaded.settings.http.cookies, loaded.settings.ftp.tls), (CookieRule::Never, FtpTls::Always));
    assert!(said(&loaded.errors).contains("all of it is left out"), "{}", said(&loaded.errors));
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let loaded = load(&sources);
    assert_eq!((loaded.settings.http.cookies, loaded.settings.ftp.tls), (CookieRule::Never, FtpTls::Always));
}

/// Whoever names a proxy may not want to be seen without it.
#[test]
fn without_the_proxy_that_a_damaged_row_named_nothing_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let sources = Sources { file: Some(file.clone()), commands: commands(), ..Sources::default() };
    let known = |settings: &Settings, url: &str| settings.http.proxies.plan(&Url::parse(url).unwrap()).is_ok();
    for row in ["proxy = \"socks5h//127.0.0.1:9050\"", "proxy = \"socks5h://127.0.0.1", "proxy = 9050"] {
        std::fs::write(&file, format!("[http]\n{row}\n")).unwrap();
        let loaded = load(&sources);
        let said = said(&loaded.errors);
        assert!(said.contains("until it is mended, nothing of the web is asked for"), "{said}");
        assert!(!known(&loaded.settings, "http://h/") && !known(&loaded.settings, "HTTPS://h/"), "{said}");
        assert!(known(&loaded.settings, "gopher://h/"));
    }
    std::fs::write(&file, "[http.proxies]\ngopher = \"h\"\n").unwrap();
    let loaded = load(&sources);
    assert!(!known(&loaded.settings, "gopher://h/") && known(&loaded.settings, "http://h/"));
    assert!(said(&loaded.errors).contains("nothing of gopher: is asked for"), "{}", said(&loaded.errors));
}

#[test]
fn news_servers_are_named_and_ordered() {
    let text = "[news]\nserver = \"news.example.org\"\narticles = 0\nstarttls = true\n[news.servers]\n\"alt.*\" = \
                \"a.example:1119\"\n\"*\" = \"nntps://[::1]\"\n";
    let (settings, errors) = read("s.toml", text);
    assert_eq!(said(&errors), "");
    let server = |host: &str, port, tls| NewsServer { host: host.into(), port, tls };
    let news = settings.news;
    assert_eq!((news.server, news.articles, news.starttls), (Some(server("news.example.org", None, false)), 0, true));
    assert_eq!(
        news.servers,
        [("alt.*".into(), server("a.example", Some(1119), false)), ("*".into(), server("[::1]", None, true))]
    );
    let (settings, errors) = read("s.toml", "[news]\nserver = \"\"\n[news.servers]\n\"x\" = \"\"\n");
    assert_eq!((said(&errors).as_str(), settings.news), ("", Settings::default().news));
    for wrong in ["a b", "http://h", "h/path", "u@h", "h:port", "h:99999", "nntps://", ":119", "a\nb", "h?x"] {
        assert!(NewsServer::parse(wrong).is_err(), "{wrong}");
    }
    assert_eq!(read("s", "[news]\narticles = -1\nserver = 3.5\nservers.x = true\n").1.len(), 3);
}

#[test]
fn ftp_is_in_clear_text_unless_the_reader_wants_tls() {
    assert_eq!(Settings::default().ftp.tls, FtpTls::Never);
    for (word, wanted) in [("never", FtpTls::Never), ("offered", FtpTls::Offered), ("always", FtpTls::Always)] {
        let (settings, errors) = read("s.toml", &format!("[ftp]\ntls = \"{word}\""));
        assert_eq!((said(&errors).as_str(), settings.ftp.tls), ("", wanted));
    }
    let (settings, errors) = read("s.toml", "[ftp]\ntls = true");
    assert!(said(&errors).contains("ftp.tls: \"never\" or \"offered\" or \"always\" is wanted"), "{}", said(&errors));
    assert_eq!(settings.ftp.tls, FtpTls::Always, "as careful as can be");
}

#[test]
fn wildmats_choose_groups() {
    let yes = ["a.b", "*", "a.*", "?.b", "*b", "x,a.b", "!a.*,a.b", "a**.?", "*.*", "a?b"];
    let no = ["", "a", "b", "?b", "a.b?", "a.*,!*.b", "!*", "*,!a.b", "a.b,!a*", "A.B", "a.bb"];
    yes.iter().for_each(|wildmat| assert!(fits_wildmat(wildmat.as_bytes(), b"a.b"), "{wildmat}"));
    no.iter().for_each(|wildmat| assert!(!fits_wildmat(wildmat.as_bytes(), b"a.b"), "{wildmat}"));
    // A character is one, however many octets it has; octets that are no character are one each.
    assert!(fits_wildmat(b"a?c", "a\u{E9}c".as_bytes()) && fits_wildmat(b"a?c", b"a\xFFc"));
    // No pattern takes long.
    assert!(!fits_wildmat(&b"*a".repeat(200), &b"a".repeat(100)));
}

#[test]
fn a_url_without_a_server_means_those_of_the_settings() {
    let text =
        "[news]\nserver = \"d\"\n[news.servers]\n\"alt.*,!alt.x.*\" = \"a\"\n\"alt.*\" = \"b\"\n\"local.*\" = \"d\"\n";
    let (settings, errors) = read("s.toml", text);
    assert_eq!(said(&errors), "");
    for (url, servers) in [
        ("news:alt.test", "a"),
        ("news:alt.*", "a"),
        ("nntp:alt.x.y/5", "b"),
        ("news:comp.test/1-5", "d"),
        ("news:*", "d"),
        ("snews:a@b", "d a b"),
        ("mailto:a@b", ""),
    ] {
        let found = settings.news.servers_of(&Url::parse(url).unwrap());
        assert_eq!(found.iter().map(|server| server.host.as_str()).collect::<Vec<_>>().join(" "), servers, "{url}");
    }
}

/// A row that nobody looks at is told of.
#[test]
fn what_is_built_in_takes_no_gateway_and_no_program() {
    for name in wayfarer::url::scheme::all() {
        // These lead on: a phone book through gopher, URL: to what stands behind it, a mailbox to its file.
        let spoken = wayfarer::proto::find(name).is_some() || matches!(name, "cso" | "ph" | "url" | "mbox");
        for text in
            [format!("[gateways]\n{name:?} = \"https://g.example/%s\"\n"), format!("[handlers]\n{name:?} = [\"p\"]\n")]
        {
            let said = said(&read("s.toml", &text).1);
            let refused = said.contains("is built in");
            assert!(
                refused == spoken || text.contains("gateways") && said.contains("another scheme"),
                "{text}: {said}"
            );
        }
    }
}

#[test]
fn mailcap_serves_where_the_settings_name_no_program() {
    let mut settings = Settings::default();
    let text = "application/x-a; a\napplication/x-a; late\napplication/pdf; b\n";
    settings.mailcap = Mailcap::new(vec![text.into()], Default::default());
    assert_eq!(settings.handler("Application/X-A"), Some(&["a".to_string()][..]));
    assert_ne!(settings.handler("application/pdf").unwrap()[0], "b");
    settings.handlers.insert("*".into(), vec!["all".into()]);
    assert_eq!(
        (settings.handler("application/x-a").unwrap()[0].as_str(), settings.handler("x/y").unwrap()[0].as_str()),
        ("a", "all")
    );
}
