use super::*;

/// A day as it comes over the wire; what is not said is empty.
fn day(more: &serde_json::Value) -> DayReply {
    let mut reply = serde_json::json!({
        "day": "2026-11-20", "name": "today", "now": "11:10", "blocks": [], "pinned": [],
        "due": [], "overdue": [], "closed": [], "running": null, "notes": [], "rating": null,
        "time": {
            "from": "2026-11-20", "to": "2026-11-20", "entries": [], "by_task": [],
            "by_category": [], "minutes": 0
        },
        "closed_at": null, "note": ""
    });
    let object = reply.as_object_mut().unwrap();
    object.extend(more.as_object().unwrap().clone());
    serde_json::from_value(reply).unwrap()
}

/// The page as one sees it without colours.
fn seen(page: fn(&DayReply) -> String, day: &DayReply) -> String {
    crate::paint::shown(&page(day), false)
}

fn task(title: &str, due: &str) -> serde_json::Value {
    serde_json::json!({
        "id": format!("task_{title}"), "title": title, "status": "open", "priority": "p2",
        "category": "home", "labels": [], "due": due, "estimate_minutes": null, "language": null,
        "revision": 1, "created_at": "2026-11-01T00:00:00Z", "updated_at": "2026-11-01T00:00:00Z",
        "closed_at": null, "items": [], "checklists": [], "relations": [], "due_words": null,
        "overdue": false, "estimate_words": null, "items_done": 0, "items_all": 0
    })
}

fn time(title: &str) -> serde_json::Value {
    serde_json::json!({
        "id": "time_0aaaaaa", "task": "task_1", "title": title, "category": "home",
        "description": "", "started_at": "2026-11-20T10:00:00Z", "ended_at": null,
        "day": "2026-11-20", "day_name": "today", "from": "10:28", "to": null, "minutes": 42, "running": true,
        "source_entry": null
    })
}

fn block(from: &str, to: &str, category: &str) -> serde_json::Value {
    serde_json::json!({
        "id": "block_0bbbbbb", "category": category, "from": from, "to": to, "note": "Mail",
        "starts_at": "2026-11-20T00:00:00Z", "ends_at": "2026-11-20T01:00:00Z", "task": null,
        "title": null, "current": from == "11:00", "free_after": (from == "09:00").then_some(90)
    })
}

#[test]
fn an_empty_day_says_so_in_one_line() {
    let text = seen(today, &day(&serde_json::json!({})));
    let said = "nothing is planned or due, and nothing was done yet; `dormouse task list` shows what is open";
    assert_eq!(text, format!("Friday 20 November 2026, 11:10\n\n  {said}\n"));
}

#[test]
fn a_full_day_fits_on_a_screen() {
    let pin = serde_json::json!({
        "task": "task_0pppppp", "title": "Send the report", "category": "work",
        "status": "in_progress", "due": "2026-11-20T17:00"
    });
    let full = day(&serde_json::json!({
        "blocks": [block("09:00", "09:30", "work"), block("11:00", "12:00", "garden")],
        "pinned": [pin],
        "overdue": [task("Rent", "2026-11-16")],
        "due": [task("Call Ada", "2026-11-20T15:00")],
        "closed": [task("Milk", "2026-11-20"), task("Bread", "2026-11-20")],
        "running": time("Water the ferns"),
        "time": {
            "from": "2026-11-20", "to": "2026-11-20", "entries": [time("Water the ferns")],
            "by_task": [], "by_category": [{ "id": "home", "name": "home", "minutes": 90 }],
            "minutes": 90
        },
        "notes": [{
            "id": "entry_0nnnnnn", "kind": "text", "clock": "08:12", "line": "Slept well",
            "category": "home"
        }],
        "rating": {
            "id": "rating_1", "target": "plan_2026-11-20", "score": 4, "dimensions": { "focus": 5 },
            "note": "calm", "day": "2026-11-20"
        }
    }));
    let expected = "\
Friday 20 November 2026, 11:10

  running   Water the ferns for 42m, since 10:28  aaaaaa

  plan      09:00-09:30  work    Mail
                         (1h 30m free)
          > 11:00-12:00  garden  Mail

  pinned    [ ] Send the report (work, in progress, due 17:00)  pppppp

  due     ! Rent (home, Mon 16 Nov)  Rent
            Call Ada (home, 15:00)   ll Ada

  done      Milk, Bread
  time      1h 30m: home 1h 30m
  notes     08:12  Slept well  nnnnnn
  rating    4/5 (focus 5): calm
";
    assert_eq!(seen(today, &full), expected);
}

#[test]
fn a_plan_names_its_blocks_and_says_when_it_is_closed() {
    let text = seen(
        plan,
        &day(&serde_json::json!({
            "blocks": [block("09:00", "09:30", "work")], "closed_at": "2026-11-20T20:00:00Z",
            "note": "Enough", "due": (0..9).map(|n| task(&format!("t{n}"), "2026-11-20")).collect::<Vec<_>>()
        })),
    );
    assert!(text.contains("09:00-09:30  work  Mail  bbbbbb\n"), "{text}");
    assert!(text.contains("and more: `dormouse task list --due-by 2026-11-20`\n"), "{text}");
    assert!(text.ends_with("\n  day       closed: Enough\n"), "{text}");
}

#[test]
fn a_title_like_a_book_does_not_push_the_ids_off_the_screen() {
    let text = seen(
        today,
        &day(&serde_json::json!({
            "due": [task(&"long ".repeat(200), "2026-11-20"), task("short", "2026-11-20")],
            "blocks": [block("09:00", "09:30", "庭"), block("11:00", "12:00", "work")],
        })),
    );
    assert!(text.lines().all(|line| crate::paint::width(line) < 100), "{text}");
    assert!(text.contains("09:00-09:30  庭    Mail\n"), "{text}");
}
