//! The report comparing two campaigns.

use super::page::{Page, table};
use super::{cell, number};
use crate::compare::{Difference, FALSE_ALARMS, Observations, Subject};

const HEADINGS: [&str; 7] = ["what", "before", "now", "effect", "test", "p", "false alarms"];

/// Returns the report on the differences between two campaigns with these names. The notes say what
/// else may be behind them.
pub fn comparison_report(
    names: (&str, &str),
    notes: &[String],
    (old, new): (&Observations, &Observations),
    differences: &[Difference],
) -> String {
    let mut page = Page::new("Vaultwright: comparison");
    page.lead(&format!("{} compared with {}", names.1, names.0));
    let real: Vec<&Difference> = differences.iter().filter(|d| d.is_real()).collect();
    page.cards(&[
        ("levels before", old.games.levels.to_string()),
        ("levels now", new.games.levels.to_string()),
        ("comparisons", differences.len().to_string()),
        ("beyond chance", real.len().to_string()),
    ]);
    notes.iter().for_each(|note| page.text(&format!("Note: {note}.")));
    page.text(&format!(
        "Beyond chance: at most {:.0} % of these are expected to be false alarms (Benjamini and Hochberg). The effect is \
         Cohen's h for shares and Cohen's d for means: 0.2 is small, 0.5 medium, 0.8 large. Levels of one game hang together, so the \
         game is the unit of each test. Games of the same seed are alike as far as nothing has changed, which makes the tests careful rather than bold.",
        FALSE_ALARMS * 100.0
    ));
    for subject in Subject::ALL {
        let (id, title) = match subject {
            Subject::Map => ("maps", "Maps"),
            Subject::GamesWithMap => ("games", "Maps by games"),
            Subject::Veto => ("vetoes", "Vetoes"),
            Subject::Failure => ("failures", "Levels that failed"),
            Subject::Quantity => ("levels", "Levels"),
            Subject::Feature => ("features", "Features"),
            Subject::Monster => ("monsters", "Monsters"),
        };
        page.section(id, title);
        page.text(&format!("Values: {}.", subject.describe()));
        let of_it = real.iter().filter(|difference| difference.subject == subject);
        let rows: Vec<String> = of_it.map(|difference| row(difference)).collect();
        page.html(&table(&HEADINGS, &rows));
    }
    page.section("rest", "Not beyond chance");
    page.text("The largest of the other differences, for what they are worth.");
    let rest = differences.iter().filter(|d| !d.is_real() && d.old != d.new);
    let rows: Vec<String> = rest.take(200).map(row).collect();
    page.html(&table(&HEADINGS, &rows));
    page.finish()
}

fn row(difference: &Difference) -> String {
    let value = |value: f64| number(value, &difference.subject.show(value));
    let effect = difference.effect;
    let class = if effect > 0.0 { "n good" } else { "n bad" };
    format!(
        "{}{}{}<td class='{class}' data-v={effect}>{effect:+.2}</td>{}{}{}",
        cell(&difference.name),
        value(difference.old),
        value(difference.new),
        cell(difference.test),
        number(difference.p, &format!("{:.1e}", difference.p)),
        number(difference.q, &format!("{:.1e}", difference.q))
    )
}
