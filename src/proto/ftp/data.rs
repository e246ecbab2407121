//! An open data connection: what comes over it, what goes over it, and the server's word at its end.

use super::reply::Reply;
use crate::proto::net::{self, Lost};
use std::io::ErrorKind;
use std::time::Duration;
use suppaftp::FtpError;
use suppaftp::tokio::{AsyncRustlsStream, TransferStream};
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

/// How long a server may take to notice that no more is wanted of a file.
const LEAVING: Duration = Duration::from_secs(2);
/// The server ends the session.
const GOING: u16 = 421;

/// An open data connection.
pub(super) struct Data {
    pub stream: TransferStream<AsyncRustlsStream>,
    pub silence: Duration,
}

impl Data {
    /// Reads what there is. Zero octets are the end.
    pub async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Lost> {
        net::read(&mut self.stream, self.silence, buffer).await
    }

    /// Writes all of it.
    pub async fn write(&mut self, octets: &[u8]) -> Result<(), Lost> {
        match timeout(self.silence, self.stream.write_all(octets)).await {
            Err(_) => Err(Lost::Silence(self.silence)),
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Lost::Broken(error)),
        }
    }

    /// Says that this was all of what goes out. Over TLS, whoever closes before they have heard all that the other side has to say
    /// makes it believe that something is missing.
    pub async fn close(&mut self, secure: bool) -> Result<(), Lost> {
        match timeout(self.silence, self.stream.shutdown()).await {
            Err(_) => return Err(Lost::Silence(self.silence)),
            Ok(Err(error)) => return Err(Lost::Broken(error)),
            Ok(Ok(())) if !secure => return Ok(()),
            Ok(Ok(())) => {}
        }
        let silence = self.silence;
        let heard = async { while matches!(self.read(&mut [0; 1024]).await, Ok(1..)) {} };
        // Whoever goes on talking is not waited for: the word on the other connection counts.
        let _ = timeout(silence, heard).await;
        Ok(())
    }

    /// Closes it in the middle; whether the server's word on that has come, with which the connection is free for another errand.
    pub async fn leave(self) -> bool {
        match timeout(LEAVING.min(self.silence), self.stream.finish()).await {
            Ok(Ok(())) => true,
            Ok(Err(FtpError::UnexpectedResponse(response))) => Reply::of(&response.body).code != GOING,
            Ok(Err(_)) | Err(_) => false,
        }
    }

    /// The server's word: nothing if it is complete, else a remark.
    pub async fn finish(self) -> Option<String> {
        match timeout(self.silence, self.stream.finish()).await {
            Ok(Ok(())) => None,
            Ok(Err(FtpError::UnexpectedResponse(response))) => {
                Some(format!("the server says that it is not complete: {}", Reply::of(&response.body).words()))
            }
            Ok(Err(FtpError::ConnectionError(error))) if error.kind() != ErrorKind::InvalidData => {
                Some("the server closed the connection without saying that this is all".into())
            }
            Ok(Err(_)) => Some("the server's word on whether this is all makes no sense".into()),
            Err(_) => Some("the server did not say whether this is all".into()),
        }
    }
}
