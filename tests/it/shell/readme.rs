//! The README and the papers beside it: their examples, run as a reader would type them; their links and the files they name.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");
const COMMAND_LINE: &str = include_str!("../../../docs/command-line.md");
/// All that leads to others; the README first.
const PAPERS: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "docs/ARCHITECTURE.md",
    "docs/SECURITY.md",
    "docs/command-line.md",
    "docs/files.md",
    "docs/peers.md",
    "docs/rules.md",
    "docs/speed.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What stands between lines of three backquotes.
fn blocks(paper: &'static str) -> Vec<&'static str> {
    paper.split("\n```").skip(1).step_by(2).map(|block| block.trim_start_matches('\n')).collect()
}

/// Whoever looks at it for twenty seconds has come to the two commands: so many words are read aloud in that time.
#[test]
fn the_two_commands_stand_within_twenty_seconds() {
    /// Words a second of who reads aloud at ease.
    const PACE: f64 = 2.8;
    let (before, _) = README.split_once("cargo test").unwrap();
    let said = before.lines().filter(|line| !line.starts_with("![") && !line.starts_with("```"));
    let words = said.flat_map(str::split_whitespace).filter(|word| word.contains(char::is_alphanumeric)).count();
    assert!((words as f64) < 20.0 * PACE, "{words} words");
}

#[test]
fn commands_print_what_the_papers_say() {
    let built = Path::new(env!("CARGO_BIN_EXE_wayfarer")).parent().unwrap();
    let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap());
    let home = tempfile::tempdir().unwrap();
    let mut run = 0;
    let blocks = blocks(COMMAND_LINE);
    let examples = blocks.iter().filter_map(|block| block.strip_prefix("$ "));
    for example in examples.flat_map(|block| block.split("\n$ ")) {
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
fn every_folder_of_the_table_is_there() {
    let architecture = include_str!("../../../docs/ARCHITECTURE.md");
    let (_, table) = architecture.split_once("| folder | what |").unwrap();
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
    let picture = std::fs::read_to_string(root().join("assets/screenshots/anatomy.txt")).unwrap();
    let shown = |block: &str| block.trim_end() == picture.trim_start_matches('\n').trim_end();
    assert!(blocks(README).iter().any(|block| shown(block)), "the README does not show anatomy.txt as it is");
}

/// What the papers lead to, headings of the same paper too, and the files of the source that they name.
#[test]
fn what_the_papers_lead_to_is_there() {
    let mut seen = 0;
    for paper in PAPERS {
        let text = std::fs::read_to_string(root().join(paper)).unwrap();
        let folder = root().join(paper).parent().unwrap().to_owned();
        let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
        let headings: Vec<String> = headings.map(|words| words.to_ascii_lowercase().replace(' ', "-")).collect();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            match target.strip_prefix('#') {
                Some(heading) => assert!(headings.iter().any(|known| known == heading), "{paper} leads to {target}"),
                None => assert!(folder.join(target).exists(), "{paper} leads to {target}"),
            }
            seen += 1;
        }
        assert!(PAPERS[0] != *paper || seen >= 10, "only {seen} links were found");
    }
    let architecture = include_str!("../../../docs/ARCHITECTURE.md");
    let mut files = architecture.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs"));
    let missing = files.find(|name| !root().join("src").join(name).exists() && !root().join(name).exists());
    assert_eq!(missing, None, "docs/ARCHITECTURE.md names a file that is not there");
}
