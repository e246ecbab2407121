//! What a server says to people besides a list: it stands above the list, all but its first line out of sight.

use crate::doc::{BlockKind, Builder, FoldKind, sanitise};
use crate::role::Role;

/// Writes it, in as many blocks as it has lines; with more than one line, its first one is a link.
pub(super) fn write(notices: &[String], out: &mut Builder) {
    let Some((first, more)) = notices.split_first() else { return };
    out.block(BlockKind::Line, Role::Dim);
    let first = format!("┄ {}", sanitise(first));
    if more.is_empty() {
        return out.text(&first);
    }
    let head = out.link(&first, Role::Dim, "");
    out.begin_fold(FoldKind::Notice, head, false);
    for line in more {
        out.block(BlockKind::Line, Role::Dim);
        out.text(&format!("┄ {}", sanitise(line)));
    }
    out.end_fold();
}
