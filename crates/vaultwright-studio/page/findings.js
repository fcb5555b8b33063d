// What is wrong with the text: a list below it, with fixes.

import { button, counted, el, fill } from "./elements.js";

/** The list of findings of the open file. */
export class Findings {
  constructor({ goTo, apply }) {
    this.goTo = goTo;
    this.apply = apply;
    this.all = [];
    this.at = -1;
    this.summary = el("span", {
      class: "summary",
      role: "status",
      "aria-live": "polite",
      id: "findings-count",
    });
    this.fixAll = button("Fix all that is safe", () => this.applySafe(), {
      class: "small",
      hidden: true,
    });
    this.list = el("ul", { class: "findings", "aria-label": "Findings", tabindex: "-1" });
    this.element = el(
      "section",
      { class: "findings-pane", "aria-label": "Findings" },
      el("header", {}, this.summary, this.fixAll),
      this.list,
    );
  }

  show(findings, maps) {
    this.all = findings;
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const warnings = findings.length - errors;
    const parts = [];
    if (errors) parts.push(counted(errors, "error"));
    if (warnings) parts.push(counted(warnings, "warning"));
    const text =
      parts.join(", ") || `Nothing to complain of${maps ? ` in ${counted(maps, "map")}` : ""}`;
    if (this.summary.textContent !== text) this.summary.textContent = text;
    this.summary.className = `summary ${errors ? "error" : warnings ? "warning" : "good"}`;
    const safe = findings.flatMap(({ fixes }) => fixes).filter((fix) => fix.safe);
    this.fixAll.hidden = safe.length < 2;
    this.element.classList.toggle("empty", findings.length === 0);
    const sorted = [...findings].sort((a, b) => a.from - b.from);
    const shown = sorted.slice(0, 200).map((finding) => this.row(finding));
    if (sorted.length > 200)
      shown.push(el("li", { class: "more" }, `and ${sorted.length - 200} more`));
    fill(this.list, shown);
  }

  /** The check itself has failed. */
  fail(message) {
    this.all = [];
    this.summary.textContent = message;
    this.summary.className = "summary error";
    this.fixAll.hidden = true;
    this.element.classList.add("empty");
    fill(this.list);
  }

  row(finding) {
    const fixes = finding.fixes.map((fix) =>
      button(fix.title, () => this.apply([fix]), {
        class: fix.safe ? "fix safe" : "fix",
        title: fix.safe ? "Keeps what is meant" : "Look at what it changes",
      }),
    );
    return el(
      "li",
      { class: finding.severity },
      button(
        [
          el("span", { class: "code-name" }, finding.code ?? finding.severity),
          el("span", { class: "message" }, finding.message),
          finding.hint ? el("span", { class: "hint" }, finding.hint) : null,
          el(
            "span",
            { class: "where" },
            finding.map ? `${finding.map}, ` : "",
            `line ${finding.line + 1}`,
          ),
        ],
        () => this.goTo(finding),
        { class: "finding" },
      ),
      fixes.length ? el("div", { class: "fixes" }, fixes) : null,
    );
  }

  applySafe() {
    const fixes = this.all.flatMap(({ fixes: own }) => own.filter((fix) => fix.safe).slice(0, 1));
    this.apply(fixes);
  }

  /** The finding at a place, or the next one behind it. */
  next(offset, backwards) {
    const sorted = [...this.all].sort((a, b) => a.from - b.from);
    if (backwards) return sorted.findLast(({ from }) => from < offset) ?? sorted.at(-1);
    return sorted.find(({ from }) => from > offset) ?? sorted[0];
  }

  /** Findings that cover an offset, or else its line. */
  around(offset, line) {
    const covering = this.all.filter(({ from, to }) => from <= offset && offset <= to);
    return covering.length ? covering : this.all.filter((finding) => finding.line === line);
  }
}
