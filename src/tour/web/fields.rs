//! What a form sends: `name=value&…`, in a query or a body, and `multipart/form-data` (HTML, 4.10.21; RFC 7578).

use crate::tour::decoded;

/// Fields at most; what comes after them is left out.
const MOST: usize = 100;

/// The fields of a query, or of a body of the same kind.
pub(super) fn of_query(query: &str) -> Vec<(String, String)> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (words(name), words(value))
    };
    query.split('&').filter(|pair| !pair.is_empty()).take(MOST).map(pair).collect()
}

/// The fields of a body in parts; of a file its name.
pub(super) fn of_parts(media: &str, body: &[u8]) -> Vec<(String, String)> {
    let Some((_, boundary)) = media.split_once("boundary=") else { return Vec::new() };
    let boundary = format!("--{}", boundary.trim_matches('"'));
    let text = String::from_utf8_lossy(body);
    let field = |part: &str| {
        let (head, value) = part.split_once("\r\n\r\n")?;
        let name = parameter(head, " name=\"")?;
        let value = value.strip_suffix("\r\n").unwrap_or(value);
        let value = parameter(head, " filename=\"").map_or(value.to_owned(), |file| format!("the file {file}"));
        Some((name, value))
    };
    text.split(boundary.as_str()).filter_map(field).take(MOST).collect()
}

/// What stands in quotation marks after a name.
fn parameter(head: &str, name: &str) -> Option<String> {
    let (_, rest) = head.split_once(name)?;
    rest.split_once('"').map(|(value, _)| value.to_owned())
}

/// `+` is a blank, `%` and two digits an octet.
fn words(text: &str) -> String {
    String::from_utf8_lossy(&decoded(&text.replace('+', " "))).into_owned()
}

/// Text within a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    }

    #[test]
    fn queries_are_taken_apart() {
        assert_eq!(
            of_query("a=1&b=two+words&&c&d=%C3%A9%2B%"),
            fields(&[("a", "1"), ("b", "two words"), ("c", ""), ("d", "é+%")])
        );
        assert_eq!(of_query("%=%zz%f"), fields(&[("%", "%zz%f")]));
        assert_eq!(of_query(&"a&".repeat(5000)).len(), MOST);
    }

    #[test]
    fn parts_are_taken_apart() {
        let body = b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\ntwo\r\n\
            --x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"n.txt\"\r\n\r\n\xff\r\n--x--\r\n";
        assert_eq!(
            of_parts("multipart/form-data; boundary=x", body),
            fields(&[("a", "one\r\ntwo"), ("f", "the file n.txt")])
        );
        assert_eq!(of_parts("multipart/form-data; boundary=", b"---- name=\"\r\n\r\n"), fields(&[]));
        assert_eq!(of_parts("multipart/form-data", body), fields(&[]));
    }
}
