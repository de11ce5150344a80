//! Running the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use chat::ChatServer;
use serde_json::Value;
use tempfile::TempDir;

/// A home in a folder that vanishes, and the program on it.
pub(crate) struct Shell {
    folder: TempDir,
    home: PathBuf,
}

/// What a command answered.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Shell {
    pub(crate) fn new() -> Shell {
        Shell::at("home")
    }

    /// A home under another name.
    pub(crate) fn at(home: &str) -> Shell {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join(home);
        Shell { folder, home }
    }

    /// A home whose folder somebody has made.
    pub(crate) fn begun() -> Shell {
        let shell = Shell::new();
        fs::create_dir(shell.home()).unwrap();
        shell
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.home.clone()
    }

    /// Lets agents ask a model of this server.
    pub(crate) fn asks(&self, server: &ChatServer) {
        let config = format!(
            "[models]\ndefault = \"local/test-model\"\n[models.providers.local]\n\
             transport = \"openai_chat_completions\"\nbase_url = \"{}\"\n",
            server.base_url()
        );
        fs::create_dir_all(self.home()).unwrap();
        fs::write(self.home().join("config.toml"), config).unwrap();
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dormouse"));
        command.arg("--home").arg(self.home()).args(words);
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Said {
        Said::from(self.command(words).output().unwrap())
    }

    /// Runs with `--json` and expects success.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let said = self.run(&[words, &["--json"]].concat());
        assert_eq!(said.code, 0, "{words:?}: {said:?}");
        serde_json::from_str(&said.out).unwrap()
    }

    /// Runs with `--json` and expects an answer which says that what was waited for has failed.
    pub(crate) fn failed(&self, words: &[&str]) -> Value {
        let said = self.run(&[words, &["--json"]].concat());
        assert_eq!(said.code, 1, "{words:?}: {said:?}");
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(answer["brief"]["kind"], "failure", "{answer}");
        answer
    }

    /// Runs with `--json` and expects a failure with this code, and a hint.
    pub(crate) fn refused(&self, words: &[&str], code: &str) -> String {
        let said = self.run(&[words, &["--json"]].concat());
        said.refused(code)
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        Said {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Said {
    pub(crate) fn refused(&self, code: &str) -> String {
        let exit = if code == "wrong_usage" { 2 } else { 1 };
        assert_eq!((self.code, self.out.as_str()), (exit, ""), "{self:?}");
        let last = self.err.lines().last().unwrap();
        let error = &serde_json::from_str::<Value>(last).unwrap()["error"];
        assert_eq!(error["code"], code, "{self:?}");
        assert!(!error["hint"].as_str().unwrap().is_empty());
        error["message"].as_str().unwrap().to_owned()
    }
}
