use super::*;
use crate::matching::draft;
use crate::run_key::Cause;
use types::{At, Author, Counter, Digest, Epoch, Origin, Properties, RunDraft, RunKey, WakeReason};

fn minded() -> Relevance {
    Relevance::fields(&[("TASK", &["status"])])
}

fn agent() -> AgentId {
    "agent_a".parse().unwrap()
}

fn change(author: Author, image: Image) -> ChangeRecord {
    ChangeRecord {
        position: Position(3),
        host: "host_a".parse().unwrap(),
        counter: Counter(3),
        origin: Origin::Local,
        author,
        at: At::EPOCH,
        logical_change_key: Digest::ZERO,
        tokens: vec![],
        images: vec![image],
    }
}

fn edit(kind: &str, field: &str) -> Image {
    let side = Some(Properties::from([("agent".to_owned(), "agent_a".to_owned())]));
    Image {
        id: "task_1".parse().unwrap(),
        kind: kind.to_owned(),
        before: side.clone(),
        after: side,
        fields: [field.to_owned()].into(),
    }
}

fn run(reason: WakeReason) -> Run {
    let draft = RunDraft { reason, ..draft(&agent(), &Cause::Manual { request: "r" }, None) };
    Run::queued(draft, 1, At::EPOCH)
}

fn own() -> Author {
    Author::Agent { agent: agent(), run: RunKey(Digest::ZERO), epoch: Epoch::default() }
}

fn look(run: &Run, changes: Vec<ChangeRecord>, relevance: &Relevance) -> Finding {
    see(run, &Delta { head: Position(3), changes, ..Delta::default() }, relevance)
}

fn see(run: &Run, journal: &Delta, relevance: &Relevance) -> Finding {
    see_if(run, journal, relevance, false)
}

fn see_if(run: &Run, journal: &Delta, relevance: &Relevance, overtaken: bool) -> Finding {
    let sight = Sight {
        agent: &agent(),
        run,
        first: false,
        overtaken,
        from: (Position(1), Position(0)),
        journal,
        own: &Delta::default(),
        hints: &[],
    };
    decide(&sight, relevance)
}

fn rule(finding: Finding) -> String {
    match finding {
        Finding::Nothing(receipt) => receipt.rule,
        Finding::Something(why) => panic!("{why}"),
    }
}

#[test]
fn the_receipt_names_what_was_looked_at_and_which_rule_spoke() {
    let changes =
        vec![change(Author::Operator, edit("TASK", "title")), change(own(), edit("TASK", "x"))];
    let tick = run(WakeReason::Subscription);
    let Finding::Nothing(receipt) = look(&tick, changes.clone(), &Relevance::Nothing) else {
        panic!("a watcher found something to decide");
    };
    assert_eq!((receipt.rule.as_str(), receipt.changes_seen), ("nothing_relevant", 1));
    assert_eq!((receipt.journal_from, receipt.journal_to), (Position(1), Position(3)));
    assert_eq!(rule(look(&tick, changes[1..].to_vec(), &Relevance::Nothing)), "nothing_changed");
}

#[test]
fn only_the_templates_fields_are_relevant_and_only_from_others() {
    let tick = run(WakeReason::Timer);
    let title = change(Author::Operator, edit("TASK", "title"));
    let status = change(Author::Operator, edit("TASK", "status"));
    let mine = change(own(), edit("TASK", "status"));
    assert_eq!(rule(look(&tick, vec![title.clone(), mine], &minded())), "nothing_relevant");
    let found = look(&tick, vec![title, status], &minded());
    assert_eq!(found, Finding::Something("relevant_change"));
    let born = Image { before: None, ..edit("TASK", "title") };
    let found = look(&tick, vec![change(Author::Operator, born)], &minded());
    assert_eq!(found, Finding::Something("relevant_change"));
    let other = change(Author::Operator, edit("CATEGORY", "status"));
    assert_eq!(rule(look(&tick, vec![other.clone()], &minded())), "nothing_relevant");
    let found = look(&tick, vec![other], &Relevance::Everything);
    assert_eq!(found, Finding::Something("relevant_change"));
    assert_eq!(rule(look(&tick, vec![], &Relevance::Everything)), "nothing_changed");
}

#[test]
fn words_first_wakes_and_schedules_that_insist_take_a_turn_whatever_changed() {
    for reason in WakeReason::ALL {
        let found = look(&run(reason), vec![], &minded());
        assert_eq!(matches!(found, Finding::Something("spoken_to")), !reason.is_content_free());
    }
    let mut timer = run(WakeReason::Timer);
    timer.draft.insist = true;
    assert_eq!(look(&timer, vec![], &minded()), Finding::Something("always"));
    let mut begun_before = run(WakeReason::Tick);
    begun_before.attempt = 1;
    assert_eq!(look(&begun_before, vec![], &minded()), Finding::Something("tried_before"));
}

#[test]
fn who_was_overtaken_decides_by_what_has_changed_since() {
    let mut tried = run(WakeReason::Tick);
    tried.attempt = 1;
    let since = |changes| Delta { head: Position(3), changes, ..Delta::default() };
    let overtaken = |changes| see_if(&tried, &since(changes), &minded(), true);
    assert_eq!(rule(overtaken(vec![])), "nothing_changed");
    let status = change(Author::Operator, edit("TASK", "status"));
    assert_eq!(overtaken(vec![status]), Finding::Something("relevant_change"));
    tried.draft.insist = true;
    assert_eq!(see_if(&tried, &since(vec![]), &minded(), true), Finding::Something("always"));
}

#[test]
fn whoever_has_missed_what_is_not_known_any_more_looks_at_everything() {
    let missed = Delta { head: Position(3), trimmed: true, ..Delta::default() };
    let tick = run(WakeReason::Tick);
    assert_eq!(see(&tick, &missed, &minded()), Finding::Something("looked_long_ago"));
    assert_eq!(rule(see(&tick, &missed, &Relevance::Nothing)), "nothing_changed");
}

#[test]
fn a_relation_that_came_or_went_is_a_fact_to_whoever_minds_anything() {
    let tokens = vec![types::Token::entity(&"task_1".parse().unwrap())];
    let by = |author| ChangeRecord {
        tokens: tokens.clone(),
        images: vec![],
        ..change(author, edit("TASK", "title"))
    };
    let tick = run(WakeReason::Subscription);
    let found = look(&tick, vec![by(Author::Operator)], &minded());
    assert_eq!(found, Finding::Something("relation_changed"));
    assert_eq!(rule(look(&tick, vec![by(own())], &minded())), "nothing_changed");
    let found = look(&tick, vec![by(Author::Operator)], &Relevance::Nothing);
    assert_eq!(rule(found), "nothing_relevant");
}

#[test]
fn a_task_is_late_once_and_only_while_it_is_open() {
    let mut task = Task::new("ferns", "category_home".parse().unwrap());
    let at = |text: &str| -> At { text.parse().unwrap() };
    let (before, after) = (at("2026-11-15T23:00:00Z"), at("2026-11-16T00:30:00Z"));
    assert!(!is_late_since(&task, before, after, "UTC"), "it is due at no time");
    task.due = Some("2026-11-15".parse().unwrap());
    assert!(is_late_since(&task, before, after, "UTC"));
    assert!(!is_late_since(&task, before, after, "Europe/Berlin"), "there it was late before");
    assert!(!is_late_since(&task, after, after.plus_millis(1), "UTC"));
    assert!(!is_late_since(&task, after, before, "UTC"), "a clock that was set back");
    task.status = types::TaskStatus::Done;
    assert!(!is_late_since(&task, before, after, "UTC"));
}

#[test]
fn the_end_of_a_wait_is_a_fact() {
    let mut image = edit(BodyType::AgentWait.semantic_key(), "state");
    let tick = run(WakeReason::Tick);
    let set = |image: &mut Image, state: &str| {
        image.after.as_mut().unwrap().insert("state".to_owned(), state.to_owned());
    };
    set(&mut image, "expired");
    let found = look(&tick, vec![change(Author::Runtime, image.clone())], &Relevance::Nothing);
    assert_eq!(found, Finding::Something("a_wait_ended"));
    set(&mut image, "open");
    let found = look(&tick, vec![change(Author::Runtime, image)], &Relevance::Nothing);
    assert_eq!(rule(found), "nothing_relevant");
}
