//! The pictures that are shown in the text of a page, each below the link that names it.

use super::entry::Page;
use crate::app::JobId;
use crate::doc::{Canvas, Inserted, Insertion, LinkId};
use crate::picture::{Drawing, Frame, Graphics, Picture};
use crate::proto::Redirected;
use crate::role::Role;
use crate::url::Url;
use std::sync::Arc;

/// All of a page.
#[derive(Debug, Clone, Default)]
pub struct Illustrations {
    pub(in crate::app) all: Vec<Illustration>,
    /// How large cells are and how many rows there are, as the page was arranged.
    pub(in crate::app) room: Room,
    /// How many of the page's images were looked at, to be shown by themselves, how many of those were begun, and the octets that
    /// came of them; what was taken away or never became one counts.
    pub(in crate::app) looked: usize,
    pub(in crate::app) unasked: usize,
    pub(in crate::app) octets: usize,
}

/// The size of a cell in pixels, and the rows of the screen.
pub(in crate::app) type Room = ((u16, u16), u16);

/// One.
#[derive(Debug, Clone)]
pub struct Illustration {
    /// The link that names it, in the document as it was written.
    pub link: LinkId,
    /// Its address.
    pub(in crate::app) url: Url,
    /// Whether the reader asked for it.
    pub(in crate::app) asked: bool,
    /// Redirects followed.
    pub(in crate::app) hops: u8,
    /// The address that led there by such ones, as far as that may be kept.
    pub(in crate::app) redirected: Option<Arc<Redirected>>,
    /// What there is of it.
    pub(in crate::app) stage: Stage,
    /// The reader waits to see it: where its link stays under focus it is brought on the screen.
    pub(in crate::app) awaited: bool,
}

/// What there is of a picture.
#[derive(Debug, Clone)]
pub(in crate::app) enum Stage {
    /// It comes, or is being read, under this number.
    Coming(JobId),
    /// It is here.
    Here(Here),
    /// There is none, for this reason.
    Missing(String),
}

/// A picture that is here.
#[derive(Debug, Clone)]
pub(in crate::app) struct Here {
    pub picture: Picture,
    /// What was drawn of it last.
    pub drawing: Option<Drawing>,
    /// What that was to be, drawn or not.
    pub tried: Option<(Frame, Graphics)>,
    /// It is being drawn under this number.
    pub job: Option<JobId>,
}

impl Illustrations {
    /// That of a link of the document as it was written.
    pub(in crate::app) fn of(&self, link: LinkId) -> Option<&Illustration> {
        self.all.iter().find(|one| one.link == link)
    }

    /// That which comes, or is read, under a number.
    pub(in crate::app) fn coming_mut(&mut self, id: JobId) -> Option<&mut Illustration> {
        self.all.iter_mut().find(|one| matches!(one.stage, Stage::Coming(under) if under == id))
    }

    /// That of a link, where it is here.
    pub(in crate::app) fn here_mut(&mut self, link: LinkId) -> Option<&mut Here> {
        let one = self.all.iter_mut().find(|one| one.link == link)?;
        if let Stage::Here(here) = &mut one.stage { Some(here) } else { None }
    }

    /// Octets have come under a number: whether those that nobody asked for are more than `most` by now, and this is one of them.
    pub(in crate::app) fn came(&mut self, id: JobId, octets: usize, most: usize) -> bool {
        let unasked = self.coming_mut(id).is_some_and(|one| !one.asked);
        self.octets += if unasked { octets } else { 0 };
        unasked && self.octets > most
    }

    /// One that the reader waits for, and that is here, or is known to be none.
    pub(in crate::app) fn awaited_mut(&mut self) -> Option<&mut Illustration> {
        self.all.iter_mut().find(|one| one.awaited && !matches!(one.stage, Stage::Coming(_)))
    }

    /// The numbers under which some come.
    pub(in crate::app) fn coming(&self) -> impl Iterator<Item = JobId> {
        self.all.iter().filter_map(|one| if let Stage::Coming(id) = one.stage { Some(id) } else { None })
    }

    /// The same for a page that says the same: what comes, comes for the other one.
    pub(in crate::app) fn twin(&self) -> Illustrations {
        let mut twin = self.clone();
        twin.all.retain(|one| !matches!(one.stage, Stage::Coming(_)));
        for one in &mut twin.all {
            if let Stage::Here(here) = &mut one.stage {
                (here.job, here.tried) = (None, None);
            }
        }
        twin
    }

    /// What stands below links of theirs.
    pub(in crate::app) fn below(&self) -> Vec<Insertion> {
        let below = |one: &Illustration| {
            let remark = match &one.stage {
                Stage::Here(here) => here.picture.remark,
                Stage::Coming(_) | Stage::Missing(_) => None,
            };
            let remark = remark.map(|remark| Inserted::Words(remark.into(), Role::Warning));
            let link = one.link;
            [one.inserted(self.room)].into_iter().chain(remark).map(move |what| Insertion { link, what })
        };
        self.all.iter().flat_map(below).collect()
    }

    /// How much memory they hold, in octets.
    pub(in crate::app) fn memory(&self) -> usize {
        let of = |one: &Illustration| match &one.stage {
            Stage::Here(here) => here.picture.memory() + here.drawing.as_ref().map_or(0, Drawing::memory),
            Stage::Coming(_) | Stage::Missing(_) => 0,
        };
        self.all.iter().map(of).sum()
    }
}

impl Illustration {
    /// What stands below its link.
    fn inserted(&self, (cell, rows): Room) -> Inserted {
        match &self.stage {
            Stage::Coming(_) => Inserted::Words("The picture is coming.".into(), Role::Dim),
            Stage::Missing(sentence) => Inserted::Words(sentence.clone(), Role::Warning),
            Stage::Here(Here { picture, .. }) => {
                Inserted::Picture(Canvas { size: (picture.width(), picture.height()), cell, rows })
            }
        }
    }
}

impl Page {
    /// The pictures in its text have changed, or the room for them: it is arranged anew.
    pub(in crate::app) fn illustrate(&mut self) {
        self.arrangement.anew();
    }

    /// The reader does not want to wait for any of them; the numbers under which they come.
    pub(in crate::app) fn give_up_pictures(&mut self) -> Vec<JobId> {
        let shown = &mut self.arrangement.illustrations;
        let coming: Vec<JobId> = shown.coming().collect();
        if !coming.is_empty() {
            // Nor do more come by themselves.
            shown.looked = usize::MAX;
            shown.all.retain(|one| !matches!(one.stage, Stage::Coming(_)));
            self.illustrate();
        }
        coming
    }

    /// The picture in its text below a link, if it is here.
    pub(in crate::app) fn picture_in_text(&self, link: LinkId) -> Option<&Here> {
        match &self.arrangement.illustrations.of(link)?.stage {
            Stage::Here(here) => Some(here),
            Stage::Coming(_) | Stage::Missing(_) => None,
        }
    }
}
