//! A reference under three sets of rules side by side: what a link makes of it and by which steps, and what the RFCs of either
//! age and the WHATWG make of it.
//!
//! Refuses nothing and decides nothing: a rule set that refuses is one of the three answers.

use super::resolve::{Reading, explain_as, has_dots};
use super::{Rules, Step, Url, UrlError, redact, resolve, whatwg};
use std::borrow::Cow;

/// A base that texts are compared against, read once by each set of rules.
#[derive(Debug, Clone)]
pub struct CommonBase {
    /// The base as written.
    pub url: Url,
    browsers: whatwg::Base,
}

impl From<Url> for CommonBase {
    fn from(url: Url) -> CommonBase {
        let browsers = whatwg::Base::of(url.as_str());
        CommonBase { url, browsers }
    }
}

/// What a set of rules makes of a text, which most leave as it is; a sentence where they refuse it.
pub type Made<'a> = Result<Cow<'a, str>, String>;

/// What is made of a reference.
#[derive(Debug, Clone)]
pub struct Comparison<'a> {
    /// What a link leads to, in a document whose address is the base.
    pub url: Result<Url, UrlError>,
    /// The steps that led there; none for what stands alone.
    pub steps: Vec<Step>,
    /// What each set of rules makes of it, by the letter; a sentence where it refuses.
    pub rules: [(&'static str, Made<'a>); 3],
}

impl<'a> Comparison<'a> {
    /// Reads a text against a base, or as a URL of its own where there is none.
    pub fn of(base: Option<&CommonBase>, text: &'a str) -> Comparison<'a> {
        let Some(CommonBase { url: base, browsers }) = base else { return Comparison::alone(text) };
        let (resolved, steps) = explain_as(base, text, Reading::Link);
        let by = |rules| match resolve(base, text, rules) {
            Ok(resolved) => Ok(Cow::Owned(resolved.url_in(base).into())),
            Err(error) => Err(error.to_string()),
        };
        let in_browsers = browsers.resolve(text).map(Cow::Owned);
        let rules = [("rfc3986", by(Rules::Rfc3986)), ("rfc2396", by(Rules::Rfc2396)), ("whatwg", in_browsers)];
        Comparison { url: resolved.map(|resolved| resolved.url_in(base)), steps, rules }
    }

    /// A text that has a scheme needs no base: the RFCs leave it as it is, but for the dot segments that RFC 3986 removes.
    fn alone(text: &'a str) -> Comparison<'a> {
        let url = Url::parse(text);
        let refused = |error: &UrlError| -> Made<'a> { Err(error.to_string()) };
        let in_1998: Made<'_> = url.as_ref().map_or_else(refused, |_| Ok(text.into()));
        let now = match &url {
            Ok(own) if has_dots(own.path()) => match resolve(own, text, Rules::Rfc3986) {
                Ok(resolved) => Ok(Cow::Owned(resolved.url_in(own).into())),
                Err(error) => refused(&error),
            },
            _ => in_1998.clone(),
        };
        let rules = [("rfc3986", now), ("rfc2396", in_1998), ("whatwg", whatwg::parse(text))];
        Comparison { url, steps: Vec::new(), rules }
    }

    /// The first octet in which the rules part; `None` where they agree.
    pub fn parting(&self) -> Option<usize> {
        let texts = [0, 1, 2].map(|at: usize| self.rules[at].1.as_deref().unwrap_or_default().as_bytes());
        let refused = self.rules.iter().filter(|(_, made)| made.is_err()).count();
        if refused > 0 {
            return (refused < self.rules.len()).then_some(0);
        }
        if texts.iter().all(|text| *text == texts[0]) {
            return None;
        }
        (0..).find(|at| texts.iter().any(|text| text.get(*at) != texts[0].get(*at)))
    }

    /// The steps as rows for people: a name and what it stands for.
    pub fn step_rows(&self) -> impl Iterator<Item = (String, String)> {
        self.steps.iter().map(|step| (format!("step {}", step.number), step.did.clone()))
    }

    /// What the rules make of it as rows for people: one where they agree, else one each and where they part. Passwords are hidden
    /// unless they are asked for.
    pub fn rule_rows(&self, secrets: bool) -> Vec<(&'static str, String)> {
        let said = |made: &Made<'_>| match made {
            Ok(made) if secrets => made.clone().into_owned(),
            Ok(made) => redact(made),
            Err(error) => format!("refused: {error}"),
        };
        let Some(at) = self.parting() else { return vec![("all rules", said(&self.rules[0].1))] };
        let mut rows: Vec<_> = self.rules.iter().map(|(name, made)| (*name, said(made))).collect();
        rows.push(("they part", format!("at octet {}", at + 1)));
        rows
    }
}
