//! Nothing crosses a boundary that is not on its list.

use context::projection::{Allow, Blocked, check};
use context::{Prompt, Who};
use types::{Author, BlockKind, EntryKind};

use crate::given::Given;

fn whole() -> Prompt {
    let mut given = Given::fresh().prompted("Hello").checklist("checklist_c", "All").beside(
        "task_p",
        "The garden",
        Some("Dug."),
    );
    given.first = false;
    given.report = Some("It stands.".to_owned());
    given.item("checklist_c", 1, "x", false);
    for n in 0..100 {
        given.entry(n, EntryKind::Text, "x");
        given.note(1, "x");
        given.said(Who::Operator, 1, "x");
        given.change(Author::Operator, "task_t", "TASK", &["title"]);
    }
    given.prompt()
}

fn blocked(part: &str) -> Result<(), Blocked> {
    Err(Blocked { part: part.to_owned() })
}

#[test]
fn every_part_of_a_turn_is_on_the_list_of_a_turn() {
    let prompt = whole();
    assert_eq!(prompt.blocks.len(), 10);
    assert_eq!(check(&prompt.blocks, &Allow::turn()), Ok(()));
}

#[test]
fn a_part_that_is_not_on_the_list_is_left_out_by_the_builder_and_blocked_at_the_boundary() {
    let (prompt, allow) = (whole(), Allow::only(&[BlockKind::Policy, BlockKind::Wake]));
    assert_eq!(check(&prompt.blocks, &allow), blocked("role"));
    let projected = prompt.clone().project(&allow);
    assert_eq!(check(&projected.blocks, &allow), Ok(()));
    assert_eq!(projected.blocks.len(), 2);
    assert!(projected.tokens < prompt.tokens);
    assert!(projected.exposed, "a prompt is never more trusted for what was left out of it");
}

#[test]
fn a_field_that_is_not_on_the_list_is_blocked_at_any_depth() {
    let mut blocks = whole().blocks;
    blocks[2].text =
        "# Task\n{\"id\":\"task_t\",\"entries\":[{\"at\":\"x\",\"rating\":5}]}".to_owned();
    assert_eq!(check(&blocks, &Allow::turn()), blocked("task.rating"));
}

#[test]
fn a_part_that_is_not_a_heading_and_one_value_is_blocked() {
    for text in ["", "# Task", "# Task\n{}\n# Input\n{}", "# Input\n{}", "# Task\nDear model,"] {
        let mut blocks = whole().blocks;
        blocks[2].text = text.to_owned();
        assert_eq!(check(&blocks, &Allow::turn()), blocked("task"), "{text:?}");
    }
}
