//! The inverse of resolution: the shortest reference that leads from a base to a target (PART-02 … 04, PART-09).

use super::{Parts, Resolved, Rules, Url, resolve};

/// The shortest reference that `resolve` leads from `base` to where `target`'s own text leads; the absolute text where
/// nothing shorter does, and for bases without hierarchy. Within one document that is the fragment, or nothing.
///
/// Only a target with dot segments in its path is not met to the byte: resolution removes them.
pub fn relativize(base: &Url, target: &Url) -> String {
    let goal = resolve(base, target.as_str(), Rules::Rfc3986);
    let reaches = |reference: &String| {
        let arrived = resolve(base, reference, Rules::Rfc3986);
        match (&arrived, &goal) {
            (Ok(Resolved::SameDocument { fragment }), _) => base.with_fragment(fragment.as_deref()) == *target,
            _ => arrived == goal,
        }
    };
    let mut candidates = candidates(base.parts(), target.parts());
    if !base.has_hierarchy() {
        candidates.truncate(1);
    }
    // stable: of two as short the earlier wins, and a relative path survives a move of the whole tree
    candidates.sort_by_key(String::len);
    candidates.into_iter().find(reaches).unwrap_or_else(|| target.as_str().into())
}

/// References that may lead from `base` to `target`; the first stays in the document.
fn candidates(base: Parts<'_>, target: Parts<'_>) -> Vec<String> {
    let Parts { authority, path, query, fragment, .. } = target;
    let tail = Parts { query, fragment, ..Parts::default() };
    let written = |path: &str| Parts { path, ..tail }.to_string();
    let mut all = vec![Parts { fragment, ..Parts::default() }.to_string()];
    if base.scheme == target.scheme {
        if base.authority == authority {
            // D07: relative paths on a bare host begin at its root
            let from = if authority.is_some() && base.path.is_empty() { "/" } else { base.path };
            all.extend([tail.to_string(), written(&way(from, path)), written(path)]);
            // by itself it would be read as a site
            all.extend(path.starts_with("//").then(|| written(&format!("/.{path}"))));
        }
        all.push(Parts { scheme: None, ..target }.to_string());
    }
    all
}

/// The relative path from one absolute path to another.
fn way(from: &str, to: &str) -> String {
    let folder = &from[..from.rfind('/').map_or(0, |at| at + 1)];
    let shared = folder
        .bytes()
        .zip(to.bytes())
        .take_while(|(a, b)| a == b)
        .enumerate()
        .filter_map(|(at, (a, _))| (a == b'/').then_some(at + 1))
        .last()
        .unwrap_or(0);
    let up = folder[shared..].matches('/').count();
    let down = &to[shared..];
    // "./" where the rest would be read as an absolute path, a scheme or the same document
    let first = down.split('/').next().unwrap_or("");
    let here = if up == 0 && (first.is_empty() || first.contains(':')) { "./" } else { "" };
    format!("{here}{}{down}", "../".repeat(up))
}
