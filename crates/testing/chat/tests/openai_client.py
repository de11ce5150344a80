"""The official client reads all that the test server says: `openai_client.py BASE_URL`.

The name of the model chooses what the server answers. Responses are validated strictly: a field that is
missing or of another type than the client documents fails.
"""

import json
import sys

import openai
from openai import OpenAI

client = OpenAI(
    base_url=sys.argv[1],
    api_key="sk-test",
    max_retries=0,
    timeout=10,
    _strict_response_validation=True,
)
USER = [{"role": "user", "content": "Hello?"}]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Adds.",
            "parameters": {"type": "object", "properties": {}},
            "strict": False,
        },
    }
]


def ask(model, messages=USER, **more):
    return client.chat.completions.create(model=model, messages=messages, **more)


def streamed(model, **more):
    text, calls, finish, usage = "", {}, None, None
    for chunk in ask(model, stream=True, stream_options={"include_usage": True}, **more):
        assert chunk.object == "chat.completion.chunk" and chunk.model == model
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
            for call in choice.delta.tool_calls or []:
                whole = calls.setdefault(call.index, {"id": None, "name": None, "arguments": ""})
                whole["id"] = call.id or whole["id"]
                whole["name"] = call.function.name or whole["name"]
                whole["arguments"] += call.function.arguments or ""
    return text, list(calls.values()), finish, usage


def fails_with(kind, status, code, call):
    try:
        call()
    except kind as error:
        assert type(error) is kind, type(error)
        assert error.status_code == status, error
        assert error.code == code, error.code
        assert error.body["message"] and "param" in error.body, error.body
        return error
    raise AssertionError(f"no {kind.__name__}")


def words():
    answer = ask("text")
    assert answer.object == "chat.completion" and answer.model == "text"
    assert answer._request_id.startswith("req_")
    (choice,) = answer.choices
    assert choice.message.role == "assistant" and choice.message.content == "Grüße, Ümit. 🐭 sleeps."
    assert choice.finish_reason == "stop" and not choice.message.tool_calls
    usage = answer.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (7, 5, 12)
    text, calls, finish, usage = streamed("text")
    assert (text, calls, finish) == ("Grüße, Ümit. 🐭 sleeps.", [], "stop")
    assert usage.total_tokens == 12


def tool_calls():
    (choice,) = ask("calls", tools=TOOLS).choices
    assert choice.finish_reason == "tool_calls" and choice.message.content is None
    first, second = choice.message.tool_calls
    assert (first.id, first.type, first.function.name) == ("call_a", "function", "add")
    assert json.loads(first.function.arguments) == {"items": ["käse", "milk"]}
    assert (second.id, second.function.arguments) == ("call_b", "{no JSON")
    text, calls, finish, _ = streamed("calls", tools=TOOLS)
    assert (text, finish) == ("", "tool_calls")
    assert [call["id"] for call in calls] == ["call_a", "call_b"]
    assert [call["name"] for call in calls] == ["add", "add"]
    assert json.loads(calls[0]["arguments"]) == {"items": ["käse", "milk"]}
    # The round that follows: what was called, and what was answered.
    said = choice.message.model_dump(exclude_none=True)
    answers = [{"role": "tool", "tool_call_id": id, "content": "done"} for id in ("call_a", "call_b")]
    assert ask("text", messages=[*USER, said, *answers], tools=TOOLS).choices


def limits_of_length():
    assert ask("length").choices[0].finish_reason == "length"
    assert streamed("length")[2] == "length"
    assert ask("filter").choices[0].finish_reason == "content_filter"


def errors():
    for more in ({}, {"stream": True}):
        fails_with(openai.BadRequestError, 400, "context_length_exceeded", lambda: ask("context", **more))
        fails_with(openai.AuthenticationError, 401, "invalid_api_key", lambda: ask("key", **more))
        fails_with(openai.PermissionDeniedError, 403, "unsupported_country_region_territory", lambda: ask("region", **more))
        fails_with(openai.NotFoundError, 404, "model_not_found", lambda: ask("nowhere", **more))
        fails_with(openai.InternalServerError, 500, None, lambda: ask("broken", **more))
        fails_with(openai.InternalServerError, 503, None, lambda: ask("overloaded", **more))
        limited = fails_with(openai.RateLimitError, 429, "rate_limit_exceeded", lambda: ask("limited", **more))
        head = limited.response.headers
        assert head["retry-after"] == "2"
        for what in ("requests", "tokens"):
            for which in ("limit", "remaining"):
                assert head[f"x-ratelimit-{which}-{what}"].isdigit()
            assert head[f"x-ratelimit-reset-{what}"].endswith("s")


def refused_requests():
    lonely = [*USER, {"role": "tool", "tool_call_id": "x", "content": "done"}]
    fails_with(openai.BadRequestError, 400, None, lambda: ask("text", messages=lonely))
    fails_with(openai.BadRequestError, 400, None, lambda: ask("text", messages=[]))


def bad_days():
    try:
        streamed("stream-error")
        raise AssertionError("no error in the stream")
    except openai.APIError as error:
        assert error.message == "The server gave up.", error.message
    for more in ({}, {"stream": True}):
        try:
            answer = ask("cut", **more)
            for _ in answer if more else []:
                pass
            raise AssertionError("not cut")
        except openai.APIConnectionError:
            pass
    try:
        client.with_options(timeout=0.3).chat.completions.create(model="hang", messages=USER)
        raise AssertionError("it answered")
    except openai.APITimeoutError:
        pass


def in_pieces():
    text, _, finish, usage = streamed("pieces")
    assert (text, finish) == ("Grüße, Ümit. 🐭 sleeps.", "stop") and usage.total_tokens == 12


for check in (words, tool_calls, limits_of_length, errors, refused_requests, bad_days, in_pieces):
    check()
    print("ok", check.__name__)
