//! Looking at the journal.

use api_types::{CategoryReply, EntryReply, JournalLook, LabelReply, TaskListParams, TaskReply};
use runtime::{Find, TaskFilter, TaskSort};
use serde_json::Value;
use types::{Code, Invalid, Problem, TaskPriority, TaskStatus};

use crate::route::{Router, json};

use super::{day_replies, entries, replies, time_replies};

/// How many tasks a list shows unless more are asked for.
const TASKS_SHOWN: usize = 50;

/// How many hits a search shows unless more are asked for.
const HITS_SHOWN: usize = 20;

impl Router {
    pub(crate) async fn look(&self, look: JournalLook) -> Result<Value, Problem> {
        let journal = &self.runtime.journal;
        match look {
            JournalLook::Task { task } => json(&replies::task(journal.task_get(&task).await?)),
            JournalLook::Tasks(params) => {
                let tasks = journal.task_list(self.task_filter(params)?).await?;
                json(&tasks.into_iter().map(replies::task).collect::<Vec<TaskReply>>())
            }
            JournalLook::Categories {} => {
                let categories = journal.category_list().await?;
                json(&categories.into_iter().map(replies::category).collect::<Vec<CategoryReply>>())
            }
            JournalLook::Labels {} => {
                let labels = journal.label_list().await?;
                json(&labels.into_iter().map(entries::label).collect::<Vec<LabelReply>>())
            }
            JournalLook::Entry { entry } => {
                json(&entries::entry(journal, journal.entry_get(&entry).await?))
            }
            JournalLook::Entries(params) => {
                let filter = entries::entry_filter(journal, params)?;
                let entries = journal.entry_list(filter).await?.into_iter();
                let replies = entries.map(|entry| entries::entry(journal, entry));
                json(&replies.collect::<Vec<EntryReply>>())
            }
            JournalLook::Export { format } => json(&self.export(format).await?),
            JournalLook::Search { words, kinds, category, limit } => {
                let limit = limit.unwrap_or(HITS_SHOWN);
                let find = Find { words, kinds, category, limit };
                json(&replies::found(self.finder.find(find).await?))
            }
            JournalLook::History { record, limit } => {
                json(&entries::history(journal, record, limit).await?)
            }
            other => self.look_at_days(other).await,
        }
    }

    /// Time, days and ratings.
    async fn look_at_days(&self, look: JournalLook) -> Result<Value, Problem> {
        let journal = &self.runtime.journal;
        match look {
            JournalLook::TimeEntry { time_entry } => {
                json(&time_replies::time(journal.time_get(&time_entry).await?))
            }
            JournalLook::TimeSheet { from, to } => {
                json(&time_replies::sheet(journal.time_sheet(&from, &to).await?))
            }
            JournalLook::Timer {} => json(&journal.timer().await?.map(time_replies::time)),
            JournalLook::Day { day } => json(&day_replies::day(journal.day_get(&day).await?)),
            JournalLook::Rating { target } => {
                json(&journal.rating_get(&target).await?.map(day_replies::rating))
            }
            JournalLook::Ratings { from, to, category } => {
                let ratings = journal.ratings(&from, &to, category.as_deref()).await?;
                json(&day_replies::ratings(ratings))
            }
            _ => unreachable!("the other looks were taken care of"),
        }
    }

    fn task_filter(&self, params: TaskListParams) -> Result<TaskFilter, Problem> {
        let due_by = params.due_by.map(|text| self.runtime.journal.day_named(&text)).transpose()?;
        Ok(TaskFilter {
            category: params.category,
            status: word("status", params.status, &TaskStatus::ALL, TaskStatus::as_str)?,
            all: params.all,
            label: params.label,
            priority: word("priority", params.priority, &TaskPriority::ALL, TaskPriority::as_str)?,
            due_by,
            sort: word("sort", params.sort, &TaskSort::ALL, TaskSort::as_str)?,
            limit: params.limit.unwrap_or(TASKS_SHOWN),
        })
    }
}

/// One of a list of words.
pub(super) fn word<T: Copy>(
    field: &'static str,
    text: Option<String>,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Result<Option<T>, Problem> {
    let Some(text) = text else { return Ok(None) };
    let found = all.iter().copied().find(|known| as_str(*known) == text);
    let known: Vec<&str> = all.iter().map(|known| as_str(*known)).collect();
    found.map(Some).ok_or_else(|| {
        let wrong = Invalid::new(field, format!("{text:?} is not known"));
        Problem::new(Code::WrongUsage, wrong.to_string(), format!("it is {}", known.join(", ")))
    })
}
