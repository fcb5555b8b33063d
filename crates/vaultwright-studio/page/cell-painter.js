// How a cell looks: blocks for walls, glyphs in their colours for everything else, as in the program's
// own pictures.

const BACKGROUND = [17, 17, 20];
const GROUND = [30, 29, 31];

/** How much of its colour lies under a cell of a kind, of 255. */
const UNDER = { liquid: 80, door: 70, stairs: 50, monster: 45, tree: 40, item: 18 };

/** Below this many pixels a glyph cannot be read, and its colour is shown instead. */
const READABLE = 6;

/** The game's own tiles: images by what they are made of, with a number for each. */
const images = new Map();

/** Whether they are shown, in place of letters. */
let shown = true;

export function showTiles(wanted) {
  shown = wanted;
  tileNews.dispatchEvent(new Event("tiles"));
}

/** Tells of `tiles` when pictures look different: images have come, or are not wanted any more. */
export const tileNews = new EventTarget();

function imageOf(tile) {
  let known = images.get(tile);
  if (!known) {
    const image = new Image();
    known = { number: images.size, image };
    images.set(tile, known);
    image.addEventListener("load", () => {
      for (const painter of painters.values()) painter.forget(known.number);
      tileNews.dispatchEvent(new Event("tiles"));
    });
    image.src = `data:image/png;base64,${tile}`;
  }
  return known;
}

/**
 * Paints cells of one size. A look is `{symbol, colour, kind}`, with the game's own `tile` where that is
 * known; each is drawn once, and copied after that.
 */
export class CellPainter {
  constructor(side) {
    this.side = side;
    this.known = new Map();
    this.made = 0;
    this.columns = 32;
    this.sheet = document.createElement("canvas");
    this.sheet.width = this.columns * side;
    this.sheet.height = 8 * side;
    this.context = this.sheet.getContext("2d", { alpha: false });
  }

  draw(context, look, x, y) {
    const { side } = this;
    const tile = shown && look.tile ? imageOf(look.tile) : null;
    const key = tile ? `tile ${tile.number}` : `${look.symbol}${look.colour}${look.kind}`;
    let at = this.known.get(key);
    if (at === undefined) {
      at = this.made;
      this.made += 1;
      this.known.set(key, at);
      this.make(look, at, tile);
    }
    const [from, row] = [(at % this.columns) * side, Math.floor(at / this.columns) * side];
    context.drawImage(this.sheet, from, row, side, side, x, y, side, side);
  }

  /** Has the tile of this number painted anew. */
  forget(number) {
    this.known.delete(`tile ${number}`);
  }

  make(look, at, tile) {
    const { side } = this;
    const [x, y] = [(at % this.columns) * side, Math.floor(at / this.columns) * side];
    if (y + side > this.sheet.height) {
      const old = this.sheet;
      this.sheet = document.createElement("canvas");
      this.sheet.width = old.width;
      this.sheet.height = old.height * 2;
      this.context = this.sheet.getContext("2d", { alpha: false });
      this.context.drawImage(old, 0, 0);
    }
    if (tile?.image.complete && tile.image.naturalWidth) {
      this.context.fillStyle = NOTHING;
      this.context.fillRect(x, y, side, side);
      this.context.drawImage(tile.image, x, y, side, side);
    } else {
      paint(this.context, look, x, y, side);
    }
  }
}

/** Painters by size, kept. */
const painters = new Map();

export function painterOf(side) {
  let painter = painters.get(side);
  if (!painter) {
    if (painters.size > 24) painters.clear();
    painter = new CellPainter(side);
    painters.set(side, painter);
  }
  return painter;
}

/** The colour of nothing. */
export const NOTHING = css(BACKGROUND);

function paint(context, { symbol, colour, kind }, x, y, side) {
  const own = rgb(colour);
  context.fillStyle = css(groundOf(kind, own));
  context.fillRect(x, y, side, side);
  if (kind === "wall" && side >= READABLE) edges(context, own, x, y, side);
  const glyph = glyphOf(kind, symbol);
  if (glyph === null) return;
  const ink = inkOf(kind, symbol, own);
  if (side < READABLE) {
    if (kind === "floor") return;
    context.fillStyle = css(mix(groundOf(kind, own), ink, 150));
    context.fillRect(x, y, side, side);
    return;
  }
  context.fillStyle = css(ink);
  if (kind === "floor" && symbol === ".") {
    const dot = Math.max(1, Math.round(side / 9));
    const middle = Math.floor((side - dot) / 2);
    context.fillRect(x + middle, y + middle, dot, dot);
    return;
  }
  context.save();
  context.beginPath();
  context.rect(x, y, side, side);
  context.clip();
  const weight = side < 12 ? "bold " : "";
  context.font = `${weight}${Math.round(side * 0.86)}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(glyph, x + side / 2, y + side * 0.53);
  context.restore();
}

function groundOf(kind, colour) {
  if (kind === "outside") return BACKGROUND;
  if (kind === "buried") return mix(BACKGROUND, colour, 70);
  if (kind === "wall") return mix(BACKGROUND, colour, 150);
  return mix(GROUND, colour, UNDER[kind] ?? 0);
}

function inkOf(kind, symbol, colour) {
  if (kind === "floor" && symbol !== "@") return mix(GROUND, colour, symbol === "." ? 120 : 200);
  if (kind === "wall") return colour.map((part) => Math.min(255, part + 60));
  return colour.map((part) => Math.max(60, part));
}

function glyphOf(kind, symbol) {
  if (kind === "outside" || kind === "buried" || !symbol || symbol === " ") return null;
  if (kind === "wall" && "#▓█x".includes(symbol)) return null;
  return symbol;
}

/** A light edge above and at the left, a dark one below and at the right. */
function edges(context, colour, x, y, side) {
  const line = Math.max(1, Math.round(side / 16));
  context.fillStyle = css(mix(BACKGROUND, colour, 215));
  context.fillRect(x, y, side, line);
  context.fillRect(x, y, line, side);
  context.fillStyle = css(mix(BACKGROUND, colour, 90));
  context.fillRect(x, y + side - line, side, line);
  context.fillRect(x + side - line, y, line, side);
}

function rgb(colour) {
  const number = Number.parseInt(String(colour ?? "#b8b8b2").slice(1), 16);
  return Number.isNaN(number) ? [184, 184, 178] : [number >> 16, (number >> 8) & 255, number & 255];
}

function mix(under, over, share) {
  return under.map((part, index) => Math.round(part + ((over[index] - part) * share) / 255));
}

function css([red, green, blue]) {
  return `rgb(${red}, ${green}, ${blue})`;
}
