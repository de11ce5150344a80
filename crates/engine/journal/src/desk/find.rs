//! Reading the records that a plan is about.

use store::Marked;
use types::{
    Body, BodyType, Category, CategoryId, Checklist, ChecklistItem, Code, Day, DayPlan, Domain,
    Entry, Rating, Task, TaskLabel, TimeEntry, limits,
};

use crate::Error;

use super::refer::unknown;
use super::{Desk, Loaded, Place};

macro_rules! typed {
    ($($name:ident: $variant:ident($inner:ty);)*) => {
        $(
            pub(crate) fn $name(body: Body) -> Option<$inner> {
                match body {
                    Body::$variant(inner) => Some(inner),
                    _ => None,
                }
            }
        )*
    };
}

/// Bodies by type.
pub(crate) mod typed {
    use super::*;

    typed! {
        task: Task(Task);
        category: Category(Category);
        label: TaskLabel(TaskLabel);
        checklist: Checklist(Checklist);
        item: ChecklistItem(ChecklistItem);
        entry: Entry(Entry);
        time: TimeEntry(TimeEntry);
        plan: DayPlan(DayPlan);
        rating: Rating(Rating);
    }
}

impl Desk {
    /// The task that a text names.
    pub(crate) async fn task(&mut self, text: &str) -> Result<Loaded<Task>, Error> {
        let id = self.refer("task", "task", text).await?;
        let task = self.read(id, typed::task).await?.ok_or_else(|| unknown("task", text))?;
        self.note(&task, Some(&task.body.category_id));
        Ok(task)
    }

    /// The checklist that a text names, with its task.
    pub(crate) async fn checklist(
        &mut self,
        text: &str,
    ) -> Result<(Loaded<Checklist>, Loaded<Task>), Error> {
        let id = self.refer("checklist", "checklist", text).await?;
        let list = self.read(id, typed::checklist).await?;
        let list = list.ok_or_else(|| unknown("checklist", text))?;
        let task = self.task(list.body.task_id.as_str()).await?;
        self.note(&list, Some(&task.body.category_id));
        Ok((list, task))
    }

    /// The item that a text names, with its task.
    pub(crate) async fn item(
        &mut self,
        text: &str,
    ) -> Result<(Loaded<ChecklistItem>, Loaded<Task>), Error> {
        let id = self.refer("item", "checklist item", text).await?;
        let item = self.read(id, typed::item).await?;
        let item = item.ok_or_else(|| unknown("checklist item", text))?;
        let task = self.task(item.body.task_id.as_str()).await?;
        self.note(&item, Some(&task.body.category_id));
        Ok((item, task))
    }

    /// The entry that a text names.
    pub(crate) async fn entry(&mut self, text: &str) -> Result<Loaded<Entry>, Error> {
        let id = self.refer("entry", "note", text).await?;
        let entry = self.read(id, typed::entry).await?.ok_or_else(|| unknown("note", text))?;
        self.note(&entry, Some(&entry.body.category_id));
        Ok(entry)
    }

    /// The time entry that a text names, with its task. The task may be gone; the time was spent.
    pub(crate) async fn time(&mut self, text: &str) -> Result<Loaded<TimeEntry>, Error> {
        let id = self.refer("time", "time entry", text).await?;
        let time = self.read(id, typed::time).await?.ok_or_else(|| unknown("time entry", text))?;
        let task = &time.body.task_id;
        let kept = self.kept_tasks([task]).await?.remove(task);
        let category = kept.as_ref().map(|kept| &kept.task.category_id);
        match &kept {
            Some(kept) => self.touch(task, kept.revision, category),
            None if self.is_operator() => {}
            // Nobody can say where it lies, so it lies within nobody's reach.
            None => return Err(unknown("time entry", text)),
        }
        self.note(&time, category);
        Ok(time)
    }

    /// The category of a task, of a removed one too.
    pub(crate) async fn category_of_task(
        &self,
        task: &types::TaskId,
    ) -> Result<Option<CategoryId>, Error> {
        let record = self.store.record(Domain::Journal, task.into()).await?;
        Ok(record.and_then(|record| typed::task(record.body)).map(|task| task.category_id))
    }

    /// The category that a text names, by its name or its id.
    pub(crate) async fn category(&mut self, text: &str) -> Result<Loaded<Category>, Error> {
        let found = match text.parse::<CategoryId>() {
            Ok(id) => self.read(id, typed::category).await?,
            Err(_) => None,
        };
        let found = match found {
            Some(found) => Some(found),
            None => self.named(BodyType::Category, text, typed::category).await?,
        };
        let Some(category) = found else { return Err(self.unknown_category(text).await?) };
        let id: CategoryId = category.id();
        self.note(&category, Some(&id));
        Ok(category)
    }

    /// The label that a text names, by its name or its id.
    pub(crate) async fn label(&mut self, text: &str) -> Result<Loaded<TaskLabel>, Error> {
        let found = match text.parse::<types::TaskLabelId>() {
            Ok(id) => self.read(id, typed::label).await?,
            Err(_) => None,
        };
        let found = match found {
            Some(found) => Some(found),
            None => self.named(BodyType::TaskLabel, text, typed::label).await?,
        };
        let label = found.ok_or_else(|| {
            let hint = "`dormouse label list` shows the labels, `dormouse label add` makes one";
            Error::refuse(Code::UnknownRecord, format!("there is no label {text:?}"), hint)
                .out_of_sight()
        })?;
        self.note(&label, label.body.category_id.as_ref());
        Ok(label)
    }

    /// The plan of a day, and its place if there is none. A plan belongs to no category; who changes
    /// a part of it notes that part with its own.
    pub(crate) async fn plan(&mut self, day: Day) -> Result<Place<DayPlan>, Error> {
        let place = self.place(DayPlan::id(day), typed::plan).await?;
        if place.body.is_some() {
            self.touch(place.id.clone(), place.revision, None);
        }
        Ok(place)
    }

    /// The live record of a kind that bears a name.
    pub(crate) async fn named<T>(
        &self,
        kind: BodyType,
        name: &str,
        typed: fn(Body) -> Option<T>,
    ) -> Result<Option<Loaded<T>>, Error> {
        let marked = Marked::with(kind, rules::mark::name(name), 1);
        let found = self.store.marked(Domain::Journal, marked).await?;
        Ok(found.into_iter().find_map(|record| Loaded::from(record, typed)))
    }

    async fn unknown_category(&self, text: &str) -> Result<Error, Error> {
        let known = self.categories().await?;
        let known: Vec<String> = known.into_iter().map(|category| category.body.name).collect();
        let hint = format!("the categories are: {}", known.join(", "));
        let message = format!("there is no category {text:?}");
        Ok(Error::refuse(Code::UnknownCategory, message, hint).out_of_sight())
    }

    /// The categories within reach, by name.
    pub(crate) async fn categories(&self) -> Result<Vec<Loaded<Category>>, Error> {
        let listing =
            store::Listing::of("categories", BodyType::Category, limits::ROWS_PER_READ_MAX);
        let records = self.store.records(Domain::Journal, listing).await?;
        let mut found: Vec<Loaded<Category>> = records
            .into_iter()
            .filter_map(|record| Loaded::from(record, typed::category))
            .filter(|category| self.reaches(&category.id()))
            .collect();
        found.sort_by(|a, b| (&a.body.name, &a.id).cmp(&(&b.body.name, &b.id)));
        Ok(found)
    }
}

impl Desk {
    /// The live links of a relation at a record, from either side.
    pub(crate) async fn links(
        &self,
        id: &types::RecordId,
        relation: &types::Relation,
    ) -> Result<Vec<types::Link>, Error> {
        self.listing(types::Token::entity(id)).await?;
        let (id, relation) = (id.clone(), relation.clone());
        let mut links =
            self.store.links_from(Domain::Journal, id.clone(), relation.clone()).await?;
        links.extend(self.store.links_to(Domain::Journal, id, relation).await?);
        Ok(links)
    }
}
