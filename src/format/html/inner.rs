//! Pages that stand as text in a page: what `<noframes>`, `<noembed>` and `<iframe>` hold for whoever shows no frames and films,
//! and the `srcdoc` of a frame.
//!
//! They are read as pages of their own and written in their place. Their titles, bases and relations are not those of the
//! page; one within one is left out, so nothing nests.

use super::flow::Style;
use super::guard::Guard;
use super::head::Head;
use super::lexer::Lexer;
use super::syntax::Syntax;
use super::walk::Walk;
use crate::doc::Builder;

/// The most octets of such pages that are read in one page.
const MOST: usize = 1 << 20;

impl Walk {
    /// Writes a page that stands in an element as text, if it says anything; says whether it was written.
    pub(super) fn write_inner(&mut self, text: &str, style: Style, out: &mut Builder) -> bool {
        if self.is_inner || text.trim_ascii().is_empty() || self.inner + text.len() > MOST {
            return false;
        }
        self.inner += text.len();
        self.flow.end_block();
        let guard = Guard::new(Head::none());
        {
            let mut walk = guard.page.walk.borrow_mut();
            walk.is_inner = true;
            walk.begin_with(Style { link: None, ..style });
        }
        let mut lexer = Lexer::new(guard);
        lexer.page().exchange(out);
        lexer.read(text);
        lexer.end();
        lexer.page().exchange(out);
        lexer.page().finish(out);
        self.flow.gap();
        true
    }
}
