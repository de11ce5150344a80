//! Stable error codes: what a program can match on and a person can look up.
//!
//! Each has a page, `docs/errors/CODE.md`; a check keeps the two lists equal.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// A stable error code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code there is.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The code as it is printed.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $code,)*
                }
            }
        }
    };
}

codes! {
    /// Somebody else listens on the address.
    AddressInUse = "address_in_use",
    /// The agent is over and takes nothing any more.
    AgentDestroyed = "agent_destroyed",
    /// The task has an agent already.
    AgentExists = "agent_exists",
    /// The agent is paused or stopped and has to be resumed first.
    AgentStopped = "agent_stopped",
    /// More than one record is meant by a text.
    AmbiguousReference = "ambiguous_reference",
    /// A backup or restore would overwrite something.
    BackupExists = "backup_exists",
    /// A tool was called with arguments that it does not take.
    BadArguments = "bad_arguments",
    /// The configuration cannot be read.
    BadConfig = "bad_config",
    /// A file that was to be imported cannot be, as a whole.
    BadImport = "bad_import",
    /// A cron line cannot be read, or never comes round.
    BadSchedule = "bad_schedule",
    /// A text is not the time that it was to be.
    BadTime = "bad_time",
    /// The request has no token, or the wrong one.
    BadToken = "bad_token",
    /// An agent would spend more than it may.
    BudgetExceeded = "budget_exceeded",
    /// The system refuses to listen there.
    CannotListen = "cannot_listen",
    /// Something newer rests on what was to be undone.
    CannotUndo = "cannot_undo",
    /// The agent's profile does not hold what the tool needs.
    CapabilityMissing = "capability_missing",
    /// Two things would each come before the other.
    CircularRelation = "circular_relation",
    /// A commit's guard found something newer.
    Conflict = "conflict",
    /// A prompt does not fit the model.
    ContextLengthExceeded = "context_length_exceeded",
    /// The day is closed, and its plan with it.
    DayClosed = "day_closed",
    /// No space left where the home lies.
    DiskFull = "disk_full",
    /// Something would end before it begins.
    EndBeforeStart = "end_before_start",
    /// An envelope is larger than a message may be.
    EnvelopeTooLarge = "envelope_too_large",
    /// A fence was raised or closed; the writer holds an older epoch.
    Fenced = "fenced",
    /// The request is for another host, or from a page of another site.
    ForeignOrigin = "foreign_origin",
    /// The home cannot be created, read or written.
    HomeInaccessible = "home_inaccessible",
    /// One of the home's two files is missing.
    HomeIncomplete = "home_incomplete",
    /// Another process has the home open.
    HomeLocked = "home_locked",
    /// What is to be imported is here already, and says something else.
    ImportConflict = "import_conflict",
    /// A value breaks its own rules.
    InvalidRecord = "invalid_record",
    /// A model's answer is not what its provider promises.
    InvalidResponse = "invalid_response",
    /// Everything is stopped by the kill switch.
    KillSwitchOn = "kill_switch_on",
    /// There is no room for more, or too much would be done at once.
    LimitReached = "limit_reached",
    /// An agent has as many unread messages as it may.
    MailboxFull = "mailbox_full",
    /// A model is not among those that may be used.
    ModelNotAllowed = "model_not_allowed",
    /// A model could not be reached.
    ModelUnavailable = "model_unavailable",
    /// Two things would have the same name.
    NameTaken = "name_taken",
    /// A destination is not allowed.
    NetworkDenied = "network_denied",
    /// An agent worked in circles.
    NoProgress = "no_progress",
    /// The agent has written no report yet.
    NoReport = "no_report",
    /// The step asked for does not follow from where the thing stands.
    NoSuchStep = "no_such_step",
    /// That sender does not come through that door.
    NotAdmissible = "not_admissible",
    /// Something still lies in it.
    NotEmpty = "not_empty",
    /// The address can be reached from other machines.
    NotLoopback = "not_loopback",
    /// A call that changes something came without the name of its operation.
    OperationIdMissing = "operation_id_missing",
    /// It lies in another category.
    OtherCategory = "other_category",
    /// A call would touch what lies outside of the agent's categories.
    OutOfScope = "out_of_scope",
    /// A request holds what does not belong to it.
    OversharedPayloadBlocked = "overshared_payload_blocked",
    /// A preview was asked of a tool that has none.
    PreviewNotOffered = "preview_not_offered",
    /// Nobody has agreed to the model yet.
    PrivacyConfirmationRequired = "privacy_confirmation_required",
    /// A provider is not configured.
    ProviderNotAllowed = "provider_not_allowed",
    /// A provider refused a request for what it is.
    ProviderRefused = "provider_refused",
    /// A request is larger than a server reads.
    RequestTooLarge = "request_too_large",
    /// A run was cancelled.
    RunCancelled = "run_cancelled",
    /// A run was interrupted too often.
    RunInterrupted = "run_interrupted",
    /// A secret cannot be had.
    SecretUnavailable = "secret_unavailable",
    /// The server went away before it had answered.
    ServerGone = "server_gone",
    /// The session is over and takes nothing any more.
    SessionOver = "session_over",
    /// The store has as many commits waiting as it holds.
    StoreBusy = "store_busy",
    /// The store is closing.
    StoreClosed = "store_closed",
    /// A database file is damaged.
    StoreCorrupt = "store_corrupt",
    /// The file is a database, but not one of ours, or not the one expected there.
    StoreForeign = "store_foreign",
    /// The operating system refused a read or write.
    StoreIo = "store_io",
    /// The file was written by a newer Dormouse.
    StoreNewer = "store_newer",
    /// A timer runs, and only one can.
    TimerRunning = "timer_running",
    /// The operator has stopped every tool of that class.
    ToolClassStopped = "tool_class_stopped",
    /// The agent has called the tool as often as it may.
    ToolQuotaExceeded = "tool_quota_exceeded",
    /// A tool did not answer in time, and nothing was done.
    ToolTimedOut = "tool_timed_out",
    /// A turn took more steps than it may.
    TurnLimitReached = "turn_limit_reached",
    /// No agent has that id.
    UnknownAgent = "unknown_agent",
    /// No category has that name.
    UnknownCategory = "unknown_category",
    /// No record of that kind has that property.
    UnknownField = "unknown_field",
    /// No operation or run has that id.
    UnknownOperation = "unknown_operation",
    /// Nothing of that kind has that id.
    UnknownRecord = "unknown_record",
    /// No schedule has that id.
    UnknownSchedule = "unknown_schedule",
    /// There is no such session or conversation.
    UnknownSession = "unknown_session",
    /// No task has that id.
    UnknownTask = "unknown_task",
    /// No template has that name.
    UnknownTemplate = "unknown_template",
    /// No tool has that name.
    UnknownTool = "unknown_tool",
    /// No trigger has that id, or it was revoked.
    UnknownTrigger = "unknown_trigger",
    /// No time zone has that name.
    UnknownZone = "unknown_zone",
    /// What an agent would change was not named for certain.
    UnsafeTarget = "unsafe_target",
    /// A claim of a report names no source.
    UnsourcedClaim = "unsourced_claim",
    /// A transport is not one that Dormouse speaks.
    UnsupportedTransport = "unsupported_transport",
    /// The tool is not for wakes of this kind.
    WakeReasonNotAllowed = "wake_reason_not_allowed",
    /// The command line or request is not one that exists.
    WrongUsage = "wrong_usage",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a known error code")]
pub struct ParseCodeError;

impl std::str::FromStr for Code {
    type Err = ParseCodeError;

    fn from_str(text: &str) -> Result<Code, ParseCodeError> {
        Code::ALL.iter().copied().find(|code| code.as_str() == text).ok_or(ParseCodeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_has_the_code_that_the_contract_names() {
        let named = [
            ("out_of_scope", Code::OutOfScope),
            ("budget_exceeded", Code::BudgetExceeded),
            ("unsafe_target", Code::UnsafeTarget),
            ("model_not_allowed", Code::ModelNotAllowed),
            ("provider_not_allowed", Code::ProviderNotAllowed),
            ("network_denied", Code::NetworkDenied),
            ("privacy_confirmation_required", Code::PrivacyConfirmationRequired),
            ("secret_unavailable", Code::SecretUnavailable),
            ("overshared_payload_blocked", Code::OversharedPayloadBlocked),
            ("agent_destroyed", Code::AgentDestroyed),
        ];
        for (name, code) in named {
            assert_eq!((name.parse(), code.as_str()), (Ok(code), name));
        }
    }
}
