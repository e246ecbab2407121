//! What servers answer, as JSON, and back.

use super::words::{At, Ink, Wrong, name};
use crate::proto::{
    Again, Certificate, End, FetchError, FetchEvent, Found, Head, Kind, Moved, PinnedCertificate, RefusedCertificate,
    Security, Stage, There, Trust, Within,
};
use crate::url::{EntityBase, Siblings, Url, redact};
use serde_json::{Map, Value, json};
use std::sync::Arc;

const STAGES: &[(Stage, &str)] = &[
    (Stage::Queued, "queued"),
    (Stage::Resolving, "resolving"),
    (Stage::Connecting, "connecting"),
    (Stage::Securing, "securing"),
    (Stage::Asking, "asking"),
    (Stage::Sending(0, 0), "sending"),
    (Stage::Waiting, "waiting"),
];

const TRUSTS: &[(Trust, &str)] = &[
    (Trust::Authority, "authority"),
    (Trust::Pinned, "pinned"),
    (Trust::FirstUse, "first-use"),
    (Trust::Reader, "reader"),
];

const AGAINS: &[(Again, &str)] = &[(Again::Get, "get"), (Again::Same, "same"), (Again::Kept, "kept")];

const KINDS: &[(Kind, &str)] = &[
    (Kind::NoSuchHost, "no-such-host"),
    (Kind::Refused, "refused"),
    (Kind::TimedOut, "timed-out"),
    (Kind::Broken, "broken"),
    (Kind::Secure, "secure"),
    (Kind::NeedsLogin, "needs-login"),
    (Kind::NeedsAccount, "needs-account"),
    (Kind::NeedsWords, "needs-words"),
    (Kind::NeedsSecret, "needs-secret"),
    (Kind::NeedsCertificate, "needs-certificate"),
    (Kind::NeedsConsent, "needs-consent"),
    (Kind::NotFound, "not-found"),
    (Kind::NoFile, "no-file"),
    (Kind::Denied, "denied"),
    (Kind::Crowded, "crowded"),
    (Kind::Said, "said"),
    (Kind::Malformed, "malformed"),
    (Kind::TooLarge, "too-large"),
    (Kind::TooManyRedirects, "too-many-redirects"),
    (Kind::Unsupported, "unsupported"),
    (Kind::Unsafe, "unsafe"),
    (Kind::Stopped, "stopped"),
];

/// Names of the response's own words whose values are secrets.
const SECRETS: [&str; 2] = ["set-cookie:", "set-cookie2:"];

impl Ink {
    pub(super) fn event(&self, event: &FetchEvent) -> (&'static str, Value) {
        match event {
            // How much was sent is nothing that a replay waits for.
            FetchEvent::Stage(Stage::Sending(..)) => ("stage", name(STAGES, Stage::Sending(0, 0)).into()),
            FetchEvent::Stage(stage) => ("stage", name(STAGES, *stage).into()),
            FetchEvent::Sent(sent) => ("sent", self.dispatches(sent)),
            FetchEvent::Head(head) => ("head", self.head(head)),
            FetchEvent::Moved(moved) => {
                let (from, to, again) = (self.url(&moved.from), self.address(&moved.to), name(AGAINS, moved.again));
                ("moved", json!({ "from": from, "to": to, "status": moved.status, "again": again }))
            }
            FetchEvent::Unchanged => ("unchanged", true.into()),
            FetchEvent::Body(octets) => ("body", self.octets(octets)),
            FetchEvent::End(end) => ("end", json!({ "cut": end.cut })),
            FetchEvent::Failed(error) => {
                let FetchError { kind, detail, tried, hint, certificate, found, kept } = error;
                let kind = name(KINDS, *kind);
                let pin = certificate.as_ref().and_then(|refused| refused.pin.as_ref());
                let pin = pin.map(|pin| json!([pin.server, of_certificate(&pin.certificate), pin.since]));
                let first = certificate.as_ref().and_then(|refused| refused.first.as_ref());
                let found = found.as_deref().map(of_found);
                let certificate = certificate.as_ref().map(|refused| of_certificate(&refused.certificate));
                (
                    "failed",
                    json!({ "kind": kind, "detail": detail, "tried": tried, "hint": hint, "certificate": certificate, "pin": pin, "first": first, "found": found, "kept": kept.map(|time| time.to_string()) }),
                )
            }
        }
    }

    fn head(&self, head: &Head) -> Value {
        let mut out = Map::new();
        out.insert("url".into(), self.url(&head.url).into());
        out.insert("media".into(), head.media.as_str().into());
        let time = |time: Option<jiff::Timestamp>| time.map(|time| time.to_string());
        let words = [
            ("status", head.status.clone()),
            ("nothing", head.nothing.clone()),
            ("charset", head.charset.clone()),
            ("validator", head.validator.clone()),
            ("modified", time(head.modified)),
            ("filename", head.filename.clone()),
            ("title", head.title.clone()),
            ("clock", time(head.clock)),
            ("kept", time(head.kept)),
            ("offered", time(head.offered)),
            ("ahead", time(head.ahead)),
        ];
        out.extend(words.into_iter().filter_map(|(name, words)| Some((name.to_owned(), words?.into()))));
        out.extend(head.length.map(|length| ("length".into(), length.into())));
        if head.start > 0 {
            out.insert("start".into(), head.start.into());
        }
        if let Some(Security { trust, certificate }) = &head.security {
            out.insert("security".into(), json!([name(TRUSTS, *trust), of_certificate(certificate)]));
        }
        if !head.notices.is_empty() {
            out.insert("notices".into(), json!(head.notices));
        }
        if !head.lines.is_empty() {
            out.insert("lines".into(), head.lines.iter().map(|line| harmless(line)).collect());
        }
        if let Some(within) = &head.within {
            // A part of a message is what was asked for; what is in an archive says itself where it is.
            out.insert("within".into(), if within.url == head.url { of_within(within) } else { true.into() });
        }
        Value::Object(out)
    }
}

fn of_within(within: &Within) -> Value {
    let base = within.base.as_ref().map(|base| json!([base.url.as_str(), base.from]));
    let siblings = within.siblings.as_ref().map(|siblings| {
        let parts: Map<String, Value> =
            siblings.parts.iter().map(|(address, url)| (address.clone(), url.as_str().into())).collect();
        json!([siblings.base.as_str(), parts])
    });
    json!({ "base": base, "siblings": siblings })
}

fn read_within(said: At<'_>, url: &Url) -> Result<Option<Arc<Within>>, Wrong> {
    if !said.value.is_object() {
        return Ok(None);
    }
    let base = said.maybe("base", |said| Ok(EntityBase { url: said.nth(0).url()?, from: said.nth(1).text()? }))?;
    let siblings = said.maybe("siblings", |said| {
        let parts = said.nth(1);
        let names = parts.value.as_object().into_iter().flat_map(|parts| parts.keys());
        let parts = names.map(|name| Ok((name.clone(), parts.at(name).url()?))).collect::<Result<_, Wrong>>()?;
        Ok(Arc::new(Siblings { base: said.nth(0).url()?, parts }))
    })?;
    Ok(Some(Arc::new(Within { url: url.clone(), base, siblings })))
}

/// A line of a response without its secrets.
fn harmless(line: &str) -> String {
    let begins = |name: &str| line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    match SECRETS.iter().find(|name| begins(name)) {
        Some(name) => format!("{name} ***"),
        None => redact(line),
    }
}

fn of_found(found: &Found) -> Value {
    let Found { name, length, there } = found;
    let there = match there {
        There::Nothing => json!("nothing"),
        There::Untold => json!("untold"),
        There::Part(octets) => json!({ "part": octets }),
        There::Other(octets) => json!({ "other": octets }),
    };
    json!({ "name": name, "length": length, "there": there })
}

fn read_found(said: At<'_>) -> Result<Found, Wrong> {
    let there = said.at("there");
    let there = match there.text().ok() {
        Some(word) if word == "untold" => There::Untold,
        Some(_) => There::Nothing,
        None => match there.maybe("part", At::number)? {
            Some(octets) => There::Part(octets),
            None => There::Other(there.maybe("other", At::number)?),
        },
    };
    Ok(Found { name: said.at("name").text()?, length: said.at("length").number()?, there })
}

fn of_certificate(certificate: &Certificate) -> Value {
    json!([certificate.fingerprint, certificate.described])
}

pub(super) fn read_event(said: At<'_>) -> Result<FetchEvent, Wrong> {
    let has = |name: &str| !said.value[name].is_null();
    Ok(if has("stage") {
        FetchEvent::Stage(said.at("stage").one(STAGES)?)
    } else if has("sent") {
        FetchEvent::Sent(super::sent::read(said.at("sent"))?)
    } else if has("head") {
        FetchEvent::Head(Box::new(read_head(said.at("head"))?))
    } else if has("moved") {
        let moved = said.at("moved");
        let (from, to) = (moved.at("from").url()?, moved.at("to").text()?);
        let (status, again) = (moved.at("status").text()?, moved.at("again").one(AGAINS)?);
        FetchEvent::Moved(Box::new(Moved { from, to, status, again, unkept: false }))
    } else if has("unchanged") {
        FetchEvent::Unchanged
    } else if has("body") {
        FetchEvent::Body(said.at("body").octets()?)
    } else if has("end") {
        FetchEvent::End(End { cut: said.at("end").maybe("cut", At::text)? })
    } else {
        let failed = said.at("failed");
        let hint = failed.maybe("hint", At::text)?;
        let certificate = failed.maybe("certificate", |certificate| {
            let pin = failed.maybe("pin", |pin| {
                let (server, since) = (pin.nth(0).text()?, pin.nth(2).text()?);
                Ok(PinnedCertificate { server, certificate: read_certificate(pin.nth(1))?, since })
            })?;
            let first = failed.maybe("first", At::text)?;
            Ok(Box::new(RefusedCertificate { certificate: read_certificate(certificate)?, pin, first }))
        })?;
        let (kind, detail, tried) =
            (failed.at("kind").one(KINDS)?, failed.at("detail").text()?, failed.at("tried").text()?);
        let found = failed.maybe("found", read_found)?.map(Box::new);
        let kept = failed.maybe("kept", At::time)?;
        FetchEvent::Failed(FetchError { kind, detail, tried, hint, certificate, found, kept })
    })
}

fn read_head(said: At<'_>) -> Result<Head, Wrong> {
    let security =
        |said: At<'_>| Ok(Security { trust: said.nth(0).one(TRUSTS)?, certificate: read_certificate(said.nth(1))? });
    Ok(Head {
        status: said.maybe("status", At::text)?,
        nothing: said.maybe("nothing", At::text)?,
        charset: said.maybe("charset", At::text)?,
        length: said.maybe("length", At::number)?,
        start: said.maybe("start", At::number)?.unwrap_or_default(),
        validator: said.maybe("validator", At::text)?,
        modified: said.maybe("modified", At::time)?,
        filename: said.maybe("filename", At::text)?,
        title: said.maybe("title", At::text)?,
        clock: said.maybe("clock", At::time)?,
        kept: said.maybe("kept", At::time)?,
        offered: said.maybe("offered", At::time)?,
        ahead: said.maybe("ahead", At::time)?,
        security: said.maybe("security", security)?,
        notices: said.at("notices").list(At::text)?,
        lines: said.at("lines").list(At::text)?,
        within: read_within(said.at("within"), &said.at("url").url()?)?,
        ..Head::new(said.at("url").url()?, said.at("media").text()?)
    })
}

fn read_certificate(said: At<'_>) -> Result<Certificate, Wrong> {
    Ok(Certificate { fingerprint: said.nth(0).text()?, described: said.nth(1).text()? })
}
