//! What the operator says about the common ground, outside of any turn.

use rules::hash;
use types::{
    AuditDraft, ConversationId, GroundingAct, GroundingId, GroundingNote, Invalid, RecordDraft,
    TurnId, Write,
};

use crate::steps::GROUND;
use crate::{ConversationView, Error, Sessions};

impl Sessions {
    /// Says how a turn of a conversation stands in its common ground. There is one such word about a turn,
    /// and the last holds.
    ///
    /// # Errors
    /// If there is no such conversation or turn, or the act is none that is done to what is there.
    pub async fn update_ground(
        &self,
        conversation: &str,
        turn: &str,
        act: GroundingAct,
    ) -> Result<ConversationView, Error> {
        if act == GroundingAct::Initiate {
            let why = "is for what is said in a turn";
            return Err(Invalid::new("act", why).into());
        }
        let known = self.conversation(conversation).await?;
        let found = known.ground.iter().find(|one| one.uttered.turn.as_str() == turn);
        let unknown = || Error::UnknownTurn { turn: turn.to_owned() };
        let turn_id = found.map(|one| one.uttered.turn.clone()).ok_or_else(unknown)?;
        let id = about(&known.id, &turn_id);
        let note = GroundingNote { conversation_id: known.id, turn_id, act };
        let (subject, detail) = (note.turn_id.to_string(), act.as_str().to_owned());
        let audit = AuditDraft { action: "session.ground", subject, detail };
        let writes = vec![Write::Record(RecordDraft::live(&id, note))];
        self.commit(GROUND, vec![], writes, audit).await?;
        self.conversation(conversation).await
    }
}

fn about(conversation: &ConversationId, turn: &TurnId) -> GroundingId {
    let fields = ["grounding", conversation.as_str(), turn.as_str()];
    GroundingId::from_digest(&hash::fields(fields))
}
