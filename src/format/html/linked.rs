//! The value of a `Link` header field (RFC 8288, 3): what a server says a page is related to.

/// A link as the header has it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Linked {
    pub reference: String,
    pub relation: String,
    pub title: Option<String>,
    pub media: Option<String>,
}

/// The links of a field value. Those that speak of another place than the page itself are left out.
pub(super) fn links(value: &str) -> Vec<Linked> {
    let mut found = Vec::new();
    let mut rest = value;
    while let Some((reference, after)) = rest.split_once('<').and_then(|(_, rest)| rest.split_once('>')) {
        let mut link = Linked { reference: reference.trim().into(), ..Linked::default() };
        let mut elsewhere = false;
        rest = after.trim_ascii_start();
        while let Some(parameter) = rest.strip_prefix(';') {
            let (name, value, next) = self::parameter(parameter);
            rest = next;
            match name.to_ascii_lowercase().as_str() {
                // only the first one counts
                "rel" if link.relation.is_empty() => link.relation = value,
                "title" if link.title.is_none() => link.title = Some(value),
                "type" if link.media.is_none() => link.media = Some(value),
                "anchor" => elsewhere = true,
                _ => {}
            }
        }
        if !elsewhere {
            found.push(link);
        }
    }
    found
}

/// The name and the value of a parameter, and what follows it.
fn parameter(text: &str) -> (&str, String, &str) {
    let end = text.find(['=', ';', ',']).unwrap_or(text.len());
    let name = text[..end].trim_ascii();
    let Some(value) = text[end..].strip_prefix('=') else { return (name, String::new(), &text[end..]) };
    let value = value.trim_ascii_start();
    let Some(quoted) = value.strip_prefix('"') else {
        let end = value.find([';', ',']).unwrap_or(value.len());
        return (name, value[..end].trim_ascii().into(), &value[end..]);
    };
    let mut unquoted = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (name, unquoted, quoted[at + 1..].trim_ascii_start()),
            '\\' => unquoted.extend(characters.next().map(|(_, c)| c)),
            _ => unquoted.push(c),
        }
    }
    (name, unquoted, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_headers() {
        let say = |value: &str| -> Vec<String> {
            let links = links(value).into_iter();
            links.map(|l| format!("{} {} {}", l.relation, l.reference, l.title.unwrap_or_default())).collect()
        };
        assert_eq!(
            say("</p2>; rel=next, <../> ; rel=\"up  index\";title=\"a, \\\"b\\\"; c\""),
            ["next /p2 ", "up  index ../ a, \"b\"; c"]
        );
        assert_eq!(say("<a,b;c>;rel=prev;rel=next;crossorigin;title*=UTF-8''x"), ["prev a,b;c "]);
        assert_eq!(say("<x>; anchor=\"#part\"; rel=next, <y>; rel=last"), ["last y "]);
        assert!(say("x; rel=next").is_empty() && say("<x; rel=next").is_empty() && say("").is_empty());
        assert_eq!(say("<x>; rel=\"next"), ["next x "]);
    }
}
