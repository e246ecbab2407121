//! Commands of the reader's own (`[commands]` in a key file): a name for a command line, or for several that are run one after
//! the other. Refuses: one that would run itself, and one that comes to more steps than anybody waits for.

use std::collections::BTreeMap;

/// The most steps that a command comes to, those of the commands it names included.
pub const MOST_STEPS: usize = 100;
/// The most commands of a file.
pub(super) const MOST_COMMANDS: usize = 200;
/// Letters of a name.
const LONGEST_NAME: usize = 32;
/// Where what is typed after the name stands.
pub const WORDS: &str = "{}";

/// A command of the reader's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCommand {
    /// Its name on the `:` line and in key files.
    pub name: String,
    /// Its command lines, in order; `{}` in them is what is typed after the name.
    pub steps: Vec<String>,
}

impl OwnCommand {
    /// Its lines with what was typed after its name in their place: a line that stands alone and has no place for it has it at
    /// its end.
    ///
    /// # Errors
    /// It takes no words.
    pub fn lines(&self, words: &str) -> Result<Vec<String>, String> {
        let has_place = self.steps.iter().any(|step| step.contains(WORDS));
        match self.steps.as_slice() {
            [step] if !has_place => Ok(vec![format!("{step} {words}").trim().into()]),
            _ if !has_place && !words.is_empty() => Err(format!("{} takes no words after it", self.name)),
            steps => Ok(steps.iter().map(|step| step.replace(WORDS, words).trim().to_owned()).collect()),
        }
    }

    /// It on one line, as it was written.
    pub fn line(&self) -> String {
        self.steps.join("; ")
    }
}

/// The command lines of a row: parted by `;` before white space or the end, for a URL may hold one in its middle.
pub(super) fn steps(text: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let mut rest = text;
    while let Some(end) = part(rest) {
        steps.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    steps.push(rest);
    steps.into_iter().map(str::trim).filter(|step| !step.is_empty()).map(Into::into).collect()
}

fn part(text: &str) -> Option<usize> {
    let ends = |at: usize| text[at + 1..].chars().next().is_none_or(char::is_whitespace);
    text.match_indices(';').map(|(at, _)| at).find(|at| ends(*at))
}

/// Whether a command may be called so.
///
/// # Errors
/// Why not.
pub(super) fn fits(name: &str, built_in: &[&str]) -> Result<(), String> {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"{};\"".contains(c);
    match () {
        () if built_in.contains(&name) => Err(format!("\"{name}\" is a command already; a name of your own is wanted")),
        () if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(plain) => {
            Err(format!("a name is one word of {LONGEST_NAME} letters at most, without ; and braces"))
        }
        () if name.bytes().all(|b| b.is_ascii_digit()) => Err("a number is no name: it is a line of the page".into()),
        () => Ok(()),
    }
}

/// What is wrong with a command among those that there are.
pub(super) fn fault(own: &OwnCommand, all: &BTreeMap<&str, &[String]>, built_in: &[&str]) -> Option<String> {
    for step in &own.steps {
        let name = first(step);
        if !built_in.contains(&name) && !all.contains_key(name) {
            let known = built_in.iter().copied().chain(all.keys().copied());
            return Some(format!("\"{name}\" is no command{}", crate::table::suggestion(name, known)));
        }
    }
    match count(&own.name, all, &mut Vec::new(), &mut BTreeMap::new()) {
        Err(way) => Some(format!("\"{}\" would run itself without end: {way}", own.name)),
        Ok(steps) if steps > MOST_STEPS => {
            Some(format!("\"{}\" comes to {steps} steps; {MOST_STEPS} is the most", own.name))
        }
        Ok(_) => None,
    }
}

fn first(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// The steps that a command comes to; the way back to the first one where there is one.
fn count<'a>(
    name: &'a str,
    all: &BTreeMap<&'a str, &'a [String]>,
    way: &mut Vec<&'a str>,
    known: &mut BTreeMap<&'a str, usize>,
) -> Result<usize, String> {
    if way.first() == Some(&name) {
        return Err(format!("{} → {name}", way.join(" → ")));
    }
    if let Some(steps) = known.get(name) {
        return Ok(*steps);
    }
    // A circle that this one is not part of is the fault of another.
    if way.contains(&name) {
        return Ok(1);
    }
    let Some(steps) = all.get(name) else { return Ok(1) };
    way.push(name);
    let mut sum = 0_usize;
    for step in *steps {
        sum = sum.saturating_add(count(first(step), all, way, known)?);
    }
    way.pop();
    known.insert(name, sum);
    Ok(sum)
}
