//! A request: its line, the two header fields that matter here, its body (RFC 9112, 3 … 6).

use crate::tour::visitor::{Heard, Visitor};
use std::io::Result;

/// Octets of a line.
const LINE: usize = 8 * 1024;
/// Lines of a head.
const LINES: usize = 100;
/// Octets of a body.
const BODY: usize = 64 * 1024;

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    /// `GET`, `HEAD`, `POST`, or something else.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query, as it came.
    pub query: Option<String>,
    /// The media type of the body.
    pub media: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// Hears a request; the status with which it is refused where it is none. `None` when nothing was said.
    ///
    /// # Errors
    /// The connection breaks.
    pub async fn hear(visitor: &mut Visitor) -> Result<Option<std::result::Result<Request, &'static str>>> {
        let line = match visitor.hear(LINE).await? {
            Heard::Line(line) => String::from_utf8_lossy(&line).into_owned(),
            Heard::TooLong => return Ok(Some(Err("414 URI Too Long"))),
            Heard::Nothing => return Ok(None),
        };
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Ok(Some(Err("400 Bad Request")));
        };
        if !version.starts_with("HTTP/1.") {
            return Ok(Some(Err("505 HTTP Version Not Supported")));
        }
        // A client that takes this server for a proxy names all of it.
        let target = target.strip_prefix("http://").map_or(target, |rest| rest.find('/').map_or("/", |at| &rest[at..]));
        let (path, query) =
            target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query.to_owned())));
        let (mut media, mut length, mut ended) = (String::new(), 0, false);
        for _ in 0..LINES {
            let line = match visitor.hear(LINE).await? {
                Heard::Line(line) if line.is_empty() => {
                    ended = true;
                    break;
                }
                Heard::Line(line) => String::from_utf8_lossy(&line).into_owned(),
                Heard::TooLong => break,
                Heard::Nothing => return Ok(None),
            };
            let Some((name, value)) = line.split_once(':') else { return Ok(Some(Err("400 Bad Request"))) };
            match name.to_ascii_lowercase().as_str() {
                "content-type" => media = value.trim().into(),
                "content-length" => match value.trim().parse() {
                    Ok(octets) => length = octets,
                    Err(_) => return Ok(Some(Err("400 Bad Request"))),
                },
                "transfer-encoding" => return Ok(Some(Err("411 Length Required"))),
                _ => {}
            }
        }
        if !ended {
            return Ok(Some(Err("431 Request Header Fields Too Large")));
        }
        if length > BODY {
            return Ok(Some(Err("413 Content Too Large")));
        }
        let body = visitor.take(length).await?;
        Ok(Some(Ok(Request { method: method.into(), path: path.into(), query, media, body })))
    }
}
