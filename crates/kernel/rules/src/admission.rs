//! Admission: what an envelope may claim, by the door it came through and by nothing it says.
//!
//! ```text
//! door                    brings              checked                       may claim
//! cli_prompt, run_once    the operator        local_process                 operator_instruction
//! http_control_prompt     the operator        control_authenticated         operator_instruction
//! http_public_enqueue     a channel           public_unauthenticated        external_evidence
//! http_webhook            a webhook           external_trigger_capability   integration_signal
//! http_callback_enqueue   a trigger           external_trigger_capability   integration_signal
//! timer_scheduler         a schedule          runtime_owned                 runtime_instruction
//! runtime_system          the runtime         runtime_owned                 runtime_instruction
//! task_rejoin             background work     runtime_owned                 runtime_instruction
//! ```
//! Whatever else is claimed at a door is refused. `http_callback_wake` carries no envelope.

use types::{
    AdmissionContext, AuthorityClass, DeliverySurface, EnvelopeKind, EnvelopeOrigin, EnvelopeTrust,
    Label, Source, TriggerKind, Trust,
};

/// What an envelope may claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    /// What the door checked.
    pub context: AdmissionContext,
    /// What it may claim.
    pub authority: AuthorityClass,
    /// How far its sender is trusted.
    pub trust: EnvelopeTrust,
    /// The label of its content.
    pub label: Label,
    /// What it is to a resting turn.
    pub trigger: TriggerKind,
}

/// A sender or kind that does not come through that door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{kind} from {origin} does not come through {surface}",
    kind = .kind.as_str(), surface = .surface.as_str())]
pub struct NotAdmissible {
    /// The door.
    pub surface: DeliverySurface,
    /// What it claims to be.
    pub kind: EnvelopeKind,
    /// Whom it claims to come from.
    pub origin: &'static str,
}

/// Derives what an envelope may claim.
///
/// # Errors
/// If that sender or kind does not come through that door.
pub fn derive(
    surface: DeliverySurface,
    kind: EnvelopeKind,
    origin: &EnvelopeOrigin,
) -> Result<Admission, NotAdmissible> {
    use AdmissionContext as Context;
    use AuthorityClass as Authority;
    use DeliverySurface as Door;
    use EnvelopeKind as Kind;
    use EnvelopeOrigin as From;
    let (context, authority) = match (surface, origin, kind) {
        (Door::CliPrompt | Door::RunOnce, From::Operator { .. }, Kind::OperatorPrompt) => {
            (Context::LocalProcess, Authority::OperatorInstruction)
        }
        (Door::HttpControlPrompt, From::Operator { .. }, Kind::OperatorPrompt) => {
            (Context::ControlAuthenticated, Authority::OperatorInstruction)
        }
        (Door::HttpPublicEnqueue, From::Channel { .. }, Kind::ChannelEvent) => {
            (Context::PublicUnauthenticated, Authority::ExternalEvidence)
        }
        (Door::HttpWebhook, From::Webhook { .. }, Kind::WebhookEvent)
        | (Door::HttpCallbackEnqueue, From::Callback { .. }, Kind::CallbackEvent) => {
            (Context::ExternalTriggerCapability, Authority::IntegrationSignal)
        }
        (Door::TimerScheduler, From::Timer { .. }, Kind::TimerTick)
        | (Door::TaskRejoin, From::Task { .. }, Kind::TaskResult | Kind::TaskStatus)
        | (
            Door::RuntimeSystem,
            From::System { .. },
            Kind::SystemTick
            | Kind::InternalFollowup
            | Kind::Control
            | Kind::BriefAck
            | Kind::BriefResult,
        ) => (Context::RuntimeOwned, Authority::RuntimeInstruction),
        _ => return Err(NotAdmissible { surface, kind, origin: origin_name(origin) }),
    };
    let trust = trust(origin);
    let trigger = trigger_kind(kind);
    Ok(Admission { context, authority, trust, label: label(kind, trust), trigger })
}

/// The trust that an origin has by default. No door raises it.
#[must_use]
pub fn trust(origin: &EnvelopeOrigin) -> EnvelopeTrust {
    match origin {
        EnvelopeOrigin::Operator { .. } => EnvelopeTrust::TrustedOperator,
        EnvelopeOrigin::System { .. }
        | EnvelopeOrigin::Task { .. }
        | EnvelopeOrigin::Timer { .. } => EnvelopeTrust::TrustedSystem,
        EnvelopeOrigin::Callback { .. } | EnvelopeOrigin::Webhook { .. } => {
            EnvelopeTrust::TrustedIntegration
        }
        EnvelopeOrigin::Channel { .. } => EnvelopeTrust::UntrustedExternal,
    }
}

/// What an envelope of a kind is to a resting turn.
#[must_use]
pub const fn trigger_kind(kind: EnvelopeKind) -> TriggerKind {
    match kind {
        EnvelopeKind::OperatorPrompt => TriggerKind::OperatorInput,
        EnvelopeKind::ChannelEvent | EnvelopeKind::WebhookEvent | EnvelopeKind::CallbackEvent => {
            TriggerKind::ExternalEvent
        }
        EnvelopeKind::TimerTick => TriggerKind::TimerFire,
        EnvelopeKind::TaskResult | EnvelopeKind::TaskStatus => TriggerKind::TaskResult,
        EnvelopeKind::InternalFollowup => TriggerKind::InternalFollowup,
        EnvelopeKind::SystemTick
        | EnvelopeKind::Control
        | EnvelopeKind::BriefAck
        | EnvelopeKind::BriefResult => TriggerKind::SystemTick,
    }
}

/// The label of what an envelope says. Background work is run by us and still speaks of outside:
/// what a command printed informs and never instructs.
fn label(kind: EnvelopeKind, trust: EnvelopeTrust) -> Label {
    match (kind, trust) {
        (EnvelopeKind::TaskResult | EnvelopeKind::TaskStatus, _)
        | (_, EnvelopeTrust::UntrustedExternal) => Label::new(Trust::Untrusted, Source::External),
        (_, EnvelopeTrust::TrustedIntegration) => Label::new(Trust::Integration, Source::External),
        (_, EnvelopeTrust::TrustedSystem) => Label::runtime(),
        (_, EnvelopeTrust::TrustedOperator) => Label::operator(),
    }
}

const fn origin_name(origin: &EnvelopeOrigin) -> &'static str {
    match origin {
        EnvelopeOrigin::Operator { .. } => "the operator",
        EnvelopeOrigin::Channel { .. } => "a channel",
        EnvelopeOrigin::Webhook { .. } => "a webhook",
        EnvelopeOrigin::Callback { .. } => "a trigger",
        EnvelopeOrigin::Timer { .. } => "a schedule",
        EnvelopeOrigin::System { .. } => "the runtime",
        EnvelopeOrigin::Task { .. } => "background work",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins() -> Vec<EnvelopeOrigin> {
        let x = || "x".to_owned();
        vec![
            EnvelopeOrigin::Operator { actor_id: None },
            EnvelopeOrigin::Channel { channel_id: x(), sender_id: None },
            EnvelopeOrigin::Webhook { source: x(), event_type: None },
            EnvelopeOrigin::Callback { descriptor_id: x(), source: None },
            EnvelopeOrigin::Timer { timer_id: x() },
            EnvelopeOrigin::System { subsystem: x() },
            EnvelopeOrigin::Task { task_id: x() },
        ]
    }

    /// Every door, kind and origin: what gets in, and what it may claim.
    fn admitted() -> Vec<(DeliverySurface, EnvelopeKind, EnvelopeOrigin, Admission)> {
        let mut all = Vec::new();
        for surface in DeliverySurface::ALL {
            for kind in EnvelopeKind::ALL {
                for origin in origins() {
                    if let Ok(admission) = derive(*surface, *kind, &origin) {
                        all.push((*surface, *kind, origin, admission));
                    }
                }
            }
        }
        all
    }

    #[test]
    fn the_code_admits_exactly_the_table() {
        let table: Vec<Vec<&str>> = include_str!("admission.rs")
            .lines()
            .skip_while(|line| !line.contains("door                    brings"))
            .skip(1)
            .map_while(|line| line.strip_prefix("//! "))
            .take_while(|line| !line.starts_with("```"))
            .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
            .collect();
        assert!(table.len() > 7, "the table was not read");
        let mut written: Vec<[String; 4]> = Vec::new();
        for row in &table {
            for door in row[0].split(", ") {
                written.push([door, row[1], row[2], row[3]].map(str::to_owned));
            }
        }
        let mut found: Vec<[String; 4]> = admitted()
            .iter()
            .map(|(surface, _, origin, admission)| {
                let claims = (admission.context.as_str(), admission.authority.as_str());
                [surface.as_str(), origin_name(origin), claims.0, claims.1].map(str::to_owned)
            })
            .collect();
        found.sort();
        found.dedup();
        written.sort();
        assert_eq!(found, written);
    }

    #[test]
    fn only_the_operators_own_doors_give_operator_authority() {
        for (surface, kind, origin, admission) in admitted() {
            let operator = admission.authority == AuthorityClass::OperatorInstruction;
            assert_eq!(operator, matches!(origin, EnvelopeOrigin::Operator { .. }), "{surface:?}");
            assert_eq!(operator, admission.label == Label::operator(), "{kind:?}");
            assert_eq!(admission.trust, trust(&origin), "a door has raised trust");
        }
        let operator = EnvelopeOrigin::Operator { actor_id: None };
        let public = DeliverySurface::HttpPublicEnqueue;
        assert!(derive(public, EnvelopeKind::OperatorPrompt, &operator).is_err());
    }

    #[test]
    fn a_channel_is_untrusted_and_background_work_speaks_of_outside() {
        for (_, kind, origin, admission) in admitted() {
            if matches!(origin, EnvelopeOrigin::Channel { .. }) {
                assert_eq!(admission.trust, EnvelopeTrust::UntrustedExternal);
                assert_eq!(admission.label.trust, Trust::Untrusted);
            }
            if matches!(kind, EnvelopeKind::TaskResult | EnvelopeKind::TaskStatus) {
                assert_eq!(admission.label.trust, Trust::Untrusted);
                assert_eq!(admission.authority, AuthorityClass::RuntimeInstruction);
            }
        }
    }

    #[test]
    fn every_kind_has_a_trigger_kind() {
        let kinds: std::collections::BTreeSet<TriggerKind> =
            EnvelopeKind::ALL.iter().map(|kind| trigger_kind(*kind)).collect();
        assert_eq!(kinds.len(), TriggerKind::ALL.len());
    }
}
