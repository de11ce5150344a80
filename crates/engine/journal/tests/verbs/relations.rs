//! Relations between tasks.

use serde_json::{Map, Value, json};
use types::{Code, LinkDraft, Relation, Write, limits};

use crate::desk::Desk;

fn related(from: &str, relation: &str, to: &str) -> Value {
    json!({ "fromTaskId": from, "relation": relation, "toTaskId": to })
}

#[test]
fn a_relation_reads_the_same_from_both_sides() {
    let desk = Desk::new();
    let (soil, ferns) = (desk.task("soil", "home"), desk.task("ferns", "home"));
    for (relation, there, back) in [
        ("blocks", "blocks", "blocked_by"),
        ("parent_of", "parent_of", "part_of"),
        ("followed_by", "followed_by", "follows"),
        ("relates_to", "relates_to", "relates_to"),
    ] {
        let made = desk.operation("relate_tasks", related(&soil, relation, &ferns));
        assert_eq!(desk.relations(&soil), [(there.to_owned(), "ferns".to_owned())]);
        assert_eq!(desk.relations(&ferns), [(back.to_owned(), "soil".to_owned())]);
        let again = desk.ask("relate_tasks", related(&soil, relation, &ferns)).unwrap();
        assert_eq!(again.operation, None, "it is so already");
        desk.undo(made).unwrap();
        assert!(desk.relations(&soil).is_empty() && desk.relations(&ferns).is_empty());
    }
}

#[test]
fn a_relation_that_was_made_anew_outlives_the_undoing_of_the_first() {
    let desk = Desk::new();
    let (soil, ferns) = (desk.task("soil", "home"), desk.task("ferns", "home"));
    let blocks = || related(&soil, "blocks", &ferns);
    let first = desk.operation("relate_tasks", blocks());
    desk.done("set_task_title", json!({ "taskId": soil, "title": "turf" }));
    desk.undo(first).unwrap();
    let undone = desk.undo(first).unwrap_err();
    assert!(undone.message.contains("undone already"), "{}", undone.message);
    let second = desk.operation("relate_tasks", blocks());
    desk.done("unrelate_tasks", blocks());
    desk.done("relate_tasks", blocks());
    let problem = desk.undo(second).unwrap_err();
    assert_eq!(problem.code, Code::CannotUndo);
    assert!(problem.message.contains("relate_tasks"), "{}", problem.message);
    assert_eq!(desk.relations(&soil).len(), 1, "it is somebody else's by now");
}

#[test]
fn what_has_no_direction_is_there_once_and_taken_away_from_either_side() {
    let desk = Desk::new();
    let (soil, ferns) = (desk.task("soil", "home"), desk.task("ferns", "work"));
    desk.done("relate_tasks", related(&soil, "relates_to", &ferns));
    let back = desk.ask("relate_tasks", related(&ferns, "relates_to", &soil)).unwrap();
    assert_eq!(back.operation, None);
    let gone = desk.operation("unrelate_tasks", related(&ferns, "relates_to", &soil));
    assert!(desk.relations(&soil).is_empty());
    desk.undo(gone).unwrap();
    assert_eq!(desk.relations(&ferns).len(), 1);
    let nothing = desk.ask("unrelate_tasks", related(&soil, "blocks", &ferns)).unwrap();
    assert_eq!(nothing.operation, None);
}

#[test]
fn a_task_does_not_come_before_itself_by_however_many_steps() {
    let desk = Desk::new();
    let tasks = ["a", "b", "c", "d"].map(|title| desk.task(title, "home"));
    for relation in ["blocks", "parent_of", "followed_by"] {
        let refused = |from: usize, to: usize| {
            desk.refused("relate_tasks", related(&tasks[from], relation, &tasks[to]))
        };
        assert_eq!(refused(0, 0), Code::CircularRelation);
        for (from, to) in [(0, 1), (1, 2), (2, 3)] {
            desk.done("relate_tasks", related(&tasks[from], relation, &tasks[to]));
        }
        assert_eq!(refused(3, 0), Code::CircularRelation);
        let circle = desk.ask("relate_tasks", related(&tasks[3], relation, &tasks[0])).unwrap_err();
        let said = format!("\"a\" ({}) comes before \"d\" ({}) already", tasks[0], tasks[3]);
        assert_eq!(circle.message, said);
        assert_eq!(refused(1, 0), Code::CircularRelation);
        // Another way to the same place is no circle.
        desk.done("relate_tasks", related(&tasks[0], relation, &tasks[3]));
    }
    let own = related(&tasks[0], "relates_to", &tasks[0]);
    assert_eq!(desk.refused("relate_tasks", own), Code::CircularRelation);
    let unknown = related(&tasks[0], "likes", &tasks[1]);
    assert_eq!(desk.refused("relate_tasks", unknown), Code::WrongUsage);
}

#[test]
fn a_chain_that_is_longer_than_anybody_can_follow_is_taken_for_a_circle() {
    let desk = Desk::new();
    let depth = limits::RELATION_DEPTH_MAX;
    desk.errands(depth + 2);
    let task = |n: usize| format!("task_zz{n:05}");
    desk.put((0..depth).map(|n| {
        Write::Link(LinkDraft {
            id: format!("link_{n}").parse().unwrap(),
            from: task(n).parse().unwrap(),
            to: task(n + 1).parse().unwrap(),
            relation: Relation::Blocks,
            hidden: false,
            body: Map::new(),
            deleted: false,
        })
    }));
    let last = related(&task(depth), "blocks", &task(depth + 1));
    assert_eq!(desk.refused("relate_tasks", last), Code::CircularRelation);
    let one_less = related(&task(depth - 1), "blocks", &task(depth + 1));
    desk.done("relate_tasks", one_less);
}

#[test]
fn a_removed_task_takes_its_relations_along_and_brings_them_back() {
    let desk = Desk::new();
    let (soil, ferns) = (desk.task("soil", "home"), desk.task("ferns", "home"));
    desk.done("relate_tasks", related(&soil, "blocks", &ferns));
    let gone = desk.operation("remove_task", json!({ "taskId": soil }));
    assert!(desk.relations(&ferns).is_empty());
    desk.undo(gone).unwrap();
    assert_eq!(desk.relations(&ferns), [("blocked_by".to_owned(), "soil".to_owned())]);
}

#[test]
fn a_relation_to_a_task_that_is_gone_does_not_come_back() {
    let desk = Desk::new();
    let (ferns, moss) = (desk.task("ferns", "home"), desk.task("moss", "home"));
    desk.done("relate_tasks", related(&ferns, "blocks", &moss));
    let first = desk.operation("remove_task", json!({ "taskId": ferns }));
    let then = desk.operation("remove_task", json!({ "taskId": moss }));
    assert_eq!(desk.undo(first).unwrap_err().code, Code::CannotUndo);
    desk.undo(then).unwrap();
    desk.undo(first).unwrap();
    assert_eq!(desk.relations(&moss), [("blocked_by".to_owned(), "ferns".to_owned())]);
}

#[test]
fn a_relation_is_undone_after_it_went_and_came_back() {
    let desk = Desk::new();
    let (soil, ferns) = (desk.task("soil", "home"), desk.task("ferns", "home"));
    let made = desk.operation("relate_tasks", related(&soil, "blocks", &ferns));
    let gone = desk.operation("remove_task", json!({ "taskId": soil }));
    desk.undo(gone).unwrap();
    let undone = desk.undo(made).unwrap().operation.unwrap();
    assert!(desk.relations(&ferns).is_empty());
    desk.undo(undone).unwrap();
    assert_eq!(desk.relations(&ferns).len(), 1);
    desk.undo(made).unwrap();
    assert!(desk.relations(&ferns).is_empty());
}

#[test]
fn a_relation_that_was_made_anew_is_not_brought_back() {
    let desk = Desk::new();
    let (soil, ferns) = (desk.task("soil", "home"), desk.task("ferns", "home"));
    desk.done("relate_tasks", related(&soil, "blocks", &ferns));
    let apart = desk.operation("unrelate_tasks", related(&soil, "blocks", &ferns));
    let again = desk.operation("relate_tasks", related(&soil, "blocks", &ferns));
    assert_eq!(desk.undo(apart).unwrap_err().code, Code::CannotUndo);
    desk.undo(again).unwrap();
    desk.undo(apart).unwrap();
    assert_eq!(desk.relations(&ferns).len(), 1);
}

#[test]
fn undoing_makes_no_circle() {
    let desk = Desk::new();
    let [one, two, three] = ["one", "two", "three"].map(|title| desk.task(title, "home"));
    desk.done("relate_tasks", related(&one, "blocks", &two));
    desk.done("relate_tasks", related(&two, "blocks", &three));
    // Both relations of the task in the middle come back at once.
    let removed = desk.operation("remove_task", json!({ "taskId": two }));
    let circle = desk.operation("relate_tasks", related(&three, "blocks", &one));
    assert_eq!(desk.undo(removed).unwrap_err().code, Code::CircularRelation);
    desk.undo(circle).unwrap();
    desk.undo(removed).unwrap();
    let apart = desk.operation("unrelate_tasks", related(&one, "blocks", &two));
    desk.done("relate_tasks", related(&three, "blocks", &one));
    assert_eq!(desk.undo(apart).unwrap_err().code, Code::CircularRelation);
}

#[test]
fn a_follow_up_stays_while_another_relation_leads_to_it() {
    let desk = Desk::new();
    let source = desk.task("ferns", "home");
    let follow = json!({
        "sourceTaskId": source, "newTaskTitle": "moss",
        "carryOverOpenChecklistItems": false, "preserveCategoryAndLabels": true,
    });
    let made = desk.ask("create_follow_up_task", follow).unwrap();
    let next = made.answer["id"].as_str().unwrap().to_owned();
    let related = desk.operation("relate_tasks", related(&source, "blocks", &next));
    assert_eq!(desk.undo(made.operation.unwrap()).unwrap_err().code, Code::CannotUndo);
    desk.undo(related).unwrap();
    desk.undo(made.operation.unwrap()).unwrap();
    assert!(desk.relations(&source).is_empty());
}
