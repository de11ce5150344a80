use super::*;
use proptest::prelude::*;
use types::{Category, LinkDraft, LinkId, Position, RecordDraft, RecordId, Relation, Task};

fn id(text: &str) -> RecordId {
    text.parse().unwrap()
}

fn about(text: &str) -> Touched {
    Touched::About(Token::entity(&id(text)))
}

fn seen(record: &str) -> Guard {
    Guard::Revision { record: id(record), expected: 1 }
}

fn task(name: &str) -> Write {
    let body = Task::new("t", "category_home".parse().unwrap());
    Write::Record(RecordDraft::live(id(name), body))
}

fn changing(name: &str) -> Reservation {
    Reservation::of_plan(&[seen(name)], &[task(name)])
}

fn reading(names: &[&str]) -> Reservation {
    let guards: Vec<Guard> = names.iter().map(|name| seen(name)).collect();
    Reservation::of_plan(&guards, &[])
}

#[test]
fn those_that_only_look_go_together_and_nobody_changes_what_another_looks_at() {
    let (a, b) = (changing("task_a"), changing("task_b"));
    assert!(!a.clashes_with(&b), "two tasks of one category are two things");
    assert!(a.clashes_with(&a.clone()), "one task is one");
    let look = reading(&["task_a", "task_b"]);
    assert!(!look.clashes_with(&look.clone()));
    assert!(look.clashes_with(&a) && a.clashes_with(&look));
    assert!(look.rests_on(&a) && !a.rests_on(&look), "who was looked at has not changed");
}

#[test]
fn who_has_listed_something_does_not_go_beside_whoever_adds_to_it() {
    let token = token::of_property(BodyType::Task, "category", &id("category_home"));
    let listed = Reservation::of_plan(&[Guard::Quiet { token, since: Position(7) }], &[]);
    assert!(listed.clashes_with(&changing("task_new")));
    let elsewhere = Write::Record(RecordDraft::live(id("category_x"), Category::named("x")));
    assert!(!listed.clashes_with(&Reservation::of_plan(&[], &[elsewhere])));
}

#[test]
fn what_only_one_may_bear_is_taken_by_one_at_a_time() {
    let running = |name: &str| {
        let guard = Guard::Unmarked { kind: BodyType::TimeEntry, mark: "running".to_owned() };
        Reservation::of_plan(&[guard], &[task(name)])
    };
    assert!(running("task_a").clashes_with(&running("task_b")));
    assert!(!running("task_a").clashes_with(&changing("task_b")));
}

#[test]
fn a_link_is_news_to_those_who_rest_on_either_end() {
    let link = Write::Link(LinkDraft {
        id: "link_1".parse::<LinkId>().unwrap(),
        from: id("task_a"),
        to: id("task_b"),
        relation: Relation::BETWEEN_TASKS[0].clone(),
        hidden: false,
        body: serde_json::Map::new(),
        deleted: false,
    });
    let linking = Reservation::of_plan(&[], &[link]);
    for end in ["task_a", "task_b"] {
        assert!(changing(end).rests_on(&linking), "{end}");
    }
    assert!(!changing("task_c").clashes_with(&linking));
}

#[test]
fn what_nobody_can_tell_apart_goes_alone() {
    let unknown = Reservation::of_plan(&[], &[Write::ReopenRuns]);
    assert!(unknown.alone && unknown.clashes_with(&reading(&[])));
}

#[test]
fn the_order_of_calls_that_clash_is_kept_and_the_others_go_past_them() {
    let calls = [changing("task_a"), changing("task_a"), reading(&["task_a"]), changing("task_b")];
    let stage = |stages: [Stage; 4]| {
        let held: Vec<_> = stages.into_iter().zip(&calls).collect();
        next(&held, 8)
    };
    use Stage::{Over, UnderWay, Waiting};
    assert_eq!(stage([Waiting; 4]), Some(0));
    assert_eq!(stage([UnderWay, Waiting, Waiting, Waiting]), Some(3));
    assert_eq!(stage([UnderWay, Waiting, Waiting, Over]), None);
    assert_eq!(stage([Over, Waiting, Waiting, Over]), Some(1), "the look waits for both");
    assert_eq!(stage([Over, Over, Waiting, Over]), Some(2));
    assert_eq!(stage([Waiting, UnderWay, Waiting, Over]), None, "one that begins anew waits too");
    let held: Vec<_> = [UnderWay, Waiting, Waiting, Waiting].into_iter().zip(&calls).collect();
    assert_eq!(next(&held, 1), None);
    let held: Vec<_> = [Waiting; 4].into_iter().zip(&calls).collect();
    assert_eq!(next(&held, 0), Some(0), "one at a time is the least");
}

fn some_names() -> impl Strategy<Value = BTreeSet<Touched>> {
    proptest::collection::btree_set((0..5u8).prop_map(|n| about(&format!("task_{n}"))), 0..3)
}

fn some_call() -> impl Strategy<Value = Reservation> {
    (some_names(), some_names(), some_names(), 0..12u8).prop_map(|(reads, writes, stirs, dice)| {
        Reservation { reads, writes, stirs, alone: dice == 0 }
    })
}

proptest! {
    /// Whatever is asked for, and whichever call is over first: all come to their end, those that clash
    /// never at once and in their order, and nobody who could go on is kept waiting.
    #[test]
    fn all_are_carried_out_and_those_that_clash_in_their_order(
        calls in proptest::collection::vec(some_call(), 0..12),
        at_once in 1..5usize,
        ends in proptest::collection::vec(0..100usize, 12),
    ) {
        let mut stages = vec![Stage::Waiting; calls.len()];
        let (mut begun, mut ends) = (Vec::new(), ends.into_iter());
        loop {
            let held = |stages: &[Stage]| -> Vec<(Stage, Reservation)> {
                stages.iter().copied().zip(calls.iter().cloned()).collect()
            };
            loop {
                let now = held(&stages);
                let now: Vec<_> = now.iter().map(|(stage, held)| (*stage, held)).collect();
                let Some(place) = next(&now, at_once) else { break };
                prop_assert_eq!(stages[place], Stage::Waiting);
                stages[place] = Stage::UnderWay;
                begun.push(place);
            }
            let under_way: Vec<usize> =
                (0..calls.len()).filter(|place| stages[*place] == Stage::UnderWay).collect();
            prop_assert!(under_way.len() <= at_once);
            for (n, one) in under_way.iter().enumerate() {
                for other in &under_way[n + 1..] {
                    prop_assert!(!calls[*one].clashes_with(&calls[*other]));
                }
            }
            if under_way.is_empty() {
                break;
            }
            stages[under_way[ends.next().unwrap_or(0) % under_way.len()]] = Stage::Over;
        }
        prop_assert!(stages.iter().all(|stage| *stage == Stage::Over), "{:?}", stages);
        for (n, one) in begun.iter().enumerate() {
            for later in &begun[n + 1..] {
                prop_assert!(one < later || !calls[*one].clashes_with(&calls[*later]));
            }
        }
    }
}
