//! How large a picture is, and which part of it is seen.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::picture::{Frame, Step, View};

const CELL: (u16, u16) = (1, 2);

fn frame(view: View, size: (u32, u32), room: (u16, u16)) -> Frame {
    view.frame(size, room, CELL).unwrap()
}

#[test]
fn a_picture_is_as_wide_as_there_is_room_and_no_wider_than_it_is() {
    let view = View::default();
    let of = |size, room| frame(view, size, room);
    assert_eq!(of((800, 600), (80, 20)), Frame { cells: (80, 20), pixels: (80, 40), part: [0, 0, 800, 400] });
    assert_eq!(of((16, 16), (80, 20)), Frame { cells: (16, 8), pixels: (16, 16), part: [0, 0, 16, 16] });
    assert_eq!(of((100_000, 1), (80, 20)), Frame { cells: (80, 1), pixels: (80, 1), part: [0, 0, 100_000, 1] });
    assert_eq!(of((1, 100_000), (80, 20)).cells, (1, 20));
    assert_eq!(view.frame((0, 0), (80, 20), CELL), None);
    assert_eq!(view.frame((8, 8), (0, 20), CELL), None);
}

#[test]
fn steps_stay_within_the_picture() {
    let (size, room) = ((800, 600), (80, 20));
    let after = |view: View, step| view.after(step, size, room, CELL);
    let start = View::default();
    let down = after(after(start, Step::By(0, 1)), Step::By(0, 1));
    assert_eq!(frame(down, size, room).part[1] + frame(down, size, room).part[3], 600, "to its lower edge");
    assert_eq!(after(down, Step::By(0, 1)), down);
    assert_eq!(after(start, Step::By(-1, -1)), start);
    assert_eq!(after(start, Step::By(1, 0)), start, "all of its width is seen");
    let larger = after(start, Step::In);
    let part = frame(larger, size, room).part;
    assert!(part[2] < 800 && part[0] > 0, "the middle stays in the middle: {part:?}");
    assert_eq!(after(larger, Step::Fit), start);
    let smallest = (0..20).fold(start, |view, _| after(view, Step::Out));
    assert_eq!(frame(smallest, size, room).part, [0, 0, 800, 600]);
    let largest = (0..20).fold(start, |view, _| after(view, Step::In));
    assert!(frame(largest, size, room).part[2] <= 51);
}

/// Steps of the reader's, by numbers.
const STEPS: [Step; 7] =
    [Step::In, Step::By(1, 1), Step::By(-1, 0), Step::Out, Step::By(0, -1), Step::Fit, Step::By(1, 0)];

proptest! {
    #![proptest_config(search(500))]

    /// Whatever the reader does with whatever picture: something of it is seen, in the room there is, and no more is drawn.
    #[test]
    fn every_step_in_every_picture_draws_something_that_is_there(
        size in (1_u32..200_000, 1_u32..200_000),
        room in (1_u16..300, 1_u16..80),
        cell in (1_u16..20, 1_u16..40),
        steps in proptest::collection::vec(0_usize..STEPS.len(), 0..30),
    ) {
        let mut view = View::default();
        for step in steps {
            view = view.after(STEPS[step], size, room, cell);
            let Frame { cells, pixels, part: [x, y, width, height] } = view.frame(size, room, cell).unwrap();
            prop_assert!(cells.0 >= 1 && cells.0 <= room.0 && cells.1 >= 1 && cells.1 <= room.1, "{cells:?} of {room:?}");
            prop_assert!(pixels.0 >= 1 && pixels.0 <= u32::from(cells.0) * u32::from(cell.0));
            prop_assert!(pixels.1 >= 1 && pixels.1 <= u32::from(cells.1) * u32::from(cell.1));
            prop_assert!(width >= 1 && height >= 1 && x + width <= size.0 && y + height <= size.1);
        }
    }
}
