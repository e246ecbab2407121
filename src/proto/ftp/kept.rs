//! Connections that are kept for the next visit (FTP-17, D33), and how many a host gets.
//!
//! A host has room for a few at a time (`ftp.connections`, and one more for what is read while files come), idle ones included: a
//! fetch beyond that waits, an idle one of somebody else is closed. Where a server refuses one beside others, it has room for
//! those. Idle ones are closed after a minute. Refuses: to keep a connection in any doubt, and to give one to another user.

use super::Way;
use super::login::Identity;
use super::session::Session;
use super::times::{Asking, Thought};
use crate::proto::net::Endpoint;
use crate::proto::{Exchange, FetchError, Kind, Stage};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

/// How long a connection is kept without a visit. Servers close them after some minutes.
const IDLE: Duration = Duration::from_secs(60);
/// How long the server's answer to QUIT is waited for.
const FAREWELL: Duration = Duration::from_secs(1);
/// Servers of which it is remembered at most how they are asked for times.
const THOUGHTS: usize = 64;

/// All kept connections. Clones share.
#[derive(Clone)]
pub struct Connections(Arc<Shared>);

struct Shared {
    idle: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    hosts: HashMap<String, Host>,
    /// How servers are asked for times.
    thoughts: HashMap<Endpoint, Thought>,
    timer: Option<AbortHandle>,
}

struct Host {
    rooms: Rooms,
    idle: Vec<Idle>,
}

/// What a host has room for.
#[derive(Clone)]
struct Rooms {
    /// One permit for each fetch that is under way.
    all: Arc<Semaphore>,
    /// One for each of them whose body goes into a file; of these there is one fewer.
    files: Arc<Semaphore>,
    /// How many permits there are in all.
    most: usize,
}

impl Rooms {
    fn new(files: usize) -> Rooms {
        let most = files.saturating_add(1);
        Rooms { all: Arc::new(Semaphore::new(most)), files: Arc::new(Semaphore::new(files)), most }
    }
}

struct Idle {
    session: Session,
    identity: Identity,
    since: Instant,
}

impl Default for Connections {
    fn default() -> Connections {
        Connections::new(IDLE)
    }
}

/// Nothing of what was said on them.
impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("idle", &self.0.idle).finish_non_exhaustive()
    }
}

impl Connections {
    /// Closes what is idle for so long.
    pub fn new(idle: Duration) -> Connections {
        Connections(Arc::new(Shared { idle, state: Mutex::default() }))
    }

    /// A place among the connections to a host, when there is one: `files` for what goes into files, and one more.
    ///
    /// # Errors
    /// The owner has gone.
    pub(super) async fn slot(
        &self,
        host: &str,
        files: usize,
        is_file: bool,
        exchange: &mut Exchange,
    ) -> Result<Slot, FetchError> {
        let host = host.to_ascii_lowercase();
        let rooms = self.0.rooms(&host, files);
        let file = if is_file { Some(permit(&rooms.files, exchange).await?) } else { None };
        let permit = permit(&rooms.all, exchange).await?;
        Ok(Slot { shared: Arc::clone(&self.0), host, rooms, permit, file })
    }
}

/// A turn, now or when another one has had his.
async fn permit(room: &Arc<Semaphore>, exchange: &mut Exchange) -> Result<OwnedSemaphorePermit, FetchError> {
    if let Ok(permit) = Arc::clone(room).try_acquire_owned() {
        return Ok(permit);
    }
    exchange.stage(Stage::Queued).await?;
    Arc::clone(room).acquire_owned().await.map_err(|_| FetchError::new(Kind::Broken, "stopped"))
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked left nothing half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rooms(&self, host: &str, files: usize) -> Rooms {
        let mut state = self.state();
        state.hosts.retain(|_, host| !host.idle.is_empty() || Arc::strong_count(&host.rooms.all) > 1);
        let new = || Host { rooms: Rooms::new(files), idle: Vec::new() };
        state.hosts.entry(host.to_owned()).or_insert_with(new).rooms.clone()
    }

    /// Takes out what was idle for too long.
    fn expired(&self) -> Vec<Idle> {
        let now = Instant::now();
        let mut state = self.state();
        let old = |idle: &mut Idle| now.duration_since(idle.since) >= self.idle;
        state.hosts.values_mut().flat_map(|host| host.idle.extract_if(.., old)).collect()
    }
}

/// One clock for all: it begins anew with each connection that is kept, so that a program at rest is woken once.
async fn close_later(shared: Weak<Shared>, after: Duration) {
    sleep(after).await;
    let expired = shared.upgrade().map(|shared| shared.expired());
    for idle in expired.unwrap_or_default() {
        farewell(idle.session).await;
    }
}

async fn farewell(session: Session) {
    // Whether it answers does not matter: the connection is closed in any case.
    let _ = timeout(FAREWELL, session.quit()).await;
}

/// A place among the connections to a host; dropped, it is free for the next.
pub(super) struct Slot {
    shared: Arc<Shared>,
    host: String,
    rooms: Rooms,
    permit: OwnedSemaphorePermit,
    /// Its turn among what goes into files.
    file: Option<OwnedSemaphorePermit>,
}

impl Slot {
    /// A kept connection by one of these ways, logged in as the same user, on which nothing has happened since.
    pub async fn kept(&self, ways: &[Way], identity: &Identity) -> Option<Session> {
        self.shared.expired();
        loop {
            let idle = self.pick(|idle| ways.contains(&idle.session.way) && idle.identity == *identity)?;
            if idle.session.is_quiet().await {
                return Some(idle.session);
            }
        }
    }

    /// Closes idle connections until there is room for a new one.
    pub async fn make_room(&self) {
        while let Some(idle) = self.surplus() {
            farewell(idle.session).await;
        }
    }

    fn surplus(&self) -> Option<Idle> {
        let mut state = self.shared.state();
        let Host { rooms, idle } = state.hosts.get_mut(&self.host)?;
        let under_way = rooms.most.saturating_sub(rooms.all.available_permits());
        (under_way + idle.len() > rooms.most && !idle.is_empty()).then(|| idle.remove(0))
    }

    /// Another connection was refused: where there are others, the server has room for those only, and this waits for one of
    /// them. `None` where it was the only one.
    ///
    /// # Errors
    /// The owner has gone.
    pub async fn behind_others(self, exchange: &mut Exchange) -> Result<Option<Slot>, FetchError> {
        let Slot { shared, host, rooms, permit, file } = self;
        let others = {
            let mut state = shared.state();
            let known = state.hosts.get_mut(&host);
            known.is_some_and(|host| {
                let Host { rooms: Rooms { all, most, .. }, idle } = host;
                let others = most.saturating_sub(all.available_permits()) > 1 || !idle.is_empty();
                *most = if others { most.saturating_sub(1).max(1) } else { *most };
                others
            })
        };
        if !others {
            return Ok(None);
        }
        permit.forget();
        let permit = self::permit(&rooms.all, exchange).await?;
        Ok(Some(Slot { shared, host, rooms, permit, file }))
    }

    /// How a session's server is asked for times.
    pub fn asking(&self, session: &Session) -> Asking {
        self.shared.state().thoughts.get(session.endpoint()).map(|thought| thought.asking).unwrap_or_default()
    }

    /// What is thought of a session's server from now on, for all connections to it.
    pub fn thinks(&self, session: &Session, anew: impl FnOnce(&mut Thought)) {
        let thoughts = &mut self.shared.state().thoughts;
        if let Some(thought) = thoughts.get_mut(session.endpoint()) {
            return anew(thought);
        }
        if thoughts.len() >= THOUGHTS {
            thoughts.clear();
        }
        anew(thoughts.entry(session.endpoint().clone()).or_default());
    }

    fn pick(&self, is_wanted: impl Fn(&Idle) -> bool) -> Option<Idle> {
        let mut state = self.shared.state();
        let idle = &mut state.hosts.get_mut(&self.host)?.idle;
        idle.iter().rposition(is_wanted).map(|at| idle.remove(at))
    }

    /// Keeps a connection for the next visit.
    pub fn keep(self, session: Session, identity: Identity) {
        let Slot { shared, host, rooms, permit, file } = self;
        let mut state = shared.state();
        let new = || Host { rooms, idle: Vec::new() };
        state.hosts.entry(host).or_insert_with(new).idle.push(Idle { session, identity, since: Instant::now() });
        let clock = tokio::spawn(close_later(Arc::downgrade(&shared), shared.idle));
        if let Some(earlier) = state.timer.replace(clock.abort_handle()) {
            earlier.abort();
        }
        drop(state);
        drop((permit, file));
    }
}
