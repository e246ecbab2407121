//! The FTP server of the tour (RFC 959; RFC 2428 EPSV; RFC 3659 MLSD, SIZE, MDTM, REST). Passive data connections only, and
//! those from where the visitor's control connection comes from. Refuses: writing, and PORT.

mod archive;
mod command;
mod listing;
mod session;
mod transfer;

use self::archive::Archive;
use super::Doors;
use super::visitor::receive;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Serves until it is dropped.
pub(super) async fn serve(listener: TcpListener, doors: Doors) {
    let archive = Arc::new(Archive::new(&doors));
    receive(listener, |visitor| transfer::visit(visitor, Arc::clone(&archive))).await;
}
