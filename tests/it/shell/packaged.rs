//! What packages hold besides the program.

use super::command_line::Place;
use wayfarer::proto::PROTOCOLS;

const ENTRY: &str = include_str!("../../../assets/wayfarer.desktop");

/// Pages that come from elsewhere and whose addresses other programs hand over; the web's have their browser.
#[test]
fn the_desktop_entry_names_every_scheme() {
    let others = ["http", "https", "file", "about", "data", "mid", "cid", "archive"];
    // The last leads nowhere without a program that wrote it: other programs have none to hand over.
    let schemes = PROTOCOLS.iter().flat_map(|protocol| protocol.schemes).filter(|scheme| !others.contains(scheme));
    let wanted: String = schemes.map(|scheme| format!("x-scheme-handler/{scheme};")).collect();
    let named = ENTRY.lines().find_map(|line| line.strip_prefix("MimeType="));
    let sorted = |list: &str| {
        let mut parts: Vec<String> = list.split_terminator(';').map(str::to_owned).collect();
        parts.sort();
        parts
    };
    assert_eq!(sorted(named.unwrap()), sorted(&wanted));
}

/// Every asset of the Debian package is in the tree, or made by `.ci/package`.
#[test]
fn the_debian_package_names_files_that_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let package = &manifest["package"]["metadata"]["deb"];
    let changes = std::fs::read_to_string(root.join(package["changelog"].as_str().unwrap())).unwrap();
    assert!(changes.starts_with(&format!("wayfarer ({}-1)", env!("CARGO_PKG_VERSION"))), "{changes}");
    assert!(root.join(package["license-file"][0].as_str().unwrap()).is_file());
    let assets = package["assets"].as_array().unwrap();
    let made = ["*.1", "wayfarer.bash", "_wayfarer", "wayfarer.fish"].map(|name| format!("target/made/{name}"));
    for asset in assets {
        let source = asset[0].as_str().unwrap();
        let known = made.iter().any(|made| made == source) || source == "target/dist/wayfarer";
        assert!(known || root.join(source).is_file(), "{source}");
    }
}

/// A manual page for each command of the program is in the package, and none for what is no command.
#[test]
fn the_package_has_a_manual_page_for_each_command() {
    let place = Place::new();
    let script = include_str!("../../../.ci/package");
    let (_, list) = script.split_once("for page in ").unwrap();
    let (list, _) = list.split_once("; do").unwrap();
    let mut named: Vec<String> = Vec::new();
    for (at, part) in list.trim().split('"').enumerate() {
        // Every other part stood between quotes.
        match at % 2 {
            0 => named.extend(part.split_whitespace().filter(|word| *word != "\\").map(str::to_owned)),
            _ => named.push(part.to_owned()),
        }
    }
    let listed = |arguments: &[&str]| -> Vec<String> {
        let help = place.run(arguments).1;
        let (_, rows) = help.split_once("Commands:\n").unwrap();
        let rows = rows.lines().take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
        let names = rows.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
        names.filter(|name| *name != "help").map(str::to_owned).collect()
    };
    let mut known = listed(&["--help"]);
    known.extend(listed(&["url", "--help"]).into_iter().map(|verb| format!("url {verb}")));
    named.sort();
    known.sort();
    assert_eq!(named, known);
    for page in &named {
        let words: Vec<&str> = std::iter::once("man").chain(page.split(' ')).collect();
        let (status, text, err) = place.run(&words);
        assert_eq!((status, err.as_str()), (0, ""), "{page}");
        let title = format!("wayfarer-{}", page.replace(' ', "-"));
        assert!(text.replace("\\-", "-").contains(&format!(".TH {title} 1")), "{page}: {text}");
        assert!(text.contains(".SH SYNOPSIS") && text.contains(".SH SEE ALSO"), "{page}: {text}");
    }
    let (status, _, err) = place.run(&["man", "url", "unparse"]);
    assert_eq!(status, 2);
    assert!(err.contains("\"unparse\" is no command") && err.contains("resolve"), "{err}");
}

/// What software centres read: the same program as the desktop entry names, its version, its licence.
#[test]
fn the_metadata_for_software_centres_agrees() {
    let text = include_str!("../../../assets/wayfarer.metainfo.xml");
    let manifest: toml::Table = include_str!("../../../Cargo.toml").parse().unwrap();
    let changelog = include_str!("../../../CHANGELOG.md");
    for wanted in [
        "<launchable type=\"desktop-id\">wayfarer.desktop</launchable>".to_owned(),
        format!("<project_license>{}</project_license>", manifest["package"]["license"].as_str().unwrap()),
        format!("<release version=\"{}\"", env!("CARGO_PKG_VERSION")),
        "<binary>wayfarer</binary>".to_owned(),
    ] {
        assert!(text.contains(&wanted), "{wanted}");
    }
    assert!(changelog.contains(env!("CARGO_PKG_VERSION")));
    assert!(ENTRY.lines().any(|line| line == "Icon=wayfarer"));
}

/// Completions of every shell that the package has them for name every option.
#[test]
fn completions_and_the_manual_page_know_every_option() {
    let place = Place::new();
    let help = place.run(&["--help"]).1;
    let options: Vec<&str> = help.split_whitespace().filter_map(|word| word.strip_prefix("--")).collect();
    assert!(options.len() > 15, "{help}");
    for arguments in [&["completions", "bash"][..], &["completions", "zsh"], &["completions", "fish"], &["man"]] {
        let text = place.run(arguments).1.replace("\\-", "-");
        for option in &options {
            let option = option.trim_end_matches([',', ')', ':']);
            assert!(text.contains(option), "{arguments:?}: {option}");
        }
    }
}

/// Of sessions there are as many as there are; a shell looks for them when it is asked.
#[test]
fn completions_offer_the_names_of_settings_and_where_sessions_are() {
    let place = Place::new();
    for (shell, names) in
        [("bash", "$(ls \"${XDG_STATE"), ("zsh", "NAME:_wayfarer_sessions"), ("fish", "(__wayfarer_sessions)")]
    {
        let text = place.run(&["completions", shell]).1;
        assert!(text.contains(names) && !text.contains("@sessions@"), "{shell}");
        for setting in ["session.restore=", "width=", "http.cookies="] {
            assert!(text.contains(setting), "{shell}: {setting}");
        }
    }
}
