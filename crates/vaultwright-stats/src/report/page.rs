//! A page of sections, with its style and scripts.

use vaultwright_render::escape_xml;

/// A page under construction.
pub struct Page {
    title: String,
    body: String,
    sections: Vec<(String, String)>,
}

impl Page {
    pub fn new(title: &str) -> Page {
        Page { title: title.to_owned(), body: String::new(), sections: Vec::new() }
    }

    /// Adds the line below the title.
    pub fn lead(&mut self, text: &str) {
        self.html(&format!("<p class=lead>{}</p>", escape(text)));
    }

    /// Adds important numbers in large print.
    pub fn cards(&mut self, cards: &[(&str, String)]) {
        let card = |(what, value): &(&str, String)| {
            format!("<div class=card><b>{}</b><span>{}</span></div>", escape(value), escape(what))
        };
        let cards: String = cards.iter().map(card).collect();
        self.html(&format!("<div class=cards>{cards}</div>"));
    }

    /// Begins a section.
    pub fn section(&mut self, id: &str, title: &str) {
        self.sections.push((id.to_owned(), title.to_owned()));
        self.html(&format!("<h2 id={id}>{}</h2>", escape(title)));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: &str) {
        self.html(&format!("<p>{}</p>", escape(text)));
    }

    /// Adds HTML as it is.
    pub fn html(&mut self, html: &str) {
        self.body.push_str(html);
        self.body.push('\n');
    }

    /// Returns the complete HTML file.
    pub fn finish(self) -> String {
        let link = |(id, title): &(String, String)| format!("<a href=#{id}>{}</a>", escape(title));
        let links: String = self.sections.iter().map(link).collect();
        let title = escape(&self.title);
        format!(
            "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n\
             <meta name=viewport content='width=device-width'>\n<title>{title}</title>\n\
             <style>\n{}</style></head>\n<body>\n<header><h1>{title}</h1><nav>{links}</nav></header>\n\
             <main>\n{}</main>\n<script>\n{}</script></body></html>\n",
            include_str!("style.css"),
            self.body,
            include_str!("script.js"),
        )
    }
}

pub fn escape(text: &str) -> String {
    escape_xml(text)
}

/// Returns a sortable table. Long tables can also be filtered.
pub fn table(headings: &[&str], rows: &[String]) -> String {
    if rows.is_empty() {
        return "<p class=none>None.</p>".to_owned();
    }
    let headings: String = headings.iter().map(|h| format!("<th>{}</th>", escape(h))).collect();
    let rows: String = rows.iter().map(|row| format!("<tr>{row}</tr>\n")).collect();
    format!(
        "<div class=table><table class=sortable><thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>"
    )
}

/// Returns an image embedded in the page.
pub fn image(png: &[u8], alt: &str) -> String {
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    format!("<img loading=lazy alt=\"{}\" src='data:image/png;base64,{data}'>", escape(alt))
}
