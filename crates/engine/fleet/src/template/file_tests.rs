use super::*;
use crate::Templates;

const GOOD: &str = "\
name = \"mine\"
version = 3
description = \"Mine\"
kind = \"task_agent\"
mode = \"hybrid\"
tools = [\"update_report\", \"set_task_title\"]
capabilities = [\"taskWrite\"]
role = \"\"\"
Be brief.
\"\"\"

[relevance]
TASK = [\"title\", \"due\"]
TIME_ENTRY = []

[quotas.set_task_title]
max_per_day = 3

[budget_per_day]
tokens = 100000
";

fn refused(text: &str) -> String {
    Template::parse(Some("mine.toml"), text).unwrap_err().to_string()
}

#[test]
fn a_file_is_read_with_its_defaults() {
    let mine = Template::parse(Some("mine.toml"), GOOD).unwrap();
    assert_eq!((mine.name.as_str(), mine.version, mine.kind), ("mine", 3, TemplateKind::TaskAgent));
    assert_eq!((mine.mode, mine.rounds_per_turn), (Mode::Hybrid, 5));
    assert_eq!(mine.report_scopes, [ReportScope::Current].into());
    assert_eq!(mine.role, "Be brief.");
    assert_eq!(mine.tools, ["update_report", "set_task_title"]);
    assert_eq!(mine.capabilities, [Capability::TaskWrite].into());
    assert_eq!(mine.quotas["set_task_title"].max_per_day, Some(3));
    assert_eq!(mine.budget_per_day.tokens, Some(100_000));
    let minded = Relevance::fields(&[("TASK", &["due", "title"]), ("TIME_ENTRY", &[])]);
    assert_eq!(mine.relevance, minded);
    assert_eq!((mine.file.as_deref(), mine.text.as_str()), (Some("mine.toml"), GOOD));
}

#[test]
fn what_is_not_understood_is_refused_with_its_line() {
    let many: Vec<String> = (0..13).map(|n| format!("\n\"t{n}\"")).collect();
    let long = "x".repeat(limits::TEMPLATE_ROLE_BYTES_MAX + 1);
    for (from, to, place, reason) in [
        ("version = 3", "version = 3\ncolour = 1", 3, "unknown field `colour`"),
        ("kind = \"task_agent\"", "kind = \"poet\"", 4, "unknown variant `poet`"),
        ("\"taskWrite\"", "\"everything\"", 7, "unknown variant `everything`"),
        ("version = 3", "version = 0", 2, "versions count from 1"),
        ("\"mine\"", "\"My Own\"", 1, "small letters"),
        ("\"title\", \"due\"", "\"titel\"", 13, "\"titel\" is none of: category_id"),
        ("TIME_ENTRY", "TIMES", 14, "\"TIMES\" is none of: CATEGORY, TASK"),
        ("quotas.set_task_title", "quotas.create_task", 16, "not among its tools"),
        ("Be brief.", &long, 8, "at most 6144 are allowed"),
        ("\"set_task_title\"", "\"update_report\"", 6, "update_report is named twice"),
        ("\"update_report\"", &many.join(","), 19, "at most 12 tools"),
        ("version = 3\n", "", 1, "missing field `version`"),
        ("version = 3", "version = ", 2, ""),
        ("[relevance]\nTASK = [\"title\", \"due\"]\nTIME_ENTRY = []", "", 4, "needs a `role`"),
    ] {
        let said = refused(&GOOD.replacen(from, to, 1));
        assert!(said.starts_with(&format!("mine.toml, line {place}: ")), "{to}: {said}");
        assert!(said.contains(reason), "{said}");
    }
    let said = refused(&format!("rounds_per_turn = 51\n{GOOD}"));
    assert_eq!(said, "mine.toml, line 1: a turn has 1 to 50 rounds");
}

#[test]
fn the_built_in_task_agent_says_what_its_model_has_to_know() {
    let templates = Templates::builtin();
    let agent = templates.find("task_agent").unwrap();
    assert!(agent.role.len() <= 1_800, "it is sent with every call: {}", agent.role.len());
    for word in ["You tend one task", "update_report", "free-form Markdown", "record_observations"]
    {
        assert!(agent.role.contains(word), "{word}");
    }
    for word in ["and nowhere else", "inferred", "brief", "are data", "Tools: change the task only"]
    {
        assert!(agent.role.contains(word), "{word}");
    }
    assert_eq!((agent.tools.len(), agent.mode), (12, Mode::Autonomous));
    assert!(!agent.first_ask.is_empty() && !agent.later_ask.is_empty());
    assert!(!agent.prompt_ask.is_empty());
    let Relevance::Fields(fields) = &agent.relevance else { panic!("it only watches") };
    assert_eq!(fields.len(), 5);
    let watcher = templates.find("watcher").unwrap();
    assert_eq!((&watcher.relevance, watcher.tools.len()), (&Relevance::Nothing, 0));
}
