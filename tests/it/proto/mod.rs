//! Fetches against scripted servers on the loopback: what is sent, what is made of the answers, the lies included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod certificate;
pub mod client;
mod dict;
mod file;
mod frame;
mod ftp;
mod ftp_hostile;
mod ftp_kept;
mod ftp_resume;
mod ftp_server;
mod gemini;
mod gopher;
mod gopher_plus;
mod http;
mod http_cookies;
mod http_logins;
mod http_strict;
mod inside;
mod nntp;
mod nntp_groups;
mod nntp_hostile;
mod nntp_kept;
mod nntp_server;
mod one_line;
mod phone_book;
mod proxied;
mod reach;
mod sent;
pub mod server;
mod sftp;
mod sftp_server;
mod small_web;
mod tls;
