//! Schemas that OpenAI would refuse because they are called strict and are not.

use serde_json::Value;

/// Checks the schema of every strict tool of a request.
pub(crate) fn tools(request: &Value) -> Result<(), String> {
    let tools = request["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    for function in tools.iter().map(|tool| &tool["function"]) {
        if function["strict"] == true {
            let name = function["name"].as_str().unwrap_or_default();
            schema(&function["parameters"])
                .map_err(|why| format!("Invalid schema for function '{name}': {why}"))?;
        }
    }
    Ok(())
}

/// An object takes nothing unknown and requires all that it knows, at any depth.
fn schema(schema: &Value) -> Result<(), String> {
    if let Some(properties) = schema["properties"].as_object() {
        if schema["additionalProperties"] != false {
            return Err(
                "'additionalProperties' is required to be supplied and to be false.".to_owned()
            );
        }
        let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        if let Some(missing) =
            properties.keys().find(|name| !required.contains(&(*name).as_str().into()))
        {
            return Err(format!("'required' has to include every key. Missing '{missing}'."));
        }
    }
    let within = schema["properties"].as_object().into_iter().flat_map(|all| all.values());
    let either = schema["anyOf"].as_array().into_iter().flatten();
    within.chain(either).chain(schema.get("items")).try_for_each(self::schema)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn accepts(parameters: &Value) -> bool {
        let function = json!({"name": "f", "strict": true, "parameters": parameters});
        tools(&json!({"tools": [{"type": "function", "function": function}]})).is_ok()
    }

    #[test]
    fn a_strict_schema_is_closed_and_whole_at_any_depth() {
        let inner = json!({"type": "object", "properties": {"a": {}}, "required": ["a"],
            "additionalProperties": false});
        let list = |items: &Value| {
            json!({"type": "object", "properties": {"l": {"items": items}},
            "required": ["l"], "additionalProperties": false})
        };
        assert!(accepts(&inner) && accepts(&list(&inner)));
        let open = json!({"type": "object", "properties": {"a": {}}, "required": ["a"]});
        let optional = json!({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"],
            "additionalProperties": false});
        for bad in [open, optional] {
            assert!(!accepts(&bad) && !accepts(&list(&bad)), "{bad}");
            assert!(!accepts(&json!({"anyOf": [{"type": "null"}, bad]})));
        }
    }
}
