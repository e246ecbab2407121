//! `url explain`: every octet of a URL with its part, what is sent of it, the section behind it, how it was resolved, what is
//! odd about it, and where three sets of rules part.

use super::answer::{Answer, aligned, push_column, refusal, refusal_json, visible};
use super::json::{Object, push_text, stands_as_it_is};
use super::request::planned;
use crate::config::Settings;
use crate::url::dissect::{Piece, dissect};
use crate::url::scheme::{self, Plan};
use crate::url::warning::{Warning, warnings};
use crate::url::{CommonBase, Comparison, Url, UrlError, redact};
use std::ops::Range;

/// All that is to be said of a text.
struct Explained<'a> {
    url: &'a Url,
    compared: &'a Comparison<'a>,
    pieces: Vec<Piece>,
    plan: Result<Plan, UrlError>,
    warnings: Vec<Warning>,
}

impl Explained<'_> {
    fn of<'a>(settings: &Settings, compared: &'a Comparison<'a>) -> Result<Explained<'a>, &'a UrlError> {
        let url = compared.url.as_ref()?;
        let (_, plan) = planned(settings, url);
        Ok(Explained { url, compared, pieces: dissect(url), plan, warnings: warnings(url) })
    }
}

pub(super) fn json_answer(settings: &Settings, base: Option<&CommonBase>, text: &str) -> Answer {
    match Explained::of(settings, &Comparison::of(base, text)) {
        Ok(explained) => {
            Answer { lines: vec![object(base.map(|base| base.url.as_str()), text, &explained)], failed: false }
        }
        Err(error) => refusal_json("url", text, error),
    }
}

fn object(base: Option<&str>, text: &str, explained: &Explained<'_>) -> String {
    let mut out = Object::with_capacity(1024 + 4 * text.len());
    let whole = explained.url.as_str();
    // What is known of the whole need not be looked for in each part of it.
    let plain = stands_as_it_is(whole);
    let decoded = plain && memchr::memchr(b'%', whole.as_bytes()).is_none();
    out.known("url", text, plain && text == whole);
    out.option("base", base);
    out.known("resolved", whole, plain);
    out.list("steps", Some(explained.compared.steps.iter()), |out, step| {
        Object::within(out, |row| {
            row.word("number", step.number);
            row.text("did", &step.did);
        });
    });
    out.list("parts", Some(explained.pieces.iter()), |out, piece| {
        Object::within(out, |row| {
            row.word("name", piece.name);
            row.range("at", &piece.at);
            let raw = piece.raw(explained.url);
            row.known("raw", raw, plain);
            match decoded {
                true => row.word("decoded", raw),
                false => row.text("decoded", &piece.decoded(explained.url)),
            }
            row.option("sent", piece.sent.as_deref());
            row.word("section", piece.section);
        });
    });
    match &explained.plan {
        Ok(plan) => {
            out.list("sends", Some(scheme::would_send(plan).iter()), |out, line| push_text(out, line));
            out.option("confirm", plan.confirm.as_deref());
            out.raw("refused", "null");
        }
        Err(error) => {
            out.raw("sends", "[]");
            out.raw("confirm", "null");
            out.text("refused", &error.to_string());
        }
    }
    out.list("warnings", Some(explained.warnings.iter()), |out, warning| {
        Object::within(out, |row| {
            row.word("kind", warning.kind.name());
            row.range("at", &warning.at);
            row.text("text", &warning.text);
        });
    });
    for (name, made) in &explained.compared.rules {
        match made {
            Ok(made) => out.known(name, made, plain && made == whole),
            Err(_) => out.raw(name, "null"),
        }
    }
    match explained.compared.parting() {
        Some(at) => out.number("part_at", at),
        None => out.raw("part_at", "null"),
    }
    out.done()
}

pub(super) fn lines_answer(settings: &Settings, base: Option<&CommonBase>, text: &str, secrets: bool) -> Answer {
    let compared = Comparison::of(base, text);
    let explained = match Explained::of(settings, &compared) {
        Ok(explained) => explained,
        Err(error) => return refusal(text, error),
    };
    let shown = |text: &str| if secrets { text.to_owned() } else { redact(text) };
    let mut lines = vec![aligned("url", &shown(explained.url.as_str()))];
    lines.extend(explained.compared.step_rows().map(|(name, did)| aligned(&name, &did)));
    lines.extend(explained.pieces.iter().map(|piece| piece_line(piece, explained.url, secrets)));
    match &explained.plan {
        Ok(plan) => {
            lines.extend(plan.confirm.iter().map(|question| aligned("asks", question)));
            lines.extend(scheme::would_send(plan).iter().map(|line| aligned("sends", line)));
        }
        Err(error) => lines.push(aligned("sends", &format!("nothing: {error}"))),
    }
    lines.extend(explained.compared.rule_rows(secrets).iter().map(|(name, made)| aligned(name, made)));
    let warning = |warning: &Warning| aligned("warning", &format!("{:<9}{}", octets(&warning.at), warning.text));
    lines.extend(explained.warnings.iter().map(warning));
    Answer { lines, failed: false }
}

/// Octets as people count them, from one.
fn octets(at: &Range<usize>) -> String {
    match at.len() {
        0 => "–".into(),
        1 => at.end.to_string(),
        _ => format!("{}–{}", at.start + 1, at.end),
    }
}

fn piece_line(piece: &Piece, url: &Url, secrets: bool) -> String {
    let raw = piece.raw(url);
    let hidden = piece.name == "password" && !secrets && !raw.is_empty();
    let mut text = String::from(if hidden { "***" } else { raw });
    let decoded = piece.decoded(url);
    if decoded != raw && !hidden {
        text += &[" = ", &decoded].concat();
    }
    if let Some(sent) = piece.sent.as_deref().filter(|sent| *sent != raw) {
        text += &[" → ", sent].concat();
    }
    let mut line = String::with_capacity(64 + text.len());
    push_column(&mut line, piece.name, 14);
    push_column(&mut line, &octets(&piece.at), 8);
    line += &[&visible(&text), "  [", piece.section, "]"].concat();
    line
}
