//! Common ground: what was said in a conversation and taken up, from what its turns have recorded.

use types::{
    AcceptanceEvidence, At, DialogAct, Grounding, GroundingAct, GroundingNote, SessionId, TurnId,
    TurnKind,
};

/// What an utterance does to the common ground.
#[must_use]
pub const fn act_of(act: DialogAct) -> GroundingAct {
    match act {
        DialogAct::Inform | DialogAct::Request => GroundingAct::Initiate,
        DialogAct::Confirm | DialogAct::Accept => GroundingAct::Acknowledge,
        DialogAct::Clarify => GroundingAct::RequestRepair,
        DialogAct::Reject => GroundingAct::Cancel,
    }
}

/// What a turn that is over did to the common ground. Nothing if nobody spoke, or if what was said came to
/// no answer: then nothing shows that it was taken up. `did` says that a call of a tool went well.
#[must_use]
pub fn grounding(act: Option<DialogAct>, kind: TurnKind, did: bool) -> Option<Grounding> {
    let act = act_of(act.filter(|_| kind == TurnKind::Completed)?);
    let evidence = match did {
        true => AcceptanceEvidence::Demonstrated,
        false => AcceptanceEvidence::Answered,
    };
    Some(Grounding { act, evidence })
}

/// A turn as far as the common ground goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uttered {
    /// When it was over.
    pub at: At,
    /// In which session.
    pub session: SessionId,
    /// Which turn.
    pub turn: TurnId,
    /// What it did.
    pub grounding: Grounding,
}

/// How something stands that was put there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is common ground.
    Shared,
    /// Somebody asked what was meant by it.
    Questioned,
    /// It was taken away again.
    Withdrawn,
}

impl Standing {
    /// The standing as it is shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Standing::Shared => "shared",
            Standing::Questioned => "questioned",
            Standing::Withdrawn => "withdrawn",
        }
    }
}

/// What a turn put into the common ground, or did to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grounded {
    /// The turn.
    pub uttered: Uttered,
    /// How it stands.
    pub standing: Standing,
}

/// The common ground of a conversation, oldest first: each act with its evidence and how it stands, after
/// all that was said about it since, in turns or by the operator besides.
#[must_use]
pub fn common_ground(mut turns: Vec<Uttered>, notes: &[(At, GroundingNote)]) -> Vec<Grounded> {
    turns.sort_by(|a, b| (a.at, &a.turn).cmp(&(b.at, &b.turn)));
    let mut notes: Vec<&(At, GroundingNote)> = notes.iter().collect();
    notes.sort_by_key(|(at, _)| *at);
    let mut notes = notes.into_iter().peekable();
    let mut ground: Vec<Grounded> = Vec::new();
    for uttered in turns {
        while let Some((_, note)) = notes.next_if(|(at, _)| *at < uttered.at) {
            noted(&mut ground, note);
        }
        if let Some(last) = ground.iter_mut().rfind(|one| is_put(one)) {
            last.standing = after(last.standing, uttered.grounding.act);
        }
        ground.push(Grounded { uttered, standing: Standing::Shared });
    }
    for (_, note) in notes {
        noted(&mut ground, note);
    }
    ground
}

/// What the next utterance is about: the last that was put there and still is.
fn is_put(one: &Grounded) -> bool {
    one.uttered.grounding.act == GroundingAct::Initiate && one.standing != Standing::Withdrawn
}

/// Whoever goes on with something else has no question any more.
const fn after(standing: Standing, act: GroundingAct) -> Standing {
    match (act, standing) {
        (GroundingAct::Cancel, _) => Standing::Withdrawn,
        (GroundingAct::RequestRepair, _) => Standing::Questioned,
        (GroundingAct::Acknowledge, _) | (GroundingAct::Initiate, Standing::Questioned) => {
            Standing::Shared
        }
        (GroundingAct::Initiate, standing) => standing,
    }
}

fn noted(ground: &mut [Grounded], note: &GroundingNote) {
    if let Some(one) = ground.iter_mut().find(|one| one.uttered.turn == note.turn_id) {
        one.standing = after(one.standing, note.act);
        one.uttered.grounding.evidence = AcceptanceEvidence::Stated;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uttered(at: i64, act: DialogAct) -> Uttered {
        Uttered {
            at: At::from_millis(at),
            session: "session_a".parse().unwrap(),
            turn: format!("turn_{at}").parse().unwrap(),
            grounding: grounding(Some(act), TurnKind::Completed, false).unwrap(),
        }
    }

    fn standings(turns: &[(i64, DialogAct)], notes: &[(i64, i64, GroundingAct)]) -> Vec<Standing> {
        let turns = turns.iter().map(|(at, act)| uttered(*at, *act)).collect();
        let note = |(at, turn, act): &(i64, i64, GroundingAct)| {
            let conversation_id = "conversation_a".parse().unwrap();
            let turn_id = format!("turn_{turn}").parse().unwrap();
            (At::from_millis(*at), GroundingNote { conversation_id, turn_id, act: *act })
        };
        let notes: Vec<_> = notes.iter().map(note).collect();
        common_ground(turns, &notes).into_iter().map(|one| one.standing).collect()
    }

    #[test]
    fn only_what_was_said_and_answered_is_grounded_and_its_evidence_says_how() {
        use AcceptanceEvidence::{Answered, Demonstrated};
        let of = |did| grounding(Some(DialogAct::Request), TurnKind::Completed, did).unwrap();
        assert_eq!((of(false).evidence, of(true).evidence), (Answered, Demonstrated));
        assert_eq!(grounding(None, TurnKind::Completed, true), None);
        assert_eq!(grounding(Some(DialogAct::Request), TurnKind::Aborted, true), None);
    }

    #[test]
    fn what_is_put_there_stands_until_it_is_questioned_or_taken_away() {
        use DialogAct::{Accept, Clarify, Inform, Reject, Request};
        use Standing::{Questioned, Shared, Withdrawn};
        assert_eq!(standings(&[(1, Inform), (2, Request)], &[]), [Shared, Shared]);
        assert_eq!(standings(&[(1, Inform), (2, Clarify)], &[]), [Questioned, Shared]);
        let back = &[(1, Inform), (2, Clarify), (3, Accept)];
        assert_eq!(standings(back, &[]), [Shared; 3]);
        let on = &[(1, Inform), (2, Clarify), (3, Request)];
        assert_eq!(standings(on, &[]), [Shared; 3], "whoever goes on has no question");
        // A second refusal is about what was there before.
        let twice = &[(1, Inform), (2, Request), (3, Reject), (4, Reject)];
        assert_eq!(standings(twice, &[]), [Withdrawn, Withdrawn, Shared, Shared]);
    }

    #[test]
    fn the_operator_may_speak_of_any_turn_at_any_time_and_the_order_given_does_not_matter() {
        use DialogAct::{Inform, Reject};
        use GroundingAct::{Acknowledge, Cancel};
        use Standing::{Shared, Withdrawn};
        let said = &[(5, Inform), (1, Inform)];
        assert_eq!(standings(said, &[(7, 1, Cancel)]), [Withdrawn, Shared]);
        assert_eq!(standings(said, &[(9, 1, Acknowledge), (7, 1, Cancel)]), [Shared, Shared]);
        // A refusal after that is about the one that is left.
        let said = &[(1, Inform), (2, Inform), (5, Reject)];
        assert_eq!(standings(said, &[(3, 2, Cancel)]), [Withdrawn, Withdrawn, Shared]);
    }
}
