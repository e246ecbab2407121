//! gophers: TLS from the first octet, trust on first use, the file of pins, no clear text in its place.

use super::client::{Outcome, context, fetch, request};
use super::server::{Server, Step, certificate, send, stolen};
use rustls::ServerConfig;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use wayfarer::disk::{Kept, Writer};
use wayfarer::proto::tls::{Roots, Tls};
use wayfarer::proto::{Certificate, Context, Kind, RefusedCertificate, Stage, Trust};

/// A run that keeps its pins in a file; when it is dropped, all is written.
fn with_pins(file: &Path) -> Context {
    with_writer(file, &Arc::new(Writer::new(|_| {}).unwrap()))
}

fn with_writer(file: &Path, writer: &Arc<Writer>) -> Context {
    let kept = Kept { file: file.into(), writer: Arc::clone(writer) };
    Context { tls: Tls::new(Some(kept), Roots::Web), ..context() }
}

/// Fetches from a server with this certificate, on a port that stays the same.
fn visit(port: &mut u16, config: &Arc<ServerConfig>, context: &Context) -> Outcome {
    visit_as("127.0.0.1", port, config, context)
}

fn visit_as(host: &str, port: &mut u16, config: &Arc<ServerConfig>, context: &Context) -> Outcome {
    let listener = TcpListener::bind(("127.0.0.1", *port)).unwrap();
    *port = listener.local_addr().unwrap().port();
    let server = Server::run(listener, vec![vec![Step::Line, send("secret\r\n")]], Some(config.clone()));
    let outcome = fetch(&request(&format!("gophers://{host}:{port}/0/x")), context);
    let received = server.received();
    if outcome.failure.is_some() {
        assert_eq!(received.concat(), b"", "nothing is sent to a server that is not trusted");
    } else {
        assert_eq!(received.concat(), b"/x\r\n");
    }
    outcome
}

fn trust(outcome: &Outcome) -> Trust {
    outcome.head.as_ref().unwrap_or_else(|| panic!("{:?}", outcome.failure)).security.as_ref().unwrap().trust
}

#[test]
fn the_first_certificate_is_pinned_and_another_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state/pins");
    let (one, other, mut port) = (certificate(), certificate(), 0);

    let first = visit(&mut port, &one, &with_pins(&file));
    assert_eq!(first.stages, [Stage::Connecting, Stage::Securing, Stage::Waiting]);
    assert_eq!((trust(&first), first.text().as_str()), (Trust::FirstUse, "secret\r\n"));
    let pins = std::fs::read_to_string(&file).unwrap();
    let fingerprint = first.head.unwrap().security.unwrap().certificate.fingerprint;
    assert!(pins.starts_with(&format!("# wayfarer pins 1\n127.0.0.1:{port} {fingerprint} ")), "{pins}");

    // A new run reads the file.
    assert_eq!(trust(&visit(&mut port, &one, &with_pins(&file))), Trust::Pinned);

    let context = with_pins(&file);
    let changed = visit(&mut port, &other, &context);
    assert_eq!(changed.failure().kind, Kind::Secure);
    let words = changed.words();
    assert!(words.starts_with("REFUSED") && words.contains(&fingerprint), "{words}");
    assert!(words.contains("Shown now: ") && words.contains(":trust"), "{words}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), pins, "the pin stays");

    // What ":trust" does.
    let RefusedCertificate { certificate: new, pin, .. } = *changed.failure().certificate.clone().unwrap();
    let pin = pin.unwrap();
    assert_eq!((&pin.server, &pin.certificate.fingerprint), (&format!("127.0.0.1:{port}"), &fingerprint));
    for certificate in [&new, &pin.certificate] {
        let said = "for 127.0.0.1, localhost; from 1975-01-01 to 4096-01-01; made by itself";
        assert_eq!(certificate.described, said, "the old one's words were written down at the first visit");
    }
    context.tls.pin(&pin.server, &new);
    assert_eq!(trust(&visit(&mut port, &other, &context)), Trust::Pinned, "at once");
    drop(context);
    assert_eq!(trust(&visit(&mut port, &other, &with_pins(&file))), Trust::Pinned);
    assert_eq!(visit(&mut port, &one, &with_pins(&file)).failure().kind, Kind::Secure, "the old one is the other now");

    // Without the line it is a first visit.
    std::fs::write(&file, "# by hand\n").unwrap();
    assert_eq!(trust(&visit(&mut port, &other, &with_pins(&file))), Trust::FirstUse);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("# by hand\n"));
    let left: Vec<_> = std::fs::read_dir(file.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file stays behind");
}

#[test]
fn a_private_tab_knows_the_pins_and_adds_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pins");
    let (one, other, mut port, mut new) = (certificate(), certificate(), 0, 0);
    visit(&mut port, &one, &with_pins(&file));
    let pins = std::fs::read(&file).unwrap();
    let private = Context { tls: Tls::reading(Some(file.clone()), Roots::Web), ..context() };
    assert_eq!(trust(&visit(&mut port, &one, &private)), Trust::Pinned);
    assert_eq!(visit(&mut port, &other, &private).failure().kind, Kind::Secure);
    assert_eq!(trust(&visit(&mut new, &other, &private)), Trust::FirstUse);
    assert_eq!(trust(&visit(&mut new, &other, &private)), Trust::Pinned);
    private.tls.pin(&format!("127.0.0.1:{port}"), &Certificate::unseen("ab".repeat(32)));
    assert_eq!(visit(&mut port, &one, &private).failure().kind, Kind::Secure, "trusted there");
    drop(private);
    assert_eq!(std::fs::read(&file).unwrap(), pins);
}

#[test]
fn pins_that_could_not_be_written_go_with_the_next_and_others_lines_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pins");
    std::fs::write(&file, b"# caf\xE9\n").unwrap();
    let in_the_way = folder.path().join(format!("pins.wayfarer-new-{}", std::process::id()));
    std::fs::create_dir(&in_the_way).unwrap();
    let (told, complaints) = std::sync::mpsc::channel();
    let writer = Arc::new(Writer::new(move |sentence| told.send(sentence).unwrap()).unwrap());
    let (one, mut port, context) = (certificate(), 0, with_writer(&file, &writer));
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::FirstUse);
    let told = complaints.recv().unwrap();
    assert!(told.contains("remembered for this run only"), "{told}");
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::Pinned);
    std::fs::remove_dir(in_the_way).unwrap();
    assert_eq!(writer.finish(), [""; 0]);
    let pins = std::fs::read(&file).unwrap();
    assert!(pins.starts_with(b"# caf\xE9\n127.0.0.1:"), "{}", String::from_utf8_lossy(&pins));
}

#[test]
fn pins_live_as_long_as_the_program_without_a_file() {
    let (one, other, mut port) = (certificate(), certificate(), 0);
    let context = context();
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::FirstUse);
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::Pinned);
    assert_eq!(visit(&mut port, &other, &context).failure().kind, Kind::Secure);
}

#[test]
fn another_spelling_of_a_host_is_no_other_host() {
    let (one, other, mut port) = (certificate(), certificate(), 0);
    let context = context();
    assert_eq!(trust(&visit_as("localhost", &mut port, &one, &context)), Trust::FirstUse);
    for spelling in ["LOCALHOST", "%6Cocalhost"] {
        assert_eq!(trust(&visit_as(spelling, &mut port, &one, &context)), Trust::Pinned, "{spelling}");
        assert_eq!(visit_as(spelling, &mut port, &other, &context).failure().kind, Kind::Secure, "{spelling}");
    }
}

#[test]
fn bad_lines_are_told_before_a_server_is_asked_the_first_of_many_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pins");
    std::fs::write(&file, "what is this\n".repeat(50_000)).unwrap();
    let context = with_pins(&file);
    context.tls.look();
    let complaints = context.tls.complaints();
    assert_eq!(complaints.len(), 11, "{complaints:?}");
    assert!(complaints[0].ends_with("pins: line 1: \"what\" is not host:port"), "{complaints:?}");
    assert!(complaints[10].ends_with("pins: 49990 more lines cannot be read"), "{complaints:?}");
    context.tls.look();
    assert!(context.tls.complaints().is_empty());
}

#[test]
fn a_bad_line_is_reported_once_and_costs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pins");
    let (one, mut port) = (certificate(), 0);
    let fingerprint = visit(&mut port, &one, &context()).head.unwrap().security.unwrap().certificate.fingerprint;
    std::fs::write(&file, format!("what is this\n\n# a remark\n127.0.0.1:{port} {fingerprint} 2001-02-03\nh:70 12\n"))
        .unwrap();
    let context = with_pins(&file);
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::Pinned);
    let complaints = context.tls.complaints();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].ends_with("pins: line 1: \"what\" is not host:port"), "{complaints:?}");
    assert!(complaints[1].ends_with("pins: line 5: the fingerprint is not 64 hexadecimal digits"), "{complaints:?}");
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::Pinned);
    assert!(context.tls.complaints().is_empty());
    // Another host's pin leaves them where they are; it may be the one that nobody can read.
    let (mut other, shown) = (0, visit(&mut port, &one, &context).head.unwrap().security.unwrap().certificate);
    assert_eq!(visit(&mut other, &one, &context).failure().kind, Kind::Secure);
    context.tls.pin(&format!("127.0.0.1:{other}"), &shown);
    assert_eq!(trust(&visit(&mut other, &one, &context)), Trust::Pinned);
    let pins = std::fs::read_to_string(&file).unwrap();
    assert!(
        pins.contains("what is this\n") && pins.contains("# a remark\n") && pins.contains(" 2001-02-03\n"),
        "{pins}"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_no_reason_to_trust() {
    let folder = tempfile::tempdir().unwrap();
    // A folder in its place cannot be read by anybody.
    let outcome = visit(&mut 0, &certificate(), &with_pins(folder.path()));
    assert_eq!(outcome.failure().kind, Kind::Secure);
    assert!(outcome.words().contains("cannot be read"), "{}", outcome.words());
}

#[test]
fn a_server_whose_line_is_damaged_is_not_met_for_the_first_time() {
    let folder = tempfile::tempdir().unwrap();
    let (file, certificate, mut port) = (folder.path().join("pins"), certificate(), 0);
    assert_eq!(trust(&visit(&mut port, &certificate, &with_pins(&file))), Trust::FirstUse);
    let whole = std::fs::read(&file).unwrap();
    let line = String::from_utf8_lossy(&whole).rfind("127.0.0.1:").unwrap() + format!("127.0.0.1:{port} ").len();
    // The fingerprint, its end, the rest of the line after the port.
    for (at, octet) in [(line + 3, b'x'), (line + 63, 0xff), (line - 1, b'#')] {
        let mut damaged = whole.clone();
        damaged[at] = octet;
        std::fs::write(&file, &damaged).unwrap();
        let outcome = visit(&mut port, &certificate, &with_pins(&file));
        assert_eq!(outcome.failure().kind, Kind::Secure);
        assert!(outcome.words().contains("cannot be read"), "{}", outcome.words());
        assert_eq!(std::fs::read(&file).unwrap(), damaged, "nothing is pinned in its place");
    }
    // Of a host that cannot be read nobody knows which it was: that is told.
    std::fs::write(&file, [b"ho\xffst:1 ".as_slice(), &[b'a'; 64], b" 2026-01-01\n", &whole].concat()).unwrap();
    let context = with_pins(&file);
    assert_eq!(trust(&visit(&mut port, &certificate, &context)), Trust::Pinned);
    assert!(context.tls.complaints().concat().contains("is not host:port"));
}

#[test]
fn a_pin_whose_line_has_lost_its_beginning_is_no_first_visit() {
    let folder = tempfile::tempdir().unwrap();
    let (file, certificate, mut port) = (folder.path().join("pins"), certificate(), 0);
    assert_eq!(trust(&visit(&mut port, &certificate, &with_pins(&file))), Trust::FirstUse);
    let whole = std::fs::read_to_string(&file).unwrap();
    let other = format!("other.example:1965 {} 2026-01-01", "a".repeat(64));
    let (head, pin) = whole.trim_end().rsplit_once('\n').unwrap();
    let refused = |before: &str, between: &[u8], port: &mut u16| {
        let damaged = [before.as_bytes(), between, pin.as_bytes(), b"\n"].concat();
        std::fs::write(&file, &damaged).unwrap();
        let outcome = visit(port, &certificate, &with_pins(&file));
        assert_eq!(outcome.failure().kind, Kind::Secure, "{before} {between:?}");
        assert_eq!(std::fs::read(&file).unwrap(), damaged, "nothing is pinned in its place");
    };
    for between in [&b""[..], b"\0", b"x", b" ", b"\xff", b"\r", b"; #"] {
        refused(head, between, &mut port);
        refused(&format!("{head}\n{other}"), between, &mut port);
        refused(&format!("{head}\n{other} subject of it"), between, &mut port);
    }
    // What the reader has made a remark is none any more.
    std::fs::write(&file, format!("{head}\n# {pin}\n")).unwrap();
    assert_eq!(trust(&visit(&mut port, &certificate, &with_pins(&file))), Trust::FirstUse);
}

#[test]
fn beside_a_line_whose_host_cannot_be_read_no_visit_is_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let (file, certificate, mut port) = (folder.path().join("pins"), certificate(), 0);
    assert_eq!(trust(&visit(&mut port, &certificate, &with_pins(&file))), Trust::FirstUse);
    // What the certificate says of itself may name the host once more.
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, pin) = text.trim_end().rsplit_once('\n').unwrap();
    let pin: Vec<&str> = pin.split(' ').take(3).collect();
    let whole = format!("{before}\n{}\n", pin.join(" ")).into_bytes();
    let line = String::from_utf8_lossy(&whole).rfind("127.0.0.1:").unwrap();
    // An octet of the host, of the port, the colon between them, a blank in the host.
    for (at, octet) in [(3, 0xff), (9, b'-'), (11, b'x'), (4, b' ')] {
        let mut damaged = whole.clone();
        damaged[line + at] = octet;
        std::fs::write(&file, &damaged).unwrap();
        let context = with_pins(&file);
        let outcome = visit(&mut port, &certificate, &context);
        assert_eq!(outcome.failure().kind, Kind::Secure, "{at}");
        let said = outcome.words();
        assert!(said.contains("cannot be read") && said.contains("line 2"), "{said}");
        let RefusedCertificate { certificate: shown, pin, first } = *outcome.failure().certificate.clone().unwrap();
        assert_eq!((pin, first), (None, Some(format!("127.0.0.1:{port}"))));
        assert_eq!(std::fs::read(&file).unwrap(), damaged, "nothing is pinned in its place");
        // What the reader has agreed to is known from then on.
        context.tls.pin(&format!("127.0.0.1:{port}"), &shown);
        assert_eq!(trust(&visit(&mut port, &certificate, &context)), Trust::Pinned);
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told_and_the_pin_kept_for_this_run() {
    let (told, complaints) = std::sync::mpsc::channel();
    let writer = Arc::new(Writer::new(move |sentence| told.send(sentence).unwrap()).unwrap());
    let context = with_writer(Path::new("/proc/wayfarer/pins"), &writer);
    let (one, other, mut port) = (certificate(), certificate(), 0);
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::FirstUse);
    let told = complaints.recv().unwrap();
    assert!(told.contains("remembered for this run only"), "{told}");
    assert_eq!(trust(&visit(&mut port, &one, &context)), Trust::Pinned);
    assert_eq!(visit(&mut port, &other, &context).failure().kind, Kind::Secure);
}

#[test]
fn a_certificate_without_its_key_proves_nothing() {
    for version in rustls::ALL_VERSIONS {
        let outcome = visit(&mut 0, &stolen(version), &context());
        assert_eq!(outcome.failure().kind, Kind::Secure, "{version:?}");
    }
}

#[test]
fn a_server_in_clear_text_is_not_talked_to() {
    let server = Server::start(vec![vec![Step::Octets(1), send("3No TLS here\t\terror.host\t1\r\n"), Step::Drain]]);
    let outcome = fetch(&request(&format!("gophers://127.0.0.1:{}/0/private", server.port)), &context());
    assert_eq!(outcome.failure().kind, Kind::Secure);
    assert!(outcome.words().contains("does not speak TLS"), "{}", outcome.words());
    let received = server.received();
    assert_eq!(received.len(), 1, "no second try in clear text");
    assert!(!received[0].windows(7).any(|w| w == b"private"));
}

#[test]
fn a_server_that_hangs_up_is_not_talked_to_in_clear_text() {
    let server = Server::start(vec![vec![Step::Octets(1)]]);
    let outcome = fetch(&request(&format!("gophers://127.0.0.1:{}/0/x", server.port)), &context());
    assert_eq!(outcome.failure().kind, Kind::Secure, "{}", outcome.words());
    assert_eq!(server.received().len(), 1);
}
