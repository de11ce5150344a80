//! Whatever a prompt holds, there is an answer.

use model::Exchange;
use proptest::prelude::*;
use serde_json::{Value, json};
use types::{BlockKind, Trust};

use crate::given::{Given, task};

const KINDS: [BlockKind; 8] = [
    BlockKind::Task,
    BlockKind::Linked,
    BlockKind::Report,
    BlockKind::Observations,
    BlockKind::History,
    BlockKind::Delta,
    BlockKind::Wake,
    BlockKind::Input,
];

/// A value in which the names that matter stand in wrong places too.
fn anything() -> impl Strategy<Value = Value> {
    let names = prop::sample::select(vec![
        "id",
        "title",
        "status",
        "due",
        "items",
        "checked",
        "checklists",
        "entries",
        "text",
        "at",
        "did",
        "fields",
        "record",
        "kind",
        "now",
        "authority",
        "content",
        "written_at",
        "left_out",
        "estimate_minutes",
        "time_spent_minutes",
        "relation",
        "direction",
        "latestTaskAgentReport",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,40}".prop_map(Value::from),
        prop::sample::select(vec![
            "task_garden",
            "item_milk",
            "made",
            "changed",
            "removed",
            "TASK",
            "CHECKLIST_ITEM",
            "2026-11-15",
            "2026-11-15T09:00:00.000Z",
            "blocks",
            "from",
            "title",
            "operator_instruction"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(names.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn words() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "add",
        "add items:",
        "check off",
        "is done",
        "uncheck",
        "rename",
        "to",
        "set priority",
        "p1",
        "due",
        "2026-12-01",
        "estimate",
        "2h",
        "1.",
        "999999999999999999999h",
        "note:",
        "what is",
        "open",
        "?",
        "\"",
        "“",
        "”",
        "and",
        ",",
        ";",
        "\n",
        "- ",
        "the",
        "mark",
        "as",
        "İ",
        "ß",
        "füge",
        "hinzu",
        "to the list",
        "then",
        "ǅ",
        "\u{202e}",
    ]);
    let word = prop_oneof![known.prop_map(str::to_owned), "\\PC{0,8}"];
    prop::collection::vec(word, 0..10).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn no_prompt_is_too_broken_to_be_answered(
        bodies in prop::collection::vec((0..KINDS.len(), anything(), any::<bool>()), 0..8),
        plain in "\\PC{0,60}",
    ) {
        let mut given = Given::wake();
        for (kind, body, headed) in bodies {
            let text = if headed { format!("# Heading\n{body}") } else { body.to_string() };
            given = given.block(KINDS[kind], Trust::Operator, text);
        }
        given = given.block(BlockKind::Role, Trust::Runtime, plain);
        given.ask();
    }

    #[test]
    fn a_task_with_one_broken_field_is_still_answered(body in anything(), place in 0..12_usize) {
        let mut task = task();
        let names: Vec<String> = task.as_object().unwrap().keys().cloned().collect();
        task[&names[place % names.len()]] = body;
        Given::wake().task(&task).ask();
    }

    #[test]
    fn whatever_the_operator_says_has_an_answer(said in words(), thrown_in in words()) {
        let given = Given::prompt(&said);
        let first = given.ask();
        let answers = vec![json!({ "ok": true, "payload": { "items": [7] } }); first.calls.len()];
        given.then(&first, &answers).interjected(&thrown_in).ask();
    }

    #[test]
    fn whatever_was_said_before_has_an_answer(call in "scribe-[0-9]", text in "\\PC{0,40}", json in anything()) {
        let mut given = Given::prompt("add rake");
        let calls = vec![(call.clone(), text.clone(), json.clone())];
        given.0.said = vec![
            Exchange::Answered { call: call.clone(), text: json.to_string() },
            Exchange::Said { text: text.clone(), calls, keepsake: None },
            Exchange::Answered { call, text: json.to_string() },
        ];
        given.ask();
    }
}
