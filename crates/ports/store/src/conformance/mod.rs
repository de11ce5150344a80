//! The suite that every backend must pass.
//!
//! A backend writes `store::store_conformance!(harness())` in a test file and gets one test per
//! case. A case says in its name what must hold; it may open the store as often as it likes and
//! finds what was there before, as after a restart.

pub mod atomicity;
pub mod changes;
mod given;
pub mod guards;
pub mod idempotency;
pub mod isolation;
pub mod records;
pub mod runs;

use crate::Store;

/// A place where a store can be opened again and again.
pub trait Harness {
    /// Opens it. The store opened before has been dropped by then.
    fn open(&mut self) -> Box<dyn Store>;
}

/// Makes one test of each case.
#[macro_export]
macro_rules! store_conformance {
    ($harness:expr) => {
        $crate::store_conformance! { @cases $harness;
            atomicity::a_commit_is_there_whole,
            atomicity::a_failed_commit_leaves_nothing,
            atomicity::a_record_in_the_wrong_domain_is_refused,
            atomicity::what_was_applied_is_there_after_reopening,
            changes::a_commit_is_one_change_with_one_counter,
            changes::counters_are_contiguous_across_reopening,
            changes::local_rows_make_no_change,
            changes::a_change_is_found_by_any_of_its_tokens,
            changes::a_moved_record_is_found_under_what_it_was_and_is,
            changes::every_synced_record_is_in_outbox_and_sequence_log,
            changes::cursors_are_durable_and_start_at_zero,
            changes::whoever_watches_is_told_after_the_commit,
            changes::audit_entries_are_numbered_without_gaps,
            guards::a_stale_revision_is_a_conflict_and_changes_nothing,
            guards::a_closed_fence_stops_agents_and_not_the_operator,
            guards::a_raised_fence_stops_the_late_writer,
            guards::a_fence_never_falls,
            guards::reopening_makes_earlier_claims_late,
            guards::a_cursor_moved_by_another_is_a_conflict,
            idempotency::an_operation_is_done_once_and_answers_the_same,
            idempotency::an_operation_keeps_the_records_it_replaced,
            idempotency::an_operation_done_before_is_not_stopped_by_guards,
            idempotency::a_conflict_leaves_the_operation_to_be_done,
            isolation::one_that_fails_leaves_its_neighbours_untouched,
            isolation::of_two_with_the_same_revision_one_is_applied,
            isolation::writers_at_once_all_get_through,
            isolation::an_answer_that_nobody_awaits_is_written_all_the_same,
            records::records_list_newest_first_by_owner_kind_and_subtype,
            records::a_written_record_counts_revisions_and_keeps_its_birth,
            records::a_new_record_was_last_written_when_it_was_made,
            records::every_record_and_link_has_a_vector_clock,
            records::a_deleted_record_leaves_a_tombstone,
            records::a_pair_is_linked_once_per_relation,
            records::links_are_found_from_both_ends,
            records::an_unknown_relation_is_kept,
            records::a_message_needs_its_content,
            records::a_thread_reads_newest_first_up_to_a_limit,
            records::the_same_content_is_kept_once_with_its_label,
            records::a_read_returns_a_page,
            records::a_record_never_changes_its_kind,
            runs::a_run_is_queued_once_per_key,
            runs::a_run_ends_once,
            runs::every_end_comes_back_as_it_was,
            runs::runs_list_newest_first_and_queued_oldest_first,
            runs::only_active_living_subscriptions_listen,
            runs::a_changed_subscription_listens_for_its_new_tokens_only,
            runs::events_are_numbered_per_agent,
        }
    };
    (@cases $harness:expr; $($module:ident::$case:ident,)*) => {
        $(
            #[test]
            fn $case() {
                $crate::conformance::$module::$case(&mut $harness);
            }
        )*
    };
}
