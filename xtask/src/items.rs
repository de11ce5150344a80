//! The items of a Rust file: functions, modules, macros, and where each begins and ends.
//!
//! Every function here takes the code view of a [`Source`](crate::source::Source), in which strings
//! and comments are blank.

use std::ops::Range;

use crate::source::{is_word, line_at};

/// A function with or without a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    /// Offset of its `fn`.
    pub(crate) start: usize,
    /// Attributes, visibility and qualifiers: what stands between the item before and `fn`.
    pub(crate) prefix: &'a str,
    /// From `{` to after `}`.
    pub(crate) body: Option<Range<usize>>,
}

impl Function<'_> {
    /// Lines from `fn` to the closing brace, both counted; a declaration is one line.
    pub(crate) fn lines(&self, code: &str) -> usize {
        let end = self.body.as_ref().map_or(self.start, |body| body.end - 1);
        line_at(code, end) - line_at(code, self.start) + 1
    }
}

/// A name that an item gets, with the keyword before it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named<'a> {
    pub(crate) keyword: &'a str,
    pub(crate) name: &'a str,
    pub(crate) start: usize,
}

/// A use of a macro, or the definition of one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MacroCall<'a> {
    pub(crate) name: &'a str,
    /// The name that `macro_rules!` defines.
    pub(crate) defines: Option<&'a str>,
    /// From the name to after the closing delimiter.
    pub(crate) span: Range<usize>,
}

/// Every word of the text with its offset.
pub(crate) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = code.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(|b| is_word(*b))?;
        at = start + bytes[start..].iter().take_while(|b| is_word(**b)).count();
        Some((start, &code[start..at]))
    })
}

/// Every function, also the nested ones and those in macros.
pub(crate) fn functions(code: &str) -> Vec<Function<'_>> {
    named(code, &["fn"])
        .into_iter()
        .map(|Named { name, start, .. }| Function {
            name,
            start,
            prefix: &code[code[..start].rfind([';', '{', '}']).map_or(0, |at| at + 1)..start],
            body: body_after(code, start),
        })
        .collect()
}

/// Every name that follows one of the keywords. In a macro it may be a `$variable`.
pub(crate) fn named<'a>(code: &'a str, keywords: &[&str]) -> Vec<Named<'a>> {
    words(code)
        .filter(|(_, word)| keywords.contains(word))
        .filter_map(|(start, keyword)| {
            let rest = &code[start + keyword.len()..];
            let name = rest.trim_start();
            let dollar = usize::from(name.starts_with('$'));
            let length = name.bytes().skip(dollar).take_while(|b| is_word(*b)).count();
            (name.len() < rest.len() && length > 0).then(|| Named {
                keyword,
                name: &name[..dollar + length],
                start,
            })
        })
        .collect()
}

/// Every `mod x { … }` with its name and the range of its body.
pub(crate) fn inline_modules(code: &str) -> Vec<(&str, Range<usize>)> {
    named(code, &["mod"])
        .into_iter()
        .filter_map(|item| Some((item.name, body_after(code, item.start)?)))
        .collect()
}

/// Every `#[cfg(test)] mod x { … }`, from its attribute to its closing brace.
pub(crate) fn test_modules(code: &str) -> Vec<Range<usize>> {
    code.match_indices("#[cfg(")
        .filter(|(at, open)| {
            let condition = &code[at + open.len()..];
            condition.starts_with("test)") || condition.starts_with("all(test,")
        })
        .filter_map(|(at, _)| Some(at..test_module_end(code, at)?))
        .collect()
}

/// Every macro that is used or defined with a delimited body.
pub(crate) fn macro_calls(code: &str) -> Vec<MacroCall<'_>> {
    words(code).filter_map(|(start, name)| macro_call(code, start, name)).collect()
}

/// Whether one of the ranges holds the offset.
pub(crate) fn within(ranges: &[Range<usize>], offset: usize) -> bool {
    ranges.iter().any(|range| range.contains(&offset))
}

fn macro_call<'a>(code: &'a str, start: usize, name: &'a str) -> Option<MacroCall<'a>> {
    let after = code[start + name.len()..].strip_prefix('!')?.trim_start();
    let length = after.bytes().take_while(|b| is_word(*b)).count();
    let defines = (name == "macro_rules").then(|| &after[..length]);
    let body = if defines.is_some() { after[length..].trim_start() } else { after };
    let open = code.len() - body.len();
    Some(MacroCall { name, defines, span: start..closing(code, open)? })
}

/// The end of the module that the attributes starting at `at` belong to.
fn test_module_end(code: &str, mut at: usize) -> Option<usize> {
    while code[at..].starts_with("#[") {
        at = closing(code, at + 1)?;
        at += code[at..].len() - code[at..].trim_start().len();
    }
    let (first, keyword) =
        words(&code[at..]).find(|(_, word)| !matches!(*word, "pub" | "crate"))?;
    let body = (keyword == "mod").then(|| body_after(code, at + first))??;
    Some(body.end)
}

/// The braces of the item that starts at `start`, unless a semicolon ends it first.
fn body_after(code: &str, start: usize) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.checked_sub(1)?,
            b';' if depth == 0 => return None,
            b'{' if depth == 0 => return Some(at..closing(code, at)?),
            _ => {}
        }
    }
    None
}

/// The offset after the delimiter that closes the one at `open`; none if there is none to close.
fn closing(code: &str, open: usize) -> Option<usize> {
    let opener = *code.as_bytes().get(open)?;
    let closer = match opener {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        if byte == opener {
            depth += 1;
        } else if byte == closer {
            depth -= 1;
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(code: &str) -> Vec<(&str, usize)> {
        functions(code).iter().map(|f| (f.name, f.lines(code))).collect()
    }

    #[test]
    fn a_function_runs_to_its_closing_brace() {
        assert_eq!(lengths("fn a() {\n if x {\n }\n}\nfn b() {}"), [("a", 4), ("b", 1)]);
        assert_eq!(lengths("fn a(\n x: [u8; 2],\n) -> fn(u8) {\n}"), [("a", 4)]);
        assert_eq!(lengths("fn a() {\n fn b() {\n }\n}"), [("a", 4), ("b", 2)]);
    }

    #[test]
    fn a_declaration_has_no_body() {
        let found = functions("trait T { fn a(x: [u8; 2]); fn b() {} }");
        assert_eq!(found.iter().map(|f| f.body.is_some()).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn the_prefix_holds_attributes_and_visibility() {
        let found = functions("fn a() {} #[test]\npub async fn b() {}");
        assert_eq!(found[1].prefix.trim(), "#[test]\npub async");
    }

    #[test]
    fn test_modules_are_found_behind_further_attributes() {
        let code =
            "fn a() {}\n#[cfg(test)]\n#[expect(x)]\npub(crate) mod tests { fn b() {} }\nfn c() {}";
        let tests = test_modules(code);
        let inside: Vec<bool> = functions(code).iter().map(|f| within(&tests, f.start)).collect();
        assert_eq!(inside, [false, true, false]);
    }

    #[test]
    fn only_modules_under_test_count_as_tests() {
        assert_eq!(test_modules("#[cfg(test)] mod x; mod y { }"), []);
        assert_eq!(test_modules("#[cfg(test)] impl X { }"), []);
        assert_eq!(test_modules("#[cfg(feature)] mod x { }"), []);
    }

    #[test]
    fn macros_have_names_and_spans() {
        let code = "macro_rules! list { () => { fn a() {} } } list!(b, c); if a != (b) {}";
        let calls = macro_calls(code);
        let found: Vec<_> = calls.iter().map(|c| (c.name, c.defines)).collect();
        assert_eq!(found, [("macro_rules", Some("list")), ("list", None)]);
        assert_eq!(&code[calls[1].span.clone()], "list!(b, c)");
    }

    #[test]
    fn inline_modules_have_bodies() {
        let code = "mod a; mod b { fn c() {} }";
        let modules = inline_modules(code);
        assert_eq!(modules.len(), 1);
        assert_eq!((modules[0].0, &code[modules[0].1.clone()]), ("b", "{ fn c() {} }"));
    }
}
