//! Connections that are kept between fetches: reading article after article costs no greeting, no TLS and no login again.
//!
//! A server has at most [`AT_ONCE`] connections of ours, used or kept; most servers count them. Refuses: timers; what was
//! idle for too long is closed when the pool is used next.

use super::server::Key;
use super::session::{self, Session};
use crate::proto::{Context, Exchange, FetchError, Kind, Stage};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Connections to one server.
const AT_ONCE: usize = 2;
/// Unused ones that are kept of all servers together.
const IN_ALL: usize = 8;
/// How long one is kept unused.
const KEPT: Duration = Duration::from_secs(300);

/// Kept connections. Clones share.
#[derive(Clone, Default)]
pub struct Pool(Arc<Mutex<HashMap<String, Slots>>>);

struct Slots {
    permits: Arc<Semaphore>,
    idle: Vec<Idle>,
}

struct Idle {
    session: Session,
    since: Instant,
}

/// A session in use. Dropping it closes the connection.
pub(super) struct Borrowed {
    pub session: Session,
    permit: OwnedSemaphorePermit,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.slots();
        f.debug_map().entries(slots.iter().map(|(server, slots)| (server, slots.idle.len()))).finish()
    }
}

impl Pool {
    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slots>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session with a server: a kept one, else a new one; waits while there are too many.
    ///
    /// # Errors
    /// No connection, or the owner has gone.
    pub(super) async fn take(
        &self,
        key: &Key,
        exchange: &mut Exchange,
        context: &Context,
    ) -> Result<Borrowed, FetchError> {
        let server = key.endpoint.to_string().to_ascii_lowercase();
        let permits = self.permits(&server);
        let permit = match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                exchange.stage(Stage::Queued).await?;
                permits.acquire_owned().await.map_err(|_| FetchError::new(Kind::Broken, "stopped"))?
            }
        };
        match self.kept(&server, key) {
            Some(mut session) => {
                session.again(&exchange.ledger);
                Ok(Borrowed { session, permit })
            }
            None => Ok(Borrowed { session: session::open(key, exchange, context).await?, permit }),
        }
    }

    /// Another one in the place of one that turned out dead.
    pub(super) async fn renew(
        &self,
        borrowed: Borrowed,
        exchange: &mut Exchange,
        context: &Context,
    ) -> Result<Borrowed, FetchError> {
        let Borrowed { session, permit } = borrowed;
        let key = session.key.clone();
        drop(session);
        Ok(Borrowed { session: session::open(&key, exchange, context).await?, permit })
    }

    /// Keeps a session for the next time, if nothing is on its way in it.
    pub(super) fn keep(&self, borrowed: Borrowed) {
        let Borrowed { session, permit } = borrowed;
        if session.is_idle() {
            let server = session.key.endpoint.to_string().to_ascii_lowercase();
            let mut slots = self.slots();
            if let Some(slots) = slots.get_mut(&server) {
                slots.idle.push(Idle { session, since: Instant::now() });
            }
            make_room(&mut slots);
        }
        drop(permit);
    }

    fn permits(&self, server: &str) -> Arc<Semaphore> {
        let mut slots = self.slots();
        for slots in slots.values_mut() {
            slots.idle.retain(|idle| idle.since.elapsed() < KEPT);
        }
        slots.retain(|name, slots| {
            name == server || !slots.idle.is_empty() || slots.permits.available_permits() < AT_ONCE
        });
        let new = || Slots { permits: Arc::new(Semaphore::new(AT_ONCE)), idle: Vec::new() };
        Arc::clone(&slots.entry(server.to_owned()).or_insert_with(new).permits)
    }

    /// A kept session of this key. Where there is none, an unused one of another key makes room.
    fn kept(&self, server: &str, key: &Key) -> Option<Session> {
        let mut slots = self.slots();
        let slots = slots.get_mut(server)?;
        if let Some(at) = slots.idle.iter().rposition(|idle| idle.session.key == *key) {
            return Some(slots.idle.remove(at).session);
        }
        let used = AT_ONCE.saturating_sub(slots.permits.available_permits());
        if used + slots.idle.len() > AT_ONCE && !slots.idle.is_empty() {
            slots.idle.remove(0);
        }
        None
    }
}

/// Closes what was unused the longest while there are too many.
fn make_room(slots: &mut HashMap<String, Slots>) {
    while slots.values().map(|slots| slots.idle.len()).sum::<usize>() > IN_ALL {
        // Of one server the first was put there first.
        let since = |slots: &&mut Slots| slots.idle.first().map(|idle| idle.since);
        let Some(oldest) = slots.values_mut().filter(|slots| !slots.idle.is_empty()).min_by_key(since) else { return };
        oldest.idle.remove(0);
    }
}
