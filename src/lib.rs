//! Wayfarer is a terminal hypertext browser: one program for every space that a URL can name.
//!
//! ```text
//! text ──url──▶ Url ──proto──▶ media type + bytes ──format──▶ Document ──layout(width)──▶ lines ──theme──▶ screen
//!                ▲                                               │
//!                └──────────── BaseStack resolves its references ┘
//! ```
//!
//! Each arrow is one folder. Protocols and formats meet only through a media type: a gopher server's answer is
//! `application/gopher-menu`, a local folder is the listing that an FTP server's MLSD would be.
//!
//! # Rooms
//!
//! A room imports only rooms above it, and only those its row names. "Touches" is what it reaches for beside its arguments:
//! where a dash stands the room is pure, and the same arguments give the same answer on any day and any machine. A row such as
//! `app::page` is about a room inside `app`: it names rooms beside it there, and outside of `app` it may do what `app` may.
//!
//! | room | owns | may import | touches |
//! |---|---|---|---|
//! | [`url`] | locators: split, join, escape, resolve, the stack of bases, equivalence, finding in text, completing; one file per scheme | – | – |
//! | [`date`] | dates as the internet writes them, and as a reader says them; the names of months | – | – |
//! | [`role`] | the list of looks, by dotted names | – | – |
//! | [`opml`] | lists of feeds as readers of feeds hand them to each other | – | – |
//! | [`table`] | the tables that readers write, cut into rows with their lines | – | – |
//! | [`stop`] | whether work that takes long is still wanted | – | – |
//! | [`unpack`] | compressed octets → octets | – | – |
//! | [`sums`] | checksums: which files hold those of others, what they say, the sums themselves | – | – |
//! | [`disk`] | how files that are kept change: in one step or by lines, under locks, owed while a disk is full | – | disk, threads, clock in `mod.rs`, environment in `mod.rs` |
//! | [`picture`] | pictures: octets → pixels, pixels → what a terminal shows of them | stop | screen in `drawing.rs` |
//! | [`doc`] | `Document` (no width, no colour), `Layout` (lines at a width), find, the sanitiser | url, role, stop, picture | – |
//! | [`visits`] | where the reader has been: pages by equivalence, their file, forgetting, finding | url, stop | – |
//! | [`bookmarks`] | addresses that the reader keeps, bookmarks and subscriptions: their files, the formats of others | url, opml, table | – |
//! | [`news`] | overview lines, threads, what has been read (`.newsrc`), what is worth it (score files) | stop | – |
//! | [`format`](mod@format) | bytes of a media type → `Document`; charsets | url, date, role, opml, stop, unpack, picture, doc, news | – |
//! | [`archive`] | archives: what is in them, and the octets of a member; recursive listings of servers | stop, unpack, format | – |
//! | [`work`] | what takes long, as plain data: what is to be done, what came of it | url, date, role, stop, picture, doc, visits, bookmarks, news, format | – |
//! | [`keys`] | which key does what, defaults embedded | table | – |
//! | [`theme`] | which look is which colour, defaults embedded | role, table | – |
//! | [`config`] | what else the reader may set, and the files of all three | url, table, keys, theme | disk in `load.rs` |
//! | [`proto`] | `Url` → media type and bytes; TLS and trust | url, date, stop, unpack, sums, archive, disk, doc, format, config | network, disk, clock, threads, chance in `digest.rs`, chance in `lock.rs` |
//! | [`subscriptions`] | what a page offers that may be new one day, and what of it is | url, doc, format | – |
//! | [`store`] | pages that were read, as they came, words in their text, what was found new: one database | url, stop, disk, doc, visits, format, subscriptions, proto | disk, threads, clock in `forgetting.rs` |
//! | [`app`] | the browser: `update(&mut App, Msg) -> Vec<Effect>` | url, date, role, opml, table, stop, sums, archive, picture, doc, visits, bookmarks, news, format, subscriptions, work, keys, config, proto | – |
//! | `app::ids` | numbers that are given once: jobs, tabs | – | – |
//! | `app::letter` | a draft that is on its way from its file to a server | – | – |
//! | `app::page` | places and pages as values; what is on its way to be opened; what of an address may be told | ids | – |
//! | `app::hands` | what the reader types into, chooses from or is asked, and whose it is | ids, letter, page | – |
//! | `app::message` | `Msg` and `Effect`: all that the shell says and is asked | ids, page, hands | – |
//! | `app::tab` | a tab | ids, page, hands, message | – |
//! | `app::state` | what there is, in groups; what a feature may see of it (`Sight`) and change (`Cx`); errands and intents | ids, letter, page, hands, message, tab | – |
//! | `app::motion` | moving about a page: window, focus, search, order, folds | ids, page, hands, message, state | – |
//! | `app::news` | from article to article; what was read | ids, page, hands, message, tab, state, motion | – |
//! | `app::transfer` | files: names, turns, progress, whole directories | ids, page, hands, message, state, motion | – |
//! | `app::internal` | pages of what is kept: history, bookmarks, downloads, settings | ids, page, hands, message, state, motion, news, transfer | – |
//! | `app::forms` | forms of web pages and of Gopher+ | ids, page, hands, message, state, motion | – |
//! | `app::letters` | writing articles and mails | ids, letter, page, hands, message, state, news, transfer, forms | – |
//! | `app::navigation` | from place to place: policy, fetch, arrival, redirects, logins, programs | ids, page, hands, message, tab, state, motion, news, transfer, internal, forms, letters | – |
//! | `app::look` | looking at where one is: anatomy, status, the source in an editor, pictures | ids, page, hands, message, state, motion, news, transfer, forms, navigation | – |
//! | [`view`] | draws the browser, changes nothing | url, role, picture, doc, format, keys, theme, proto, app | screen |
//! | [`tour`] | small servers on loopback that serve `assets/tour` | – | network, clock, threads |
//! | [`shell`] | event loop, tasks, terminal, disk, clock, clipboard, child programs, command line | all above | everything |
//!
//! A test (`tests/it/layers.rs`) reads this table and the sources, and fails where they differ, be it that a row allows too much.
//! Ids in comments, such as GPP-08 or D14, are rules that `docs/rules.md` explains.
//! `docs/ARCHITECTURE.md` is the way round the house: what always holds, and where things are that one looks for elsewhere.
//!
//! # One keypress: Enter on a link
//!
//! The shell turns the terminal's event into `Msg::Key`. The app finds the command in the key map, asks
//! [`url::scheme::plan`] whether the link may be followed, and answers with `Effect::Fetch` under a new number; the old page
//! stays. The shell runs the protocol as a task, whose events come back with that number: stages, then the head, on which
//! the app decides (page, file or question) while the task waits, then the body, chunk by chunk, into the parser and so into
//! a growing document. What comes under an old number falls on the floor. A download is the same fetch, accepted into a file.
#![deny(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

pub mod app;
pub mod archive;
pub mod bookmarks;
pub mod config;
pub mod date;
pub mod disk;
pub mod doc;
pub mod format;
pub mod keys;
pub mod news;
pub mod opml;
pub mod picture;
pub mod proto;
pub mod role;
pub mod shell;
pub mod stop;
pub mod store;
pub mod subscriptions;
pub mod sums;
pub mod table;
pub mod theme;
pub mod tour;
pub mod unpack;
pub mod url;
pub mod view;
pub mod visits;
pub mod work;
