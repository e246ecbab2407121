//! What a scheme is stands in `src/url/scheme` and nowhere else: no other file lists names of schemes to tell what a URL is.

use std::collections::BTreeSet;
use std::path::Path;

use crate::source::{Token, files, tokens};
use wayfarer::url::scheme;

/// Files that list schemes all the same, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("src/proto/mod.rs", "who fetches what: each protocol has a row with the schemes that it speaks"),
    ("src/url/find/known.rs", "what is found in plain text without a wrapper, by what has to follow the colon"),
    ("src/config/proxies.rs", "the words by which settings and environment name a proxy"),
    ("src/tour/mod.rs", "the words that stand for the tour's servers in its texts"),
];

/// Where schemes are at home.
const HOME: &str = "src/url/scheme/";

fn is_scheme(token: Option<&Token>) -> Option<&str> {
    let Some(Token::Text(text)) = token else { return None };
    (scheme::name(text) == text && text != scheme::name("")).then_some(text)
}

/// The lines where a source lists schemes: in an array, among the patterns of a `match`, or in a chain of comparisons.
fn lists(source: &str) -> BTreeSet<usize> {
    // What tests compare with is data.
    let tokens = tokens(source.split("#[cfg(test)]\nmod ").next().unwrap_or_default());
    let at = |at: usize| tokens.get(at).map(|(_, token)| token);
    let mark = |place: usize, mark| at(place) == Some(&Token::Mark(mark));
    let mut lines = BTreeSet::new();
    let mut compared: BTreeSet<&str> = BTreeSet::new();
    for (place, (line, token)) in tokens.iter().enumerate() {
        match token {
            Token::Mark('[') if is_array(&tokens[place + 1..]) => drop(lines.insert(*line)),
            Token::Mark('|')
                if is_scheme(place.checked_sub(1).and_then(at)).and(is_scheme(at(place + 1))).is_some() =>
            {
                lines.insert(*line);
            }
            Token::Mark(';' | '{' | '}') => compared.clear(),
            Token::Mark('=') if mark(place + 1, '>') => compared.clear(),
            Token::Text(_) => {
                let call = place > 1
                    && mark(place - 1, '(')
                    && at(place - 2).is_some_and(|name| name.is_word("is") || name.is_word("eq_ignore_ascii_case"));
                let equal = place > 1 && mark(place - 1, '=') && (mark(place - 2, '=') || mark(place - 2, '!'));
                if call || equal {
                    compared.extend(is_scheme(Some(token)));
                }
                if compared.len() > 1 {
                    lines.insert(*line);
                }
            }
            _ => {}
        }
    }
    lines
}

/// Whether an array, given from behind its bracket, is made of schemes, at least for the greater part: of names, or of tuples
/// and arrays that begin with one.
fn is_array(tokens: &[(usize, Token)]) -> bool {
    let (mut depth, mut elements, mut begins) = (0, 0, true);
    let mut schemes = BTreeSet::new();
    for (_, token) in tokens {
        match token {
            Token::Mark('&') if begins => continue,
            Token::Mark('(' | '[') if begins => depth += 1,
            Token::Mark(')' | ']' | '}') if depth == 0 => break,
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(',') if depth == 0 => begins = true,
            token => {
                if begins {
                    elements += 1;
                    schemes.extend(is_scheme(Some(token)));
                }
                begins = false;
            }
        }
    }
    schemes.len() > 1 && schemes.len() * 2 >= elements
}

#[test]
fn no_list_of_schemes_stands_outside_of_their_table() {
    let sources = files(Path::new(env!("CARGO_MANIFEST_DIR")), "src");
    let mut found = Vec::new();
    for (name, text) in sources.iter().filter(|(name, _)| !name.starts_with(HOME)) {
        let lines = lists(text);
        match EXCEPTIONS.iter().any(|(exception, _)| exception == name) {
            true => assert!(!lines.is_empty(), "{name} is an exception and needs to be none"),
            false => found.extend(lines.iter().map(|line| format!("{name}:{line}"))),
        }
    }
    assert!(
        found.is_empty(),
        "ask url::scheme (family, is_secure, of) instead of listing schemes:\n{}",
        found.join("\n")
    );
}

#[test]
fn lists_are_seen_however_they_are_written() {
    for list in [
        r#"["news", "snews"].iter().any(|scheme| url.is(scheme))"#,
        r#"const S: &[(&str, u8)] = &[("ftp", 1), ("http", 2), ("other", 3)];"#,
        r#"const S: &[(&[&str], u8)] = &[(&["ftp", "ftps"], 1)];"#,
        r#"url.is("nntp") || url.is("nntps")"#,
        r#"!item.is("gopher") && !item.is("gophers")"#,
        r#"if scheme == "http" || scheme == "https" {}"#,
        r#"match s { "snews" | "nntps" => 1, _ => 2 }"#,
        r#"name.eq_ignore_ascii_case("mid") || name.eq_ignore_ascii_case("cid")"#,
    ] {
        assert_eq!(lists(list).len(), 1, "{list}");
    }
    for none in [
        r#"url.is("http"); url.is("https");"#,
        r#"match x { a if url.is("http") => 1, b if url.is("ftp") => 2 }"#,
        r#"["url", "host", "port", "user", "file", "type"]"#,
        r#"// ["news", "snews"]"#,
        "f();\n#[cfg(test)]\nmod tests { const S: [&str; 2] = [\"ftp\", \"http\"]; }",
        r#"b"anonymous" | b"ftp""#,
    ] {
        assert!(lists(none).is_empty(), "{none}");
    }
}

#[test]
fn every_scheme_that_is_spoken_here_says_where_it_is_written_down() {
    let common = scheme::section("x-nobody");
    let spoken = wayfarer::proto::PROTOCOLS.iter().flat_map(|protocol| protocol.schemes);
    let without: Vec<&str> = spoken.copied().filter(|name| scheme::section(name) == common).collect();
    assert_eq!(without, [""; 0]);
}

#[test]
fn families_and_their_schemes() {
    use scheme::Family;
    let of = |text: &str| wayfarer::url::Url::parse(text).unwrap();
    for (secure, clear, family) in [
        ("https://h/", "http", Family::Web),
        ("GOPHERS://h/", "gopher", Family::Gopher),
        ("ftps://h/", "ftp", Family::Ftp),
        ("snews:a.b", "news", Family::News),
        ("nntps:a.b/1", "nntp", Family::Nntp),
    ] {
        let url = of(secure);
        assert_eq!((scheme::family(&url), scheme::is_secure(&url)), (family, true), "{secure}");
        assert_eq!(scheme::of(family, true), url.scheme().to_ascii_lowercase());
        assert_eq!(scheme::of(family, false), clear);
        assert!(!scheme::is_secure(&of(&format!("{clear}://h/"))));
    }
    assert_eq!(scheme::of(Family::File, true), "file");
    assert_eq!(scheme::family(&of("x-own:a")), Family::Other);
}
