//! What is told of agents, as whoever watches gets it.

use api_types::{LifeReply, LookReply, TurnReply, WatchReply};
use runtime::{LifeTold, LookTold, Seen, TurnTold};
use types::{BriefKind, Lifecycle};

/// What is told, on the wire.
pub(crate) fn reply(told: Seen) -> WatchReply {
    match told {
        Seen::Turn(turn) => WatchReply::Turn(turn_reply(*turn)),
        Seen::Look(look) => WatchReply::Look(look_reply(look)),
        Seen::Life(life) => WatchReply::Life(life_reply(life)),
    }
}

fn turn_reply(turn: TurnTold) -> TurnReply {
    TurnReply {
        at: turn.at,
        agent: turn.agent.to_string(),
        name: turn.name,
        run_key: turn.run_key.to_string(),
        reason: turn.reason.as_str().to_owned(),
        did: turn.did,
        reported: turn.reported,
        failed: turn.kind == BriefKind::Failure,
        brief: turn.brief,
        model: turn.model.to_string(),
        model_calls: turn.model_calls,
        tokens: turn.tokens,
        cost_micros: turn.cost_micros,
        warning: turn.warning,
    }
}

fn look_reply(look: LookTold) -> LookReply {
    LookReply {
        at: look.at,
        agent: look.agent.to_string(),
        name: look.name,
        run_key: look.run_key.to_string(),
        reason: look.reason.as_str().to_owned(),
        rule: look.rule,
        changes_seen: look.changes_seen,
    }
}

fn life_reply(life: LifeTold) -> LifeReply {
    let cause = match life.lifecycle {
        Lifecycle::Dormant { cause } => Some(cause.as_str().to_owned()),
        _ => None,
    };
    LifeReply {
        at: life.at,
        agent: life.agent.to_string(),
        name: life.name,
        lifecycle: life.lifecycle.as_str().to_owned(),
        cause,
        why: life.why,
        hint: life.way_back,
    }
}
