//! From a file to a template: what is not understood is refused, with its line.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rules::facts::{Fields, Relevance};
use serde::Deserialize;
use toml::Spanned;
use types::{BudgetLimits, Capability, Invalid, Mode, Quota, ReportScope, limits};

use super::{BadTemplate, Template, TemplateKind, fields};

/// How often a model may answer in one turn, if the file does not say.
const ROUNDS: u32 = 5;

/// A template as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Spanned<String>,
    version: Spanned<u32>,
    description: Spanned<String>,
    kind: Spanned<TemplateKind>,
    mode: Mode,
    role: Option<Spanned<String>>,
    first_ask: Option<Spanned<String>>,
    later_ask: Option<Spanned<String>>,
    prompt_ask: Option<Spanned<String>>,
    #[serde(default)]
    tools: Vec<Spanned<String>>,
    #[serde(default)]
    capabilities: BTreeSet<Capability>,
    #[serde(default)]
    quotas: BTreeMap<Spanned<String>, QuotaLine>,
    #[serde(default)]
    budget_per_day: BudgetLimits,
    rounds_per_turn: Option<Spanned<u32>>,
    #[serde(default = "current")]
    report_scopes: BTreeSet<ReportScope>,
    #[serde(default)]
    relevance: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
}

/// The report that one writes who names none.
fn current() -> BTreeSet<ReportScope> {
    [ReportScope::Current].into()
}

/// How often a tool may be called, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuotaLine {
    max_per_session: Option<u32>,
    max_per_day: Option<u32>,
}

/// What is wrong, and at which byte.
type Wrong = (usize, String);

impl Template {
    /// Reads a template from the text of a file. No file means that it is built in.
    ///
    /// # Errors
    /// If something in it is not understood, is too long, or does not fit together.
    pub fn parse(file: Option<&str>, text: &str) -> Result<Template, BadTemplate> {
        let shown = file.unwrap_or("a built-in template");
        let parsed: File = toml::from_str(text).map_err(|error| {
            let byte = error.span().map_or(0, |span| span.start);
            BadTemplate::at(shown, text, byte, error.message())
        })?;
        let template =
            parsed.checked().map_err(|(at, why)| BadTemplate::at(shown, text, at, why))?;
        Ok(Template { file: file.map(str::to_owned), text: text.to_owned(), ..template })
    }
}

impl Template {
    /// What is wrong with one of its tools, with the line that names it.
    pub(super) fn bad_tool(&self, tool: &str, why: String) -> BadTemplate {
        let shown = self.file.as_deref().unwrap_or("a built-in template");
        let named = |quote: char| self.text.find(&format!("{quote}{tool}{quote}"));
        let at = named('"').or_else(|| named('\'')).unwrap_or(0);
        BadTemplate::at(shown, &self.text, at, why)
    }
}

impl File {
    fn checked(self) -> Result<Template, Wrong> {
        if !is_name(self.name.get_ref()) {
            let why = "a name is of small letters, digits, `_` and `-`, at most 64 of them";
            return Err((self.name.span().start, why.to_owned()));
        }
        if *self.version.get_ref() == 0 {
            return Err((self.version.span().start, "versions count from 1".to_owned()));
        }
        let description = self.description.get_ref();
        Invalid::unless_line("description", description, limits::TITLE_BYTES_MAX)
            .map_err(|wrong| (self.description.span().start, wrong.to_string()))?;
        let tools = tools(self.tools)?;
        let relevance = relevance(self.relevance)?;
        let (at, kind) = (self.kind.span().start, self.kind.into_inner());
        if kind == TemplateKind::TaskAgent && (self.role.is_none() || relevance.is_empty()) {
            let why = "a task_agent needs a `role`, and `relevance` that says when to take a turn";
            return Err((at, why.to_owned()));
        }
        let ask = |text| said("ask", text, limits::TEMPLATE_ASK_BYTES_MAX);
        Ok(Template {
            role: said("role", self.role, limits::TEMPLATE_ROLE_BYTES_MAX)?,
            first_ask: ask(self.first_ask)?,
            later_ask: ask(self.later_ask)?,
            prompt_ask: ask(self.prompt_ask)?,
            quotas: quotas(self.quotas, &tools)?,
            rounds_per_turn: rounds(self.rounds_per_turn)?,
            name: self.name.into_inner(),
            version: self.version.into_inner(),
            description: self.description.into_inner(),
            kind,
            mode: self.mode,
            tools,
            capabilities: self.capabilities,
            budget_per_day: self.budget_per_day,
            report_scopes: self.report_scopes,
            relevance: match relevance.is_empty() {
                true => Relevance::Nothing,
                false => Relevance::Fields(Arc::new(relevance)),
            },
            file: None,
            text: String::new(),
        })
    }
}

/// A name that can be typed, and that is a file's name everywhere.
fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    !text.is_empty() && text.len() <= limits::TOOL_NAME_BYTES_MAX && text.chars().all(fits)
}

/// Words for a model, without the empty lines around them.
fn said(
    what: &'static str,
    text: Option<Spanned<String>>,
    bytes_max: usize,
) -> Result<String, Wrong> {
    let Some(text) = text else { return Ok(String::new()) };
    let words = text.get_ref().trim();
    Invalid::unless_text(what, words, bytes_max)
        .map_err(|wrong| (text.span().start, wrong.to_string()))?;
    Ok(words.to_owned())
}

fn tools(named: Vec<Spanned<String>>) -> Result<Vec<String>, Wrong> {
    let mut tools: Vec<String> = Vec::new();
    for tool in named {
        let (at, tool) = (tool.span().start, tool.into_inner());
        if tools.len() == limits::TEMPLATE_TOOLS_MAX {
            let max = limits::TEMPLATE_TOOLS_MAX;
            return Err((at, format!("a template has at most {max} tools")));
        }
        if !is_name(&tool) {
            return Err((at, format!("{tool:?} is no name of a tool")));
        }
        if tools.contains(&tool) {
            return Err((at, format!("{tool} is named twice")));
        }
        tools.push(tool);
    }
    Ok(tools)
}

fn quotas(
    lines: BTreeMap<Spanned<String>, QuotaLine>,
    tools: &[String],
) -> Result<BTreeMap<String, Quota>, Wrong> {
    let mut quotas = BTreeMap::new();
    for (tool, QuotaLine { max_per_session, max_per_day }) in lines {
        let (at, tool) = (tool.span().start, tool.into_inner());
        if !tools.contains(&tool) {
            return Err((at, format!("{tool} is not among its tools")));
        }
        quotas.insert(tool, Quota { max_per_session, max_per_day });
    }
    Ok(quotas)
}

fn rounds(named: Option<Spanned<u32>>) -> Result<u32, Wrong> {
    let Some(named) = named else { return Ok(ROUNDS) };
    let max = limits::TEMPLATE_ROUNDS_MAX;
    match *named.get_ref() {
        rounds if (1..=max).contains(&rounds) => Ok(rounds),
        _ => Err((named.span().start, format!("a turn has 1 to {max} rounds"))),
    }
}

fn relevance(lines: BTreeMap<Spanned<String>, Vec<Spanned<String>>>) -> Result<Fields, Wrong> {
    let mut relevant = Fields::new();
    for (kind, names) in lines {
        let (at, kind) = (kind.span().start, kind.into_inner());
        let Some(known) = fields::of(&kind) else {
            return Err((at, format!("{kind:?} is none of: {}", fields::kinds())));
        };
        if let Some(odd) = names.iter().find(|name| !known.contains(&name.get_ref().as_str())) {
            let why = format!("{:?} is none of: {}", odd.get_ref(), known.join(", "));
            return Err((odd.span().start, why));
        }
        relevant.insert(kind, names.into_iter().map(Spanned::into_inner).collect());
    }
    Ok(relevant)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
