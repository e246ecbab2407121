//! Forms of the web in a terminal: fields of every kind filled in and sent to a server that says what it got.

use crate::server::{Server, whole};
use crate::terminal::Terminal;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

const PAGE: &str = "<title>All fields</title><form action=/got method=METHOD enctype=ENCTYPE>\
    <p>Name: <input name=name> <input type=password name=word>\
    <p><input type=checkbox name=box value=1> a box\
    <p><input type=radio name=side value=l checked> left <input type=radio name=side value=r> right\
    <p><select name=one><option>first<option>second</select> <select name=many multiple><option>x<option>y<option>z</select>\
    <p><textarea name=text>line one\nline two</textarea>\
    <p>FILE<input type=hidden name=hid value=den><input type=submit name=go value=Send></form>";

/// Serves the form at `/METHOD` and says at `/got` what came.
pub(crate) fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((visitor, _)) = listener.accept() {
            std::thread::spawn(move || serve(visitor));
        }
    });
    port
}

fn serve(visitor: TcpStream) {
    let mut reader = BufReader::new(visitor.try_clone().unwrap());
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|read| read > 2) {}
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let length =
        head.lines().find_map(|l| l.to_ascii_lowercase().strip_prefix("content-length: ")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    let _ = reader.read_exact(&mut body);
    let (media, text) = match target.as_str() {
        "/get" => ("text/html", PAGE.replace("METHOD", "get").replace("ENCTYPE", "").replace("FILE", "")),
        "/post" => ("text/html", PAGE.replace("METHOD", "post").replace("ENCTYPE", "").replace("FILE", "")),
        "/file" => {
            let upload = PAGE.replace("METHOD", "post").replace("ENCTYPE", "multipart/form-data");
            ("text/html", upload.replace("FILE", "<input type=file name=up>"))
        }
        // On few lines, so that a screen shows all.
        _ => {
            let words = String::from_utf8_lossy(&body).split_whitespace().collect::<Vec<_>>().join(" ");
            ("text/plain", format!("{target}\n{words}\n"))
        }
    };
    let mut out = visitor;
    let head = format!(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    // A client that goes away ends it.
    let _ = out.write_all(head.as_bytes()).and_then(|()| out.write_all(text.as_bytes()));
}

/// Fills in every field; the focus is on the last one before the button.
pub(crate) fn filled(terminal: &mut Terminal) {
    terminal.see("Send").keys("\rAnn & co\r").see("Ann & co");
    terminal.keys("\t\rsesam\r").see("*****").keys("\t\r").see("[x]");
    terminal.keys("\t\t\r").see("(*)").keys("\t\r").see("( ) second").keys("\x1b[B\r").see("second ▾");
    terminal
        .keys("\t\r")
        .see("[ ] y")
        .keys("\x1b[B\r")
        .see("[x] y")
        .keys("\x1b")
        .see_no("Enter choose")
        .see("y ▾")
        .keys("\t");
}

#[test]
fn by_get_a_password_is_asked_about_and_everything_stands_in_the_address() {
    let url = format!("http://127.0.0.1:{}/get", server());
    let mut terminal = Terminal::start(&[&url]);
    filled(&mut terminal);
    terminal.keys("\t\r").see("which servers write into").keys("y").see("/got?name=Ann+%26+co&word=");
    let got = "box=1&side=r&one=second&many=y&text=line+one%0D%0Aline+two&hid=den&go=Send";
    let whole = |screen: &str| screen.split_whitespace().collect::<String>().contains(got);
    terminal.see_that("all fields in the address", whole);
    // What was filled in is there again.
    terminal.keys("h").see("Ann & co").see("(*)").see("second ▾").keys("Q").end();
}

#[test]
fn by_post_they_stand_in_the_body_and_go_once() {
    let url = format!("http://127.0.0.1:{}/post", server());
    let mut terminal = Terminal::start(&[&url]);
    filled(&mut terminal);
    terminal.keys("\t\r").see("/got").see("name=Ann+%26+co&word=sesam&box=1&side=r&one=second&many=y");
    terminal.keys("R").see("the form is sent").keys("n").see_no("the form is sent").keys("Q").end();
}

#[test]
fn a_file_goes_only_after_a_yes() {
    let url = format!("http://127.0.0.1:{}/file", server());
    let mut terminal = Terminal::start(&[&url]);
    std::fs::write(terminal.home().join("note.txt"), "what is in the file\n").unwrap();
    filled(&mut terminal);
    terminal.keys("\t\r~/note.txt\r").see("note.txt").keys("\t\r").see("Read this file").keys("n");
    terminal
        .see("nothing was read, nothing was sent")
        .keys("\r")
        .see("Read this file")
        .keys("y")
        .see("/got")
        .see("filename=\"note.txt\"");
    terminal.see("what is in the file").keys("Q").end();
}

/// "q" left the program, and "u" went back.
#[test]
fn in_the_keys_of_lynx_typing_fills_in_the_field_under_focus() {
    let form = "<form action=/go><p><label>Name <input name=n></label><p><label>Word <input type=password name=p></label>\
                <p><label>Said <textarea name=t></textarea></label></form><p>the end";
    let server = Server::start(vec![("/form", whole(form))]);
    let mut terminal = Terminal::start(&["-o", "keys=lynx", &server.url("h/form")]);
    terminal.see("type it in").keys("quit").see("Name: quit").keys("\x1b[B").see("[quit__");
    terminal.keys("open").see("Word: ****").keys("\t").see("[****__").keys("line\rtwo").see("two");
    terminal.keys("\x1b[B").see("[line (+1)").keys("\x1b[A").keys("\x1b").see("Enter fills it in");
    terminal.keys("Q").end();
}
