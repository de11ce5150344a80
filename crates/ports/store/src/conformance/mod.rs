//! The suite that every backend must pass.
//!
//! A backend writes `store::store_conformance!(harness())` in a test file and gets one test per
//! case. A case says in its name what must hold; it may open the store as often as it likes and
//! finds what was there before, as after a restart.

pub mod atomicity;
pub mod briefing;
pub mod budgets;
pub mod changes;
pub mod clocks;
pub mod durability;
pub mod gates;
mod given;
pub mod guards;
pub mod hints;
pub mod history;
pub mod idempotency;
pub mod images;
pub mod isolation;
pub mod listeners;
pub mod marks;
pub mod occurrences;
pub mod queue;
pub mod records;
pub mod runs;
pub mod scans;
pub mod sight;
pub mod tools;
pub mod turns;
pub mod waits;
pub mod words;

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
            briefing::a_briefing_about_nobody_is_empty,
            briefing::a_briefing_holds_what_is_kept_of_one_agent,
            briefing::a_briefing_names_the_next_run_and_the_begun_one,
            briefing::a_briefing_tells_what_changed_among_agents,
            briefing::a_briefing_says_how_the_fences_stand,
            budgets::what_is_set_aside_is_let_go_when_it_is_settled,
            budgets::what_was_set_aside_and_never_settled_counts_as_spent,
            budgets::what_an_ended_run_has_set_aside_counts_as_spent,
            budgets::accounts_are_there_after_reopening,
            budgets::a_run_is_not_shown_what_it_has_set_aside_itself,
            changes::a_commit_is_one_change_with_one_counter,
            changes::counters_are_contiguous_across_reopening,
            changes::local_rows_make_no_change,
            changes::a_change_is_found_by_any_of_its_tokens,
            changes::a_delta_holds_what_matches_and_how_far_it_looked,
            changes::a_delta_is_a_page,
            changes::a_trimmed_log_begins_later_and_goes_on_where_it_was,
            changes::a_moved_record_is_found_under_what_it_was_and_is,
            changes::every_synced_record_is_in_outbox_and_sequence_log,
            changes::cursors_are_durable_and_start_at_zero,
            changes::whoever_watches_is_told_after_the_commit,
            changes::audit_entries_are_numbered_without_gaps,
            clocks::a_clock_moves_only_from_where_it_was_seen,
            clocks::due_schedules_come_earliest_first,
            clocks::the_next_due_is_the_nearest_of_all,
            clocks::clocks_armed_in_other_zones_are_found,
            clocks::clocks_that_were_set_later_are_found_page_by_page,
            clocks::the_last_slot_that_a_clock_brought_about_is_found_by_name,
            clocks::whoever_looks_is_stirred_by_runs_clocks_and_waits,
            clocks::whoever_may_be_stopped_is_told_when_a_fence_moves,
            durability::a_soon_commit_is_read_and_guarded_against_at_once,
            durability::a_soon_commit_is_there_after_reopening,
            durability::soon_commits_keep_their_place_in_the_log,
            gates::an_agent_has_one_run_begun_at_a_time,
            gates::two_runs_of_an_agent_do_not_begin_together,
            gates::what_has_begun_does_not_wait,
            gates::what_is_merged_after_a_look_is_not_ended_with_it,
            gates::only_failures_count_as_failures,
            gates::raising_a_fence_leaves_it_as_open_as_it_stands,
            gates::only_a_queued_run_begins,
            gates::a_retried_run_waits_again,
            gates::a_gated_run_is_hidden_until_its_time,
            gates::releasing_lets_one_agents_runs_go,
            gates::reopening_lets_every_run_go_that_waits_for_a_time,
            gates::a_full_mailbox_takes_no_more,
            guards::a_stale_revision_is_a_conflict_and_changes_nothing,
            guards::a_closed_fence_stops_agents_and_not_the_operator,
            guards::a_raised_fence_stops_the_late_writer,
            guards::a_fence_never_falls,
            guards::a_fence_of_a_commit_that_fails_is_where_it_was,
            guards::closed_fences_are_listed,
            guards::reopening_makes_earlier_claims_late,
            guards::a_cursor_moved_by_another_is_a_conflict,
            guards::what_came_to_a_list_meanwhile_is_a_conflict,
            history::operations_are_read_in_the_order_in_which_they_were_done,
            history::an_operation_is_found_by_its_change_its_run_and_its_first_digits,
            history::the_newest_changes_about_a_record_come_first,
            history::an_operation_keeps_the_links_it_replaced,
            hints::hints_of_a_trigger_become_one,
            hints::hints_of_others_stay_apart,
            hints::a_seen_hint_goes_unless_more_have_come,
            hints::a_rest_comes_back_as_it_was,
            idempotency::an_operation_is_done_once_and_answers_the_same,
            idempotency::an_operation_keeps_the_records_it_replaced,
            idempotency::an_operation_done_before_is_not_stopped_by_guards,
            idempotency::a_conflict_leaves_the_operation_to_be_done,
            idempotency::an_operation_says_what_it_wrote,
            images::a_change_says_what_each_record_was_and_is,
            images::an_image_never_holds_words,
            images::a_commit_has_an_image_of_all_that_can_wake_somebody,
            isolation::one_that_fails_leaves_its_neighbours_untouched,
            isolation::of_two_with_the_same_revision_one_is_applied,
            isolation::writers_at_once_all_get_through,
            isolation::an_answer_that_nobody_awaits_is_written_all_the_same,
            listeners::an_equality_is_listened_for_by_itself,
            listeners::a_further_condition_is_not_decided_by_the_token,
            listeners::a_condition_narrows_only_the_token_of_its_kind,
            marks::a_live_record_is_found_by_its_marks_and_only_by_those,
            marks::marks_are_read_in_order_both_ways_and_in_pages,
            marks::of_two_that_would_bear_a_mark_alone_one_does,
            marks::records_of_several_owners_come_in_one_read,
            marks::an_id_is_found_by_its_end,
            marks::what_rests_on_a_record_is_found_from_every_side,
            occurrences::a_slot_is_recorded_once,
            occurrences::every_occurrence_comes_back_as_it_was,
            occurrences::an_occurrence_ends_with_its_run,
            occurrences::an_occurrence_of_a_merged_run_ends_with_the_target,
            occurrences::a_skipped_occurrence_is_over_and_its_run_goes_on,
            queue::a_look_merges_into_the_oldest_queued_run,
            queue::many_looks_merge_into_one,
            queue::a_run_keeps_the_model_that_was_chosen_for_it,
            queue::a_merged_run_is_queued_once_per_key,
            queue::a_word_is_never_merged,
            queue::a_look_never_merges_into_what_may_have_looked,
            queue::a_look_waits_for_no_delivery_time_and_no_other_agent,
            queue::merged_runs_end_with_their_target,
            queue::a_merged_run_takes_no_steps_of_its_own,
            queue::merging_raises_urgency_and_insistence,
            records::records_list_newest_first_by_owner_kind_and_subtype,
            records::a_written_record_counts_revisions_and_keeps_its_birth,
            records::a_new_record_was_last_written_when_it_was_made,
            records::every_record_and_link_has_a_vector_clock,
            records::records_are_found_by_id_if_they_exist,
            records::a_deleted_record_leaves_a_tombstone,
            records::a_pair_is_linked_once_per_relation,
            records::links_are_found_from_both_ends,
            records::an_unknown_relation_is_kept,
            records::a_message_needs_its_content,
            records::a_thread_keeps_its_order_when_the_clock_goes_back,
            records::a_thread_reads_newest_first_up_to_a_limit,
            records::the_same_content_is_kept_once_with_its_label,
            records::a_read_returns_a_page,
            records::what_is_not_listed_by_owner_is_refused,
            records::a_record_never_changes_its_kind,
            runs::a_run_is_queued_once_per_key,
            runs::a_run_ends_once,
            runs::every_end_comes_back_as_it_was,
            runs::a_run_keeps_what_it_spent_before_it_was_put_back,
            runs::runs_list_newest_first_and_queued_oldest_first,
            runs::only_active_living_subscriptions_listen,
            runs::a_changed_subscription_listens_for_its_new_tokens_only,
            runs::events_are_numbered_per_agent,
            runs::events_of_all_agents_are_read_in_the_order_of_their_commits,
            scans::a_scan_meets_every_record_once,
            scans::a_scan_meets_every_link_once,
            scans::a_record_from_elsewhere_has_the_birth_that_it_had_there,
            sight::relations_of_a_task_come_by_kind_end_and_age,
            sight::entries_and_times_that_are_not_read_are_counted,
            tools::a_call_is_counted_once_in_its_session_and_its_day,
            tools::a_quota_stops_the_call_on_top,
            tools::calls_of_one_commit_keep_to_a_quota_together,
            tools::calls_at_once_keep_to_a_quota_together,
            tools::a_day_opens_with_its_first_call_and_closes_24_hours_later,
            tools::an_invocation_needs_its_contents,
            turns::ready_runs_come_in_the_order_of_rank,
            turns::what_has_waited_long_comes_before_what_is_urgent,
            turns::due_runs_take_their_place_in_the_order,
            turns::a_page_of_ready_runs_holds_the_first_in_rank,
            waits::an_open_wait_is_found_by_agent_source_and_deadline,
            waits::a_wait_that_is_over_is_found_no_more,
            waits::a_changed_wait_is_found_under_what_it_is,
            waits::waits_come_in_order_and_in_pages,
            words::the_words_of_a_record_keep_who_had_a_hand_in_them,
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
