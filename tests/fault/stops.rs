//! Esc stops whatever hangs, at once, and what came is kept.

use crate::fault::Fault;
use crate::host::{Host, Identity, is_possible};
use crate::matrix::gone;
use crate::reader::{Patience, keys, start};
use crate::space::{Case, Kind, Space};

#[test]
fn esc_stops_what_hangs_and_keeps_what_came() {
    let identity = Identity::new();
    let tried = |space: &Space| space.proxy().is_none_or(|_| *space == Space::HttpByProxy) && is_possible(*space);
    let spaces: Vec<Space> = Space::ALL.into_iter().filter(tried).collect();
    // The matrix runs beside it.
    std::thread::scope(|scope| {
        for some in spaces.chunks(spaces.len().div_ceil(2)) {
            scope.spawn(|| some.iter().for_each(|space| stops(*space, &identity)));
        }
    });
}

fn stops(space: Space, identity: &Identity) {
    let first = Case { space, kind: Kind::Text, fault: Fault::Silent };
    let proxy = space.proxy().map(|_| Host::start(first, identity));
    let mut terminal =
        start(space, Patience::Long, proxy.as_ref().map(|host| (host.name.clone(), host.port)), identity);
    for (number, fault) in Fault::ALL.into_iter().filter(|fault| fault.hangs()).enumerate() {
        if proxy.is_some() && fault == Fault::NoAccept {
            continue;
        }
        let (case, name) = (Case { fault, ..first }, format!("c{number}c"));
        let own = proxy.is_none().then(|| Host::start(case, identity));
        let host = own.as_ref().or(proxy.as_ref()).unwrap();
        host.turn(case);
        terminal.burst(&format!("g{}\r", space.url(case.kind, &host.name, host.port, &name)));
        if fault.gives() {
            terminal.see("row 1 of");
        } else {
            terminal.see_that("a stage", |screen| {
                ["starting", "connecting", "asking", "securing", "waiting"].iter().any(|stage| screen.contains(stage))
            });
        }
        keys(&mut terminal);
        terminal.burst("\x1b").see("stopped");
        if fault.gives() {
            terminal.see("row 1 of");
        }
        terminal.burst(":open about:safety\r").see("What you can rely on");
    }
    gone(&mut terminal);
}
