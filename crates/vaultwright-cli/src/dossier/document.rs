//! A document of few kinds of parts, written as Markdown or as HTML.

use std::fmt::Write;

/// A part of a document. All text is shown as it is, whatever signs it has.
pub enum Part {
    Heading(usize, String),
    Text(String),
    /// Lines in a fixed width.
    Block(String),
    /// Its columns' names and its rows.
    Table(&'static [&'static str], Vec<Vec<String>>),
    List(Vec<String>),
}

/// Writes the parts as Markdown.
pub fn markdown(parts: &[Part]) -> String {
    let mut out = String::new();
    for part in parts {
        // Writing to a string cannot fail.
        let _ = match part {
            Part::Heading(level, text) => writeln!(out, "{} {}\n", "#".repeat(*level), plain(text)),
            Part::Text(text) => writeln!(out, "{}\n", plain(text)),
            Part::Block(text) => {
                let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
                writeln!(out, "{fence}text\n{}\n{fence}\n", text.trim_end())
            }
            Part::Table(columns, rows) => {
                let _ = writeln!(out, "| {} |", columns.join(" | "));
                let _ = writeln!(out, "|{}", " --- |".repeat(columns.len()));
                for row in rows {
                    let cells: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
                    let _ = writeln!(out, "| {} |", cells.join(" | "));
                }
                writeln!(out)
            }
            Part::List(lines) => {
                for line in lines {
                    let _ = writeln!(out, "- {}", plain(line));
                }
                writeln!(out)
            }
        };
    }
    out
}

/// Writes the parts as a page of HTML that needs nothing else.
pub fn html(title: &str, parts: &[Part]) -> String {
    const STYLE: &str = "body{font:15px/1.4 sans-serif;max-width:72em;margin:2em auto;padding:0 1em}\
        pre{background:#111;color:#ddd;padding:.6em;overflow:auto;line-height:1.15}\
        table{border-collapse:collapse}td,th{padding:.15em .8em;border:1px solid #bbb}";
    let title = escaped(title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n"
    );
    for part in parts {
        let _ = match part {
            Part::Heading(level, text) => writeln!(out, "<h{level}>{}</h{level}>", escaped(text)),
            Part::Text(text) => writeln!(out, "<p>{}</p>", escaped(text)),
            Part::Block(text) => writeln!(out, "<pre>{}</pre>", escaped(text.trim_end())),
            Part::Table(columns, rows) => {
                let head: String = columns.iter().map(|name| format!("<th>{name}</th>")).collect();
                let _ = writeln!(out, "<table><tr>{head}</tr>");
                for row in rows {
                    let cells: String =
                        row.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
                    let _ = writeln!(out, "<tr>{cells}</tr>");
                }
                writeln!(out, "</table>")
            }
            Part::List(lines) => {
                let items: String =
                    lines.iter().map(|line| format!("<li>{}</li>", escaped(line))).collect();
                writeln!(out, "<ul>{items}</ul>")
            }
        };
    }
    out.push_str("</body></html>\n");
    out
}

/// Returns a line in which no sign means anything to Markdown.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '@' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn longest_run(text: &str, sign: char) -> usize {
    text.split(|c| c != sign).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_strangers_write_means_nothing_in_either_form() {
        let parts = [
            Part::Text("a_b <script> `x` | @all".to_owned()),
            Part::Block("```\nx</pre>".to_owned()),
            Part::Table(&["name"], vec![vec!["a|b".to_owned()]]),
        ];
        let text = markdown(&parts);
        assert!(text.contains("a\\_b &lt;script> \\`x\\` \\| \\@all"), "{text}");
        assert!(text.contains("````text\n```\n"), "{text}");
        assert!(text.contains("| a\\|b |"), "{text}");
        let page = html("<t>", &parts);
        assert!(page.contains("&lt;script&gt;") && page.contains("x&lt;/pre&gt;"), "{page}");
        assert!(!page.contains("<script>") && page.contains("<title>&lt;t&gt;"), "{page}");
    }
}
