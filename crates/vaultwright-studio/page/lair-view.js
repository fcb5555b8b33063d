// Towers whose every cell a script decides: floors redraw while one writes; a cell tells what was asked.

import { countField, countOf, statusLine } from "./controls.js";
import { button, counted, debounced, el, fill } from "./elements.js";
import { GridView } from "./grid-view.js";

export class LairView {
  constructor(studio) {
    this.studio = studio;
    this.id = "lair";
    this.title = "LAIR";
    this.about = "Floors of a LAIR script";
    this.floors = [];
    this.grids = [];
    this.seed = countField("Seed", () => this.update());
    this.count = el(
      "select",
      { "aria-label": "How many floors", onchange: () => this.update() },
      [1, 2, 4, 6, 9].map((count) => el("option", { value: String(count) }, `${count} floors`)),
    );
    this.count.value = "4";
    this.size = el(
      "select",
      { "aria-label": "Size", onchange: () => this.update() },
      el("option", { value: "" }, "usual size"),
    );
    this.status = statusLine();
    this.holder = el("div", { class: "floors" });
    this.asked = el("section", { "aria-live": "polite" });
    this.notes = el("section");
    this.element = el(
      "section",
      { class: "view", "aria-label": "LAIR" },
      el(
        "header",
        { class: "bar" },
        el("h2", {}, "Floors"),
        this.count,
        this.size,
        el("label", { class: "inline" }, "seed ", this.seed),
        button("Another", () => this.reroll(), { class: "small" }),
        this.status,
      ),
      el(
        "div",
        { class: "beside" },
        this.holder,
        el("div", { class: "side" }, this.asked, this.notes),
      ),
    );
    studio.addEventListener("ready", () => {
      const sizes = studio.hello.tower_sizes.map((name) => el("option", { value: name }, name));
      this.size.append(...sizes);
    });
    this.updateSoon = debounced(40, () => this.update());
    studio.addEventListener("text", () => this.shown && this.updateSoon());
    studio.addEventListener("data", () => this.shown && this.updateSoon());
  }

  show() {
    this.shown = true;
    this.update();
  }

  hide() {
    this.shown = false;
    this.studio.server.forget("lair");
  }

  reroll() {
    this.seed.value = String(countOf(this.seed) + 1);
    this.update();
  }

  get params() {
    const params = {
      file: this.studio.file.param,
      seed: countOf(this.seed),
      count: Number(this.count.value),
    };
    if (this.size.value) params.size = this.size.value;
    return params;
  }

  async update() {
    const { studio } = this;
    if (!studio.isLair) {
      const scripts = studio.files.filter(({ path }) => path.endsWith(".lua"));
      this.status.textContent = "";
      fill(this.asked);
      fill(this.notes);
      fill(
        this.holder,
        el(
          "div",
          { class: "note" },
          el(
            "p",
            {},
            "Here the floors of a LAIR script are drawn while you write it. A vault is open now.",
          ),
          scripts.length
            ? el(
                "p",
                {},
                "Scripts of this folder: ",
                scripts
                  .slice(0, 12)
                  .map(({ path }) => button(path, () => studio.open(path), { class: "small" })),
              )
            : el(
                "p",
                {},
                "This folder has no script. Open a folder with one, or begin a new file that ends with .lua.",
              ),
        ),
      );
      this.grids = [];
      return;
    }
    const { document } = studio;
    const { version, text } = document;
    const find = (findings) => {
      if (document === studio.document) studio.found(version, text, { findings });
    };
    try {
      const answer = await studio.server.latest("lair", "lair.floors", this.params);
      if (!answer) return;
      this.take(answer);
      find(answer.findings);
    } catch (error) {
      this.status.textContent = error.message;
      this.status.className = "summary error";
      if (!error.gone) find([faultOf(error)]);
    }
  }

  take({ floors, warnings = [], notes = [], printed = [] }) {
    this.floors = floors;
    this.status.textContent = counted(floors.length, "floor");
    this.status.className = "summary";
    if (this.grids.length !== floors.length) {
      this.grids = floors.map((_, number) => this.makeGrid(number));
      fill(
        this.holder,
        this.grids.map((grid) => grid.element),
      );
      const columns = Math.ceil(Math.sqrt(floors.length));
      this.holder.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    }
    this.grids.forEach((grid, number) => grid.show(floors[number]));
    const list = (title, rows, kind) =>
      rows.length
        ? [
            el("h3", {}, title),
            el(
              "ul",
              {},
              rows.slice(0, 30).map((row) => el("li", { class: kind }, textOf(row))),
            ),
          ]
        : [];
    fill(
      this.notes,
      list("Warnings", warnings, "warning"),
      list("Notes", notes, ""),
      list("Printed", printed, "faint"),
    );
    if (this.chosen) this.ask(this.chosen);
    else
      fill(
        this.asked,
        el(
          "p",
          { class: "faint" },
          "Click a cell: which functions were asked, in which pass, and what they answered.",
        ),
      );
  }

  makeGrid(number) {
    const grid = new GridView({ label: `Floor ${number + 1}`, largest: 20 });
    grid.addEventListener("choose", ({ detail }) => {
      this.chosen = { floor: number, ...detail };
      this.ask(this.chosen);
    });
    grid.addEventListener("point", ({ detail }) => {
      if (detail)
        this.status.textContent = `floor ${number + 1}, ${detail.x}, ${detail.y}: ${grid.lookAt(detail)?.name ?? ""}`;
    });
    return grid;
  }

  async ask({ floor, x, y }) {
    const { studio } = this;
    try {
      const answer = await studio.server.latest("lair-cell", "lair.cell", {
        ...this.params,
        floor,
        x,
        y,
      });
      if (!answer) return;
      const rows = answer.asked.map(({ pass, function: name, answer: said, file, line }) =>
        el(
          "li",
          {},
          el("span", { class: "chip" }, pass),
          el("code", {}, name),
          " → ",
          said === null ? el("span", { class: "faint" }, "not there") : el("b", {}, said),
          line === null || line === undefined
            ? null
            : button(`${file}:${line + 1}`, () => this.goTo(file, line), { class: "small" }),
        ),
      );
      fill(
        this.asked,
        el("h3", {}, `Floor ${floor + 1}, ${x}, ${y}: ${answer.what}`),
        rows.length
          ? el("ol", {}, rows)
          : el("p", { class: "faint" }, "Nothing was asked about it."),
      );
    } catch (error) {
      fill(this.asked, el("p", { class: "error" }, error.message));
    }
  }

  async goTo(file, line) {
    const { studio } = this;
    const own = studio.file.path;
    if (file && !own.endsWith(file)) {
      const other = studio.files.find(({ path }) => path.endsWith(file));
      if (other) await studio.open(other.path);
    }
    studio.goTo(line);
  }
}

/** An error as a finding, on the line that it names. */
function faultOf({ message, place }) {
  const line = place?.line ?? Number(/\.lua:(\d+)/.exec(message)?.[1] ?? 1) - 1;
  const range = { start: { line, column: 0 }, end: { line, column: Infinity } };
  return { severity: "error", message, range };
}

function textOf(row) {
  return typeof row === "string" ? row : (row.text ?? row.message ?? JSON.stringify(row));
}
