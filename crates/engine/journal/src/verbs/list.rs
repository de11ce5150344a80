//! All verbs, and those of them that agents may be offered.

use std::sync::Arc;

use tool::Tool;

use crate::Journal;
use crate::verb::AnyVerb;

use super::offer::JournalTool;
use super::{category, checklist, entry, label, plan, rating, task, time};

macro_rules! verbs {
    (offered: [$($offered:ty),* $(,)?], kept: [$($kept:ty),* $(,)?] $(,)?) => {
        /// Every verb of the journal.
        pub(crate) const ALL: &[AnyVerb] =
            &[$(AnyVerb::of::<$offered>(),)* $(AnyVerb::of::<$kept>(),)*];

        impl Journal {
            /// The journal's tools.
            #[must_use]
            pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
                vec![$(JournalTool::of::<$offered>(self),)*]
            }
        }
    };
}

verbs! {
    // Agents may be offered these.
    offered: [
        task::CreateTask,
        task::UpdateTaskFields,
        task::SetTaskTitle,
        task::UpdateTaskEstimate,
        task::UpdateTaskDueDate,
        task::UpdateTaskPriority,
        task::SetTaskLanguage,
        task::AssignTaskLabels,
        task::CreateFollowUpTask,
        task::ConcludeTaskWithRollover,
        task::ListTasksInScope,
        task::ResolveTaskReference,
        category::ListAllowedCategories,
        checklist::AddMultipleChecklistItems,
        checklist::UpdateChecklistItems,
        checklist::CreateChecklist,
        checklist::MoveChecklistItems,
        checklist::MoveChecklistItemsToNewTask,
        time::CreateRetrospectiveTimeEntry,
        time::StartTaskTimer,
        time::StopTaskTimer,
        time::AnnotateTimeEntry,
        plan::GetOrCreateDayPlan,
        plan::UpsertDayPlanBlocks,
        plan::PinDayPlanTasks,
        plan::ReplanDayBlocks,
        rating::CreateOrUpdateRating,
        rating::GetRatingsSummary,
        rating::GetRatingForTarget,
    ],
    // These are the operator's alone.
    kept: [
        category::AddCategory,
        category::EditCategory,
        category::RemoveCategory,
        entry::EditEntry,
        entry::RemoveEntry,
        entry::WriteEntry,
        label::AddLabel,
        label::EditLabel,
        label::RemoveLabel,
        task::RemoveTask,
        task::RelateTasks,
        task::UnrelateTasks,
        checklist::EditChecklist,
        checklist::RemoveChecklist,
        checklist::RemoveChecklistItems,
        checklist::ReorderChecklistItems,
        time::EditTimeEntry,
        time::RemoveTimeEntry,
        plan::CloseDay,
        plan::ReopenDay,
        rating::RemoveRating,
    ],
}
