//! The schemas of all built-in tools as they go over the wire, in both forms.

use std::sync::Arc;

use chat::{ChatServer, Reply, Script};
use egress::Limits;
use model::{Emission, Model, Quiet, Request, ToolSpec};
use providers::{PriceTable, ProviderConfig, Providers, way_out};
use serde_json::{Value, json};
use testkit::FakeWorld;
use tool::Contract;
use types::{Block, BlockKind, Stability, Transport, Trust};

use crate::contracts;

fn spec(contract: &Contract) -> ToolSpec {
    ToolSpec {
        name: contract.name.to_owned(),
        description: contract.description.to_owned(),
        input_schema: (contract.input)(),
    }
}

/// The tools of a request as a server is sent them.
async fn sent(schemas: Emission) -> Vec<Value> {
    let server = ChatServer::start(Script::always(Reply::text("Hello.")));
    let transport = Transport::OpenaiChatCompletions;
    let config =
        ProviderConfig { schemas, ..ProviderConfig::new("local", transport, &server.base_url()) };
    let egress = way_out(std::slice::from_ref(&config), Limits::default()).unwrap();
    let world = Arc::new(FakeWorld::seeded(7));
    let providers = Providers::new(vec![config], PriceTable::builtin(), egress, world).unwrap();
    let policy = Block {
        kind: BlockKind::Policy,
        stability: Stability::Stable,
        trust: Trust::Runtime,
        text: "You are an agent.".to_owned(),
        reason: "a test".to_owned(),
    };
    let request = Request {
        model: "local/test-model".parse().unwrap(),
        agent: "agent_a".parse().unwrap(),
        kind: "task_agent".to_owned(),
        category: None,
        prompt: vec![policy],
        said: vec![],
        tools: contracts().iter().map(spec).collect(),
        allowed: None,
        generation: model::Generation::default(),
    };
    providers.ask(request, Arc::new(Quiet)).await.unwrap();
    let asked = server.asked().remove(0).json();
    asked["tools"].as_array().unwrap().iter().map(|tool| tool["function"].clone()).collect()
}

/// The objects of a schema, at any depth.
fn objects(schema: &Value) -> Vec<&Value> {
    let inner: Vec<&Value> = match schema {
        Value::Object(fields) => fields.values().flat_map(objects).collect(),
        Value::Array(values) => values.iter().flat_map(objects).collect(),
        _ => vec![],
    };
    let named = schema.get("properties").is_some_and(Value::is_object)
        && schema.get("type").is_some_and(|kind| kind == "object" || kind.is_array());
    inner.into_iter().chain(named.then_some(schema)).collect()
}

#[tokio::test]
async fn by_default_every_tool_is_sent_as_it_is_and_takes_nothing_unknown() {
    let sent = sent(Emission::default()).await;
    let contracts = contracts();
    assert_eq!(sent.len(), contracts.len());
    for (function, contract) in sent.iter().zip(&contracts) {
        assert_eq!(
            (&function["name"], &function["strict"]),
            (&json!(contract.name), &json!(false))
        );
        let source = (contract.input)();
        assert_eq!(function["parameters"]["required"], source["required"], "{}", contract.name);
        for object in objects(&function["parameters"]) {
            assert_eq!(object["additionalProperties"], false, "{}: {object}", contract.name);
        }
    }
}

#[tokio::test]
async fn every_tool_can_be_sent_strictly_and_its_schema_is_still_one() {
    let sent = sent(Emission::Strict).await;
    assert_eq!(sent.len(), contracts().len(), "a server that checks strict schemas took them all");
    for function in &sent {
        let parameters = &function["parameters"];
        jsonschema::validator_for(parameters).unwrap();
        assert_eq!(function["strict"], true);
        for object in objects(parameters) {
            let properties = object["properties"].as_object().unwrap();
            let names: Vec<&String> = properties.keys().collect();
            assert_eq!(
                (&object["additionalProperties"], &object["required"]),
                (&json!(false), &json!(names))
            );
        }
    }
}

#[test]
fn what_may_be_left_out_may_be_null_instead_when_it_is_strict() {
    for contract in contracts() {
        let (source, strict) = ((contract.input)(), (contract.input)());
        let strict = Emission::Strict.of(&strict).into_owned();
        let required = source["required"].as_array().unwrap();
        for (name, property) in strict["properties"].as_object().unwrap() {
            let takes_null = jsonschema::validator_for(property).unwrap().is_valid(&Value::Null);
            let was = jsonschema::validator_for(&source["properties"][name]).unwrap();
            let optional = !required.contains(&json!(name));
            assert_eq!(
                takes_null,
                optional || was.is_valid(&Value::Null),
                "{} {name}",
                contract.name
            );
        }
    }
}
