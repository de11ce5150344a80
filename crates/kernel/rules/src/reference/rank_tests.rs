use proptest::prelude::*;

use super::*;

/// Open tasks, the last one changed last. A title that starts with `-` is that of a closed one.
fn tasks(titles: &[&str]) -> Vec<Candidate> {
    let task = |(number, title): (i64, &&str)| Candidate {
        id: format!("task_{number:04}"),
        title: title.trim_start_matches('-').to_owned(),
        open: !title.starts_with('-'),
        updated_at: At::from_millis(number),
    };
    (1..).zip(titles).map(task).collect()
}

/// The numbers of the tasks that fit, best first, and the verdict.
fn ranked(query: &str, titles: &[&str]) -> (Vec<usize>, Verdict) {
    let Ranking { matches, verdict } = rank(query, &tasks(titles));
    (matches.iter().map(|found| found.id[5..].parse().unwrap()).collect(), verdict)
}

#[test]
fn the_task_that_is_meant_comes_first() {
    use Verdict::{Ambiguous, Clear, Exact};
    let titles = [
        "Write the quarterly report",
        "Call the dentist",
        "Pay Acme's invoice no. 1042",
        "Renew passport",
        "Zahnärztin anrufen",
        "Book flights to Lisbon for the offsite in March",
        "Review Q3 report",
    ];
    for (query, expected, verdict) in [
        ("Call the dentist", &[2][..], Exact),
        ("call the DENTIST!", &[2], Exact),
        ("zahnarztin anrufen", &[5], Exact),
        ("the dentist task", &[2], Clear),
        ("dentist", &[2], Clear),
        ("dentits", &[2], Clear),
        ("dent", &[2], Clear),
        ("acmes invoice", &[3], Clear),
        ("invoice acmes pay", &[3], Clear),
        ("1042", &[3], Clear),
        ("renew my pasport", &[4], Clear),
        ("quart report", &[1, 7], Clear),
        ("lisbon flights", &[6], Clear),
        ("report", &[7, 1], Ambiguous),
        ("quarterly numbers thing", &[1], Ambiguous),
        ("write a letter", &[1], Ambiguous),
    ] {
        assert_eq!(ranked(query, &titles), (expected.to_vec(), verdict), "{query}");
    }
    for query in ["", "  ", "?!", "groceries", "de", "th"] {
        assert_eq!(ranked(query, &titles), (vec![], Verdict::None), "{query}");
    }
}

#[test]
fn better_kinds_of_likeness_come_first_and_are_named() {
    let mut all = tasks(&[
        "Something about the garden, the house and reports",
        "Plan gardne and reports",
        "Plan gardening reports",
        "Plan garden reports",
        "Garden reports",
        "Repair the garden fence",
    ]);
    all[1].id = "task_garden-reports".to_owned();
    let named = |query: &str| -> Vec<(String, f64, &str)> {
        let found = rank(query, &all).matches.into_iter();
        found.map(|found| (found.id, found.confidence, found.why)).collect()
    };
    let expected = [
        ("task_0005", 0.95, "same title"),
        ("task_0004", 0.85, "all words in the title"),
        ("task_0001", 0.8, "all words in the title"),
        ("task_0003", 0.75, "all words begin words of the title"),
        ("task_garden-reports", 0.625, "all words in the title, some with a slip"),
        ("task_0006", 0.125, "some words in the title"),
    ];
    let expected = expected.map(|(id, confidence, why)| (id.to_owned(), confidence, why));
    assert_eq!(named("garden reports"), expected);
    let by_id = ("task_garden-reports".to_owned(), 0.98, "end of the id");
    assert_eq!(named("garden-reports")[..2], [by_id, expected[0].clone()]);
    assert_eq!(named("task_0006")[0], ("task_0006".to_owned(), 1.0, "same id"));
}

#[test]
fn an_id_or_its_end_wins_over_every_title() {
    let titles = ["task_0003", "0003", "-Something else", "0003 again"];
    for query in ["task_0003", "TASK_0003", " #task_0003 ", "0003", "…0003", "k_0003"] {
        let (order, verdict) = ranked(query, &titles);
        assert_eq!((order[0], verdict), (3, Verdict::Exact), "{query}");
    }
    let (order, verdict) = ranked("003", &titles);
    assert_eq!((order, verdict), (vec![], Verdict::None), "three characters are too few");
    let mut twice = tasks(&["One", "Two"]);
    twice[0].id = "task_x0002".to_owned();
    let ranking = rank("0002", &twice);
    assert_eq!((ranking.matches.len(), ranking.verdict), (2, Verdict::Ambiguous));
}

#[test]
fn equal_titles_are_always_ambiguous() {
    for (query, titles, expected) in [
        ("buy milk", &["Buy milk", "buy milk!"][..], vec![2, 1]),
        ("buy milk", &["Buy milk", "-Buy milk"], vec![1, 2]),
        ("milk", &["-Buy milk", "Buy milk"], vec![2, 1]),
        ("milk", &["Buy milk", "Feed the cat", "-Buy milk"], vec![1, 3]),
        ("🎉", &["🎉", "🎂", "🎉"], vec![3, 1]),
    ] {
        assert_eq!(ranked(query, titles), (expected, Verdict::Ambiguous), "{query} {titles:?}");
    }
    assert_eq!(ranked("🎉", &["🎉", "🎂"]), (vec![1], Verdict::Exact));
    let by_id = ranked("0001", &["Buy milk", "Buy milk"]);
    assert_eq!(by_id, (vec![1], Verdict::Exact), "an id tells them apart");
}

#[test]
fn open_tasks_come_before_closed_ones_then_what_changed_last_then_the_smaller_id() {
    let (order, verdict) = ranked("report", &["-Report Q3", "Report Q1", "Report Q2"]);
    assert_eq!((order, verdict), (vec![3, 2, 1], Verdict::Ambiguous));
    let (order, verdict) = ranked("write report", &["-Write report", "Write report on bees"]);
    assert_eq!((order, verdict), (vec![2, 1], Verdict::Ambiguous));
    assert_eq!(ranked("report", &["-Write report"]), (vec![1], Verdict::Clear));
    let mut same_time = tasks(&["Report Q1", "Report Q2"]);
    same_time[0].updated_at = same_time[1].updated_at;
    assert_eq!(rank("report", &same_time).matches[0].id, "task_0001");
}

#[test]
fn words_within_a_script_without_spaces_are_found() {
    let titles = ["四半期報告書を書く", "歯医者に電話する"];
    assert_eq!(ranked("報告書", &titles), (vec![1], Verdict::Clear));
    assert_eq!(ranked("歯医者に電話する", &titles), (vec![2], Verdict::Exact));
}

#[test]
fn only_so_many_matches_are_named() {
    let titles = vec!["Report"; 25];
    let (order, verdict) = ranked("report", &titles);
    assert_eq!((order.len(), verdict), (MATCHES_MAX, Verdict::Ambiguous));
}

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "report",
        "reprot",
        "rep",
        "the",
        "Milk",
        "milk!",
        "quarterly",
        "quaterly",
        "0001",
        "ä",
        "報",
    ]);
    let words = prop::collection::vec(word, 0..5).prop_map(|words| words.join(" "));
    prop_oneof![3 => words, 1 => any::<String>()]
}

fn candidates() -> impl Strategy<Value = Vec<Candidate>> {
    let candidate = (text(), any::<bool>(), 0..3_i64);
    prop::collection::vec(candidate, 0..20).prop_map(|all| {
        let numbered = (1..).zip(all).map(|(number, (title, open, updated_at))| Candidate {
            id: format!("task_{number:04}"),
            title,
            open,
            updated_at: At::from_millis(updated_at),
        });
        numbered.collect()
    })
}

proptest! {
    #[test]
    fn a_ranking_is_sorted_and_does_not_depend_on_the_order_of_the_candidates(
        query in text(),
        mut candidates in candidates(),
    ) {
        let ranking = rank(&query, &candidates);
        prop_assert!(ranking.matches.iter().all(|found| (0.0..=1.0).contains(&found.confidence)));
        prop_assert!(ranking.matches.is_sorted_by(|one, next| one.confidence >= next.confidence));
        prop_assert_eq!(ranking.matches.is_empty(), ranking.verdict == Verdict::None);
        if let [first, second, ..] = &ranking.matches[..] && ranking.verdict == Verdict::Clear {
            prop_assert!(first.confidence - second.confidence > 0.149);
        }
        candidates.reverse();
        prop_assert_eq!(rank(&query, &candidates), ranking);
    }

    #[test]
    fn an_open_task_comes_first_for_its_own_title(
        title in text().prop_map(|text| format!("x{text}")),
        mut candidates in candidates(),
    ) {
        let id = "task_wanted".to_owned();
        let updated_at = At::from_millis(9);
        candidates.push(Candidate { id, title: title.clone(), open: true, updated_at });
        let ranking = rank(&title, &candidates);
        prop_assert_eq!(&ranking.matches[0].id, "task_wanted");
        prop_assert!(matches!(ranking.verdict, Verdict::Exact | Verdict::Ambiguous));
    }

    #[test]
    fn nothing_that_is_typed_makes_it_panic(query in any::<String>(), id in any::<String>(), title in any::<String>()) {
        let strange = Candidate { id, title, open: true, updated_at: At::EPOCH };
        let ranking = rank(&query, &[strange.clone(), strange]);
        prop_assert!(ranking.matches.len() != 1);
    }
}
