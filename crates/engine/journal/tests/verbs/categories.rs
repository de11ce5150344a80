//! Categories.

use serde_json::json;
use types::{Body, Category, Code};

use crate::desk::Desk;

#[test]
fn a_category_is_renamed_and_recoloured_and_put_back() {
    let desk = Desk::new();
    let colour = json!({ "categoryId": "home", "colour": "#2f7d4f" });
    desk.done("edit_category", colour);
    let renaming = json!({ "categoryId": "home", "name": " House ", "colour": null });
    let renamed = desk.operation("edit_category", renaming);
    assert_eq!(desk.body("category_home"), Some(Body::Category(Category::named("House"))));
    desk.undo(renamed).unwrap();
    let colour = Some("#2f7d4f".to_owned());
    let was = Category { name: "home".to_owned(), colour };
    assert_eq!(desk.body("category_home"), Some(Body::Category(was)));
}

#[test]
fn a_name_that_another_category_has_and_a_colour_that_is_none_are_refused() {
    let desk = Desk::new();
    let taken = json!({ "categoryId": "home", "name": "WORK" });
    assert_eq!(desk.refused("edit_category", taken), Code::NameTaken);
    let odd = json!({ "categoryId": "home", "colour": "green" });
    assert_eq!(desk.refused("edit_category", odd), Code::InvalidRecord);
    assert_eq!(
        desk.refused("remove_category", json!({ "categoryId": "gym" })),
        Code::UnknownCategory
    );
}

#[test]
fn a_category_goes_only_when_nothing_lies_in_it() {
    let desk = Desk::new();
    let remove = || desk.refused("remove_category", json!({ "categoryId": "home" }));
    let task = desk.task("ferns", "home");
    assert_eq!(remove(), Code::NotEmpty);
    desk.done("update_task_fields", json!({ "taskId": task, "status": "done" }));
    assert_eq!(remove(), Code::NotEmpty);
    // The task moves on, and the note about it goes along; the other one stays.
    desk.note(json!({ "text": "moss", "taskId": task }));
    let note = desk.note(json!({ "text": "ivy", "categoryId": "home" }));
    desk.done("update_task_fields", json!({ "taskId": task, "categoryId": "work" }));
    assert_eq!(remove(), Code::NotEmpty);
    desk.done("remove_entry", json!({ "entryId": note }));
    desk.done("add_label", json!({ "name": "plants", "categoryId": "home" }));
    let problem = desk.ask("remove_category", json!({ "categoryId": "home" })).unwrap_err();
    assert_eq!(problem.message, "in \"home\" there are still 1 label");
    desk.done("remove_label", json!({ "labelId": "plants" }));
    let removal = desk.operation("remove_category", json!({ "categoryId": "home" }));
    assert!(desk.body("category_home").is_none());
    desk.undo(removal).unwrap();
    assert!(desk.body("category_home").is_some());
}
