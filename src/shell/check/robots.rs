//! Which paths a server asks robots to leave alone (RFC 9309), over HTTP and, by custom, over gopher.

use super::visit::{Visited, visit};
use crate::shell::fetch::World;
use crate::url::scheme::{self, Family};
use crate::url::{Url, equal};
use std::collections::HashMap;
use std::sync::Arc;

/// The name by which servers may speak to this program.
const NAME: &str = "wayfarer";

/// What hosts said.
#[derive(Debug, Default)]
pub(super) struct Robots {
    by_host: HashMap<String, Vec<(bool, String)>>,
}

impl Robots {
    /// Whether a URL may be asked for. A server without rules allows everything.
    pub(super) async fn allow(&mut self, world: &Arc<World>, url: &Url) -> bool {
        let Some(place) = place(url) else { return true };
        let key = equal::normal(&place).into_owned();
        if !self.by_host.contains_key(&key) {
            let rules = match visit(world, &place, true, None).await {
                Visited { page: Some(page), .. } => rules(&String::from_utf8_lossy(&page.octets)),
                _ => Vec::new(),
            };
            self.by_host.insert(key.clone(), rules);
        }
        allowed(self.by_host.get(&key).map_or(&[], Vec::as_slice), path(url))
    }
}

fn place(url: &Url) -> Option<Url> {
    let authority = url.authority()?;
    match scheme::family(url) {
        Family::Web => Url::parse(format!("{}://{authority}/robots.txt", url.scheme())).ok(),
        Family::Gopher => Url::parse(format!("{}://{authority}/0/robots.txt", url.scheme())).ok(),
        _ => None,
    }
}

/// The path that rules speak of: a selector has its type before it.
fn path(url: &Url) -> &str {
    match scheme::family(url) {
        Family::Gopher => url.path().get(2..).unwrap_or("/"),
        _ => url.path(),
    }
}

/// The rules for this program, else those for everybody: whether allowed, and the beginning of a path.
fn rules(text: &str) -> Vec<(bool, String)> {
    let (mut own, mut all) = (Vec::new(), Vec::new());
    let (mut to_own, mut to_all, mut named) = (false, false, false);
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let Some((field, value)) = line.split_once(':') else { continue };
        let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
        match field.as_str() {
            "user-agent" => {
                if !named {
                    (to_own, to_all) = (false, false);
                }
                named = true;
                to_own |= value.to_ascii_lowercase().contains(NAME);
                to_all |= value == "*";
            }
            "allow" | "disallow" => {
                named = false;
                if value.is_empty() {
                    continue;
                }
                let rule = (field == "allow", value.trim_end_matches('*').to_owned());
                if to_own {
                    own.push(rule);
                } else if to_all {
                    all.push(rule);
                }
            }
            _ => {}
        }
    }
    if own.is_empty() { all } else { own }
}

/// The longest beginning decides; of two as long the one that allows.
fn allowed(rules: &[(bool, String)], path: &str) -> bool {
    let fitting = rules.iter().filter(|(_, start)| path.starts_with(start.as_str()));
    fitting.max_by_key(|(allow, start)| (start.len(), *allow)).is_none_or(|(allow, _)| *allow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_for_us_decides() {
        let text = "User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /a # not\nAllow: /a/b*\nDisallow:\n";
        let rules = rules(text);
        assert_eq!([allowed(&rules, "/x"), allowed(&rules, "/a/c"), allowed(&rules, "/a/b/c")], [true, false, true]);
        let own = super::rules("User-agent: *\nUser-agent: Wayfarer\nDisallow: /z\nUser-agent: *\nDisallow: /\n");
        assert_eq!([allowed(&own, "/x"), allowed(&own, "/z")], [true, false]);
    }
}
