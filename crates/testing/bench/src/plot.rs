//! Bars as SVG, drawn by hand: a plot is a few rectangles.

use std::fmt::Write;

/// Groups of bars: for each group a label, and for each series a value.
pub(crate) struct Bars<'a> {
    pub(crate) title: &'a str,
    pub(crate) unit: &'a str,
    pub(crate) series: &'a [&'a str],
    pub(crate) groups: Vec<(String, Vec<f64>)>,
}

const COLOURS: [&str; 3] = ["#3b6ea5", "#c9822b", "#6a9955"];
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const FLOOR: f64 = 270.0;
const CEILING: f64 = 60.0;

pub(crate) fn svg(bars: &Bars<'_>) -> String {
    let most = bars.groups.iter().flat_map(|(_, values)| values).fold(0.0_f64, |a, b| a.max(*b));
    let mut out = String::new();
    let style = "font-family='sans-serif' font-size='13' fill='#333'";
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' {style}>\
         <rect width='100%' height='100%' fill='white'/>\
         <text x='20' y='24' font-size='15'>{} ({})</text>",
        bars.title, bars.unit
    );
    for (place, name) in bars.series.iter().enumerate() {
        let x = 20.0 + 160.0 * count(place);
        let colour = COLOURS[place % COLOURS.len()];
        let _ = writeln!(
            out,
            "<rect x='{x}' y='34' width='12' height='12' fill='{colour}'/>\
             <text x='{}' y='45'>{name}</text>",
            x + 18.0
        );
    }
    let group_width = (WIDTH - 40.0) / count(bars.groups.len());
    for (place, (label, values)) in bars.groups.iter().enumerate() {
        let left = 20.0 + group_width * count(place);
        group(&mut out, left, group_width, label, values, most);
    }
    out + "</svg>\n"
}

fn group(out: &mut String, left: f64, width: f64, label: &str, values: &[f64], most: f64) {
    let bar = width * 0.8 / count(values.len());
    for (place, value) in values.iter().enumerate() {
        let height = (FLOOR - CEILING) * value / most;
        let (x, y) = (left + width * 0.1 + bar * count(place), FLOOR - height);
        let colour = COLOURS[place % COLOURS.len()];
        let _ = writeln!(
            out,
            "<rect x='{x:.1}' y='{y:.1}' width='{:.1}' height='{height:.1}' fill='{colour}'/>\
             <text x='{:.1}' y='{:.1}' text-anchor='middle' font-size='11'>{value:.0}</text>",
            bar * 0.9,
            x + bar * 0.45,
            y - 4.0
        );
    }
    let _ = writeln!(
        out,
        "<text x='{:.1}' y='{:.1}' text-anchor='middle'>{label}</text>",
        left + width / 2.0,
        FLOOR + 20.0
    );
}

#[expect(clippy::cast_precision_loss, reason = "a plot has few bars")]
fn count(number: usize) -> f64 {
    number as f64
}
