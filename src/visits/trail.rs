//! How the reader came to a page: the visits that led there, back to the first, and where they turned off from each.
//!
//! A visit knows the one that led to it, and rows stand in the order of visits, so that a way back only goes down and ends. Where
//! the line of the visit that led somewhere is in the file no more, since the page was visited again, what is known of the page
//! is its last visit: the way ends there, and says so.

use super::Pages;
use crate::stop::Stop;
use std::collections::{HashMap, VecDeque};

/// Stations of a trail.
const STATIONS: usize = 200;
/// Pages that one turned off to from one of them.
const OFFS: usize = 20;

/// How the reader came to a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trail {
    /// The first page first, the one in question last.
    pub stations: Vec<Station>,
    /// What was before the first.
    pub before: Before,
}

/// A page on the way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Station {
    /// Its address, as it was visited then.
    pub url: String,
    /// What it is called; empty where it has no title.
    pub title: String,
    /// When it was visited, in seconds since 1970.
    pub time: i64,
    /// Other pages to which it led, the one that was visited last first.
    pub offs: Vec<Off>,
    /// How many more there are.
    pub more: usize,
}

/// A page to which one turned off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Off {
    /// Its address.
    pub url: String,
    /// What it is called; empty where it has no title.
    pub title: String,
}

/// What was before the first page of a trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Before {
    /// Nothing: the reader named the page.
    #[default]
    Nothing,
    /// A page that was forgotten.
    Forgotten,
    /// The page was visited again since, and of the time before nothing is known.
    Unknown,
    /// More than is shown.
    More,
}

impl Pages {
    /// The trail to the page of a row. `None` when it was given up.
    pub fn trail(&self, to: usize, stop: &Stop) -> Option<Trail> {
        let last = self.last_visits();
        let page = |row: usize| last.get(row).copied().flatten();
        let Some(there) = page(to) else { return Some(Trail::default()) };
        let (mut rows, mut before) = (VecDeque::from([to]), Before::Nothing);
        let mut at = to;
        while let Some(led) = self.led(at) {
            before = match page(led) {
                None => Before::Forgotten,
                Some(_) if rows.len() >= STATIONS => Before::More,
                Some(_) => Before::Nothing,
            };
            if before != Before::Nothing {
                break;
            }
            rows.push_front(led);
            if led >= at {
                before = if self.led(led).is_some() { Before::Unknown } else { Before::Nothing };
                break;
            }
            at = led;
        }
        let mut stations: Vec<Station> = rows.iter().map(|row| self.station(*row, page(*row))).collect();
        // A page may be there several times: what it led to is told at the first.
        let mut of = HashMap::new();
        for (station, page) in rows.iter().enumerate().filter_map(|(at, row)| Some((at, page(*row)?))) {
            of.entry(page).or_insert(station);
        }
        for (number, visit) in self.older(self.rows()) {
            stop.go_on()?;
            let station = self.led(number).and_then(page).and_then(|led| of.get(&led).copied());
            let Some(station) = station.and_then(|at: usize| stations.get_mut(at)) else { continue };
            if of.contains_key(&super::index(number)) || super::index(number) == there {
                continue;
            }
            match station.offs.len() < OFFS {
                true => station.offs.push(Off { url: visit.url.into(), title: visit.title.into() }),
                false => station.more += 1,
            }
        }
        Some(Trail { stations, before })
    }

    fn station(&self, row: usize, last: Option<u32>) -> Station {
        let Some(then) = self.any(row) else { return Station::default() };
        // The visit itself may have come to no title.
        let now = last.and_then(|last| self.any(last as usize)).unwrap_or(then);
        Station { url: then.url.into(), title: now.title.into(), time: then.time, ..Station::default() }
    }
}
