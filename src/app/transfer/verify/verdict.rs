//! What came of a check: whether all that was said of a file is true, in words, noted with its download and told.
//!
//! One that does not agree outweighs all that agree, and what nobody could tell is never said to be right. Refuses: to judge signatures
//! ([`super::signed`]).

use super::file_name;
use crate::app::state::Cx;
use crate::app::state::jobs::{Verifying, Word};
use crate::app::transfer::list;
use crate::app::{DownloadId, Effect, Verified};
use crate::doc::sanitise;
use crate::sums::{Kind, Sum};

/// What is said of a file that is another one.
pub(super) const DIFFERS: &str = "does NOT agree";
/// What the word of the server that sent a file proves.
const WHOLE: &str =
    "agrees with what the server says that sent it: nothing was damaged on the way, which tells of no forgery";

/// Whether all that was said of a file is true, and that in words, what is not first.
pub(super) fn compared(wanted: &[(Sum, Word)], sums: &[Sum]) -> (Option<bool>, Vec<String>) {
    let digits = |kind: Kind| sums.iter().find(|sum| sum.kind == kind).map(|sum| &*sum.digits).unwrap_or_default();
    let (right, wrong): (Vec<_>, Vec<_>) = wanted.iter().partition(|(sum, _)| sums.contains(sum));
    let differs = |(Sum { kind, digits: said }, word): &(Sum, Word)| {
        let (from, why) = match word {
            Word::Of(from) => (&**from, ""),
            Word::Server => ("the server", ": it was damaged on the way, or is another one there by now"),
        };
        format!("{DIFFERS}: {from} says {} {said}, the file has {}{why}", kind.name(), digits(*kind))
    };
    let mut said: Vec<String> = wrong.iter().map(|one| differs(one)).collect();
    let agree = |(at, (sum, word)): (usize, &&(Sum, Word))| match word {
        Word::Of(from) if at > 0 => format!("{} with {from}", sum.kind.name()),
        Word::Of(from) => format!("{} agrees with {from}", sum.kind.name()),
        Word::Server => format!("{} {WHOLE}", sum.kind.name()),
    };
    let agree: Vec<String> = right.iter().enumerate().map(agree).collect();
    let best = right.iter().filter(|(_, word)| matches!(word, Word::Of(_))).map(|(sum, _)| sum.kind).max();
    let weak = best.filter(|kind| kind.is_weak());
    let weak = weak.map(|kind| format!(" ({} is weak: forged files can agree)", kind.name())).unwrap_or_default();
    said.extend((!agree.is_empty()).then(|| format!("{}{weak}", agree.join(", "))));
    (Some(wrong.is_empty()), said)
}

/// What two looks say together: one that does not agree counts.
pub(super) fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (one, other) => one.or(other),
    }
}

/// The check has come to its end.
pub(super) fn finish(cx: &mut Cx<'_>, check: Verifying) -> Vec<Effect> {
    note(cx, check.number, Verified { agrees: check.agrees, said: check.said.join("; ") })
}

/// The reader does not wait for the rest: what is wrong so far stays so; what only agrees so far is no verdict.
pub(super) fn given_up(cx: &mut Cx<'_>, found: Option<(DownloadId, Verified)>) -> Vec<Effect> {
    if let Some((number, Verified { agrees: Some(false), said })) = found {
        let said = format!("{said}; not checked any further");
        return note(cx, number, Verified { agrees: Some(false), said });
    }
    cx.say("not checked any further");
    list::refresh(cx);
    Vec::new()
}

/// Notes what came of a check with the download, and says it.
pub(super) fn note(cx: &mut Cx<'_>, number: DownloadId, Verified { agrees, said }: Verified) -> Vec<Effect> {
    let Some(download) = cx.transfers.downloads.iter_mut().find(|d| d.number == number) else {
        return Vec::new();
    };
    let said = sanitise(&said).into_owned();
    download.verified = Some(Verified { agrees, said: said.clone() });
    let name = sanitise(file_name(download)).into_owned();
    match agrees {
        Some(true) => cx.say(format!("{name}: {said}")),
        // It says so itself where that comes first.
        Some(false) if said.starts_with(DIFFERS) => cx.complain(format!("{name} {said}")),
        Some(false) => cx.complain(format!("{name} {DIFFERS} with what it should be: {said}")),
        None => cx.complain(format!("{name} is not checked: {said}")),
    }
    list::refresh(cx);
    Vec::new()
}
