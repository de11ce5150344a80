//! A block as somebody describes it.

use serde::Deserialize;
use serde_json::{Value, json};
use types::{At, BlockId, CategoryId, Code, Day, DayPlan, PlanBlock, TaskId, limits};

use crate::Error;
use crate::desk::Desk;
use crate::verbs::given::given;
use crate::verbs::schema;
use crate::verbs::time::ordered;

/// The way out for a block that would end before it begins.
const OVER_MIDNIGHT: &str = "turn the two round; over midnight, end it at `24:00` and plan the rest as a block of the next day, with `--day`";

/// What a block is to be. Of one that is there, what is not given stays; a new one needs its times, and
/// a category or a task to take it from.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct BlockDraft {
    #[serde(default)]
    pub(crate) id: Option<String>,
    #[serde(default)]
    category_id: Option<String>,
    #[serde(default)]
    start_time: Option<String>,
    #[serde(default)]
    end_time: Option<String>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default, deserialize_with = "given")]
    task_id: Option<Option<String>>,
}

impl BlockDraft {
    /// The block on its day.
    pub(crate) async fn block(
        self,
        desk: &mut Desk,
        day: Day,
        was: Option<&PlanBlock>,
    ) -> Result<PlanBlock, Error> {
        let (starts_at, ends_at) = self.times(desk, day, was)?;
        let (category_id, task_id) = self.place(desk, was).await?;
        let new_id = || self.named().unwrap_or_else(|| BlockId::new(desk.world.ulid()));
        Ok(PlanBlock {
            id: was.map_or_else(new_id, |block| block.id.clone()),
            category_id,
            starts_at,
            ends_at,
            note: match (self.note, was) {
                (Some(note), _) => note.trim().to_owned(),
                (None, Some(was)) => was.note.clone(),
                (None, None) => String::new(),
            },
            task_id,
        })
    }

    /// The id that it brings along.
    fn named(&self) -> Option<BlockId> {
        self.id.as_deref().and_then(|id| id.trim().parse().ok())
    }

    /// From when to when, on its day. A block that is only told when to begin keeps its length.
    fn times(&self, desk: &Desk, day: Day, was: Option<&PlanBlock>) -> Result<(At, At), Error> {
        let read = |text: &Option<String>| {
            text.as_deref().map(|text| desk.moment_on(text, day)).transpose()
        };
        let (from, to) = match (read(&self.start_time)?, read(&self.end_time)?, was) {
            (Some(from), Some(to), _) => (from, to),
            (Some(from), None, Some(was)) => {
                let length = was.ends_at.millis() - was.starts_at.millis();
                (from, from.plus_millis(length))
            }
            (None, to, Some(was)) => (was.starts_at, to.unwrap_or(was.ends_at)),
            (_, _, None) => return Err(incomplete("a new block needs a start and an end")),
        };
        ordered(desk, from, to, OVER_MIDNIGHT)?;
        // Who travels finds blocks of a day on another one; they stay until their times are changed.
        if was.is_none_or(|was| (was.starts_at, was.ends_at) != (from, to)) {
            on_the_day(desk, day, from, to)?;
        }
        Ok((from, to))
    }

    /// Where it belongs, and the task that it is meant for, which belongs there too: who may see the
    /// one may see the other.
    async fn place(
        &self,
        desk: &mut Desk,
        was: Option<&PlanBlock>,
    ) -> Result<(CategoryId, Option<TaskId>), Error> {
        let task = match &self.task_id {
            Some(Some(text)) => Some(desk.task(text).await?.id()),
            Some(None) => None,
            None => was.and_then(|was| was.task_id.clone()),
        };
        let of_task = match &task {
            Some(task) => desk.category_of_task(task).await?,
            None => None,
        };
        let category = match (&self.category_id, was, &of_task) {
            (Some(text), _, _) => desk.category(text).await?.id(),
            (None, Some(was), _) => was.category_id.clone(),
            (None, None, Some(category)) => category.clone(),
            (None, None, None) => {
                return Err(incomplete("a new block needs a category, or a task to take it from"));
            }
        };
        // A task that was moved since keeps its block; only a new choice has to fit.
        let moved = was.is_none_or(|was| was.category_id != category);
        let chosen = self.task_id.is_some() || moved;
        if chosen && of_task.is_some_and(|own| own != category) {
            let hint = "give the block the task's category";
            let message = "its task lies in another category";
            return Err(Error::refuse(Code::OtherCategory, message, hint));
        }
        Ok((category, task))
    }
}

/// Refuses times that lie outside of their day, by the clock here.
fn on_the_day(desk: &Desk, day: Day, from: At, to: At) -> Result<(), Error> {
    let (first, after) = desk.bounds(day);
    if first <= from && to <= after {
        return Ok(());
    }
    let message = format!("from {} to {} is not within {day}", desk.local(from), desk.local(to));
    let hint = "a block lies on one day, until `24:00` at most; plan what lies on another as a block of that day, with `--day`";
    Err(Error::refuse(Code::BadTime, message, hint))
}

fn incomplete(message: &str) -> Error {
    Error::refuse(Code::WrongUsage, message, "name what is missing")
}

/// Takes the block that a text names out of a plan: by its id, for the operator also by the last
/// characters of it. A block out of reach is noted, and as good as not there.
pub(crate) fn take(
    desk: &mut Desk,
    plan: &mut DayPlan,
    revision: u64,
    text: &str,
) -> Result<Option<PlanBlock>, Error> {
    let text = text.trim();
    let whole = text.parse::<BlockId>().is_ok();
    let short = !whole && text.len() >= 4 && desk.is_operator();
    let named = |block: &PlanBlock| {
        if short { block.id.as_str().ends_with(text) } else { block.id.as_str() == text }
    };
    let found: Vec<usize> =
        (0..plan.blocks.len()).filter(|place| named(&plan.blocks[*place])).collect();
    match found[..] {
        [] if whole => Ok(None),
        [] => Err(unknown(plan.day, text)),
        [place] => {
            let (id, category) = (&plan.blocks[place].id, &plan.blocks[place].category_id);
            desk.touch(id, revision, Some(category));
            if !desk.reaches(category) {
                return Err(unknown(plan.day, text));
            }
            Ok(Some(plan.blocks.remove(place)))
        }
        _ => Err(Error::refuse(
            Code::AmbiguousReference,
            format!("more than one block ends with {text:?}"),
            "write more of the id",
        )),
    }
}

/// There is no such block.
pub(crate) fn unknown(day: Day, text: &str) -> Error {
    let message = format!("the plan of {day} has no block {text:?}");
    Error::refuse(Code::UnknownRecord, message, "`dormouse plan show` shows the blocks of a day")
        .out_of_sight()
}

/// The argument that names the day of a plan.
pub(crate) fn plan_date() -> Value {
    schema::day("Which day.")
}

/// An argument that describes blocks.
pub(crate) fn blocks() -> Value {
    let note = json!({
        "type": "string", "maxLength": limits::NOTE_BYTES_MAX, "description": "What for."
    });
    let id = "Of a block to change; absent, or one of your own, for a block to add.";
    let task = schema::or_null(schema::id("task", "The task it is for, in the same category."));
    let one = schema::object(
        &[
            ("id", schema::id("block", id)),
            ("categoryId", schema::id("category", "Where it belongs: one of your categories.")),
            ("startTime", schema::instant("From when, on that day.")),
            ("endTime", schema::instant("Until when, to the next midnight at most.")),
            ("note", note),
            ("taskId", task),
        ],
        &["categoryId", "startTime", "endTime"],
    );
    json!({ "type": "array", "items": one, "maxItems": limits::PLAN_BLOCKS_MAX })
}
