// What is told of a cell of a roll: what it is, which lines made it, what else it can be.

import { debounced, el, fill, percent } from "./elements.js";

/** The strip below the wall. */
export class CellReport {
  constructor(studio) {
    this.studio = studio;
    this.element = el("div", { class: "cell-report", role: "status", "aria-live": "polite" });
    this.askSoon = debounced(110, (cell) => this.ask(cell));
    this.clear();
  }

  clear() {
    this.cell = null;
    this.askSoon.cancel();
    fill(
      this.element,
      el(
        "span",
        { class: "faint" },
        "Point at a cell: what it is, which line made it, what else it can be. Click: to its line.",
      ),
    );
  }

  /** Tells at once what is known, and the rest when it is. */
  show(cell) {
    this.cell = cell;
    this.draw(cell, null);
    this.askSoon(cell);
  }

  async ask(cell) {
    const { studio } = this;
    const { map, seed, x, y } = cell;
    try {
      const params = { file: studio.file.param, map, seed, x, y };
      const answer = await studio.server.latest("cell", "cell", params);
      if (answer && this.cell === cell) this.draw(cell, answer);
    } catch {
      // What is known already stands there.
    }
  }

  draw({ seed, x, y, look, lines }, answer) {
    const first = el(
      "div",
      { class: "what" },
      el("span", { class: "glyph" }, answer?.glyph?.trim() || look.symbol),
      el("b", {}, answer?.feature || look.name || "nothing"),
      el("span", { class: "faint" }, ` seed ${seed}, column ${x + 1}, row ${y + 1}`),
      (answer?.subvaults ?? []).map((name) => el("span", { class: "chip" }, `in ${name}`)),
    );
    const made = answer?.made_by?.length
      ? answer.made_by.map(({ line, what }) => [line, what])
      : lines.map((line) => [line, this.studio.document.line(line).trim()]);
    const list = el(
      "div",
      { class: "made" },
      made
        .slice(-3)
        .map(([line, what]) =>
          el("div", {}, el("span", { class: "faint" }, `line ${line + 1} `), el("code", {}, what)),
        ),
    );
    const others = (answer?.alternatives ?? []).slice(0, 6);
    const bars =
      others.length > 1
        ? el(
            "div",
            { class: "bars" },
            others.map(({ what, probability }) => bar(what, probability)),
          )
        : null;
    fill(this.element, first, el("div", { class: "more" }, list, bars));
  }
}

/** A share of one as a bar with its name. */
export function bar(what, share) {
  const inner = el("span", { class: "bar-fill" });
  inner.style.width = `${Math.max(1, share * 100)}%`;
  return el(
    "div",
    { class: "bar-row" },
    el("span", { class: "bar-name" }, what),
    el("span", { class: "bar-track" }, inner),
    el("span", { class: "bar-share" }, percent(share)),
  );
}
