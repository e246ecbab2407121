//! Forms that others ask the reader to fill in: those of web pages, where they stand on the page, Gopher+'s ASK forms, and the
//! logins of servers.

pub(super) mod begun;
pub(super) mod gopher;
pub(super) mod login;
pub(super) mod web;
