//! The session that something is said in: started by the first prompt, in the commit that admits it.

use rules::session::{self, Beginning};
use types::{Body, Conflict, Guard, RecordDraft, SessionStatus, Write};

use crate::refuse::Open;
use crate::{Delivery, Error, Ingress};

/// A conversation is the operator's: nobody else chooses into which thread he speaks.
pub(crate) fn name(delivery: &Delivery) -> Option<&str> {
    delivery.session.as_deref().filter(|_| delivery.is_the_operators())
}

impl Ingress {
    /// What an admission writes of its session, and on which condition: nothing, if it goes on and still
    /// does; all of it, if this is the first that is said in it.
    pub(crate) fn joined(
        &self,
        delivery: &Delivery,
        open: &Open,
    ) -> Result<(Option<Write>, Option<Guard>), Error> {
        let Some(name) = name(delivery) else { return Ok((None, None)) };
        if let Some(record) = &open.session {
            let Body::AgentSession(session) = &record.body else { return Ok((None, None)) };
            if session.status != SessionStatus::Active {
                let (session, status) = (name.to_owned(), session.status);
                return Err(Error::SessionOver { session, status });
            }
            return Ok((None, Some(Guard::unchanged(record))));
        }
        let (id, session) = session::began(Beginning {
            agent: &delivery.agent,
            name,
            conversation: None,
            channel: delivery.surface,
            token_capacity: (self.capacity)(&open.identity),
            now: self.world.now(),
        });
        let guard = Guard::Revision { record: (&id).into(), expected: 0 };
        let write = Write::Record(RecordDraft::live(&id, session));
        Ok((Some(write), Some(guard)))
    }
}

/// Whether the session moved between the look and the commit: looked at anew, that is seen.
pub(crate) fn moved(delivery: &Delivery, conflict: &Conflict) -> bool {
    let Some(name) = name(delivery) else { return false };
    let id = session::id(&delivery.agent, name);
    matches!(conflict, Conflict::Revision { record, .. } if record.as_str() == id.as_str())
}
