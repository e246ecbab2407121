//! Wayfarer is a terminal hypertext browser: one program for every space that a URL can name.
//!
//! ```text
//! text ──url──▶ Url ──proto──▶ media type + bytes ──format──▶ Document ──layout(width)──▶ lines ──theme──▶ screen
//!                ▲                                               │
//!                └──────────── BaseStack resolves its references ┘
//! ```
//!
//! Each arrow is one folder. Protocols and formats meet only through a media type: a gopher server's answer is
//! `application/gopher-menu`, a local folder is the listing that an FTP server's MLSD would be. Everything but `proto`,
//! `disk` and `shell` is synchronous and pure: no clock, no disk, no socket, no randomness.
//!
//! | room | owns | may import |
//! |---|---|---|
//! | [`url`] | locators: split, join, escape, resolve, the stack of bases, equivalence, finding in text, completing; one file per scheme | – |
//! | [`role`] | the list of looks, by dotted names | – |
//! | [`table`] | the tables that readers write, cut into rows with their lines | – |
//! | [`sorter`] | sorting in steps | – |
//! | [`disk`] | how files that are kept change: in one step or by lines, under locks, owed while a disk is full | – |
//! | [`doc`] | `Document` (no width, no colour), `Layout` (lines at a width), find, the sanitiser | url, role |
//! | [`visits`] | where the reader has been: pages by equivalence, their file, forgetting, finding | url |
//! | [`bookmarks`] | addresses that the reader keeps: their file, the formats of others | url |
//! | [`news`] | overview lines, threads, what has been read (`.newsrc`), dates of articles | sorter |
//! | [`format`](mod@format) | bytes of a media type → `Document`; charsets | doc, url, role, news, sorter |
//! | [`keys`], [`theme`], [`config`] | what the reader may set, defaults embedded | url, role, table |
//! | [`proto`] | `Url` → media type and bytes; TLS and trust | url, format, config, disk |
//! | [`app`] | the browser: `update(&mut App, Msg) -> Vec<Effect>` | all above |
//! | [`view`] | draws the browser, changes nothing | app, doc, url, role, theme |
//! | [`tour`] | small servers on loopback that serve `assets/tour` | – |
//! | [`shell`] | event loop, tasks, terminal, disk, clock, clipboard, child programs, command line | everything |
//!
//! A test (`tests/it/layers.rs`) reads the sources and fails when an import breaks this table.
//!
//! # One keypress: Enter on a link
//!
//! The shell turns the terminal's event into `Msg::Key`. The app finds the command in the key map, asks
//! [`url::scheme::plan`] whether the link may be followed, and answers with `Effect::Fetch` under a new number; the old page
//! stays. The shell runs the protocol as a task, whose events come back with that number: stages, then the head, on which
//! the app decides (page, file or question) while the task waits, then the body, chunk by chunk, into the parser and so into
//! a growing document. What comes under an old number falls on the floor. A download is the same fetch, accepted into a file.
pub mod app;
pub mod bookmarks;
pub mod config;
pub mod disk;
pub mod doc;
pub mod format;
pub mod keys;
pub mod news;
pub mod proto;
pub mod role;
pub mod shell;
pub mod sorter;
pub mod table;
pub mod theme;
pub mod tour;
pub mod url;
pub mod view;
pub mod visits;
