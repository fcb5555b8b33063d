// A drawing of glyphs as a value, and what tools do to it.

/** Rows of one width; beyond the end of a row is space. */
export class Drawing {
  constructor(rows) {
    this.width = Math.max(1, ...rows.map((row) => [...row].length));
    this.height = Math.max(1, rows.length);
    this.cells = rows.map((row) => {
      const cells = [...row];
      while (cells.length < this.width) cells.push(" ");
      return cells;
    });
    if (!this.cells.length) this.cells.push([" "]);
  }

  copy() {
    return new Drawing(this.cells.map((row) => row.join("")));
  }

  has(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  get(x, y) {
    return this.has(x, y) ? this.cells[y][x] : " ";
  }

  /** Writes a glyph; the drawing grows where it has to. Returns how far everything has moved. */
  set(x, y, glyph) {
    const moved = this.grow(x, y);
    this.cells[y + moved.y][x + moved.x] = glyph;
    return moved;
  }

  grow(x, y) {
    const moved = { x: Math.max(0, -x), y: Math.max(0, -y) };
    for (let more = 0; more < moved.x; more += 1) this.cells.forEach((row) => row.unshift(" "));
    this.width = Math.max(this.width + moved.x, x + moved.x + 1);
    for (let more = 0; more < moved.y; more += 1) this.cells.unshift([]);
    this.height = Math.max(this.height + moved.y, y + moved.y + 1);
    while (this.cells.length < this.height) this.cells.push([]);
    for (const row of this.cells) while (row.length < this.width) row.push(" ");
    return moved;
  }

  /** The rows as text; those that are as before keep their spaces at the end. */
  rows(before = []) {
    return this.cells.map((cells, index) => {
      const row = cells.join("").trimEnd();
      const old = before[index];
      return old !== undefined && old.trimEnd() === row ? old : row;
    });
  }

  /** What a rectangle shows. */
  part({ x, y, width, height }) {
    const rows = [];
    for (let row = 0; row < height; row += 1) {
      rows.push(Array.from({ length: width }, (_, column) => this.get(x + column, y + row)));
    }
    return rows;
  }

  /** Writes cells `[x, y, glyph]` at once; returns how far everything has moved. */
  write(cells) {
    if (!cells.length) return { x: 0, y: 0 };
    const least = (axis) => Math.min(0, ...cells.map((cell) => cell[axis]));
    const moved = this.grow(least(0), least(1));
    for (const [x, y, glyph] of cells) this.set(x + moved.x, y + moved.y, glyph);
    return moved;
  }
}

/** Cells on a straight line. */
export function lineCells([x0, y0], [x1, y1]) {
  const cells = [];
  const [dx, dy] = [Math.abs(x1 - x0), -Math.abs(y1 - y0)];
  const [sx, sy] = [x0 < x1 ? 1 : -1, y0 < y1 ? 1 : -1];
  let [x, y, error] = [x0, y0, dx + dy];
  for (;;) {
    cells.push([x, y]);
    if (x === x1 && y === y1) return cells;
    const twice = 2 * error;
    if (twice >= dy) [error, x] = [error + dy, x + sx];
    if (twice <= dx) [error, y] = [error + dx, y + sy];
  }
}

/** Cells of a rectangle between two corners, its frame or all of it. */
export function rectangleCells(from, to, full) {
  const { x, y, width, height } = rectangle(from, to);
  const cells = [];
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) {
      const edge = row === y || row === y + height - 1 || column === x || column === x + width - 1;
      if (full || edge) cells.push([column, row]);
    }
  }
  return cells;
}

/** The rectangle between two corners. */
export function rectangle([x0, y0], [x1, y1]) {
  const [x, y] = [Math.min(x0, x1), Math.min(y0, y1)];
  return { x, y, width: Math.abs(x1 - x0) + 1, height: Math.abs(y1 - y0) + 1 };
}

/** Cells of one glyph that hang together with a cell. */
export function areaCells(drawing, [x, y]) {
  if (!drawing.has(x, y)) return [];
  const glyph = drawing.get(x, y);
  const seen = new Set([`${x} ${y}`]);
  const cells = [[x, y]];
  for (const [column, row] of cells) {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      const next = [column + dx, row + dy];
      const key = next.join(" ");
      if (!drawing.has(...next) || seen.has(key) || drawing.get(...next) !== glyph) continue;
      seen.add(key);
      cells.push(next);
    }
  }
  return cells;
}

/** Cells with their mirror images in a drawing. */
export function mirrored(cells, { width, height }, { across, down }) {
  const all = new Map();
  for (const [x, y] of cells) {
    const columns = across ? [x, width - 1 - x] : [x];
    const rows = down ? [y, height - 1 - y] : [y];
    for (const column of columns)
      for (const row of rows) all.set(`${column} ${row}`, [column, row]);
  }
  return [...all.values()];
}

/** A part turned over from left to right, or from top to bottom. */
export function flipped(rows, axis) {
  return axis === "across" ? rows.map((row) => [...row].reverse()) : [...rows].reverse();
}
