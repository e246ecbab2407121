//! A port that is open as long as somebody holds its door: a server of a test ends with the test, and leaves nothing open behind.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// Keeps a port open.
pub struct Door(Arc<TcpListener>);

/// Whoever comes in, until the door closes; nobody comes in after the last one that was waited for.
pub struct Visitors(Arc<TcpListener>);

impl Door {
    /// Opens a listener's port.
    pub fn open(listener: TcpListener) -> (Door, Visitors) {
        let listener = Arc::new(listener);
        (Door(Arc::clone(&listener)), Visitors(listener))
    }
}

impl Iterator for Visitors {
    type Item = TcpStream;

    fn next(&mut self) -> Option<TcpStream> {
        self.0.accept().ok().map(|(visitor, _)| visitor)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        close(&self.0);
    }
}

impl Drop for Visitors {
    fn drop(&mut self) {
        close(&self.0);
    }
}

/// Wakes whoever waits for visitors and refuses more of them; dropping one of two handles would do neither.
fn close(listener: &TcpListener) {
    let socket = TcpStream::from(OwnedFd::from(listener.try_clone().unwrap()));
    // Shut before, it says so.
    let _ = socket.shutdown(Shutdown::Both);
}

#[test]
fn a_port_is_shut_when_its_door_or_its_visitors_go() {
    for goes in ["door", "visitors"] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (door, mut visitors) = Door::open(listener);
        let guest = TcpStream::connect(address).unwrap();
        assert!(visitors.next().is_some());
        drop(guest);
        if goes == "door" {
            let waiting = std::thread::spawn(move || visitors.next().is_none());
            drop(door);
            assert!(waiting.join().unwrap());
        } else {
            drop(visitors);
        }
        assert!(TcpStream::connect(address).is_err(), "{goes}");
    }
}
