// Coverage: what stands on each cell over many rolls, what never happens, what is cut off.

import { statusLine } from "./controls.js";
import { counted, debounced, el, fill, percent } from "./elements.js";
import { bar } from "./cell-report.js";
import { GridView } from "./grid-view.js";

/** What the colours show. */
const MODES = [
  ["heat", "how much a cell varies"],
  ["reachable", "how often it can be reached"],
  ["what", "how often it is …"],
];

export class Heat {
  constructor(studio) {
    this.studio = studio;
    this.id = "cover";
    this.title = "Cover";
    this.about = "What it becomes over many rolls";
    this.grid = new GridView({ label: "Heat map of the vault", largest: 34 });
    this.grid.overlay = (context, place) => this.paint(context, place);
    this.grid.addEventListener("point", ({ detail }) => this.tell(detail));
    this.rolls = el(
      "select",
      { "aria-label": "How many rolls", onchange: () => this.update() },
      [100, 400, 2000].map((count) => el("option", { value: String(count) }, `${count} rolls`)),
    );
    this.rolls.value = "400";
    this.mode = el(
      "select",
      { "aria-label": "What the colours show", onchange: () => this.changeMode() },
      MODES.map(([value, text]) => el("option", { value }, text)),
    );
    this.what = el("select", {
      "aria-label": "What",
      hidden: true,
      onchange: () => this.grid.draw(),
    });
    this.status = statusLine();
    this.scale = el("span", { class: "legend" });
    this.cell = el("section");
    this.rest = el("section");
    this.element = el(
      "section",
      { class: "view", "aria-label": "Coverage" },
      el(
        "header",
        { class: "bar" },
        el("h2", {}, "Coverage"),
        this.rolls,
        this.mode,
        this.what,
        this.scale,
        this.status,
      ),
      el(
        "div",
        { class: "beside" },
        this.grid.element,
        el("div", { class: "side" }, this.cell, this.rest),
      ),
    );
    this.updateSoon = debounced(250, () => this.update());
    studio.addEventListener("text", () => this.shown && this.updateSoon());
    studio.addEventListener("data", () => this.shown && this.updateSoon());
    studio.addEventListener("map", () => this.shown && this.update());
    this.showScale();
  }

  show() {
    this.shown = true;
    this.update();
  }

  hide() {
    this.shown = false;
    this.studio.server.forget("coverage");
  }

  redraw() {
    this.grid.draw();
  }

  async update() {
    const { studio } = this;
    if (!studio.mapName) return;
    this.status.textContent = "rolling…";
    try {
      const params = {
        file: studio.file.param,
        map: studio.mapName,
        rolls: Number(this.rolls.value),
      };
      const answer = await studio.server.latest("coverage", "coverage", params);
      if (answer) this.take(answer);
    } catch (error) {
      this.status.textContent = error.message;
      this.status.className = "summary error";
    }
  }

  take(answer) {
    this.answer = answer;
    const failed = answer.rolls - answer.valid;
    this.status.textContent =
      counted(answer.rolls, "roll") + (failed ? `, ${failed} without success` : "");
    this.status.className = `summary ${failed ? "warning" : ""}`;
    const { width, height, cells } = answer;
    const names = new Map();
    for (const outcomes of cells)
      for (const { what, share } of outcomes ?? []) names.set(what, (names.get(what) ?? 0) + share);
    const sorted = [...names].sort((a, b) => b[1] - a[1]).map(([what]) => what);
    const chosen = this.what.value;
    fill(
      this.what,
      sorted.map((what) => el("option", { value: what }, what)),
    );
    if (sorted.includes(chosen)) this.what.value = chosen;
    this.grid.show({ width, height, symbols: [], table: [] });
    this.tell(this.grid.cursor);
    this.showRest();
  }

  changeMode() {
    this.what.hidden = this.mode.value !== "what";
    this.showScale();
    this.grid.draw();
  }

  showScale() {
    const ends = {
      heat: ["always the same", "varies"],
      reachable: ["never", "always"],
      what: ["never", "always"],
    };
    const [low, high] = ends[this.mode.value];
    const swatch = (share) => {
      const mark = el("i");
      mark.style.background = heatColour(share);
      return mark;
    };
    fill(
      this.scale,
      el("span", {}, swatch(0), low),
      el("span", {}, swatch(0.5)),
      el("span", {}, swatch(1), high),
    );
  }

  valueOf(index) {
    const { heat, reachable, cells } = this.answer;
    if (this.mode.value === "heat") return heat?.values?.[index] ?? heat?.[index] ?? null;
    if (this.mode.value === "reachable") return reachable?.[index] ?? null;
    if (!cells[index]) return null;
    return cells[index].find(({ what }) => what === this.what.value)?.share ?? 0;
  }

  paint(context, { side, at, grid }) {
    if (!this.answer) return;
    for (let index = 0; index < grid.width * grid.height; index += 1) {
      const value = this.valueOf(index);
      const [x, y] = at(index % grid.width, Math.floor(index / grid.width));
      if (!this.answer.cells[index]) continue;
      context.fillStyle = value === null ? "#26262b" : heatColour(value);
      context.fillRect(x, y, side - 1, side - 1);
    }
  }

  tell(cell) {
    const outcomes = cell && this.answer?.cells[cell.y * this.answer.width + cell.x];
    if (!outcomes) {
      fill(
        this.cell,
        el("h3", {}, "A cell"),
        el("p", { class: "faint" }, "Point at one: how often it is what."),
      );
      return;
    }
    fill(
      this.cell,
      el("h3", {}, `Column ${cell.x + 1}, row ${cell.y + 1}`),
      el(
        "div",
        { class: "bars" },
        outcomes.slice(0, 14).map(({ what, share }) => bar(what, share)),
      ),
    );
  }

  showRest() {
    const { studio } = this;
    const { silent_lines: silent = [], errors = [], alternatives = [], sizes = [] } = this.answer;
    const lines = silent.map((line) =>
      el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            class: "small",
            onclick: () => studio.goTo(line),
          },
          `line ${line + 1}`,
        ),
        " ",
        el("code", {}, studio.document.line(line).trim().slice(0, 60)),
      ),
    );
    const picks = alternatives.slice(0, 12).map(({ statement, weights, counts }) => {
      const all = counts.reduce((sum, count) => sum + count, 0) || 1;
      const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
      return el(
        "li",
        {},
        el("code", {}, statement),
        el(
          "div",
          { class: "faint" },
          counts
            .map((count, at) => `${percent(count / all)} (${percent(weights[at] / whole)})`)
            .slice(0, 8)
            .join(" · "),
        ),
      );
    });
    const part = (title, rows) => (rows.length ? [el("h3", {}, title), el("ul", {}, rows)] : []);
    fill(
      this.rest,
      part("Lines that never did anything", lines),
      part(
        "Errors",
        errors.map(({ message, count }) => el("li", { class: "error" }, `${count} × ${message}`)),
      ),
      part(
        "Sizes",
        sizes
          .slice(0, 8)
          .map(({ width, height, count }) =>
            el("li", {}, `${width} × ${height}: ${percent(count / this.answer.rolls)}`),
          ),
      ),
      part("Choices: seen (written)", picks),
    );
  }
}

const STOPS = [
  [27, 30, 66],
  [58, 76, 140],
  [60, 140, 140],
  [190, 190, 80],
  [255, 214, 70],
];

/** Dark blue for 0, yellow for 1. */
export function heatColour(share) {
  const at = Math.max(0, Math.min(1, share)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(at));
  const part = STOPS[low].map((from, index) =>
    Math.round(from + (STOPS[low + 1][index] - from) * (at - low)),
  );
  return `rgb(${part.join(", ")})`;
}
