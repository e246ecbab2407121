//! The lines of score files → rules (slrn's `score.txt`, 2; where that and slrn differ, as slrn does).

use super::pattern::translated;
use super::rule::{Amount, Field, Need, Rule, Section, Sense, Test};
use super::{ScoreFlaw, ScoreText};
use jiff::civil::Date;
use std::sync::Arc;

/// How much of a score file is read, in octets.
pub const MOST_OCTETS: usize = 1 << 20;
/// How many tests all rules may have together.
const MOST_TESTS: usize = 5000;
/// How much of its tests a rule says when it is listed, in octets and about.
const SAID: usize = 200;
/// How deep groups of tests may stand in one another.
const DEEPEST: usize = 16;

/// The files that a text includes, in order.
pub fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| include(line.trim()))
}

/// The file that a line includes.
fn include(line: &str) -> Option<&str> {
    let (word, rest) = line.split_once([' ', '\t'])?;
    word.eq_ignore_ascii_case("include").then(|| rest.trim())
}

/// The rules of the first file, with those that it includes where it does.
pub(super) fn read(files: &[ScoreText]) -> (Vec<Rule>, Vec<ScoreFlaw>) {
    let everywhere = Section { sense: Sense::Is, patterns: vec!["*".into()] };
    let mut reader = Reader {
        files,
        begun: vec![false; files.len()],
        at: (0, 0),
        section: Some(Arc::new(everywhere)),
        draft: None,
        tests: 0,
        rules: Vec::new(),
        flaws: Vec::new(),
    };
    reader.file(0);
    reader.close();
    (reader.rules, reader.flaws)
}

struct Reader<'a> {
    files: &'a [ScoreText],
    /// Which of them were begun: none is read twice.
    begun: Vec<bool>,
    /// File and line.
    at: (usize, usize),
    /// The groups that the rules are about; none where that could not be read.
    section: Option<Arc<Section>>,
    draft: Option<Draft>,
    tests: usize,
    rules: Vec<Rule>,
    flaws: Vec<ScoreFlaw>,
}

/// A rule in the making.
struct Draft {
    rule: Rule,
    /// Groups of tests that are open, the outermost first.
    open: Vec<(Sense, Need, Vec<Test>)>,
    /// A line of it made no sense.
    broken: bool,
}

impl Draft {
    fn push(&mut self, test: Test) {
        match self.open.last_mut() {
            Some((.., tests)) => tests.push(test),
            None => self.rule.tests.push(test),
        }
    }
}

impl Reader<'_> {
    /// Reads a file; none includes itself, so that no more are open at a time than there are.
    fn file(&mut self, file: usize) {
        let Some(ScoreText { text, includes, .. }) = self.files.get(file) else { return };
        if std::mem::replace(&mut self.begun[file], true) {
            self.flaw("this file was read before; it is not read again");
            return;
        }
        let before = self.at;
        let mut includes = includes.iter();
        for (number, line) in (1..).zip(text.lines()) {
            self.at = (file, number);
            let line = line.trim();
            if include(line).is_none() {
                self.line(line);
                continue;
            }
            match includes.next() {
                Some(Ok(other)) => self.file(*other),
                Some(Err(why)) => self.flaw(why),
                None => self.flaw("this file was not read"),
            }
        }
        self.at = before;
    }

    fn flaw(&mut self, what: &str) {
        let (file, line) = self.at;
        let file = self.files.get(file).map(|file| file.name.clone()).unwrap_or_default();
        self.flaws.push(ScoreFlaw { file, line, what: what.into() });
    }

    /// A line makes no sense: its rule would be about other articles without it.
    fn spoil(&mut self, what: &str) {
        self.flaw(&format!("{what}; the rule is left out"));
        if let Some(draft) = &mut self.draft {
            draft.broken = true;
        }
    }

    fn line(&mut self, line: &str) {
        match line.as_bytes().first() {
            None | Some(b'%') => {}
            Some(b'#') if !line[1..].starts_with("if") => {}
            Some(b'#') => self.flaw("lines for some programs only are read by all here"),
            Some(b'[') => self.section(line),
            Some(_) => match after(line, "Score:") {
                Some(rest) => self.score(rest),
                None => self.test(line),
            },
        }
    }

    /// `[comp.os.*, ~…]`.
    fn section(&mut self, line: &str) {
        self.close();
        self.section = None;
        let inside = line[1..].split_once(']').map(|(inside, _)| inside.trim());
        let (sense, names) = match inside.map(|inside| (inside, inside.strip_prefix('~'))) {
            Some((_, Some(others))) => (Sense::IsNot, others),
            Some((these, None)) => (Sense::Is, these),
            None => return self.flaw("this [ has no ]; the rules of this section are left out"),
        };
        let patterns: Vec<String> =
            names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(Into::into).collect();
        if patterns.is_empty() {
            return self.flaw("no group is named; the rules of this section are left out");
        }
        self.section = Some(Arc::new(Section { sense, patterns }));
    }

    /// `Score: =-9999 % a name`.
    fn score(&mut self, rest: &str) {
        self.close();
        let Some(section) = self.section.clone() else { return };
        let (need, rest) = match rest.strip_prefix(':') {
            Some(rest) => (Need::Any, rest),
            None => (Need::All, rest),
        };
        let (value, name) = rest.split_once(['%', '#']).unwrap_or((rest, ""));
        let value = value.trim();
        let (settles, digits) = match value.strip_prefix('=') {
            Some(digits) => (true, digits.trim()),
            None => (false, value),
        };
        let score = digits.parse::<i32>();
        let (file, line) = self.at;
        let rule = Rule {
            file,
            line,
            name: name.trim().into(),
            score: score.clone().unwrap_or_default(),
            says: String::new(),
            settles,
            expires: None,
            section,
            need,
            tests: Vec::new(),
        };
        self.draft = Some(Draft { rule, open: Vec::new(), broken: false });
        if score.is_err() {
            self.spoil("after Score a number is wanted, such as 100 or =-9999");
        }
    }

    fn test(&mut self, line: &str) {
        let Some(draft) = &mut self.draft else {
            // What is wrong with the section was told.
            if self.section.is_some() {
                self.flaw("no Score stands before this line; it is left out");
            }
            return;
        };
        let says = &mut draft.rule.says;
        if says.len() < SAID && after(line, "Expires:").is_none() {
            says.push_str(if says.is_empty() { "" } else { "; " });
            says.push_str(line);
        }
        if line.starts_with('}') {
            match draft.open.pop() {
                Some((_, _, tests)) if tests.is_empty() => self.spoil("nothing stands between { and }"),
                Some((sense, need, tests)) => draft.push(Test::Group(sense, need, tests)),
                None => self.spoil("this } closes no {"),
            }
            return;
        }
        if let Some(day) = after(line, "Expires:") {
            return self.expires(day.trim());
        }
        let (sense, line) = match line.strip_prefix('~') {
            Some(line) => (Sense::IsNot, line),
            None => (Sense::Is, line),
        };
        if let Some(rest) = line.strip_prefix('{') {
            let need = match rest.trim() {
                ":" => Need::All,
                "::" => Need::Any,
                _ => return self.spoil("{: or {:: is wanted, with nothing behind it"),
            };
            match draft.open.len() < DEEPEST {
                true => draft.open.push((sense, need, Vec::new())),
                false => self.spoil("this stands in too many {"),
            }
            return;
        }
        self.tests += 1;
        if self.tests > MOST_TESTS {
            return self.spoil(&format!("there are more than {MOST_TESTS} tests"));
        }
        match one(sense, line) {
            Ok(test) => draft.push(test),
            Err(what) => self.spoil(&what),
        }
    }

    fn expires(&mut self, day: &str) {
        let Some(draft) = &mut self.draft else { return };
        if !draft.rule.tests.is_empty() || !draft.open.is_empty() {
            return self.spoil("Expires has to follow Score at once");
        }
        match date(day) {
            // slrn takes an empty one for none.
            _ if day.is_empty() => {}
            Some(day) => draft.rule.expires = Some(day),
            None => self.spoil("a day is wanted, as 12/31/2030 or 31-12-2030"),
        }
    }

    /// The rule has ended.
    fn close(&mut self) {
        let Some(draft) = self.draft.take() else { return };
        let before = self.at;
        self.at = (draft.rule.file, draft.rule.line);
        match &draft {
            Draft { broken: true, .. } => {}
            Draft { open, .. } if !open.is_empty() => self.flaw("a { is never closed by }; the rule is left out"),
            Draft { rule, .. } if rule.tests.is_empty() => {
                self.flaw("nothing says which articles; the rule is left out")
            }
            _ => self.rules.push(draft.rule),
        }
        self.at = before;
    }
}

/// What stands behind a word at the beginning of a line, whatever its capitals.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let begin = line.get(..word.len())?;
    begin.eq_ignore_ascii_case(word).then(|| &line[word.len()..])
}

/// One test: `Subject: \<agent\>`.
fn one(sense: Sense, line: &str) -> Result<Test, String> {
    let (name, value) = line.split_once(':').ok_or_else(|| "the name of a header and a colon are wanted".to_owned())?;
    let (name, value) = (name.trim(), value.trim());
    if value.is_empty() {
        return Err(format!("nothing stands behind {name}:"));
    }
    if value.contains(char::REPLACEMENT_CHARACTER) {
        return Err("this line is not UTF-8".into());
    }
    let text = |field| Ok(Test::Text(sense, field, translated(value)?));
    let number = || value.parse::<i64>().map_err(|_| format!("a number is wanted behind {name}:"));
    let least = |amount| Ok(Test::Least(sense, amount, number()?));
    match name.to_ascii_lowercase().as_str() {
        "subject" => text(Field::Subject),
        "from" => text(Field::From),
        "date" => text(Field::Date),
        "message-id" => text(Field::MessageId),
        "references" => text(Field::References),
        "xref" => text(Field::Xref),
        "newsgroup" => text(Field::Newsgroup),
        "lines" => least(Amount::Lines),
        "bytes" => least(Amount::Bytes),
        "age" => least(Amount::Age),
        "has-body" => Ok(Test::Body(sense, number()? != 0)),
        "expires" => Err("Expires has to follow Score at once".into()),
        _ => Err(format!("no list of articles tells {name}, so articles are not scored by it")),
    }
}

/// A day: `MM/DD/YYYY` or `DD-MM-YYYY`.
fn date(text: &str) -> Option<Date> {
    let numbers = |mark: char| -> Option<[i16; 3]> {
        let mut numbers = text.split(mark).map(|digits| digits.trim().parse().ok());
        let three = [numbers.next()??, numbers.next()??, numbers.next()??];
        numbers.next().is_none().then_some(three)
    };
    let (year, month, day) = match numbers('/') {
        Some([month, day, year]) => (year, month, day),
        None => numbers('-').map(|[day, month, year]| (year, month, day))?,
    };
    Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()
}
