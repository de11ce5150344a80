//! Starting a session, by itself or from another.

use rules::session::{self, Beginning};
use types::{
    AgentId, AuditDraft, Conflict, ConversationId, DeliverySurface, Domain, Guard, Invalid,
    RecordDraft, SessionId, Write, limits,
};

use crate::steps::{CONTINUE, START};
use crate::{Error, SessionView, Sessions};

/// Names that are tried for a session that goes on from another.
const NAMES_MAX: u32 = 1_000;

/// What a session is to begin with.
#[derive(Debug, Clone)]
pub struct StartSession {
    /// With whom.
    pub agent: AgentId,
    /// What it is called.
    pub name: String,
    /// In which conversation; one of its own if absent.
    pub conversation: Option<ConversationId>,
    /// Tokens that fit; as many as the agent's model holds if absent.
    pub token_capacity: Option<u64>,
    /// Through which door.
    pub channel: DeliverySurface,
}

impl Sessions {
    /// Starts a session before anything is said in it. One that is not started so is started by its first
    /// prompt.
    ///
    /// # Errors
    /// If there is one of that name or it is none, the agent or the conversation is not there or over, its model
    /// does not hold as much, or no turn fits.
    pub async fn start(&self, start: StartSession) -> Result<SessionView, Error> {
        let StartSession { agent, name, conversation, token_capacity, channel } = start;
        let identity = self.living(&agent).await?;
        if session::is_id(&name) {
            return Err(
                Invalid::new("name", "is an id, by which another session may be called").into()
            );
        }
        let (least, most) = ((self.least)(&identity), (self.capacity)(&identity));
        let token_capacity = token_capacity.unwrap_or(most);
        // Of a model that holds hardly anything, a session may have all of it.
        let least = least.min(most);
        if !(least..=most).contains(&token_capacity) {
            return Err(Error::Capacity { asked: token_capacity, least, most });
        }
        if let Some(id) = &conversation
            && self.of(id).await?.is_empty()
        {
            return Err(Error::Unknown { what: "conversation", name: id.to_string() });
        }
        let now = self.world.now();
        let (id, session) = session::began(Beginning {
            agent: &agent,
            name: &name,
            conversation,
            channel,
            token_capacity,
            now,
        });
        let writes = vec![Write::Record(RecordDraft::live(&id, session))];
        let guards = vec![Guard::Revision { record: (&id).into(), expected: 0 }];
        match self.commit(START, guards, writes, audit("session.start", &id)).await {
            Err(Error::Conflict(Conflict::Revision { .. })) => Err(Error::Taken { name }),
            done => {
                done?;
                self.get(&agent, &name).await
            }
        }
    }

    /// Starts a session that goes on from another, which is over then. Asked again, it is the same one.
    ///
    /// # Errors
    /// If there is no such session, its agent is over, or it moved meanwhile.
    pub async fn go_on(
        &self,
        agent: &AgentId,
        from: &str,
        channel: DeliverySurface,
    ) -> Result<SessionView, Error> {
        let before = self.find(agent, from).await?;
        if let Some(next) = &before.session.continued_by {
            return self.get(agent, next.as_str()).await;
        }
        self.living(agent).await?;
        let name = self.next_name(agent, &before.session.name).await?;
        let now = self.world.now();
        let ((id, next), over) =
            session::continued((&before.id, &before.session), &name, channel, now);
        let writes = vec![
            Write::Record(RecordDraft::live(&id, next)),
            Write::Record(RecordDraft::live(&before.id, over)),
        ];
        let guards = vec![
            Guard::Revision { record: (&id).into(), expected: 0 },
            Guard::unchanged(&before.record),
        ];
        self.commit(CONTINUE, guards, writes, audit("session.continue", &id)).await?;
        self.get(agent, &name).await
    }

    /// The first free name after a name: `evening`, `evening-2`, `evening-3`.
    async fn next_name(&self, agent: &AgentId, name: &str) -> Result<String, Error> {
        let numbered = name.rsplit_once('-').and_then(|(base, n)| Some((base, n.parse().ok()?)));
        let (base, number): (&str, u32) = numbered.unwrap_or((name, 1));
        for step in 1..=NAMES_MAX {
            let next = with_number(base, number.saturating_add(step));
            let id = session::id(agent, &next);
            if self.store.record(Domain::Agent, id.into()).await?.is_none() {
                return Ok(next);
            }
        }
        Err(Error::Taken { name: name.to_owned() })
    }
}

/// A name with a number behind it; of a long one as much as there is room for.
fn with_number(base: &str, number: u32) -> String {
    let behind = format!("-{number}");
    let room = limits::NAME_BYTES_MAX - behind.len();
    format!("{}{behind}", &base[..base.floor_char_boundary(room)])
}

pub(crate) fn audit(action: &'static str, id: &SessionId) -> AuditDraft {
    AuditDraft { action, subject: id.to_string(), detail: String::new() }
}
