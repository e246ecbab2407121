//! Which path leads to which page.

use super::fields::{escaped, of_parts, of_query};
use super::request::Request;
use crate::tour::Doors;

/// An answer. Its body is always HTML.
pub(super) struct Answer {
    /// The number and its words.
    pub status: &'static str,
    /// Headers beside those that every answer has.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The page.
    pub body: String,
}

/// Every page that is what it is, whatever is asked.
#[rustfmt::skip]
const PAGES: &[(&str, &str)] = &[
    ("/", include_str!("../../../assets/tour/web/index.html")),
    ("/rooms/", include_str!("../../../assets/tour/web/rooms.html")),
    ("/rooms/red", include_str!("../../../assets/tour/web/red.html")),
    ("/rooms/blue", include_str!("../../../assets/tour/web/blue.html")),
    ("/base", include_str!("../../../assets/tour/web/base.html")),
    ("/nobase", include_str!("../../../assets/tour/web/nobase.html")),
    ("/red", include_str!("../../../assets/tour/web/other-red.html")),
    ("/resolve", include_str!("../../../assets/tour/web/resolve.html")),
    ("/anchors", include_str!("../../../assets/tour/web/anchors.html")),
    ("/forms", include_str!("../../../assets/tour/web/forms.html")),
    ("/end", include_str!("../../../assets/tour/web/end.html")),
];

/// What came with a form.
const ANSWER: &str = include_str!("../../../assets/tour/web/answer.html");
/// There is no such page.
const MISSING: &str = include_str!("../../../assets/tour/web/missing.html");

/// Answers a request.
pub(super) fn answer(request: &Request, doors: &Doors) -> Answer {
    let ok = |body| Answer { status: "200 OK", headers: Vec::new(), body };
    match (request.method.as_str(), request.path.as_str()) {
        ("GET" | "HEAD" | "POST", "/answer") => ok(echo(request, doors)),
        // Relative, as it may be since RFC 7231.
        ("GET" | "HEAD", "/old") => Answer {
            status: "302 Found",
            headers: vec![("Location", "end")],
            body: "<title>Moved</title><p>It is now at <a href=\"end\">end</a>.".into(),
        },
        ("GET" | "HEAD", path) => match PAGES.iter().find(|(page, _)| *page == path) {
            Some((_, text)) => ok(doors.fill(text)),
            None => Answer {
                status: "404 Not Found",
                headers: Vec::new(),
                body: doors.fill(MISSING).replace("{path}", &escaped(path)),
            },
        },
        _ => Answer { headers: vec![("Allow", "GET, HEAD")], ..refusal("405 Method Not Allowed") },
    }
}

/// What is said to something that is no request.
pub(super) fn refusal(status: &'static str) -> Answer {
    let body = format!("<title>{status}</title><h1>{status}</h1><p>The tour cannot answer that.");
    Answer { status, headers: Vec::new(), body }
}

/// Says what came with a form.
fn echo(request: &Request, doors: &Doors) -> String {
    let text = String::from_utf8_lossy(&request.body);
    let (how, fields) = match request.method.as_str() {
        "POST" if request.media.starts_with("multipart/form-data") => {
            ("in the body of the request, in parts", of_parts(&request.media, &request.body))
        }
        "POST" => ("in the body of the request", of_query(&text)),
        _ => ("in the query of the address", of_query(request.query.as_deref().unwrap_or_default())),
    };
    let row = |(name, value): &(String, String)| {
        format!("<tr><td>{}<td>{}", escaped(name), escaped(value).replace("\r\n", "<br>"))
    };
    let rows: String = fields.iter().map(row).collect();
    let came = match request.method.as_str() {
        "POST" => text.into_owned(),
        _ => request.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default(),
    };
    // What was sent goes in last, so that nothing of it is taken for a door.
    doors.fill(ANSWER).replace("{how}", how).replace("{rows}", &rows).replace("{came}", &escaped(&came))
}
