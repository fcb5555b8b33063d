// A card that tells of what the mouse rests on, or what the caret stands on.

import { el, fill } from "./elements.js";

/** The one card of the page. */
export class HoverCard {
  constructor() {
    this.element = el("div", {
      class: "hover-card",
      role: "tooltip",
      id: "hover-card",
      hidden: true,
    });
    document.body.append(this.element);
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  /** Shows contents at a place in the window. */
  show({ x, y, height = 0 }, ...contents) {
    fill(this.element, contents);
    this.element.hidden = false;
    const { offsetWidth, offsetHeight } = this.element;
    const below = y + height + offsetHeight + 8 < innerHeight;
    this.element.style.left = `${Math.max(4, Math.min(x, innerWidth - offsetWidth - 8))}px`;
    this.element.style.top = `${below ? y + height + 4 : Math.max(4, y - offsetHeight - 4)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}

/**
 * Markdown as elements: paragraphs, lists, tables' rows as text, code and bold. Everything else stays the
 * text that it is; nothing is read as HTML.
 */
export function markdown(text) {
  const blocks = [];
  let code = null;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) {
      if (code) blocks.push(el("pre", {}, code.join("\n")));
      code = code ? null : [];
    } else if (code) {
      code.push(line);
    } else if (/^#+ /.test(line)) {
      blocks.push(el("p", {}, el("b", {}, line.replace(/^#+ /, ""))));
    } else if (/^[-*] /.test(line)) {
      blocks.push(el("p", { class: "item" }, "• ", inline(line.slice(2))));
    } else if (/^---+$/.test(line)) {
      blocks.push(el("hr"));
    } else if (line.trim()) {
      blocks.push(el("p", {}, inline(line)));
    }
  }
  if (code) blocks.push(el("pre", {}, code.join("\n")));
  return blocks;
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.length > 2 && part.startsWith("`")) return el("code", {}, part.slice(1, -1));
    if (part.length > 4 && part.startsWith("**")) return el("b", {}, part.slice(2, -2));
    return part;
  });
}
