//! `about:certificates`: the reader's own certificates, where they are shown, and the links that make, show and forget them.
//!
//! What such a link asks for was agreed to before it comes here (`url/scheme/about.rs` has the questions). What is done
//! leads on at once, so that no page is left that would do it again. Refuses: telling a key.

use super::identities::{Identity, Known};
use super::net::wire_name;
use super::{Again, Context, End, Exchange, FetchError, Head, Kind, Moved, Request, Verdict, tls};
use crate::format::media;
use crate::url::scheme::about::{Certificates, Place, SHORT};
use crate::url::{Url, UrlError};

/// Shows what is asked for, or does it.
pub(super) async fn fetch(
    asked: Certificates,
    request: &Request,
    exchange: &mut Exchange,
    context: &Context,
) -> Result<End, FetchError> {
    // Keys take a while to make, and files to read.
    let own = context.clone();
    let done = tokio::task::spawn_blocking(move || act(asked, &own)).await;
    let failed = |words: String| FetchError::new(Kind::Said, words);
    match done.map_err(|error| failed(error.to_string()))?? {
        Done::Page(text) => {
            let head = Head {
                charset: Some("utf-8".into()),
                length: Some(text.len() as u64),
                title: Some("Certificates".into()),
                ..Head::new(request.url.without_fragment(), request.media.as_deref().unwrap_or(media::OWN))
            };
            if exchange.head(head).await? == Verdict::Accept {
                exchange.body(text.into_bytes()).await?;
            }
        }
        Done::On(to) => {
            let moved = Moved {
                from: request.url.without_fragment(),
                to: to.as_str().into(),
                status: "done".into(),
                again: Again::Get,
                unkept: false,
            };
            exchange.moved(moved).await?;
        }
    }
    Ok(End::default())
}

enum Done {
    Page(String),
    On(Url),
}

fn act(asked: Certificates, context: &Context) -> Result<Done, FetchError> {
    let identities = &context.identities;
    let failed = |words: String| FetchError::new(Kind::Said, words);
    Ok(match asked {
        Certificates::List => Done::Page(list(&identities.known().map_err(failed)?)?),
        Certificates::For(url) => Done::Page(choice(&identities.known().map_err(failed)?, &url)?),
        Certificates::Unnamed(place) => {
            let asks = format!("Name on the certificate for {}", place.shown());
            return Err(FetchError::new(Kind::NeedsWords, asks)
                .hint("Whoever runs the server sees the name; it need not be your own."));
        }
        Certificates::Make(name, place) => {
            let made = identities.make(&name).map_err(failed)?;
            identities.show(&server(&place.url)?, &place.below, &made.certificate.fingerprint);
            Done::On(place.url)
        }
        Certificates::Use(fingerprint, place) => {
            let known = identities.known().map_err(failed)?;
            let Some(identity) = known.identity(&fingerprint) else {
                return Err(FetchError::new(Kind::NotFound, "You have no such certificate."));
            };
            identities.show(&server(&place.url)?, &place.below, &identity.certificate.fingerprint);
            Done::On(place.url)
        }
        Certificates::Leave(place) => {
            identities.leave(&server(&place.url)?, &place.below);
            Done::On(Certificates::List.url()?)
        }
        Certificates::Forget(fingerprint) => {
            identities.forget(&fingerprint);
            Done::On(Certificates::List.url()?)
        }
    })
}

/// A server as the pins name it.
fn server(url: &Url) -> Result<String, FetchError> {
    let port = url.port().unwrap_or_default();
    Ok(tls::who(&wire_name(url.host().unwrap_or_default())?, port))
}

/// All certificates.
fn list(known: &Known) -> Result<String, UrlError> {
    let mut text = String::from("# Your certificates\n\n");
    text.push_str(
        "Gemini servers that want to know you again ask for a certificate. Each is shown only where you chose to.\n\n",
    );
    if known.identities.is_empty() {
        text.push_str("You have none. The page that a server asks on leads to making one.\n");
    }
    for identity in &known.identities {
        let fingerprint = &identity.certificate.fingerprint;
        text.push_str(&format!("## {}\n\n", identity.name));
        text.push_str(&format!("made\t{}\nsha-256\t{fingerprint}\n\n", identity.since));
        for shown in known.shown.iter().filter(|shown| shown.fingerprint == *fingerprint) {
            let Ok(url) = Url::parse(format!("gemini://{}{}", shown.server, shown.path)) else { continue };
            let place = Place { url: url.clone(), below: shown.path.clone() };
            text.push_str(&format!("=> {url} shown to {}\n", place.shown()));
            text.push_str(&format!("=> {} Show it there no more\n", Certificates::Leave(place).url()?));
        }
        text.push_str(&format!("=> {} Forget {}\n\n", Certificates::Forget(fingerprint.clone()).url()?, identity.name));
    }
    Ok(text)
}

/// What may be shown to a place: to the folder that it is in, or to the whole server.
fn choice(known: &Known, url: &Url) -> Result<String, FetchError> {
    let url = url.without_fragment();
    let server = server(&url)?;
    let folder = url.path().rfind('/').map_or("/", |slash| &url.path()[..=slash]);
    let mut parts = vec!["/"];
    if folder != "/" && folder.bytes().all(|b| b.is_ascii_graphic()) {
        parts.insert(0, folder);
    }
    let mut text = format!("# A certificate for {}\n\n", url.host().unwrap_or_default());
    text.push_str("It is shown to this server only, and below the path that you choose. The server knows you again by it, and sees the name on it.\n\n");
    for path in parts {
        let place = Place { url: url.clone(), below: path.into() };
        text.push_str(&format!("## {}\n\n", place.shown()));
        let shown = known.shown.iter().find(|shown| shown.server == server && shown.path == path);
        let shown = shown.and_then(|shown| known.identity(&shown.fingerprint));
        if let Some(identity) = shown {
            text.push_str(&format!("{} is shown there.\n", called(identity)));
            text.push_str(&format!("=> {} Show it no more\n", Certificates::Leave(place.clone()).url()?));
        }
        text.push_str(&format!("=> {} Make a new one\n", Certificates::Unnamed(place.clone()).url()?));
        for identity in known.identities.iter().filter(|identity| Some(*identity) != shown) {
            let used = Certificates::Use(identity.certificate.fingerprint.clone(), place.clone());
            text.push_str(&format!("=> {} Show {}\n", used.url()?, called(identity)));
        }
        text.push('\n');
    }
    text.push_str("=> about:certificates All your certificates\n");
    Ok(text)
}

/// A certificate in a few words.
fn called(identity: &Identity) -> String {
    let Identity { name, certificate, since, .. } = identity;
    format!("\"{name}\", made {since}, {}…", certificate.fingerprint.chars().take(SHORT).collect::<String>())
}
