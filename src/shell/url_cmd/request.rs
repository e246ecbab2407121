//! `url request`: what would be sent for a URL.

use super::Surroundings;
use super::answer::{Answer, aligned, plain, refusal, refusal_json, visible};
use crate::config::Settings;
use crate::url::{Url, UrlError, redact, scheme};
use scheme::{Act, Plan, mid};
use serde_json::Value;
use std::borrow::Cow;

/// A gateway leads to the web, where there is none.
const HOPS: usize = 2;

pub(super) fn answer(surroundings: &Surroundings, text: &str, json: bool, secrets: bool) -> Answer {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) if json => return refusal_json("", text, &error),
        Err(error) => return refusal(text, &error),
    };
    let (url, plan) = planned(&surroundings.settings, &url);
    match scheme::plan_json(&url, plan) {
        Ok(value) if json => Answer::json(&value, false),
        Err(value) if json => Answer::json(&value, true),
        Ok(value) => Answer { lines: for_people(&value, secrets), failed: false },
        Err(value) => {
            let why = value["refused"].as_str().unwrap_or("no request");
            Answer::failure(&format!("refused: {}", why.trim_start_matches("refused: ")))
        }
    }
}

/// What following a URL would do, through the proxy or the gateway and at the news server that the reader has set; with the URL
/// that is asked for then.
pub(super) fn planned<'a>(settings: &Settings, url: &'a Url) -> (Cow<'a, Url>, Result<Plan, UrlError>) {
    let mut url = Cow::Borrowed(url);
    for _ in 0..HOPS {
        let plan = settings.http.proxies.plan(&url);
        let foreign = plan.is_ok() && crate::proto::find(url.scheme()).is_none();
        match foreign.then(|| settings.through_gateway(&url)).flatten().map(Url::parse) {
            Some(Ok(gateway)) => url = Cow::Owned(gateway),
            _ => {
                let plan = plan.map(|plan| with_news_server(mid::at_hand(&url, plan), settings));
                return (url, plan);
            }
        }
    }
    let plan = settings.http.proxies.plan(&url);
    (url, plan)
}

/// Puts the configured news server where the URL leaves the server to the reader (NEWS-05).
fn with_news_server(mut plan: Plan, settings: &Settings) -> Plan {
    if let (Act::Commands { host: host @ None, port, .. }, Some(server)) = (&mut plan.act, &settings.news.server) {
        *host = Some(server.host.clone());
        *port = server.port.unwrap_or(*port);
    }
    plan
}

/// One line for where, then one for each thing that would be sent or done.
fn for_people(value: &Value, secrets: bool) -> Vec<String> {
    let command = |command: &Value| match plain(command) {
        text if !secrets => visible(&scheme::without_password(&text)).into_owned(),
        text => visible(&text).into_owned(),
    };
    let mut lines = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            (_, Value::Null) | ("tls", Value::Bool(false)) => {}
            ("tls", _) => lines.push("over TLS".into()),
            ("commands", Value::Array(commands)) => lines.extend(commands.iter().map(command)),
            ("open", Value::String(url)) if !secrets => lines.push(aligned(name, &redact(url))),
            (name, value) => lines.push(aligned(name, &plain(value))),
        }
    }
    lines
}
