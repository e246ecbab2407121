//! `nex:`: a path goes to the server on a line of its own, in clear text, and what it names comes back.

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, http, server, show, wire};
use crate::url::Url;
use serde_json::json;

pub(super) const WAYS: Ways = Ways {
    family: Family::Other,
    paths: Paths::Segments,
    parts: |url| {
        let path = wire::decode("path", &super::joined_path(url)?)?;
        let part = Part { kind: PartKind::Path, label: "path", text: format!("/{}", show::octets(&path)) };
        Ok(if path.is_empty() { Vec::new() } else { vec![part] })
    },
    fields: |_| Ok(json!({})),
    plan: |url: &Url| {
        let server = server::server(url)?;
        let path = wire::decode("path", &super::joined_path(url)?)?;
        let bytes = [b"/", path.as_slice(), b"\n"].concat();
        Ok(Plan {
            act: Act::Octets { host: server.host, port: server.port, tls: false, bytes },
            confirm: server.confirm,
        })
    },
    up: http::up,
    root: http::root,
};
