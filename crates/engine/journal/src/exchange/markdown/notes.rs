//! Notes: quotes with a comment above them, and whatever else people write between their tasks.

use types::{At, BodyType, EntryId, RecordId, TaskId};

use crate::Error;
use crate::exchange::archive::Piece;

use super::build::{Around, Builder, Carried, carried};
use super::seen;
use super::stamp;
use super::tree::{Node, Shape};

/// Where a note stands.
pub(super) struct Spot {
    pub(super) around: Around,
    pub(super) task: Option<TaskId>,
}

impl Builder<'_> {
    /// Takes in what stands at a spot and is no task, item or list.
    pub(super) fn notes(&mut self, nodes: &[&Node], spot: &Spot) -> Result<(), Error> {
        let mut nodes = nodes.iter().peekable();
        while let Some(node) = nodes.next() {
            if self.carried_whole(node)? {
                continue;
            }
            if node.about().is_some() {
                let quote = nodes.next_if(|next| is_quote_below(next, node));
                self.known_note(node, quote.map(|quote| quote.raw.as_str()), spot)?;
                continue;
            }
            let at = stamp::above(&node.raw).filter(|_| node.shape == Shape::Text);
            if let Some((at, quote)) = at.zip(nodes.next_if(|next| is_quote_below(next, node))) {
                self.new_note(quote, &quote.raw, Some(at), spot)?;
                continue;
            }
            // Bullets that follow each other are one list, and one note.
            let mut list = vec![*node];
            while let Some(next) = nodes.next_if(|next| goes_on(list[list.len() - 1], next)) {
                list.push(next);
            }
            let text = match list.as_slice() {
                [one] => one.plain(),
                many => many.iter().map(|node| format!("- {}\n", node.plain())).collect(),
            };
            self.new_note(node, &text, None, spot)?;
        }
        Ok(())
    }

    /// A note that has an id.
    fn known_note(&mut self, node: &Node, text: Option<&str>, spot: &Spot) -> Result<(), Error> {
        let Carried { id, created_at, fields } = carried(node, "entry")?;
        let at = stamp::above(&node.raw).unwrap_or(At::EPOCH);
        let category = self.category(node.place(), &spot.around)?;
        let text = text.unwrap_or_default().to_owned();
        let seen = seen::entry(text, at, stamp::day(at), category, spot.task.clone());
        let fields = seen::whole(seen::fields(&seen), fields);
        let carried = Carried { id, created_at, fields };
        self.record(node.place(), BodyType::Entry, carried, |_| {
            unreachable!("a comment without an id is refused")
        })?;
        Ok(())
    }

    /// A note that somebody wrote by hand.
    pub(super) fn new_note(
        &mut self,
        node: &Node,
        text: &str,
        at: Option<At>,
        spot: &Spot,
    ) -> Result<(), Error> {
        let text = text.trim_end();
        if text.trim().is_empty() {
            return Ok(());
        }
        let category = self.category(node.place(), &spot.around)?;
        let owner = spot.task.as_ref().map_or(category.as_str(), TaskId::as_str);
        let name = self.intake.named(["markdown note", owner, text]);
        let id: RecordId = EntryId::from_digest(&name).into();
        let here = self.intake.here;
        let said = at.unwrap_or(here.now());
        let day = rules::day::of(said, &here.zone);
        let entry = seen::entry(text.to_owned(), said, day, category, spot.task.clone());
        if at.is_none() {
            self.intake.timeless(&id);
        }
        let piece = Piece { id, created_at: here.now(), body: entry.into() };
        self.intake.add(node.place(), piece)
    }
}

/// Whether a quote stands right below a node.
fn is_quote_below(quote: &Node, node: &Node) -> bool {
    quote.shape == Shape::Quote && quote.line == node.end + 1
}

/// Whether a bullet follows another one, line on line.
fn goes_on(node: &Node, next: &Node) -> bool {
    let bullets = [node, next].iter().all(|node| node.shape == Shape::Bullet);
    bullets && next.comment.is_none() && next.line == node.last() + 1
}
