//! The parts of a prompt, put together.

use types::BlockKind;

use crate::part::Part;
use crate::policy::POLICY;
use crate::{Bounds, Prompt, Seen, parts};

/// Makes the prompt of a turn.
///
/// Each part keeps to its own bounds. If together they are still too much, all parts get half the room,
/// and half of that, until they are not: nobody's part is dropped so that another can stay whole. What was said is
/// the one thing that is never cut; where even that is too much, the prompt is larger than it may be.
#[must_use]
pub fn assemble(seen: &Seen<'_>, bounds: &Bounds) -> Prompt {
    let mut prompt = within(seen, bounds);
    for times in 1..=Bounds::HALVINGS {
        if prompt.fits(bounds) {
            break;
        }
        prompt = within(seen, &bounds.halved(times));
    }
    prompt
}

/// About how many tokens every prompt with this role begins with, whatever else it tells.
#[must_use]
pub fn tokens_to_begin_with(role: &str) -> u64 {
    Prompt::of(beginning(role).into_iter().flatten().collect()).tokens
}

/// The order here is the order in the prompt: what every agent of a template has comes first, so that it
/// can be cached, and what is asked comes last.
fn within(seen: &Seen<'_>, bounds: &Bounds) -> Prompt {
    let parts = [
        parts::task(seen, bounds),
        parts::linked(seen, bounds),
        parts::report(seen, bounds),
        parts::notes(seen, bounds),
        parts::history(seen, bounds),
        parts::delta(seen, bounds),
        parts::hints(seen, bounds),
        Some(parts::wake(seen, bounds)),
        parts::input(seen),
    ];
    Prompt::of(beginning(seen.texts.role).into_iter().chain(parts).flatten().collect())
}

/// What holds for every agent, and for every one of its template.
fn beginning(text: &str) -> [Option<Part>; 2] {
    [Some(Part::words(BlockKind::Policy, POLICY, "binds every agent")), role(text)]
}

fn role(text: &str) -> Option<Part> {
    let text = text.trim();
    (!text.is_empty()).then(|| Part::words(BlockKind::Role, text, "the template's role"))
}
