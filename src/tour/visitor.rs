//! Visitors of the servers that speak in lines: how many are let in, how long a line may be, how long silence may last.

use std::io::{Error, ErrorKind, Result};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Visitors at once; who comes then waits at the door.
const MOST: usize = 32;
/// How long one may say nothing, or take nothing.
const PATIENCE: Duration = Duration::from_secs(300);
/// What passes before another try where the system lets nobody in.
const BREATH: Duration = Duration::from_millis(200);

/// Lets visitors in until it is dropped, which sends them all away.
pub(super) async fn receive<V>(listener: TcpListener, visit: impl Fn(Visitor) -> V)
where
    V: Future<Output = Result<()>> + Send + 'static,
{
    let mut visits = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if visits.len() < MOST => match accepted {
                Ok((stream, _)) => {
                    // Answers are small and whole: none is to wait for another. Where that cannot be had, they wait.
                    let _ = stream.set_nodelay(true);
                    visits.spawn(visit(Visitor { stream: BufReader::new(stream) }));
                }
                Err(_) => sleep(BREATH).await,
            },
            // How a visit ends is the visitor's business.
            Some(_) = visits.join_next() => {}
        }
    }
}

/// What a visitor says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line longer than allowed, which was not kept.
    TooLong,
    /// Nothing more: the connection is closed, or silent for too long.
    Nothing,
}

/// A visitor's connection.
pub(super) struct Visitor<S = TcpStream> {
    stream: BufReader<S>,
}

impl Visitor {
    /// The connection itself.
    pub fn stream(&self) -> &TcpStream {
        self.stream.get_ref()
    }

    /// The same visitor, spoken to through TLS.
    ///
    /// # Errors
    /// The visitor does not speak it, or is silent for too long.
    pub async fn through(self, keys: &TlsAcceptor) -> Result<Visitor<TlsStream<TcpStream>>> {
        let agreed = timeout(PATIENCE, keys.accept(self.stream.into_inner())).await;
        Ok(Visitor { stream: BufReader::new(agreed.unwrap_or_else(|_| Err(Error::from(ErrorKind::TimedOut)))?) })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Visitor<S> {
    /// Says that nothing more comes.
    ///
    /// # Errors
    /// The connection breaks.
    pub async fn part(mut self) -> Result<()> {
        timeout(PATIENCE, self.stream.shutdown()).await.unwrap_or_else(|_| Err(Error::from(ErrorKind::TimedOut)))
    }

    /// Hears a line of at most `most` octets.
    ///
    /// # Errors
    /// The connection breaks.
    pub async fn hear(&mut self, most: usize) -> Result<Heard> {
        timeout(PATIENCE, self.line(most)).await.unwrap_or(Ok(Heard::Nothing))
    }

    async fn line(&mut self, most: usize) -> Result<Heard> {
        let mut line = Vec::new();
        let mut length = 0_usize;
        loop {
            let octets = self.stream.fill_buf().await?;
            if octets.is_empty() {
                return Ok(Heard::Nothing);
            }
            let end = octets.iter().position(|octet| *octet == b'\n');
            let count = end.unwrap_or(octets.len());
            length = length.saturating_add(count);
            let room = (most + 1).saturating_sub(line.len());
            line.extend_from_slice(&octets[..count.min(room)]);
            self.stream.consume(end.map_or(count, |end| end + 1));
            if end.is_some() {
                line.pop_if(|octet| *octet == b'\r');
                return Ok(if length > most + 1 || line.len() > most { Heard::TooLong } else { Heard::Line(line) });
            }
        }
    }

    /// Hears so many octets.
    ///
    /// # Errors
    /// The connection breaks, or ends or falls silent before.
    pub async fn take(&mut self, count: usize) -> Result<Vec<u8>> {
        let mut octets = vec![0; count];
        let taken = timeout(PATIENCE, self.stream.read_exact(&mut octets)).await;
        taken.unwrap_or_else(|_| Err(Error::from(ErrorKind::TimedOut)))?;
        Ok(octets)
    }

    /// Says octets as they are.
    ///
    /// # Errors
    /// The connection breaks, or the visitor takes nothing for too long.
    pub async fn say(&mut self, octets: &[u8]) -> Result<()> {
        timeout(PATIENCE, self.stream.write_all(octets)).await.unwrap_or_else(|_| Err(Error::from(ErrorKind::TimedOut)))
    }
}
