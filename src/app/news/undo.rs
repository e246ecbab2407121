//! What the reader marked, taken back: each time what became read is unread again and what became unread is read, and nothing else; a
//! group that was taken, or taken no longer, as it was before; a rule goes out of the score file, and what it killed comes back.
//! What became read because it was looked at is no mark and stays.

use super::{Sight, fresh, mailbox};
use crate::app::state::Cx;
use crate::app::state::news::{Change, Marked};
use crate::app::{Effect, Kept};
use crate::keys::{Mode, shown};
use crate::news::{ArticleSet, Newsrc, Subscription};

/// Whether marks and rules are refused, which is said: of a private tab nothing is to be on disk.
pub(super) fn is_refused(cx: &mut Cx<'_>) -> bool {
    if cx.tab.private {
        cx.say("nothing of a private tab is kept, no marks and no rules");
    }
    cx.tab.private
}

/// Changes what was read of some groups of a server, so that it can be taken back; false where that is refused. What is read of a
/// mailbox is on no disk.
pub(super) fn change(
    cx: &mut Cx<'_>,
    server: &str,
    what: String,
    groups: &[Vec<u8>],
    change: impl FnOnce(&mut Newsrc),
) -> bool {
    if !mailbox::is_name(server) && is_refused(cx) {
        return false;
    }
    let before: Vec<_> = groups.iter().map(|group| (read(cx, server, group), taken(cx, server, group))).collect();
    cx.news.change(server, change);
    let changes = groups.iter().zip(&before).map(|(group, (before, was))| {
        let now = read(cx, server, group);
        let was = (taken(cx, server, group) != *was).then_some(*was);
        Change { group: group.clone(), added: now.difference(before), taken: before.difference(&now), was }
    });
    let is_one = |change: &Change| !change.added.is_empty() || !change.taken.is_empty() || change.was.is_some();
    let changes: Vec<Change> = changes.filter(is_one).collect();
    if !changes.is_empty() {
        cx.news.undo.push(Marked { server: server.into(), what, changes, rule: None, stand: None });
    }
    true
}

/// A rule was made, of these lines.
pub(super) fn rule(cx: &mut Cx<'_>, what: String, lines: String) {
    let stand = fresh::made(cx, &lines);
    cx.news.undo.push(Marked { server: String::new(), what, changes: Vec::new(), rule: Some(lines), stand });
}

fn read(cx: &Cx<'_>, server: &str, group: &[u8]) -> ArticleSet {
    cx.news.newsrc(server).and_then(|newsrc| newsrc.read(group)).cloned().unwrap_or_default()
}

/// Whether the reader takes a group. One that is not in the file they do not take.
fn taken(cx: &Cx<'_>, server: &str, group: &[u8]) -> Subscription {
    match cx.news.is_subscribed(server, group) {
        true => Subscription::Subscribed,
        false => Subscription::Unsubscribed,
    }
}

/// What was done, with the key that takes it back.
pub(super) fn told(sight: Sight<'_>, what: String) -> String {
    let keys = sight.desk.keymap.keys_for(Mode::News, "undo");
    match keys.iter().min_by_key(|keys| keys.len()) {
        Some(keys) => format!("{what}; {} takes it back", shown(keys)),
        None => what,
    }
}

/// `undo` on pages of news: the last marks, or the last rule, are taken back.
pub(in crate::app) fn undo(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(Marked { server, what, changes, rule, stand }) = cx.news.undo.pop() else {
        cx.say("no mark or rule of yours is left to take back");
        return Vec::new();
    };
    if let Some(lines) = rule {
        fresh::taken_back(cx, &lines, stand);
        cx.say(format!("taken back: {what}"));
        return vec![Effect::Keep(Kept::Unscore(lines))];
    }
    cx.news.change(&server, |newsrc| {
        for Change { group, added, taken, was } in changes {
            if !added.is_empty() || !taken.is_empty() {
                newsrc.change(&group, |read| *read = read.difference(&added).union(&taken));
            }
            was.into_iter().for_each(|was| newsrc.subscribe(&group, was));
        }
    });
    cx.say(format!("taken back: {what}"));
    Vec::new()
}
