//! The tour of this run (`about:tour`): its servers are opened with that page and closed when no tab leads back to them. Who comes
//! to one of their addresses later (a tab that was closed and is opened again) finds them open again, if its ports are free.

use crate::app::App;
use crate::config::Http;
use crate::format::media;
use crate::proto::http::Web;
use crate::proto::tls::Tls;
use crate::proto::{Context, End, Exchange, FetchError, Head, Kind, Request, Verdict};
use crate::tour::{Doors, Tour};
use crate::url::Url;
use std::net::Ipv4Addr;
use tokio::sync::Mutex;

const PAGE: &str = include_str!("../../assets/about/tour.txt");

/// The tour of this run.
pub(super) struct RunningTour {
    state: Mutex<State>,
    /// For fetches from its servers: no proxy is asked, and what they do leaves nothing on disk, their keys neither.
    context: Context,
}

#[derive(Default)]
struct State {
    /// The servers, while they run.
    tour: Option<Tour>,
    /// Where they listen, or did last.
    doors: Option<Doors>,
}

impl RunningTour {
    /// A tour that nobody has begun.
    pub(super) fn new(context: &Context) -> RunningTour {
        let settings = &context.http.settings;
        let settings = Http { proxy: Some(String::new()), proxies: Default::default(), ..settings.clone() };
        let context = Context {
            http: Web::new(settings, None),
            tls: Tls::default(),
            kept: Default::default(),
            ..context.clone()
        };
        RunningTour { state: Mutex::default(), context }
    }

    /// Closes the servers when no tab leads to them. Which ports are theirs, when the browser does not know it.
    pub(super) fn tend(&self, app: &App) -> Option<Vec<u16>> {
        // Somebody who opens them is not gone.
        let mut state = self.state.try_lock().ok()?;
        let ports = state.doors?.ports();
        if app.tour_ports() != ports {
            return Some(ports.to_vec());
        }
        if state.tour.is_some() && !app.is_touring() {
            state.tour = None;
        }
        None
    }

    /// Answers `about:tour`: opens the servers, on the same ports as before if they are free.
    pub(super) async fn page(&self, request: &Request, exchange: &mut Exchange) -> Result<End, FetchError> {
        let doors = self.open().await.map_err(|error| {
            FetchError::new(Kind::Refused, format!("The servers of the tour cannot be started: {error}."))
                .tried("ports of 127.0.0.1 that are free")
                .hint("Whether a program may listen on this machine is for whoever looks after it to say.")
        })?;
        let text = doors.fill(PAGE);
        let head = Head {
            charset: Some("utf-8".into()),
            length: Some(text.len() as u64),
            title: Some("The tour".into()),
            ..Head::new(request.url.without_fragment(), request.media.as_deref().unwrap_or(media::OWN))
        };
        if exchange.head(head).await? == Verdict::Accept {
            exchange.body(text.into()).await?;
        }
        Ok(End::default())
    }

    async fn open(&self) -> std::io::Result<Doors> {
        let mut state = self.state.lock().await;
        if let Some(tour) = &state.tour {
            return Ok(tour.doors());
        }
        let same = match state.doors {
            Some(doors) => Tour::open_at(doors).await.ok(),
            None => None,
        };
        let tour = match same {
            Some(tour) => tour,
            None => Tour::open().await?,
        };
        let doors = tour.doors();
        *state = State { tour: Some(tour), doors: Some(doors) };
        Ok(doors)
    }

    /// With what a URL is fetched that is a place of the tour, whose servers run then; `None` for any other URL.
    pub(super) async fn context_of(&self, url: &Url) -> Result<Option<&Context>, FetchError> {
        let mut state = self.state.lock().await;
        let Some(doors) = state.doors.filter(|doors| leads_to(doors, url)) else { return Ok(None) };
        if state.tour.is_none() {
            let tour = Tour::open_at(doors).await.map_err(|error| {
                FetchError::new(
                    Kind::Refused,
                    format!("The tour has ended, and its servers cannot be started again: {error}."),
                )
                .hint("about:tour begins it anew.")
            })?;
            state.tour = Some(tour);
        }
        Ok(Some(&self.context))
    }
}

/// Whether a URL is on one of the servers.
fn leads_to(doors: &Doors, url: &Url) -> bool {
    url.host().is_some_and(|host| host.parse() == Ok(Ipv4Addr::LOCALHOST))
        && url.port().is_some_and(|port| doors.ports().contains(&port))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_tour_that_has_ended_goes_on_at_its_ports_or_says_that_they_are_taken() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let touring = RunningTour::new(&Context::default());
            let elsewhere = Url::parse("gopher://127.0.0.1:9/").unwrap();
            assert!(touring.context_of(&elsewhere).await.unwrap().is_none());
            let doors = touring.open().await.unwrap();
            let place = Url::parse(format!("gopher://127.0.0.1:{}/", doors.gopher)).unwrap();
            assert!(touring.context_of(&elsewhere).await.unwrap().is_none());
            for _ in 0..2 {
                assert!(touring.context_of(&place).await.unwrap().is_some());
                assert!(touring.state.lock().await.tour.take().is_some());
                // What is dropped goes when its turn comes.
                tokio::task::yield_now().await;
            }
            // A child that another test has just begun may hold the port for a moment.
            let mut taken = None;
            while taken.is_none() {
                taken = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, doors.gopher)).await.ok();
            }
            let error = touring.context_of(&place).await.unwrap_err();
            assert_eq!(error.kind, Kind::Refused);
            assert!(error.detail.starts_with("The tour has ended"), "{}", error.detail);
            // Begun anew, it is elsewhere.
            assert_ne!(touring.open().await.unwrap(), doors);
        });
    }
}
