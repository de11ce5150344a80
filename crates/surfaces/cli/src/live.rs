//! Showing what an agent says while it says it.

use api_types::{ChunkReply, LiveEvent, ProblemReply, QueuedReply, Request};
use clap::Args;
use client::Client;

use crate::number::whole_number;
use crate::prompt::{answered, ended, say_if_again};
use crate::run::Ended;
use crate::screen::Screen;

#[derive(Debug, Args)]
pub(crate) struct FollowWords {
    /// The agent's id, or its last characters, four or more
    pub(crate) agent: String,
    /// Which run, by its name or the beginning of it [default: the one that is under way, or the last]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Only what comes after this piece of it, such as 0.17; `--json` shows how each is called
    #[arg(long, value_name = "PIECE")]
    pub(crate) after: Option<String>,
    /// Wait no longer than this for its end
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) timeout: u64,
}

/// Follows a run, and shows what came of it.
pub(crate) fn follow(
    words: FollowWords,
    client: &Client,
    screen: &Screen,
) -> Result<Ended, ProblemReply> {
    let FollowWords { agent, run, after, timeout } = words;
    let wait_ms = Some(timeout.saturating_mul(1_000));
    show(Request::RunFollow { agent, run, after, wait_ms }, client, screen)
}

/// Asks, shows the words as they come, and then what is shown to whoever only waits.
pub(crate) fn show(
    request: Request,
    client: &Client,
    screen: &Screen,
) -> Result<Ended, ProblemReply> {
    // Whoever follows wants to see it now.
    screen.release();
    let mut shown = Shown::default();
    let queued = client.follow(request, &mut |chunk| match screen.is_json() {
        true => screen.show_json(chunk),
        false => shown.hear(chunk, screen),
    });
    if queued.is_err() {
        shown.end_line(screen);
    }
    let queued: QueuedReply = queued?;
    shown.end_line(screen);
    say_if_again(&queued, screen);
    if !shown.is_all_of(&queued) {
        screen.show(&queued, answered);
    }
    Ok(ended(&queued))
}

/// What is on the screen of the round that is being said.
#[derive(Debug, Default)]
struct Shown {
    round: u32,
    text: String,
}

impl Shown {
    fn hear(&mut self, chunk: &ChunkReply, screen: &Screen) {
        if chunk.round != self.round {
            self.end_line(screen);
            *self = Shown { round: chunk.round, text: String::new() };
        }
        match &chunk.what {
            LiveEvent::TextDelta { delta } => {
                screen.write_words(delta);
                self.text.push_str(delta);
            }
            LiveEvent::ToolCall { name, .. } => self.say(&format!("it asks for {name}"), screen),
            LiveEvent::ToolResult { name, ok: true, .. } => {
                self.say(&format!("{name}: done"), screen);
            }
            LiveEvent::ToolResult { name, ok: false, output } => {
                let short = &output[..output.floor_char_boundary(200.min(output.len()))];
                self.say(&format!("{name}: {short}"), screen);
            }
            LiveEvent::Restart {} => {
                self.say("it broke off and begins again", screen);
                self.text.clear();
            }
        }
    }

    /// Says something besides, on a line of its own.
    fn say(&mut self, line: &str, screen: &Screen) {
        self.end_line(screen);
        screen.say(line);
    }

    fn end_line(&mut self, screen: &Screen) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            screen.write_words("\n");
            self.text.push('\n');
        }
    }

    /// Whether the last that was shown is what came of it.
    fn is_all_of(&self, queued: &QueuedReply) -> bool {
        let brief = queued.brief.as_ref().filter(|brief| brief.kind == "result");
        brief.is_some_and(|brief| {
            !self.text.is_empty() && brief.text.trim_end() == self.text.trim_end()
        })
    }
}
