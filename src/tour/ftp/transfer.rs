//! A visit on the wire: commands in, replies out, and the connections on which files and listings go over.

use super::archive::{Archive, Pace};
use super::command::Command;
use super::session::{Act, Passive, Session, reply};
use crate::tour::visitor::{Heard, Visitor};
use std::io::Result;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

/// Octets of a command: the longest name there can be, each octet doubled, and more.
const LONGEST: usize = 4096;
/// How long a data connection is waited for, and may take nothing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Octets at once, and the pause after them when a file is sent slowly: 16 kB a second.
const CHUNK: usize = 4096;
const PAUSE: Duration = Duration::from_millis(250);

/// Serves one visitor.
pub(super) async fn visit(mut visitor: Visitor, archive: Arc<Archive>) -> Result<()> {
    let mut session = Session::new(archive);
    let mut data = None;
    visitor.say(&reply(220, "Wayfarer's tour: a small archive, on this machine only.")).await?;
    loop {
        let line = match visitor.hear(LONGEST).await? {
            Heard::Line(line) => line,
            Heard::TooLong => {
                visitor.say(&reply(500, "That line is too long for anything that is here.")).await?;
                continue;
            }
            Heard::Nothing => return visitor.say(&reply(421, "You have said nothing for long. Good-bye.")).await,
        };
        match session.take(&Command::of(&line)) {
            Act::Say(said) => visitor.say(&said).await?,
            Act::Listen(passive) => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                visitor.say(&told(passive, port)).await?;
            }
            Act::Send(octets, pace) => {
                let peer = visitor.stream().peer_addr()?.ip();
                let Some(mut stream) = connection(data.take(), peer).await else {
                    visitor.say(&reply(425, "No data connection has come. PASV or EPSV is said first.")).await?;
                    continue;
                };
                visitor.say(&reply(150, &format!("{} octets are on their way.", octets.len()))).await?;
                let ended = match pour(&mut stream, &octets, pace).await {
                    Some(()) => reply(226, "That was all of it."),
                    None => reply(426, "The data connection was closed before the end."),
                };
                drop(stream);
                visitor.say(&ended).await?;
            }
            Act::Leave(said) => return visitor.say(&said).await,
        }
    }
}

fn told(passive: Passive, port: u16) -> Vec<u8> {
    match passive {
        Passive::Plain => reply(227, &format!("Call me there: (127,0,0,1,{},{}).", port >> 8, port & 255)),
        Passive::Extended => reply(229, &format!("Call me there: (|||{port}|)")),
    }
}

/// The visitor's data connection; who comes from elsewhere is not let in.
async fn connection(listener: Option<TcpListener>, peer: IpAddr) -> Option<TcpStream> {
    let (stream, from) = timeout(PATIENCE, listener?.accept()).await.ok()?.ok()?;
    (from.ip() == peer).then_some(stream)
}

/// Sends it all; `None` when nobody takes it.
async fn pour(stream: &mut TcpStream, octets: &[u8], pace: Pace) -> Option<()> {
    for chunk in octets.chunks(CHUNK) {
        timeout(PATIENCE, stream.write_all(chunk)).await.ok()?.ok()?;
        if pace == Pace::Slow {
            sleep(PAUSE).await;
        }
    }
    timeout(PATIENCE, stream.shutdown()).await.ok()?.ok()
}
