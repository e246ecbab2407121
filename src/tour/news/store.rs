//! Groups and their articles: those of `assets/tour/news`, and what visitors add while the server runs.

use super::article::Article;
use crate::tour::Doors;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What the server calls itself in Path and Xref.
pub(super) const NAME: &str = "tour.wayfarer.example";
/// Visitors' articles that are kept.
const MOST: usize = 200;

/// The articles, in the order of their numbers.
const ARTICLES: &[&str] = &[
    include_str!("../../../assets/tour/news/10-threads.eml"),
    include_str!("../../../assets/tour/news/10-quoted.eml"),
    include_str!("../../../assets/tour/news/10-latin.eml"),
    include_str!("../../../assets/tour/news/11-links.eml"),
    include_str!("../../../assets/tour/news/11-lost.eml"),
    include_str!("../../../assets/tour/news/riddle.eml"),
    include_str!("../../../assets/tour/news/riddle-answer.eml"),
    include_str!("../../../assets/tour/news/12-related.eml"),
    include_str!("../../../assets/tour/news/12-why.eml"),
    include_str!("../../../assets/tour/news/13-write.eml"),
    include_str!("../../../assets/tour/news/test.eml"),
];

/// Name, description, status as in LIST ACTIVE.
const GROUPS: &[(&str, &str, char)] = &[
    ("wayfarer.tour", "Stops 10 to 13 of the tour (read only)", 'n'),
    ("wayfarer.test", "Write whatever you like; it is gone when the tour ends", 'y'),
];

/// A group.
#[derive(Debug)]
pub(super) struct Group {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub description: &'static str,
    /// `y` where visitors may write, `n` where not.
    pub status: char,
    articles: BTreeMap<u64, Arc<Article>>,
}

impl Group {
    /// The lowest and the highest number; an empty group has none between them (RFC 3977, 6.1.1.2).
    pub fn span(&self) -> (u64, u64) {
        let (first, last) = (self.articles.first_key_value(), self.articles.last_key_value());
        first.zip(last).map_or((1, 0), |(first, last)| (*first.0, *last.0))
    }

    /// How many articles there are.
    pub fn count(&self) -> usize {
        self.articles.len()
    }

    /// The article of a number.
    pub fn article(&self, number: u64) -> Option<Arc<Article>> {
        self.articles.get(&number).map(Arc::clone)
    }

    /// Numbers and articles within a range, in order.
    pub fn within(&self, range: RangeInclusive<u64>) -> impl DoubleEndedIterator<Item = (u64, &Article)> {
        let numbers = if range.is_empty() { 0..=0 } else { range };
        self.articles.range(numbers).map(|(number, article)| (*number, &**article))
    }
}

/// All of them.
#[derive(Debug)]
pub(super) struct Store {
    groups: Vec<Group>,
    ids: HashMap<String, Arc<Article>>,
    /// The message of the day.
    pub motd: String,
}

impl Store {
    /// What the server begins with; texts name the servers.
    pub fn new(doors: &Doors) -> Store {
        let group = |&(name, description, status)| Group { name, description, status, articles: BTreeMap::new() };
        let motd = doors.fill(include_str!("../../../assets/tour/news/motd.txt"));
        let mut store = Store { groups: GROUPS.iter().map(group).collect(), ids: HashMap::new(), motd };
        for article in ARTICLES.iter().filter_map(|text| Article::of(doors.fill(text).as_bytes())) {
            store.add(article);
        }
        store
    }

    /// The groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// A group by its name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// An article by its id.
    pub fn article(&self, id: &str) -> Option<Arc<Article>> {
        self.ids.get(id).map(Arc::clone)
    }

    /// Whether there is no room for what visitors write.
    pub fn is_full(&self) -> bool {
        self.ids.len() >= MOST + ARTICLES.len()
    }

    /// Takes an article into those of its groups that are here, with a number in each; false when it is here already, or has
    /// no group.
    pub fn add(&mut self, article: Article) -> bool {
        let named = article.field("Newsgroups").unwrap_or_default();
        let mut places = Vec::new();
        for (at, group) in self.groups.iter().enumerate() {
            if named.split(',').any(|name| name.trim() == group.name) {
                places.push((at, group.articles.last_key_value().map_or(1, |(last, _)| last + 1)));
            }
        }
        if places.is_empty() || self.ids.contains_key(&article.id) {
            return false;
        }
        let xref: String = places.iter().map(|(at, number)| format!(" {}:{number}", self.groups[*at].name)).collect();
        let lines = article.lines().to_string();
        let article = Arc::new(article.with("Xref", &format!("{NAME}{xref}")).with("Lines", &lines));
        for (at, number) in places {
            self.groups[at].articles.insert(number, Arc::clone(&article));
        }
        self.ids.insert(article.id.clone(), article);
        true
    }
}
