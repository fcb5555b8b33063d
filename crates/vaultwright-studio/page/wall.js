// The wall: many rolls of a vault at once, which change while one writes.

import { countField, countOf, statusLine } from "./controls.js";
import { ARROWS, counted, el, oncePerFrame } from "./elements.js";
import { NOTHING, painterOf, showTiles, tileNews } from "./cell-painter.js";
import { CellReport } from "./cell-report.js";

const GAP = 8;
const LABEL = 12;
const SMALLEST = 4;
const LARGEST = 22;

/**
 * The wall of rolls. Tells of `lines` (what made the cell pointed at, so that they light up) and `goto`
 * (a cell was chosen).
 */
export class Wall extends EventTarget {
  constructor(studio) {
    super();
    this.studio = studio;
    this.seed = 1;
    this.rolls = [];
    this.cursor = null;
    this.caretLine = -1;
    this.canvas = el("canvas", {
      tabindex: "0",
      role: "application",
      "aria-label": "Rolls of the vault",
      "aria-describedby": "wall-keys",
      class: "wall",
    });
    this.scroller = el("div", { class: "wall-scroller" }, this.canvas);
    this.lens = el("canvas", { class: "lens", "aria-hidden": "true", hidden: true });
    this.seedInput = countField("Seed of the first roll", null);
    this.tiles = el("input", { type: "checkbox", checked: true });
    this.tiles.addEventListener("change", () => showTiles(this.tiles.checked));
    this.tilesLabel = el("label", { class: "inline", hidden: true }, this.tiles, " tiles");
    this.status = statusLine({ id: "rolls-status" });
    this.report = new CellReport(studio);
    this.element = el(
      "section",
      { class: "view wall-view", "aria-label": "Rolls" },
      el(
        "header",
        { class: "bar" },
        el("h2", {}, "Rolls"),
        el("label", { class: "inline" }, "from seed ", this.seedInput),
        el(
          "button",
          {
            type: "button",
            class: "small",
            title: "Other rolls (Alt+R)",
            onclick: () => this.reroll(),
          },
          "Roll others",
        ),
        this.tilesLabel,
        this.status,
      ),
      el(
        "p",
        { class: "sr", id: "wall-keys" },
        "Arrow keys move from cell to cell, Page Up and Page Down from roll to roll, Enter goes to the line that made the cell.",
      ),
      el("div", { class: "wall-frame" }, this.scroller, this.lens),
      this.report.element,
    );
    this.draw = oncePerFrame(() => this.drawNow());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    tileNews.addEventListener("tiles", () => this.draw());
    this.listen();
  }

  listen() {
    const { canvas } = this;
    this.seedInput.addEventListener("change", () => {
      this.seed = countOf(this.seedInput);
      this.update();
    });
    canvas.addEventListener("mousemove", (event) => this.point(this.cellAt(event)));
    canvas.addEventListener("mouseleave", () => {
      if (document.activeElement !== canvas) this.point(null);
    });
    canvas.addEventListener("click", (event) => {
      this.point(this.cellAt(event));
      this.choose();
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focus", () => {
      if (!this.cursor && this.rolls.length) this.point({ roll: 0, x: 0, y: 0 });
    });
    canvas.addEventListener("blur", () => this.point(null));
  }

  reroll() {
    this.seed += 24;
    this.seedInput.value = String(this.seed);
    this.update();
  }

  /** Asks for the rolls of the current map. */
  async update() {
    const { studio } = this;
    const map = studio.mapName;
    if (!map || !this.element.isConnected) return;
    const began = performance.now();
    const { version } = studio.document;
    const name = studio.file.path;
    let answer;
    try {
      const params = { file: studio.file.param, map, seed: this.seed, count: 24 };
      answer = await studio.server.latest("rolls", "rolls", params);
    } catch (error) {
      if (!error.gone) this.fail(error);
      return;
    }
    if (!answer || studio.file.path !== name) return;
    this.version = version;
    this.rolls = answer.rolls;
    this.map = map;
    this.tilesLabel.hidden = !this.rolls.some(({ table }) => table?.some(({ tile }) => tile));
    this.lineTable = this.rolls.find(({ lineTable }) => lineTable)?.lineTable ?? [];
    this.element.classList.remove("stale");
    const failed = this.rolls.filter(({ error }) => error);
    const whole = this.rolls.length - failed.length;
    const parts = [counted(whole, "roll")];
    if (failed.length) parts.push(`${failed.length} without success`);
    this.status.textContent = parts.join(", ");
    this.status.className = `summary ${failed.length ? "error" : ""}`;
    this.status.title = `${Math.round(performance.now() - began)} ms`;
    studio.notePrinted(answer.messages);
    if (this.cursor) this.point(this.inside(this.cursor));
    this.drawNow();
    performance.mark("rolls-drawn");
  }

  fail(error) {
    this.element.classList.add("stale");
    this.status.textContent = error.message;
    this.status.title = error.hint ?? "";
    this.status.className = "summary error";
  }

  inside({ roll, x, y }) {
    const shown = this.rolls[roll];
    if (!shown?.width) return null;
    return { roll, x: Math.min(x, shown.width - 1), y: Math.min(y, shown.height - 1) };
  }

  /** How the rolls are laid out: as large as all of them fit, in rows from left to right. */
  layout() {
    const ratio = devicePixelRatio || 1;
    const width = Math.max(1, this.scroller.clientWidth);
    const height = Math.max(1, this.scroller.clientHeight);
    let side = Math.floor(LARGEST * ratio);
    let rows = this.rowsOf(side / ratio, width);
    const least = Math.round(SMALLEST * ratio);
    while (side > least && (rows.tall > height || rows.wide > width)) {
      side -= 1;
      rows = this.rowsOf(side / ratio, width);
    }
    return {
      ratio,
      width,
      height: Math.max(height, rows.tall),
      side,
      at: (index) => rows.places[index],
    };
  }

  /** Where each roll stands if a cell has this side. */
  rowsOf(side, width) {
    const rows = [];
    let row = null;
    this.rolls.forEach((roll, index) => {
      const wide = (roll.width ?? 14) * side;
      if (!row || row.wide + wide + GAP > width) {
        row = { wide: GAP, high: 0, first: index, items: [] };
        rows.push(row);
      }
      row.items.push({ index, left: row.wide, wide });
      row.wide += wide + GAP;
      row.high = Math.max(row.high, (roll.height ?? 8) * side);
    });
    const places = [];
    let top = GAP / 2;
    for (const { items, wide, high } of rows) {
      // What is left over is shared between the rolls of the row.
      const spread = Math.max(0, Math.min(18, (width - wide) / (items.length + 1)));
      items.forEach(({ index, left }, number) => {
        const own = (this.rolls[index].height ?? 8) * side;
        places[index] = { left: left + spread * (number + 1), top: top + (high - own) / 2 };
      });
      top += high + LABEL + GAP;
    }
    return { places, tall: top, wide: Math.max(...rows.map((one) => one.wide)) };
  }

  drawNow() {
    const { canvas } = this;
    if (!this.rolls.length || !this.scroller.clientWidth) return;
    const layout = this.layout();
    this.shown = layout;
    const { ratio, width, height, side, at } = layout;
    const [pixelsWide, pixelsHigh] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== pixelsWide || canvas.height !== pixelsHigh) {
      canvas.width = pixelsWide;
      canvas.height = pixelsHigh;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    const painter = painterOf(side);
    const style = getComputedStyle(this.element);
    context.clearRect(0, 0, pixelsWide, pixelsHigh);
    this.rolls.forEach((roll, index) => {
      const { left, top } = at(index);
      const [x, y] = [Math.round(left * ratio), Math.round(top * ratio)];
      const wide = (roll.width ?? 14) * side;
      const high = (roll.height ?? 8) * side;
      context.fillStyle = NOTHING;
      context.beginPath();
      context.roundRect(
        x - 2 * ratio,
        y - 2 * ratio,
        wide + 4 * ratio,
        high + 4 * ratio,
        3 * ratio,
      );
      context.fill();
      if (roll.error) drawError(context, roll, x, y, { ratio, wide, high });
      else drawRoll(context, painter, roll, x, y, side);
      context.fillStyle = style.getPropertyValue("--faint");
      context.font = `${10 * ratio}px system-ui, sans-serif`;
      context.textBaseline = "top";
      context.textAlign = "left";
      context.fillText(String(roll.seed), x, y + high + 3 * ratio);
    });
    this.drawLit(context, layout, style.getPropertyValue("--glow"));
    this.drawLens();
    canvas.setAttribute("aria-label", `${counted(this.rolls.length, "roll")} of ${this.map}`);
  }

  /** Cells that the caret's line has made, and the cell that is pointed at. */
  drawLit(context, { ratio, side, at }, glow) {
    const cellOf = (index, x, y) => {
      const { left, top } = at(index);
      return [Math.round(left * ratio) + x * side, Math.round(top * ratio) + y * side];
    };
    context.strokeStyle = glow;
    context.fillStyle = glow;
    const line = this.studio.lineThen(this.caretLine, this.version);
    this.rolls.forEach((roll, index) => {
      if (!roll.lines) return;
      const lists = roll.lineTable ?? this.lineTable;
      const counts = lists.map((lines) => lines.includes(line));
      if (!counts.includes(true)) return;
      context.globalAlpha = 0.42;
      roll.lines.forEach((number, cell) => {
        if (number === null || !counts[number]) return;
        const [x, y] = cellOf(index, cell % roll.width, Math.floor(cell / roll.width));
        context.fillRect(x, y, side, side);
      });
    });
    context.globalAlpha = 1;
    if (!this.cursor) return;
    const [x, y] = cellOf(this.cursor.roll, this.cursor.x, this.cursor.y);
    context.lineWidth = Math.max(1, 2 * ratio);
    context.strokeStyle = "#ffffff";
    context.strokeRect(x - ratio, y - ratio, side + 2 * ratio, side + 2 * ratio);
  }

  /** Where cells are too small to be read, the roll that is pointed at is shown large beside it. */
  drawLens() {
    const { lens, cursor } = this;
    const roll = cursor && this.rolls[cursor.roll];
    const { ratio, side, width, at } = this.shown;
    const wanted = roll?.width && side < 11 * ratio;
    lens.hidden = !wanted;
    if (!wanted) return;
    const room = Math.min(this.scroller.clientHeight - 16, 420);
    const fit = Math.min(room / roll.height, (width / 2 - 30) / roll.width, 17);
    const large = Math.max(side + 1, Math.floor(fit * ratio));
    lens.width = roll.width * large;
    lens.height = roll.height * large;
    lens.style.width = `${lens.width / ratio}px`;
    lens.style.height = `${lens.height / ratio}px`;
    lens.classList.toggle("left", at(cursor.roll).left > width / 2);
    const context = lens.getContext("2d", { alpha: false });
    context.fillStyle = NOTHING;
    context.fillRect(0, 0, lens.width, lens.height);
    drawRoll(context, painterOf(large), roll, 0, 0, large);
    context.strokeStyle = "#ffffff";
    context.lineWidth = 1.5 * ratio;
    context.strokeRect(cursor.x * large, cursor.y * large, large, large);
  }

  cellAt(event) {
    if (!this.shown) return null;
    const box = this.canvas.getBoundingClientRect();
    const { ratio, side, at } = this.shown;
    const [px, py] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
    for (let index = 0; index < this.rolls.length; index += 1) {
      const roll = this.rolls[index];
      const { left, top } = at(index);
      const x = Math.floor((px - Math.round(left * ratio)) / side);
      const y = Math.floor((py - Math.round(top * ratio)) / side);
      if (roll.width && x >= 0 && y >= 0 && x < roll.width && y < roll.height) {
        return { roll: index, x, y };
      }
    }
    return null;
  }

  /** The lines that made a cell, as they are numbered now. */
  linesOf({ roll, x, y }) {
    const shown = this.rolls[roll];
    const number = shown?.lines?.[y * shown.width + x];
    if (number === null || number === undefined) return [];
    const lists = shown.lineTable ?? this.lineTable;
    return (lists[number] ?? []).map((line) => this.studio.lineNow(line, this.version));
  }

  point(cell) {
    const same =
      cell &&
      this.cursor &&
      cell.roll === this.cursor.roll &&
      cell.x === this.cursor.x &&
      cell.y === this.cursor.y;
    if (same || (!cell && !this.cursor)) return;
    this.cursor = cell;
    this.draw();
    const lines = cell ? this.linesOf(cell) : [];
    this.dispatchEvent(new CustomEvent("lines", { detail: lines }));
    if (!cell) {
      this.report.clear();
      return;
    }
    const roll = this.rolls[cell.roll];
    const look = roll.table[roll.symbols[cell.y * roll.width + cell.x]];
    this.report.show({ map: this.map, seed: roll.seed, x: cell.x, y: cell.y, look, lines });
  }

  choose() {
    if (!this.cursor) return;
    const line = this.linesOf(this.cursor).at(-1);
    if (line !== undefined) this.dispatchEvent(new CustomEvent("goto", { detail: line }));
  }

  key(event) {
    if (!this.cursor || event.ctrlKey || event.altKey || event.metaKey) return;
    const roll = this.rolls[this.cursor.roll];
    const { x, y } = this.cursor;
    const move = ARROWS[event.key];
    const turn = { PageDown: 1, PageUp: -1 }[event.key];
    if (move) {
      const wide = (roll.width ?? 1) - 1;
      const high = (roll.height ?? 1) - 1;
      this.point({
        roll: this.cursor.roll,
        x: Math.max(0, Math.min(wide, x + move[0])),
        y: Math.max(0, Math.min(high, y + move[1])),
      });
    } else if (turn) {
      const to = (this.cursor.roll + turn + this.rolls.length) % this.rolls.length;
      this.point(this.inside({ roll: to, x, y }) ?? this.cursor);
    } else if (event.key === "Enter") {
      this.choose();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The caret stands on a line: what it made lights up. */
  setCaretLine(line) {
    if (line === this.caretLine) return;
    this.caretLine = line;
    this.draw();
  }

  clear() {
    this.rolls = [];
    this.cursor = null;
    this.status.textContent = "";
    this.report.clear();
    const { canvas } = this;
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  }
}

/** Draws a grid of symbols. */
export function drawRoll(context, painter, { width, symbols, table }, left, top, side) {
  for (let index = 0; index < symbols.length; index += 1) {
    const look = table[symbols[index]];
    if (look.kind === "outside") continue;
    painter.draw(
      context,
      look,
      left + (index % width) * side,
      top + Math.floor(index / width) * side,
    );
  }
}

/** Says in the place of a roll why there is none. */
function drawError(context, roll, x, y, { ratio, wide, high }) {
  context.save();
  context.beginPath();
  context.rect(x, y, wide, high);
  context.clip();
  context.fillStyle = "#ff8a80";
  context.font = `${11 * ratio}px system-ui, sans-serif`;
  context.textBaseline = "top";
  let line = "";
  let top = y + 2 * ratio;
  for (const word of roll.error.message.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && context.measureText(longer).width > wide - 6) {
      context.fillText(line, x + 3, top);
      top += 13 * ratio;
      line = word;
    } else {
      line = longer;
    }
  }
  context.fillText(line, x + 3, top);
  context.restore();
}
