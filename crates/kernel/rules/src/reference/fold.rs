//! Words without what people leave out when they type: case, accents, punctuation.

/// Words of a text that are looked at: a title has fewer, a document is not one.
const WORDS_MAX: usize = 32;

/// Words that refer to any task as well as to this one.
const FILLERS: [&str; 11] =
    ["a", "an", "the", "my", "our", "this", "that", "those", "task", "todo", "one"];

/// The words of a text, folded, in their order.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut folded = String::with_capacity(text.len());
    text.chars().flat_map(char::to_lowercase).for_each(|c| fold(c, &mut folded));
    folded.split_whitespace().take(WORDS_MAX).map(str::to_owned).collect()
}

/// The words without fillers, unless nothing else is there.
pub(super) fn telling(words: &[String]) -> Vec<&str> {
    let all = || words.iter().map(String::as_str);
    let telling: Vec<&str> = all().filter(|word| !FILLERS.contains(word)).collect();
    if telling.is_empty() { all().collect() } else { telling }
}

/// Writes a small letter as the plain letters that stand for it, and everything between words as a
/// space. Letters of other alphabets stay as they are.
fn fold(c: char, folded: &mut String) {
    let plain = match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ỉ' | 'ị' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ọ'..='ợ' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ụ'..='ự' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' | 'ỳ'..='ỹ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        // Accents that stand behind their letter, and apostrophes: `don't` is one word.
        '\u{300}'..='\u{36f}' | '\'' | '’' => "",
        c if c.is_alphanumeric() => return folded.push(c),
        _ => " ",
    };
    folded.push_str(plain);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_punctuation_are_folded() {
        for (text, expected) in [
            ("Write the Report!", "write the report"),
            ("  Zahnärztin –  Größe/Maß ", "zahnarztin grosse mass"),
            ("Don't; don’t", "dont dont"),
            ("Ćevapčići & crème brûlée", "cevapcici creme brulee"),
            ("cre\u{300}me, İstanbul", "creme istanbul"),
            ("Điện thoại", "dien thoai"),
            ("Łódź: œuvre", "lodz oeuvre"),
            ("v2.0 (draft)", "v2 0 draft"),
            ("отчёт 報告書", "отчёт 報告書"),
            ("🎉 -- !", ""),
        ] {
            assert_eq!(words(text).join(" "), expected);
        }
        assert_eq!(words(&"x ".repeat(1_000)).len(), WORDS_MAX);
    }

    #[test]
    fn fillers_are_left_out_unless_nothing_else_is_there() {
        assert_eq!(telling(&words("the report task")), ["report"]);
        assert_eq!(telling(&words("that one")), ["that", "one"]);
        assert!(telling(&[]).is_empty());
    }
}
