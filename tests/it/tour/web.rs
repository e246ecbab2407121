//! The web server of the tour.

use super::gopher::said;
use super::wire::{fetch, on_tour};

async fn asked(port: u16, request: &str) -> (String, String) {
    let answer = String::from_utf8(said(port, request.as_bytes()).await).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{request:?}: {answer:?}"));
    (head.to_owned(), body.to_owned())
}

#[test]
fn methods_redirects_and_what_is_missing() {
    on_tour(async |doors| {
        let (head, body) = asked(doors.web, "GET /base HTTP/1.1\r\nHost: x\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.contains(&format!("Content-Length: {}", body.len())));
        assert!(body.contains(&format!("<base href=\"http://127.0.0.1:{}/rooms/\">", doors.web)));
        let (only, nothing) = asked(doors.web, "HEAD /base HTTP/1.0\r\n\r\n").await;
        assert_eq!((only, nothing), (head, String::new()));
        let (head, _) = asked(doors.web, "GET /old HTTP/1.1\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 302 ") && head.contains("\r\nLocation: end"), "{head}");
        let (head, body) = asked(doors.web, "GET /<b>{ftp} HTTP/1.1\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 404 ") && body.contains("/&lt;b&gt;{ftp}"), "{head}{body}");
        let (head, _) = asked(doors.web, "DELETE / HTTP/1.1\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 405 ") && head.contains("Allow: GET, HEAD"), "{head}");
        let moved = fetch(&format!("http://127.0.0.1:{}/old", doors.web)).await.moved.unwrap();
        assert_eq!((moved.to.as_str(), moved.status.as_str()), ("end", "302 Found"));
    });
}

#[test]
fn forms_are_told_what_they_sent() {
    on_tour(async |doors| {
        let (_, page) = asked(doors.web, "GET /answer?name=Ada+%3Cb%3E&by=FTP HTTP/1.1\r\n\r\n").await;
        assert!(page.contains("<pre>?name=Ada+%3Cb%3E&amp;by=FTP</pre>"), "{page}");
        assert!(page.contains("<tr><td>name<td>Ada &lt;b&gt;") && page.contains("<tr><td>by<td>FTP"), "{page}");
        let body = "text=a%0D%0Ab&way={ftp}";
        let head = format!("POST /answer HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let (_, page) = asked(doors.web, &head).await;
        assert!(page.contains("<td>a<br>b") && page.contains("<td>way<td>{ftp}"), "{page}");
        let body = "--x\r\nContent-Disposition: form-data; name=\"word\"\r\n\r\nwayfarer\r\n--x--\r\n";
        let media = "Content-Type: multipart/form-data; boundary=x";
        let head = format!("POST /answer HTTP/1.1\r\n{media}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let (_, page) = asked(doors.web, &head).await;
        assert!(page.contains("in parts") && page.contains("<tr><td>word<td>wayfarer"), "{page}");
    });
}

#[test]
fn hostile_requests_are_refused_and_others_served_all_the_same() {
    on_tour(async |doors| {
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
        let headers = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(10_000));
        for (request, status) in [
            ("nonsense\r\n", "400"),
            ("GET  / HTTP/1.1\r\n\r\n", "400"),
            ("GET / SPDY/9\r\n\r\n", "505"),
            ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400"),
            ("POST /answer HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST /answer HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "413"),
            ("POST /answer HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "411"),
            (&long, "414"),
            (&headers, "431"),
        ] {
            let answer = String::from_utf8(said(doors.web, request.as_bytes()).await).unwrap();
            // A server that closes before it has heard everything may not be heard itself.
            let heard = request.len() < 1000;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")) || !heard && answer.is_empty(), "{answer}");
        }
        for silent in
            ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost", "POST /answer HTTP/1.1\r\nContent-Length: 9\r\n\r\nx"]
        {
            assert_eq!(said(doors.web, silent.as_bytes()).await, b"", "{silent:?}");
        }
        let (head, _) = asked(doors.web, "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    });
}
