// The text: a plain field, over a layer that shows it in colours, with a margin for line numbers.

import { el, fill, oncePerFrame } from "./elements.js";

const TAB = 8;

/**
 * Writes an open file. Tells of `caret` (the caret stands elsewhere), `hover` (the mouse rests on a
 * place), `unhover`, `scroll`.
 */
export class TextPane extends EventTarget {
  constructor(file) {
    super();
    this.file = file;
    this.tokens = [];
    this.findings = [];
    this.lit = new Set();
    this.input = el("textarea", {
      class: "code",
      id: "text",
      spellcheck: false,
      autocapitalize: "off",
      autocomplete: "off",
      autocorrect: "off",
      wrap: "off",
      "aria-label": "Text of the file",
      "aria-describedby": "text-keys",
    });
    this.input.spellcheck = false;
    this.lines = el("div", { class: "code lines", "aria-hidden": "true" });
    this.margin = el("div", { class: "code margin", "aria-hidden": "true" });
    this.measure = document.createElement("canvas").getContext("2d");
    this.element = el(
      "div",
      { class: "text-pane" },
      el("div", { class: "margin-clip", onclick: (event) => this.clickMargin(event) }, this.margin),
      el("div", { class: "text-clip" }, this.lines, this.input),
    );
    this.draw = oncePerFrame(() => this.drawNow());
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  get document() {
    return this.file.document;
  }

  get caret() {
    return this.input.selectionStart;
  }

  get caretLine() {
    return this.document.position(this.caret).line;
  }

  listen() {
    const { input } = this;
    input.addEventListener("input", () => {
      this.document.become(input.value, "typing", { selection: this.before });
      this.noteCaret();
    });
    input.addEventListener("beforeinput", (event) => {
      this.before = input.selectionStart;
      if (event.inputType === "historyUndo") this.step(event, () => this.document.undo());
      if (event.inputType === "historyRedo") this.step(event, () => this.document.redo());
    });
    input.addEventListener(
      "scroll",
      () => {
        this.drawNow();
        this.dispatchEvent(new Event("scroll"));
      },
      { passive: true },
    );
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === input) this.noteCaret();
    });
    input.addEventListener("focus", () => this.noteCaret());
    input.addEventListener("mousemove", (event) => this.noteMouse(event));
    input.addEventListener("mouseleave", () => this.noteMouse(null));
    this.file.addEventListener("opened", () => this.showAll());
    this.file.addEventListener("change", ({ detail }) => this.follow(detail));
  }

  step(event, action) {
    event.preventDefault();
    const caret = action();
    if (caret !== null) this.select(caret, caret);
  }

  undo() {
    const caret = this.document.undo();
    if (caret !== null) this.select(caret, caret);
  }

  redo() {
    const caret = this.document.redo();
    if (caret !== null) this.select(caret, caret);
  }

  /** Shows another text. */
  showAll() {
    this.tokens = [];
    this.findings = [];
    this.lit = new Set();
    this.input.value = this.document.text;
    this.input.setSelectionRange(0, 0);
    this.input.scrollTop = 0;
    this.draw();
  }

  /** The text has been changed, by hand or otherwise. */
  follow({ start, removed, inserted, origin }) {
    this.keepTokens(start, removed, inserted);
    if (this.input.value !== this.document.text) {
      const { selectionStart, selectionEnd, scrollTop, scrollLeft } = this.input;
      const focused = document.activeElement === this.input;
      this.input.value = this.document.text;
      const moved = (at) => {
        if (at <= start) return at;
        if (at >= start + removed.length) return at + inserted.length - removed.length;
        return start + Math.min(at - start, inserted.length);
      };
      if (focused || origin === "drawing" || origin === "disk") {
        this.input.setSelectionRange(moved(selectionStart), moved(selectionEnd));
      }
      this.input.scrollTop = scrollTop;
      this.input.scrollLeft = scrollLeft;
    }
    this.draw();
  }

  /** Colours stay where they were until the server has answered again. */
  keepTokens(start, removed, inserted) {
    const { line, column } = this.document.position(start);
    const gone = removed.split("\n").length - 1;
    const come = inserted.split("\n").length - 1;
    if (gone || come) {
      const fresh = Array.from({ length: come }, () => []);
      const rest = this.tokens[line]?.filter(([from, length]) => from + length <= column) ?? [];
      this.tokens.splice(line, gone + 1, rest, ...fresh);
      return;
    }
    const grown = inserted.length - removed.length;
    this.tokens[line] = (this.tokens[line] ?? []).map(([from, length, kind]) => {
      if (from >= column + removed.length && from > column) return [from + grown, length, kind];
      if (from + length >= column) return [from, Math.max(0, length + grown), kind];
      return [from, length, kind];
    });
  }

  setTokens(list) {
    this.tokens = [];
    for (const [line, column, length, kind] of list) {
      (this.tokens[line] ??= []).push([column, length, kind]);
    }
    this.draw();
  }

  setFindings(list) {
    this.findings = list;
    this.draw();
  }

  /** Lights lines up: those that made what is pointed at. */
  light(lines) {
    const same = lines.length === this.lit.size && lines.every((line) => this.lit.has(line));
    if (same) return;
    this.lit = new Set(lines);
    this.draw();
  }

  /** Selects a part and brings it into view. */
  select(start, end = start, { focus = true } = {}) {
    if (focus) this.input.focus({ preventScroll: true });
    this.input.setSelectionRange(start, end);
    this.reveal(this.document.position(start).line);
    this.noteCaret();
  }

  /** Puts the caret on a line. */
  goTo(line, column = 0, options) {
    const at = this.document.offset({ line, column });
    this.select(at, at, options);
  }

  reveal(line) {
    const { lineHeight } = this.metrics();
    const top = line * lineHeight;
    const { scrollTop, clientHeight } = this.input;
    if (top < scrollTop + lineHeight || top > scrollTop + clientHeight - 3 * lineHeight) {
      this.input.scrollTop = Math.max(0, top - clientHeight / 3);
    }
    this.draw();
  }

  noteCaret() {
    const key = `${this.input.selectionStart} ${this.input.selectionEnd} ${this.document.version}`;
    if (key === this.noted) return;
    this.noted = key;
    this.draw();
    this.dispatchEvent(new Event("caret"));
  }

  metrics() {
    if (!this.known) {
      const style = getComputedStyle(this.input);
      this.measure.font = style.font;
      this.known = {
        lineHeight: parseFloat(style.lineHeight),
        charWidth: this.measure.measureText("0000000000").width / 10,
        padding: parseFloat(style.paddingLeft),
        top: parseFloat(style.paddingTop),
      };
    }
    return this.known;
  }

  /** How far a column is from the left, in pixels. */
  width(text) {
    const { charWidth } = this.metrics();
    if (/^[\x20-\x7e]*$/.test(text)) return text.length * charWidth;
    let width = 0;
    for (const part of text.split(/(\t)/)) {
      if (part === "\t") width = (Math.floor(width / charWidth / TAB + 1e-6) + 1) * TAB * charWidth;
      else width += this.measure.measureText(part).width;
    }
    return width;
  }

  /** Where an offset stands in the window. */
  pointOf(offset) {
    const { lineHeight, padding, top } = this.metrics();
    const { line, column } = this.document.position(offset);
    const box = this.input.getBoundingClientRect();
    return {
      x:
        box.left +
        padding +
        this.width(this.document.line(line).slice(0, column)) -
        this.input.scrollLeft,
      y: box.top + top + line * lineHeight - this.input.scrollTop,
      height: lineHeight,
    };
  }

  /** The offset under a place in the window, or null beyond the text. */
  offsetAt(x, y) {
    const { lineHeight, charWidth, padding, top } = this.metrics();
    const box = this.input.getBoundingClientRect();
    const line = Math.floor((y - box.top - top + this.input.scrollTop) / lineHeight);
    if (line < 0 || line >= this.document.lineCount) return null;
    const text = this.document.line(line);
    const left = x - box.left - padding + this.input.scrollLeft;
    let column = Math.floor(left / charWidth);
    if (!/^[\x20-\x7e]*$/.test(text)) {
      column = 0;
      while (column < text.length && this.width(text.slice(0, column + 1)) <= left) column += 1;
    }
    if (column < 0 || column >= text.length) return null;
    return this.document.offset({ line, column });
  }

  noteMouse(event) {
    clearTimeout(this.resting);
    if (!event || event.buttons) {
      this.dispatchEvent(new Event("unhover"));
      return;
    }
    const { clientX, clientY } = event;
    const at = this.offsetAt(clientX, clientY);
    if (at !== this.hovered) this.dispatchEvent(new Event("unhover"));
    this.hovered = at;
    if (at === null) return;
    this.resting = setTimeout(() => {
      this.dispatchEvent(new CustomEvent("hover", { detail: { offset: at } }));
    }, 250);
  }

  clickMargin(event) {
    const { lineHeight, top } = this.metrics();
    const box = this.input.getBoundingClientRect();
    const line = Math.floor((event.clientY - box.top - top + this.input.scrollTop) / lineHeight);
    const start = this.document.offset({ line, column: 0 });
    this.select(start, this.document.offset({ line, column: Infinity }));
  }

  /** Draws the lines in view. */
  drawNow() {
    const { lineHeight } = this.metrics();
    const { scrollTop, scrollLeft, clientHeight } = this.input;
    const { document: text } = this;
    const first = Math.max(0, Math.floor(scrollTop / lineHeight) - 1);
    const last = Math.min(text.lineCount - 1, Math.ceil((scrollTop + clientHeight) / lineHeight));
    const focused = document.activeElement === this.input;
    const current = text.position(this.caret).line;
    const marks = this.marksOf(first, last);
    const lines = [];
    const numbers = [];
    for (let number = first; number <= last; number += 1) {
      const found = marks.get(number) ?? [];
      const names = ["line"];
      if (this.lit.has(number)) names.push("lit");
      if (number === current && focused) names.push("current");
      lines.push(
        el(
          "div",
          { class: names.join(" ") },
          segments(text.line(number), this.tokens[number] ?? [], found),
        ),
      );
      const worst = found.some(({ severity }) => severity === "error")
        ? "error"
        : found[0]?.severity;
      if (worst) names.push(worst);
      numbers.push(el("div", { class: names.join(" ") }, number + 1));
    }
    const shift = first * lineHeight - scrollTop;
    fill(this.lines, lines).style.transform = `translate(${-scrollLeft}px, ${shift}px)`;
    fill(this.margin, numbers).style.transform = `translateY(${shift}px)`;
    const digits = String(Math.max(text.lineCount, 999)).length;
    this.margin.parentElement.style.width = `${digits + 2}ch`;
  }

  /** What is underlined on which line. */
  marksOf(first, last) {
    const marks = new Map();
    for (const { from, to, severity } of this.findings) {
      const start = this.document.position(from);
      const end = this.document.position(Math.max(to, from));
      for (let line = Math.max(first, start.line); line <= Math.min(last, end.line); line += 1) {
        const begin = line === start.line ? start.column : 0;
        const until = line === end.line ? end.column : this.document.line(line).length;
        if (!marks.has(line)) marks.set(line, []);
        marks.get(line).push({ begin, until: Math.max(until, begin + 1), severity });
      }
    }
    return marks;
  }
}

/** A line as pieces, each with the classes of what covers it. */
function segments(text, tokens, marks) {
  if (!tokens.length && !marks.length) return [text || " "];
  const cuts = new Set([0, text.length]);
  for (const [from, length] of tokens) cuts.add(from).add(from + length);
  for (const { begin, until } of marks) cuts.add(begin).add(until);
  const longest = Math.max(text.length, ...marks.map(({ until }) => until));
  const padded = text.padEnd(longest, " ");
  const places = [...cuts].filter((at) => at <= longest).sort((a, b) => a - b);
  const pieces = [];
  for (let index = 0; index + 1 < places.length; index += 1) {
    const [from, to] = [places[index], places[index + 1]];
    const token = tokens.find(([start, length]) => start <= from && from < start + length);
    const mark = marks.filter(({ begin, until }) => begin <= from && from < until);
    const names = [];
    if (token) names.push(`t-${token[2]}`);
    if (mark.length) {
      names.push("mark", mark.some(({ severity }) => severity === "error") ? "error" : "warning");
    }
    const piece = padded.slice(from, to);
    pieces.push(names.length ? el("span", { class: names.join(" ") }, piece) : piece);
  }
  return pieces.length ? pieces : [" "];
}
