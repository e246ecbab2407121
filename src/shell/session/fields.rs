//! What was filled into forms, in the line of its place: a list of fields, and another one for the answers to an item of Gopher+.
//! What is wrong in a field costs that field.

use crate::app::{FieldMark, KeptAnswers, KeptField, KeptPlace, KeptValue};
use crate::url::Url;
use serde_json::{Map, Value, json};

/// Adds them to a line.
pub(super) fn write(place: &KeptPlace, line: &mut Map<String, Value>) {
    if !place.fields.is_empty() {
        line.insert("fields".into(), place.fields.iter().map(field).collect());
    }
    if let Some(asked) = place.asked.as_ref().filter(|asked| !asked.fields.is_empty()) {
        let fields: Vec<Value> = asked.fields.iter().map(field).collect();
        line.insert("asked".into(), json!({ "url": asked.url.as_str(), "fields": fields }));
    }
}

fn field(kept: &KeptField) -> Value {
    let FieldMark { number, form, name, sort, own } = &kept.mark;
    let mut field = Map::new();
    field.insert("number".into(), json!(number));
    field.extend(form.map(|form| ("form".into(), form.into())));
    field.insert("name".into(), name.as_str().into());
    field.insert("kind".into(), sort.as_str().into());
    if !own.is_empty() {
        field.insert("own".into(), own.as_str().into());
    }
    let value = match &kept.value {
        KeptValue::Text(text) => json!(text),
        KeptValue::On(on) => json!(on),
        KeptValue::Chosen(chosen) => json!(chosen),
    };
    field.insert("value".into(), value);
    Value::Object(field)
}

/// Those of a line.
pub(super) fn read(line: &Map<String, Value>) -> (Vec<KeptField>, Option<KeptAnswers>) {
    let asked = line.get("asked").and_then(Value::as_object).and_then(|asked| {
        let url = Url::parse(asked.get("url")?.as_str()?).ok()?;
        Some(KeptAnswers { url, fields: list(asked.get("fields")) }).filter(|asked| !asked.fields.is_empty())
    });
    (list(line.get("fields")), asked)
}

fn list(fields: Option<&Value>) -> Vec<KeptField> {
    fields.and_then(Value::as_array).into_iter().flatten().filter_map(kept).collect()
}

fn kept(field: &Value) -> Option<KeptField> {
    let number = |name: &str| field.get(name).and_then(Value::as_u64);
    let words = |name: &str| field.get(name).and_then(Value::as_str).map(str::to_owned);
    let mark = FieldMark {
        number: usize::try_from(number("number")?).ok()?,
        form: number("form").and_then(|form| u32::try_from(form).ok()),
        name: words("name")?,
        sort: words("kind")?,
        own: words("own").unwrap_or_default(),
    };
    let value = match field.get("value")? {
        Value::String(text) => KeptValue::Text(text.clone()),
        Value::Bool(on) => KeptValue::On(*on),
        Value::Array(chosen) => KeptValue::Chosen(chosen.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        _ => return None,
    };
    Some(KeptField { mark, value })
}
