//! Words that several commands about tasks share.

use clap::ValueEnum;

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum StatusWord {
    Open,
    #[value(alias = "in-progress")]
    InProgress,
    Blocked,
    #[value(alias = "on-hold")]
    OnHold,
    Done,
    Cancelled,
}

impl StatusWord {
    /// The word of the journal.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            StatusWord::Open => "open",
            StatusWord::InProgress => "in_progress",
            StatusWord::Blocked => "blocked",
            StatusWord::OnHold => "on_hold",
            StatusWord::Done => "done",
            StatusWord::Cancelled => "cancelled",
        }
    }
}

/// How much a task matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PriorityWord {
    P0,
    P1,
    P2,
    P3,
}

impl PriorityWord {
    /// The word of the journal.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            PriorityWord::P0 => "p0",
            PriorityWord::P1 => "p1",
            PriorityWord::P2 => "p2",
            PriorityWord::P3 => "p3",
        }
    }
}
