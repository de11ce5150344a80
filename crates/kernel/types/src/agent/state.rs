//! An agent's durable state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AgentId, At, Counter, Day, HostId, Invalid, LastTurn, MessageId};

use super::Slots;

/// What must survive of an agent between wakes, synced between hosts.
///
/// What belongs to one process only (is it running, since when) is derived from the run log and
/// never stored. The record's revision guards local writes; it says nothing about other hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentState {
    /// Whose state.
    pub agent_id: AgentId,
    /// When it last woke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_wake_at: Option<At>,
    /// When it means to wake next. After a failure, nothing but somebody's word wakes it before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_wake_at: Option<At>,
    /// A barrier: until then only content wakes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleep_until: Option<At>,
    /// The newest message of its chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recent_head_message_id: Option<MessageId>,
    /// The newest summary of its chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_summary_message_id: Option<MessageId>,
    /// The day on which the operator was last told that it has spent most of what it may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_warned_on: Option<Day>,
    /// Failures since the last success.
    pub consecutive_failure_count: u32,
    /// How its last turn left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_turn: Option<Box<LastTurn>>,
    /// Wakes ever; only grows.
    pub wake_counter: u64,
    /// For each host, up to which of its commits this agent has worked everything off.
    pub processed_counter_by_host: BTreeMap<HostId, Counter>,
    /// What it keeps in mind.
    pub slots: Slots,
}

impl AgentState {
    /// The state of an agent that has just been made.
    #[must_use]
    pub fn newborn(agent_id: AgentId) -> AgentState {
        AgentState {
            agent_id,
            last_wake_at: None,
            next_wake_at: None,
            sleep_until: None,
            recent_head_message_id: None,
            latest_summary_message_id: None,
            budget_warned_on: None,
            consecutive_failure_count: 0,
            last_turn: None,
            wake_counter: 0,
            processed_counter_by_host: BTreeMap::new(),
            slots: Slots::default(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        self.slots.check()
    }
}
