//! Servers older than the rules: answers without a status line (HTTP/0.9), which are all body, and those of radio servers, which
//! call their HTTP/1.0 `ICY`. The library refuses both, so such a server is asked a second time, over a connection of our own.
//! Refuses all but plain `http` without fields or logins, and ports beside the usual one unless the reader named the place:
//! else a page could lead to any protocol and have its words shown.

use super::Visit;
use crate::proto::FetchError;
use crate::url::scheme::http::Http;
use reqwest::Response;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How the status line of a radio server begins, and what it stands for.
const RADIO: &[u8] = b"ICY ";
const MEANT: &[u8] = b"HTTP/1.0 ";

impl Visit<'_> {
    /// Whether an answer may be one of such servers: the library could make nothing of its first line.
    pub(super) fn may_be_old(&self, error: &reqwest::Error) -> bool {
        let plain = self.url.is("http") && self.proxy.is_none() && self.context.http.proxy_of(&self.url).is_none();
        let bare = self.request.body.is_none() && self.request.resume.is_none() && self.given.is_none();
        let named = self.endpoint.port == 80 || self.request.led.is_none();
        plain && bare && named && super::failure::words(error).contains("invalid HTTP version")
    }

    /// The answer of such a server.
    pub(super) async fn old(&mut self) -> Result<Response, FetchError> {
        self.exchange.ledger.came("answered without a status line; asked again as of HTTP/0.9");
        self.old = true;
        let target = Http::of(&self.url)?.target;
        self.by_hand(&target).await
    }
}

/// A stream whose first words may be a radio server's.
pub(super) struct Begun<S> {
    inner: S,
    /// What came first, as far as it could be `ICY`; then what is still to be read of it.
    start: Vec<u8>,
    judged: bool,
}

impl<S> Begun<S> {
    pub fn new(inner: S, wanted: bool) -> Begun<S> {
        Begun { inner, start: Vec::new(), judged: !wanted }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Begun<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while !this.judged {
            let mut room = [0; RADIO.len()];
            let mut some = ReadBuf::new(&mut room[this.start.len()..]);
            ready!(Pin::new(&mut this.inner).poll_read(cx, &mut some))?;
            this.judged = some.filled().is_empty();
            this.start.extend_from_slice(some.filled());
            this.judged |= !RADIO.starts_with(&this.start) || this.start.len() == RADIO.len();
            if this.start == RADIO {
                this.start = MEANT.to_vec();
            }
        }
        if this.start.is_empty() {
            return Pin::new(&mut this.inner).poll_read(cx, out);
        }
        let most = out.remaining().min(this.start.len());
        out.put_slice(&this.start[..most]);
        this.start.drain(..most);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Begun<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().inner).poll_write(cx, octets)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(cx)
    }
}
