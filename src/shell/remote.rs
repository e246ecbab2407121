//! Addresses from other programs (`wayfarer --remote URL`): each running copy listens on a socket of its own, in a folder that
//! is nobody else's; whoever asks is known by the kernel to be the same user.
//!
//! Refuses: anything but addresses. They come from mails and feeds as often as from the reader's own hand, so the browser judges
//! them as links of somebody else's page: whatever leads to this machine or to a program asks first.

use crate::app::Msg;
use crate::url::Url;
use rustix::process::geteuid;
use serde_json::{Value, json};
use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc::Sender;

/// Octets of what is asked, and of the answer.
const LONGEST: u64 = 64 << 10;
/// Addresses at once.
const MOST: usize = 20;
/// How long the other side has for its line.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a copy that is busy has for its answer.
const ANSWER: Duration = Duration::from_secs(5);
/// How the sockets are called, after the number of their process.
const SORT: &str = "sock";

/// The folders where running copies may listen, the one for this copy first.
pub(super) fn folders(state: Option<&Path>) -> Vec<PathBuf> {
    let own = directories::ProjectDirs::from("", "", "wayfarer");
    let runtime = own.as_ref().and_then(|folders| folders.runtime_dir()).filter(|folder| folder.is_absolute());
    // A folder that is named and not there is as good as none.
    let runtime = runtime.filter(|folder| folder.parent().is_some_and(Path::is_dir)).map(Path::to_path_buf);
    runtime.into_iter().chain(state.map(|state| state.join("remote"))).collect()
}

/// Whether a folder is the user's, and nobody else can look into it.
fn is_own(folder: &Path) -> bool {
    let own = |known: fs::Metadata| known.is_dir() && known.uid() == geteuid().as_raw() && known.mode() & 0o077 == 0;
    fs::symlink_metadata(folder).is_ok_and(own)
}

/// A socket on which this copy listens, for as long as this is there.
pub(super) struct Door {
    path: PathBuf,
}

impl Drop for Door {
    fn drop(&mut self) {
        // One that stays is found to be dead by the next who looks.
        let _ = fs::remove_file(&self.path);
    }
}

impl Door {
    /// Listens in the first folder where that is possible. `session`: the name under which this copy keeps its tabs.
    ///
    /// # Errors
    /// There is no such folder.
    pub(super) fn open(folders: &[PathBuf], session: Option<String>, messages: &Sender<Msg>) -> io::Result<Door> {
        let mut failed = io::Error::from(ErrorKind::NotFound);
        for folder in folders {
            match listen(folder) {
                Ok((door, listener)) => {
                    tokio::spawn(answer(listener, session, messages.clone()));
                    return Ok(door);
                }
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }
}

fn listen(folder: &Path) -> io::Result<(Door, UnixListener)> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    if !is_own(folder) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "others may look into its folder"));
    }
    sweep(folder);
    // Under its own name only when it listens: what does not answer is taken for dead.
    let id = std::process::id();
    let (path, early) = (folder.join(format!("{id}.{SORT}")), folder.join(format!("{id}.new")));
    match fs::remove_file(&early) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = net::UnixListener::bind(&early)?;
    let made = fs::set_permissions(&early, Permissions::from_mode(0o600)).and_then(|()| fs::rename(&early, &path));
    if let Err(error) = made {
        let _ = fs::remove_file(&early);
        return Err(error);
    }
    let door = Door { path };
    listener.set_nonblocking(true)?;
    Ok((door, UnixListener::from_std(listener)?))
}

/// The sockets in a folder, the newest first.
fn doors(folder: &Path) -> Vec<PathBuf> {
    if !is_own(folder) {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let known = |path: PathBuf| {
        let known = fs::symlink_metadata(&path).ok().filter(|known| known.file_type().is_socket())?;
        (path.extension()? == SORT).then(|| (known.modified().unwrap_or(SystemTime::UNIX_EPOCH), path))
    };
    let mut doors: Vec<(SystemTime, PathBuf)> = entries.filter_map(known).collect();
    doors.sort();
    doors.into_iter().rev().map(|(_, path)| path).collect()
}

/// Takes away the sockets of copies that were killed.
fn sweep(folder: &Path) {
    doors(folder).iter().for_each(|door| drop(knock(door)));
}

/// Connects; a socket on which nobody listens any more is taken away. Where so many wait already that one more would have to wait
/// for them, nobody does: whoever listens there may have been stopped.
fn knock(door: &Path) -> io::Result<net::UnixStream> {
    connect(door).inspect_err(|error| {
        if error.kind() == ErrorKind::ConnectionRefused {
            let _ = fs::remove_file(door);
        }
    })
}

fn connect(door: &Path) -> io::Result<net::UnixStream> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, connect, socket};
    let socket = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC)?;
    rustix::io::ioctl_fionbio(&socket, true)?;
    connect(&socket, &SocketAddrUnix::new(door)?)?;
    rustix::io::ioctl_fionbio(&socket, false)?;
    Ok(socket.into())
}

/// Answers whoever asks, one after the other.
async fn answer(listener: UnixListener, session: Option<String>, messages: Sender<Msg>) {
    loop {
        let Ok((visitor, _)) = listener.accept().await else {
            // Out of files, say: it passes.
            tokio::time::sleep(PATIENCE).await;
            continue;
        };
        if visitor.peer_cred().is_ok_and(|who| who.uid() == geteuid().as_raw()) {
            let served = serve(visitor, session.as_deref(), &messages);
            // Who is too slow has not asked.
            let _ = tokio::time::timeout(PATIENCE, served).await;
        }
    }
}

async fn serve(mut visitor: UnixStream, session: Option<&str>, messages: &Sender<Msg>) -> io::Result<()> {
    let (octets, sink) = visitor.split();
    let mut line = Vec::new();
    tokio::io::BufReader::new(octets.take(LONGEST)).read_until(b'\n', &mut line).await?;
    let (said, places) = match asked(&line, session) {
        Ok(places) => (json!({ "opened": places.len() }), places),
        Err(said) => (said, Vec::new()),
    };
    let mut sink = sink;
    // "opened" is said once there is a place for them; a browser that has gone, or has no time now, says nothing.
    let room = match places.is_empty() {
        true => None,
        false => Some(messages.reserve().await.map_err(|_| io::Error::from(ErrorKind::BrokenPipe))?),
    };
    // Whoever has given up meanwhile gets nothing opened.
    sink.write_all(format!("{said}\n").as_bytes()).await?;
    if let Some(room) = room {
        room.send(Msg::Handed(places));
    }
    Ok(())
}

/// The addresses of a line; otherwise what is answered.
fn asked(line: &[u8], session: Option<&str>) -> Result<Vec<Url>, Value> {
    let refused = |why: &str| json!({ "refused": why });
    let line = line.strip_suffix(b"\n").ok_or_else(|| refused("the line is too long"))?;
    let asked: Value = serde_json::from_slice(line).map_err(|_| refused("this is no line of JSON"))?;
    if asked.get("session").and_then(Value::as_str).is_some_and(|wanted| session != Some(wanted)) {
        return Err(json!({ "other": session }));
    }
    let places = asked.get("open").and_then(Value::as_array).ok_or_else(|| refused("there is nothing to open"))?;
    if places.is_empty() || places.len() > MOST {
        return Err(refused(&format!("1 to {MOST} addresses are opened at once")));
    }
    let url = |place: &Value| Url::parse(place.as_str().unwrap_or_default());
    places.iter().map(url).collect::<Result<_, _>>().map_err(|error| refused(&error.to_string()))
}

/// Gives addresses to the copy that was started last, or that keeps its tabs under a name. Says whether there is one.
///
/// # Errors
/// It does not take them.
pub(super) fn hand(folders: &[PathBuf], session: Option<&str>, places: &[Url]) -> Result<bool, String> {
    let places: Vec<&str> = places.iter().map(Url::as_str).collect();
    let line = format!("{}\n", json!({ "session": session, "open": places }));
    if line.len() as u64 > LONGEST {
        return Err("so long an address is not handed on".into());
    }
    for door in folders.iter().flat_map(|folder| doors(folder)) {
        // One that was stopped, or is on its way out, is passed by.
        let Ok(said) = ask(&door, &line) else { continue };
        if said.get("opened").is_some() {
            return Ok(true);
        }
        if let Some(why) = said.get("refused").and_then(Value::as_str) {
            return Err(format!("the running Wayfarer does not take it: {why}"));
        }
    }
    Ok(false)
}

fn ask(door: &Path, line: &str) -> io::Result<Value> {
    let mut stream = knock(door)?;
    stream.set_write_timeout(Some(ANSWER))?;
    stream.write_all(line.as_bytes())?;
    // An answer that comes octet by octet has no longer than one that comes at once.
    let deadline = Instant::now() + ANSWER;
    let (mut said, mut piece) = (Vec::new(), [0; 1024]);
    while !said.contains(&b'\n') && said.len() as u64 <= LONGEST {
        let left = deadline.saturating_duration_since(Instant::now());
        // No time at all would be time without end.
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        match stream.read(&mut piece)? {
            0 => break,
            count => said.extend_from_slice(&piece[..count]),
        }
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
    }
    Ok(serde_json::from_slice(&said)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(line: &str, session: Option<&str>) -> Result<Vec<String>, String> {
        let places = asked(line.as_bytes(), session).map_err(|said| said.to_string())?;
        Ok(places.iter().map(|url| url.as_str().to_owned()).collect())
    }

    #[test]
    fn only_addresses_are_taken_and_a_named_session_takes_its_own() {
        let line = "{\"session\":null,\"open\":[\"gopher://h/\",\"http://h/x\"]}\n";
        assert_eq!(opened(line, None).unwrap(), ["gopher://h/", "http://h/x"]);
        assert_eq!(opened(line, Some("work")).unwrap().len(), 2);
        let named = line.replace("null", "\"work\"");
        assert!(opened(&named, Some("work")).is_ok() && opened(&named, None).unwrap_err().contains("other"));
        let many = format!("{{\"open\":[{}]}}\n", vec!["\"http://h/\""; MOST + 1].join(","));
        let bad =
            ["\n", "quit\n", "{}\n", "{\"open\":[]}\n", "{\"open\":[7]}\n", "{\"open\":[\"x y\"]}\n", "[]\n", &many];
        for line in bad.into_iter().chain([line.trim_end()]) {
            assert!(opened(line, None).unwrap_err().contains("refused"), "{line}");
        }
    }

    #[test]
    fn where_too_many_wait_already_nobody_waits() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
        let full = folder.path().join("1.sock");
        let listener = net::UnixListener::bind(&full).unwrap();
        // Room for few: those of the system's usual room would take all files that other tests may open.
        rustix::net::listen(&listener, 1).unwrap();
        let waiting: Vec<_> = (0..100).map_while(|_| connect(&full).ok()).collect();
        assert!(!waiting.is_empty() && waiting.len() < 100, "{}", waiting.len());
        sweep(folder.path());
        assert_eq!(hand(&[folder.path().into()], None, &[Url::parse("http://h/").unwrap()]), Ok(false));
        assert!(full.exists(), "it may be served again");
    }

    #[test]
    fn what_nobody_listens_on_is_taken_away_and_a_folder_of_others_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
        let dead = folder.path().join("1.sock");
        drop(net::UnixListener::bind(&dead).unwrap());
        fs::write(folder.path().join("2.sock"), "no socket").unwrap();
        let folders = [folder.path().to_path_buf()];
        assert_eq!(hand(&folders, None, &[Url::parse("http://h/").unwrap()]), Ok(false));
        assert!(!dead.exists() && folder.path().join("2.sock").exists());
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let alive = folder.path().join("3.sock");
        let _listener = net::UnixListener::bind(&alive).unwrap();
        assert_eq!(doors(folder.path()), [] as [PathBuf; 0]);
        assert!(listen(folder.path()).is_err());
    }
}
