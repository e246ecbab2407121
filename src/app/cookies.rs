//! Cookies, as far as the reader has a say: a question for each host that wants to set some, and the page that lists them.

use super::opening::{self, Opening};
use super::question::{self, choice};
use super::{App, Effect, Kept, Overlay, Pending, SiteChoice};
use crate::config::CookieRule;
use crate::url::Url;

/// Names that a question shows.
const SHOWN: usize = 5;

impl App {
    /// Asks what becomes of the cookies that a host wants to set, where the settings leave it to the reader.
    pub fn ask_cookies(&mut self, host: &str, names: &[String]) {
        let mut shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
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
        question::raise(self, overlay);
    }
}

/// The answer about a host's cookies; without one nothing is taken, and the question does not come again.
pub(super) fn answered(app: &mut App, host: String, key: char) -> Vec<Effect> {
    let rule = match key {
        'k' => CookieRule::Keep,
        's' => CookieRule::Session,
        'n' => CookieRule::Never,
        _ => {
            app.say(format!("no cookies of {host} are taken this time"));
            return Vec::new();
        }
    };
    vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Cookies(rule) })]
}

/// The list of cookies, a page.
pub(super) fn list(app: &mut App, _: &str) -> Vec<Effect> {
    Url::parse("about:cookies").map_or_else(|_| Vec::new(), |url| opening::go(app, Opening::typed(url)))
}
