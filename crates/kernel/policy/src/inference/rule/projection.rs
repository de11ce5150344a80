//! What would be sent is what the turn is about, and no more.

use types::Code;

use crate::Denial;
use crate::inference::{Request, Snapshot};

pub(crate) const NAME: &str = "projection";

pub(crate) fn check(_: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    snapshot.projection.map_err(|what| {
        let message = format!("the request holds what does not belong to it: {what}");
        let hint = "nothing was sent; this is a fault of Dormouse and not of the agent";
        Denial::of(Code::OversharedPayloadBlocked, message, hint)
    })
}
