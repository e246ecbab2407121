//! Whether what stands in a field is what the page wants there (HTML, 4.10.21.1), as far as a reader can be told why not.

use crate::doc::{Field, FieldKind, LineKind};
use crate::format::html::Value;
use crate::url::Url;

/// What is wrong with a value, after the words "not sent:" and the field's label. An empty one is never wrong.
pub(super) fn wrong(field: &Field, value: &Value) -> Option<String> {
    let Value::Text(text) = value else { return None };
    let (FieldKind::Line { .. } | FieldKind::Text(_)) = field.kind else { return None };
    if text.is_empty() || field.disabled || field.readonly {
        return None;
    }
    let count = text.chars().count();
    if count < field.bounds.shortest as usize {
        return Some(format!("has {count} characters, at least {} are wanted", field.bounds.shortest));
    }
    let FieldKind::Line { kind, .. } = field.kind else { return None };
    let text = text.trim();
    match kind {
        LineKind::Email => {
            let mut addresses = text.split(',').take(if field.bounds.several { usize::MAX } else { 1 });
            let wrong = match field.bounds.several {
                true => addresses.find(|address| !is_address(address.trim())).map(str::trim),
                false => Some(text).filter(|text| !is_address(text)),
            };
            wrong.map(|wrong| format!("\"{wrong}\" is no mail address (name@host)"))
        }
        LineKind::Url => Url::parse(text).err().map(|_| format!("\"{text}\" is no URL (https://…)")),
        LineKind::Number => match text.parse::<f64>().ok().filter(|number| number.is_finite()) {
            None => Some(format!("\"{text}\" is no number")),
            Some(number) => beyond(field, |bound| Some(number.total_cmp(&bound.parse().ok()?))),
        },
        // dates of the same shape are in the order of their letters
        LineKind::Date => beyond(field, |bound| Some(text.cmp(bound)).filter(|_| text.len() == bound.len())),
        _ => None,
    }
}

fn is_address(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace) && !host.starts_with('.')
}

/// Whether a value is less than the least or more than the most.
fn beyond(field: &Field, against: impl Fn(&str) -> Option<std::cmp::Ordering>) -> Option<String> {
    let (least, most) = (&field.bounds.least, &field.bounds.most);
    if against(least).is_some_and(std::cmp::Ordering::is_lt) || against(most).is_some_and(std::cmp::Ordering::is_gt) {
        return bounds(field).map(|bounds| format!("must be {bounds}"));
    }
    None
}

/// The bounds of a field in words.
pub(super) fn bounds(field: &Field) -> Option<String> {
    let FieldKind::Line { kind: LineKind::Number | LineKind::Date, .. } = field.kind else {
        let least = Some(field.bounds.shortest).filter(|least| *least > 0);
        return least.map(|least| format!("at least {least} characters"));
    };
    match (field.bounds.least.as_str(), field.bounds.most.as_str()) {
        ("", "") => None,
        (least, "") => Some(format!("{least} or more")),
        ("", most) => Some(format!("{most} or less")),
        (least, most) => Some(format!("from {least} to {most}")),
    }
}
