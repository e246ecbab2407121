//! `url request`: what would be sent for a URL.

use super::Surroundings;
use super::answer::{Answer, aligned, plain, refusal, refusal_json, visible};
use crate::config::Settings;
use crate::url::{Url, redact, scheme};
use scheme::mid::Mid;
use scheme::{Act, Family, Plan, news};
use serde_json::Value;

/// A gateway leads to the web, where there is none.
const HOPS: usize = 2;

pub(super) fn answer(surroundings: &Surroundings, text: &str, json: bool, secrets: bool) -> Answer {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) if json => return refusal_json("", text, &error),
        Err(error) => return refusal(text, &error),
    };
    match planned(&surroundings.settings, url).map(|value| with_news_server(value, &surroundings.settings)) {
        Ok(value) if json => Answer::json(&value, false),
        Err(value) if json => Answer::json(&value, true),
        Ok(value) => Answer { lines: for_people(&value, secrets), failed: false },
        Err(value) => {
            let why = value["refused"].as_str().unwrap_or("no request");
            Answer::failure(&format!("refused: {}", why.trim_start_matches("refused: ")))
        }
    }
}

/// What would be sent, through the proxy or the gateway that the reader has set.
fn planned(settings: &Settings, mut url: Url) -> Result<Value, Value> {
    for _ in 0..HOPS {
        let plan = settings.http.proxies.plan(&url);
        let foreign = plan.is_ok() && crate::proto::find(url.scheme()).is_none();
        match foreign.then(|| settings.through_gateway(&url)).flatten().map(Url::parse) {
            Some(Ok(gateway)) => url = gateway,
            _ => return scheme::plan_json(&url, plan.map(|plan| at_hand(&url, plan))),
        }
    }
    scheme::plan_json(&url, settings.http.proxies.plan(&url))
}

/// A message is looked for among those that are open. Here none is, and then it is fetched as an article, by its id.
fn at_hand(url: &Url, plan: Plan) -> Plan {
    let message = || Mid::of(url).ok()?.message.and_then(|id| news::article_url(&id).ok());
    match plan.act {
        Act::Handler(_) if scheme::family(url) == Family::Message => match message() {
            Some(article) => Plan { act: Act::Open(article), ..plan },
            None => plan,
        },
        _ => plan,
    }
}

/// Puts the configured news server where the URL leaves the server to the reader (NEWS-05).
fn with_news_server(mut value: Value, settings: &Settings) -> Value {
    if let Some(server) = settings.news.server.as_ref().filter(|_| value["host"] == "<configured>") {
        value["host"] = server.host.as_str().into();
        if let Some(port) = server.port {
            value["port"] = port.into();
        }
    }
    value
}

/// One line for where, then one for each thing that would be sent or done.
fn for_people(value: &Value, secrets: bool) -> Vec<String> {
    let command = |command: &Value| match plain(command) {
        text if !secrets && text.starts_with("PASS ") && !text.starts_with("PASS <") && text.len() > 5 => {
            "PASS ***".into()
        }
        text => visible(&text),
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
