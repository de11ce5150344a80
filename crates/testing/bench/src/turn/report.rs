//! The report that is kept.

use std::fs;
use std::path::Path;

use super::run::Measured;
use crate::figures::Figures;
use crate::machine;
use crate::plot::{self, Bars};

pub(super) fn keep(folder: &Path, figures: &Figures, measured: &Measured) {
    let report = format!(
        "# Turns beside the floor turn\n\n\
         Machine: {}\n\n\
         Command: `cargo run --release -p bench -- turn --keep docs/benchmarks`\n\n\
         {}\n{EXPLANATION}\n\
         ## The code of the floor turn\n\n```rust\n{}```\n",
        machine::describe(),
        figures.markdown(),
        include_str!("floor.rs"),
    );
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("the report can be written");
    };
    fs::create_dir_all(folder).expect("the folder can be made");
    write("turn.md", &report);
    write("turn.json", &format!("{:#}\n", figures.json()));
    let series = &["the product", "the floor turn"];
    let alone = Bars {
        title: "A turn with one call of a tool, one agent",
        unit: "microseconds, less is better",
        series,
        groups: vec![("median".to_owned(), vec![measured.alone.ours, measured.alone.floor])],
    };
    write("turn-alone.svg", &plot::svg(&alone));
    let groups = measured.crowds.iter();
    let groups =
        groups.map(|crowd| (format!("{} agents", crowd.agents), vec![crowd.ours, crowd.floor]));
    let unit = "more is better";
    let crowds = Bars { title: "Turns a second", unit, series, groups: groups.collect() };
    write("turn-throughput.svg", &plot::svg(&crowds));
}

const EXPLANATION: &str = "\
![alone](turn-alone.svg)

![throughput](turn-throughput.svg)

**A turn.** Somebody says ten words to a task agent: the prompt is let in and durable, the embedded \
dispatcher finds it, the turn is taken with the real model adapter over the real way out to a Chat \
Completions server on this machine, which asks for one item on the checklist and then says a few words. \
It is timed from before the prompt is handed to the door until the end of the run is durable. Whatever \
is not a turn with two calls of the model and one of a tool stops the benchmark.

**The floor turn.** The same two requests, byte for byte those of an agent's twelfth turn, to the same \
server, and four commits of one row of 200 bytes to one SQLite file, `synchronous=FULL`; whatever waits \
is committed together. Nothing is read, parsed, checked or remembered. The server finds what it needs in the words without reading them \
whole, so that it weighs little on both sides.

**The profile.** As a server of the product, except that nobody is told to wait: no cooldown, no hourly \
rate, no full mailbox, no daily budget, 50 runs at once. All that is said to an agent is one conversation.

**Alone.** One agent, stretches of 25 turns of each side in turn; the checklist is cleared between them, \
outside of what is timed. **Many.** Each agent has somebody who speaks to it again as soon as its turn is \
over; the floor has as many in flight as the product may have. Rounds of each side in turn; the ratio is \
the median of theirs. In the end each agent has had some twenty-five turns. \
The product is held up by the processors: a crowd takes nearly all that two of them have. The floor is held up by the disk and \
by the server's share of them, so the ratio falls where the disk is fast, and with a server that is cheaper still: \
processor time is told beside it. It is that of the whole process, the server's part in it.

**Age.** The old agent lives alone in a home of its own, and so does the young one, so that what else has \
grown counts too. Both lists are cleared every 50 turns. The hundred turns around the young one's \
hundredth are measured, five by five in turn with a hundred of the old one.

**The disk.** Waits are counted by a disc under SQLite that knows every sync; bytes are the growth of both \
write-ahead logs while nothing is folded back.

**Memory.** Processes of their own open the home, let every agent run that has not yet, as \
many at once as a server of the product lets, and come to rest.
";
