//! A run that does one thing and ends: no screen, no questions. It owns what such runs share, from the sandbox to the exit
//! status.

use super::cli::{SHOWN, complain};
use super::fetch::World;
use super::network::SERVED_AT_ONCE;
use super::pages;
use super::setup::Setup;
use super::ssh;
use crate::proto::nntp::Kept;
use crate::store::Store;
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::io;
use std::sync::Arc;

/// Does a job that may fetch; what it says is the exit status. A reader of its output that has gone is no error.
pub(super) fn run(setup: &Setup, places: &[Url], job: impl AsyncFnOnce(Arc<World>) -> io::Result<u8>) -> u8 {
    let sandbox = match setup.sandbox() {
        Ok(sandbox) => sandbox,
        Err(sentence) => return complain(&sentence),
    };
    let world = setup.world(places, &sandbox, |sentence| {
        complain(&sentence);
    });
    let is_of_ssh = |place: &Url| scheme::family(place) == Family::Sftp;
    let world = world.and_then(|world| match places.iter().any(is_of_ssh) && !setup.safe {
        true => Ok(world.with(&ssh::thread(setup.loaded.settings.sftp.ssh.clone())?)),
        false => Ok(world),
    });
    let world = match world {
        Ok(mut world) => {
            // Whoever reads the output wants what servers say now.
            world.context.kept = Kept::default();
            match setup.offline || places.iter().any(pages::is_own) {
                // Its thread may write, where this one may not any more.
                true => world.pages.wake(),
                false => world.pages = Store::default(),
            }
            Arc::new(world)
        }
        Err(error) => return complain(&format!("cannot start: {error}")),
    };
    // All threads that are begun from now on, too. The one that writes certificates and cookies is there already.
    sandbox.confine();
    // The job itself is done here; what talks to servers may read from one without looking up.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(SERVED_AT_ONCE).enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return complain(&format!("cannot start: {error}")),
    };
    let writer = Arc::clone(&world.writer);
    let status = runtime.block_on(async {
        let _survives = super::survive_a_full_disk()?;
        job(world).await
    });
    // A blocked disk read or name lookup must not keep the program from ending.
    runtime.shutdown_background();
    for sentence in writer.finish() {
        complain(&sentence);
    }
    match status {
        Ok(status) => status,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => SHOWN,
        Err(error) => complain(&format!("cannot write: {error}")),
    }
}
