//! Canonical JSON (RFC 8785): one text for each value, so that equal values have equal hashes.

use serde_json::Value;

/// A number that JSON can write but a double cannot hold exactly: two readers would differ on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the number {0} has no exact canonical form; write it as a string")]
pub struct InexactNumber(pub String);

/// The canonical text of a value. A whole number beyond 64 bits is a double before it gets here, and
/// is written as the double it is.
///
/// # Errors
/// If a number in it cannot be held exactly by a double.
pub fn to_string(value: &Value) -> Result<String, InexactNumber> {
    let mut out = String::new();
    write(value, &mut out)?;
    Ok(out)
}

/// The value as its canonical text is read: `5.0` is `5`. One that has no such text stays as it is.
#[must_use]
pub fn value(value: Value) -> Value {
    let canonical = to_string(&value).ok().and_then(|text| serde_json::from_str(&text).ok());
    canonical.unwrap_or(value)
}

fn write(value: &Value, out: &mut String) -> Result<(), InexactNumber> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&canonical_number(number)?),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write(item, out)?;
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            // The order of UTF-16 code units, which differs from ours beyond the basic plane.
            entries.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            out.push('{');
            for (place, (key, item)) in entries.into_iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write(item, out)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

fn write_text(text: &str, out: &mut String) {
    // serde_json escapes exactly what RFC 8785 asks for, in the same short forms.
    out.push_str(&serde_json::to_string(text).expect("a string is JSON"));
}

fn canonical_number(number: &serde_json::Number) -> Result<String, InexactNumber> {
    const EXACT_MAX: u64 = 1 << 53;
    let whole = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
    if let Some(magnitude) = whole {
        if magnitude > EXACT_MAX {
            return Err(InexactNumber(number.to_string()));
        }
        return Ok(number.to_string());
    }
    let double = number.as_f64().filter(|double| double.is_finite());
    let double = double.ok_or_else(|| InexactNumber(number.to_string()))?;
    Ok(ryu_js::Buffer::new().format_finite(double).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn the_example_of_the_rfc_comes_out_as_printed_there() {
        let value: Value = serde_json::from_str(
            r#"{
                "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
                "literals": [null, true, false]
            }"#,
        )
        .unwrap();
        let expected = concat!(
            r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
            r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        );
        assert_eq!(to_string(&value).unwrap(), expected);
    }

    #[test]
    fn keys_sort_by_utf_16_code_units() {
        let value = json!({"\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5,
            "\u{80}": 6, "\u{f6}": 7});
        let order: Vec<u64> = to_string(&value)
            .unwrap()
            .chars()
            .collect::<Vec<_>>()
            .windows(2)
            .filter(|pair| pair[0] == ':')
            .filter_map(|pair| pair[1].to_digit(10).map(u64::from))
            .collect();
        assert_eq!(order, [2, 4, 6, 7, 1, 5, 3]);
    }

    #[test]
    fn a_number_that_a_double_cannot_hold_is_refused() {
        assert_eq!(to_string(&json!(9_007_199_254_740_992_u64)).unwrap(), "9007199254740992");
        assert!(to_string(&json!(9_007_199_254_740_993_u64)).is_err());
        assert!(to_string(&json!([-9_007_199_254_740_993_i64])).is_err());
        assert_eq!(to_string(&json!(-0.0)).unwrap(), "0");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-1000..1000_i64).prop_map(Value::from),
            (-1e9..1e9_f64).prop_map(Value::from),
            ".{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map(".{0,3}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn canonical_text_is_json_of_the_same_value_and_a_fixed_point(value in any_json()) {
            let text = to_string(&value).unwrap();
            let back: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(to_string(&back).unwrap(), text);
        }
    }
}
