use proptest::prelude::*;
use serde_json::json;
use types::{FinishReason, ModelFailureKind, TokenUsage};

use super::*;

/// Everything that makes streams hard, in one: all line ends, comments, data over two lines, a text of
/// many bytes, calls by index, what was spent in a piece without choices.
const HARD: &str = concat!(
    ": processing\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Grüße 🐭\"},\"finish_reason\":null}]}\r\n\r\n",
    "event: message\rid: 7\rdata: {\"choices\":\rdata: [{\"index\":0,\"delta\":{\"content\":\", Ümit\"}}]}\r\r",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\",",
    "\"function\":{\"name\":\"one\",\"arguments\":\"\"}}]}}]}\n\n",
    "data:{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"x\\\":\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",",
    "\"function\":{\"name\":\"two\",\"arguments\":\"{bad\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"é\\\"}\"}}]}}]}\n\n",
    "data:\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}],\"usage\":null}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5,\"total_tokens\":12}}\n\n",
    "data: [DONE]\n\n",
);

/// Reads pieces as they come.
fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Result<Spoken, Wrong>, Vec<Piece>) {
    let (mut stream, mut heard) = (Stream::default(), Vec::new());
    for piece in pieces {
        match stream.feed(piece) {
            Ok(pieces) => heard.extend(pieces),
            Err(wrong) => return (Err(wrong), heard),
        }
    }
    (stream.end(), heard)
}

fn wire(chunks: &[serde_json::Value]) -> String {
    let events = chunks.iter().map(|chunk| match chunk {
        serde_json::Value::String(raw) => format!("data: {raw}\n\n"),
        chunk => format!("data: {chunk}\n\n"),
    });
    events.collect()
}

fn delta(delta: &serde_json::Value) -> serde_json::Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn stop(reason: &str) -> serde_json::Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn outcome(chunks: &[serde_json::Value]) -> Result<Spoken, Wrong> {
    read([wire(chunks).as_bytes()]).0
}

fn refused(chunks: &[serde_json::Value]) {
    let wrong = outcome(chunks).unwrap_err();
    assert_eq!(wrong.kind, ModelFailureKind::InvalidResponse, "{chunks:?}: {wrong:?}");
}

#[test]
fn a_hard_stream_is_read_whole_and_heard_in_order() {
    let (spoken, heard) = read([HARD.as_bytes()]);
    let spoken = spoken.unwrap();
    assert_eq!(spoken.text, "Grüße 🐭, Ümit");
    assert_eq!(spoken.finish, FinishReason::ToolCalls);
    assert_eq!(spoken.usage, Some(TokenUsage::of(7, 5)));
    let calls: Vec<_> = spoken.calls.iter().map(|call| (&*call.id, &*call.tool)).collect();
    assert_eq!(calls, [("a", "one"), ("b", "two")]);
    assert_eq!(spoken.calls[0].arguments, Ok(json!({"x": "é"})));
    assert_eq!(spoken.calls[1].arguments, Err("{bad".to_owned()));
    let expected = [
        Piece::Text("Grüße 🐭".to_owned()),
        Piece::Text(", Ümit".to_owned()),
        Piece::Call("one".to_owned()),
        Piece::Call("two".to_owned()),
    ];
    assert_eq!(heard, expected);
}

#[test]
fn cut_at_any_one_place_it_reads_the_same() {
    let whole = read([HARD.as_bytes()]);
    for at in 0..=HARD.len() {
        let (left, right) = HARD.as_bytes().split_at(at);
        assert_eq!(read([left, right]), whole, "cut at {at}");
    }
    assert_eq!(read(HARD.as_bytes().chunks(1)), whole);
}

#[test]
fn ended_before_it_says_why_it_stops_it_is_broken_and_after_that_it_is_whole() {
    let says_why = HARD.find("\"usage\":null}\n\n").unwrap() + "\"usage\":null}\n\n".len();
    let done = HARD.rfind("[DONE]").unwrap() + "[DONE]".len();
    let whole = read([HARD.as_bytes()]).0.unwrap();
    for at in 0..says_why {
        let wrong = read([&HARD.as_bytes()[..at]]).0.unwrap_err();
        assert_eq!(wrong.kind, ModelFailureKind::Broken, "ended at {at}");
    }
    for at in says_why..done {
        let spoken = read([&HARD.as_bytes()[..at]]).0.unwrap();
        assert_eq!(Spoken { usage: whole.usage, ..spoken }, whole, "ended at {at}");
    }
    assert!(read([&HARD.as_bytes()[..done]]).0.is_ok());
}

proptest! {
    #[test]
    fn any_cutting_of_any_stream_gives_the_same_answer(
        mut cuts in prop::collection::vec(0..HARD.len(), 0..40),
        garble in prop::option::of((0..HARD.len(), any::<u8>())),
    ) {
        let mut wire = HARD.as_bytes().to_vec();
        if let Some((at, byte)) = garble {
            wire[at] = byte;
        }
        cuts.extend([0, wire.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|cut| &wire[cut[0]..cut[1]]);
        let (one, other) = (read(pieces), read([wire.as_slice()]));
        prop_assert_eq!(&one.0, &other.0);
        // What was heard before a fault depends on what had come; what counts does not.
        if one.0.is_ok() {
            prop_assert_eq!(one.1, other.1);
        }
    }
}

/// Streams of calls and what comes of them: ids, tools and arguments.
fn called(pieces: &[serde_json::Value]) -> Vec<(String, String, serde_json::Value)> {
    let pieces = pieces.iter().map(|calls| delta(&json!({ "tool_calls": calls })));
    let all: Vec<_> = pieces.chain([stop("stop"), json!("[DONE]")]).collect();
    let calls = outcome(&all).unwrap_or_else(|wrong| panic!("{all:?}: {wrong:?}")).calls;
    calls.into_iter().map(|call| (call.id, call.tool, call.arguments.unwrap())).collect()
}

#[test]
fn calls_are_told_apart_as_far_as_a_server_lets_them() {
    let add = |n: u64| json!({"name": "add", "arguments": json!({ "n": n }).to_string()});
    let two = |first: &str, second: &str| {
        let call = |id: &str, n: u64| (id.to_owned(), "add".to_owned(), json!({ "n": n }));
        vec![call(first, 1), call(second, 2)]
    };
    // Whole calls without an index, as Gemini sends them: in one piece, in two, and without ids.
    let (a, b) = (json!({"id": "a", "function": add(1)}), json!({"id": "b", "function": add(2)}));
    assert_eq!(called(&[json!([a, b])]), two("a", "b"));
    assert_eq!(called(&[json!([a]), json!([b])]), two("a", "b"));
    let (a, b) =
        (json!({"id": "", "function": add(1)}), json!({"index": null, "function": add(2)}));
    assert_eq!(called(&[json!([a]), json!([b])]), two("call_0", "call_1"));
    // One index for all of them, as Ollama has it.
    let (a, b) = (
        json!({"index": 0, "id": "a", "type": "", "function": add(1)}),
        json!({"index": 0, "id": "b", "function": add(2)}),
    );
    assert_eq!(called(&[json!([a]), json!([b])]), two("a", "b"));
    // An id that is there is not given to another call.
    let (a, b) = (json!({"id": "call_1", "function": add(1)}), json!({"function": add(2)}));
    assert_eq!(called(&[json!([a]), json!([b])]), two("call_1", "call_129"));
    // Arguments in pieces go on with the call that was begun last.
    let first = json!({"id": "a", "function": {"name": "add", "arguments": "{\"n\""}});
    let rest = json!({"function": {"arguments": ": 1}"}});
    assert_eq!(called(&[json!([first]), json!([rest])]), two("a", "b")[..1]);
    // An object instead of its text, nothing, and a call that is said again.
    let object = json!({"index": 0, "id": "a", "function": {"name": "add", "arguments": {"n": 1}}});
    let again = json!({"index": 0, "id": "a", "function": {"name": "add", "arguments": ""}});
    assert_eq!(called(&[json!([object]), json!([again])]), two("a", "b")[..1]);
    let bare = json!({"index": 0, "id": "a", "function": {"name": "add", "arguments": null}});
    assert_eq!(called(&[json!([bare])]), [("a".to_owned(), "add".to_owned(), json!({}))]);
}

#[test]
fn calls_without_a_name_and_with_two_are_refused() {
    let call = |call: serde_json::Value| delta(&json!({ "tool_calls": [call] }));
    let end = [stop("tool_calls"), json!("[DONE]")];
    let with = |pieces: &[serde_json::Value]| [pieces, &end].concat();
    let function = json!({"name": "one", "arguments": "{}"});
    refused(&with(&[call(json!({"index": 0, "id": "a", "function": {"arguments": "{}"}}))]));
    refused(&with(&[call(
        json!({"index": 0, "id": "a", "function": {"name": "one", "arguments": 7}}),
    )]));
    refused(&with(&[call(json!({"index": 0, "id": "a", "type": "custom", "function": function}))]));
    let first = call(json!({"index": 0, "id": "a", "function": function}));
    refused(&with(&[first.clone(), call(json!({"index": 0, "id": "b"}))]));
    refused(&with(&[first.clone(), call(json!({"index": 0, "function": {"name": "two"}}))]));
    refused(&with(&[first.clone(), call(json!({"index": 1, "id": "a", "function": function}))]));
    let many = (0..=CALLS_MAX)
        .map(|n| call(json!({"index": n, "id": format!("call_{n}"), "function": function})));
    refused(&with(&many.collect::<Vec<_>>()));
    let many = (0..=CALLS_MAX).map(|_| call(json!({ "function": function })));
    refused(&with(&many.collect::<Vec<_>>()));
}

#[test]
fn what_the_contract_does_not_say_is_refused() {
    let (words, done) = (delta(&json!({"content": "Hello."})), json!("[DONE]"));
    assert!(outcome(&[words.clone(), stop("stop"), done.clone()]).is_ok());
    refused(&[words.clone(), done.clone()]);
    refused(&[words.clone(), stop("bored"), done.clone()]);
    refused(&[words.clone(), stop(""), done.clone()]);
    refused(&[words.clone(), stop("stop"), stop("length"), done.clone()]);
    refused(&[words.clone(), stop("stop"), words.clone(), done.clone()]);
    refused(&[stop("length"), done.clone()]);
    refused(&[words.clone(), json!("Hello."), done.clone()]);
    refused(&[delta(&json!({"content": 7})), stop("stop"), done.clone()]);
    refused(&[delta(&json!({"content": [{"type": "image"}]})), stop("stop"), done.clone()]);
    let (one, other) = (&words["choices"][0], json!({"index": 1, "delta": {"content": "Hello."}}));
    refused(&[json!({ "choices": [one, other] }), stop("stop"), done.clone()]);
    refused(&[json!({ "choices": [other] }), stop("stop"), done]);
}

#[test]
fn what_says_nothing_is_read_over_and_what_is_said_otherwise_is_read() {
    let not_yet =
        |said: &str| json!({"choices": [{"delta": {"content": said}, "finish_reason": ""}]});
    let parts = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
        {"type": "text", "text": "lo."}]);
    let spoken = outcome(&[
        json!({"type": "ping"}),
        not_yet("Hel"),
        json!({"choices": null, "usage": {"prompt_tokens": 7, "completion_tokens": 5}}),
        delta(&json!({ "content": parts })),
        stop("eos"),
        json!({"usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}}),
        json!("[DONE] "),
    ]);
    let spoken = spoken.unwrap();
    assert_eq!((spoken.text.as_str(), spoken.reasoning.as_deref()), ("Hello.", Some("Hm")));
    assert_eq!((spoken.finish, spoken.usage), (FinishReason::Stop, Some(TokenUsage::of(7, 5))));
}

#[test]
fn an_answer_that_came_at_once_all_the_same_is_read() {
    let whole = json!({"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}]});
    let wire = format!("\n{whole}");
    for size in [1, 7, 1_000] {
        assert_eq!(read(wire.as_bytes().chunks(size)).0.unwrap().text, "Hello.", "{size}");
    }
    let error = json!({"error": {"message": "m", "code": 400}}).to_string();
    let wrong = read([error.as_bytes()]).0.unwrap_err();
    assert_eq!(
        (wrong.kind, &*wrong.message),
        (ModelFailureKind::BadRequest, "told of an error: m")
    );
    let cut = read([&wire.as_bytes()[..wire.len() - 3]]).0.unwrap_err();
    assert_eq!(cut.kind, ModelFailureKind::InvalidResponse);
}

#[test]
fn a_server_that_gives_up_in_the_middle_may_do_better_later() {
    let words = delta(&json!({"content": "Hel"}));
    for word in ["error", "insufficient_system_resource"] {
        let wrong = outcome(&[words.clone(), stop(word), json!("[DONE]")]).unwrap_err();
        assert_eq!(wrong.kind, ModelFailureKind::ServerError, "{word}");
    }
    let flat = json!({"object": "error", "message": "m", "type": "BadRequestError", "code": 400});
    let wrong = outcome(&[words, flat]).unwrap_err();
    assert_eq!(
        (wrong.kind, &*wrong.message),
        (ModelFailureKind::BadRequest, "told of an error: m")
    );
}

#[test]
fn an_error_inside_a_stream_is_of_its_own_kind() {
    let words = delta(&json!({"content": "Hel"}));
    let error =
        |kind: &str, code: &str| json!({"error": {"message": "m", "type": kind, "code": code}});
    for (chunk, kind) in [
        (error("server_error", ""), ModelFailureKind::ServerError),
        (error("requests", "rate_limit_exceeded"), ModelFailureKind::RateLimited),
        (
            error("invalid_request_error", "context_length_exceeded"),
            ModelFailureKind::ContextLength,
        ),
    ] {
        assert_eq!(outcome(&[words.clone(), chunk]).unwrap_err().kind, kind);
    }
}

#[test]
fn what_comes_after_the_end_is_nobodys() {
    let wire = format!("{HARD}data: nonsense\n\n");
    assert_eq!(read([wire.as_bytes()]), read([HARD.as_bytes()]));
}

#[test]
fn a_thought_is_kept_apart_from_what_is_said_and_is_not_heard() {
    for field in ["reasoning_content", "reasoning"] {
        let mut thinks = delta(&json!({ field: "Let me " }));
        thinks["model"] = json!("m-2026-11");
        let chunks = [
            thinks,
            delta(&json!({ field: "see.", "content": "Hm" })),
            delta(&json!({"content": "."})),
            stop("stop"),
            json!("[DONE]"),
        ];
        let (spoken, heard) = read([wire(&chunks).as_bytes()]);
        let spoken = spoken.unwrap();
        assert_eq!(
            (spoken.text.as_str(), spoken.reasoning.as_deref()),
            ("Hm.", Some("Let me see."))
        );
        assert_eq!(heard, [Piece::Text("Hm".to_owned()), Piece::Text(".".to_owned())]);
        assert_eq!(spoken.version.as_deref(), Some("m-2026-11"));
    }
}

#[test]
fn what_a_server_wants_back_is_kept_with_its_calls() {
    let signed = json!({"google": {"thought_signature": "c2lnbmF0dXJl"}});
    let call =
        json!({"id": "a", "function": {"name": "add", "arguments": "{}"}, "extra_content": signed});
    let chunks = |field: &str, calls: serde_json::Value| {
        let thinks = delta(&json!({ field: "Let me " }));
        let calls = delta(&json!({ field: "see.", "content": "Hm.", "tool_calls": calls }));
        [thinks, calls, stop("stop"), json!("[DONE]")]
    };
    let kept = |field: &str, calls| outcome(&chunks(field, calls)).unwrap().keepsake;
    let expected = json!({"reasoning_content": "Let me see.", "extra_content": {"a": signed}});
    assert_eq!(kept("reasoning_content", json!([call])), Some(expected));
    assert_eq!(kept("reasoning", json!([call])), Some(json!({"extra_content": {"a": signed}})));
    assert_eq!(kept("reasoning_content", json!([])), None, "words alone are not asked after");
}

#[test]
fn what_would_take_more_room_than_any_answer_is_refused() {
    let long = format!("data: {{\"choices\":[{}]}}\n\n", "{},".repeat(700_000));
    let (read_whole, _) = read([long.as_bytes()]);
    assert_eq!(read_whole.unwrap_err().message, "a piece of the stream is too long");
    let (read_in_pieces, _) = read(long.as_bytes().chunks(9_000));
    assert_eq!(read_in_pieces.unwrap_err().message, "a piece of the stream is too long");
    let lines = "data: x\n".repeat(600_000);
    let (read_by_lines, _) = read(lines.as_bytes().chunks(9_000));
    assert_eq!(read_by_lines.unwrap_err().message, "a piece of the stream is too long");
    let many = format!("data: {{\"choices\":[{}{{}}]}}\n\n", "{},".repeat(100_000));
    let (many, _) = read([many.as_bytes()]);
    assert_eq!(many.unwrap_err().message, "the answer has more than one choice");
}
