//! The suite that every backend must pass.
//!
//! A backend writes `index::index_conformance!(harness())` in a test file and gets one test per
//! case. A case says in its name what must hold; it may open the index as often as it likes and
//! finds what was there before, as after a restart.

pub mod documents;
mod given;
pub mod language;
pub mod order;
pub mod position;
pub mod scope;

use crate::Index;

/// A place where an index can be opened again and again.
pub trait Harness {
    /// Opens it. The index opened before has been dropped by then.
    fn open(&mut self) -> Box<dyn Index>;
}

/// Makes one test of each case.
#[macro_export]
macro_rules! index_conformance {
    ($harness:expr) => {
        $crate::index_conformance! { @cases $harness;
            documents::a_document_is_found_by_the_words_of_its_title_and_text,
            documents::a_replaced_document_is_found_by_its_present_words_only,
            documents::a_removed_document_is_found_no_more,
            documents::removing_what_is_not_there_does_nothing,
            documents::what_is_put_and_removed_at_once_is_gone,
            documents::of_a_document_that_comes_twice_the_last_counts,
            documents::a_moved_document_is_found_where_it_is,
            documents::any_text_can_be_put,
            documents::what_was_put_is_there_after_reopening,
            documents::clearing_forgets_everything,
            language::words_are_all_wanted,
            language::words_may_stand_in_title_and_text,
            language::a_phrase_is_side_by_side_and_in_order,
            language::a_minus_leaves_out,
            language::the_last_word_and_a_star_find_what_goes_on,
            language::case_and_diacritics_do_not_matter,
            language::words_that_other_languages_reserve_are_words,
            language::punctuation_and_pictures_between_words_do_not_matter,
            language::nothing_to_look_for_is_an_error_of_its_own,
            language::the_longest_searches_are_searches,
            order::a_title_counts_for_more_than_a_text,
            order::of_equals_the_newer_comes_first_and_then_the_lower_id,
            order::the_best_hit_has_the_score_of_one,
            order::a_limit_cuts_the_hits_and_not_the_total,
            order::an_answer_is_a_page,
            order::an_excerpt_marks_what_fits,
            order::an_excerpt_is_one_line_with_marks_of_its_own,
            position::it_starts_at_zero,
            position::a_put_moves_the_position_with_its_documents,
            position::a_put_from_elsewhere_does_nothing,
            position::the_same_put_twice_is_harmless,
            position::an_empty_put_moves_on,
            position::of_writers_at_once_one_moves_on,
            position::searches_go_on_while_it_is_fed,
            scope::kinds_are_filtered,
            scope::another_category_is_neither_found_nor_counted,
            scope::without_a_category_a_document_is_found_only_by_who_finds_all,
            scope::no_category_at_all_finds_nothing,
            scope::what_others_hold_changes_no_hit_and_no_count,
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
