use serde_json::json;
use types::VectorClock;

use super::*;

fn receipt(result: Result<Success, Failure>) -> Receipt {
    Receipt {
        tool_action_id: "invocation_1".parse().unwrap(),
        tool_name: "set_title".to_owned(),
        operation_id: Some(OperationId(types::Digest::ZERO)),
        repeated: false,
        preview: false,
        result,
        told: None,
        open: None,
    }
}

fn changed(count: usize) -> Vec<ChangedRecord> {
    let one = |n: usize| ChangedRecord {
        id: format!("task_{n}").parse().unwrap(),
        clock: VectorClock::new(),
    };
    (0..count).map(one).collect()
}

fn success(payload: Value) -> Receipt {
    let changed_tokens = vec![Token::semantic("TASK").unwrap()];
    receipt(Ok(Success { changed: changed(1), changed_tokens, payload }))
}

fn failed(details: Option<Value>) -> Receipt {
    let failure = Failure::of(Code::UnknownTask, "there is no task_x", "look at the list");
    receipt(Err(Failure { details, ..failure }))
}

#[test]
fn the_whole_receipt_has_the_fields_of_a_tool_result() {
    let whole = success(json!({ "title": "ferns" })).to_json();
    let expected = json!({
        "success": true,
        "toolActionId": "invocation_1",
        "toolName": "set_title",
        "operationId": "0".repeat(64),
        "repeated": false,
        "preview": false,
        "changedEntityIds": ["task_0"],
        "changedTokens": ["semanticKey|-|TASK"],
        "payload": { "title": "ferns" },
    });
    assert_eq!(whole, expected);
    let whole = failed(Some(json!({ "field": "task" }))).to_json();
    assert_eq!(whole["success"], false);
    assert_eq!(whole["errorCode"], "unknown_task");
    assert_eq!(whole["errorMessage"], "there is no task_x");
    let error = json!({
        "kind": "unknown_task",
        "message": "there is no task_x",
        "details": { "field": "task" },
        "recovery_hint": "look at the list",
        "retryable": false,
    });
    assert_eq!(whole["error"], error);
}

#[test]
fn a_receipt_reads_back_as_it_was() {
    let receipts = [
        success(json!({ "title": "ferns" })),
        failed(None),
        failed(Some(json!({ "field": "task" }))),
        Receipt { repeated: true, preview: true, operation_id: None, ..success(json!(null)) },
        Receipt { told: Some(Label::untrusted()), ..success(json!(["ferns"])) },
    ];
    for one in receipts {
        let changed = one.result.as_ref().map_or_else(|_| vec![], |ok| ok.changed.clone());
        let back = Receipt::from_json(&one.to_json(), one.tool_action_id.clone(), changed);
        assert_eq!(back, Some(one));
    }
    let mut json = success(json!(null)).to_json();
    json["told"] = json!("somebody nice");
    let back = Receipt::from_json(&json, "invocation_1".parse().unwrap(), vec![]);
    assert_eq!(back.unwrap().told, Some(Label::untrusted()), "who cannot be read is not trusted");
    let none = Receipt::from_json(&json!({}), "invocation_1".parse().unwrap(), vec![]);
    assert_eq!(none, None);
}

#[test]
fn a_model_sees_one_shape_for_good_and_bad() {
    assert_eq!(
        success(json!({ "title": "ferns" })).model_text(),
        r#"{"changed":["task_0"],"ok":true,"payload":{"title":"ferns"},"tool_name":"set_title"}"#
    );
    assert_eq!(
        Receipt { repeated: true, ..success(json!(1)) }.model_text(),
        r#"{"changed":["task_0"],"ok":true,"payload":1,"repeated":true,"tool_name":"set_title"}"#
    );
    assert_eq!(
        failed(Some(json!({ "field": "task" }))).model_text(),
        concat!(
            r#"{"details":{"field":"task"},"field":"task","hint":"look at the list","#,
            r#""kind":"unknown_task","message":"there is no task_x","ok":false,"#,
            r#""retryable":false,"tool_name":"set_title"}"#
        )
    );
}

#[test]
fn what_a_model_sees_is_bounded_however_much_there_is() {
    let shown: Value =
        serde_json::from_str(&success(json!("x".repeat(100_000))).model_text()).unwrap();
    assert_eq!(shown["payload"]["bytes"], 100_002);
    assert_eq!(shown["payload"]["digest"].as_str().unwrap().len(), 64);
    assert!(shown["payload"]["preview"].as_str().unwrap().starts_with("\"xxx"));

    let details = json!({ "field": "f".repeat(5_000), "blob": "y".repeat(50_000) });
    let shown: Value = serde_json::from_str(&failed(Some(details)).model_text()).unwrap();
    assert_eq!(shown["details"]["bytes"], 55_022);
    assert!(shown["field"].as_str().unwrap().len() <= limits::NAME_BYTES_MAX);

    let many = receipt(Ok(Success { changed: changed(3_000), ..Success::default() }));
    let shown: Value = serde_json::from_str(&many.model_text()).unwrap();
    assert_eq!(shown["changed"].as_array().unwrap().len(), limits::TOOL_CHANGED_IDS_MAX);
    assert_eq!(shown["changed_count"], 3_000);

    let long = "m".repeat(1_000_000);
    let failure = Failure {
        details: Some(json!({ "field": long, "more": [long, long] })),
        ..Failure::of(Code::StoreIo, long.clone(), long.clone())
    };
    assert!(receipt(Err(failure)).model_text().len() < 5_000);
    let payload = json!({ "all": long });
    let most = receipt(Ok(Success { changed: changed(3_000), payload, ..Success::default() }));
    assert!(most.model_text().len() < 40_000);
    let full = success(json!("x".repeat(31_998)));
    assert!(full.model_text().len() < 32_500);
}

#[test]
fn a_model_sees_8000_tokens_of_an_answer_or_as_many_as_it_is_told_and_never_more_than_64000() {
    let long = success(json!({ "text": "\"ü\" ".repeat(300_000) }));
    let shown = |tokens: u64| {
        let text = long.model_text_within(tokens);
        assert!(
            text.len() <= 4 * usize::try_from(tokens).unwrap() + 200,
            "{tokens}: {}",
            text.len()
        );
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            value["payload"]["bytes"],
            long.result.as_ref().unwrap().payload.to_string().len()
        );
        text.len()
    };
    assert!(shown(8_000) > 28_000, "what fits is shown");
    assert_eq!(long.model_text().len(), shown(8_000));
    assert!(shown(100) < shown(1_000));
    assert_eq!(long.model_text_within(1_000_000).len(), shown(64_000));
    let short = success(json!("short"));
    assert_eq!(short.model_text_within(8_000), short.model_text_within(64_000));
}
