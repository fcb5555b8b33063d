// One grid as a picture: a level, a floor, a map of shares. It fits its place; cells can be pointed at with
// the mouse and with the keys.

import { ARROWS, el, oncePerFrame } from "./elements.js";
import { painterOf, tileNews } from "./cell-painter.js";

/** Tells of `point` (a cell, or null) and `choose` (a cell was clicked, or Enter pressed). */
export class GridView extends EventTarget {
  constructor({ label, largest = 24, smallest = 3, className = "", takesKeys = true } = {}) {
    super();
    this.label = label;
    this.largest = largest;
    this.smallest = smallest;
    this.takesKeys = takesKeys;
    this.overlay = null;
    this.cursor = null;
    this.canvas = el("canvas", {
      class: `grid ${className}`,
      tabindex: "0",
      role: takesKeys ? "application" : "img",
      "aria-label": label,
    });
    this.element = el("div", { class: "grid-holder" }, this.canvas);
    this.draw = oncePerFrame(() => this.drawNow());
    new ResizeObserver(() => this.draw()).observe(this.element);
    tileNews.addEventListener("tiles", () => this.draw());
    const { canvas } = this;
    canvas.addEventListener("mousemove", (event) => this.point(this.cellAt(event)));
    canvas.addEventListener("mouseleave", () => this.point(null));
    canvas.addEventListener("click", (event) => {
      const cell = this.cellAt(event);
      if (!cell) return;
      this.point(cell);
      this.dispatchEvent(new CustomEvent("choose", { detail: cell }));
    });
    if (takesKeys) canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows a grid: `{width, height, symbols, table}`; `window` is the part to be seen. */
  show(grid, window = null) {
    this.grid = grid;
    this.window = window ?? (grid && { x: 0, y: 0, width: grid.width, height: grid.height });
    this.draw();
  }

  drawNow() {
    const { grid, canvas, element } = this;
    canvas.hidden = !grid;
    if (!grid || !element.clientWidth) return;
    const ratio = devicePixelRatio || 1;
    const { x: left, y: top, width, height } = this.window;
    const fit = Math.min(element.clientWidth / width, element.clientHeight / height, this.largest);
    const side = Math.max(Math.round(this.smallest * ratio), Math.floor(fit * ratio), 1);
    if (canvas.width !== width * side || canvas.height !== height * side) {
      canvas.width = width * side;
      canvas.height = height * side;
      canvas.style.width = `${(width * side) / ratio}px`;
      canvas.style.height = `${(height * side) / ratio}px`;
    }
    const context = canvas.getContext("2d", { alpha: false });
    context.fillStyle = "#111114";
    context.fillRect(0, 0, canvas.width, canvas.height);
    const painter = painterOf(side);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const look = grid.table[grid.symbols[(y + top) * grid.width + x + left]];
        if (look && look.kind !== "outside") painter.draw(context, look, x * side, y * side);
      }
    }
    this.shown = { ratio, side, left, top };
    this.overlay?.(context, {
      side,
      ratio,
      grid,
      at: (x, y) => [(x - left) * side, (y - top) * side],
    });
    if (this.cursor) {
      const { x, y } = this.cursor;
      context.strokeStyle = "#ffffff";
      context.lineWidth = Math.max(1, 1.5 * ratio);
      context.strokeRect((x - left) * side, (y - top) * side, side, side);
    }
  }

  cellAt(event) {
    if (!this.shown || !this.grid) return null;
    const box = this.canvas.getBoundingClientRect();
    const { ratio, side, left, top } = this.shown;
    const x = Math.floor(((event.clientX - box.left) * ratio) / side) + left;
    const y = Math.floor(((event.clientY - box.top) * ratio) / side) + top;
    const inside =
      x >= left && y >= top && x < left + this.window.width && y < top + this.window.height;
    return inside ? { x, y } : null;
  }

  /** What a cell shows. */
  lookAt({ x, y }) {
    return this.grid.table[this.grid.symbols[y * this.grid.width + x]];
  }

  point(cell) {
    if (cell?.x === this.cursor?.x && cell?.y === this.cursor?.y) return;
    this.cursor = cell;
    this.draw();
    this.dispatchEvent(new CustomEvent("point", { detail: cell }));
  }

  key(event) {
    const step = ARROWS[event.key];
    if (!this.grid || event.ctrlKey || event.altKey) return;
    const { x: left, y: top, width, height } = this.window;
    if (step) {
      const { x, y } = this.cursor ?? { x: left, y: top };
      const clamp = (value, from, count) => Math.max(from, Math.min(from + count - 1, value));
      this.point({ x: clamp(x + step[0], left, width), y: clamp(y + step[1], top, height) });
    } else if (event.key === "Enter" && this.cursor) {
      this.dispatchEvent(new CustomEvent("choose", { detail: this.cursor }));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The part of a level that is not solid rock all around, with a margin. */
export function openPart({ width, height, symbols, table }, margin = 2) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  symbols.forEach((symbol, index) => {
    const kind = table[symbol]?.kind;
    if (kind === "buried" || kind === "outside") return;
    const [x, y] = [index % width, Math.floor(index / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  });
  if (right < 0) return { x: 0, y: 0, width, height };
  [left, top] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  [right, bottom] = [Math.min(width - 1, right + margin), Math.min(height - 1, bottom + margin)];
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
