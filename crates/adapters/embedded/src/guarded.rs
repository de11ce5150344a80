//! A step whose panic is a problem like any other: a mistake of this program in one place does not stop the rest.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use dispatch::Step;
use types::{Code, Problem};

/// A step that ends in a problem where it would have panicked.
pub(crate) async fn guarded<T>(mut step: Step<T>) -> Result<T, Problem> {
    // Nothing of a step that broke off is looked at again: it is dropped, and its runs are found begun and put back.
    poll_fn(move |context| {
        catch_unwind(AssertUnwindSafe(|| step.as_mut().poll(context)))
            .unwrap_or_else(|panic| Poll::Ready(Err(broke_off(&*panic))))
    })
    .await
}

fn broke_off(panic: &(dyn Any + Send)) -> Problem {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("the work broke off: {}", text.unwrap_or("without a word"));
    Problem::new(Code::RunInterrupted, message, "this is a mistake of the program; please tell")
}
