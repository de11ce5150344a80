use serde_json::{Value, json};
use types::{FinishReason, ModelFailureKind, TokenUsage};

use super::*;

fn answer(message: &Value, finish: &Value) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
    })
}

fn of(value: &Value) -> Result<Spoken, Wrong> {
    read(value.to_string().as_bytes())
}

fn refusal(value: &Value) -> Wrong {
    let wrong = of(value).unwrap_err();
    assert_eq!(wrong.kind, ModelFailureKind::InvalidResponse, "{value}: {wrong:?}");
    wrong
}

fn call(id: &Value, name: &Value, arguments: &Value) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

#[test]
fn words_calls_and_usage_are_read() {
    let calls = [
        call(&json!("a"), &json!("one"), &json!("{\"x\": 1}")),
        call(&json!("b"), &json!("two"), &json!("{no JSON")),
        call(&json!("c"), &json!("three"), &json!("")),
    ];
    let message = json!({"role": "assistant", "content": "Hm.", "refusal": null,
        "reasoning_content": "Let me see.", "tool_calls": calls});
    let spoken = of(&answer(&message, &json!("tool_calls"))).unwrap();
    assert_eq!((spoken.text.as_str(), spoken.reasoning.as_deref()), ("Hm.", Some("Let me see.")));
    assert_eq!((spoken.finish, spoken.version.as_deref()), (FinishReason::ToolCalls, Some("m")));
    assert_eq!(spoken.usage, Some(TokenUsage::of(7, 5)));
    let arguments: Vec<_> = spoken.calls.iter().map(|call| call.arguments.clone()).collect();
    assert_eq!(arguments, [Ok(json!({"x": 1})), Err("{no JSON".to_owned()), Ok(json!({}))]);
}

#[test]
fn the_reasons_to_stop_are_a_closed_list() {
    let said = json!({"role": "assistant", "content": "Hello."});
    let known = [
        (vec!["stop", "eos", "eos_token", "end_turn"], FinishReason::Stop),
        (vec!["length", "max_tokens"], FinishReason::Length),
        (vec!["content_filter"], FinishReason::ContentFilter),
    ];
    for (words, finish) in known {
        for word in words {
            assert_eq!(of(&answer(&said, &json!(word))).unwrap().finish, finish, "{word}");
        }
    }
    for word in [json!("bored"), json!(""), json!(null), json!(7)] {
        refusal(&answer(&said, &word));
    }
    let named = |word: &str| refusal(&answer(&said, &json!(word))).message;
    assert!(named("bored_of_it").ends_with("not known: bored_of_it"));
    for telling in ["sk-1234", "the whole story", &"a".repeat(33)] {
        assert!(named(telling).ends_with("not known"), "{}", named(telling));
    }
}

#[test]
fn what_can_be_read_in_one_way_only_is_read() {
    let calls = json!([
        {"type": "", "function": {"name": "one", "arguments": {"x": 1}}},
        call(&json!(""), &json!("two"), &json!(null)),
        {"id": null, "type": "function", "function": {"name": "three"}},
    ]);
    let message =
        json!({"role": "", "content": [{"type": "text", "text": "Hm."}], "tool_calls": calls});
    for finish in ["tool_calls", "function_call", "tool_use", "stop"] {
        let spoken = of(&answer(&message, &json!(finish))).unwrap();
        let calls: Vec<_> = spoken
            .calls
            .into_iter()
            .map(|call| (call.id, call.tool, call.arguments.unwrap()))
            .collect();
        let named = |n: u8, tool: &str, fields| (format!("call_{n}"), tool.to_owned(), fields);
        let expected = [
            named(0, "one", json!({"x": 1})),
            named(1, "two", json!({})),
            named(2, "three", json!({})),
        ];
        assert_eq!((spoken.text.as_str(), &calls[..]), ("Hm.", &expected[..]));
    }
}

#[test]
fn what_a_server_wants_back_is_kept_with_its_calls() {
    let mut add = call(&json!("a"), &json!("add"), &json!("{}"));
    add["extra_content"] = json!({"google": {"thought_signature": "c2lnbmF0dXJl"}});
    let message = json!({"content": null, "reasoning_content": "Hm.", "tool_calls": [add]});
    let kept = of(&answer(&message, &json!("tool_calls"))).unwrap().keepsake;
    let extra = json!({ "a": add["extra_content"] });
    assert_eq!(kept, Some(json!({"reasoning_content": "Hm.", "extra_content": extra})));
}

#[test]
fn an_answer_that_came_in_pieces_all_the_same_is_read() {
    let piece = json!({"choices": [{"delta": {"content": "Hello."}, "finish_reason": "stop"}]});
    for head in ["", ": hello\n\n"] {
        let wire = format!("{head}data: {piece}\n\ndata: [DONE]\n\n");
        assert_eq!(read(wire.as_bytes()).unwrap().text, "Hello.");
    }
}

#[test]
fn what_a_model_thought_is_paid_though_it_is_counted_in_the_whole_alone() {
    let mut said = answer(&json!({"content": "Hello."}), &json!("stop"));
    said["usage"] =
        json!({"prompt_tokens": 10_120, "completion_tokens": 1_499, "total_tokens": 14_428});
    assert_eq!(of(&said).unwrap().usage, Some(TokenUsage::of(10_120, 4_308)));
}

#[test]
fn what_the_contract_does_not_say_is_refused() {
    let said = json!({"role": "assistant", "content": "Hello."});
    let good = answer(&said, &json!("stop"));
    let with = |key: &str, value: Value| {
        let mut changed = good.clone();
        changed[key] = value;
        changed
    };
    let choice = &good["choices"][0];
    refusal(&with("choices", json!(null)));
    refusal(&with("choices", json!([])));
    refusal(&with("choices", json!([choice, choice])));
    refusal(&with("choices", json!("Hello.")));
    refusal(&json!({}));
    refusal(&json!([good]));
    let messages = [
        json!(null),
        json!({"role": "user", "content": "Hello."}),
        json!({"role": "assistant", "content": 7}),
        json!({"role": "assistant", "content": [{"type": "image", "text": "Hello."}]}),
        json!({"role": "assistant", "content": null, "tool_calls": {}}),
        json!({"role": "assistant", "tool_calls": [call(&json!("a"), &json!(""), &json!("{}"))]}),
        json!({"role": "assistant", "tool_calls": [call(&json!("a"), &json!("one"), &json!(["x"]))]}),
        json!({"role": "assistant", "tool_calls": [{"id": "a", "type": "function"}]}),
        json!({"role": "assistant", "tool_calls": [{"id": "a", "type": "custom",
            "function": {"name": "one", "arguments": "{}"}}]}),
    ];
    for message in &messages {
        refusal(&answer(message, &json!("stop")));
    }
    let twice = call(&json!("a"), &json!("one"), &json!("{}"));
    refusal(&answer(&json!({"tool_calls": [twice, twice]}), &json!("tool_calls")));
}

#[test]
fn an_answer_that_was_cut_off_before_it_said_anything_is_none_and_is_paid_all_the_same() {
    for content in [json!(null), json!(""), json!(" \n")] {
        let said = |finish: &str| {
            answer(&json!({"role": "assistant", "content": content}), &json!(finish))
        };
        let cut_off = refusal(&said("length"));
        assert!(cut_off.message.contains("cut off before"), "{}", cut_off.message);
        assert_eq!(cut_off.usage, Some(TokenUsage::of(7, 5)));
        assert_eq!(of(&said("stop")).unwrap().text.trim(), "", "the turn knows what to make of it");
    }
    refusal(&answer(&json!({"content": "Now!", "tool_calls": []}), &json!("tool_calls")));
    let refused = json!({"content": null, "refusal": "I would rather not."});
    assert_eq!(of(&answer(&refused, &json!("stop"))).unwrap().text, "I would rather not.");
}

#[test]
fn usage_that_is_missing_strange_or_half_an_account_is_none_and_fails_nothing() {
    let mut said = answer(&json!({"content": "Hello."}), &json!("stop"));
    said.as_object_mut().unwrap().remove("usage");
    assert_eq!(of(&said).unwrap().usage, None);
    for (told, usage) in [
        (json!(null), None),
        (json!("much"), None),
        (json!({}), None),
        (json!({"prompt_tokens": -1, "completion_tokens": 5}), None),
        (json!({"prompt_tokens": "many", "completion_tokens": 5}), None),
        (json!({"prompt_tokens": 5, "completion_tokens": 1.5}), None),
        (json!({"completion_tokens": 5}), None),
        (json!({"prompt_tokens": 5, "completion_tokens": null}), None),
        (json!({"prompt_tokens": 3, "total_tokens": 1}), Some(TokenUsage::of(3, 0))),
    ] {
        said["usage"] = told;
        assert_eq!(of(&said).unwrap().usage, usage);
    }
}

#[test]
fn what_is_no_json_is_refused_and_not_repeated() {
    for body in
        ["", "<html>hush</html>", "{\"choices\": [hush", "\"hush\"", "{\"choices\": \"hush\"}"]
    {
        let wrong = read(body.as_bytes()).unwrap_err();
        assert_eq!(wrong.kind, ModelFailureKind::InvalidResponse);
        assert!(!wrong.message.contains("hush"), "{}", wrong.message);
    }
}

#[test]
fn an_error_behind_a_good_status_is_an_error() {
    let error = json!({"error": {"message": "too fast", "type": "requests", "code": "rate_limit_exceeded"}});
    assert_eq!(of(&error).unwrap_err().kind, ModelFailureKind::RateLimited);
}

#[test]
fn a_model_that_names_itself_strangely_is_believed_all_the_same() {
    for name in [json!(null), json!(7), json!(""), json!("a\nb"), json!("x".repeat(10_000))] {
        let mut said = answer(&json!({"content": "Hello."}), &json!("stop"));
        said["model"] = name;
        assert_eq!(of(&said).unwrap().version, None);
    }
}
