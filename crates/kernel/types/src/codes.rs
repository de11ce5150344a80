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
    /// The agent is over and takes nothing any more.
    AgentDestroyed = "agent_destroyed",
    /// The agent is paused or stopped and has to be resumed first.
    AgentStopped = "agent_stopped",
    /// A backup or restore would overwrite something.
    BackupExists = "backup_exists",
    /// A cron line cannot be read, or never comes round.
    BadSchedule = "bad_schedule",
    /// A commit's guard found something newer.
    Conflict = "conflict",
    /// No space left where the home lies.
    DiskFull = "disk_full",
    /// An envelope is larger than a message may be.
    EnvelopeTooLarge = "envelope_too_large",
    /// A fence was raised or closed; the writer holds an older epoch.
    Fenced = "fenced",
    /// The home cannot be created, read or written.
    HomeInaccessible = "home_inaccessible",
    /// One of the home's two files is missing.
    HomeIncomplete = "home_incomplete",
    /// Another process has the home open.
    HomeLocked = "home_locked",
    /// A value breaks its own rules.
    InvalidRecord = "invalid_record",
    /// Everything is stopped by the kill switch.
    KillSwitchOn = "kill_switch_on",
    /// An agent has as many unread messages as it may.
    MailboxFull = "mailbox_full",
    /// That sender does not come through that door.
    NotAdmissible = "not_admissible",
    /// The step asked for does not follow from where the thing stands.
    NoSuchStep = "no_such_step",
    /// A run was interrupted too often.
    RunInterrupted = "run_interrupted",
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
    /// No agent has that id.
    UnknownAgent = "unknown_agent",
    /// No category has that name.
    UnknownCategory = "unknown_category",
    /// No record of that kind has that property.
    UnknownField = "unknown_field",
    /// No schedule has that id.
    UnknownSchedule = "unknown_schedule",
    /// No task has that id.
    UnknownTask = "unknown_task",
    /// No template has that name.
    UnknownTemplate = "unknown_template",
    /// No trigger has that id, or it was revoked.
    UnknownTrigger = "unknown_trigger",
    /// No time zone has that name.
    UnknownZone = "unknown_zone",
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
