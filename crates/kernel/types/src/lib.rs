//! Nouns: what Dormouse talks about, and nothing it does.
//!
//! Values here know how to be parsed, checked, printed and serialised. They never read a clock,
//! a disk or a random number, and verbs over them live in `rules`. A record that breaks its own
//! rules cannot be committed: see [`Commit::check`].

mod agent;
mod at;
mod audit;
mod author;
mod budget;
mod change;
mod clock;
mod codes;
mod commit;
mod content;
mod continuation;
mod day;
mod dialog;
mod digest;
pub mod digits;
mod envelope;
mod event;
mod fence;
mod ids;
mod image;
mod invalid;
mod invocation;
mod journal;
mod label;
pub mod limits;
mod link;
mod message;
mod model;
mod operation;
mod outcome;
mod policy;
mod problem;
mod record;
mod recovery;
mod replay;
mod report;
mod rest;
mod run;
mod schedule;
mod secret;
mod session;
mod subscription;
mod text;
mod thread;
mod token;
mod tool;
mod transport;
mod trigger;
mod turn;
mod wait;

pub use agent::{
    AgentConfig, AgentIdentity, AgentKind, AgentState, DormantCause, Extension, Lifecycle, Mode,
    Ownership, Profile, Slot, Slots, Visibility,
};
pub use at::{At, ParseAtError};
pub use audit::{AuditDraft, AuditEntry};
pub use author::{Author, Origin};
pub use budget::{Account, Amounts, BudgetLimits};
pub use change::{
    ChangeRecord, ChangeUnit, Counter, Delta, Domain, PayloadType, Position, SequenceEntry,
};
pub use clock::VectorClock;
pub use codes::{Code, ParseCodeError};
pub use commit::{ArmMove, Commit, CursorMove, CursorName, Durability, Guard, RecordDraft, Write};
pub use content::{Content, ContentDraft, ContentRef, Hashed};
pub use continuation::{Continuation, ContinuationClass, LastTurn};
pub use day::{Day, Due};
pub use dialog::{Classified, DialogAct};
pub use digest::Digest;
pub use envelope::{
    AdmissionContext, AuthorityClass, DeliverySurface, Envelope, EnvelopeBody, EnvelopeContent,
    EnvelopeKind, EnvelopeOrigin, EnvelopeTrust, Priority, TriggerKind,
};
pub use event::{Event, EventDraft, EventKind};
pub use fence::{Epoch, Fence, FenceMove, FenceScope};
pub use ids::{
    AgentId, BlockId, CategoryId, ChecklistId, ConsentId, ConversationId, EntryId, EnvelopeId,
    GroundingId, HostId, IdError, InvocationId, ItemId, LinkId, MessageId, OperationId, PlanId,
    RatingId, RecordId, ReportHeadId, ReportId, RunKey, ScheduleId, SessionId, StateId,
    SubscriptionId, TaskId, TaskLabelId, TimeEntryId, TriggerId, TurnId, Ulid, WaitId,
};
pub use image::{Image, Properties};
pub use invalid::Invalid;
pub use invocation::{
    ActionType, CallError, ChangedRecord, Compliance, InvocationState, ToolInvocation, Trace,
};
pub use journal::{
    Category, Checklist, ChecklistItem, DayPlan, Entry, EntryKind, Media, PlanBlock, Rating, Task,
    TaskLabel, TaskPriority, TaskStatus, TimeEntry,
};
pub use label::{Label, Source, Trust};
pub use link::{Link, LinkDraft, Relation};
pub use message::{Message, MessageKind, MessageMetadata, SummarySpan};
pub use model::{
    AttemptOutcome, AttemptRecord, AttemptTimeline, FailureArtifact, FailureCategory, FinishReason,
    Generation, ModelConsent, ModelFailureKind, ModelRef, ProviderTerms, TokenUsage,
    TransportDiagnostics,
};
pub use operation::{LinkBefore, Operation, OperationDraft, PreImage};
pub use outcome::{Applied, Conflict, Outcome, Recorded, Wrote};
pub use policy::SchedulerPolicy;
pub use problem::Problem;
pub use record::{Body, BodyType, Record};
pub use recovery::{FailedActivity, FailureType, Recovery, RecoveryOutcome, Strategy};
pub use replay::{ReplayedStep, Verdict};
pub use report::{Claim, Report, ReportHead, ReportScope, SourceRef, SourceType};
pub use rest::{Rest, RestReason};
pub use run::{
    Gate, ReadyRun, Receipt, Run, RunDraft, RunEnd, RunFailure, RunState, Usage, WakeReason,
};
pub use schedule::{
    Arming, CatchUp, ConcurrencyDecision, Occurrence, OccurrenceState, Overlap, Recurrence,
    Schedule, ScheduleAction, ScheduleStatus, ScheduleTrigger, SkipReason, SlotName, TriggerSource,
};
pub use secret::SecretRef;
pub use session::{
    AcceptanceEvidence, ContextWindow, Grounding, GroundingAct, GroundingNote, Participant,
    Session, SessionStatus,
};
pub use subscription::{Compare, Condition, Listener, Predicate, Subscription};
pub use thread::ThreadId;
pub use token::{Token, TokenClass};
pub use tool::{Capability, Idempotency, Quota, Risk, ScopeRule, ToolCounts};
pub use transport::Transport;
pub use trigger::{ExternalTrigger, Hint, TriggerStatus};
pub use turn::{
    Block, BlockKind, BlockRef, Brief, BriefKind, ClosureDecision, ClosureOutcome, Frame,
    Interjection, LookedUpTo, PlannedCall, PromptParts, PromptRef, Round, SeenFrom, Stability,
    Turn, TurnKind, TurnSpent, TurnState, TurnTerminal, WaitingReason,
};
pub use wait::{Wait, WaitFor, WaitState};
