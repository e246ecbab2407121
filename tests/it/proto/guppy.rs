//! Guppy: what is asked, what is acknowledged, and what comes of packets that are lost, double, early, foreign or without end.

use super::client::{Outcome, context, fetch, get, impatient, refuse, request};
use std::net::{SocketAddr, UdpSocket};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use wayfarer::proto::{Context, Kind};
use wayfarer::url::{Url, scheme};

/// A server that does as a script says with its socket and the address of whoever asked; what it gives back is what it was told.
struct Server {
    port: u16,
    told: mpsc::Receiver<Vec<String>>,
}

impl Server {
    fn start(script: impl FnOnce(&mut Line) + Send + 'static) -> Server {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let port = socket.local_addr().unwrap().port();
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let mut line = Line { socket, client: None, heard: Vec::new() };
            line.hear();
            script(&mut line);
            let _ = tell.send(line.heard);
        });
        Server { port, told }
    }

    fn get(&self, path: &str) -> Outcome {
        get(&self.url(path))
    }

    fn get_by(&self, path: &str, context: &Context) -> Outcome {
        fetch(&request(&self.url(path)), context)
    }

    fn url(&self, path: &str) -> String {
        format!("guppy://127.0.0.1:{}{path}", self.port)
    }

    fn told(&self) -> Vec<String> {
        self.told.recv_timeout(Duration::from_secs(30)).unwrap()
    }
}

struct Line {
    socket: UdpSocket,
    client: Option<SocketAddr>,
    heard: Vec<String>,
}

impl Line {
    fn hear(&mut self) -> String {
        let mut buffer = [0; 4096];
        let (count, from) = self.socket.recv_from(&mut buffer).unwrap();
        assert_eq!(*self.client.get_or_insert(from), from, "one port for each session");
        let words = String::from_utf8_lossy(&buffer[..count]).into_owned();
        self.heard.push(words.clone());
        words
    }

    fn say(&self, packet: impl AsRef<[u8]>) {
        let _ = self.socket.send_to(packet.as_ref(), self.client.unwrap());
    }

    /// Says a packet and waits until it is acknowledged, whatever else is said meanwhile.
    fn tell(&mut self, packet: &str) {
        self.say(packet);
        self.acknowledged(packet);
    }

    fn acknowledged(&mut self, packet: &str) {
        let number = packet.split([' ', '\r']).next().unwrap();
        while self.hear() != format!("{number}\r\n") {}
    }
}

/// Retransmits soon; gives up late.
fn brisk() -> Context {
    let mut context = context();
    context.limits.silence = Duration::from_secs(4);
    context
}

#[test]
fn an_answer_is_packets_in_order_until_an_empty_one() {
    let server = Server::start(|line| {
        line.tell("566837578 text/gemini\r\n# Title 1\n");
        line.tell("566837579\r\nParagraph 1");
        line.tell("566837580\r\n\n");
        line.tell("566837581\r\n");
    });
    let outcome = server.get("/a b?x y#part");
    assert_eq!((outcome.media(), outcome.cut()), ("text/gemini", None));
    assert_eq!(
        (outcome.text().as_str(), outcome.head().charset.as_deref()),
        ("# Title 1\nParagraph 1\n", Some("utf-8"))
    );
    let told = server.told();
    let asked = format!("guppy://127.0.0.1:{}/a%20b?x%20y\r\n", server.port);
    assert_eq!(told.first(), Some(&asked), "{told:?}");
    assert_eq!(outcome.sent[0].lines, [format!("{}\\r\\n", asked.trim_end())]);
}

#[test]
fn what_is_lost_is_said_again_by_either_side() {
    // The request is lost, then the acknowledgement of the first packet; the second packet comes at the second time.
    let server = Server::start(|line| {
        assert!(line.hear().starts_with("guppy://"), "asked again");
        line.tell("39 text/plain\r\nfirst ");
        line.acknowledged("39");
        line.tell("40\r\nsecond");
        line.tell("40\r\nsecond");
        line.tell("41\r\n");
    });
    let outcome = server.get_by("/", &brisk());
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("first second", None));
    assert_eq!(outcome.media(), "text/plain", "39 is no redirect");
}

#[test]
fn what_comes_early_or_twice_stands_once_and_in_order() {
    let server = Server::start(|line| {
        for packet in ["12\r\n", "11\r\nb", "10 text/plain\r\na", "10 text/plain\r\na", "junk", "9\r\nz", "900\r\nfar"]
        {
            line.say(packet);
        }
        line.acknowledged("10");
        for packet in ["13\r\nd", "12\r\nc", "13\r\nother", "11\r\nb", "14\r\n"] {
            line.say(packet);
        }
        line.acknowledged("14");
    });
    let outcome = server.get("/");
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("abcd", None));
    let told = server.told();
    assert!(!told.iter().any(|word| ["9\r\n", "900\r\n"].contains(&word.as_str())), "{told:?}");
}

#[test]
fn nobody_but_the_one_who_was_asked_is_heard() {
    let server = Server::start(|line| {
        let (client, stranger) = (line.client.unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
        stranger.send_to(b"4 go away\r\n", client).unwrap();
        stranger.send_to(b"10 text/plain\r\nforged", client).unwrap();
        line.tell("10 text/plain\r\ntrue");
        stranger.send_to(b"11\r\nforged", client).unwrap();
        stranger.send_to(b"11\r\n", client).unwrap();
        line.tell("11\r\n, all of it");
        line.tell("12\r\n");
    });
    let outcome = server.get("/");
    assert_eq!((outcome.text().as_str(), outcome.cut()), ("true, all of it", None));
}

#[test]
fn what_has_no_page_is_told() {
    for (answer, kind, says) in [
        ("1 Your name\r\n", Kind::NeedsWords, "asks: Your name"),
        ("4 No such \x1b[1mthing\r\n", Kind::Said, "says: No such thing"),
        ("4 a password\r\nand more", Kind::Said, "a password"),
        ("20 \r\n", Kind::Malformed, "not in Guppy"),
        ("HTTP/1.1 200 OK\r\n", Kind::Malformed, "not in Guppy"),
        ("", Kind::Malformed, "not in Guppy"),
    ] {
        let server = Server::start(move |line| line.say(answer));
        let outcome = server.get("/");
        assert_eq!(outcome.failure().kind, kind, "{answer}");
        assert!(outcome.words().contains(says), "{answer}: {}", outcome.words());
    }
    let server = Server::start(|line| line.say("3 /there\r\n"));
    assert_eq!(server.get("/").moved.unwrap().to, "/there");
    // Nobody but the program writes its own pages.
    let server = Server::start(|line| {
        line.tell("10 text/x-wayfarer\r\n! An error\n");
        line.tell("11\r\n");
    });
    assert_eq!(server.get("/").media(), "text/gemini");
}

#[test]
fn a_dead_host_is_asked_three_times_and_given_up_when_others_are() {
    let quiet = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = format!("guppy://127.0.0.1:{}/", quiet.local_addr().unwrap().port());
    let mut context = context();
    context.limits.connect = Duration::from_millis(200);
    let outcome = fetch(&request(&address), &context);
    assert_eq!(outcome.failure().kind, Kind::TimedOut);
    assert!(outcome.words().contains("has not answered, though it was asked 3 times."), "{}", outcome.words());
    quiet.set_nonblocking(true).unwrap();
    let asked = (0..100).take_while(|_| quiet.recv_from(&mut [0; 2048]).is_ok()).count();
    assert_eq!(asked, 3);
}

#[test]
fn silence_and_an_answer_that_goes_nowhere_end_in_a_sentence() {
    let quiet = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = format!("guppy://127.0.0.1:{}/", quiet.local_addr().unwrap().port());
    let outcome = fetch(&request(&address), &impatient());
    assert_eq!(outcome.failure().kind, Kind::TimedOut);
    assert!(outcome.words().contains("asked 3 times"), "{}", outcome.words());
    drop(quiet);
    let outcome = fetch(&request(&address), &brisk());
    assert_eq!(outcome.failure().kind, Kind::Refused, "{}", outcome.words());
    // It ends in the middle.
    let server = Server::start(|line| line.tell("10 text/plain\r\nhalf"));
    let outcome = server.get_by("/", &impatient());
    assert_eq!(outcome.text(), "half");
    assert!(outcome.cut().is_some(), "{:?}", outcome.end);
    // It says the same for ever, or what comes too early.
    for packet in ["10 text/plain\r\nhalf", "12\r\nafter a hole", "4 error\r\n", "junk"] {
        let (stop, stopped) = mpsc::channel::<()>();
        let server = Server::start(move |line| {
            line.say("10 text/plain\r\nhalf");
            while stopped.try_recv().is_err() {
                line.say(packet);
            }
        });
        let outcome = server.get_by("/", &impatient());
        let _ = stop.send(());
        assert_eq!((outcome.text().as_str(), outcome.cut().is_some()), ("half", true), "{packet}");
    }
    // It never begins.
    let (stop, stopped) = mpsc::channel::<()>();
    let server = Server::start(move |line| {
        while stopped.try_recv().is_err() {
            line.say("11\r\nearly");
        }
    });
    assert_eq!(server.get_by("/", &impatient()).failure().kind, Kind::TimedOut);
    let _ = stop.send(());
}

#[test]
fn a_page_without_end_is_cut_and_a_refused_one_is_left() {
    let mut context = brisk();
    context.limits.page = 100_000;
    let server = Server::start(|line| {
        line.tell("10 text/plain\r\nx");
        for number in 11.. {
            line.say(format!("{number}\r\n{}", "y".repeat(1000)));
            if line.hear().is_empty() || number > 200 {
                return;
            }
        }
    });
    let outcome = server.get_by("/", &context);
    assert_eq!((outcome.body.len(), outcome.cut()), (100_000, Some("cut at 100000 octets")));
    let server = Server::start(|line| line.say("10 application/zip\r\nPK"));
    let outcome = refuse(&request(&server.url("/x.zip")), &brisk());
    assert_eq!((outcome.media(), outcome.body.len()), ("application/zip", 0));
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
}

#[test]
fn nothing_that_guppy_sends_has_lines_or_logins() {
    for text in ["guppy://u@h/", "guppy://u:p@h/", "guppy://h:53/", "guppy:///x", "guppy://-h/"] {
        assert!(scheme::plan(&Url::parse(text).unwrap()).is_err(), "{text}");
    }
    assert!(scheme::plan(&Url::parse(format!("guppy://h/{}", "x".repeat(2047))).unwrap()).is_err());
    let Ok(scheme::Plan { act: scheme::Act::Octets { port, bytes, tls, .. }, .. }) =
        scheme::plan(&Url::parse("guppy://h/a%0d%0ab?c%0a").unwrap())
    else {
        panic!("no request");
    };
    assert_eq!((port, tls), (6775, false));
    assert_eq!(String::from_utf8(bytes).unwrap(), "guppy://h/a%0d%0ab?c%0a\r\n");
}
