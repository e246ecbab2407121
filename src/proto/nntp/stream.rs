//! A connection's octets: in clear text, over TLS, deflated (RFC 8054), each step with a limit of silence.

use crate::proto::net::{self, Endpoint, Lost};
use crate::proto::tls::Tls;
use crate::proto::{FetchError, Kind, Security};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use std::io::{Error, ErrorKind};
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;

/// Read at once, and inflated at once: what is small on the wire does not become large here.
const CHUNK: usize = 64 * 1024;

enum Io {
    Clear(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection.
pub(super) struct Stream {
    io: Io,
    /// How long nothing may come.
    pub silence: Duration,
    input: Vec<u8>,
    deflated: Option<Box<Deflated>>,
}

/// Both ways of a deflated connection.
struct Deflated {
    inflate: Decompress,
    deflate: Compress,
    /// What came and is not inflated yet.
    raw: Vec<u8>,
    /// The inflater had more to say than there was room for.
    full: bool,
}

impl Stream {
    pub fn new(tcp: TcpStream, silence: Duration) -> Stream {
        Stream { io: Io::Clear(tcp), silence, input: Vec::new(), deflated: None }
    }

    /// The same over TLS; `name` is the host as TLS wants it.
    ///
    /// # Errors
    /// No TLS, or one that is not to be trusted; octets that came before it, which could have been put there by anybody.
    pub async fn secure(
        self,
        tls: &Tls,
        name: &str,
        endpoint: &Endpoint,
        limit: Duration,
    ) -> Result<(Stream, Security), FetchError> {
        let silence = self.silence;
        let Io::Clear(tcp) = self.io else {
            return Err(FetchError::new(Kind::Secure, format!("{endpoint} is secure already.")));
        };
        if !self.input.is_empty() {
            let detail = format!("REFUSED: {endpoint} said more in clear text after it had promised TLS.");
            return Err(FetchError::new(Kind::Secure, detail));
        }
        let secured = timeout(limit, tls.secure(tcp, name, endpoint)).await;
        let (stream, security) = secured.map_err(|_| net::too_late(endpoint, limit))??;
        Ok((Stream { io: Io::Tls(Box::new(stream)), silence, input: Vec::new(), deflated: None }, security))
    }

    /// From here on both sides deflate.
    pub fn deflate(&mut self) {
        let (inflate, deflate) = (Decompress::new(false), Compress::new(Compression::default(), false));
        let raw = std::mem::take(&mut self.input);
        self.deflated = Some(Box::new(Deflated { inflate, deflate, raw, full: false }));
    }

    /// What has come and is not taken.
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    /// Takes octets of the input.
    pub fn take(&mut self, count: usize) {
        self.input.drain(..count.min(self.input.len()));
    }

    /// Waits for more input. Zero octets are the end.
    ///
    /// # Errors
    /// Silence, or a broken connection.
    pub async fn fill(&mut self) -> Result<usize, Lost> {
        loop {
            if let Some(deflated) = &mut self.deflated {
                let count = deflated.inflate(&mut self.input)?;
                if count > 0 {
                    return Ok(count);
                }
            }
            let mut buffer = vec![0; CHUNK];
            let count = match &mut self.io {
                Io::Clear(tcp) => net::read(tcp, self.silence, &mut buffer).await?,
                Io::Tls(tls) => net::read(tls, self.silence, &mut buffer).await?,
            };
            let octets = &buffer[..count];
            match &mut self.deflated {
                Some(deflated) if count > 0 => deflated.raw.extend_from_slice(octets),
                _ => {
                    self.input.extend_from_slice(octets);
                    return Ok(count);
                }
            }
        }
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// The other side takes nothing, or a broken connection.
    pub async fn write(&mut self, octets: &[u8]) -> Result<(), Lost> {
        let coded;
        let octets = match &mut self.deflated {
            Some(deflated) => {
                coded = deflated.deflate(octets)?;
                &coded
            }
            None => octets,
        };
        let writing = async {
            match &mut self.io {
                Io::Clear(tcp) => write_all(tcp, octets).await,
                Io::Tls(tls) => write_all(tls, octets).await,
            }
        };
        match timeout(self.silence, writing).await {
            Err(_) => Err(Lost::Silence(self.silence)),
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Lost::Broken(error)),
        }
    }
}

async fn write_all<S: AsyncWrite + Unpin>(stream: &mut S, octets: &[u8]) -> Result<(), Error> {
    stream.write_all(octets).await?;
    stream.flush().await
}

fn nonsense() -> Lost {
    Lost::Broken(Error::new(ErrorKind::InvalidData, "what came deflated makes no sense"))
}

impl Deflated {
    /// Inflates a chunk; how many octets it gave.
    fn inflate(&mut self, out: &mut Vec<u8>) -> Result<usize, Lost> {
        if self.raw.is_empty() && !self.full {
            return Ok(0);
        }
        let before = self.inflate.total_in();
        let mut room = vec![0; CHUNK];
        let given = self.inflate.total_out();
        let status = self.inflate.decompress(&self.raw, &mut room, FlushDecompress::Sync).map_err(|_| nonsense())?;
        let taken = usize::try_from(self.inflate.total_in() - before).unwrap_or(usize::MAX);
        let count = usize::try_from(self.inflate.total_out() - given).unwrap_or(usize::MAX).min(CHUNK);
        self.raw.drain(..taken.min(self.raw.len()));
        self.full = count == CHUNK;
        out.extend_from_slice(&room[..count]);
        match status {
            Status::StreamEnd => Err(nonsense()),
            _ => Ok(count),
        }
    }

    fn deflate(&mut self, octets: &[u8]) -> Result<Vec<u8>, Lost> {
        let mut coded = Vec::new();
        let mut rest = octets;
        loop {
            coded.reserve(rest.len() + 1024);
            let before = self.deflate.total_in();
            let status = self.deflate.compress_vec(rest, &mut coded, FlushCompress::Sync).map_err(|_| nonsense())?;
            let taken = usize::try_from(self.deflate.total_in() - before).unwrap_or(usize::MAX);
            rest = &rest[taken.min(rest.len())..];
            // All of it is out when the flush left room.
            if status == Status::StreamEnd || (rest.is_empty() && coded.len() < coded.capacity()) {
                return Ok(coded);
            }
        }
    }
}
