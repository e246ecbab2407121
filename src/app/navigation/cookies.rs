//! Cookies, as far as the reader has a say: a question for each host that wants to set some, and the page that lists them.

use crate::app::hands::question::choice;
use crate::app::state::Cx;
use crate::app::{Effect, Opening, Overlay, Pending};
use crate::config::CookieRule;
use crate::doc::beginning;
use crate::url::Url;

/// Names that a question shows.
const SHOWN: usize = 5;
/// Columns of each.
const LONGEST: usize = 40;

/// Asks what becomes of the cookies that a host wants to set.
pub(in crate::app) fn ask(cx: &mut Cx<'_>, host: &str, names: &[String]) {
    let short = |name: &String| match beginning(name, LONGEST) {
        whole if whole.len() == name.len() => whole.to_owned(),
        cut => format!("{cut}…"),
    };
    let mut shown = names.iter().take(SHOWN).map(short).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        shown.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    let what = if names.len() == 1 { "a cookie" } else { "cookies" };
    let text = crate::doc::sanitise(&format!("{host} wants to set {what}: {shown}")).into_owned();
    let overlay = Overlay::Question {
        text: vec![text],
        choices: vec![choice('k', "keep them, always"), choice('s', "for this session"), choice('n', "never")],
        pending: Pending::Cookies(host.into()),
    };
    cx.hands.queue(overlay);
}

/// The answer about a host's cookies; without one nothing is taken, and the question does not come again.
pub(in crate::app) fn answered(cx: &mut Cx<'_>, host: String, key: char) -> Vec<Effect> {
    let rule = match key {
        'k' => CookieRule::Keep,
        's' => CookieRule::Session,
        'n' => CookieRule::Never,
        _ => {
            cx.say(format!("no cookies of {host} are taken this time"));
            return Vec::new();
        }
    };
    vec![Effect::RuleCookies { host, rule }]
}

/// The list of cookies, a page.
pub(in crate::app) fn list(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if let Ok(url) = Url::parse("about:cookies") {
        cx.open(Opening::typed(url));
    }
    Vec::new()
}
