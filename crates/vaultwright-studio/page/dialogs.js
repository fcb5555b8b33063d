// Dialogs: opening a file, two texts in conflict, keys.

import { button, el, fill } from "./elements.js";
import { compareLines } from "./compare-lines.js";

/** Shows a dialog until it is closed; `make` gets the function that closes it with a value. */
export function ask(title, make, { wide = false } = {}) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const dialog = el("dialog", { class: wide ? "wide" : "", "aria-label": title });
    const close = (value) => {
      dialog.returned = value;
      dialog.close();
    };
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus?.({ preventScroll: true });
      resolve(dialog.returned ?? null);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) close(null);
    });
    fill(dialog, el("div", { class: "dialog" }, el("h2", {}, title), make(close)));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks for a word; null if there is none. */
export function askWord(title, label, value, does) {
  return ask(title, (close) => {
    const input = el("input", { value, "aria-label": label, class: "long", autofocus: true });
    return el(
      "form",
      {
        method: "dialog",
        onsubmit: (event) => {
          event.preventDefault();
          close(input.value.trim() || null);
        },
      },
      el("label", { class: "field" }, el("span", {}, label), input),
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "submit", class: "main-button" }, does),
        button("Cancel", () => close(null)),
      ),
    );
  });
}

/** Chooses a file or a map by a part of its name: `{path, map}`, or `{other}` for a button below. */
export function chooseFile(files, drafts) {
  const all = files.flatMap(({ path, maps, inside }) => [
    { path, text: path, unsaved: drafts.includes(path), inside },
    ...maps.map((map) => ({ path, map, text: map })),
  ]);
  for (const path of drafts) {
    if (!files.some((file) => file.path === path)) all.unshift({ path, text: path, unsaved: true });
  }
  return ask("Open", (close) => {
    let chosen = 0;
    let shown = [];
    const list = el("ul", {
      class: "choices",
      role: "listbox",
      id: "choices",
      "aria-label": "Files and maps",
    });
    const choose = (index) => {
      chosen = Math.max(0, Math.min(shown.length - 1, index));
      [...list.children].forEach((row, at) =>
        row.setAttribute("aria-selected", String(at === chosen)),
      );
      list.children[chosen]?.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", `choice-${chosen}`);
    };
    const filter = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      shown = all.filter(({ text, path }) =>
        words.every((word) => `${path} ${text}`.toLowerCase().includes(word)),
      );
      const exact = input.value.toLowerCase();
      shown.sort((a, b) => rank(a, exact) - rank(b, exact));
      fill(
        list,
        shown.slice(0, 120).map((item, index) =>
          el(
            "li",
            {
              role: "option",
              id: `choice-${index}`,
              onclick: () => close(item),
              class: item.map ? "of-map" : "of-file",
            },
            el("span", {}, item.map ? "▦ " : "🗎 ", item.text),
            el(
              "span",
              { class: "faint" },
              item.unsaved
                ? "not saved yet"
                : item.map
                  ? item.path
                  : item.inside
                    ? "inside the program"
                    : "",
            ),
          ),
        ),
      );
      choose(0);
    };
    const input = el("input", {
      class: "long",
      placeholder: "Part of a file's or a map's name",
      "aria-label": "Part of a name",
      role: "combobox",
      "aria-controls": "choices",
      "aria-expanded": "true",
      autofocus: true,
      oninput: filter,
      onkeydown: (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
        if (step) choose(chosen + step);
        else if (event.key === "Enter" && shown[chosen]) close(shown[chosen]);
        else return;
        event.preventDefault();
      },
    });
    filter();
    return [
      input,
      list,
      el(
        "div",
        { class: "buttons" },
        button("New file…", () => close({ other: "new" })),
        button("Import a drawing…", () => close({ other: "import" })),
        button("Cancel", () => close(null)),
      ),
    ];
  });
}

function rank({ text, map }, word) {
  if (!word) return map ? 1 : 0;
  const lower = text.toLowerCase();
  return lower === word ? 0 : lower.startsWith(word) ? 1 : 2;
}

/** Shows two texts side by side and asks which one stays: `mine`, `theirs`, `apart`, or null. */
export function resolveConflict(path, mine, theirs) {
  const rows = compareLines(mine, theirs);
  return ask(
    `${path} has been saved elsewhere too`,
    (close) => [
      el(
        "p",
        {},
        "Both texts are here, and neither is lost: what you do not keep is one undo away.",
      ),
      el(
        "div",
        { class: "both", tabindex: "0", role: "group", "aria-label": "Both texts" },
        el("h3", {}, "Yours, not saved"),
        el("h3", {}, "On the disk"),
        rows.map(({ left, right }) => [
          el("pre", { class: left === right ? "" : left === null ? "absent" : "mine" }, left ?? ""),
          el(
            "pre",
            { class: left === right ? "" : right === null ? "absent" : "theirs" },
            right ?? "",
          ),
        ]),
      ),
      el(
        "div",
        { class: "buttons" },
        button("Save mine over it", () => close("mine"), { id: "keep-mine" }),
        button("Take the other one", () => close("theirs"), { id: "take-theirs" }),
        button("Save mine as another file…", () => close("apart")),
        button("Decide later", () => close(null), { autofocus: true }),
      ),
    ],
    { wide: true },
  );
}

const KEYS = [
  [
    "Everywhere",
    [
      ["Ctrl+S", "save"],
      ["Ctrl+P", "open a file or a map"],
      ["Ctrl+Z, Ctrl+Shift+Z", "undo and redo, writing and drawing alike"],
      ["Alt+1 … Alt+8", "views, from left to right (in the drawing: tools)"],
      ["Ctrl+\\", "show or hide the text"],
      ["F6, Shift+F6", "the next or previous part of the page"],
      ["Alt+R", "other rolls"],
      ["?", "this list (outside of the text)"],
    ],
  ],
  [
    "Text",
    [
      ["Ctrl+Space", "what can be written here"],
      ["F2", "what the word at the caret means"],
      ["F8, Shift+F8", "the next or previous finding"],
      ["Ctrl+.", "mend the finding at the caret"],
      ["Alt+↑, Alt+↓", "the map before or after"],
    ],
  ],
  [
    "Drawing",
    [
      ["Arrows", "move; with Shift: select"],
      ["any glyph", "draw it and move on"],
      ["Space", "draw the chosen glyph"],
      ["Delete", "empty the selection"],
      ["Ctrl+C, X, V", "copy, cut and paste as text"],
      ["right button", "pick the glyph up"],
    ],
  ],
  [
    "Rolls",
    [
      ["Arrows", "from cell to cell"],
      ["Page Up, Page Down", "from roll to roll"],
      ["Enter", "to the line that made the cell"],
    ],
  ],
  [
    "Building",
    [
      ["Space", "play and pause"],
      ["←, →", "one step back or on"],
      ["Home, End", "the first or last step"],
    ],
  ],
  [
    "Playing",
    [
      ["Arrows, hjklyubn, digits", "walk; into somebody: attack"],
      [". or 5", "wait"],
      ["> and <", "use stairs"],
      ["o, c, d, g", "open, close, drop, pick up"],
      ["Backspace", "one step back"],
    ],
  ],
];

export function showHelp() {
  return ask(
    "Keys",
    (close) => [
      el(
        "div",
        { class: "keys" },
        KEYS.map(([title, rows]) =>
          el(
            "section",
            {},
            el("h3", {}, title),
            el(
              "dl",
              {},
              rows.map(([key, what]) => [
                el(
                  "dt",
                  {},
                  key
                    .split(/(?=, )/)
                    .map((one) => [
                      one.startsWith(", ") ? ", " : "",
                      el("kbd", {}, one.replace(/^, /, "")),
                    ]),
                ),
                el("dd", {}, what),
              ]),
            ),
          ),
        ),
      ),
      el(
        "div",
        { class: "buttons" },
        button("Close", () => close(null), { autofocus: true }),
      ),
    ],
    { wide: true },
  );
}
