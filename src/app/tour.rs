//! Places of the tour: `about:tour` and what its servers have, which are there for a time only and on ports of this run only. So
//! no visit of them is kept, nothing that was chosen there is either, and a session that is kept has `about:tour` in their place.

use crate::app::state::desk::{HOST, is_of_tour, is_tour};
use crate::app::{App, Effect, Kept, SiteChoice, Tab};

/// The page that opens the tour.
pub(super) const PAGE: &str = "about:tour";

impl App {
    /// Whether some tab is in the tour, or can go back or forward to it.
    pub fn is_touring(&self) -> bool {
        self.tabs().any(|tab| {
            let coming = tab.loading.as_ref().map(|loading| &loading.request.url);
            let mut places = tab.history.iter().map(|entry| &entry.url).chain(coming);
            places.any(|url| is_tour(url) || is_of_tour(&self.desk.tour, url))
        })
    }

    /// The ports of 127.0.0.1 on which the servers of the tour listen, or did in this run.
    pub fn tour_ports(&self) -> &[u16] {
        &self.desk.tour
    }

    /// Whether a news server is the tour's, by its name.
    pub fn is_of_tour(&self, server: &str) -> bool {
        self.desk.tour.iter().any(|port| server == format!("{HOST}:{port}"))
    }
}

/// Learns on which ports the servers of the tour listen. No proxy knows the way to them.
pub(super) fn listen(app: &mut App, ports: Vec<u16>) {
    ports.iter().for_each(|port| app.desk.settings.http.proxies.spare(&format!("{HOST}:{port}")));
    app.desk.tour = ports;
}

/// Whether what a tab shows is on one of the servers of the tour.
pub(super) fn is_in(ports: &[u16], tab: &Tab) -> bool {
    tab.entry().is_some_and(|entry| is_of_tour(ports, &entry.url))
}

/// Whether an effect would keep what the reader chose for a host, in whose place another one may be the next time.
pub(super) fn is_choice(effect: &Effect) -> bool {
    let Effect::Keep(Kept::Site { choice, .. }) = effect else { return false };
    matches!(
        choice,
        SiteChoice::Charset(_)
            | SiteChoice::Order(_)
            | SiteChoice::Reader(_)
            | SiteChoice::Measure(_)
            | SiteChoice::Hidden(_)
            | SiteChoice::Owners(_)
            | SiteChoice::Show(_)
            | SiteChoice::Listing(_)
            | SiteChoice::Visit(_)
    )
}
