//! Promise 8, what is asked for over TLS goes over TLS to whom it was meant for, or nowhere: certificates that prove
//! nothing or have changed, servers that speak in clear text, answers that take TLS back.

use crate::host::{Host, Said, Visit, page, serve_ftp, serve_news, serve_web};
use crate::tally::Tally;
use crate::terminal::piped;
use rcgen::{CertificateParams, KeyPair};
use rustls::ServerConfig;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

pub const PROMISE: &str = "8 tls";
/// Part of each address: whoever hears it was trusted.
const SECRET: &str = "wanted-by-nobody-else";

/// A certificate for names; one that is over, or is somebody else's.
fn certificate(names: &[&str], over: bool, stolen: bool) -> Arc<ServerConfig> {
    let mut params = CertificateParams::new(names.iter().map(|name| name.to_string()).collect::<Vec<_>>()).unwrap();
    if over {
        params.not_before = rcgen::date_time_ymd(2000, 1, 1);
        params.not_after = rcgen::date_time_ymd(2001, 1, 1);
    }
    signed(params, stolen)
}

/// A server's certificate that says this of itself; its key, or another.
pub fn signed(params: CertificateParams, stolen: bool) -> Arc<ServerConfig> {
    let (own, other) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let certificate = params.self_signed(&own).unwrap();
    let shown = if stolen { other } else { own };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = rustls::pki_types::PrivateKeyDer::try_from(shown.serialize_der()).unwrap();
    let key = provider.key_provider.load_private_key(key).unwrap();
    let pair = rustls::sign::CertifiedKey::new(vec![certificate.der().clone()], key);
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(rustls::sign::SingleCertAndKey::from(pair)));
    Arc::new(config)
}

/// A protocol over TLS and the path that is wanted.
const PROTOCOLS: [(&str, &str); 5] = [
    ("gemini", "wanted-by-nobody-else"),
    ("gophers", "0/wanted-by-nobody-else"),
    ("https", "wanted-by-nobody-else"),
    ("ftps", "wanted-by-nobody-else"),
    ("nntps", "wanted-by-nobody-else"),
];

/// Serves a protocol well, in clear text or over whatever is around it.
fn serve(protocol: &'static str, tls: Option<Arc<ServerConfig>>) -> impl Fn(&mut Visit) + Send + Sync + 'static {
    move |visit| match protocol {
        "gophers" => {
            visit.line();
            visit.say("it came through\r\n.\r\n");
        }
        "gemini" => {
            visit.line();
            visit.say("20 text/plain\r\nit came through\r\n");
        }
        "https" => serve_web(visit, &|_, _| page("Content-Type: text/plain\r\n", "it came through")),
        // On any port but its own it begins in clear text and asks for TLS before all else.
        "ftps" => {
            visit.say("220 ready\r\n");
            if visit.line().as_deref() == Some("AUTH TLS") {
                visit.say("234 go on\r\n");
                visit.secure(Arc::clone(tls.as_ref().unwrap()));
                serve_ftp(visit, &|verb, _, _| match verb {
                    "" => Some(Said::Reply(Vec::new())),
                    "PBSZ" | "PROT" => Some(Said::Reply(b"200 so be it\r\n".to_vec())),
                    _ => None,
                });
            }
        }
        _ => serve_news(visit, &|_, _| None),
    }
}

/// A server of a protocol with a certificate.
pub fn host(protocol: &'static str, listener: TcpListener, tls: Arc<ServerConfig>) -> Host {
    let around = (protocol != "ftps").then(|| Arc::clone(&tls));
    Host::at(listener, around, serve(protocol, Some(tls)))
}

fn asked(home: &Path, protocol: &str, host: &str, port: u16, path: &str) -> (bool, String) {
    let url = format!("{protocol}://user:{SECRET}@{host}:{port}/{path}");
    // These log nobody in.
    let url = if matches!(protocol, "gophers" | "gemini") { url.replace(&format!("user:{SECRET}@"), "") } else { url };
    let run = piped(home).args(["--timeout", "2", "--dump", &url]).output().unwrap();
    let said = [&run.stdout[..], &run.stderr].concat();
    (run.status.success(), String::from_utf8_lossy(&said).into_owned())
}

fn told(octets: &[Vec<u8>]) -> bool {
    octets.iter().any(|visit| visit.windows(SECRET.len()).any(|here| here == SECRET.as_bytes()))
}

/// Certificates that prove nothing: on the web and wherever there is no first visit to trust.
pub fn certificates(tally: &Tally) {
    for (protocol, path) in PROTOCOLS {
        for (name, names, over, stolen) in [
            ("self-made", &["127.0.0.1"][..], false, false),
            ("for another name", &["example.org"], false, false),
            ("over", &["127.0.0.1"], true, false),
            ("stolen", &["127.0.0.1"], false, true),
        ] {
            let home = tempfile::tempdir().unwrap();
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let host = host(protocol, listener, certificate(names, over, stolen));
            let (_, said) = asked(home.path(), protocol, "127.0.0.1", host.port, path);
            let row = (PROMISE, protocol, "certificates");
            let told = told(&host.heard());
            // Only where one's own server is the custom a self-made one is taken, the first time and aloud.
            let first = protocol != "https" && name != "stolen";
            match told {
                true if first => tally.harmless(row),
                true => tally.fail(row, format!("{name}: the server was told; {said}")),
                false if said.is_empty() => tally.fail(row, format!("{name}: nothing is said")),
                false => tally.refused(row),
            }
        }
    }
}

/// A key that has changed since the last visit.
pub fn changed(tally: &Tally) {
    for (protocol, path) in PROTOCOLS.into_iter().filter(|(protocol, _)| *protocol != "https") {
        let home = tempfile::tempdir().unwrap();
        let row = (PROMISE, protocol, "changed key");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let first = host(protocol, listener, certificate(&["127.0.0.1"], false, false));
        let port = first.port;
        asked(home.path(), protocol, "127.0.0.1", port, path);
        assert!(told(&first.heard()), "{protocol}: the first visit");
        drop(first);
        let listener = again(port);
        let second = host(protocol, listener, certificate(&["127.0.0.1"], false, false));
        for _ in 0..2 {
            let (success, said) = asked(home.path(), protocol, "127.0.0.1", port, path);
            tally.hold(row, !success && said.contains("REFUSED") && !told(&second.heard()), || said);
        }
    }
}

/// The same port once more: it is free as soon as those who held it are done with it.
pub fn again(port: u16) -> TcpListener {
    loop {
        if let Ok(listener) = TcpListener::bind(("127.0.0.1", port)) {
            return listener;
        }
        std::thread::yield_now();
    }
}

/// Servers that speak in clear text where TLS was asked for, hang up, or talk nonsense: they are told nothing, at no
/// second try.
pub fn clear(tally: &Tally) {
    type Serve = fn(&mut Visit);
    let ways: [(&str, Serve); 6] = [
        ("clear text at once", |visit| {
            visit.say("220 ready\r\n200 ready\r\nHTTP/1.1 200 OK\r\n\r\n");
            while visit.more().is_some() {}
        }),
        ("clear text after the first octets", |visit| {
            let _ = visit.more();
            visit.say("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        }),
        ("closed at once", |_| {}),
        ("closed after the first octets", |visit| {
            let _ = visit.more();
        }),
        ("an alert", |visit| {
            let _ = visit.more();
            visit.say([21, 3, 3, 0, 2, 2, 40]);
        }),
        ("nonsense", |visit| {
            let _ = visit.more();
            visit.say([22, 3, 3, 0, 5, 2, 0, 0, 1, 0]);
        }),
    ];
    for (protocol, path) in PROTOCOLS {
        for (name, serve) in ways {
            let home = tempfile::tempdir().unwrap();
            let host = Host::start(serve);
            let (success, said) = asked(home.path(), protocol, "127.0.0.1", host.port, path);
            let heard = host.heard();
            let row = (PROMISE, protocol, "clear text in its place");
            // Every visit begins as TLS does; a name or a line in clear text does not.
            let secure = heard
                .iter()
                .all(|visit| visit.is_empty() || visit[0] == 22 || protocol == "ftps" && visit == b"AUTH TLS\r\n");
            match success || told(&heard) || !secure || said.contains("it came through") {
                true => tally.fail(row, format!("{name}: {said:?} {heard:?}")),
                false => tally.refused(row),
            }
        }
    }
}

/// Protocols that begin in clear text and become secure: servers that will not are told nothing.
pub fn stripped(tally: &Tally) {
    for refusal in ["500 what?", "502 not here", "534 no", "431 no", "220 ready", "garbage"] {
        let home = tempfile::tempdir().unwrap();
        let reply = format!("{refusal}\r\n");
        let said = reply.clone();
        let host = Host::ftp(move |verb, _, _| (verb == "AUTH").then(|| Said::Reply(said.clone().into_bytes())));
        let url = format!("ftp://user:{SECRET}@127.0.0.1:{}/{SECRET}", host.port);
        let run = piped(home.path()).args(["-o", "ftp.tls=always", "--timeout", "5", "--dump", &url]).output().unwrap();
        let row = (PROMISE, "ftp", "TLS taken back");
        tally.hold(row, !run.status.success() && !told(&host.heard()), || refusal.into());
        let host = Host::news(move |line, _| (line == "STARTTLS").then(|| reply.clone().into_bytes()));
        let url = format!("news://user:{SECRET}@127.0.0.1:{}/{SECRET}", host.port);
        let run =
            piped(home.path()).args(["-o", "news.starttls=true", "--timeout", "5", "--dump", &url]).output().unwrap();
        let row = (PROMISE, "news", "TLS taken back");
        tally.hold(row, !run.status.success() && !told(&host.heard()), || refusal.into());
    }
    // From the secure web to the clear one is where others lead; what was secret does not go along.
    let clear = Arc::new(Host::web(|_, _| page("Content-Type: text/plain\r\n", "text")));
    let to = format!("http://127.0.0.1:{}/x", clear.port);
    let host = Host::web(move |_, _| {
        format!("HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: {to}\r\n\r\n").into_bytes()
    });
    let home = tempfile::tempdir().unwrap();
    let url = format!("http://user:{SECRET}@127.0.0.1:{}/x", host.port);
    let _ = piped(home.path()).args(["--dump", &url]).output().unwrap();
    let heard = clear.heard().concat();
    let authorised = String::from_utf8_lossy(&heard).to_ascii_lowercase().contains("authorization");
    tally.hold((PROMISE, "http", "login to another place"), !authorised, || "the login went along".into());
}

/// Lines that somebody on the way puts behind the promise of TLS, in the same segment: nobody may take them for what comes over
/// TLS.
pub fn injected(tally: &Tally) {
    let tls = certificate(&["127.0.0.1"], false, false);
    for lines in ["281 injected\r\n", "211 1 1 1 injected\r\n", "281 injected\r\n211 1 1 1 injected\r\n", "injec"] {
        let (secure, home) = (Arc::clone(&tls), tempfile::tempdir().unwrap());
        let host = Host::start(move |visit| {
            visit.say("200 ready\r\n");
            while let Some(line) = visit.line() {
                if line == "STARTTLS" {
                    visit.say(format!("382 go on\r\n{lines}"));
                    visit.secure(Arc::clone(&secure));
                    return serve_news(visit, &|line, _| line.is_empty().then(Vec::new));
                }
                visit.say("200 go on\r\n");
            }
        });
        let url = format!("news://user:{SECRET}@127.0.0.1:{}/{SECRET}", host.port);
        let run =
            piped(home.path()).args(["-o", "news.starttls=true", "--timeout", "5", "--dump", &url]).output().unwrap();
        let said = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
        let row = (PROMISE, "news", "lines behind the promise");
        match told(&host.heard()) || said.contains("injected") {
            true => tally.fail(row, format!("{lines:?}: {said}")),
            false => tally.refused(row),
        }
    }
    for lines in ["331 injected\r\n230 injected\r\n", "230-injected\r\n230 in\r\n", "injec"] {
        let (secure, home) = (Arc::clone(&tls), tempfile::tempdir().unwrap());
        let host = Host::start(move |visit| {
            visit.say("220 ready\r\n");
            if visit.line().as_deref() == Some("AUTH TLS") {
                visit.say(format!("234 go on\r\n{lines}"));
                visit.secure(Arc::clone(&secure));
                serve_ftp(visit, &|verb, _, _| match verb {
                    "" => Some(Said::Reply(Vec::new())),
                    "PBSZ" | "PROT" => Some(Said::Reply(b"200 so be it\r\n".to_vec())),
                    _ => None,
                });
            }
        });
        let url = format!("ftps://user:{SECRET}@127.0.0.1:{}/{SECRET}", host.port);
        for how in ["--dump", "--head"] {
            let run = piped(home.path()).args(["--timeout", "5", how, &url]).output().unwrap();
            let said = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
            let row = (PROMISE, "ftp", "lines behind the promise");
            tally.hold(row, !said.contains("injec"), || format!("{lines:?}: {said}"));
        }
    }
}
