//! What packages hold besides the program.

use super::command_line::Place;
use wayfarer::proto::PROTOCOLS;

const ENTRY: &str = include_str!("../../../assets/wayfarer.desktop");

/// Pages that come from elsewhere and whose addresses other programs hand over; the web's have their browser.
#[test]
fn the_desktop_entry_names_every_scheme() {
    let others = ["http", "https", "file", "about", "data", "mid", "cid"];
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
    let made = ["wayfarer.1", "wayfarer.bash", "_wayfarer", "wayfarer.fish"].map(|name| format!("target/made/{name}"));
    for asset in assets {
        let source = asset[0].as_str().unwrap();
        let known = made.iter().any(|made| made == source) || source == "target/dist/wayfarer";
        assert!(known || root.join(source).is_file(), "{source}");
    }
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
