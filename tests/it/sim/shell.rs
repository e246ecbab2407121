//! The shell of this world: it carries out what the browser asks for, on a disk and with servers that are none.

use super::drive::{Asked, Say, Sim};
use super::invariants::Held;
use super::world;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use wayfarer::app::{
    Compared, Destination, Effect, Existing, Gone, JobId, Kept, Known, ListSignature, Msg, NotWritten, There, Transfer,
};
use wayfarer::config::SettingsFile;
use wayfarer::format::{Intake, Reader};
use wayfarer::news::Newsrc;
use wayfarer::news::score::{ScoreText, Scores};
use wayfarer::proto::{End, FetchEvent, Request, Verdict};
use wayfarer::sums::Sum;
use wayfarer::visits::{Visit, Visits, line};

/// Where a file goes.
fn path(into: &Destination) -> String {
    into.within.iter().chain([&into.path]).map(String::as_str).collect::<Vec<_>>().join("/")
}

impl Sim {
    pub fn carry_out(&mut self, effect: Effect) -> Held {
        match effect {
            Effect::Fetch { id, request } => self.fetch(id, &request, None),
            Effect::Pipe { id, request, .. } => self.fetch(id, &request, None),
            Effect::Download { id, request, into } => self.fetch(id, &request, Some(into)),
            Effect::Verdict { id, verdict } => {
                let Some(asked) = self.asked.get_mut(&id) else { return Ok(()) };
                asked.accepted |= verdict == Verdict::Accept;
                match verdict {
                    Verdict::Accept if matches!(asked.says.front(), Some(Say::Wait)) => drop(asked.says.pop_front()),
                    Verdict::Accept => {}
                    Verdict::Refuse => self.cancel(id),
                }
            }
            Effect::Save { id, into } => self.save(id, &into),
            Effect::Cancel(id) => self.cancel(id),
            Effect::Write { id, path, content, replace } => {
                let result = if self.random.once_in(12) {
                    Err(NotWritten::Failed(format!("{path}: the disk is full")))
                } else if self.disk.0.contains_key(&path) && !replace {
                    Err(NotWritten::Exists(path))
                } else {
                    self.disk.0.insert(path.clone(), content);
                    Ok(path)
                };
                self.reply(id, Msg::Wrote { id, result });
            }
            Effect::Prepare { id, plan } => {
                let mut there = There::default();
                for (at, file) in plan.files.iter().enumerate() {
                    let found =
                        self.disk.0.get(&format!("{}/{}", plan.within, file.path)).map(|found| found.len() as u64);
                    match (found, file.size) {
                        (Some(found), Some(size)) if found == size => there.same.push(at),
                        (Some(_), Some(_)) => there.changed.push(at),
                        _ => {}
                    }
                }
                self.reply(id, Msg::Prepared { id, there });
            }
            Effect::Date { id, folders, .. } => {
                let told = folders.iter().filter(|_| self.random.once_in(9)).map(|(path, _)| format!("{path}: no"));
                let remarks = told.collect();
                self.reply(id, Msg::Dated { id, remarks });
            }
            Effect::Remove { id, path } => {
                self.disk.0.remove(&path);
                let result = if self.random.once_in(9) { Err(format!("{path} is still there.")) } else { Ok(()) };
                self.reply(id, Msg::Removed { id, result });
            }
            Effect::Sum { id, path, kinds } => {
                let sum = |octets: &Vec<u8>| {
                    let sums = kinds.iter().filter_map(|kind| Sum::of(wayfarer::sums::of(*kind, octets).as_bytes()));
                    sums.collect()
                };
                let result = self.disk.0.get(&path).map(sum).ok_or_else(|| format!("{path} is not there any more."));
                self.ask(id, Say::Answer(Box::new(Msg::Summed { id, result })));
            }
            Effect::SumTree { id, path, .. } => {
                let verified = wayfarer::app::Verified { agrees: Some(true), said: "1 right".into() };
                let gone = format!("{path} cannot be read: it is not there.");
                let list = Some(("SHA256SUMS".into(), b"list".to_vec()));
                let signature =
                    ListSignature { name: "SHA256SUMS.asc".into(), content: b"signed".to_vec(), list, right: vec![0] };
                let signatures = if self.random.once_in(2) { vec![signature] } else { Vec::new() };
                let compared = Compared { verified, right: 1, signatures };
                let result = if self.random.once_in(3) { Err(gone) } else { Ok(compared) };
                self.ask(id, Say::Answer(Box::new(Msg::SummedTree { id, result })));
            }
            Effect::Read { id, path } => self.ask(id, Say::Read(path)),
            Effect::Run { id, arguments } => {
                assert!(!arguments.is_empty());
                self.ask(id, Say::Ran(arguments));
            }
            Effect::Parse { id, intake } => self.parse(id, *intake),
            Effect::Enough(id) => self.enough(id),
            Effect::Work { id, work } => self.ask(id, Say::Worked(Box::new(work))),
            Effect::Keep(kept) => self.keep(kept),
            Effect::SyncNewsrc { server, ours, base } => {
                let theirs = self.newsrcs.entry(server.clone()).or_default();
                *theirs = Arc::new(Newsrc::merge(&ours, &base, theirs));
                let known = Known::Newsrc { server, newsrc: Arc::clone(theirs) };
                self.queue.push_back(Msg::Known { known, remark: None });
            }
            Effect::ReadSettings { id } => {
                let file = Box::new(self.settings_file());
                self.reply(id, Msg::Settings { id, file, remark: None });
            }
            Effect::Suspend => return self.tell(Msg::Resize(self.app.desk.screen.columns, self.app.desk.screen.rows)),
            Effect::Quit | Effect::QuitNow => {
                self.session = self.app.session();
                self.quit = true;
            }
            Effect::Copy(_) | Effect::Trust { .. } | Effect::RuleCookies { .. } | Effect::Redraw => {}
        }
        Ok(())
    }

    fn fetch(&mut self, id: JobId, request: &Request, into: Option<Destination>) {
        let host = request.url.host().unwrap_or_default().to_owned();
        if request.login.is_some() {
            self.logged_in.insert(host.clone());
        }
        let logged_in = request.login.is_some() && !self.random.once_in(5) || request.url.password().is_some();
        let mut says = VecDeque::new();
        for event in world::answer(id, request, &mut self.random, logged_in) {
            let is_head = matches!(event, FetchEvent::Head(_));
            says.push_back(Say::Event(event));
            if is_head {
                says.push_back(Say::Wait);
            }
        }
        let asked = Asked { url: Some(request.url.clone()), is_held: request.held.is_some(), says, ..Asked::default() };
        self.asked.insert(id, asked);
        if let Some(into) = into {
            let before = self.before_file(&into, true);
            self.write_down(id, &into);
            let asked = self.asked.get_mut(&id).unwrap();
            if let Some(before) = before {
                asked.says = [Say::Transfer(before)].into();
            }
        }
    }

    /// What keeps a file from being begun.
    fn before_file(&mut self, into: &Destination, ends: bool) -> Option<Transfer> {
        let path = path(into);
        let there = self.disk.0.get(&path).map(|content| content.len() as u64);
        match (&into.existing, there) {
            (Existing::Ask, there) if there.is_some() || self.random.once_in(12) => Some(Transfer::Exists(path)),
            (Existing::Compare, Some(there)) if into.listed.size.is_none_or(|size| size == there) => {
                Some(Transfer::Present(path))
            }
            (Existing::Compare, Some(_)) => Some(Transfer::Exists(path)),
            _ if self.random.once_in(12) && !ends => Some(Transfer::Partial),
            _ => None,
        }
    }

    /// What is to come goes into a file.
    fn write_down(&mut self, id: JobId, into: &Destination) {
        let (lot, resumes) = (self.random.below(10), self.random.once_in(4));
        let Some(asked) = self.asked.get_mut(&id) else { return };
        let (mut says, mut octets) = (VecDeque::new(), 0);
        let mut headed =
            !asked.says.iter().any(|say| matches!(say, Say::Wait)) || matches!(asked.says.front(), Some(Say::Wait));
        for say in std::mem::take(&mut asked.says) {
            match say {
                Say::Wait => {
                    headed = true;
                    says.push_back(Say::Transfer(Transfer::Begun(u64::from(resumes), None)));
                    says.extend((lot == 3).then_some(Say::Transfer(Transfer::Undated)));
                }
                Say::Event(FetchEvent::Body(piece)) => {
                    octets += piece.len() as u64;
                    says.push_back(Say::Transfer(Transfer::Progress(octets)));
                }
                Say::Event(FetchEvent::End(_)) => says.push_back(Say::Transfer(match lot {
                    0 => Transfer::Cut("Only a part came.".into()),
                    1 => Transfer::Full("There is no room.".into()),
                    2 => Transfer::Done(path(into), Some("it is longer".into())),
                    _ => Transfer::Done(path(into), None),
                })),
                Say::Event(FetchEvent::Failed(error)) if headed => {
                    says.push_back(Say::Transfer(Transfer::Failed(error.detail)))
                }
                other => says.push_back(other),
            }
        }
        asked.says = says;
    }

    /// A file has come; of what is in it only the length matters.
    pub fn saved(&mut self, path: &str, octets: u64, longer: bool) {
        let length = octets as usize + usize::from(longer);
        self.disk.0.insert(path.into(), vec![b'.'; length]);
    }

    fn save(&mut self, id: JobId, into: &Destination) {
        let before = self.before_file(into, false);
        let Some(asked) = self.asked.get_mut(&id) else { return };
        match before {
            // The next decision is waited for.
            Some(before) => asked.says.push_front(Say::Transfer(before)),
            None => self.write_down(id, into),
        }
    }

    /// A page is read, or read again in another way.
    fn parse(&mut self, id: JobId, intake: Intake) {
        let Some(asked) = self.asked.get_mut(&id) else { return };
        match &mut asked.reader {
            Some(reader) => {
                if reader.begin_again(intake) && !asked.is_over {
                    asked.says.push_front(Say::Grown);
                }
            }
            None if asked.accepted => {}
            None => {
                asked.reader = Reader::new(intake);
                asked.accepted = true;
                if matches!(asked.says.front(), Some(Say::Wait)) {
                    asked.says.pop_front();
                }
            }
        }
    }

    /// What has come is the page; perhaps more of it is on its way already.
    fn enough(&mut self, id: JobId) {
        let keeps = self.random.once_in(2);
        let Some(asked) = self.asked.get_mut(&id).filter(|asked| asked.reader.is_some()) else { return };
        let is_piece = |say: &Say| matches!(say, Say::Grown | Say::Event(FetchEvent::Body(_)));
        asked.says.truncate(usize::from(keeps && asked.says.front().is_some_and(is_piece)));
        asked.says.push_back(Say::Event(FetchEvent::End(End::default())));
        asked.is_over = false;
    }

    /// Nothing more comes; perhaps something is on its way already.
    fn cancel(&mut self, id: JobId) {
        let keeps = self.random.once_in(2);
        if let Some(asked) = self.asked.get_mut(&id) {
            asked.says.truncate(usize::from(keeps));
        }
    }

    fn ask(&mut self, id: JobId, say: Say) {
        self.asked.insert(id, Asked { says: [say].into(), ..Asked::default() });
    }

    fn reply(&mut self, id: JobId, message: Msg) {
        self.ask(id, Say::Answer(Box::new(message)));
    }

    fn settings_file(&self) -> SettingsFile {
        let (text, themes) = (self.settings.clone(), vec!["mine".to_owned()]);
        SettingsFile { name: "~/settings.toml".into(), text, themes, ..SettingsFile::default() }
    }

    fn tell_settings(&mut self) {
        let file = self.settings_file();
        self.queue.push_back(Msg::Known { known: Known::Settings(Box::new(file)), remark: None });
    }

    fn keep(&mut self, kept: Kept) {
        match kept {
            Kept::Words { prompt, words } => self.words.entry(prompt).or_default().push(words),
            Kept::Download(kept) => {
                self.downloads.retain(|other| other.path != kept.path);
                self.downloads.push(*kept);
            }
            Kept::Visit { url, title, time, led } => {
                let title = title.replace(['\t', '\n'], " ");
                self.visits.push_str(&line(Visit { url: &url, title: &title, time, count: 1 }, &led))
            }
            Kept::Others => {
                let line = format!("{}\thttp://w.example/other\tOther\n", self.second);
                let known = Known::Others(Box::new(Visits::read(line.into_bytes()).unwrap().0));
                self.queue.push_back(Msg::Known { known, remark: None });
            }
            Kept::Forget(_) => {
                self.words.clear();
                self.queue.push_back(Msg::Known { known: Known::Words(BTreeMap::new()), remark: None });
                let gone = Gone { copies: 2, later: 0, fresh: 1 };
                self.queue.push_back(Msg::Known { known: Known::Forgotten(gone), remark: None });
            }
            Kept::Bookmarks(change) => {
                self.bookmarks.apply(&change);
                let known = Known::Bookmarks(Box::new(self.bookmarks.clone()));
                self.queue.push_back(Msg::Known { known, remark: None });
            }
            Kept::Setting { name, value } => {
                let new = match &value {
                    Some(value) => wayfarer::config::written(&self.settings, &name, value),
                    None => wayfarer::config::remove(&self.settings, &name),
                };
                self.settings = new.unwrap();
                self.tell_settings();
            }
            kept @ (Kept::Score(_) | Kept::Unscore(_)) => {
                match &kept {
                    Kept::Unscore(lines) => {
                        if let Some(at) = self.scores.rfind(lines.as_str()) {
                            self.scores.replace_range(at..at + lines.len(), "");
                        }
                    }
                    Kept::Score(lines) => self.scores.push_str(lines),
                    _ => {}
                }
                let file = ScoreText { name: "scores".into(), text: self.scores.clone(), includes: Vec::new() };
                let known = Known::Scores(Arc::new(Scores::read(vec![file])));
                self.queue.push_back(Msg::Known { known, remark: None });
            }
            Kept::Session => self.session = self.app.session(),
            Kept::Site { .. } | Kept::Mark { .. } => {}
        }
    }
}
