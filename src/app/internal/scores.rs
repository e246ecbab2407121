//! `about:scores`: the rules of the reader's score file, how many articles met each of them in the groups of this tab, and the
//! lines that make no sense.

use super::Made;
use crate::app::state::Cx;
use crate::app::{Effect, Sight};
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::news::score::{Rule, Scores};
use crate::role::Role;
use std::sync::Arc;

/// `scores`.
pub(in crate::app) fn open(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    super::go(cx, "about:scores")
}

/// Makes the page in view anew when it shows something else.
pub(super) fn tend(cx: &mut Cx<'_>) {
    let made = written(cx.sight(), &super::words(cx.sight()));
    super::show_other(cx, made);
}

fn written(sight: Sight<'_>, words: &str) -> Made {
    let scores = &sight.news.scores;
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let passes = |text: &str| {
        let text = text.to_lowercase();
        wanted.iter().all(|word| text.contains(word))
    };
    let mut out = Builder::new();
    let title = "Your rules for news";
    out.document_mut().title = Some(title.into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(title);
    let mut source = String::new();
    let mut line = |kind, role, indent, text: &str| {
        let text = sanitise(text);
        out.marked(kind, role, Marker::None, indent);
        out.text(&text);
        source.push_str(&text);
        source.push('\n');
    };
    let flaws: Vec<String> = scores.flaws().iter().map(ToString::to_string).filter(|flaw| passes(flaw)).collect();
    let met = met(sight, scores);
    let today = sight.desk.now.as_ref().map(jiff::Zoned::date);
    let rules = scores.rules().iter().zip(met).map(|(rule, met)| {
        let head = told(rule, met, today.is_some_and(|today| rule.is_expired(today)));
        (head, format!("{}  {}", scores.place(rule), rule.says))
    });
    let rules: Vec<(String, String)> = rules.filter(|(head, says)| passes(&format!("{head} {says}"))).collect();
    let said = match introduction(scores) {
        said if flaws.is_empty() && rules.is_empty() && !wanted.is_empty() => super::none_with(words, &said),
        said => said,
    };
    line(BlockKind::Line, Role::Dim, 0, &said);
    for flaw in flaws {
        line(BlockKind::Entry, Role::Warning, 1, &flaw);
    }
    for (head, says) in rules {
        line(BlockKind::Entry, Role::Text, 1, &head);
        line(BlockKind::Entry, Role::Dim, 4, &says);
    }
    Made { document: out.finish(), source }
}

fn introduction(scores: &Scores) -> String {
    let of = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let Some(file) = scores.files().first() else {
        return "There are none: no score file was read. A on an article makes one (news.scores says where).".into();
    };
    let rules = of(scores.rules().len(), "rule", "rules");
    match scores.flaws().len() {
        0 => format!("{rules} in {}", file.name),
        flaws => {
            let flaws = of(flaws, "line makes no sense", "lines make no sense");
            format!("{rules} in {}; {flaws}, and their rules are left out", file.name)
        }
    }
}

/// `=-9999  comp.lang.*  until 2026-12-04  met 3 times`.
fn told(rule: &Rule, met: Option<u32>, expired: bool) -> String {
    let mut text = format!("{}{}  {}", if rule.settles { "=" } else { "" }, rule.score, rule.groups());
    if !rule.name.is_empty() {
        text += &format!("  {}", rule.name);
    }
    if let Some(day) = rule.expires {
        text += &format!("  {} {day}", if expired { "expired" } else { "until" });
    }
    match met {
        None => {}
        Some(1) => text += "  met once",
        Some(met) => text += &format!("  met {met} times"),
    }
    text
}

/// How many articles met each rule in the groups of the tab; nothing where none of these was judged by them.
fn met(sight: Sight<'_>, scores: &Arc<Scores>) -> Vec<Option<u32>> {
    let mut all = vec![None; scores.rules().len()];
    for page in sight.tab.history.iter().filter_map(|entry| entry.page.as_deref()) {
        let Some((_, met)) = page.arrangement.learnt.met().filter(|(by, _)| by.scores == *scores) else { continue };
        for (all, met) in all.iter_mut().zip(met) {
            *all = Some(all.unwrap_or(0) + met);
        }
    }
    all
}
