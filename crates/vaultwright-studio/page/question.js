// A question about the tables of a campaign: which rows, gathered by what, counted how.

import { statusLine } from "./controls.js";
import { button, counted, debounced, el, fill } from "./elements.js";

const SIGNS = ["=", "!=", "<", "<=", ">", ">=", "contains"];
const MEASURES = ["count", "sum", "mean", "min", "max"];

export class Question {
  constructor(studio, { follow }) {
    this.studio = studio;
    this.follow = follow;
    this.tables = [];
    this.table = el("select", { "aria-label": "Table", onchange: () => this.begin() });
    this.where = el("div", { class: "conditions" });
    this.group = el("select", {
      "aria-label": "For each",
      multiple: true,
      size: "4",
      onchange: () => this.askSoon(),
    });
    this.measure = el(
      "select",
      { "aria-label": "Measure", onchange: () => this.askSoon() },
      MEASURES.map((name) => el("option", { value: name }, name)),
    );
    this.of = el("select", { "aria-label": "Measure of", onchange: () => this.askSoon() });
    this.order = null;
    this.status = statusLine();
    this.result = el("div", {
      class: "table-holder",
      tabindex: "0",
      role: "region",
      "aria-label": "Answer",
    });
    this.askSoon = debounced(60, () => this.ask());
    this.refreshSoon = debounced(800, () => this.ask());
    this.element = el(
      "fieldset",
      { class: "question", hidden: true },
      el("legend", {}, "A question"),
      el("label", { class: "inline" }, "of ", this.table),
      el(
        "div",
        { class: "inline" },
        "where ",
        this.where,
        button("+", () => this.addCondition(), {
          class: "small",
          "aria-label": "Another condition",
        }),
      ),
      el("label", { class: "inline" }, "for each ", this.group),
      el("label", { class: "inline" }, "the ", this.measure),
      el("label", { class: "inline" }, "of ", this.of),
      this.status,
      this.result,
    );
  }

  /** Asks about a campaign from now on. */
  async take(campaign) {
    this.campaign = campaign;
    this.element.hidden = false;
    await this.loadTables();
  }

  async loadTables() {
    try {
      const { tables } = await this.studio.server.call("campaign.tables", {
        campaign: this.campaign,
      });
      const chosen = this.table.value;
      const same =
        this.tables.map(({ name }) => name).join() === tables.map(({ name }) => name).join();
      this.tables = tables;
      if (same && chosen) return this.ask();
      fill(
        this.table,
        tables.map(({ name, rows }) => el("option", { value: name }, `${name} (${rows})`)),
      );
      const usual = tables.find(({ name }) => name === "vaults") ?? tables[0];
      if (usual) this.table.value = usual.name;
      return this.begin();
    } catch (error) {
      // Before the first game is counted there is nothing to ask.
      this.status.textContent = error.message;
      return null;
    }
  }

  /** More games have been counted. */
  refresh(ended) {
    if (ended || !this.tables.length) this.loadTables();
    else this.refreshSoon();
  }

  get columns() {
    return this.tables.find(({ name }) => name === this.table.value)?.columns ?? [];
  }

  begin() {
    const names = this.columns.map(({ name }) => name);
    const options = () => names.map((name) => el("option", { value: name }, name));
    fill(this.group, options());
    const usual = ["map", "name", "place", "level"].find((name) => names.includes(name));
    for (const option of this.group.options) option.selected = option.value === usual;
    fill(
      this.of,
      el("option", { value: "" }, "rows"),
      this.columns
        .filter(({ kind }) => kind === "number")
        .map(({ name }) => el("option", { value: name }, name)),
    );
    fill(this.where);
    this.order = null;
    this.ask();
  }

  addCondition() {
    const column = el(
      "select",
      { "aria-label": "Column", onchange: () => this.askSoon() },
      this.columns.map(({ name }) => el("option", { value: name }, name)),
    );
    const sign = el(
      "select",
      { "aria-label": "Comparison", onchange: () => this.askSoon() },
      SIGNS.map((name) => el("option", { value: name }, name)),
    );
    const value = el("input", { "aria-label": "Value", size: "9", oninput: () => this.askSoon() });
    const row = el(
      "span",
      { class: "inline condition" },
      column,
      sign,
      value,
      button(
        "×",
        () => {
          row.remove();
          this.askSoon();
        },
        { class: "small", "aria-label": "Without this condition" },
      ),
    );
    this.where.append(row);
    value.focus();
  }

  get params() {
    const where = [...this.where.children]
      .map((row) => {
        const [column, op, value] = [...row.querySelectorAll("select, input")].map(
          (one) => one.value,
        );
        return { column, op, value };
      })
      .filter(({ value }) => value !== "");
    const group = [...this.group.selectedOptions].map(({ value }) => value);
    const params = { campaign: this.campaign, table: this.table.value, where, limit: 200 };
    if (group.length) {
      const of = this.of.value ? this.measure.value : "count";
      params.group = group;
      params.measure = [this.of.value ? { of, column: this.of.value } : { of: "count" }];
    }
    if (this.order) Object.assign(params, this.order);
    else if (group.length && params.measure[0].of === "count")
      Object.assign(params, { order: "count", descending: true });
    return params;
  }

  async ask() {
    if (!this.table.value) return;
    try {
      const answer = await this.studio.server.latest("question", "campaign.query", this.params);
      if (answer) this.show(answer);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.status.textContent = error.message;
    this.status.className = "summary error";
  }

  show({ columns, rows }) {
    const names = columns.map((column) => (typeof column === "string" ? column : column.name));
    this.status.textContent = counted(rows.length, "row") + (rows.length >= 200 ? " and more" : "");
    this.status.className = "summary";
    const [place, seed] = [
      names.findIndex((name) => /^(place|level)$/.test(name)),
      names.indexOf("seed"),
    ];
    const head = names.map((name) =>
      el(
        "th",
        { "aria-sort": this.sortOf(name) },
        button(name, () => this.sort(name), { class: "small" }),
      ),
    );
    const body = rows.map((row) => {
      const cells = names.map((name, at) => (Array.isArray(row) ? row[at] : row[name]));
      const leads = place >= 0 && seed >= 0;
      const open = () => this.follow(String(cells[place]), cells[seed]);
      return el(
        "tr",
        {
          tabindex: leads ? "0" : null,
          title: leads ? "Watch this level being built" : null,
          onclick: leads ? open : null,
          onkeydown: leads ? (event) => event.key === "Enter" && open() : null,
        },
        cells.map((value) =>
          el("td", { class: typeof value === "number" ? "number" : "" }, shown(value)),
        ),
      );
    });
    fill(this.result, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)));
  }

  sortOf(name) {
    if (this.order?.order !== name) return "none";
    return this.order.descending ? "descending" : "ascending";
  }

  sort(name) {
    const again = this.order?.order === name;
    this.order = { order: name, descending: again ? !this.order.descending : true };
    this.ask();
  }
}

function shown(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && !Number.isInteger(value)) return value.toPrecision(4);
  if (Array.isArray(value)) return value.join(", ");
  return String(value);
}
