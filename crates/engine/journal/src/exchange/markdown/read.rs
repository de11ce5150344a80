//! Reading Markdown.

use serde_json::{Value, json};
use types::{BodyType, Category, CategoryId, Day, TaskLabel};

use crate::Error;
use crate::exchange::intake::{Here, Intake, Place, Reading};
use crate::exchange::json as records;
use crate::exchange::refuse::{bad, broken, newer};

use super::build::{Around, Builder, Carried, carried, carried_by, whole_record};
use super::escape::unescape;
use super::notes::Spot;
use super::seen;
use super::tree::{Node, Section, Shape, tree};
use super::write::VERSION;

/// Headings of the first level that name no category.
const SPECIAL: [&str; 6] = ["Journal", "Labels", "Days", "Ratings", "Relations", "Elsewhere"];

/// What is passed over in a section whose lines say nothing without their comments.
const MUTE: &str = "lines that say nothing without their comments";

/// Reads what [`super::write`] writes, and what people write.
pub(crate) fn read(text: &str, here: &Here) -> Result<Reading, Error> {
    let text = text.replace("\r\n", "\n");
    let sections = tree(&text)?;
    let whole = is_whole(&sections)?;
    let mut builder = Builder { intake: Intake::new(here) };
    builder.names(&sections)?;
    let mut special = None;
    for section in &sections {
        builder.section(section, &mut special)?;
    }
    Ok(builder.intake.finish(whole))
}

/// Whether it is an export, which has to have its last line.
fn is_whole(sections: &[Section]) -> Result<bool, Error> {
    let about = |kind: &'static str| {
        let nodes = sections.iter().flat_map(|section| &section.nodes);
        nodes.filter_map(|node| node.comment.as_ref()).find(move |found| found.kind == kind)
    };
    let Some(head) = about("dormouse") else { return Ok(false) };
    match head.fields.get("version").and_then(Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) => return Err(newer(version, VERSION)),
        None => return Err(broken("its first line does not say of which version it is")),
    }
    match about("end") {
        Some(_) => Ok(true),
        None => Err(broken("it ends too early: its last line is missing")),
    }
}

impl Builder<'_> {
    /// Takes in the categories and labels that have ids: others are named after them.
    fn names(&mut self, sections: &[Section]) -> Result<(), Error> {
        for section in sections {
            let place = Place::Line(section.line);
            if let Some(comment) = section.comment.as_ref().filter(|c| c.kind == "category") {
                let Carried { id, created_at, fields } = carried_by(place, comment)?;
                let seen = seen::fields(&Category::named(unescape(&section.title)));
                let fields = seen::whole(seen, fields);
                let carried = Carried { id, created_at, fields };
                self.record(place, BodyType::Category, carried, |_| {
                    unreachable!("a comment without an id is refused")
                })?;
            }
            for node in section.nodes.iter().filter(|node| node.about() == Some("label")) {
                let Carried { id, created_at, fields } = carried(node, "label")?;
                let name = node.words();
                let seen = seen::fields(&TaskLabel { name, colour: None, category_id: None });
                let carried = Carried { id, created_at, fields: seen::whole(seen, fields) };
                self.record(node.place(), BodyType::TaskLabel, carried, |_| {
                    unreachable!("a comment without an id is refused")
                })?;
            }
        }
        Ok(())
    }

    fn section<'s>(
        &mut self,
        section: &'s Section,
        special: &mut Option<&'s str>,
    ) -> Result<(), Error> {
        let title = section.title.trim();
        match section.comment.as_ref().map(|comment| comment.kind) {
            Some("category") => {
                let place = Place::Line(section.line);
                let comment = section.comment.as_ref().expect("it has just been seen");
                let id = carried_by(place, comment)?.id.expect("a comment has an id");
                let id: CategoryId = id.as_str().parse().map_err(|error| bad(place, error))?;
                *special = None;
                return self.category_section(&section.nodes, &Around::Category(id));
            }
            Some("plan") => return self.plan(section),
            Some(other) => {
                let why = format!("a heading carries no {other}");
                return Err(bad(Place::Line(section.line), why));
            }
            None => {}
        }
        if section.level == 1 {
            *special = SPECIAL.into_iter().find(|known| *known == title);
        }
        let in_days = *special == Some("Days") && title.parse::<Day>().is_ok();
        match *special {
            Some("Labels") if section.level == 1 => self.labels(&section.nodes),
            Some(_) if section.level == 1 || in_days => self.mute(&section.nodes),
            _ if section.level == 0 => {
                let name = self.intake.here.usual_category().to_owned();
                self.category_section(&section.nodes, &Around::Named(name))
            }
            _ => {
                *special = None;
                let name = unescape(title.trim_end_matches(['#', ' ']));
                self.category_section(&section.nodes, &Around::Named(name))
            }
        }
    }

    fn category_section(&mut self, nodes: &[Node], around: &Around) -> Result<(), Error> {
        let spot = Spot { around: around.clone(), task: None };
        let mut notes: Vec<&Node> = Vec::new();
        for node in nodes {
            match node.shape {
                Shape::Box(_) => self.task(node, around)?,
                // A bullet over tasks is their heading, and a note by itself.
                Shape::Bullet if node.comment.is_none() && node.children.iter().any(is_box) => {
                    self.new_note(node, &node.raw, None, &spot)?;
                    for task in node.children.iter().filter(|node| is_box(node)) {
                        self.task(task, around)?;
                    }
                    notes.extend(node.children.iter().filter(|node| !is_box(node)));
                }
                _ => notes.push(node),
            }
        }
        self.notes(&notes, &spot)
    }

    fn labels(&mut self, nodes: &[Node]) -> Result<(), Error> {
        for node in nodes {
            if !self.carried_whole(node)? && node.shape == Shape::Bullet {
                self.intake.label(node.place(), &node.words())?;
            }
        }
        Ok(())
    }

    /// A section of which only the comments count.
    fn mute(&mut self, nodes: &[Node]) -> Result<(), Error> {
        for node in nodes {
            if !self.carried_whole(node)? {
                self.intake.leave_out(MUTE);
            }
        }
        Ok(())
    }

    fn plan(&mut self, section: &Section) -> Result<(), Error> {
        let place = Place::Line(section.line);
        let comment = section.comment.as_ref().expect("only a section with a comment comes here");
        let Carried { id, created_at, fields } = carried_by(place, comment)?;
        let day: Day = section.title.trim().parse().map_err(|error| bad(place, error))?;
        let note = section.nodes.iter().find(|node| node.shape == Shape::Quote);
        let note = note.map(|note| note.raw.clone()).unwrap_or_default();
        let mut seen = seen::fields(&seen::plan(day, note));
        let (mut blocks, mut pinned) = (Vec::new(), Vec::new());
        for node in &section.nodes {
            match node.comment.as_ref() {
                Some(comment) if comment.kind == "block" => blocks.push(json!(comment.fields)),
                Some(comment) if comment.kind == "pin" => {
                    pinned.push(comment.fields.get("task_id").cloned().unwrap_or_default());
                }
                Some(_) => {
                    self.carried_whole(node)?;
                }
                None if node.shape == Shape::Quote => {}
                None => self.intake.leave_out(MUTE),
            }
        }
        seen.insert("blocks".to_owned(), blocks.into());
        seen.insert("pinned".to_owned(), pinned.into());
        let carried = Carried { id, created_at, fields: seen::whole(seen, fields) };
        self.record(place, BodyType::DayPlan, carried, |_| {
            unreachable!("a comment without an id is refused")
        })?;
        Ok(())
    }

    /// Takes in a node whose comment says all there is; false if it is another one.
    pub(super) fn carried_whole(&mut self, node: &Node) -> Result<bool, Error> {
        let Some(comment) = &node.comment else { return Ok(false) };
        let (place, fields) = (node.place(), comment.fields.clone());
        match comment.kind {
            // These were taken in before.
            "dormouse" | "end" | "label" => {}
            "gone" => self.intake.gone(records::gone(place, fields.into())?),
            "link" => {
                let tie = records::tie(place, fields.into())?;
                self.intake.tie(place, tie);
            }
            "record" => self.intake.add(place, whole_record(place, comment)?)?,
            "rating" => {
                let carried = carried_by(place, comment)?;
                self.record(place, BodyType::Rating, carried, |_| {
                    unreachable!("a comment without an id is refused")
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn is_box(node: &Node) -> bool {
    matches!(node.shape, Shape::Box(_))
}
