use model::{Generation, ToolSpec};
use serde_json::{Value, json};
use types::{AgentId, Stability, Trust, Ulid};

use super::*;

const PLAIN: Dialect = Dialect {
    stream: true,
    allowed_tools: false,
    completion_tokens: false,
    schemas: Emission::Relaxed,
};

fn block(kind: BlockKind, text: &str) -> Block {
    let (stability, trust) = (Stability::TurnScoped, Trust::Operator);
    Block { kind, stability, trust, text: text.to_owned(), reason: "a test".to_owned() }
}

fn spec(name: &str) -> ToolSpec {
    let input_schema = json!({"type": "object", "properties": {"z": {}, "a": {}}});
    ToolSpec { name: name.to_owned(), description: format!("Does {name}."), input_schema }
}

fn request() -> Request {
    Request {
        model: "local/org/test-model".parse().unwrap(),
        agent: AgentId::new(Ulid::new(types::At::EPOCH, 1)),
        kind: "task_agent".to_owned(),
        category: None,
        prompt: vec![
            block(BlockKind::Policy, "You are an agent."),
            block(BlockKind::Task, "# Task\n{\"id\":\"task_1\"}"),
            block(BlockKind::Role, "Tend the task."),
            block(BlockKind::Wake, "# This wake\n{}"),
        ],
        said: Vec::new(),
        tools: [spec("one"), spec("two")].into(),
        allowed: None,
        generation: Generation::default(),
    }
}

fn lowered(request: &Request, dialect: Dialect) -> Value {
    serde_json::from_slice(&lower(request, dialect, &Written::default())).unwrap()
}

#[test]
fn what_binds_is_the_system_and_the_rest_is_one_message_in_order() {
    let function = |name: &str| {
        json!({"type": "function", "function": {
            "name": name,
            "description": format!("Does {name}."),
            "parameters": {
                "type": "object",
                "properties": {"z": {}, "a": {}},
                "additionalProperties": false,
            },
            "strict": false,
        }})
    };
    let expected = json!({
        "model": "org/test-model",
        "messages": [
            {"role": "system", "content": "You are an agent.\n\nTend the task."},
            {"role": "user", "content": "# Task\n{\"id\":\"task_1\"}\n\n# This wake\n{}"},
        ],
        "tools": [function("one"), function("two")],
        "max_tokens": 4096,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    assert_eq!(lowered(&request(), PLAIN), expected);
}

#[test]
fn what_was_said_since_follows_in_order() {
    let calls = vec![
        ("call_1".to_owned(), "one".to_owned(), json!({"a": 1})),
        ("call_2".to_owned(), "functions.two ".to_owned(), json!("no {JSON")),
    ];
    let mut request = request();
    request.said = vec![
        Exchange::Said { text: String::new(), calls, keepsake: None },
        Exchange::Answered { call: "call_1".to_owned(), text: "done".to_owned() },
        Exchange::Answered { call: "call_2".to_owned(), text: "no".to_owned() },
        Exchange::Interjected { text: "Wait!".to_owned() },
        Exchange::Said { text: "All right.".to_owned(), calls: Vec::new(), keepsake: None },
        Exchange::Said { text: String::new(), calls: Vec::new(), keepsake: None },
    ];
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let expected = json!([
        {"role": "assistant", "content": null,
         "tool_calls": [call("call_1", "one", "{\"a\":1}"), call("call_2", "functions_two_", "{}")]},
        {"role": "tool", "tool_call_id": "call_1", "content": "done"},
        {"role": "tool", "tool_call_id": "call_2", "content": "no"},
        {"role": "user", "content": "Wait!"},
        {"role": "assistant", "content": "All right."},
        {"role": "assistant", "content": ""},
    ]);
    let lowered = lowered(&request, PLAIN);
    assert_eq!(lowered["messages"].as_array().unwrap()[2..], *expected.as_array().unwrap());
}

#[test]
fn what_a_server_wants_back_goes_back_as_it_came() {
    let call = |id: &str| (id.to_owned(), "one".to_owned(), json!({}));
    let signed = json!({"google": {"thought_signature": "c2lnbmF0dXJl"}});
    let keepsake = json!({"reasoning_content": "Hm.", "extra_content": {"call_2": signed}});
    let mut request = request();
    let calls = vec![call("call_1"), call("call_2")];
    request.said = vec![Exchange::Said { text: String::new(), calls, keepsake: Some(keepsake) }];
    let said = lowered(&request, PLAIN)["messages"][2].take();
    assert_eq!(said["reasoning_content"], "Hm.");
    assert_eq!(said["tool_calls"][0].get("extra_content"), None);
    assert_eq!(said["tool_calls"][1]["extra_content"], signed);
}

#[test]
fn what_may_be_called_is_said_beside_the_tools_where_it_is_understood() {
    let mut request = request();
    request.allowed = Some(vec!["two".to_owned(), "unknown".to_owned()]);
    let plain = lowered(&request, PLAIN);
    assert_eq!(plain["tool_choice"], Value::Null);
    let told = plain["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(told["role"], "user");
    assert!(told["content"].as_str().unwrap().ends_with("all others are refused: two, unknown"));
    let knows = Dialect { allowed_tools: true, ..PLAIN };
    let expected = json!({"type": "allowed_tools", "allowed_tools": {
        "mode": "auto",
        "tools": [{"type": "function", "function": {"name": "two"}}],
    }});
    assert_eq!(lowered(&request, knows)["tool_choice"], expected);
    assert_eq!(lowered(&request, knows)["tools"].as_array().unwrap().len(), 2);
    let messages = |dialect| lowered(&request, dialect)["messages"].as_array().unwrap().len();
    assert_eq!(messages(PLAIN), messages(knows) + 1, "nobody is told twice");
    request.allowed = Some(Vec::new());
    assert_eq!(lowered(&request, PLAIN)["tool_choice"], "none");
    request.tools = [].into();
    let bare = lowered(&request, knows);
    assert_eq!((bare.get("tools"), bare.get("tool_choice")), (None, None));
}

#[test]
fn generation_is_sent_as_far_as_it_is_wanted() {
    let mut request = request();
    request.generation = Generation {
        temperature: Some(0.5),
        top_p: Some(0.25),
        max_output_tokens: 7,
        seed: Some(42),
        prompt_version: Some(3),
    };
    let dialect = Dialect { stream: false, completion_tokens: true, ..PLAIN };
    let lowered = lowered(&request, dialect);
    assert_eq!(lowered["max_completion_tokens"], 7);
    assert_eq!(
        (lowered["temperature"].as_f64(), lowered["top_p"].as_f64()),
        (Some(0.5), Some(0.25))
    );
    assert_eq!((&lowered["seed"], &lowered["stream"]), (&json!(42), &json!(false)));
    assert_eq!((lowered.get("max_tokens"), lowered.get("stream_options")), (None, None));
}

#[test]
fn the_same_request_is_the_same_bytes() {
    let written = Written::default();
    let once = || lower(&request(), PLAIN, &written);
    assert_eq!(once(), once());
}
