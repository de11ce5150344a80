//! Times counted from now: `in 3 days`, `20 min ago`, `+3d`, `-2h`.

use jiff::Timestamp;
use jiff::civil::Date;

use super::amount::{self, Amount};
use super::here::Here;
use super::spoken::Read;

/// Where counting from now leads.
pub(super) enum Shift {
    /// To a day, if only days and longer were counted.
    Day(Date),
    /// To an instant, as soon as hours or minutes were.
    Instant(Timestamp),
}

/// Reads an amount that is counted from now.
pub(super) fn read(words: &[&str], here: &Here) -> Read<Shift> {
    let Some((amount, sign, used)) = signed(words)? else { return Ok(None) };
    let span = amount.span(sign)?;
    let shift = if amount.is_whole_days() {
        Shift::Day(here.day_after(span)?)
    } else {
        Shift::Instant(here.instant_after(span)?)
    };
    Ok(Some((shift, used)))
}

/// The amount, whether it is counted forwards or back, and the words that say so.
fn signed(words: &[&str]) -> Result<Option<(Amount, i64, usize)>, String> {
    let Some((first, behind)) = words.split_first() else { return Ok(None) };
    if *first == "in" {
        return Ok(amount::read(behind)?.map(|(amount, used)| (amount, 1, used + 1)));
    }
    let sign = if first.starts_with('-') { -1 } else { 1 };
    if let Some(unsigned) = first.strip_prefix(['+', '-']) {
        let unsigned: Vec<&str> = [unsigned].into_iter().chain(behind.iter().copied()).collect();
        return Ok(amount::read(&unsigned)?.map(|(amount, used)| (amount, sign, used)));
    }
    // Whether `20 min` is an amount is only known from the word behind it.
    if !words.contains(&"ago") {
        return Ok(None);
    }
    let ago = |(_, used): &(Amount, usize)| words.get(*used) == Some(&"ago");
    Ok(amount::read(words)?.filter(ago).map(|(amount, used)| (amount, -1, used + 1)))
}
