//! The README's examples, run as a reader would type them; its links and the files it names.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// What stands between lines of three backquotes.
fn blocks() -> Vec<&'static str> {
    README.split("\n```").skip(1).step_by(2).map(|block| block.trim_start_matches('\n')).collect()
}

#[test]
fn commands_print_what_the_readme_says() {
    let built = Path::new(env!("CARGO_BIN_EXE_wayfarer")).parent().unwrap();
    let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap());
    let home = tempfile::tempdir().unwrap();
    let mut run = 0;
    for example in blocks().iter().filter_map(|block| block.strip_prefix("$ ")).flat_map(|block| block.split("\n$ ")) {
        let (line, expected) = example.split_once('\n').unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env_clear().env("PATH", &path).env("HOME", home.path());
        let done = shell.output().unwrap();
        assert_eq!(String::from_utf8(done.stderr).unwrap(), "", "{line}");
        assert_eq!(String::from_utf8(done.stdout).unwrap().trim_end(), expected.trim_end(), "{line}");
        run += 1;
    }
    assert!(run >= 5, "only {run} examples were found");
}

#[test]
fn what_the_readme_leads_to_is_there() {
    let headings: Vec<String> = README
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|words| words.to_ascii_lowercase().replace(' ', "-"))
        .collect();
    let mut seen = 0;
    for rest in README.split("](").skip(1) {
        let target = rest.split(')').next().unwrap();
        match target.strip_prefix('#') {
            Some(heading) => assert!(headings.iter().any(|known| known == heading), "{target}"),
            None => assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(target).exists(), "{target}"),
        }
        seen += 1;
    }
    assert!(seen >= 5, "only {seen} links were found");
}

#[test]
fn every_folder_of_the_table_is_there() {
    let (_, table) = README.split_once("| folder | what |").unwrap();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let names = row.split('|').nth(1).unwrap();
        for name in names.split('`').skip(1).step_by(2) {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists(), "{name}");
        }
    }
}

/// The pictures in words are those that tests/pty compares with the program.
#[test]
fn pictures_in_words_are_those_of_the_program() {
    for name in ["menu", "anatomy"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/screenshots/{name}.txt"));
        let picture = std::fs::read_to_string(file).unwrap();
        let shown = |block: &str| block.trim_end() == picture.trim_start_matches('\n').trim_end();
        assert!(blocks().iter().any(|block| shown(block)), "the README does not show {name}.txt as it is");
    }
}

/// What the papers for whoever works on the source lead to, and the files of the source that they name.
#[test]
fn what_the_other_papers_lead_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for paper in ["CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/rules.md"] {
        let text = std::fs::read_to_string(root.join(paper)).unwrap();
        let folder = root.join(paper).parent().unwrap().to_owned();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in links.filter(|target| !target.starts_with('#')) {
            assert!(folder.join(target).exists(), "{paper} leads to {target}");
        }
    }
    let architecture = std::fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let mut files = architecture.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs"));
    let missing = files.find(|name| !root.join("src").join(name).exists() && !root.join(name).exists());
    assert_eq!(missing, None, "docs/ARCHITECTURE.md names a file that is not there");
}
