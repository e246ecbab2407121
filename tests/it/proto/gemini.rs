//! Gemini: one address out over TLS, a status line and perhaps a page back; certificates of the reader's own.

use super::client::{Outcome, context, fetch, get, impatient, request, watch};
use super::server::{Server, Step, certificate, send};
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, ServerConfig, SignatureScheme};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use wayfarer::disk::{Kept, Writer};
use wayfarer::proto::identities::Identities;
use wayfarer::proto::{Certificate, Content, Context, FetchEvent, Kind, Request, Stage, Trust};
use wayfarer::url::Url;

/// What becomes of an answer to `gemini://127.0.0.1/x`, and what was asked.
fn answered(answer: &[u8]) -> Outcome {
    let server = Server::secure(vec![vec![Step::Line, send(answer)]], certificate());
    let outcome = get(&format!("gemini://127.0.0.1:{}/x", server.port));
    assert_eq!(server.line(), format!("gemini://127.0.0.1:{}/x\r\n", server_port(&outcome)));
    outcome
}

fn server_port(outcome: &Outcome) -> u16 {
    outcome.sent[0].port
}

#[test]
fn a_page_comes_by_one_line_over_tls() {
    let body = "20 text/gemini; charset=iso-8859-1; lang=de\r\n# Gr\u{fc}\u{df}e\n";
    let latin: Vec<u8> = body.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let outcome = answered(&latin);
    assert_eq!(outcome.stages, [Stage::Connecting, Stage::Securing, Stage::Waiting]);
    let head = outcome.head.as_ref().unwrap();
    assert_eq!((outcome.media(), head.charset.as_deref()), ("text/gemini", Some("iso-8859-1")));
    assert_eq!(head.security.as_ref().unwrap().trust, Trust::FirstUse);
    assert_eq!(head.lines[1], "20 text/gemini; charset=iso-8859-1; lang=de");
    assert_eq!((outcome.body.as_slice(), outcome.cut()), (&latin[45..], None));
    // Nothing said is gemtext; what makes no sense is octets.
    let plain = answered(b"20 \r\nx");
    assert_eq!((plain.media(), plain.head.as_ref().unwrap().charset.as_deref()), ("text/gemini", Some("utf-8")));
    assert_eq!(answered(b"29 image/png\r\n").media(), "image/png");
    assert_eq!(answered(b"20 nonsense\r\n").media(), "application/octet-stream");
}

#[test]
fn what_is_asked_for_is_the_address_as_the_protocol_wants_it() {
    let server = Server::secure(vec![vec![Step::Line, send("20\r\n")]], certificate());
    let asked = format!("GEMINI://127.0.0.1:{}?a b%zz\u{e9}#there", server.port);
    assert_eq!(fetch(&Request::new(Url::parse(asked).unwrap()), &context()).cut(), None);
    assert_eq!(server.received().len(), 1);
}

#[test]
fn the_end_of_tls_alone_tells_that_a_page_is_whole() {
    let server = Server::secure(vec![vec![Step::Line, send("20 text/plain\r\nhalf"), Step::Abandon]], certificate());
    let outcome = get(&format!("gemini://127.0.0.1:{}/", server.port));
    assert_eq!(outcome.text(), "half");
    assert!(outcome.cut().unwrap().contains("without its goodbye"), "{:?}", outcome.cut());
    let server = Server::secure(vec![vec![Step::Line, send("20 te"), Step::Abandon]], certificate());
    let outcome = get(&format!("gemini://127.0.0.1:{}/", server.port));
    assert_eq!(outcome.failure().kind, Kind::Malformed);
}

#[test]
fn what_came_is_passed_on_while_the_server_lingers() {
    let server = Server::secure(
        vec![vec![Step::Line, send("20 text/plain\r\nfirst"), Step::Stall, send("last")]],
        certificate(),
    );
    let mut came = Vec::new();
    let asked = request(&format!("gemini://127.0.0.1:{}/", server.port));
    let outcome = watch(&asked, &context(), |event| {
        if let FetchEvent::Body(octets) = event {
            came.push(octets.clone());
            if came.len() == 1 {
                server.release();
            }
        }
    });
    assert_eq!((came[0].as_slice(), outcome.text().as_str()), (b"first".as_slice(), "firstlast"));
    let server = Server::secure(vec![vec![Step::Line, send("20 text/plain\r\nx"), Step::Stall]], certificate());
    let silent = fetch(&request(&format!("gemini://127.0.0.1:{}/", server.port)), &impatient());
    assert!(silent.cut().unwrap().contains("nothing came for"), "{:?}", silent.cut());
}

#[test]
fn each_status_is_told_in_the_readers_words() {
    for (line, kind, says) in [
        ("10 Your name?", Kind::NeedsWords, "127.0.0.1 asks: Your name?"),
        ("10", Kind::NeedsWords, "127.0.0.1 asks for words."),
        ("19 x", Kind::NeedsWords, "asks: x"),
        ("11 PIN", Kind::NeedsSecret, "nobody else should see: PIN"),
        ("40 tired", Kind::Said, "cannot give this now (40): tired"),
        ("41", Kind::Said, "overloaded or under repair (41)."),
        ("42", Kind::Said, "The program on 127.0.0.1"),
        ("43", Kind::Said, "from another server"),
        ("44 30", Kind::Said, "Wait for 30 s, then try again."),
        ("44 soon", Kind::Said, "asked less often (44): soon"),
        ("49 x", Kind::Said, "cannot give this now (49): x"),
        ("50 no", Kind::Said, "now or later (50): no"),
        ("51 Not found", Kind::NotFound, "no such page"),
        ("52", Kind::NotFound, "gone for good"),
        ("53", Kind::Denied, "another server's"),
        ("59", Kind::Said, "does not understand"),
        ("60 who?", Kind::NeedsCertificate, "wants to know you by a certificate (60): who?"),
        ("61", Kind::NeedsCertificate, "may not see this page"),
        ("62 expired", Kind::NeedsCertificate, "does not accept your certificate (62): expired"),
    ] {
        let outcome = answered(format!("{line}\r\n").as_bytes());
        assert_eq!(outcome.failure().kind, kind, "{line}");
        assert!(outcome.words().contains(says), "{line}: {}", outcome.words());
    }
}

#[test]
fn an_answer_that_is_none_is_refused_in_a_sentence() {
    let long = [b"20 ".to_vec(), b"x".repeat(1025), b"\r\n".to_vec()].concat();
    for (answer, says) in [
        (&b"2 text/gemini\r\n"[..], "two digits"),
        (b"HTTP/1.1 400 Bad Request\r\n", "two digits"),
        (b"20text/gemini\r\n", "no space"),
        (b"70 x\r\n", "no status 70"),
        (b"30\r\n", "not where"),
        (b"\xEF\xBB\xBF20 text/gemini\r\n", "byte order mark"),
        (b"20 a\x1bb\r\n", "control characters"),
        (&long, "longer than 1029"),
    ] {
        let outcome = answered(answer);
        assert_eq!(outcome.failure().kind, Kind::Malformed, "{says}");
        assert!(outcome.words().contains(says), "{}", outcome.words());
    }
    let closed = answered(b"");
    assert!(closed.words().contains("closed the connection without an answer"), "{}", closed.words());
}

#[test]
fn a_redirect_is_told_and_not_followed() {
    let moved = answered(b"31 ../there?x\r\n").moved.unwrap();
    assert_eq!((moved.to.as_str(), moved.status.as_str()), ("../there?x", "31, for good"));
}

#[test]
fn what_is_said_in_secret_is_told_with_stars() {
    let server = Server::secure(vec![vec![Step::Line, send("20\r\n")]], certificate());
    let of = |query: &str| Url::parse(format!("gemini://127.0.0.1:{}/x?{query}", server.port)).unwrap();
    let asked = Request { told: Some(of("***")), ..Request::new(of("hunter2")) };
    let outcome = fetch(&asked, &context());
    assert!(outcome.sent[0].tls && outcome.sent[0].lines[0].ends_with("/x?***\\r\\n"), "{:?}", outcome.sent);
    assert!(server.line().ends_with("/x?hunter2\r\n"));
}

#[test]
fn another_key_than_before_is_refused_before_anything_is_sent() {
    let context = context();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = request(&format!("gemini://127.0.0.1:{port}/"));
    let server = Server::run(listener, vec![vec![Step::Line, send("20\r\n")]], Some(certificate()));
    assert_eq!(fetch(&asked, &context).cut(), None);
    server.received();
    let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let server = Server::run(listener, vec![vec![Step::Line]], Some(certificate()));
    let outcome = fetch(&asked, &context);
    assert_eq!(outcome.failure().kind, Kind::Secure);
    assert!(outcome.words().contains("has changed") && outcome.words().contains(":trust"), "{}", outcome.words());
    assert_eq!(server.received().concat(), b"");
}

#[test]
fn nothing_of_gemini_goes_in_clear_text() {
    let server = Server::start(vec![vec![Step::Octets(1), send("20 text/gemini\r\nclear")]]);
    let outcome = get(&format!("gemini://127.0.0.1:{}/secret", server.port));
    assert_eq!(outcome.failure().kind, Kind::Secure);
    assert!(!outcome.words().contains("\"s\""), "{}", outcome.words());
    assert!(!server.received().concat().windows(6).any(|octets| octets == b"secret"));
}

/// Takes any certificate, and writes down which it was shown.
#[derive(Debug)]
struct Doorman {
    shown: Mutex<Vec<String>>,
    own: Arc<rustls::crypto::CryptoProvider>,
}

impl ClientCertVerifier for Doorman {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        self.shown.lock().unwrap().push(Certificate::read(end_entity).fingerprint);
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, cert, dss, &self.own.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, cert, dss, &self.own.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.own.signature_verification_algorithms.supported_schemes()
    }
}

/// A server that asks who is there.
fn asking() -> (Arc<ServerConfig>, Arc<Doorman>) {
    asking_in(rustls::ALL_VERSIONS)
}

fn asking_in(versions: &[&'static rustls::SupportedProtocolVersion]) -> (Arc<ServerConfig>, Arc<Doorman>) {
    let own = Arc::new(rustls::crypto::ring::default_provider());
    let doorman = Arc::new(Doorman { shown: Mutex::default(), own: Arc::clone(&own) });
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(own)
        .with_protocol_versions(versions)
        .unwrap()
        .with_client_cert_verifier(doorman.clone())
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    (Arc::new(config), doorman)
}

/// Fetches from a server that asks who is there; which certificates it was shown.
fn visit(context: &Context, port: &mut u16, path: &str, config: &(Arc<ServerConfig>, Arc<Doorman>)) -> Vec<String> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", *port)).unwrap();
    *port = listener.local_addr().unwrap().port();
    let server = Server::run(listener, vec![vec![Step::Line, send("20 text/plain\r\nx")]], Some(config.0.clone()));
    let outcome = fetch(&request(&format!("gemini://127.0.0.1:{port}{path}")), context);
    assert_eq!(outcome.cut(), None);
    server.received();
    std::mem::take(&mut *config.1.shown.lock().unwrap())
}

fn kept(file: &Path, writer: &Arc<Writer>) -> Identities {
    Identities::new(Some(Kept { file: file.into(), writer: Arc::clone(writer) }))
}

#[test]
fn a_certificate_goes_where_it_was_chosen_for_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data/certificates");
    let writer = Arc::new(Writer::new(|_| {}).unwrap());
    let (server, other) = (asking(), asking());
    let (mut port, mut other_port) = (0, 0);
    let context = Context { identities: kept(&file, &writer), ..context() };
    let none: [String; 0] = [];
    assert_eq!(visit(&context, &mut port, "/app/x", &server), none);
    let made = context.identities.make("Ada").unwrap();
    assert_eq!(visit(&context, &mut port, "/app/x", &server), none, "it is shown to nobody yet");
    context.identities.show(&format!("127.0.0.1:{port}"), "/app/", &made.certificate.fingerprint);
    assert_eq!(visit(&context, &mut port, "/app/x?q", &server), std::slice::from_ref(&made.certificate.fingerprint));
    for path in ["/", "/apple", "/app", "/app/../x", "/app/%2e%2e/x", "/x?/app/"] {
        assert_eq!(visit(&context, &mut port, path, &server), none, "{path}");
    }
    assert_eq!(visit(&context, &mut other_port, "/app/x", &other), none, "another port is another server");
    // What private tabs know is their own.
    let private = Context { identities: Identities::default(), ..context.clone() };
    assert_eq!(visit(&private, &mut port, "/app/x", &server), none);
    drop(context.identities);
    // A new run reads the file, which is its owner's alone; the key is told nobody.
    writer.finish();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let writer = Arc::new(Writer::new(|_| {}).unwrap());
    let again = Context { identities: kept(&file, &writer), ..private };
    assert!(!format!("{made:?}").contains("key"), "{made:?}");
    assert_eq!(visit(&again, &mut port, "/app/x", &server), std::slice::from_ref(&made.certificate.fingerprint));
    again.identities.leave(&format!("127.0.0.1:{port}"), "/app/");
    assert_eq!(visit(&again, &mut port, "/app/x", &server), none);
    again.identities.show(&format!("127.0.0.1:{port}"), "/", &made.certificate.fingerprint);
    assert_eq!(visit(&again, &mut port, "/app/x", &server).len(), 1);
    again.identities.forget(&made.certificate.fingerprint);
    assert_eq!(visit(&again, &mut port, "/app/x", &server), none);
    writer.finish();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# wayfarer certificates 1\n");
}

#[test]
fn who_shows_another_key_than_before_is_shown_no_certificate() {
    let context = context();
    let made = context.identities.make("Ada").unwrap().certificate.fingerprint;
    for versions in [rustls::ALL_VERSIONS, &[&rustls::version::TLS12], &[&rustls::version::TLS13]] {
        let mut port = 0;
        let (server, impostor) = (asking_in(versions), asking_in(versions));
        visit(&context, &mut port, "/", &server);
        context.identities.show(&format!("127.0.0.1:{port}"), "/", &made);
        assert_eq!(visit(&context, &mut port, "/", &server), std::slice::from_ref(&made));
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
        let other = Server::run(listener, vec![vec![Step::Line]], Some(impostor.0.clone()));
        let outcome = fetch(&request(&format!("gemini://127.0.0.1:{port}/")), &context);
        assert!(outcome.words().starts_with("REFUSED"), "{}", outcome.words());
        assert!(outcome.failure().certificate.as_ref().is_some_and(|refused| refused.pin.is_some()), "{versions:?}");
        assert_eq!(other.received().concat(), b"", "{versions:?}");
        assert_eq!(*impostor.1.shown.lock().unwrap(), [""; 0], "{versions:?}");
    }
}

#[test]
fn certificates_of_a_file_that_cannot_be_read_stop_a_visit_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let writer = Arc::new(Writer::new(|_| {}).unwrap());
    let file = folder.path().join("certificates");
    std::fs::write(&file, "# wayfarer certificates 9\n").unwrap();
    let context = Context { identities: kept(&file, &writer), ..context() };
    let outcome = fetch(&request("gemini://127.0.0.1:9999/"), &context);
    assert!(
        outcome.words().contains("version 9") && outcome.words().contains("Nothing was sent"),
        "{}",
        outcome.words()
    );
}

#[test]
fn the_page_of_certificates_makes_shows_and_forgets() {
    let context = context();
    let page = |address: &str| fetch(&request(address), &context);
    assert!(page("about:certificates").text().contains("You have none"));
    let place = "for=gemini%3A%2F%2Fh%2Fapp%2Fx";
    let choice = page(&format!("about:certificates?{place}")).text();
    assert!(choice.contains("## gemini://h/app/") && choice.contains("## gemini://h/\n"), "{choice}");
    let asks = page(&format!("about:certificates?new=/app/&{place}"));
    assert_eq!(asks.failure().kind, Kind::NeedsWords);
    let made = page(&format!("about:certificates?make=Ada&below=/app/&{place}"));
    assert_eq!(made.moved.unwrap().to, "gemini://h/app/x");
    let known = context.identities.known().unwrap();
    assert_eq!((known.identities[0].name.as_str(), known.shown[0].server.as_str()), ("Ada", "h:1965"));
    let fingerprint = &known.identities[0].certificate.fingerprint;
    let list = page("about:certificates").text();
    assert!(list.contains(fingerprint) && list.contains("shown to gemini://h:1965/app/"), "{list}");
    assert!(page(&format!("about:certificates?{place}")).text().contains("\"Ada\", made "));
    page(&format!("about:certificates?forget={fingerprint}"));
    assert_eq!(context.identities.known().unwrap(), Default::default());
    for wrong in ["new=app&for=gemini://h/", "new=/&for=http://h/", "make=x", "use=x&for=gemini://h/", "x=y"] {
        assert_eq!(page(&format!("about:certificates?{wrong}")).failure().kind, Kind::Malformed, "{wrong}");
    }
}

#[test]
fn what_a_server_says_of_a_file_that_it_does_not_take_is_told() {
    let server = Server::secure(vec![vec![Step::Line, send("50 too big\r\n"), Step::Reset]], certificate());
    let body = Content { media: "text/plain".into(), octets: vec![b'x'; 15 << 20] };
    let url = Url::parse(format!("titan://127.0.0.1:{}/x", server.port)).unwrap();
    let outcome = fetch(&Request { body: Some(body), ..Request::new(url) }, &context());
    assert!(outcome.words().contains("too big"), "{}", outcome.words());
    assert!(outcome.stages.contains(&Stage::Sending(0, 15 << 20)), "{:?}", outcome.stages);
    server.received();
}

#[test]
fn titan_sends_a_line_and_a_file() {
    let sent = "titan://127.0.0.1:{p}/a%20b;mime=text/plain;size=5;token=t%3Bk\r\nhello";
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let sent = sent.replace("{p}", &port.to_string());
    let answer = send("30 gemini://127.0.0.1/a%20b\r\n");
    let server = Server::run(listener, vec![vec![Step::Octets(sent.len()), answer]], Some(certificate()));
    let of = |end: &str| Url::parse(format!("titan://127.0.0.1:{port}/a b;size=9{end}")).unwrap();
    let body = Content { media: "text/plain".into(), octets: b"hello".to_vec() };
    let asked = Request { body: Some(body), told: Some(of("")), ..Request::new(of(";token=t%3Bk")) };
    let outcome = fetch(&asked, &context());
    assert_eq!(outcome.moved.as_ref().unwrap().to, "gemini://127.0.0.1/a%20b");
    assert!(!format!("{:?}", outcome.sent).contains("t%3Bk"), "{:?}", outcome.sent);
    assert_eq!(server.line(), sent);
    assert_eq!(get(&format!("titan://127.0.0.1:{port}/x")).failure().kind, Kind::Unsupported);
}
