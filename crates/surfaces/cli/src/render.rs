//! Answers as people read them.

use api_types::{AgentReply, CategoryReply, CheckReply, ProblemReply, RunReply, TaskReply};

pub(crate) fn task_line(task: &TaskReply) -> String {
    format!("{}  {}  [{}, {}]", task.id, task.title, task.category, task.status)
}

pub(crate) fn task(task: &TaskReply) -> String {
    format!(
        "{}\n  id        {}\n  status    {}\n  priority  {}\n  category  {}\n  created   {}\n  \
         changed   {}\n",
        task.title,
        task.id,
        task.status,
        task.priority,
        task.category,
        task.created_at,
        task.updated_at
    )
}

pub(crate) fn tasks(tasks: &[TaskReply]) -> String {
    let rows = tasks.iter().map(|task| {
        [&task.id, &task.status, &task.priority, &task.category, &task.title].map(Clone::clone)
    });
    table(["ID", "STATUS", "PRIO", "CATEGORY", "TITLE"], rows, "no tasks yet\n")
}

pub(crate) fn categories(categories: &[CategoryReply]) -> String {
    let rows = categories.iter().map(|category| [category.name.clone(), category.id.clone()]);
    table(["NAME", "ID"], rows, "no categories\n")
}

pub(crate) fn agents(agents: &[AgentReply]) -> String {
    let rows = agents.iter().map(|agent| {
        [&agent.id, &agent.template, &agent.lifecycle, &agent.posture, &agent.name]
            .map(Clone::clone)
    });
    table(["ID", "TEMPLATE", "LIFECYCLE", "POSTURE", "NAME"], rows, "no agents yet\n")
}

pub(crate) fn agent(agent: &AgentReply) -> String {
    let mut text = format!(
        "{}\n  id         {}\n  template   {}\n  lifecycle  {}\n  posture    {}\n",
        agent.name, agent.id, agent.template, agent.lifecycle, agent.posture
    );
    for edge in &agent.wake_edges {
        text += &format!("  wakes for  {} ({})\n", edge.tokens.join(", "), edge.kind);
    }
    match agent.obligations.len() {
        0 => {}
        open => text += &format!("  still open {open} runs\n"),
    }
    text
}

pub(crate) fn runs(runs: &[RunReply]) -> String {
    let rows = runs.iter().map(|run| {
        let receipt = run.receipt.as_ref().map_or_else(String::new, |receipt| {
            format!("{} ({} changes seen)", receipt.rule, receipt.changes_seen)
        });
        [
            run.run_key[..12].to_owned(),
            run.reason.clone(),
            run.status.clone(),
            run.model_calls.to_string(),
            (run.tokens_in + run.tokens_out).to_string(),
            run.created_at.to_string(),
            receipt,
        ]
    });
    let head = ["RUN", "REASON", "STATUS", "CALLS", "TOKENS", "QUEUED", "RECEIPT"];
    table(head, rows, "no runs yet\n")
}

pub(crate) fn checks(reports: &[CheckReply]) -> String {
    let mut text = String::new();
    for report in reports {
        let verdict = match (&report.problem, report.ok) {
            (Some(problem), _) => problem.message.clone(),
            (None, true) => format!(
                "whole ({} changes, {} audit entries)",
                report.changes, report.audit_entries
            ),
            (None, false) => "DAMAGED".to_owned(),
        };
        // An error names its file by itself.
        text += &match verdict.contains(&report.file) {
            true => format!("{verdict}\n"),
            false => format!("{}: {verdict}\n", report.file),
        };
        for finding in &report.findings {
            text += &format!("  {finding}\n");
        }
    }
    text
}

/// A failure if any file is not as it should be: the first one's own.
pub(crate) fn verdict(reports: &[CheckReply]) -> Result<(), ProblemReply> {
    let Some(bad) = reports.iter().find(|report| !report.ok) else { return Ok(()) };
    Err(bad.problem.clone().unwrap_or_else(|| ProblemReply {
        code: "store_corrupt".to_owned(),
        message: format!("{} is damaged", bad.file),
        hint:
            "keep the folder but move it away, then restore the last backup with `dormouse restore`"
                .to_owned(),
    }))
}

fn table<const N: usize>(
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    empty: &str,
) -> String {
    let rows: Vec<[String; N]> = rows.collect();
    if rows.is_empty() {
        return empty.to_owned();
    }
    let mut lines = vec![head.map(str::to_owned)];
    lines.extend(rows);
    let width =
        |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
