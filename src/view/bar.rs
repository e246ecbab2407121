//! The status bar: the URL in its parts, and how the page stands.

use super::canvas::{Canvas, ELLIPSIS, both_ends};
use crate::app::status::{self, RowCount};
use crate::app::{App, Entry, Loading, Meaning, Page, PageState, Spot};
use crate::doc::{cells, columns, ending, sanitise};
use crate::format::{count, human};
use crate::proto::Stage;
use crate::role::Role;
use crate::url::scheme::{self, Part, PartKind};
use ratatui::layout::Rect;

/// Draws the bar.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    canvas.fill(area, Role::Bar);
    canvas.spots.mark(area, Spot::Bar);
    if area.height == 0 || area.width < 2 {
        return;
    }
    let right = match (&app.tab.loading, app.entry()) {
        (Some(loading), _) => of_loading(loading),
        (None, Some(entry)) => of_entry(app, entry),
        (None, None) => Vec::new(),
    };
    let left = of_url(status::parts(app.sight()));
    let mut pieces = Pieces { pieces: left, split: 0, unicode: canvas.theme.unicode };
    pieces.pieces.extend(status::article(app.sight()).map(|place| piece(place, Role::BarName, Rank::Extra)));
    pieces.split = pieces.pieces.len();
    pieces.pieces.extend(app.tab.private.then(|| piece("private", Role::BarStage, Rank::Saving)));
    pieces.pieces.extend(app.choices().offline.then(|| piece("offline", Role::BarStage, Rank::Offline)));
    pieces.pieces.extend(right);
    pieces.fit(usize::from(area.width) - 2);
    pieces.draw(canvas, area);
}

/// A row that says what a typed address means: a URL in its parts as in the bar, and at the right why.
pub fn meaning(canvas: &mut Canvas<'_>, area: Rect, meaning: &Meaning) {
    canvas.fill(area, Role::Bar);
    if area.width >= 2 {
        let (left, right) = match meaning {
            Meaning::Url { parts, note } => {
                let why = note.as_ref().map(|note| piece(sanitise(note), Role::BarBase, Rank::Base));
                (of_url(parts.clone()), why)
            }
            Meaning::Here(text) => (vec![piece(sanitise(text), Role::Bar, Rank::Extra)], None),
            Meaning::Nothing(why) => (vec![piece(sanitise(why), Role::BarBase, Rank::Extra)], None),
        };
        let mut pieces = Pieces { split: left.len(), pieces: left, unicode: canvas.theme.unicode };
        pieces.pieces.extend(right);
        pieces.fit(usize::from(area.width) - 2);
        pieces.draw(canvas, area);
    }
    // Its parts are no places to go to.
    canvas.spots.mark(area, Spot::Overlay);
}

/// A piece of the bar.
struct Piece {
    text: String,
    role: Role,
    rank: Rank,
    /// Columns between it and the piece before it; none in `user@host`.
    gap: usize,
    /// What is left of its text when room is short.
    short: Option<String>,
    /// How many names its text has as a path, before any are left out.
    levels: usize,
}

/// How many names a path has.
fn levels(path: &str) -> usize {
    path.split('/').filter(|name| !name.is_empty()).count()
}

/// What goes first on a narrow screen: notes on the page, then parts of the URL, the least telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Time,
    Size,
    Base,
    Totals,
    PortDefault,
    Item,
    Matches,
    Saving,
    Extra,
    /// A user that stands for anybody.
    Anybody,
    Place,
    Type,
    Fragment,
    Query,
    Marked,
    Path,
    Name,
    User,
    State,
    PortOdd,
    Member,
    /// Nobody is asked, and what is in view is a copy: without these the rest would say what is not true.
    Offline,
    Copy,
    Never,
}

impl Rank {
    /// Whether it is about the page and none of the URL's parts, and so never costs them a column.
    fn is_note(self) -> bool {
        self <= Rank::Item
    }

    /// Whether the piece is shortened before it is given up.
    fn shortens(self) -> bool {
        matches!(self, Rank::Path | Rank::Name | Rank::Member | Rank::Query | Rank::Fragment | Rank::Extra)
    }
}

fn piece(text: impl Into<String>, role: Role, rank: Rank) -> Piece {
    let text = text.into();
    Piece { levels: levels(&text), text, short: None, role, rank, gap: 2 }
}

/// One of which the beginning is left when room is short.
fn brief(text: String, until: char, rank: Rank) -> Piece {
    let short = text.split_once(until).map(|(first, _)| first.to_owned());
    Piece { short, ..piece(text, Role::BarStage, rank) }
}

/// The URL's parts, each in its look.
fn of_url(parts: Vec<Part>) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(parts.len());
    let mut credentials = false;
    let anybody = parts.iter().any(|part| part.kind == PartKind::User && part.text == "anonymous");
    let user = if anybody { Rank::Anybody } else { Rank::User };
    // A user is no part of what the web's addresses may be (RFC 1738, 3.3; D11).
    let of_the_web = parts.first().is_some_and(|scheme| scheme::is_of_the_web(&scheme.text));
    let login = |role| if of_the_web { Role::BarWarning } else { role };
    for Part { kind, text, .. } in parts {
        let (text, role, rank) = match kind {
            PartKind::Scheme => (text, Role::BarScheme, Rank::Never),
            PartKind::User => (text, login(Role::BarUser), user),
            PartKind::Password => (format!(":{text}"), login(Role::BarPassword), user),
            PartKind::Host => (text, Role::BarHost, Rank::Never),
            PartKind::PortDefault => (format!(":{text}"), Role::BarPortDefault, Rank::PortDefault),
            PartKind::PortOdd => (format!(":{text}"), Role::BarPortOdd, Rank::PortOdd),
            PartKind::Type => (text, Role::BarType, Rank::Type),
            // The second path of an address is that in an archive, and tells more than where that lies.
            PartKind::Path if pieces.iter().any(|piece: &Piece| piece.rank == Rank::Path) => {
                (text, Role::BarPath, Rank::Member)
            }
            PartKind::Path => (text, Role::BarPath, Rank::Path),
            PartKind::Name => (text, Role::BarName, Rank::Name),
            PartKind::Query => (format!("?{text}"), Role::BarQuery, Rank::Query),
            PartKind::Extra => (text, Role::BarQuery, Rank::Extra),
            PartKind::Fragment => (format!("#{text}"), Role::BarFragment, Rank::Fragment),
        };
        if kind == PartKind::Host && credentials {
            pieces.push(Piece { gap: 0, ..piece("@", login(Role::BarUser), user) });
        }
        let gap = match kind {
            PartKind::Password => 0,
            PartKind::Host if credentials => 0,
            PartKind::PortDefault | PartKind::PortOdd => 1,
            _ => 2,
        };
        credentials = matches!(kind, PartKind::User | PartKind::Password);
        pieces.push(Piece { gap, ..piece(text, role, rank) });
    }
    pieces
}

fn of_loading(loading: &Loading) -> Vec<Piece> {
    let stage = match (&loading.head, loading.stage) {
        (Some(_), _) => "answered",
        (None, None) => "starting",
        (None, Some(Stage::Queued)) => "waiting for a free connection",
        (None, Some(Stage::Resolving)) => "resolving",
        (None, Some(Stage::Connecting)) => "connecting",
        (None, Some(Stage::Securing)) => "securing",
        (None, Some(Stage::Asking)) => "asking",
        (None, Some(Stage::Sending(sent, all))) => &format!("uploading {} of {}", human(sent), human(all)),
        (None, Some(Stage::Waiting)) => "waiting",
    };
    vec![piece(stage, Role::BarStage, Rank::State)]
}

fn of_entry(app: &App, entry: &Entry) -> Vec<Piece> {
    let base = match entry.bases.effective() {
        Some((layer, base)) if base.has_hierarchy() => layer.name(),
        Some(_) => "none (opaque)",
        None => "none",
    };
    let item = status::item(app.sight()).map(|text| piece(text, Role::BarPlace, Rank::Item));
    let mut pieces: Vec<Piece> = item.into_iter().collect();
    pieces.push(piece(format!("base: {base}"), Role::BarBase, Rank::Base));
    pieces.extend(status::saving(app.sight()).map(|text| piece(text, Role::BarStage, Rank::Saving)));
    let Some(page) = &entry.page else { return pieces };
    pieces.extend(of_rows(page));
    pieces.extend(status::unread(page).map(|text| piece(text, Role::BarPlace, Rank::Totals)));
    pieces.extend(status::marked(app.sight()).map(|text| brief(text, ',', Rank::Marked)));
    pieces.extend(of_search(app));
    let kept = status::kept(app.sight(), page);
    pieces.extend(kept.map(|(text, short)| Piece { short: Some(short), ..piece(text, Role::BarStage, Rank::Copy) }));
    pieces.extend(of_state(page));
    let place = app.sight().position().map(|place| place.to_string());
    pieces.extend(place.map(|place| piece(place, Role::BarPlace, Rank::Place)));
    if !page.is_error() && page.state != PageState::Arriving {
        pieces.push(piece(human(page.received), Role::BarPlace, Rank::Size));
        pieces.push(piece(status::span(page.elapsed), Role::BarPlace, Rank::Time));
    }
    pieces
}

/// How many rows there are and what they come to; with a filter, how many of them are shown.
fn of_rows(page: &Page) -> Option<Piece> {
    match status::rows(page)? {
        RowCount::All(text) => Some(piece(text, Role::BarPlace, Rank::Totals)),
        RowCount::Some(text) => Some(piece(text, Role::BarStage, Rank::Matches)),
    }
}

/// The match the reader stands on and how many there are: `3/17`, `3/17+` while they are still being counted.
fn of_search(app: &App) -> Option<Piece> {
    let matches = app.tab.search.as_ref().and(app.tab.matches.as_ref())?;
    let more = if matches.complete { "" } else { "+" };
    let all = count(matches.starts.len());
    let text = match &app.tab.found {
        Some(found) => {
            let at = matches.starts.partition_point(|start| (*start as usize) <= found.start);
            format!("{}/{all}{more}", count(at))
        }
        None => format!("{all}{more} found"),
    };
    Some(piece(text, Role::BarStage, Rank::Matches))
}

/// What is unusual about the page.
fn of_state(page: &Page) -> Vec<Piece> {
    let failed = |text: String| vec![piece(text, Role::BarError, Rank::State)];
    match &page.state {
        PageState::Complete => {
            let status = page.head.status.as_deref().map(|status| sanitise(status).into_owned());
            let copy = page.head.offered.map(|_| piece("copy kept", Role::BarStage, Rank::State));
            return status.map_or_else(Vec::new, failed).into_iter().chain(copy).collect();
        }
        PageState::Stopped => return failed("stopped".into()),
        // It is said how old it is, and below the last line why.
        PageState::Cut(_) if page.head.ahead.is_some() => return Vec::new(),
        PageState::Cut(_) => return failed("cut short".into()),
        PageState::Failed(_) => return failed("failed".into()),
        PageState::Arriving => {}
    }
    let mut pieces = vec![piece(human(page.received), Role::BarStage, Rank::State)];
    if let Some(length) = page.head.length {
        pieces.push(Piece { gap: 1, ..piece(format!("of {}", human(length)), Role::BarStage, Rank::Size) });
    }
    if page.elapsed.as_secs() >= 1
        && let Some(rate) = status::rate(page.received, page.elapsed)
    {
        pieces.push(piece(format!("{}/s", human(rate)), Role::BarStage, Rank::Time));
    }
    pieces
}

/// The columns before a piece, when the pieces of some ranks are shown.
fn gap(piece: &Piece, ranks: u32) -> usize {
    let user = ranks & (1 << Rank::User as u32 | 1 << Rank::Anybody as u32) != 0;
    if piece.gap == 0 && !user { 2 } else { piece.gap }
}

/// The bar's pieces; those from `split` on stand at the right.
struct Pieces {
    pieces: Vec<Piece>,
    split: usize,
    unicode: bool,
}

impl Pieces {
    /// Least columns to which a piece is shortened.
    const LEAST: usize = 12;

    /// Columns of the pieces whose ranks are in a set, those that can be shortened counted as `most` columns at most.
    fn width(&self, ranks: u32, most: usize) -> usize {
        let pieces = || self.pieces.iter().filter(|piece| ranks & 1 << piece.rank as u32 != 0);
        let text = |piece: &Piece| {
            let long = columns(&piece.text);
            match &piece.short {
                Some(short) if most < usize::MAX => columns(short),
                _ if piece.rank.shortens() => long.min(most),
                _ => long,
            }
        };
        pieces().map(text).sum::<usize>() + pieces().skip(1).map(|piece| gap(piece, ranks)).sum::<usize>()
    }

    /// Takes in what finds room, the most important first: a part of the URL counts for no more columns than it can be
    /// shortened to, notes come after all parts. Scheme and host stay, the host losing its beginning at last.
    fn fit(&mut self, width: usize) {
        let mut ranks: Vec<Rank> = self.pieces.iter().map(|piece| piece.rank).collect();
        ranks.sort();
        ranks.dedup();
        let mut chosen = 1 << Rank::Never as u32;
        let (parts, notes): (Vec<Rank>, Vec<Rank>) = ranks.into_iter().rev().partition(|rank| !rank.is_note());
        for (at, rank) in parts.iter().chain(&notes).enumerate() {
            if at == parts.len() {
                self.be_brief(chosen, width);
            }
            let with = chosen | 1 << *rank as u32;
            let gives = if *rank == Rank::Member { self.of_host() } else { 0 };
            if self.width(with, if rank.is_note() { usize::MAX } else { Self::LEAST }) <= width + gives {
                chosen = with;
            }
        }
        self.be_brief(chosen, width);
        let kept = |piece: &Piece| chosen & 1 << piece.rank as u32 != 0;
        self.split = self.pieces[..self.split].iter().filter(|piece| kept(piece)).count();
        self.pieces.retain(kept);
        self.pieces.iter_mut().for_each(|piece| piece.gap = gap(piece, chosen));
        self.shorten(width);
        let over = self.width(u32::MAX, usize::MAX).saturating_sub(width);
        let mark = self.ellipsis();
        if let Some(host) = self.pieces.iter_mut().find(|piece| piece.role == Role::BarHost).filter(|_| over > 0) {
            let keep = columns(&host.text).saturating_sub(over + 1);
            host.text = format!("{mark}{}", ending(&host.text, keep));
        }
    }

    /// Leaves the beginning of what can be brief, one after the other, until the pieces of these ranks find room.
    fn be_brief(&mut self, ranks: u32, width: usize) {
        for at in 0..self.pieces.len() {
            if self.width(ranks, usize::MAX) > width
                && let Some(short) = self.pieces[at].short.take()
            {
                self.pieces[at].text = short;
            }
        }
    }

    /// Columns that the host gives for what is in an archive.
    fn of_host(&self) -> usize {
        let host = self.pieces.iter().find(|piece| piece.role == Role::BarHost);
        host.map_or(0, |host| columns(&host.text).saturating_sub(Self::LEAST))
    }

    fn ellipsis(&self) -> &'static str {
        if self.unicode { ELLIPSIS.0 } else { ELLIPSIS.1 }
    }

    /// Takes columns from the longest piece that may be shortened, again and again.
    fn shorten(&mut self, width: usize) {
        for _ in 0..self.pieces.len() {
            let over = self.width(u32::MAX, usize::MAX).saturating_sub(width);
            let longest = self.pieces.iter_mut().filter(|piece| piece.rank.shortens());
            let Some(piece) = longest.max_by_key(|piece| columns(&piece.text)).filter(|_| over > 0) else { return };
            let long = columns(&piece.text);
            if long <= Self::LEAST {
                return;
            }
            let keep = long.saturating_sub(over).max(Self::LEAST);
            piece.text = both_ends(&piece.text, keep, ELLIPSIS, self.unicode);
        }
    }

    /// The parts of the bar for the mouse: a directory in the path leads there, the host to the root.
    fn mark(&self, canvas: &mut Canvas<'_>, place: Rect, piece: &Piece) {
        let spot = match piece.role {
            Role::BarHost => Spot::Host,
            Role::BarPath => {
                // Of an archive's path and its members' one leads on from the other.
                let after = self.pieces.iter().skip_while(|other| !std::ptr::eq(*other, piece)).skip(1);
                let below = after.map(|other| match other.role {
                    Role::BarPath => other.levels,
                    role => usize::from(role == Role::BarName),
                });
                return self.mark_path(canvas, place, piece, below.sum());
            }
            _ => Spot::Bar,
        };
        canvas.spots.mark(place, spot);
    }

    /// Each directory in a path. `below` levels are in a piece of their own; where a path lost its middle, what stands before
    /// the gap is counted from the root.
    fn mark_path(&self, canvas: &mut Canvas<'_>, place: Rect, piece: &Piece, below: usize) {
        let gap = piece.text.find(self.ellipsis()).filter(|_| piece.levels > levels(&piece.text));
        let (mut x, mut end) = (place.x, 0);
        for segment in piece.text.split_inclusive('/') {
            end += segment.len();
            let above = match gap {
                Some(gap) if end <= gap => piece.levels - levels(&piece.text[..end]),
                _ => levels(&piece.text[end..]),
            };
            let width = cells(columns(segment));
            canvas.spots.mark(Rect { x, width, ..place }, Spot::Above(above + below));
            x += width;
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let end = area.right();
        let put = |canvas: &mut Canvas<'_>, mut x: u16, pieces: &[Piece]| {
            for (i, piece) in pieces.iter().enumerate() {
                let gap = if i == 0 { 0 } else { cells(piece.gap) };
                let start = (x + gap).min(end);
                x = canvas.put(start, area.y, end, &piece.text, piece.role);
                self.mark(canvas, Rect { x: start, width: x - start, ..area }, piece);
            }
            x
        };
        let (left, right) = self.pieces.split_at(self.split);
        let x = put(canvas, area.x + 1, left);
        let gaps = right.iter().skip(1).map(|piece| piece.gap).sum::<usize>();
        let width = gaps + right.iter().map(|piece| columns(&piece.text)).sum::<usize>();
        if !right.is_empty() {
            put(canvas, end.saturating_sub(cells(width) + 1).max(x + 2).min(end), right);
        }
    }
}
