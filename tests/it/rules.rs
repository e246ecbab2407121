//! The rules that comments cite by their ids: each is explained in `docs/rules.md`, and nothing there is cited by nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the rules stand.
const RULES: &str = "docs/rules.md";

/// Where they are cited.
const CITING: &[&str] = &["src", "tests", "benches", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/// This file cites rules that are made up.
const MADE_UP: &str = "tests/it/rules.rs";

/// What marks a row that is there for the sake of others.
const BACKGROUND: &str = "*(background)*";

/// An id: `GEN-02` is the second of `GEN`, `D14` the fourteenth of `D`.
type Id = (String, u32);

fn shown((group, number): &Id) -> String {
    let dash = if group == "D" { "" } else { "-" };
    format!("{group}{dash}{number:02}")
}

/// The id at the beginning of a text, which no letter or digit goes on, and what follows it.
fn id(text: &str) -> Option<(Id, &str)> {
    let letters = text.find(|c: char| !c.is_ascii_uppercase())?;
    let (group, rest) = text.split_at(letters);
    let digits = if group == "D" { rest } else { rest.strip_prefix('-').filter(|_| group.len() > 1)? };
    number(digits).map(|(number, rest)| ((group.to_owned(), number), rest))
}

/// Two digits at the beginning of a text.
fn number(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = (text.get(..2)?, text.get(2..)?);
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (ends && digits.bytes().all(|b| b.is_ascii_digit())).then_some(())?;
    Some((digits.parse().ok()?, rest))
}

/// The ids that a text cites, if their group is among those given: `GEN-02`, `GEN-02 … 05`, `GEN-02 … GEN-05`, `GEN-02, 04`.
fn cited(text: &str, groups: &BTreeSet<String>) -> BTreeSet<Id> {
    let mut found = BTreeSet::new();
    for (at, _) in text.char_indices() {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')) {
            continue;
        }
        let Some(((group, first), mut rest)) = id(&text[at..]).filter(|((group, _), _)| groups.contains(group)) else {
            continue;
        };
        let mut last = first;
        found.insert((group.clone(), first));
        while let Some((through, next)) =
            [(true, " … "), (false, ", ")].iter().find_map(|(through, mark)| Some((*through, rest.strip_prefix(mark)?)))
        {
            let again = id(next).filter(|((other, _), _)| *other == group).map(|((_, number), rest)| (number, rest));
            let Some((number, after)) = number(next).or(again) else { break };
            let from = if through { last } else { number };
            found.extend((from..=number).map(|number| (group.clone(), number)));
            (last, rest) = (number, after);
        }
    }
    found
}

/// The rows of the rules: what each says.
fn rows(rules: &str) -> BTreeMap<Id, &str> {
    rules.lines().filter_map(|line| id(line.strip_prefix("| ")?).map(|(id, _)| (id, line))).collect()
}

/// The ids without a row with where they are cited, and the rows that nobody cites.
fn wrong(rules: &str, texts: &[(String, String)]) -> Vec<String> {
    let rows = rows(rules);
    let groups = rows.keys().map(|(group, _)| group.clone()).collect();
    let mut wrong = Vec::new();
    let mut missing = |name: &str, ids: &BTreeSet<Id>| {
        let unknown = ids.iter().filter(|id| !rows.contains_key(*id));
        wrong.extend(unknown.map(|id| format!("{name}: {} has no row", shown(id))));
    };
    missing(RULES, &cited(rules, &groups));
    let mut all = BTreeSet::new();
    for (name, text) in texts {
        let ids = cited(text, &groups);
        missing(name, &ids);
        all.extend(ids);
    }
    let idle = rows.iter().filter(|(id, row)| !all.contains(*id) && !row.contains(BACKGROUND));
    wrong.extend(idle.map(|(id, _)| format!("{RULES}: nobody cites {}", shown(id))));
    wrong
}

fn texts(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = CITING.iter().map(|place| root.join(place)).collect();
    while let Some(path) = waiting.pop() {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if ["rs", "tsv", "md"].iter().any(|end| path.extension() == Some(end.as_ref())) && name != MADE_UP {
            found.push((name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
        }
    }
    found
}

#[test]
fn each_rule_that_is_cited_is_explained_and_each_that_is_explained_is_cited() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = fs::read_to_string(root.join(RULES)).unwrap();
    let texts: Vec<_> = texts(root).into_iter().filter(|(name, _)| name != RULES).collect();
    assert!(texts.len() > 400, "the sources were not found");
    let wrong = wrong(&rules, &texts);
    assert!(wrong.is_empty(), "{RULES} and the comments differ:\n{}", wrong.join("\n"));
}

#[test]
fn a_rule_has_one_row() {
    let rules = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(RULES)).unwrap();
    let lines = rules.lines().filter_map(|line| id(line.strip_prefix("| ")?)).count();
    assert_eq!(rows(&rules).len(), lines, "an id stands twice");
}

#[test]
fn ids_are_found_however_they_are_cited() {
    let groups = ["GEN", "D"].map(str::to_owned).into_iter().collect();
    for (text, expected) in [
        ("(GEN-02)", "GEN-02"),
        ("GEN-02 … 04; GEN-09", "GEN-02 GEN-03 GEN-04 GEN-09"),
        ("GEN-02 … GEN-04.", "GEN-02 GEN-03 GEN-04"),
        ("GEN-07, 08, 11) and D03, D14", "D03 D14 GEN-07 GEN-08 GEN-11"),
        ("GEN-02, 3986", "GEN-02"),
        ("UTF-16, XGEN-02, GEN-021, GEN-2, 0D10, D100, SHA-25, AD14", ""),
    ] {
        assert_eq!(cited(text, &groups).iter().map(shown).collect::<Vec<_>>().join(" "), expected, "{text}");
    }
}

#[test]
fn what_is_missing_and_what_is_idle_is_told() {
    let rules = "| id | rule |\n|---|---|\n| GEN-02 | A (D14). |\n| GEN-03 | B. *(background)* |\n| D14 | C. | D. |\n| D15 | E. | F. |\n";
    let text = [("a.rs".to_owned(), "// GEN-02, D14, D16".to_owned())];
    assert_eq!(wrong(rules, &text), ["a.rs: D16 has no row", "docs/rules.md: nobody cites D15"]);
    let more = format!("{rules}As D99 says.\n");
    assert_eq!(wrong(&more, &[])[0], "docs/rules.md: D99 has no row");
}
