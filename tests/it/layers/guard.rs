//! Holds the sources against the table.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::modules::{Crate, End, Path};
use super::rooms::{self, Room};

/// An import from one room into another: how it is told where it may not be.
type Imports = BTreeMap<(String, String), BTreeSet<String>>;

/// What in the sources breaks the table that stands in `table`; files are named as from the root of the crate.
pub fn broken<'a>(table: &str, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let rooms = match rooms::read(table) {
        Ok(rooms) => rooms,
        Err(wrong) => return wrong,
    };
    let sources = Crate::read(files);
    let mut broken = BTreeSet::new();
    for module in sources.0.keys().filter(|path| path.len() == 1) {
        if !rooms.iter().any(|room| room.name == module[0]) {
            broken.insert(format!("{}: no row", module[0]));
        }
    }
    for room in rooms.iter().filter(|room| !sources.0.contains_key(&to_path(&room.name))) {
        broken.insert(format!("{}: no such module", room.name));
    }
    let (mut imports, mut touched) = (Imports::new(), BTreeSet::new());
    for (path, module) in &sources.0 {
        let Some(room) = room_of(&rooms, path) else { continue };
        for said in &module.said {
            // `Thing::new` says no more than the `use` that names the thing.
            if !said.imports && matches!(sources.end(path, &said.path[..1]), End::Item(_)) {
                continue;
            }
            let place = format!("{}:{}", module.file, said.line);
            let through = if said.all { sources.through(path, &said.path) } else { Vec::new() };
            for end in [sources.end(path, &said.path)].into_iter().chain(through) {
                match end {
                    End::Outside(outside) => {
                        let outside = outside.join("::");
                        let Some(thing) = rooms::touched(&outside) else { continue };
                        touched.insert((room.name.clone(), thing));
                        if !room.allows(thing, &module.file) {
                            broken.insert(format!("{place}: {} touches the {thing} ({outside})", room.name));
                        }
                    }
                    // A module around this one is only walked through.
                    End::Module(around) if path.starts_with(&around) => {}
                    End::Module(to) | End::Item(to) => {
                        if let Some((from, to)) = room_of(&rooms, &to).and_then(|to| sides(&rooms, room, to)) {
                            let said = format!("{place}: {from} imports {to} ({})", said.path.join("::"));
                            imports.entry((from.into(), to.into())).or_default().insert(said);
                        }
                    }
                }
            }
        }
    }
    for ((from, to), said) in &imports {
        let allowed = rooms.iter().find(|room| room.name == *from).is_none_or(|room| may(&rooms, room, to));
        if !allowed {
            let circle = circle(&imports, from, to);
            broken.extend(said.iter().map(|said| format!("{said}{circle}")));
        }
    }
    for room in rooms.iter().filter(|room| sources.0.contains_key(&to_path(&room.name))) {
        let unused =
            room.imports.iter().flatten().filter(|to| !imports.contains_key(&(room.name.clone(), (*to).clone())));
        broken.extend(unused.map(|to| format!("{}: the row says {to}, but nothing there imports it", room.name)));
        let things = room.touches.iter().flatten().map(|(thing, _)| thing);
        let untouched = things.filter(|thing| !touched.contains(&(room.name.clone(), thing.as_str())));
        broken.extend(
            untouched.map(|thing| format!("{}: the row says {thing}, but nothing there touches it", room.name)),
        );
    }
    broken.into_iter().collect()
}

/// The room that a module is in: the innermost that has a row.
fn room_of<'a>(rooms: &'a [Room], module: &[String]) -> Option<&'a Room> {
    rooms.iter().filter(|room| module.starts_with(&to_path(&room.name))).max_by_key(|room| room.name.len())
}

fn to_path(name: &str) -> Path {
    name.split("::").map(str::to_owned).collect()
}

/// The two rooms whose rows decide about an import: those in which the ways part. `None` where there is nothing to decide, as
/// a room may use whatever is inside of it.
fn sides<'a>(rooms: &'a [Room], from: &'a Room, to: &'a Room) -> Option<(&'a str, &'a str)> {
    let (a, b) = (to_path(&from.name), to_path(&to.name));
    let shared = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let side = |path: &Path| rooms.iter().find(|room| to_path(&room.name) == path[..path.len().min(shared + 1)]);
    // What stands in `app` itself and in no room of it imports what it wants of `app`.
    (shared < a.len()).then(|| Some((side(&a)?.name.as_str(), side(&b)?.name.as_str())))?
}

/// Whether a row allows an import.
fn may(rooms: &[Room], from: &Room, to: &str) -> bool {
    match &from.imports {
        Some(names) => names.iter().any(|name| name == to),
        None => rooms
            .iter()
            .take_while(|room| room.name != from.name)
            .any(|room| room.name == to && room.parent() == from.parent()),
    }
}

/// How the room that is imported comes back to the one that imports it, by the shortest way.
fn circle(imports: &Imports, from: &str, to: &str) -> String {
    let mut before = BTreeMap::from([(to, to)]);
    let mut waiting = VecDeque::from([to]);
    while let Some(room) = waiting.pop_front() {
        if room == from {
            let mut way = vec![room];
            while let Some(last) = way.last().copied().filter(|last| *last != to) {
                way.push(before[last]);
            }
            way.push(from);
            way.reverse();
            return format!(": a circle, {}", way.join(" → "));
        }
        for (_, next) in imports.keys().filter(|(importer, _)| importer == room) {
            before.entry(next).or_insert_with(|| {
                waiting.push_back(next);
                room
            });
        }
    }
    String::new()
}
