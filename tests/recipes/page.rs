//! The recipes as CONTRIBUTING.md has them: which step a paragraph and the block below it are.
//!
//! | a paragraph that says | is |
//! |---|---|
//! | Write `FILE` | a new file, the block |
//! | In `FILE`, below `WORDS` | the block, below the only line with these words, as far to the right as that |
//! | In `FILE`, after `WORDS` | the block's only line, in the line of these words, behind them |
//! | At the end of `FILE` | the block, after an empty line |
//! | move it to `FILE` | the file that was written before, elsewhere |
//! | Run `COMMAND` | a command that succeeds; a block below it is all that it prints |

/// A recipe.
pub struct Recipe {
    pub name: String,
    pub steps: Vec<Step>,
}

/// One thing to do.
#[derive(Debug, PartialEq)]
pub enum Step {
    Write { file: String, text: String },
    Below { file: String, words: String, text: String },
    After { file: String, words: String, text: String },
    End { file: String, text: String },
    Move { to: String },
    Run { command: String, prints: Option<String> },
}

/// What CONTRIBUTING.md holds under "Recipes".
pub fn recipes() -> Vec<Recipe> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/CONTRIBUTING.md")).unwrap();
    let (_, recipes) = page.split_once("\n## Recipes\n").expect("a heading \"Recipes\"");
    let mut found = Vec::new();
    for recipe in recipes.split("\n### ").skip(1) {
        let (name, body) = recipe.split_once('\n').unwrap();
        found.push(Recipe { name: name.into(), steps: steps(body) });
    }
    found
}

fn steps(body: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = body.lines().peekable();
    let mut paragraph = String::new();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let block = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            steps.push(step(&paragraph, Some(block)).unwrap_or_else(|| panic!("what to do with it? {paragraph}")));
            paragraph.clear();
        } else if line.is_empty() && lines.peek().is_none_or(|next| !next.starts_with("```")) {
            steps.extend(step(&paragraph, None));
            paragraph.clear();
        } else {
            paragraph.push_str(line);
            paragraph.push(' ');
        }
    }
    steps.extend(step(&paragraph, None));
    steps
}

/// The step that a paragraph asks for; none if it only explains.
fn step(paragraph: &str, block: Option<String>) -> Option<Step> {
    let quoted = |before: &str| {
        let (_, rest) = paragraph.split_once(before)?;
        Some(rest.strip_prefix('`')?.split_once('`')?.0.to_owned())
    };
    match (quoted("Write "), quoted("In "), quoted("At the end of "), quoted("ove it to "), quoted("Run ")) {
        (Some(file), ..) => block.map(|text| Step::Write { file, text }),
        (_, Some(file), ..) => block.map(|text| match quoted(", after ") {
            Some(words) => Step::After { file, words, text },
            None => Step::Below { file, words: quoted(", below ").unwrap(), text },
        }),
        (_, _, Some(file), ..) => block.map(|text| Step::End { file, text }),
        (_, _, _, Some(to), _) => Some(Step::Move { to }),
        (.., Some(command)) => Some(Step::Run { command, prints: block }),
        _ => None,
    }
}
