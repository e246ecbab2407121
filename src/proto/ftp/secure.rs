//! TLS for control and data connections, by the rules of `proto::tls`, as the FTP library wants it.

use crate::proto::{FetchError, Security, tls};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use suppaftp::tokio::{AsyncRustlsStream, AsyncTlsConnector};
use suppaftp::{FtpError, FtpResult};
use tokio::net::TcpStream;

/// What became of handshakes; the library passes on nothing but a text.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The first that went well.
    pub security: OnceLock<Security>,
    /// The first that did not.
    pub failure: OnceLock<FetchError>,
}

/// Makes the connections of one session secure. Data connections resume the control connection's TLS session, without which
/// vsftpd (`require_ssl_reuse`) and others refuse them.
#[derive(Debug)]
pub(super) struct Secure {
    session: tls::Session,
    told: Arc<Told>,
    /// What is secured first, whatever the library has dialled.
    standing: Mutex<Option<TcpStream>>,
}

impl Secure {
    pub fn new(session: tls::Session, told: Arc<Told>) -> Secure {
        Secure { session, told, standing: Mutex::default() }
    }

    /// The same, with a connection that stands already as the first.
    pub fn over(self, tcp: TcpStream) -> Secure {
        Secure { standing: Mutex::new(Some(tcp)), ..self }
    }

    async fn handshake(&self, tcp: TcpStream) -> FtpResult<AsyncRustlsStream> {
        let standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner).take();
        match self.session.secure(standing.unwrap_or(tcp)).await {
            Ok((stream, security)) => {
                self.told.security.get_or_init(|| security);
                Ok(stream.into())
            }
            Err(failure) => {
                let words = failure.detail.clone();
                self.told.failure.get_or_init(|| failure);
                Err(FtpError::SecureError(words))
            }
        }
    }
}

/// Written out as the `async_trait` macro would.
impl AsyncTlsConnector for Secure {
    type Stream = AsyncRustlsStream;

    fn connect<'me, 'name, 'done>(
        &'me self,
        _domain: &'name str,
        stream: TcpStream,
    ) -> Pin<Box<dyn Future<Output = FtpResult<AsyncRustlsStream>> + Send + 'done>>
    where
        'me: 'done,
        'name: 'done,
        Self: 'done,
    {
        Box::pin(self.handshake(stream))
    }
}
