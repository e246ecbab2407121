//! The pages that all programs are given: menus of any length from a server on loopback, a text of numbered lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Octets of a line of the text, its end included.
pub const LINE_OCTETS: usize = 64;

/// Serves menus until the program ends: `/COUNT` has so many items, `/endless` has no end. Returns host and port.
pub fn serve() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let port = listener.local_addr()?.port();
    let huge = menu(super::HUGE, port);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let huge = huge.clone();
            // A reader that goes away is no error here.
            thread::spawn(move || answer(stream, port, &huge));
        }
    });
    Ok(address)
}

fn answer(stream: TcpStream, port: u16, huge: &[u8]) -> io::Result<()> {
    let mut request = String::new();
    BufReader::new(&stream).read_line(&mut request)?;
    let selector = request.split(['\t', '\r', '\n']).next().unwrap_or_default().trim_start_matches('/');
    let mut out = BufWriter::with_capacity(1 << 16, &stream);
    match selector.parse::<usize>() {
        Ok(super::HUGE) => (&stream).write_all(huge)?,
        Ok(items) => {
            (0..items).try_for_each(|number| item(&mut out, number, port))?;
            out.write_all(b".\r\n")?;
        }
        Err(_) => (0..).try_for_each(|number| item(&mut out, number, port))?,
    }
    out.flush()
}

fn item(out: &mut impl Write, number: usize, port: u16) -> io::Result<()> {
    write!(out, "0This is item {number:08} of the menu\t/files/item-{number:08}.txt\t127.0.0.1\t{port}\r\n")
}

fn menu(items: usize, port: u16) -> Vec<u8> {
    let mut menu = Vec::new();
    (0..items).try_for_each(|number| item(&mut menu, number, port)).expect("memory");
    menu.extend_from_slice(b".\r\n");
    menu
}

/// The octets of a menu.
pub fn menu_octets(items: usize) -> usize {
    menu(1, 10_000).len() * items
}

/// How long it takes to receive a menu and do nothing with it.
pub fn transfer(server: &str, items: usize) -> io::Result<Duration> {
    let started = Instant::now();
    let mut stream = TcpStream::connect(server)?;
    write!(stream, "/{items}\r\n")?;
    let mut buffer = vec![0; 1 << 16];
    while stream.read(&mut buffer)? > 0 {}
    Ok(started.elapsed())
}

/// Writes a text of numbered lines.
pub fn write_text(path: &Path, lines: usize) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    (0..lines).try_for_each(|n| writeln!(out, "This is line {n:08} of a long text that somebody may read."))?;
    out.flush()
}
