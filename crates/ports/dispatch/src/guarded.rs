//! Work whose panic is a problem like any other: a mistake of this program in one place does not stop the rest.

use std::any::Any;
use std::fmt;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use types::{Code, Problem};

/// Work that came to no end, because it panicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokeOff {
    /// What it said.
    said: String,
}

/// Does work that may panic; it fails then.
///
/// # Errors
/// What the work says, or that it broke off.
pub async fn guarded<T, E: From<BrokeOff>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let mut work = pin!(work);
    // Nothing of work that broke off is looked at again: it is dropped, and its runs are found begun and put back.
    poll_fn(move |context| {
        catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)))
            .unwrap_or_else(|panic| Poll::Ready(Err(E::from(BrokeOff::by(&*panic)))))
    })
    .await
}

impl BrokeOff {
    fn by(panic: &(dyn Any + Send)) -> BrokeOff {
        BrokeOff { said: last_words(panic).to_owned() }
    }
}

/// What a panic said.
#[must_use]
pub fn last_words(panic: &(dyn Any + Send)) -> &str {
    let said = panic.downcast_ref::<&str>().copied();
    let said = said.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    said.unwrap_or("without a word")
}

impl fmt::Display for BrokeOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the work broke off: {}", self.said)
    }
}

impl std::error::Error for BrokeOff {}

impl From<BrokeOff> for Problem {
    fn from(broke_off: BrokeOff) -> Problem {
        let hint = "this is a mistake of the program; please tell";
        Problem::new(Code::RunInterrupted, broke_off.to_string(), hint)
    }
}
