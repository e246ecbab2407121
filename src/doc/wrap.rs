//! Where lines end.
//!
//! [`break_line`] is a pure function of the text from a line's start, so a line never depends on the lines above it. To find
//! the line that holds a place, lines are counted from the start of the place's *chunk*: a block longer than a chunk is set
//! as if each chunk were a block of its own. **Invariant: every chunk start is a line start, at every width**, so the cost of
//! going up is bounded by a chunk however long the block is; the price is one short line per chunk. Chunks are cut after a
//! space where there is one, else between graphemes.
//!
//! Lines break at white space; between wide characters (with the usual marks kept off the edges); in words that are longer
//! than a line after `/ - ? & =`, where that leaves a sensible piece; else between graphemes. A URL is never broken after a
//! hyphen, for who joins it again cannot know whose hyphen it was (RFC 3986, appendix C; TXT-05).

use super::columns::cluster;
use crate::url::find::find;
use unicode_segmentation::UnicodeSegmentation;

/// Octets of a chunk of wrapped text: some two hundred lines.
pub(super) const WRAPPED_CHUNK: usize = 16 << 10;
/// Octets of a chunk of lines that are not wrapped.
pub(super) const UNWRAPPED_CHUNK: usize = 64 << 10;
/// How far before a chunk's nominal end a space is looked for.
const SPACE_WINDOW: usize = 256;
/// How far around a chunk's nominal end graphemes are told apart.
const GRAPHEME_WINDOW: usize = 1024;
/// Columns between tab stops.
const TAB: usize = 8;
/// Words of more octets are not looked at for URLs, where those may be broken.
const LONGEST_URL: usize = 2048;
/// Chunks are as much longer, where URLs stay whole, as one is that stands where they would end; of more octets it is broken there.
const LONGEST_WHOLE: usize = 64 << 10;
/// Octets on both sides of a line's end that tell whether a URL goes on there.
const CONTEXT: usize = 128;
/// The shortest piece of a long word that is worth leaving at a line's end.
const PIECE: usize = 10;

/// What becomes of white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// Runs are one space; none at a line's ends.
    Fold,
    /// It counts. What does not fit at a line's end is not shown, and the next line begins with the next word.
    Keep,
}

/// Where a line ends: octets from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Break {
    /// Past the last octet that is shown.
    pub end: usize,
    /// Where the next line starts.
    pub next: usize,
}

/// Whether white space at which lines break stands at an offset. A space with a mark upon it is a letter.
pub(super) fn is_white(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    match bytes.get(at) {
        Some(b'\t') => true,
        Some(b' ') => bytes.get(at + 1).is_none_or(u8::is_ascii) || cluster(&text[at..]).0 == 1,
        _ => false,
    }
}

/// How many columns a TAB takes that stands at a column.
pub(super) fn tab_columns(column: usize) -> usize {
    TAB - column % TAB
}

/// The chunk that holds an offset of a text. Where URLs stay `whole` it ends in none.
pub(super) fn chunk(text: &str, offset: usize, size: usize, whole: bool) -> std::ops::Range<usize> {
    if text.len() <= size {
        return 0..text.len();
    }
    let offset = offset.min(text.len() - 1);
    let start = |number| chunk_start(text, number, size, whole);
    let mut number = offset / size;
    while offset < start(number) {
        number -= 1;
    }
    while offset >= start(number + 1) && start(number + 1) < text.len() {
        number += 1;
    }
    start(number)..start(number + 1)
}

/// Where a chunk starts; the text's end past the last one.
fn chunk_start(text: &str, number: usize, size: usize, whole: bool) -> usize {
    let nominal = number.saturating_mul(size);
    if nominal == 0 || nominal >= text.len() {
        return nominal.min(text.len());
    }
    let (before, after) = text.as_bytes().split_at(nominal);
    // a space takes marks like any letter, so only one before an ASCII letter ends for sure
    let ends = |at: &usize| text.as_bytes().get(*at).is_some_and(u8::is_ascii_graphic);
    let window = nominal - SPACE_WINDOW;
    let mut spaces = memchr::memrchr_iter(b' ', &before[window..]).map(|at| window + at + 1);
    if let Some(at) = spaces.find(|at| *at < nominal && ends(at)) {
        return at;
    }
    if whole {
        let mut spaces = memchr::memchr_iter(b' ', &after[..after.len().min(LONGEST_WHOLE)]).map(|at| nominal + at + 1);
        match spaces.find(ends) {
            Some(at) => return at,
            None if after.len() < LONGEST_WHOLE => return text.len(),
            None => {}
        }
    }
    let from = text.floor_char_boundary(nominal - GRAPHEME_WINDOW);
    let to = text.ceil_char_boundary((nominal + GRAPHEME_WINDOW).min(text.len()));
    let edge = text[from..to].grapheme_indices(true).map(|(at, _)| from + at).find(|&at| at >= nominal);
    edge.unwrap_or_else(|| text.ceil_char_boundary(nominal))
}

/// Ends the line that begins at an offset of a text (not its end), within `width` columns (at least 1); offsets count from there.
/// Always gets on by a grapheme. What stands before only tells whether a URL goes on; where URLs stay `whole`, one that is longer
/// runs over the edge.
pub(super) fn break_line(text: &str, from: usize, width: usize, space: Space, whole: bool) -> Break {
    let rest = &text[from..];
    let simple = ascii_line(rest, width, space).or_else(|| within_word(text, from, width, whole));
    simple.unwrap_or_else(|| Breaker::new((text, from), width, space, whole).run())
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Whether an offset is within a URL that stands in a word.
fn is_within(text: &str, word: std::ops::Range<usize>, at: usize) -> bool {
    let found = find(&text[word.clone()]);
    found.iter().any(|found| word.start + found.range.start < at && at <= word.start + found.range.end)
}

/// Whether the octet before an offset is a part of a URL, in a word that is not too long to be looked at.
fn is_address(text: &str, at: usize) -> bool {
    let octets = text.as_bytes();
    let before = octets[..at].iter().rev().take(LONGEST_URL).take_while(|octet| !is_blank(**octet)).count();
    let after = octets[at..].iter().take(LONGEST_URL).take_while(|octet| !is_blank(**octet)).count();
    before > 0 && before + after < LONGEST_URL && is_within(text, at - before..at + after, at)
}

/// The end of the word in which a URL goes on at an offset; the line begins at `from`, and none before it ended within a URL,
/// so that what stands there need not be looked at, however long the word is.
fn whole_address(text: &str, from: usize, at: usize) -> Option<usize> {
    let octets = text.as_bytes();
    let (start, end) = (from.saturating_sub(CONTEXT), (at + CONTEXT).min(text.len()));
    let (start, end) = (text.floor_char_boundary(start), text.ceil_char_boundary(end));
    let first = memchr::memrchr2(b' ', b'\t', &octets[start..at]).map_or(start, |blank| start + blank + 1);
    let last = memchr::memchr2(b' ', b'\t', &octets[at..end]).map_or(end, |blank| at + blank);
    let whole = || memchr::memchr2(b' ', b'\t', &octets[last..]).map_or(text.len(), |blank| last + blank);
    is_within(text, first..last, at).then(whole)
}

/// The shortcut for plain ASCII, where an octet is a column: whatever fits, and words that fit on a line of their own.
fn ascii_line(text: &str, width: usize, space: Space) -> Option<Break> {
    let bytes = text.as_bytes();
    let head = &bytes[..bytes.len().min(width + 2)];
    if !head.is_ascii() || memchr::memchr(b'\t', head).is_some() || (space == Space::Fold && head.first()? == &b' ') {
        return None;
    }
    if bytes.len() <= width {
        let trailing = bytes.iter().rev().take_while(|b| **b == b' ').count();
        let end = if space == Space::Fold { bytes.len() - trailing } else { bytes.len() };
        return Some(Break { end, next: bytes.len() });
    }
    let gap = memchr::memrchr(b' ', &head[..=width])?;
    if head.get(gap + 1) == Some(&b' ') || (space == Space::Fold && has_double_space(&head[..=gap])) {
        return None;
    }
    let word = &bytes[gap + 1..bytes.len().min(gap + 2 + width)];
    let word = &word[..memchr::memchr2(b' ', b'\t', word).unwrap_or(word.len())];
    let end = if space == Space::Fold || gap == width { gap } else { gap + 1 };
    (word.is_ascii() && word.len() <= width && !word.is_empty()).then_some(Break { end, next: gap + 1 })
}

/// The shortcut for a line in the midst of a word of plain letters and digits that is longer than it: nothing in there is a place to
/// end at but the edge. Where URLs stay `whole`, none can go on there, either.
fn within_word(text: &str, from: usize, width: usize, whole: bool) -> Option<Break> {
    let around = if whole { CONTEXT } else { 0 };
    let (start, end) = (from.saturating_sub(around), from.saturating_add(width + around + 1).min(text.len()));
    let longer = text.len() - from > width;
    let plain = || text.as_bytes()[start..end].iter().all(u8::is_ascii_alphanumeric);
    (longer && plain()).then_some(Break { end: width, next: width })
}

fn has_double_space(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == b"  ")
}

/// The state of one line while it is filled.
struct Breaker<'a> {
    /// The text before and on the line.
    all: &'a str,
    /// The line and what follows.
    text: &'a str,
    /// Whether URLs are never broken.
    whole: bool,
    width: usize,
    space: Space,
    at: usize,
    column: usize,
    /// The last place between words, and the column there.
    gap: Option<(Break, usize)>,
    /// The last place within the current word after which it may be cut, and the column there.
    soft: Option<(usize, usize)>,
    /// The last of those that follows no hyphen.
    quiet: Option<(usize, usize)>,
    /// Whether anything but white space stands on the line.
    inked: bool,
    /// The grapheme before `at`, within the current word.
    before: Option<(char, usize)>,
}

impl<'a> Breaker<'a> {
    fn new((all, from): (&'a str, usize), width: usize, space: Space, whole: bool) -> Breaker<'a> {
        let text = &all[from..];
        let (gap, soft, quiet, before) = (None, None, None, None);
        Breaker { all, text, whole, width, space, at: 0, column: 0, gap, soft, quiet, inked: false, before }
    }

    fn run(mut self) -> Break {
        while self.at < self.text.len() {
            let over = if is_white(self.text, self.at) { self.white() } else { self.letter() };
            if let Some(end) = over {
                return end;
            }
        }
        Break { end: self.at, next: self.at }
    }

    /// Takes a run of white space; the line may end with it.
    fn white(&mut self) -> Option<Break> {
        let start = self.at;
        let next = self.skip_white(start);
        (self.at, self.soft, self.quiet, self.before) = (next, None, None, None);
        let mut end = next;
        match self.space {
            Space::Fold if next == self.text.len() => return Some(Break { end: start, next }),
            Space::Fold => {
                self.column += usize::from(self.inked);
                end = start;
            }
            Space::Keep => {
                for (at, octet) in self.text.as_bytes()[start..next].iter().enumerate() {
                    let cols = if *octet == b'\t' { tab_columns(self.column) } else { 1 };
                    let cols = if self.column == 0 { cols.min(self.width) } else { cols };
                    if self.column + cols > self.width {
                        return Some(Break { end: start + at, next });
                    }
                    self.column += cols;
                }
            }
        }
        if self.column > 0 {
            self.gap = Some((Break { end, next }, self.column));
        }
        None
    }

    /// Takes a grapheme, or ends the line before it.
    fn letter(&mut self) -> Option<Break> {
        let (len, cols) = cluster(&self.text[self.at..]);
        let letter = self.text[self.at..].chars().next().unwrap_or_default();
        self.opportunity(letter, cols);
        // a folded space may stand past the edge already
        if self.column + cols > self.width && (cols > 0 || self.column > self.width) {
            if self.column > 0 {
                return Some(self.overflow());
            }
            let next = self.skip_white(self.at + len);
            return Some(Break { end: self.at + len, next });
        }
        self.at += len;
        self.column += cols;
        self.inked = true;
        self.before = Some((letter, cols));
        if letter == '\u{200b}' {
            self.part(self.at);
        }
        None
    }

    /// Notes that the line may end before the letter at `at`.
    fn opportunity(&mut self, letter: char, cols: usize) {
        let Some((before, width_before)) = self.before else { return };
        let hyphen = is_hyphen(before);
        if (cols == 2 || width_before == 2) && !keeps_off_start(letter) && !keeps_off_end(before) {
            self.part(self.at);
        } else if (hyphen || matches!(before, '/' | '?' | '&' | '=')) && letter != before {
            self.soft = Some((self.at, self.column));
            self.quiet = if hyphen { self.quiet } else { self.soft };
        }
    }

    fn part(&mut self, at: usize) {
        self.gap = Some((Break { end: at, next: at }, self.column));
        (self.soft, self.quiet) = (None, None);
    }

    /// Ends a line that holds something, before the grapheme at `at`.
    fn overflow(&self) -> Break {
        let here = |at| Break { end: at, next: at };
        if let Some((gap, _)) = self.gap
            && self.fits_alone(gap.next)
        {
            return gap;
        }
        let hyphen = self.soft != self.quiet || self.before.is_some_and(|(c, _)| is_hyphen(c));
        let from = self.all.len() - self.text.len();
        if self.whole
            && let Some(end) = whole_address(self.all, from, from + self.at)
        {
            return match self.gap {
                Some((gap, _)) if self.inked_before(gap) => gap,
                _ => Break { end: end - from, next: self.skip_white(end - from) },
            };
        }
        let address = hyphen && !self.whole && is_address(self.all, from + self.at);
        let edge = if address { self.before_hyphens() } else { self.at };
        match (self.gap, if address { self.quiet } else { self.soft }) {
            (Some((gap, from)), soft) if self.inked_before(gap) => match soft {
                Some((at, column)) if column >= from + PIECE => here(at),
                _ => gap,
            },
            (gap, Some((at, column))) => {
                let from = gap.map_or(0, |(_, from)| from);
                if (column - from) * 2 >= self.width.saturating_sub(from) { here(at) } else { here(edge) }
            }
            // a line of nothing but indent, with no room left after it
            (Some((gap, _)), None) if gap.next == self.at => gap,
            _ => here(edge),
        }
    }

    /// The last place up to `at` that follows no hyphen; `at` where the line would be empty.
    fn before_hyphens(&self) -> usize {
        match self.text[..self.at].trim_end_matches(is_hyphen).len() {
            0 => self.at,
            before if is_white(self.text, before - 1) => self.at,
            before => before,
        }
    }

    fn inked_before(&self, gap: Break) -> bool {
        !self.text[..gap.end].trim_start_matches([' ', '\t']).is_empty()
    }

    /// Whether the word at an offset fits on a line of its own.
    fn fits_alone(&self, from: usize) -> bool {
        let (mut at, mut total) = (from, 0);
        let mut before: Option<(char, usize)> = None;
        while at < self.text.len() && !is_white(self.text, at) {
            let (len, cols) = cluster(&self.text[at..]);
            let wide_edge = before.is_some_and(|(_, width)| width == 2 || cols == 2);
            if wide_edge || before.is_some_and(|(c, _)| c == '\u{200b}') {
                return true;
            }
            total += cols;
            if total > self.width {
                return false;
            }
            before = self.text[at..].chars().next().map(|c| (c, cols));
            at += len;
        }
        true
    }

    fn skip_white(&self, from: usize) -> usize {
        (from..self.text.len()).find(|at| !is_white(self.text, *at)).unwrap_or(self.text.len())
    }
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2013}' | '\u{2014}')
}

/// Marks that do not begin a line: closing brackets, stops, small kana, sound marks.
fn keeps_off_start(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | ',' | '.' | '!' | '?' | ';' | ':' | '%' | '’' | '”' | '…')
        || matches!(
            c,
            '、' | '。' | '，' | '．' | '・' | '：' | '；' | '？' | '！' | '゛' | '゜' | 'ヽ' | 'ヾ' | 'ゝ' | 'ゞ'
        )
        || matches!(c, '々' | 'ー' | '）' | '〕' | '］' | '｝' | '〉' | '》' | '」' | '』' | '】' | '〟' | '\u{200b}')
        || matches!(
            c,
            'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'っ' | 'ゃ' | 'ゅ' | 'ょ' | 'ゎ' | 'ァ' | 'ィ' | 'ゥ' | 'ェ' | 'ォ'
        )
        || matches!(c, 'ッ' | 'ャ' | 'ュ' | 'ョ' | 'ヮ' | 'ヵ' | 'ヶ')
}

/// Marks that do not end a line: opening brackets and quotes.
fn keeps_off_end(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '‘' | '“' | '（' | '〔' | '［' | '｛' | '〈' | '《' | '「' | '『' | '【' | '〝')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_shortcut_changes_nothing(text in " {0,6}[ab]{1,9}([ /x-]{1,3}[a-d]{1,12}){0,6} {0,3}", width in 1usize..20) {
            for space in [Space::Fold, Space::Keep] {
                if let Some(line) = ascii_line(&text, width, space) {
                    prop_assert_eq!(line, Breaker::new((&text, 0), width, space, false).run(), "{:?}", space);
                }
            }
        }

        #[test]
        fn the_shortcut_within_a_word_changes_nothing(
            before in "([a-c]{1,8}[ /:.-]){0,3}",
            word in "[a-z0-9]{1,400}",
            after in "([ /:.-][a-c]{1,8}|\u{301}x|é){0,3}",
            width in 1usize..90,
        ) {
            let text = format!("{before}{word}{after}");
            for (space, whole) in [(Space::Fold, false), (Space::Fold, true), (Space::Keep, false), (Space::Keep, true)] {
                for from in (before.len()..text.len()).filter(|from| text.is_char_boundary(*from)) {
                    if let Some(line) = within_word(&text, from, width, whole) {
                        let slow = Breaker::new((&text, from), width, space, whole).run();
                        prop_assert_eq!(line, slow, "{} {:?} {}", from, space, whole);
                    }
                }
            }
        }

        #[test]
        fn no_url_is_broken_after_a_hyphen(
            before in "([a-c]{1,8} ){0,4}[(<]?",
            path in "[a-c-]{1,6}(/[a-c-]{1,9}|[?&=][a-c-]{1,9}|-){4,30}[a-c]",
            width in 2usize..60,
        ) {
            let url = format!("http://h{path}");
            let text = format!("{before}{url} and so on");
            for space in [Space::Fold, Space::Keep] {
                let (mut at, mut lines) = (0, Vec::new());
                while at < text.len() {
                    let line = break_line(&text, at, width, space, false);
                    prop_assert!(line.next > 0);
                    lines.push(at..at + line.end);
                    at += line.next;
                }
                let within = before.len() + 1..before.len() + url.len();
                for line in &lines {
                    // Of a line of nothing but hyphens something has to stand there.
                    let after = text[line.clone()].ends_with('-') && text[line.clone()].contains(|c| c != '-');
                    prop_assert!(!within.contains(&line.end) || !after, "{:?}", &text[line.clone()]);
                }
                let (mut at, mut shown) = (0, String::new());
                while at < text.len() {
                    let line = break_line(&text, at, width, space, true);
                    shown.push_str(text[at..at + line.end].trim_end());
                    shown.push('\n');
                    at += line.next;
                }
                prop_assert!(shown.contains(&url), "{shown}");
            }
        }
    }
}
