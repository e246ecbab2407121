//! What --json prints is what `wayfarer url schema` says, read by a validator of the words that the schema uses.

use super::url_cmd::run;
use serde_json::Value;

/// Whether a value is what a schema says; else the first thing that is not.
fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let object = schema.as_object().ok_or_else(|| format!("{at}: no schema"))?;
    for (word, rule) in object {
        let fits = match word.as_str() {
            "$ref" => {
                let name = rule.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a reference within");
                check(root, &root["$defs"][name], value, at)?;
                true
            }
            "type" => {
                let types: Vec<&str> = match rule {
                    Value::String(one) => vec![one],
                    Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
                    _ => panic!("{rule}"),
                };
                types.iter().any(|name| match *name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_u64(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("{other}"),
                })
            }
            "const" => rule == value,
            "enum" => rule.as_array().expect("a list").contains(value),
            "required" => {
                rule.as_array().expect("a list").iter().all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" => {
                for (name, inner) in value.as_object().into_iter().flatten() {
                    match rule.get(name) {
                        Some(schema) => check(root, schema, inner, &format!("{at}.{name}"))?,
                        None if schema["additionalProperties"] == false => {
                            return Err(format!("{at}.{name}: not in the schema"));
                        }
                        None => {}
                    }
                }
                true
            }
            "additionalProperties" | "description" => true,
            "items" => {
                for inner in value.as_array().into_iter().flatten() {
                    check(root, rule, inner, &format!("{at}[]"))?;
                }
                true
            }
            "minItems" | "maxItems" => {
                let length = value.as_array().map_or(0, Vec::len) as u64;
                let bound = rule.as_u64().expect("a number");
                if word == "minItems" { length >= bound } else { length <= bound }
            }
            "anyOf" => {
                let all = rule.as_array().expect("a list").iter();
                let wrong: Vec<String> = all.map(|one| check(root, one, value, at)).filter_map(Result::err).collect();
                if wrong.len() == rule.as_array().map_or(0, Vec::len) {
                    return Err(wrong.join("; or "));
                }
                true
            }
            "$schema" | "$id" | "title" | "$defs" | "version" => true,
            other => panic!("the validator does not know {other}"),
        };
        if !fits {
            return Err(format!("{at}: {word} {rule} does not fit {value}"));
        }
    }
    Ok(())
}

fn schema() -> Value {
    let (status, out, _) = run(&["schema"], "");
    assert_eq!(status, 0);
    serde_json::from_str(&out).expect("JSON")
}

/// Answers of a command are what its definition says.
pub(super) fn holds(command: &str, lines: &str) {
    let schema = schema();
    assert!(schema["$defs"][command].is_object(), "no definition of {command}");
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        check(&schema, &schema["$defs"][command], &value, command).unwrap_or_else(|wrong| panic!("{wrong}\n{line}"));
        check(&schema, &schema, &value, "any").unwrap_or_else(|wrong| panic!("{wrong}\n{line}"));
    }
    assert!(!lines.is_empty(), "{command} said nothing");
}

#[test]
fn the_schema_says_its_version() {
    assert_eq!(schema()["version"], "1");
}

#[test]
fn what_no_command_prints_is_not_what_the_schema_says() {
    let schema = schema();
    assert!(check(&schema, &schema, &serde_json::json!({ "zzz": 1 }), "any").is_err());
}

#[test]
fn every_json_answer_is_what_the_schema_says() {
    let mut urls = String::new();
    for table in [include_str!("../../data/parse-examples.tsv"), include_str!("../../data/equivalence.tsv")] {
        for line in table.lines().skip(1) {
            urls += line.split('\t').nth(1).unwrap_or_default();
            urls.push('\n');
        }
    }
    urls += "nothing\nhttp://h:x/\nmailto:a@b?body=x\nwais://h/d?q\nprospero://h/a;b=c\ntelnet://h/\nurn:a:b\n\
        wais://h/d/t/1=a;2=b;\nnews:a.b/1-3\nnntp://h/a.b/1-3\ncid:a@b\ndata:,x\nfile:///x\nabout:x\ngopher://h/7s\n\
        gopher://h/2\ngopher://h/hURL:http://h/\nftp://h:25/x\nhttp://h:81/\nhttp://h/\njavascript:x\n";
    for command in ["parse", "complete", "request", "explain"] {
        holds(command, &run(&[command, "--json"], &urls).1);
    }
    holds("find", &run(&["find", "--json"], &format!("{urls}\nwww.h.example <a@b.c>\n")).1);
    let bases = ["bases", "--json", "--embedded", "sub/", "--retrieved", "http://r/p/q"];
    holds("bases", &run(&bases, &urls).1);
    holds("explain", &run(&["explain", "--json", "--base", "http://a/b/c"], &urls).1);
    holds("bases", &run(&["bases", "--json"], "g\nhttp://h/\n#s\n").1);
}

#[test]
fn the_validator_sees_what_is_wrong() {
    let schema = schema();
    let (_, out, _) = run(&["parse", "--json", "http://h/"], "");
    let good: Value = serde_json::from_str(&out).expect("JSON");
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        check(&schema, &schema["$defs"]["parse"], &value, "parse").is_err()
    };
    assert!(!wrong(&|_| {}));
    assert!(wrong(&|value| value["more"] = 1.into()));
    assert!(wrong(&|value| value["host"] = 1.into()));
    assert!(wrong(&|value| drop(value.as_object_mut().unwrap().remove("host"))));
    assert!(wrong(&|value| value["decoded"]["query_pairs"] = serde_json::json!([["a"]])));
}
