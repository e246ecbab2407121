//! `url bases PAGE`: a page and what it is made of, from outside inward, with the base that each layer gives and why.

use super::page::Page;
use crate::format::message::{Outlined, is_message, outline};
use crate::url::{Layer, Url};

/// One line for each layer and entity, deeper ones further in.
pub(super) fn lines(page: &Page, default: Option<&Url>) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(default.map(|base| format!("default    {}  (--base)", base.redacted())));
    let kept = if page.url.has_hierarchy() { "" } else { "; no base: nothing in it is a hierarchy" };
    lines.push(format!("retrieval  {}  (where it came from{kept})", page.url.redacted()));
    if is_message(&page.media) {
        outline(&page.octets, &page.url).iter().for_each(|entity| of_entity(entity, &mut lines));
    } else {
        lines.push(format!("  page  {}", page.media));
        if let Some(written) = &page.document.base {
            lines.push(format!("    {}", document(written, page.bases.get(Layer::Document))));
        }
    }
    if let Some((layer, base)) = page.bases.effective() {
        lines.push(format!("in force   {}  ({})", base.redacted(), layer.name()));
    }
    lines
}

fn of_entity(entity: &Outlined, lines: &mut Vec<String>) {
    let indent = "  ".repeat(entity.depth + 1);
    lines.push(format!("{indent}{}  {}", entity.name, entity.media));
    if let Some(base) = &entity.base {
        lines.push(format!("{indent}  entity    {}  ({})", base.url.redacted(), base.from));
    }
    if let Some((written, base)) = &entity.document {
        lines.push(format!("{indent}  {}", document(written, base.as_ref())));
    }
}

fn document(written: &str, base: Option<&Url>) -> String {
    match base {
        Some(base) => format!("document  {}  (base href \"{written}\")", base.redacted()),
        None => format!("document  none  (base href \"{written}\" is no base)"),
    }
}
