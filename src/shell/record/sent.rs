//! What left this machine, as JSON and back.

use super::words::{At, Ink, Wrong};
use crate::proto::Dispatch;
use serde_json::{Map, Value};

impl Ink {
    pub(super) fn dispatches(&self, sent: &[Dispatch]) -> Value {
        sent.iter().map(|dispatch| self.dispatch(dispatch)).collect()
    }

    fn dispatch(&self, dispatch: &Dispatch) -> Value {
        let Dispatch { host, port, address, tls, why, lines, more, came } = dispatch;
        let mut out = Map::new();
        out.insert("host".into(), host.as_str().into());
        out.insert("port".into(), (*port).into());
        let words = [("address", address), ("why", why), ("came", came)];
        out.extend(words.into_iter().filter_map(|(name, words)| Some((name.into(), words.clone()?.into()))));
        out.extend(tls.then(|| ("tls".into(), true.into())));
        out.extend((*more > 0).then(|| ("more".into(), (*more).into())));
        out.insert("lines".into(), lines.iter().map(|line| Value::from(self.sent_line(line))).collect());
        Value::Object(out)
    }

    /// A line, without what may hold a password that was typed into a form.
    fn sent_line(&self, line: &str) -> String {
        let end = ["?", "\\t"].into_iter().filter_map(|mark| line.find(mark).map(|at| at + mark.len())).min();
        match end.filter(|_| self.tainted) {
            Some(end) => format!("{}***", &line[..end]),
            None => line.into(),
        }
    }
}

pub(super) fn read(said: At<'_>) -> Result<Vec<Dispatch>, Wrong> {
    said.list(|said| {
        Ok(Dispatch {
            host: said.at("host").text()?,
            port: said.at("port").small()?,
            address: said.maybe("address", At::text)?,
            tls: said.at("tls").flag(),
            why: said.maybe("why", At::text)?,
            lines: said.at("lines").list(At::text)?,
            more: said.maybe("more", At::small)?.unwrap_or_default(),
            came: said.maybe("came", At::text)?,
        })
    })
}
