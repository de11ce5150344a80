//! A Chat Completions server that anybody can talk to: `chat-server --listen ADDR --script NAME`.

use std::net::TcpListener;
use std::process::ExitCode;

use chat::{ChatServer, NAMES, named};
use clap::Parser;

/// A Chat Completions server that says what a script says. It is for tests: nothing in it is a model.
#[derive(Parser)]
struct Arguments {
    /// Where to listen; port 0 takes any that is free.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: String,
    /// What to say.
    #[arg(long, default_value = "hello")]
    script: String,
    /// The key that callers need; none, if absent.
    #[arg(long)]
    key: Option<String>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(script) = named(&arguments.script) else {
        complain(&format!("there is no script {:?}; there are:", arguments.script));
        for (name, what) in NAMES {
            complain(&format!("  {name:16} {what}"));
        }
        return ExitCode::from(2);
    };
    let started = TcpListener::bind(&arguments.listen)
        .and_then(|listener| ChatServer::on(listener, script, arguments.key));
    match started {
        Ok((server, serving)) => {
            say(&server.base_url());
            serving.await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(&format!("cannot listen at {}: {error}", arguments.listen));
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "the address is what whoever starts it waits for")]
fn say(line: &str) {
    println!("{line}");
}

#[expect(clippy::print_stderr, reason = "people read it")]
fn complain(line: &str) {
    eprintln!("{line}");
}
