//! The news server of the tour (RFC 3977): a group that tells, and a group that everybody may write to. What is written is kept
//! in memory while the server runs.

mod article;
mod post;
mod session;
mod store;
mod visit;
mod wildmat;

use self::store::Store;
use super::Doors;
use super::visitor::receive;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// Serves until it is dropped.
pub(super) async fn serve(listener: TcpListener, doors: Doors) {
    let store = Arc::new(Mutex::new(Store::new(&doors)));
    receive(listener, |visitor| visit::visit(visitor, Arc::clone(&store))).await;
}
