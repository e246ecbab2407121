//! What earlier runs have left for this one. It comes before the first page is opened.

use crate::app::{App, Remembered, help, letters, session, transfer};

/// Takes it over. Nothing is fetched yet.
pub(super) fn take(app: &mut App, remembered: Remembered) {
    app.desk.words = remembered.words;
    app.desk.charsets = remembered.charsets;
    app.desk.orders = remembered.orders;
    app.desk.listings = remembered.listings;
    app.desk.reader = remembered.reader;
    app.desk.unmeasured = remembered.unmeasured;
    app.desk.hidden = remembered.hidden;
    app.desk.owners = remembered.owners;
    app.library.marks = remembered.marks;
    app.news.listed = remembered.listed;
    app.news.shows = remembered.shows;
    transfer::restore(&mut app.cx(), remembered.downloads);
    app.library.visits_coming = remembered.visits_coming;
    app.desk.greets |= remembered.greets;
    app.library.last = remembered.last;
    session::restore(app, remembered.session);
    letters::drafts::mention(&mut app.cx());
    remembered.remarks.into_iter().for_each(|remark| app.complain(remark));
    // Before the reader does anything, nothing of theirs can be in the way.
    app.hands.act(true);
    if !remembered.damage.is_empty() {
        let end = "Everything else of the tabs that was kept counts.";
        help::mistakes(&mut app.cx(), "What was wrong with the tabs of the last time", &remembered.damage, end);
    }
    if !remembered.mistakes.is_empty() {
        let end = "Everything else in these files counts. --check-config shows this list again.";
        help::mistakes(&mut app.cx(), "Mistakes in your files", &remembered.mistakes, end);
    }
}
