//! `guppy:` (Guppy 0.4.4): the URL itself goes to the server, in one packet; what the reader answers to its question is the query.
//!
//! Refuses: users and passwords, which the protocol does not have, and addresses that fit into no request.

use super::{Act, Family, Paths, Plan, Ways, gemini, http, server};
use serde_json::json;

/// Octets of a URL that fit into a request, which ends with CR LF.
const LONGEST: usize = 2048 - 2;

pub(super) const WAYS: Ways = Ways {
    family: Family::Guppy,
    paths: Paths::Segments,
    parts: http::parts,
    fields: |url| Ok(json!({ "request": gemini::line_of(url, LONGEST, "Guppy")? })),
    plan: |url| {
        let bytes = format!("{}\r\n", gemini::line_of(url, LONGEST, "Guppy")?).into_bytes();
        let server = server::server(url)?;
        let act = Act::Octets { host: server.host, port: server.port, tls: false, bytes };
        Ok(Plan { act, confirm: server.confirm })
    },
    up: http::up,
    root: http::root,
};
