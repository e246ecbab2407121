//! Paths of files as the reader sees them, with `~` for their home folder, and whole, as programs take them.

use crate::app::Sight;

/// A path below the reader's home folder, with `~` for that; any other as it is.
pub(super) fn shown(sight: Sight<'_>, path: &str) -> String {
    let home = sight.desk.choices.home_folder.as_deref().map(|home| home.trim_end_matches('/'));
    let below = home.filter(|home| !home.is_empty()).and_then(|home| path.strip_prefix(home)?.strip_prefix('/'));
    below.map_or_else(|| path.into(), |below| format!("~/{below}"))
}

/// The same path with the home folder written out.
pub(in crate::app) fn whole(sight: Sight<'_>, path: &str) -> String {
    match (path.strip_prefix("~/"), &sight.desk.choices.home_folder) {
        (Some(below), Some(home)) => format!("{}/{below}", home.trim_end_matches('/')),
        _ => path.into(),
    }
}
