//! Themes by name: the list of them, in which the one that is selected is shown as long as it is.

use super::{ask, check, set};
use crate::app::state::Cx;
use crate::app::{Effect, ListItem, ListKind, Overlay, Sight};
use crate::config::{self, Kind};

/// The reader's own themes, as far as they are known.
pub(super) fn own(sight: Sight<'_>) -> Vec<String> {
    sight.desk.own.file.as_ref().map(|file| file.themes.clone()).unwrap_or_default()
}

/// Every theme.
pub(in crate::app) fn names(sight: Sight<'_>) -> Vec<String> {
    let mut names: Vec<String> = match config::find("theme").map(|setting| setting.kind) {
        Some(Kind::Choice(words)) => words().into_iter().map(Into::into).collect(),
        _ => Vec::new(),
    };
    names.extend(own(sight).into_iter().filter(|own| !names.contains(own)).collect::<Vec<_>>());
    names
}

fn items(sight: Sight<'_>) -> Vec<ListItem> {
    let item = |(name, key)| ListItem { text: name, detail: String::new(), key };
    names(sight).into_iter().zip(0..).map(item).collect()
}

/// `theme NAME`; `theme` lists them.
pub(in crate::app) fn theme(cx: &mut Cx<'_>, name: &str) -> Vec<Effect> {
    if !name.is_empty() {
        return set(cx, "theme", name);
    }
    let items = items(cx.sight());
    let at = items.iter().position(|item| item.text == cx.desk.settings.theme).unwrap_or_default();
    cx.hands.list(ListKind::Themes, "Themes", items, at);
    ask(cx)
}

/// The reader's own have come.
pub(super) fn refill(cx: &mut Cx<'_>) {
    let items = items(cx.sight());
    for overlay in cx.hands.all_mut() {
        if matches!(overlay, Overlay::List { kind: ListKind::Themes, .. }) {
            overlay.refill(items.clone().into());
        }
    }
}

/// Enter on one.
pub(in crate::app) fn choose(cx: &mut Cx<'_>, name: &str) -> Vec<Effect> {
    set(cx, "theme", name)
}

/// Shows the theme that is selected, and without the list the one that there was before.
pub(in crate::app) fn tend(cx: &mut Cx<'_>) {
    let listed = cx.hands.top().filter(|top| matches!(top, Overlay::List { kind: ListKind::Themes, .. }));
    match listed.map(Overlay::chosen) {
        Some(Some(item)) => {
            let own = &mut cx.desk.own;
            own.before.get_or_insert_with(|| cx.desk.settings.theme.clone());
            let chosen = item.text.into();
            let fits = config::find("theme").is_some_and(|setting| check(cx.sight(), setting, &chosen).is_ok());
            if let (true, crate::table::Value::Text(name)) = (fits, chosen) {
                cx.desk.settings.theme = name;
            }
        }
        Some(None) => {}
        None => {
            if let Some(before) = cx.desk.own.before.take() {
                cx.desk.settings.theme = before;
            }
        }
    }
}
