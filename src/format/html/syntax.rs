//! What a page's text is read by: the rules of HTML, or those of XML.

use super::dom::Dom;
use super::page::Page;
use std::cell::RefMut;

/// Makes a tree of text, and has that written while it grows.
pub(super) trait Syntax {
    /// Takes text.
    fn read(&mut self, text: &str);

    /// Takes the end: all of the tree is written.
    fn end(&mut self);

    /// What becomes of the tree.
    fn page(&self) -> &Page;

    /// The tree.
    fn dom(&self) -> RefMut<'_, Dom>;

    /// Whether a tag was too long to be read to its end.
    fn is_cut(&self) -> bool {
        false
    }

    /// How much is held, in octets.
    fn memory(&self) -> usize;

    /// Where the text is not what these rules say: why, and the text from there on, of which nothing was made. Nothing is read
    /// any more then.
    fn refused(&mut self) -> Option<(String, String)> {
        None
    }
}
