//! What has occurred, by the names of the variants; the compiler sees to it that none is forgotten.

use std::collections::BTreeMap;
use wayfarer::app::{Effect, Kept, Known, Msg, NotWritten, SiteChoice, Transfer};
use wayfarer::proto::{FetchEvent, Verdict};
use wayfarer::work::{Product, Work};

/// Declares what is to occur in a long run: `pattern => "name"` for each variant of a type, and who counts it.
macro_rules! occurrences {
    ($($count:ident of $type:ident { $($pattern:pat => $name:literal,)+ })+) => {
        /// All that is to occur in a long run.
        const ALL: &[&str] = &[$($($name),+),+];

        impl Tally {
            $(pub fn $count(&mut self, what: &$type) {
                self.count(match what { $($pattern => $name),+ });
            })+
        }
    };
}

occurrences! {
    message of Msg {
        Msg::Choices(_) => "Choices",
        Msg::Remembered(_) => "Remembered",
        Msg::Open { .. } => "Open",
        Msg::Resume { .. } => "Resume",
        Msg::Handed(_) => "Handed",
        Msg::Go(_) => "Go",
        Msg::Command(_) => "Command",
        Msg::Clock(_) => "Clock",
        Msg::Tour(_) => "Tour",
        Msg::Graphics(..) => "Graphics",
        Msg::Key(_) => "Key",
        Msg::Mouse(..) => "Mouse",
        Msg::Paste(_) => "Paste",
        Msg::Resize(..) => "Resize",
        Msg::Fetch { event: FetchEvent::Stage(_), .. } => "Fetch Stage",
        Msg::Fetch { event: FetchEvent::Sent(_), .. } => "Fetch Sent",
        Msg::Fetch { event: FetchEvent::Head(_), .. } => "Fetch Head",
        Msg::Fetch { event: FetchEvent::Moved(_), .. } => "Fetch Moved",
        Msg::Fetch { event: FetchEvent::Unchanged, .. } => "Fetch Unchanged",
        Msg::Fetch { event: FetchEvent::Body(_), .. } => "Fetch Body",
        Msg::Fetch { event: FetchEvent::End(_), .. } => "Fetch End",
        Msg::Fetch { event: FetchEvent::Failed(_), .. } => "Fetch Failed",
        Msg::Transfer { transfer: Transfer::Partial, .. } => "Transfer Partial",
        Msg::Transfer { transfer: Transfer::Begun(..), .. } => "Transfer Begun",
        Msg::Transfer { transfer: Transfer::Undated, .. } => "Transfer Undated",
        Msg::Transfer { transfer: Transfer::Progress(_), .. } => "Transfer Progress",
        Msg::Transfer { transfer: Transfer::Done(..), .. } => "Transfer Done",
        Msg::Transfer { transfer: Transfer::Present(_), .. } => "Transfer Present",
        Msg::Transfer { transfer: Transfer::Exists(_), .. } => "Transfer Exists",
        Msg::Transfer { transfer: Transfer::Stale(_), .. } => "Transfer Stale",
        Msg::Transfer { transfer: Transfer::Cut(_), .. } => "Transfer Cut",
        Msg::Transfer { transfer: Transfer::Failed(_), .. } => "Transfer Failed",
        Msg::Transfer { transfer: Transfer::Full(_), .. } => "Transfer Full",
        Msg::Ran { .. } => "Ran",
        Msg::Wrote { result: Ok(_), .. } => "Wrote",
        Msg::Wrote { result: Err(NotWritten::Exists(_)), .. } => "Wrote Exists",
        Msg::Wrote { result: Err(NotWritten::Failed(_)), .. } => "Wrote Failed",
        Msg::Prepared { .. } => "Prepared",
        Msg::Dated { .. } => "Dated",
        Msg::Removed { .. } => "Removed",
        Msg::Summed { .. } => "Summed",
        Msg::SummedTree { .. } => "SummedTree",
        Msg::Read { .. } => "Read",
        Msg::Settings { .. } => "Settings",
        Msg::Cookies { .. } => "Cookies",
        Msg::Complaint(_) => "Complaint",
        Msg::Said(_) => "Said",
        Msg::Known { known: Known::Newsrc { .. }, .. } => "Known Newsrc",
        Msg::Known { known: Known::Visits(_), .. } => "Known Visits",
        Msg::Known { known: Known::Others(_), .. } => "Known Others",
        Msg::Known { known: Known::Words(_), .. } => "Known Words",
        Msg::Known { known: Known::Bookmarks(_), .. } => "Known Bookmarks",
        Msg::Known { known: Known::Scores(_), .. } => "Known Scores",
        Msg::Known { known: Known::Settings(_), .. } => "Known Settings",
        Msg::Known { known: Known::New { .. }, .. } => "Known New",
        Msg::Known { known: Known::Fresh { .. }, .. } => "Known Fresh",
        Msg::Known { known: Known::Forgotten(_), .. } => "Known Forgotten",
        Msg::Grown { .. } => "Grown",
        Msg::Whole { end: Ok(_), .. } => "Whole",
        Msg::Whole { end: Err(_), .. } => "Whole broken",
        Msg::Worked { product: Product::Arranged(_), .. } => "Worked Arranged",
        Msg::Worked { product: Product::Found(_), .. } => "Worked Found",
        Msg::Worked { product: Product::Counted(_), .. } => "Worked Counted",
        Msg::Worked { product: Product::Offered(_), .. } => "Worked Offered",
        Msg::Worked { product: Product::Listed(_), .. } => "Worked Listed",
        Msg::Worked { product: Product::Tracked(_), .. } => "Worked Tracked",
        Msg::Worked { product: Product::Narrowed(_), .. } => "Worked Narrowed",
        Msg::Worked { product: Product::Read(_), .. } => "Worked Read",
        Msg::Worked { product: Product::Appended(_), .. } => "Worked Appended",
        Msg::Worked { product: Product::Taken(_), .. } => "Worked Taken",
        Msg::Worked { product: Product::Quoted(_), .. } => "Worked Quoted",
        Msg::Worked { product: Product::Printed(_), .. } => "Worked Printed",
        Msg::Worked { product: Product::Linked(_), .. } => "Worked Linked",
        Msg::Worked { product: Product::Drawn(_), .. } => "Worked Drawn",
        Msg::Worked { product: Product::Decoded(_), .. } => "Worked Decoded",
        Msg::Worked { product: Product::Broken, .. } => "Worked Broken",
        Msg::Rest => "Rest",
        Msg::Terminate => "Terminate",
    }
    effect of Effect {
        Effect::Fetch { .. } => "→ Fetch",
        Effect::Verdict { verdict: Verdict::Accept, .. } => "→ Accept",
        Effect::Verdict { verdict: Verdict::Refuse, .. } => "→ Refuse",
        Effect::Save { .. } => "→ Save",
        Effect::Download { .. } => "→ Download",
        Effect::Cancel(_) => "→ Cancel",
        Effect::Write { .. } => "→ Write",
        Effect::Prepare { .. } => "→ Prepare",
        Effect::Date { .. } => "→ Date",
        Effect::Remove { .. } => "→ Remove",
        Effect::Read { .. } => "→ Read",
        Effect::Sum { .. } => "→ Sum",
        Effect::SumTree { .. } => "→ SumTree",
        Effect::Copy(_) => "→ Copy",
        Effect::Run { .. } => "→ Run",
        Effect::Pipe { .. } => "→ Pipe",
        Effect::Parse { .. } => "→ Parse",
        Effect::Enough(_) => "→ Enough",
        Effect::Work { work: Work::Arrange(_), .. } => "→ Work Arrange",
        Effect::Work { work: Work::Find(_), .. } => "→ Work Find",
        Effect::Work { work: Work::Count(_), .. } => "→ Work Count",
        Effect::Work { work: Work::Offer(_), .. } => "→ Work Offer",
        Effect::Work { work: Work::List(_), .. } => "→ Work List",
        Effect::Work { work: Work::Track(_), .. } => "→ Work Track",
        Effect::Work { work: Work::Narrow(_), .. } => "→ Work Narrow",
        Effect::Work { work: Work::Read(_), .. } => "→ Work Read",
        Effect::Work { work: Work::Append(..), .. } => "→ Work Append",
        Effect::Work { work: Work::Take(_), .. } => "→ Work Take",
        Effect::Work { work: Work::Quote(_), .. } => "→ Work Quote",
        Effect::Work { work: Work::Print(_), .. } => "→ Work Print",
        Effect::Work { work: Work::FindLinks(_), .. } => "→ Work FindLinks",
        Effect::Work { work: Work::Draw(_), .. } => "→ Work Draw",
        Effect::Work { work: Work::Decode(_), .. } => "→ Work Decode",
        Effect::Keep(Kept::Words { .. }) => "→ Keep Words",
        Effect::Keep(Kept::Download(_)) => "→ Keep Download",
        Effect::Keep(Kept::Site { choice: SiteChoice::Charset(_), .. }) => "→ Keep Charset",
        Effect::Keep(Kept::Site { choice: SiteChoice::Order(_), .. }) => "→ Keep Order",
        Effect::Keep(Kept::Site { choice: SiteChoice::Reader(_), .. }) => "→ Keep Reader",
        Effect::Keep(Kept::Site { choice: SiteChoice::Measure(_), .. }) => "→ Keep Measure",
        Effect::Keep(Kept::Site { choice: SiteChoice::Hidden(_), .. }) => "→ Keep Hidden",
        Effect::Keep(Kept::Site { choice: SiteChoice::Owners(_), .. }) => "→ Keep Owners",
        Effect::Keep(Kept::Site { choice: SiteChoice::Show(_), .. }) => "→ Keep Show",
        Effect::Keep(Kept::Site { choice: SiteChoice::Listing(_), .. }) => "→ Keep Listing",
        Effect::Keep(Kept::Site { choice: SiteChoice::Visit(_), .. }) => "→ Keep listed",
        Effect::Keep(Kept::Mark { .. }) => "→ Keep Mark",
        Effect::Keep(Kept::Visit { .. }) => "→ Keep Visit",
        Effect::Keep(Kept::Others) => "→ Keep Others",
        Effect::Keep(Kept::Forget(_)) => "→ Keep Forget",
        Effect::Keep(Kept::Bookmarks(_)) => "→ Keep Bookmarks",
        Effect::ReadSettings { .. } => "→ ReadSettings",
        Effect::Keep(Kept::Score(_)) => "→ Keep Score",
        Effect::Keep(Kept::Unscore(_)) => "→ Keep Unscore",
        Effect::Keep(Kept::Setting { .. }) => "→ Keep Setting",
        Effect::Keep(Kept::Session) => "→ Keep Session",
        Effect::SyncNewsrc { .. } => "→ SyncNewsrc",
        Effect::Trust { .. } => "→ Trust",
        Effect::RuleCookies { .. } => "→ RuleCookies",
        Effect::Redraw => "→ Redraw",
        Effect::Suspend => "→ Suspend",
        Effect::Quit => "→ Quit",
        Effect::QuitNow => "→ QuitNow",
    }
}

#[derive(Debug, Default)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    fn count(&mut self, name: &'static str) {
        *self.0.entry(name).or_default() += 1;
    }

    pub fn add(&mut self, other: &Tally) {
        other.0.iter().for_each(|(name, count)| *self.0.entry(name).or_default() += count);
    }

    /// What has never occurred.
    pub fn missing(&self) -> Vec<&'static str> {
        ALL.iter().copied().filter(|name| !self.0.contains_key(name)).collect()
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        ALL.iter().try_for_each(|name| writeln!(f, "{:>10}  {name}", self.0.get(name).copied().unwrap_or_default()))
    }
}
