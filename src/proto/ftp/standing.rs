//! Where a kept connection stands, and how the next visit leaves there (FTP-17): servers agree on no way back up, so it goes on from
//! there, or back to a directory that the server has named itself.

use super::reply::{Reply, line};
use super::session::Session;
use crate::proto::ledger::Ledger;
use crate::proto::{FetchError, Kind};

/// Where a connection stands.
#[derive(Default)]
pub(super) struct Standing {
    /// What the server calls the directory to which the login has led, as octets.
    pub home: Option<Vec<u8>>,
    /// What has led from there to where it is.
    steps: Vec<Step>,
    /// The last segment of a path that was refused, until it is known whether it was for the path or for what is there.
    refused: Option<Vec<u8>>,
    /// Whether a path was refused that led where its segments lead.
    in_steps: bool,
}

/// A CWD that was sent.
struct Step {
    /// Its argument.
    segment: Vec<u8>,
    /// What the server calls the directory, where it was asked.
    path: Option<Vec<u8>>,
}

impl Standing {
    /// How many steps lead the same way.
    fn shared(&self, way: &[&[u8]]) -> usize {
        self.steps.iter().zip(way).take_while(|(step, segment)| step.segment == **segment).count()
    }

    /// The last directory of so many steps whose name is known: how many steps lead there, and its name.
    fn known(&self, steps: usize) -> (usize, Vec<u8>) {
        let named = |(at, step): (usize, &Step)| Some((at + 1, step.path.clone()?));
        let last = self.steps.iter().take(steps).enumerate().rev().find_map(named);
        last.unwrap_or_else(|| (0, self.home.clone().unwrap_or_default()))
    }

    /// The path to which so many steps and a next one lead, where the server calls the directory where they begin by one.
    fn path(&self, steps: usize, next: Option<&[u8]>) -> Option<Vec<u8>> {
        let (known, mut path) = self.known(steps);
        if self.in_steps || !path.starts_with(b"/") {
            return None;
        }
        for name in self.steps[known..steps].iter().map(|step| step.segment.as_slice()).chain(next) {
            if matches!(name, b"" | b"." | b"..") || name.contains(&b'/') {
                return None;
            }
            if !path.ends_with(b"/") {
                path.push(b'/');
            }
            path.extend(name);
        }
        Some(path)
    }
}

impl Session {
    /// Begins another visit, where the last one has ended if that is on the way, else further up: the arguments of CWD mean
    /// something only behind those that came before.
    ///
    /// # Errors
    /// It does not lead there any more.
    pub async fn begin_again(&mut self, ledger: &Ledger, way: &[&[u8]]) -> Result<(), FetchError> {
        self.goes_on(ledger);
        let shared = self.standing.shared(way);
        if shared == self.standing.steps.len() {
            return Ok(());
        }
        if self.go_at_once(shared, way.get(shared).copied()).await? { Ok(()) } else { self.go_back(shared).await }
    }

    /// Goes back to so many steps and on by a next one, all at once, where there is a path; whether that has led there. What is refused
    /// so is gone step by step, and what comes later, too, if it has led there after all.
    async fn go_at_once(&mut self, steps: usize, next: Option<&[u8]>) -> Result<bool, FetchError> {
        let Some(path) = self.standing.path(steps, next) else { return Ok(false) };
        let reply = self.ask(&line("CWD", &path)).await?;
        if !reply.is_done() {
            // All but the next segment was gone before.
            (self.standing.refused, self.standing.in_steps) = (next.map(<[u8]>::to_vec), next.is_none());
            return Ok(false);
        }
        self.notices.enter(&reply);
        self.standing.steps.truncate(steps);
        self.standing.steps.extend(next.map(|segment| Step { segment: segment.to_vec(), path: None }));
        Ok(true)
    }

    /// Goes back to so many steps from where the login had led. Of a directory below which one is left for another the server is asked
    /// what it calls it: the next time one command leads there, as to where the login had led.
    async fn go_back(&mut self, to: usize) -> Result<(), FetchError> {
        let (known, path) = self.standing.known(to);
        self.return_by(&path).await?;
        let left = self.standing.steps.drain(known..).take(to - known);
        let left: Vec<Vec<u8>> = left.map(|step| step.segment).collect();
        // A segment without words may have been taken for nothing.
        if left.is_empty() || left.iter().any(Vec::is_empty) {
            return Ok(());
        }
        for segment in &left {
            self.return_by(segment).await?;
            self.standing.steps.push(Step { segment: segment.clone(), path: None });
        }
        let path = self.where_it_is().await?;
        self.standing.steps.last_mut().into_iter().for_each(|last| last.path.clone_from(&path));
        Ok(())
    }

    async fn return_by(&mut self, directory: &[u8]) -> Result<(), FetchError> {
        let reply = self.ask(&line("CWD", directory)).await?;
        if reply.is_done() {
            self.notices.enter(&reply);
            return Ok(());
        }
        self.is_lost();
        Err(FetchError::new(Kind::Said, "the way back is lost"))
    }

    /// CWD.
    ///
    /// # Errors
    /// See [`Session::ask`].
    pub async fn enter(&mut self, directory: &[u8]) -> Result<Reply, FetchError> {
        let refused = self.standing.refused.take();
        let reply = self.ask(&line("CWD", directory)).await?;
        if reply.is_done() {
            self.standing.in_steps |= refused.is_some_and(|refused| refused == directory);
            self.notices.enter(&reply);
            self.standing.steps.push(Step { segment: directory.to_vec(), path: None });
        }
        Ok(reply)
    }

    /// How many segments of a way have been gone.
    pub fn stands_on(&self, way: &[&[u8]]) -> usize {
        self.standing.steps.len().min(way.len())
    }

    /// A segment was taken for nothing.
    pub fn stays(&mut self) {
        self.standing.steps.push(Step { segment: Vec::new(), path: None });
    }

    /// The last CWD stands for a segment that was written otherwise.
    pub fn stands_for(&mut self, segment: &[u8]) {
        if let Some(last) = self.standing.steps.last_mut() {
            last.segment = segment.to_vec();
        }
    }
}
