//! Finding tasks: which, in which order, and no more than are wanted.

use std::cmp::Ordering;

use store::{Listing, Marked};
use types::{
    BodyType, CategoryId, Day, Domain, RecordId, Task, TaskLabelId, TaskPriority, TaskStatus,
    limits,
};

use crate::Error;

use super::{Desk, Loaded, Reach, typed};

/// The order in which tasks are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TaskSort {
    /// The newest first.
    #[default]
    Newest,
    /// What is due first; what is never due comes last.
    Due,
    /// What matters most first, and of that what is due first.
    Priority,
}

impl TaskSort {
    /// Every order.
    pub const ALL: [TaskSort; 3] = [TaskSort::Newest, TaskSort::Due, TaskSort::Priority];

    /// The order as users name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskSort::Newest => "newest",
            TaskSort::Due => "due",
            TaskSort::Priority => "priority",
        }
    }

    fn compare(self, one: &Loaded<Task>, other: &Loaded<Task>) -> Ordering {
        let newest = (other.created_at, &other.id).cmp(&(one.created_at, &one.id));
        // Nothing sorts before something, so what has no date is turned round.
        let due = |task: &Loaded<Task>| (task.body.due.is_none(), task.body.due);
        match self {
            TaskSort::Newest => newest,
            TaskSort::Due => due(one).cmp(&due(other)).then(newest),
            TaskSort::Priority => one
                .body
                .priority
                .cmp(&other.body.priority)
                .then_with(|| due(one).cmp(&due(other)))
                .then(newest),
        }
    }
}

/// Which tasks are wanted. Only those within reach are found.
#[derive(Debug, Clone, Default)]
pub(crate) struct TaskQuery {
    /// Of this category only.
    pub(crate) category: Option<CategoryId>,
    /// In this status only; otherwise those that are not closed.
    pub(crate) status: Option<TaskStatus>,
    /// Closed ones too.
    pub(crate) all: bool,
    /// Bearing this label only.
    pub(crate) label: Option<TaskLabelId>,
    /// Of this priority only.
    pub(crate) priority: Option<TaskPriority>,
    /// Due on or before this day only.
    pub(crate) due_by: Option<Day>,
    /// With all of these words in the title only, in lower case.
    pub(crate) words: Vec<String>,
    /// In which order.
    pub(crate) sort: TaskSort,
    /// At most this many.
    pub(crate) limit: usize,
}

impl TaskQuery {
    fn fits(&self, task: &Task) -> bool {
        let title = task.title.to_lowercase();
        self.wants(task.status)
            && self.category.as_ref().is_none_or(|category| task.category_id == *category)
            && self.label.as_ref().is_none_or(|label| task.labels.contains(label))
            && self.priority.is_none_or(|priority| task.priority == priority)
            && self.due_by.is_none_or(|day| task.due.is_some_and(|due| due.day <= day))
            && self.words.iter().all(|word| title.contains(word))
    }

    /// Whether the newest ones are wanted, whatever else they say.
    fn is_plain(&self) -> bool {
        let filtered = self.label.is_some() || self.priority.is_some() || self.due_by.is_some();
        self.sort == TaskSort::Newest && !filtered && self.words.is_empty()
    }

    fn wants_closed(&self) -> bool {
        self.statuses().any(TaskStatus::is_closed)
    }

    fn statuses(&self) -> impl Iterator<Item = TaskStatus> {
        TaskStatus::ALL.into_iter().filter(|status| self.wants(*status))
    }

    fn wants(&self, status: TaskStatus) -> bool {
        self.status.map_or(self.all || !status.is_closed(), |wanted| status == wanted)
    }
}

/// Where tasks come from.
enum Source {
    /// By a mark, page by page. Those that come by their dates, if that is the wanted order, need not
    /// be read to the end.
    Marks { search: Marked, in_order: bool },
    /// By the category and status, the newest page.
    Category(Listing),
}

impl Desk {
    /// The tasks that are wanted, in order.
    pub(crate) async fn tasks(&self, query: &TaskQuery) -> Result<Vec<Loaded<Task>>, Error> {
        let limit = query.limit.min(limits::ROWS_PER_READ_MAX);
        let mut best: Vec<Loaded<Task>> = Vec::new();
        let mut older = false;
        for source in self.sources(query).await? {
            match source {
                Source::Marks { search, in_order } => {
                    self.gather(search, in_order, query, limit, &mut best).await?;
                    // Enough with a date: what has none comes after all of them.
                    if in_order && best.len() == limit {
                        break;
                    }
                }
                Source::Category(listing) => {
                    let max = listing.limit;
                    let page = self.store.records(Domain::Journal, listing).await?;
                    older |= page.len() == max;
                    let page = page.into_iter().filter_map(|task| Loaded::from(task, typed::task));
                    self.keep(page, query, limit, &mut best);
                }
            }
        }
        // Where a page of them is full there may be more, and what is wanted among those.
        if older && !query.is_plain() {
            for search in self.by_marks(query) {
                self.gather(search, false, query, limit, &mut best).await?;
            }
        }
        Ok(best)
    }

    /// Reads a source page by page, keeping the best.
    async fn gather(
        &self,
        mut search: Marked,
        in_order: bool,
        query: &TaskQuery,
        limit: usize,
        best: &mut Vec<Loaded<Task>>,
    ) -> Result<(), Error> {
        let mut kept = 0;
        loop {
            let page = self.store.marked(Domain::Journal, search.clone()).await?;
            let more = page.len() == search.limit;
            let page: Vec<Loaded<Task>> =
                page.into_iter().filter_map(|task| Loaded::from(task, typed::task)).collect();
            search.after =
                page.last().and_then(|last| Some((mark_of(&search, last)?, last.id.clone())));
            let read_to = page.last().and_then(due_day);
            kept += self.keep(page.into_iter(), query, limit, best);
            // The tasks of one day come by their ids: which are due first is known when it is over.
            let whole = read_to > best.last().and_then(due_day);
            if !more || search.after.is_none() || (in_order && kept >= limit && whole) {
                return Ok(());
            }
            search.limit = limits::ROWS_PER_READ_MAX;
        }
    }

    /// Takes what fits among the best, and says how many that were.
    fn keep(
        &self,
        page: impl Iterator<Item = Loaded<Task>>,
        query: &TaskQuery,
        limit: usize,
        best: &mut Vec<Loaded<Task>>,
    ) -> usize {
        let fits =
            |task: &Loaded<Task>| self.reaches(&task.body.category_id) && query.fits(&task.body);
        let before = best.len();
        best.extend(page.filter(fits));
        let kept = best.len() - before;
        best.sort_by(|one, other| query.sort.compare(one, other));
        // What is due is found by its date and then once more among all that is open.
        best.dedup_by(|one, other| one.id == other.id);
        best.truncate(limit);
        kept
    }

    /// Where to look, so that as little as possible is read that is not wanted.
    async fn sources(&self, query: &TaskQuery) -> Result<Vec<Source>, Error> {
        // Under one mark tasks come by their ids, which do not say how old those are that came from
        // elsewhere: all of them are read.
        let all = |search: Marked| Source::Marks { search, in_order: false };
        if let Some(label) = &query.label {
            return Ok(vec![all(bearing(rules::mark::labelled(label)))]);
        }
        if query.wants_closed() || query.is_plain() {
            return self.by_category(query).await;
        }
        let by_date = query.due_by.is_some() || query.sort == TaskSort::Due;
        let mut sources = vec![];
        sources.extend(by_date.then(|| dated(query)));
        if query.due_by.is_none() {
            sources.extend(self.by_marks(query).map(all));
        }
        Ok(sources)
    }

    /// All tasks that may be wanted. One that was closed and does not say when bears no mark of it.
    fn by_marks(&self, query: &TaskQuery) -> impl Iterator<Item = Marked> {
        let wants_open = query.statuses().any(|status| !status.is_closed());
        let open = if wants_open { self.open_marks(query) } else { vec![] };
        let closed = query
            .wants_closed()
            .then(|| Marked { from: "closed=".to_owned(), ..bearing("closed=~".to_owned()) });
        open.into_iter().map(bearing).chain(closed)
    }

    fn open_marks(&self, query: &TaskQuery) -> Vec<String> {
        match (&query.category, &self.reach) {
            (Some(category), _) => vec![rules::mark::open_in(category)],
            (None, Reach::Operator) => vec![rules::mark::OPEN.to_owned()],
            (None, Reach::Within(scope)) => scope.iter().map(rules::mark::open_in).collect(),
        }
    }

    /// The newest page of each category and status; that is mostly all there is.
    async fn by_category(&self, query: &TaskQuery) -> Result<Vec<Source>, Error> {
        let owners: Vec<RecordId> = match &query.category {
            Some(category) => vec![category.into()],
            None => self.categories().await?.into_iter().map(|category| category.id).collect(),
        };
        let page = if query.is_plain() { query.limit } else { limits::ROWS_PER_READ_MAX };
        let listing = |owner: &RecordId, status: TaskStatus| {
            let newest = Listing::of(owner.as_str(), BodyType::Task, page);
            Source::Category(Listing { subtype: Some(status.as_str().to_owned()), ..newest })
        };
        let of = |owner: &RecordId| {
            query.statuses().map(|status| listing(owner, status)).collect::<Vec<Source>>()
        };
        Ok(owners.iter().flat_map(of).collect())
    }
}

/// Open tasks by their dates, the earliest first.
fn dated(query: &TaskQuery) -> Source {
    let page = query.limit.clamp(1, limits::ROWS_PER_READ_MAX);
    let to = query.due_by.map_or_else(|| "due=~".to_owned(), rules::mark::due);
    let search = Marked { from: "due=".to_owned(), ..Marked::with(BodyType::Task, to, page) };
    Source::Marks { search, in_order: query.sort == TaskSort::Due }
}

fn bearing(mark: String) -> Marked {
    Marked::with(BodyType::Task, mark, limits::ROWS_PER_READ_MAX)
}

/// The mark under which a task was found.
fn mark_of(search: &Marked, task: &Loaded<Task>) -> Option<String> {
    let marks = rules::mark::of(&task.body.clone().into());
    marks.into_iter().find(|mark| (&search.from..=&search.to).contains(&mark))
}

fn due_day(task: &Loaded<Task>) -> Option<Day> {
    task.body.due.map(|due| due.day)
}
