//! The address prompt over a history of a thousand to a million pages and ten thousand bookmarks: what one key takes, and what
//! is done after it on another thread.

use divan::Bencher;
use wayfarer::app::{App, Effect, Msg, Screen, command_names, update};
use wayfarer::bookmarks::Bookmarks;
use wayfarer::config::Settings;
use wayfarer::keys::{Key, Keymap};
use wayfarer::stop::Stop;
use wayfarer::visits::Visit;

fn main() {
    divan::main();
}

const BOOKMARKS: usize = 10_000;
const PAGES: [i64; 3] = [1_000, 30_000, 1_000_000];

/// A browser that asks for an address.
fn asking(pages: i64) -> App {
    let keymap = Keymap::preset("default", &command_names(), &mut Vec::new()).unwrap_or_default();
    let mut app = App::new(Settings::default(), keymap, Screen { columns: 80, rows: 24 });
    for time in 0..pages {
        let url = format!("http://www.host{}.example.org/some/way/down/to-page-{time}.html", time % 5003);
        let title = format!("Page {time} of a server, with a title");
        app.library.visits.add(Visit { url: &url, title: &title, time, count: 1 });
    }
    let bookmark = |n: usize| {
        format!(
            "[[bookmark]]\nurl = \"gopher://gopher{n}.example.org/1/a/menu\"\ntitle = \"Menu {n} of a gopher server\"\n\n"
        )
    };
    app.library.bookmarks = Bookmarks::read(&(0..BOOKMARKS).map(bookmark).collect::<String>()).unwrap_or_default();
    press(&mut app, "g");
    app
}

fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let keys = Key::sequence(keys).unwrap_or_default();
    keys.into_iter().flat_map(|key| update(app, Msg::Key(key))).collect()
}

/// A letter and its removal: two keys.
#[divan::bench(args = PAGES)]
fn two_keys(bencher: Bencher<'_, '_>, pages: i64) {
    let mut app = asking(pages);
    press(&mut app, "t o p a g");
    bencher.bench_local(|| press(&mut app, "e Backspace"));
}

/// A key and the whole of the work after it.
#[divan::bench(args = PAGES, sample_count = 5)]
fn whole_search(bencher: Bencher<'_, '_>, pages: i64) {
    let mut app = asking(pages);
    bencher.bench_local(|| {
        for effect in press(&mut app, "7") {
            let Effect::Work { id, work } = effect else { continue };
            let product = work.run(&Stop::new());
            product.map(|product| update(&mut app, Msg::Worked { id, product }));
        }
        press(&mut app, "Backspace")
    });
}
