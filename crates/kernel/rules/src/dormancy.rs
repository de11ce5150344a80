//! How an agent goes dormant in a turn of its own: it loses nothing, and a resume is all it takes.
//!
//! The writes ride in the commit that ends its run, so there is no moment in which it is over and
//! still awake. No fence is needed: nothing of it is on its way any more, and what is queued for it is
//! held when its turn comes.

use serde_json::json;
use types::{
    AgentId, At, AuditDraft, Body, DormantCause, EventDraft, EventKind, Guard, Lifecycle, Record,
    RecordDraft, Write,
};

use crate::lifecycle::{self, LifeEvent, NoSuchStep};

/// What makes an agent dormant.
#[derive(Debug, Clone, PartialEq)]
pub struct Dormancy {
    /// Its identity at the new stage, and the word to its followers.
    pub writes: Vec<Write>,
    /// Nobody has moved it meanwhile.
    pub guards: Vec<Guard>,
    /// For the audit chain.
    pub audit: Vec<AuditDraft>,
    /// What its brief says of it, in its own words.
    pub notice: String,
}

/// The way of an agent to dormancy: by [`LifeEvent::LoseTask`] or [`LifeEvent::Fail`]. `why` is what its
/// followers are told.
///
/// # Errors
/// If it does not stand where that can happen to it.
///
/// # Panics
/// If the record is not an agent's.
pub fn of(agent: &Record, event: LifeEvent, why: &str, at: At) -> Result<Dormancy, NoSuchStep> {
    let Body::Agent(mut identity) = agent.body.clone() else {
        panic!("{} is the record of an agent", agent.id)
    };
    let stage = lifecycle::step(identity.lifecycle, event, at)?;
    identity.lifecycle = stage;
    let (cause, notice) = match stage {
        Lifecycle::Dormant { cause } => (cause.as_str(), notice(cause, &identity.agent_id)),
        other => (other.as_str(), String::new()),
    };
    let told = EventDraft {
        agent: identity.agent_id.clone(),
        kind: EventKind::LifecycleChanged,
        body: json!({ "lifecycle": stage, "why": why }),
    };
    let audit = AuditDraft {
        action: "agent.dormant",
        subject: agent.id.to_string(),
        detail: format!("cause={cause}"),
    };
    let again = RecordDraft::live(agent.id.clone(), identity);
    Ok(Dormancy {
        writes: vec![Write::Record(again), Write::Event(told)],
        guards: vec![Guard::unchanged(agent)],
        audit: vec![audit],
        notice,
    })
}

fn notice(cause: DormantCause, agent: &AgentId) -> String {
    let first = match cause {
        DormantCause::Paused | DormantCause::Stopped => "As soon as you wish,",
        DormantCause::Failures => "When that is mended,",
        DormantCause::TaskMissing => {
            "`dormouse history` shows what removed the task; when it is back,"
        }
    };
    format!(
        "I am dormant now: nothing wakes me. {first} `dormouse agent resume {agent}` lets me go on."
    )
}

/// Why an agent is dormant, if nothing more is known.
#[must_use]
pub const fn words(cause: DormantCause) -> &'static str {
    match cause {
        DormantCause::Paused => "it was paused",
        DormantCause::Stopped => "it was stopped",
        DormantCause::Failures => "it failed too often in a row",
        DormantCause::TaskMissing => "the task it tends is gone",
    }
}

/// What one does to bring a dormant agent back.
#[must_use]
pub fn way_back(cause: DormantCause, agent: &AgentId) -> String {
    let first = match cause {
        DormantCause::Paused | DormantCause::Stopped => "resume it",
        DormantCause::Failures => "mend what failed, then resume it",
        DormantCause::TaskMissing => {
            "bring its task back, `dormouse history` shows what removed it; then resume it"
        }
    };
    format!("{first}: `dormouse agent resume {agent}`")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use types::{
        AgentConfig, AgentIdentity, AgentKind, DormantCause, Mode, Ownership, Profile, VectorClock,
        Visibility,
    };

    pub(crate) fn agent(lifecycle: Lifecycle) -> Record {
        let identity = AgentIdentity {
            agent_id: "agent_a".parse().unwrap(),
            template: "task_agent".to_owned(),
            kind: AgentKind::Named,
            display_name: "ferns".to_owned(),
            lifecycle,
            mode: Mode::Autonomous,
            visibility: Visibility::Public,
            ownership: Ownership::SelfOwned,
            profile: Profile::PublicNamed,
            agent_home: "agents/agent_a".to_owned(),
            lineage_parent_agent_id: None,
            task_id: "task_a".parse().ok(),
            allowed_category_ids: ["category_a".parse().unwrap()].into(),
            current_state_id: "state_a".parse().unwrap(),
            config: AgentConfig::default(),
        };
        Record {
            id: "agent_a".parse().unwrap(),
            body: identity.into(),
            schema_version: 1,
            revision: 4,
            created_at: At::EPOCH,
            updated_at: At::EPOCH,
            deleted_at: None,
            clock: VectorClock::default(),
        }
    }

    #[test]
    fn an_agent_goes_dormant_as_it_is_and_its_followers_are_told_why() {
        let active = agent(Lifecycle::Active);
        let plan = of(&active, LifeEvent::LoseTask, "its task is gone", At::EPOCH).unwrap();
        let stage = Lifecycle::Dormant { cause: DormantCause::TaskMissing };
        let again = RecordDraft::live(active.id.clone(), agent(stage).body);
        assert_eq!(plan.writes[0], Write::Record(again), "nothing else of it has changed");
        let Write::Event(told) = &plan.writes[1] else { panic!("nobody is told") };
        assert_eq!(told.body["why"], "its task is gone");
        assert_eq!(told.body["lifecycle"]["cause"], "task_missing");
        assert_eq!(plan.guards, [Guard::unchanged(&active)]);
        assert_eq!(plan.audit[0].detail, "cause=task_missing");
        assert!(plan.notice.starts_with("I am dormant now"), "{}", plan.notice);
        assert!(plan.notice.contains("`dormouse agent resume agent_a`"), "{}", plan.notice);
    }

    #[test]
    fn the_way_back_fits_the_cause_and_ends_with_the_command() {
        let agent = "agent_a".parse().unwrap();
        for (cause, first) in [
            (DormantCause::Paused, "resume it"),
            (DormantCause::Stopped, "resume it"),
            (DormantCause::Failures, "mend what failed"),
            (DormantCause::TaskMissing, "bring its task back"),
        ] {
            let way = way_back(cause, &agent);
            assert!(way.starts_with(first), "{way}");
            assert!(way.ends_with(": `dormouse agent resume agent_a`"), "{way}");
        }
    }

    #[test]
    fn one_that_was_stopped_meanwhile_stays_as_it_was_stopped() {
        let paused = agent(Lifecycle::Dormant { cause: DormantCause::Paused });
        assert!(of(&paused, LifeEvent::Fail, "x", At::EPOCH).is_err());
    }
}
