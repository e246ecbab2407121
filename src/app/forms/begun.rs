//! A form of Gopher+ that is being filled in, as it is kept for the next run, and what is put back of it when the reader opens
//! the form again. Never its passwords (GPP-14), nor names of files.

use crate::app::{FieldMark, FieldValue, Form, FormOwner, KeptAnswers, KeptField, KeptValue, Overlay, Sight};
use crate::format::ask::{self, Kind};
use tui_input::Input;

/// The form over the page in view; `None` while nothing was typed into it.
pub(in crate::app) fn begun(sight: Sight<'_>) -> Option<KeptAnswers> {
    sight.hands.overlays().iter().find_map(|overlay| {
        let Overlay::Form(form) = overlay else { return None };
        let (FormOwner::Gopher(item), true) = (&form.owner, form.touched) else { return None };
        let fields = form.fields.iter().zip(&item.1.fields).enumerate();
        let kept = fields.filter_map(|(number, (field, asked))| {
            let kept = KeptField { mark: mark(number, asked)?, value: kept(&field.value)? };
            let first = self::kept(&super::gopher::value(&asked.kind));
            Some(kept).filter(|kept| first.as_ref() != Some(&kept.value) && kept.fits())
        });
        Some(KeptAnswers { url: item.0.url.clone(), fields: kept.collect() }).filter(|kept| !kept.fields.is_empty())
    })
}

/// Puts back what was typed in an earlier run into the questions that are still asked; says whether there was any.
pub(super) fn put_back(kept: Option<KeptAnswers>, form: &mut Form) -> bool {
    let FormOwner::Gopher(item) = &form.owner else { return false };
    for KeptField { mark, value } in kept.into_iter().flat_map(|kept| kept.fields) {
        let number = mark.number;
        let same = item.1.fields.get(number).and_then(|asked| self::mark(number, asked)) == Some(mark);
        if let Some(field) = form.fields.get_mut(number).filter(|_| same) {
            form.touched |= put(&mut field.value, value);
        }
    }
    form.touched
}

/// By what a question is known again; `None` for one of which nothing is kept.
fn mark(number: usize, asked: &ask::Field) -> Option<FieldMark> {
    let sort = match asked.kind {
        Kind::Line(_) => "ask",
        Kind::Text(_) => "asklines",
        Kind::Check(_) => "select",
        Kind::Choice(_) => "choose",
        Kind::Note | Kind::Secret(_) | Kind::NewFile(_) | Kind::File(_) => return None,
    };
    Some(FieldMark { number, name: asked.question.clone(), sort: sort.into(), ..FieldMark::default() })
}

fn kept(value: &FieldValue) -> Option<KeptValue> {
    Some(match value {
        FieldValue::Line { input, secret: false } => KeptValue::Text(input.value().into()),
        FieldValue::Lines { lines, .. } => {
            KeptValue::Text(lines.iter().map(Input::value).collect::<Vec<_>>().join("\n"))
        }
        FieldValue::Check(on) => KeptValue::On(*on),
        FieldValue::Choose { options, chosen } => KeptValue::Chosen(vec![options.get(*chosen)?.clone()]),
        FieldValue::Note | FieldValue::Line { .. } | FieldValue::File { .. } => return None,
    })
}

fn put(field: &mut FieldValue, value: KeptValue) -> bool {
    match (field, value) {
        (FieldValue::Line { input, secret: false }, KeptValue::Text(text)) => *input = line(&text),
        (FieldValue::Lines { lines, at }, KeptValue::Text(text)) => {
            (*lines, *at) = (text.split('\n').map(line).collect(), 0);
        }
        (FieldValue::Check(now), KeptValue::On(on)) => *now = on,
        (FieldValue::Choose { options, chosen }, KeptValue::Chosen(words)) => {
            let at = options.iter().position(|option| words.first() == Some(option));
            *chosen = at.unwrap_or(*chosen);
            return at.is_some();
        }
        _ => return false,
    }
    true
}

/// A file that somebody wrote by hand may say anything.
fn line(text: &str) -> Input {
    Input::new(crate::doc::sanitise(text).replace(['\r', '\n'], " "))
}
