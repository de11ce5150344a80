//! The program killed with agents at work.

use crash::turns::{Kills, run};

#[test]
fn what_agents_were_asked_for_is_done_once_however_often_the_server_is_killed() {
    let program = env!("CARGO_BIN_EXE_dormouse").into();
    let summary = run(&Kills { program, times: 20, from: 0 }).unwrap();
    assert!(summary.failures.is_empty(), "{:#?}", summary.failures);
    assert_eq!((summary.kills, summary.homes), (20, 1));
    assert!(summary.acknowledged > 0 && summary.planned >= summary.acknowledged, "{summary:?}");
}
