// The glyphs of a map: what each means, and how probably.

import { button, el, fill, percent } from "./elements.js";

/** What can always be drawn, also before the drawing has it. */
const ALWAYS = ["x", ".", "+", "@", "w", "T", "G", "1", "d", "*"];

/** The palette beside the drawing. Tells of `pick`. */
export class Palette extends EventTarget {
  constructor() {
    super();
    this.glyphs = new Map();
    this.brush = "x";
    this.list = el("div", {
      class: "glyphs",
      role: "radiogroup",
      "aria-label": "Glyph to draw with",
    });
    this.own = el("input", {
      class: "own-glyph",
      maxlength: "2",
      "aria-label": "Another glyph",
      placeholder: "other",
      oninput: () => {
        const glyph = [...this.own.value].at(-1);
        if (glyph && glyph !== " ") this.pick(glyph);
        this.own.value = "";
      },
    });
    this.detail = el("div", { class: "glyph-detail", role: "status", "aria-live": "polite" });
    this.element = el(
      "aside",
      { class: "palette", "aria-label": "Palette" },
      this.list,
      this.own,
      this.detail,
    );
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.show([]);
  }

  show(glyphs) {
    this.glyphs = new Map(glyphs.map((entry) => [entry.glyph, entry]));
    const used = [...glyphs]
      .sort((a, b) => (b.cells ?? 0) - (a.cells ?? 0))
      .map(({ glyph }) => glyph);
    const names = [...new Set([...used, ...ALWAYS, " ", this.brush])];
    const focused = this.list.contains(document.activeElement);
    fill(
      this.list,
      names.map((glyph) => this.row(glyph)),
    );
    if (focused) this.list.querySelector("[aria-checked=true]")?.focus();
    this.tell(this.brush);
  }

  row(glyph) {
    const entry = this.glyphs.get(glyph);
    const chosen = glyph === this.brush;
    const swatch = el("span", { class: "swatch" }, glyph === " " ? "␣" : glyph);
    const colour = entry?.outcomes?.[0]?.colour;
    if (colour) swatch.style.color = colour;
    return button(
      [
        swatch,
        el("span", { class: "meaning" }, this.meaningOf(glyph)),
        entry?.cells ? el("span", { class: "count" }, entry.cells) : null,
        entry?.outcomes?.length > 1 ? stripe(entry.outcomes) : null,
      ],
      () => this.pick(glyph),
      {
        role: "radio",
        "aria-checked": String(chosen),
        tabindex: chosen ? "0" : "-1",
        class: entry?.cells ? "used" : "unused",
        "data-glyph": glyph,
        onmouseenter: () => this.tell(glyph),
        onmouseleave: () => this.tell(this.brush),
      },
    );
  }

  meaningOf(glyph) {
    if (glyph === " ") return "nothing";
    return this.glyphs.get(glyph)?.meaning || "not in this map";
  }

  pick(glyph) {
    this.brush = glyph;
    const known = [...this.list.children].some((row) => row.dataset.glyph === glyph);
    if (!known) this.list.append(this.row(glyph));
    for (const row of this.list.children) {
      const chosen = row.dataset.glyph === glyph;
      row.setAttribute("aria-checked", String(chosen));
      row.tabIndex = chosen ? 0 : -1;
    }
    this.tell(glyph);
    this.dispatchEvent(new CustomEvent("pick", { detail: glyph }));
  }

  /** Says all about a glyph. */
  tell(glyph) {
    const entry = this.glyphs.get(glyph);
    fill(
      this.detail,
      el("span", { class: "glyph" }, glyph === " " ? "␣" : glyph),
      " ",
      entry?.outcomes?.length > 1
        ? entry.outcomes
            .slice(0, 5)
            .map(({ what, probability }) =>
              el("span", { class: "chip" }, `${what} ${percent(probability)}`),
            )
        : this.meaningOf(glyph),
      entry?.lines?.length
        ? el(
            "span",
            { class: "faint" },
            ` line ${entry.lines
              .slice(0, 4)
              .map((line) => line + 1)
              .join(", ")}`,
          )
        : null,
    );
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const rows = [...this.list.children];
    const at = rows.indexOf(document.activeElement);
    const next = rows[(at + step + rows.length) % rows.length];
    this.pick(next.dataset.glyph);
    next.focus();
  }
}

/** What a glyph can become, as a line in the colours of its outcomes. */
function stripe(outcomes) {
  const line = el("span", { class: "stripe", "aria-hidden": "true" });
  for (const { probability, colour } of outcomes) {
    const piece = el("span");
    piece.style.flexGrow = String(probability);
    piece.style.background = colour;
    line.append(piece);
  }
  return line;
}
