// What could be written here: a list at the caret.

import { el, fill } from "./elements.js";

/** The list of completions of a text pane. */
export class Completion {
  constructor(pane, ask) {
    this.pane = pane;
    this.ask = ask;
    this.items = [];
    this.chosen = 0;
    this.asked = 0;
    this.list = el("ul", {
      class: "completion",
      id: "completion",
      role: "listbox",
      "aria-label": "Completions",
      hidden: true,
    });
    this.note = el("div", { class: "completion-note", hidden: true });
    document.body.append(this.list, this.note);
    pane.input.setAttribute("aria-controls", "completion");
    pane.input.setAttribute("aria-autocomplete", "list");
    pane.input.addEventListener("keydown", (event) => this.key(event));
    pane.input.addEventListener("input", (event) => this.typed(event));
    pane.input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    pane.addEventListener("scroll", () => this.close());
  }

  get isOpen() {
    return !this.list.hidden;
  }

  key(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.open();
      return;
    }
    if (!this.isOpen || event.ctrlKey || event.altKey || event.metaKey) return;
    const page = 8;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (step) {
      event.preventDefault();
      const count = this.items.length;
      const to = this.chosen + step;
      const wraps = Math.abs(step) === 1;
      this.choose(wraps ? (to + count) % count : Math.max(0, Math.min(count - 1, to)));
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      this.accept(this.items[this.chosen]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    } else if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      this.close();
    }
  }

  typed(event) {
    const { pane } = this;
    const { line, column } = pane.document.position(pane.caret);
    const before = pane.document.line(line).slice(0, column);
    const typing = event.inputType?.startsWith("insert") && /[\w:]{2}$/.test(before);
    const erasing = this.isOpen && event.inputType?.startsWith("delete");
    if (typing || erasing) this.open({ unasked: true });
    else this.close();
  }

  async open({ unasked = false } = {}) {
    const asked = ++this.asked;
    const { pane } = this;
    const { caret } = pane;
    const version = pane.document.version;
    const items = await this.ask(pane.document.position(caret));
    if (asked !== this.asked || version !== pane.document.version) return;
    if (!items?.length) return this.close();
    this.items = this.matching(items, caret).slice(0, 200);
    const only =
      this.items.length === 1 && this.typedOf(this.items[0], caret) === this.items[0].edit.text;
    if (!this.items.length || (unasked && only)) return this.close();
    this.show(caret);
  }

  /** What of an item stands in the text already. */
  typedOf(item, caret) {
    const { document: text } = this.pane;
    return text.text.slice(text.offset(item.edit.range.start), caret);
  }

  matching(items, caret) {
    const fits = (item) => {
      const typed = this.typedOf(item, caret).toLowerCase();
      const label = item.label.toLowerCase();
      if (label.startsWith(typed)) return 0;
      return label.includes(typed) ? 1 : -1;
    };
    const rated = items.map((item) => [fits(item), item]).filter(([fit]) => fit >= 0);
    return rated.sort((a, b) => a[0] - b[0]).map(([, item]) => item);
  }

  show(caret) {
    fill(
      this.list,
      this.items.map((item, index) =>
        el(
          "li",
          {
            role: "option",
            id: `completion-${index}`,
            onmousedown: (event) => {
              event.preventDefault();
              this.accept(item);
            },
          },
          el("span", { class: "label" }, item.label),
          el("span", { class: "detail" }, item.detail ?? item.kind ?? ""),
        ),
      ),
    );
    this.list.hidden = false;
    const point = this.pane.pointOf(caret);
    const height = this.list.offsetHeight;
    const below = point.y + point.height + height < innerHeight;
    this.list.style.left = `${Math.max(4, Math.min(point.x - 8, innerWidth - this.list.offsetWidth - 8))}px`;
    this.list.style.top = `${below ? point.y + point.height + 2 : Math.max(4, point.y - height - 2)}px`;
    this.choose(0);
  }

  choose(index) {
    this.chosen = index;
    [...this.list.children].forEach((row, at) =>
      row.setAttribute("aria-selected", String(at === index)),
    );
    this.list.children[index]?.scrollIntoView({ block: "nearest" });
    this.pane.input.setAttribute("aria-activedescendant", `completion-${index}`);
    const text = this.items[index]?.documentation;
    this.note.hidden = !text;
    if (!text) return;
    fill(this.note, text);
    const box = this.list.getBoundingClientRect();
    const right = box.right + 320 < innerWidth;
    this.note.style.left = `${right ? box.right + 4 : Math.max(4, box.left - 324)}px`;
    this.note.style.top = `${box.top}px`;
  }

  accept(item) {
    const { document: text } = this.pane;
    const start = text.offset(item.edit.range.start);
    const end = Math.max(this.pane.caret, text.offset(item.edit.range.end));
    this.close();
    text.edit(start, end, item.edit.text, "completion", { selection: this.pane.caret });
    const caret = start + item.edit.text.length;
    this.pane.select(caret, caret);
  }

  close() {
    this.asked += 1;
    this.list.hidden = true;
    this.note.hidden = true;
    this.pane.input.removeAttribute("aria-activedescendant");
  }
}
