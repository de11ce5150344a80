//! Slips of the finger: a letter too many, too few, wrong, or swapped with its neighbour.

/// Letters below which a word with a slip is more likely another word.
const LETTERS_MIN: usize = 5;

/// Letters from which a word may have two slips.
const LETTERS_FOR_TWO: usize = 8;

/// Letters of a word that is compared: longer ones are not words that somebody typed.
const LETTERS_MAX: usize = 32;

/// Whether two words are the same but for a slip, or two if they are long.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    let allowed = if shorter < LETTERS_FOR_TWO { 1 } else { 2 };
    shorter >= LETTERS_MIN
        && longer <= LETTERS_MAX
        && longer - shorter <= allowed
        && distance(&one, &other) <= allowed
}

/// How many slips lead from one to the other, a swap of neighbours counting as one.
fn distance(one: &[char], other: &[char]) -> usize {
    // Three rows of the table are enough: a swap looks two rows back.
    let mut before: Vec<usize> = vec![0; other.len() + 1];
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let same = one[i - 1] == other[j - 1];
            let wrong = above[j - 1] + usize::from(!same);
            let mut least = wrong.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_have_no_slips_and_long_ones_up_to_two() {
        for (one, other, expected) in [
            ("report", "repotr", true),
            ("report", "reprt", true),
            ("report", "reports", true),
            ("report", "rapport", false),
            ("dentist", "dentits", true),
            ("dentist", "dnetits", false),
            ("quarterly", "quatrely", true),
            ("quarterly", "qatrely", false),
            ("card", "cart", false),
            ("cards", "carts", true),
            ("apple", "apple", true),
            ("", "", false),
        ] {
            assert_eq!(is_slip(one, other), expected, "{one} {other}");
            assert_eq!(is_slip(other, one), expected, "{other} {one}");
        }
        assert!(!is_slip(&"x".repeat(LETTERS_MAX + 1), &"x".repeat(LETTERS_MAX + 1)));
    }
}
