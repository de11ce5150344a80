//! Several calls side by side, in one task.

use std::pin::Pin;
use std::task::{Context, Poll};

use rules::reserve::{self, Reservation, Stage};
use types::limits;

use crate::Error;

/// What came of going on with a call.
pub(crate) enum Went<S, T> {
    /// It is over.
    Over(T),
    /// It has to go on from here, and touches this by now.
    Again(Reservation, S),
}

/// A call with what it touches.
struct Place<S, T, F> {
    reserved: Reservation,
    at: At<S, T, F>,
}

enum At<S, T, F> {
    /// It waits; and whether one that it rests on was carried out since it was planned.
    Waiting(S, bool),
    UnderWay(Pin<Box<F>>),
    Over(Option<Result<T, Error>>),
}

impl<S, T, F> Place<S, T, F> {
    fn stage(&self) -> Stage {
        match self.at {
            At::Waiting(..) => Stage::Waiting,
            At::UnderWay(_) => Stage::UnderWay,
            At::Over(_) => Stage::Over,
        }
    }
}

/// Goes on with all calls until each is over: as many at once as may be, none beside one that touches the
/// same. What came of them stands in their order. Going on with a call is told where it is, and whether
/// what it rests on was changed by another since.
///
/// Nothing is handed to another task, so the calls end with whoever waits for them, and in the same order
/// whenever the same things happen. If one could not be seen through, no more are begun, and those under
/// way are waited for.
pub(crate) async fn abreast<S, T, F>(
    calls: Vec<(Reservation, S)>,
    mut go_on: impl FnMut(S, bool) -> F,
) -> Result<Vec<T>, Error>
where
    F: Future<Output = Result<Went<S, T>, Error>>,
{
    let mut places: Vec<Place<S, T, F>> = calls
        .into_iter()
        .map(|(reserved, state)| Place { reserved, at: At::Waiting(state, false) })
        .collect();
    std::future::poll_fn(|context| {
        loop {
            begin(&mut places, &mut go_on);
            if !poll(&mut places, context) {
                break;
            }
        }
        let under_way = places.iter().any(|place| place.stage() == Stage::UnderWay);
        if under_way { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    let ends = places.into_iter().filter_map(|place| match place.at {
        At::Over(end) => end,
        _ => None,
    });
    ends.collect()
}

/// Begins all that may begin.
fn begin<S, T, F>(places: &mut [Place<S, T, F>], go_on: &mut impl FnMut(S, bool) -> F) {
    let failed = |place: &Place<S, T, F>| matches!(place.at, At::Over(Some(Err(_))));
    if places.iter().any(failed) {
        return;
    }
    loop {
        let held: Vec<(Stage, &Reservation)> =
            places.iter().map(|place| (place.stage(), &place.reserved)).collect();
        let Some(next) = reserve::next(&held, limits::TOOLS_AT_ONCE_MAX) else { return };
        let at = &mut places[next].at;
        if let At::Waiting(state, moved) = std::mem::replace(at, At::Over(None)) {
            *at = At::UnderWay(Box::pin(go_on(state, moved)));
        }
    }
}

/// Lets each that is under way go on; whether any came to something.
fn poll<S, T, F>(places: &mut [Place<S, T, F>], context: &mut Context<'_>) -> bool
where
    F: Future<Output = Result<Went<S, T>, Error>>,
{
    let mut any = false;
    for place in 0..places.len() {
        let At::UnderWay(future) = &mut places[place].at else { continue };
        let Poll::Ready(went) = future.as_mut().poll(context) else { continue };
        any = true;
        let end = match went {
            Ok(Went::Over(end)) => Ok(end),
            Ok(Went::Again(reserved, state)) => {
                places[place] = Place { reserved, at: At::Waiting(state, false) };
                continue;
            }
            Err(error) => Err(error),
        };
        places[place].at = At::Over(Some(end));
        tell(places, place);
    }
    any
}

/// Tells those who wait and rest on what was carried out.
fn tell<S, T, F>(places: &mut [Place<S, T, F>], done: usize) {
    // It is over, and reserves nothing any more.
    let done = std::mem::take(&mut places[done].reserved);
    for place in places {
        if let At::Waiting(_, moved) = &mut place.at {
            *moved |= place.reserved.rests_on(&done);
        }
    }
}
