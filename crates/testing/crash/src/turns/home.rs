//! A home with task agents, made and read with the program itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::judge::Lists;

/// Agents in a home, each with a task of its own.
const AGENTS: usize = 3;

/// A home and who lives in it.
pub(crate) struct House {
    pub(crate) folder: TempDir,
    pub(crate) agents: Vec<String>,
    tasks: Vec<String>,
    program: PathBuf,
}

impl House {
    /// A home whose agents ask the model at this address, with the operator's consent.
    pub(crate) fn new(program: &Path, base_url: &str) -> io::Result<House> {
        let folder = tempfile::tempdir()?;
        let config = format!(
            "[models]\ndefault = \"local/test-model\"\n\n[models.providers.local]\n\
             transport = \"openai_chat_completions\"\nbase_url = \"{base_url}\"\n"
        );
        fs::write(folder.path().join("config.toml"), config)?;
        let (agents, tasks, program) = (vec![], vec![], program.to_owned());
        let mut house = House { folder, agents, tasks, program };
        house.run(&["consent", "grant", "local/test-model", "--yes"])?;
        for n in 0..AGENTS {
            let title = format!("Garden {n}");
            let task = house.id(&["task", "add", &title, "--category", "home"])?;
            let create = ["agent", "create", "--template", "task_agent", "--task", &task];
            house.agents.push(house.id(&create)?);
            house.tasks.push(task);
        }
        Ok(house)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What is on the list of each agent's task.
    pub(crate) fn lists(&self) -> io::Result<Lists> {
        let titles = |task: &String| {
            let task = self.run(&["task", "show", task])?;
            let items = task["items"].as_array().cloned().unwrap_or_default();
            let title = |item: &Value| item["title"].as_str().unwrap_or_default().to_owned();
            Ok(items.iter().map(title).collect())
        };
        self.tasks.iter().map(titles).collect()
    }

    /// Each agent's runs: key and status.
    pub(crate) fn runs(&self, agent: &str) -> io::Result<Vec<(String, String)>> {
        let runs = self.run(&["runs", agent, "--limit", "1000"])?;
        let word = |run: &Value, name: &str| run[name].as_str().unwrap_or_default().to_owned();
        let runs = runs.as_array().cloned().unwrap_or_default();
        Ok(runs.iter().map(|run| (word(run, "run_key"), word(run, "status"))).collect())
    }

    /// What the program's own check finds in the files of a home that nobody serves.
    pub(crate) fn findings(&self) -> io::Result<Vec<String>> {
        let said = self.command(&["doctor"]).output()?;
        let shown = String::from_utf8_lossy(&said.stdout).into_owned();
        Ok(if said.status.success() { vec![] } else { vec![shown] })
    }

    fn id(&self, words: &[&str]) -> io::Result<String> {
        let answer = self.run(words)?;
        let id = answer["id"].as_str().map(str::to_owned);
        id.ok_or_else(|| io::Error::other(format!("{words:?} answered {answer}")))
    }

    /// Runs a command that must succeed.
    fn run(&self, words: &[&str]) -> io::Result<Value> {
        let said = self.command(words).output()?;
        if !said.status.success() {
            let why = String::from_utf8_lossy(&said.stderr).into_owned();
            return Err(io::Error::other(format!("{words:?} failed: {why}")));
        }
        Ok(serde_json::from_slice(&said.stdout)?)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--home").arg(self.path()).args(words).arg("--json");
        command
    }
}
