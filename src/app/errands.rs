//! Answers of the shell, to whom they belong: the number leads to the errand, the errand to the feature. What comes under a
//! number that nobody gave, or that was answered or given up, falls on the floor.

use crate::app::answers::lists;
use crate::app::forms::{gopher, web};
use crate::app::look::{editor, illustration, picture};
use crate::app::motion::{arrangement, links, marking, search};
use crate::app::navigation::{arrival, kept, part, pipe, programs, readme, reread, subscriptions, upload};
use crate::app::state::Cx;
use crate::app::state::jobs::{Errand, Printing};
use crate::app::transfer::recursive;
use crate::app::{
    App, Effect, JobId, Msg, NotWritten, Tab, Transfer, completion, internal, letters, names, news, transfer,
};
use crate::format::{Grown, Whole};
use crate::picture::Drawing;
use crate::proto::{End, FetchError, FetchEvent};
use crate::work::Product;
use std::time::Duration;

impl Errand {
    /// Whether it ends with its tab. Files, articles and drafts go on without it.
    pub(super) fn is_of_tab(&self) -> bool {
        match self {
            Errand::Page | Errand::Form(_) | Errand::Part(_) | Errand::Readme(_) | Errand::Later(_) => true,
            Errand::Linked(_) => true,
            Errand::FormFile(_) | Errand::Upload(_) | Errand::Send(_) | Errand::Compose(_) | Errand::Area(..) => true,
            Errand::VerifyTree(_) | Errand::SignTree(_) | Errand::Date(_) => false,
            Errand::Prepare | Errand::Verify(_) | Errand::Signed(_) | Errand::PutBy(_) | Errand::Subscription(_) => {
                false
            }
            Errand::Listing | Errand::Leaf | Errand::File | Errand::Post(_) | Errand::Names(_) | Errand::Import(_) => {
                false
            }
            Errand::Print(printing) => matches!(printing, Printing::Program(_)),
            Errand::Text(..) | Errand::Draft(_) | Errand::Named(_) | Errand::Drafts(_) | Errand::Collect(_) => false,
            Errand::SourceCopy | Errand::SourceFile => false,
            Errand::Arrangement
            | Errand::Picture
            | Errand::Illustration(_)
            | Errand::Decode
            | Errand::Match
            | Errand::Count
            | Errand::Links
            | Errand::Marking(..)
            | Errand::Folded
            | Errand::Reread(_)
            | Errand::Below(..) => true,
            Errand::Take(_) => true,
            // For whoever looks at the page: an editor opens for nobody else.
            Errand::Quote(..) => false,
            Errand::MailProgram(_) => false,
            Errand::Program | Errand::Removal(_) | Errand::Rows | Errand::Addresses | Errand::Visits => false,
            Errand::Trail(_) => false,
            Errand::Settings => false,
        }
    }
}

/// Whose a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// For the tab in view, or for no tab at all.
    Front,
    /// For a tab behind, by its place among those.
    Behind(usize),
    /// For nobody any more.
    Nobody,
}

/// Whose a message is, by its number.
pub(super) fn whose(app: &App, message: &Msg) -> Whose {
    let Some(id) = number(message) else { return Whose::Front };
    match app.jobs.get(id) {
        None => Whose::Nobody,
        Some(job) if !job.errand.is_of_tab() || job.tab == app.tab.id => Whose::Front,
        Some(job) => {
            let place = app.tabs.behind.iter().position(|tab| tab.id == job.tab);
            place.map_or(Whose::Nobody, Whose::Behind)
        }
    }
}

/// The number under which a message answers; none where nobody asked.
fn number(message: &Msg) -> Option<JobId> {
    match message {
        Msg::Fetch { id, .. } | Msg::Transfer { id, .. } => Some(*id),
        Msg::Grown { id, .. } | Msg::Whole { id, .. } | Msg::Worked { id, .. } => Some(*id),
        Msg::Ran { id, .. } | Msg::Wrote { id, .. } | Msg::Removed { id, .. } | Msg::Read { id, .. } => Some(*id),
        Msg::Settings { id, .. } | Msg::Prepared { id, .. } | Msg::Dated { id, .. } => Some(*id),
        Msg::Summed { id, .. } | Msg::SummedTree { id, .. } => Some(*id),
        Msg::Choices(_) | Msg::Remembered(_) | Msg::Open { .. } | Msg::Resume { .. } | Msg::Go(_) | Msg::Handed(_) => {
            None
        }
        Msg::Command(_) | Msg::Key(_) | Msg::Mouse(..) | Msg::Paste(_) | Msg::Resize(..) | Msg::Graphics(..) => None,
        Msg::Clock(_) | Msg::Rest | Msg::Tour(_) | Msg::Cookies { .. } | Msg::Complaint(_) | Msg::Known { .. } => None,
        Msg::Said(_) | Msg::Terminate => None,
    }
}

/// Takes a message that answers something.
pub(super) fn take(cx: &mut Cx<'_>, message: Msg) -> Vec<Effect> {
    match message {
        Msg::Fetch { id, elapsed, event } => fetched(cx, id, elapsed, event),
        Msg::Transfer { id, elapsed, transfer } => transferred(cx, id, elapsed, transfer),
        Msg::Ran { id, result } => ran(cx, id, result),
        Msg::Wrote { id, result } => wrote(cx, id, result),
        Msg::Prepared { id, there } => {
            cx.jobs.end(id);
            recursive::prepared(cx, id, there)
        }
        Msg::Dated { id, remarks } => match cx.jobs.end(id) {
            Some(Errand::Date(number)) => recursive::dated(cx, number, remarks),
            _ => Vec::new(),
        },
        Msg::Removed { id, result } => removed(cx, id, result),
        Msg::Summed { id, result } => transfer::verify::summed(cx, id, result),
        Msg::SummedTree { id, result } => transfer::verify::tree::summed(cx, id, result),
        Msg::Read { id, content } => read(cx, id, content),
        Msg::Settings { id, file, remark } => {
            cx.jobs.end(id);
            internal::settings::looked(cx, id, file, remark);
            Vec::new()
        }
        Msg::Grown { id, elapsed, page } => grown(cx, id, elapsed, *page),
        Msg::Whole { id, elapsed, page, end } => whole(cx, id, elapsed, *page, end),
        Msg::Worked { id, product } => worked(cx, id, product),
        _ => Vec::new(),
    }
}

/// What a fetch says.
fn fetched(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    let Some(job) = cx.jobs.get(id) else { return Vec::new() };
    let last =
        matches!(event, FetchEvent::End(_) | FetchEvent::Failed(_) | FetchEvent::Moved(_) | FetchEvent::Unchanged);
    let effects = match job.errand {
        Errand::PutBy(drops) => kept::put_by(cx, id, drops, event),
        Errand::Linked(page) => kept::linking(cx, id, page, event),
        Errand::Subscription(back) => subscriptions::told(cx, id, back, event),
        Errand::Page => arrival::event(cx, id, elapsed, event),
        Errand::Form(_) => gopher::event(cx, id, event),
        Errand::Part(_) => part::event(cx, id, event),
        Errand::Readme(_) => readme::event(cx, id, event),
        Errand::Illustration(_) => illustration::event(cx, id, event),
        Errand::Verify(_) => transfer::verify::event(cx, id, event),
        Errand::SignTree(_) => transfer::verify::tree::event(cx, id, event),
        Errand::Signed(_) => transfer::article::event(cx, id, event),
        Errand::Later(_) => news::fetched(cx, id, event),
        Errand::Listing => recursive::event(cx, id, event),
        Errand::Leaf => recursive::tree_event(cx, id, elapsed, event),
        Errand::File => return transfer::event(cx, id, elapsed, event),
        Errand::Post(_) => letters::event(cx, id, event),
        Errand::Collect(_) => transfer::mailbox::event(cx, id, event),
        // Nothing of the others is fetched.
        _ => Vec::new(),
    };
    if last {
        cx.jobs.end(id);
    }
    effects
}

/// A page that is being read has more to show.
fn grown(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, page: Grown) -> Vec<Effect> {
    match cx.jobs.get(id).map(|job| &job.errand) {
        Some(Errand::Page) => arrival::grown(cx, id, elapsed, page),
        _ => Vec::new(),
    }
}

/// A page was read to its end.
fn whole(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, page: Whole, end: Result<End, FetchError>) -> Vec<Effect> {
    match cx.jobs.end(id) {
        Some(Errand::Page) => arrival::whole(cx, id, elapsed, page, end),
        _ => Vec::new(),
    }
}

/// What takes long is done.
fn worked(cx: &mut Cx<'_>, id: JobId, product: Product) -> Vec<Effect> {
    match (cx.jobs.end(id), product) {
        (Some(Errand::Arrangement), Product::Arranged(plan)) => arrangement::arranged(cx, id, *plan),
        (Some(Errand::Picture), Product::Drawn(drawing)) => drawn(cx, id, drawing),
        (Some(Errand::Decode), Product::Decoded(picture)) => illustration::decoded(cx, id, picture),
        (Some(errand), Product::Broken) => broken(cx, id, &errand),
        (Some(Errand::Match), Product::Found(hit)) => return search::sought(cx, id, hit),
        (Some(Errand::Count), Product::Counted(starts)) => search::counted(cx, id, &starts),
        (Some(Errand::Links), Product::Linked(links)) => links::found(cx, id, &links),
        (Some(Errand::Marking(document, how)), Product::Linked(links)) => marking::found(cx, &document, how, &links),
        (Some(Errand::Folded), Product::Counted(starts)) => {
            return search::open_where(cx, id, &starts).into_iter().collect();
        }
        (Some(Errand::Addresses), Product::Offered(offered)) => completion::offered(cx, id, *offered),
        (Some(Errand::Rows), Product::Narrowed(rows)) => lists::narrowed(cx, id, &rows),
        (Some(Errand::Trail(path)), Product::Tracked(trail)) => return internal::trail::tracked(cx, id, path, *trail),
        (Some(Errand::Visits), Product::Listed(listing)) => internal::history::listed(cx, id, &listing),
        (Some(Errand::Below(before, readme, said)), Product::Appended(document)) => {
            return readme::appended(cx, &before, readme, said, document);
        }
        (Some(Errand::Reread(reread)), Product::Read(whole)) => {
            return reread::reread(cx, *reread, whole.map(|w| *w));
        }
        (Some(Errand::Print(Printing::File(path))), Product::Printed(text)) => return transfer::write(cx, path, text),
        (Some(Errand::Print(Printing::Program(program))), Product::Printed(text)) => {
            return pipe::printed(cx, id, program, text);
        }
        (Some(Errand::Take(taking)), Product::Taken(taken)) => return part::taken(cx, id, *taking, taken),
        (Some(Errand::Quote(page, answer)), Product::Quoted(original)) => {
            return letters::quoted(cx, page, answer, original.map(|original| *original));
        }
        _ => {}
    }
    Vec::new()
}

fn drawn(cx: &mut Cx<'_>, id: JobId, drawing: Option<Drawing>) {
    picture::drawn(cx, id, drawing.clone());
    illustration::drawn(cx, id, drawing);
}

/// Work has ended by a fault of this program: whoever waits for it waits no longer.
fn broken(cx: &mut Cx<'_>, id: JobId, errand: &Errand) {
    const SENTENCE: &str = "A fault of this program stopped that; nothing else is lost.";
    match errand {
        Errand::Picture => drawn(cx, id, None),
        Errand::Decode => return illustration::decoded(cx, id, Err(SENTENCE.into())),
        Errand::Arrangement => arrangement::failed(cx, id),
        Errand::Match => search::forsaken(cx, id),
        _ => {}
    }
    cx.complain(SENTENCE);
}

/// How far a body has come on its way into a file.
fn transferred(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, transfer: Transfer) -> Vec<Effect> {
    match cx.jobs.get(id).map(|job| &job.errand) {
        Some(Errand::Leaf) => recursive::tree_transfer(cx, id, elapsed, transfer),
        Some(Errand::File) => transfer::transfer(cx, id, elapsed, transfer),
        _ => Vec::new(),
    }
}

/// A program has ended.
fn ran(cx: &mut Cx<'_>, id: JobId, result: Result<(), String>) -> Vec<Effect> {
    let mut effects = match (cx.jobs.end(id), result) {
        (Some(Errand::Area(spot, Some(path))), result) => web::edited(cx, spot, path, result),
        (Some(Errand::Draft(letter)), result) => letters::edited(cx, *letter, result),
        (Some(Errand::Compose(sending)), result) => upload::edited(cx, *sending, result),
        (Some(Errand::MailProgram(url)), Err(sentence)) => {
            programs::no_mail(cx, url, sentence);
            Vec::new()
        }
        (Some(Errand::SourceFile), result) => editor::edited_file(cx, result),
        (Some(Errand::SourceCopy), result) => editor::edited_copy(cx, result),
        (_, Err(sentence)) => {
            cx.complain(sentence);
            Vec::new()
        }
        (_, Ok(())) => Vec::new(),
    };
    effects.push(Effect::Redraw);
    effects
}

/// A file was written, or not.
fn wrote(cx: &mut Cx<'_>, id: JobId, result: Result<String, NotWritten>) -> Vec<Effect> {
    match cx.jobs.end(id) {
        Some(Errand::Area(spot, _)) => web::wrote(cx, spot, result),
        Some(Errand::Draft(letter)) => letters::wrote(cx, *letter, result),
        Some(Errand::Compose(sending)) => upload::wrote(cx, *sending, result),
        Some(Errand::Named(letter)) => letters::named(cx, *letter, result),
        Some(Errand::SourceCopy) => editor::wrote(cx, result),
        Some(Errand::Text(path, content)) => transfer::wrote(cx, path, content, result),
        Some(Errand::Signed(text)) => transfer::article::wrote(cx, text, result),
        Some(Errand::Verify(check)) => transfer::verify::wrote(cx, *check, result),
        Some(Errand::SignTree(lists)) => transfer::verify::tree::wrote(cx, lists, result),
        _ => Vec::new(),
    }
}

/// A file was removed, or not.
fn removed(cx: &mut Cx<'_>, id: JobId, result: Result<(), String>) -> Vec<Effect> {
    if let (Some(_), Err(sentence)) = (cx.jobs.end(id), result) {
        cx.complain(sentence);
    }
    Vec::new()
}

/// A file has been read, or not.
fn read(cx: &mut Cx<'_>, id: JobId, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    match cx.jobs.end(id) {
        Some(Errand::FormFile(form)) => gopher::read(cx, form, content),
        Some(Errand::Upload(uploading)) => web::upload_read(cx, *uploading, content),
        Some(Errand::Send(sending)) => upload::read(cx, *sending, content),
        Some(Errand::Names(folder)) => names::listed(cx, &folder, content),
        Some(Errand::Import(path)) => internal::bookmarks::import(cx, &path, content),
        Some(Errand::Area(spot, Some(path))) => web::area_read(cx, spot, path, content),
        Some(Errand::Draft(letter)) => letters::read(cx, *letter, content),
        Some(Errand::Drafts(drafts)) => letters::drafts::read(cx, drafts, content),
        _ => Vec::new(),
    }
}

/// Gives up what is asked for a tab that is closed.
pub(super) fn give_up(app: &mut App, tab: &Tab) -> Vec<Effect> {
    app.jobs.all_of(tab.id, Errand::is_of_tab).into_iter().map(Effect::Cancel).collect()
}

/// Numbers that are given up with these effects are not answered any more.
pub(super) fn settle(app: &mut App, effects: &[Effect]) {
    for effect in effects {
        match effect {
            Effect::Cancel(id) | Effect::Verdict { id, verdict: crate::proto::Verdict::Refuse } => {
                app.jobs.end(*id);
            }
            _ => {}
        }
    }
}
