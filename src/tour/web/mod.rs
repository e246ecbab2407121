//! The web server of the tour: enough of HTTP/1.1 (RFC 9112) for pages, a redirect and forms. One request for each connection;
//! GET, HEAD and POST. Refuses: keeping anything that was sent, bodies without a length.

mod fields;
mod page;
mod request;

use self::page::Answer;
use self::request::Request;
use super::Doors;
use super::visitor::{Visitor, receive};
use std::io::Result;
use tokio::net::TcpListener;

/// Serves until it is dropped.
pub(super) async fn serve(listener: TcpListener, doors: Doors) {
    receive(listener, move |visitor| visit(visitor, doors)).await;
}

async fn visit(mut visitor: Visitor, doors: Doors) -> Result<()> {
    let (answer, bodiless) = match Request::hear(&mut visitor).await? {
        None => return Ok(()),
        Some(Err(status)) => (page::refusal(status), false),
        Some(Ok(request)) => (page::answer(&request, &doors), request.method == "HEAD"),
    };
    let Answer { status, headers, body } = answer;
    let mut out = format!(
        "HTTP/1.1 {status}\r\nServer: The tour of Wayfarer\r\nConnection: close\r\n\
         Content-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n",
        body.len()
    );
    headers.iter().for_each(|(name, value)| out.push_str(&format!("{name}: {value}\r\n")));
    out.push_str("\r\n");
    if !bodiless {
        out.push_str(&body);
    }
    visitor.say(out.as_bytes()).await
}
