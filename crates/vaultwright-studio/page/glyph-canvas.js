// The drawing of a map as a picture that one draws on. It shows the text, and what is drawn is text.

import { ARROWS, button, el, oncePerFrame, rovingFocus } from "./elements.js";
import {
  Drawing,
  areaCells,
  flipped,
  lineCells,
  mirrored,
  rectangle,
  rectangleCells,
} from "./drawing.js";
import { icon } from "./icons.js";
import { Palette } from "./palette.js";

const TOOLS = [
  ["brush", "Brush", "Digit1"],
  ["line", "Line", "Digit2"],
  ["rectangle", "Rectangle (with Shift: full)", "Digit3"],
  ["fill", "Fill", "Digit4"],
  ["select", "Select and move", "Digit5"],
  ["pick", "Pick a glyph", "Digit6"],
];
/** What stays behind where a selection was moved from. */
const FLOOR = ".";
const LARGEST = 26;

/** The drawing. Tells of `lines` (the row pointed at) and `goto`. */
export class GlyphCanvas extends EventTarget {
  constructor(studio) {
    super();
    this.studio = studio;
    this.palette = new Palette();
    this.tool = "brush";
    this.mirror = { across: false, down: false };
    this.drawing = null;
    this.cursor = null;
    this.stroke = null;
    this.selection = null;
    this.canvas = el("canvas", {
      class: "drawing",
      tabindex: "0",
      role: "application",
      "aria-label": "Drawing of the map",
      "aria-describedby": "drawing-keys",
    });
    this.place = el("span", { class: "summary", "aria-live": "off" });
    this.holder = el("div", { class: "drawing-holder" }, this.canvas);
    this.bar = this.makeBar();
    this.element = el(
      "section",
      { class: "view draw-view", "aria-label": "Drawing" },
      el("header", { class: "bar" }, el("h2", {}, "Drawing"), this.bar, this.place),
      el(
        "p",
        { class: "sr", id: "drawing-keys" },
        "Arrow keys move, with Shift they select. A typed glyph is drawn and the cursor moves on; the space bar draws the chosen glyph. Enter goes to the row in the text. Alt with 1 to 6 chooses a tool.",
      ),
      el("div", { class: "draw-body" }, this.holder, this.palette.element),
    );
    this.draw = oncePerFrame(() => this.drawNow());
    new ResizeObserver(() => this.draw()).observe(this.holder);
    this.palette.addEventListener("pick", () => this.draw());
    this.listen();
  }

  makeBar() {
    this.toolButtons = new Map();
    const bar = el("div", { class: "tools", role: "toolbar", "aria-label": "Drawing tools" });
    for (const [name, title, key] of TOOLS) {
      const made = button(icon(name), () => this.choose(name), {
        "aria-label": title,
        title: `${title} (Alt+${key.slice(-1)})`,
        "aria-pressed": String(name === this.tool),
        "data-tool": name,
      });
      this.toolButtons.set(name, made);
      bar.append(made);
    }
    const toggle = (axis, title) => {
      const made = button(
        icon(`mirror-${axis}`),
        () => {
          this.mirror[axis] = !this.mirror[axis];
          made.setAttribute("aria-pressed", String(this.mirror[axis]));
          this.draw();
        },
        { "aria-label": title, title, "aria-pressed": "false", class: "apart" },
      );
      return made;
    };
    bar.append(
      toggle("across", "Mirror left and right while drawing"),
      toggle("down", "Mirror top and bottom while drawing"),
      button(icon("flip-across"), () => this.flip("across"), {
        "aria-label": "Turn over left and right",
        title: "Turn the selection, or all, over: left and right",
        class: "apart",
      }),
      button(icon("flip-down"), () => this.flip("down"), {
        "aria-label": "Turn over top and bottom",
        title: "Turn the selection, or all, over: top and bottom",
      }),
      button(icon("undo"), () => this.studio.undo(), {
        "aria-label": "Undo",
        title: "Undo (Ctrl+Z)",
        class: "apart",
      }),
      button(icon("redo"), () => this.studio.redo(), {
        "aria-label": "Redo",
        title: "Redo (Ctrl+Shift+Z)",
      }),
    );
    rovingFocus(bar, "button");
    return bar;
  }

  choose(tool) {
    this.tool = tool;
    for (const [name, made] of this.toolButtons)
      made.setAttribute("aria-pressed", String(name === tool));
    if (tool !== "select") this.selection = null;
    this.draw();
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    canvas.addEventListener("pointerup", () => this.release());
    canvas.addEventListener("pointercancel", () => this.abandon());
    canvas.addEventListener("pointerleave", () => {
      if (!this.stroke) this.point(null);
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => this.tool === "select" && this.goTo());
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("focus", () => this.point(this.cursor ?? [0, 0]));
    canvas.addEventListener("blur", () => this.point(null));
    canvas.addEventListener("copy", (event) => this.copy(event));
    canvas.addEventListener("cut", (event) => this.copy(event, true));
    canvas.addEventListener("paste", (event) => this.paste(event));
  }

  /** Takes the drawing from the text. */
  update() {
    const found = this.studio.currentDrawing();
    const key = found ? `${found.start} ${found.rows.join("\n")}` : "";
    if (key === this.seen && !this.stroke) return;
    this.seen = key;
    this.found = found;
    this.drawing = found ? new Drawing(found.rows) : null;
    this.stroke = null;
    this.draw();
  }

  /** Asks what the glyphs mean. */
  async updatePalette() {
    const { studio } = this;
    if (!studio.mapName || !this.element.isConnected) return;
    try {
      const params = { file: studio.file.param, map: studio.mapName };
      const answer = await studio.server.latest("palette", "palette", params);
      if (!answer) return;
      this.palette.show(answer.glyphs);
      this.draw();
    } catch {
      // The findings say what is wrong; the palette stays as it was.
    }
  }

  layout() {
    const ratio = devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.holder;
    // A margin of one cell, in which one draws to make the drawing larger.
    const wide = this.drawing.width + 2;
    const high = this.drawing.height + 2;
    const fitting = Math.min(clientWidth / wide, clientHeight / high, LARGEST);
    const side = Math.max(Math.round(9 * ratio), Math.floor(fitting * ratio));
    return { ratio, side, wide: wide * side, high: high * side };
  }

  drawNow() {
    const { canvas } = this;
    this.element.classList.toggle("without", !this.drawing);
    if (!this.drawing || !this.holder.clientWidth) return;
    const shown = this.layout();
    this.shown = shown;
    const { ratio, side, wide, high } = shown;
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${wide / ratio}px`;
      canvas.style.height = `${high / ratio}px`;
    }
    const context = canvas.getContext("2d", { alpha: false });
    context.fillStyle = "#111114";
    context.fillRect(0, 0, wide, high);
    const ahead = new Map((this.stroke?.cells ?? []).map(([x, y, glyph]) => [`${x} ${y}`, glyph]));
    for (let y = -1; y <= this.drawing.height; y += 1) {
      for (let x = -1; x <= this.drawing.width; x += 1) {
        const glyph = ahead.get(`${x} ${y}`);
        this.drawCell(context, x, y, glyph ?? this.drawing.get(x, y), glyph !== undefined);
      }
    }
    this.drawFrames(context, shown);
    canvas.setAttribute(
      "aria-label",
      `Drawing of ${this.studio.mapName}, ${this.drawing.width} by ${this.drawing.height}`,
    );
  }

  drawCell(context, x, y, glyph, ahead) {
    const { side } = this.shown;
    const [left, top] = [(x + 1) * side, (y + 1) * side];
    if (!this.drawing.has(x, y) && !ahead) return;
    const entry = this.palette.glyphs.get(glyph);
    const outcomes = entry?.outcomes ?? [];
    const colour = outcomes[0]?.colour ?? "#8a8a92";
    context.fillStyle = glyph === " " ? "#17171b" : "#1e1d1f";
    context.fillRect(left, top, side, side);
    if (glyph === " ") return;
    const plain = glyph === "." && outcomes.length < 2;
    if (!plain) {
      context.globalAlpha = "xcvbnm".includes(glyph) ? 0.42 : 0.2;
      context.fillStyle = colour;
      context.fillRect(left, top, side, side);
      context.globalAlpha = 1;
    }
    context.fillStyle = plain ? "#77777e" : lighter(colour);
    context.font = `${Math.round(side * 0.78)}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(glyph, left + side / 2, top + side * 0.52);
    if (outcomes.length < 2 || side < 12) return;
    // What it can become, in proportion.
    const thick = Math.max(2, Math.round(side / 9));
    let from = left;
    for (const { probability, colour: part } of outcomes) {
      const length = probability * side;
      context.fillStyle = part;
      context.fillRect(from, top + side - thick, length, thick);
      from += length;
    }
  }

  drawFrames(context, { side, ratio }) {
    const { width, height } = this.drawing;
    context.strokeStyle = "#55555f";
    context.lineWidth = ratio;
    context.setLineDash([2 * ratio, 3 * ratio]);
    context.strokeRect(side - 0.5, side - 0.5, width * side + 1, height * side + 1);
    if (this.mirror.across) dashes(context, (1 + width / 2) * side, side, 0, height * side);
    if (this.mirror.down) dashes(context, side, (1 + height / 2) * side, width * side, 0);
    context.setLineDash([]);
    const row = this.caretRow;
    if (row >= 0 && row < height) {
      context.fillStyle = "#ffd54a";
      context.fillRect(side * 0.55, (row + 1) * side, Math.max(2, side * 0.18), side);
    }
    if (this.selection) {
      const { x, y, width: wide, height: high } = this.selection;
      context.strokeStyle = "#ffffff";
      context.setLineDash([4 * ratio, 3 * ratio]);
      context.lineWidth = 1.5 * ratio;
      context.strokeRect((x + 1) * side, (y + 1) * side, wide * side, high * side);
      context.setLineDash([]);
    }
    if (this.cursor) {
      const [x, y] = this.cursor;
      context.strokeStyle = "#ffd54a";
      context.lineWidth = 1.5 * ratio;
      context.strokeRect((x + 1) * side + 0.75, (y + 1) * side + 0.75, side - 1.5, side - 1.5);
    }
  }

  cellAt(event) {
    if (!this.shown) return null;
    const box = this.canvas.getBoundingClientRect();
    const { ratio, side } = this.shown;
    const x = Math.floor(((event.clientX - box.left) * ratio) / side) - 1;
    const y = Math.floor(((event.clientY - box.top) * ratio) / side) - 1;
    const clamp = (value, most) => Math.max(-1, Math.min(most, value));
    return [clamp(x, this.drawing.width), clamp(y, this.drawing.height)];
  }

  point(cell) {
    this.cursor = cell;
    const glyph = cell && this.drawing?.get(...cell);
    this.place.textContent =
      cell && this.drawing
        ? `${cell[0] + 1}, ${cell[1] + 1}: ${glyph === " " ? "space" : glyph} ${glyph === " " ? "" : this.palette.meaningOf(glyph)}`
        : this.drawing
          ? `${this.drawing.width} × ${this.drawing.height}`
          : "";
    const inside = cell && this.drawing?.has(...cell);
    this.dispatchEvent(
      new CustomEvent("lines", {
        detail: inside && this.found ? [this.found.firstLine + cell[1]] : [],
      }),
    );
    this.draw();
  }

  press(event) {
    if (!this.drawing || this.studio.readOnly) return;
    const cell = this.cellAt(event);
    this.canvas.focus({ preventScroll: true });
    const pressed = event.button;
    if (pressed === 2 || this.tool === "pick" || event.altKey) {
      event.preventDefault();
      if (this.drawing.has(...cell)) this.palette.pick(this.drawing.get(...cell));
      return;
    }
    if (pressed !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const moving = this.tool === "select" && this.selection && within(this.selection, cell);
    this.stroke = { from: cell, last: cell, path: [cell], cells: [], moving, full: event.shiftKey };
    this.extend(cell);
  }

  drag(event) {
    if (!this.drawing) return;
    const cell = this.cellAt(event);
    if (!this.stroke) {
      const moved = !this.cursor || cell[0] !== this.cursor[0] || cell[1] !== this.cursor[1];
      if (moved) this.point(cell);
      return;
    }
    this.stroke.full = event.shiftKey;
    if (cell[0] === this.stroke.last[0] && cell[1] === this.stroke.last[1]) return;
    this.stroke.path.push(...lineCells(this.stroke.last, cell).slice(1));
    this.stroke.last = cell;
    this.extend(cell);
  }

  /** What the stroke would draw up to a cell. */
  extend(cell) {
    const { stroke, drawing } = this;
    this.cursor = cell;
    const glyph = this.palette.brush;
    const drawn = (cells) => mirrored(cells, drawing, this.mirror).map(([x, y]) => [x, y, glyph]);
    if (this.tool === "brush") stroke.cells = drawn(stroke.path);
    else if (this.tool === "line") stroke.cells = drawn(lineCells(stroke.from, cell));
    else if (this.tool === "rectangle")
      stroke.cells = drawn(rectangleCells(stroke.from, cell, stroke.full));
    else if (this.tool === "fill") stroke.cells = drawn(areaCells(drawing, stroke.from));
    else if (this.tool === "select" && stroke.moving) stroke.cells = this.movedCells(cell);
    else if (this.tool === "select") this.selection = rectangle(stroke.from, cell);
    this.draw();
  }

  movedCells([x, y]) {
    const { from } = this.stroke;
    return this.movedBy(x - from[0], y - from[1]);
  }

  movedBy(dx, dy) {
    const { selection, drawing } = this;
    if (!dx && !dy) return [];
    const left = rectangleCells(
      [selection.x, selection.y],
      [selection.x + selection.width - 1, selection.y + selection.height - 1],
      true,
    );
    const cells = new Map(left.map(([x, y]) => [`${x} ${y}`, [x, y, FLOOR]]));
    drawing.part(selection).forEach((row, ry) =>
      row.forEach((glyph, rx) => {
        const [x, y] = [selection.x + rx + dx, selection.y + ry + dy];
        cells.set(`${x} ${y}`, [x, y, glyph]);
      }),
    );
    return [...cells.values()];
  }

  release() {
    const { stroke } = this;
    if (!stroke) return;
    this.stroke = null;
    if (stroke.moving) {
      const [dx, dy] = [stroke.last[0] - stroke.from[0], stroke.last[1] - stroke.from[1]];
      this.selection = { ...this.selection, x: this.selection.x + dx, y: this.selection.y + dy };
    }
    if (stroke.cells.length) this.commit(stroke.cells);
    else this.draw();
  }

  abandon() {
    this.stroke = null;
    this.draw();
  }

  /** Writes cells into the text. */
  commit(cells, options) {
    const { found } = this;
    const drawing = this.drawing.copy();
    const moved = drawing.write(cells);
    if (this.selection) {
      this.selection = {
        ...this.selection,
        x: this.selection.x + moved.x,
        y: this.selection.y + moved.y,
      };
    }
    if (this.cursor) this.cursor = [this.cursor[0] + moved.x, this.cursor[1] + moved.y];
    const before = moved.x || moved.y ? [] : found.rows;
    const text = drawing.rows(before).join("\n");
    const all = this.studio.document.text;
    const whole = all.slice(0, found.start) + text + all.slice(found.end);
    this.studio.document.become(whole, "drawing", options);
    this.update();
    this.draw();
  }

  flip(axis) {
    if (!this.drawing) return;
    const part = this.selection ?? {
      x: 0,
      y: 0,
      width: this.drawing.width,
      height: this.drawing.height,
    };
    const rows = flipped(this.drawing.part(part), axis);
    this.commit(rows.flatMap((row, y) => row.map((glyph, x) => [part.x + x, part.y + y, glyph])));
  }

  copy(event, cut = false) {
    if (!this.selection) return;
    event.preventDefault();
    const text = this.drawing
      .part(this.selection)
      .map((row) => row.join(""))
      .join("\n");
    event.clipboardData.setData("text/plain", text);
    if (cut) this.erase(FLOOR);
  }

  paste(event) {
    const text = event.clipboardData.getData("text/plain").replace(/\r/g, "").replace(/\n$/, "");
    if (!text || !this.drawing || this.studio.readOnly) return;
    event.preventDefault();
    const [left, top] = this.selection
      ? [this.selection.x, this.selection.y]
      : (this.cursor ?? [0, 0]);
    const rows = text.split("\n").map((row) => [...row]);
    this.commit(rows.flatMap((row, y) => row.map((glyph, x) => [left + x, top + y, glyph])));
    this.choose("select");
    this.selection = {
      x: left,
      y: top,
      width: Math.max(...rows.map((row) => row.length)),
      height: rows.length,
    };
  }

  erase(glyph) {
    const { x, y, width, height } = this.selection;
    const cells = rectangleCells([x, y], [x + width - 1, y + height - 1], true);
    this.commit(cells.map(([column, row]) => [column, row, glyph]));
  }

  goTo() {
    if (!this.cursor || !this.found) return;
    const detail = { line: this.found.firstLine + this.cursor[1], column: this.cursor[0] };
    this.dispatchEvent(new CustomEvent("goto", { detail }));
  }

  key(event) {
    if (!this.drawing) return;
    if (event.altKey && !event.ctrlKey) {
      const tool = TOOLS.find(([, , key]) => key === event.code);
      if (!tool) return;
      event.preventDefault();
      this.choose(tool[0]);
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    const [x, y] = this.cursor ?? [0, 0];
    const move = ARROWS[event.key];
    if (move) this.step([x, y], move, event);
    else if (event.key === "Enter") this.goTo();
    else if (event.key === "Escape" && this.selection) this.selection = null;
    else if ((event.key === "Delete" || event.key === "Backspace") && this.selection)
      this.erase(" ");
    else if (event.key === " ") this.commit(this.withMirror([[x, y]], this.palette.brush));
    else if ([...event.key].length === 1) {
      this.palette.pick(event.key);
      this.commit(this.withMirror([[x, y]], event.key), { together: true });
      this.point([Math.min(this.cursor[0] + 1, this.drawing.width), this.cursor[1]]);
    } else return;
    event.preventDefault();
    this.draw();
  }

  step([x, y], [dx, dy], event) {
    const clamp = (value, most) => Math.max(-1, Math.min(most, value));
    const to = [clamp(x + dx, this.drawing.width), clamp(y + dy, this.drawing.height)];
    if (event.shiftKey) {
      if (!this.anchor || !this.selection) this.anchor = [x, y];
      this.choose("select");
      this.selection = rectangle(this.anchor, to);
    }
    this.point(to);
  }

  withMirror(cells, glyph) {
    return mirrored(cells, this.drawing, this.mirror).map(([x, y]) => [x, y, glyph]);
  }

  /** The caret stands on a line: its row is marked. */
  setCaretLine(line) {
    this.caretRow = this.found ? line - this.found.firstLine : -1;
    this.draw();
  }
}

function within({ x, y, width, height }, [column, row]) {
  return column >= x && row >= y && column < x + width && row < y + height;
}

function dashes(context, x, y, dx, dy) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + dx, y + dy);
  context.stroke();
}

function lighter(colour) {
  const number = Number.parseInt(colour.slice(1), 16);
  const part = (shift) => Math.min(255, ((number >> shift) & 255) + 50);
  return `rgb(${part(16)}, ${part(8)}, ${part(0)})`;
}
