// The page: its parts, how they stand together, and what keys do everywhere.

import { button, debounced, el, fill, rovingFocus } from "./elements.js";
import { askWord, ask, chooseFile, resolveConflict, showHelp } from "./dialogs.js";
import { Completion } from "./completion.js";
import { Findings } from "./findings.js";
import { HoverCard, markdown } from "./hover-card.js";
import { Importer } from "./import.js";
import { Studio } from "./studio.js";
import { makeSplitter } from "./splitter.js";
import { TextPane } from "./text-pane.js";
import { toggleTheme } from "./theme.js";
import { makeViews } from "./views.js";

const studio = new Studio();
const { file, server } = studio;
const pane = new TextPane(file);
const card = new HoverCard();
const byId = (id) => document.getElementById(id);
const [left, right, banner] = ["left", "right", "banner"].map(byId);

studio.caret = () => pane.caret;
studio.undo = () => pane.undo();
studio.redo = () => pane.redo();
studio.toast = toast;
studio.goTo = (line, column) => {
  showText(true);
  pane.goTo(line, column);
};
studio.showView = (id) => show(id);
studio.keepAddress = () => keepAddress();
studio.light = (lines) => pane.light(lines);

const findings = new Findings({
  goTo: ({ from, to }) => {
    showText(true);
    pane.select(from, to);
  },
  apply: (fixes) => {
    studio.applyFixes(fixes);
    pane.input.focus({ preventScroll: true });
  },
});
const completion = new Completion(pane, (position) =>
  studio.server.latest("complete", "complete", { file: file.param, position }).then(
    (answer) => answer?.items,
    () => null,
  ),
);
const importer = new Importer(studio, { ask, toast });
const views = makeViews(studio);
let current = null;

fill(
  left,
  el(
    "p",
    { class: "sr", id: "text-keys" },
    "Ctrl and space completes, F2 explains, F8 goes to the next finding, Ctrl and full stop mends. Tab leaves the field.",
  ),
  pane.element,
  findings.element,
);

// ---------------------------------------------------------------- the file

file.addEventListener("opened", ({ detail }) => {
  findings.show([], 0);
  if (detail.restored)
    toast("Changes that were not saved are there again. Undo leads back to the file.");
  keepAddress();
});
file.addEventListener("state", showState);
file.addEventListener("saved", () => toast(`${file.path} is saved`));
file.addEventListener("followed", () => toast(`${file.path} was saved elsewhere; this is it`));
file.addEventListener("conflict", ({ detail }) => {
  showState();
  if (detail.asked) decide();
});
studio.addEventListener("checked", showFindings);
studio.addEventListener("tokens", ({ detail }) => pane.setTokens(detail));
studio.addEventListener("printed", ({ detail }) => toast(`lua: ${detail.slice(0, 3).join(" · ")}`));
studio.addEventListener("map", ({ detail }) => {
  showMaps();
  if (detail.move) moveToMap();
  keepAddress();
});
studio.addEventListener("files", showMaps);

function showFindings() {
  if (studio.failure && !studio.structure.maps.length) {
    findings.fail(studio.failure.message);
    pane.setFindings([]);
    return;
  }
  const now = studio.structure.findingsNow();
  for (const finding of now) finding.line = studio.document.position(finding.from).line;
  findings.show(now, studio.structure.maps.length);
  pane.setFindings(now);
  if (studio.failure) findings.summary.textContent = studio.failure.message;
  showMaps();
}

file.addEventListener("change", () => {
  if (!studio.structure.document) return;
  pane.findings = studio.structure.findingsNow();
});

function moveToMap() {
  const map = studio.currentMap();
  if (!map) return;
  const { line } = studio.document.position(studio.structure.now(map.start));
  const inside = studio.structure.mapAt(pane.caret)?.name === map.name;
  if (!inside) pane.goTo(line, 0, { focus: false });
}

function showMaps() {
  const select = byId("map-select");
  const known = studio.files.find(({ path }) => path === file.path)?.maps ?? [];
  const names = studio.structure.maps.length
    ? studio.structure.maps.map(({ name }) => name)
    : known;
  const key = names.join("\n");
  if (select.dataset.names !== key) {
    select.dataset.names = key;
    fill(
      select,
      names.map((name) => el("option", { value: name }, name)),
    );
  }
  select.hidden = !names.length;
  if (studio.mapName) select.value = studio.mapName;
  byId("open-file").textContent = file.path ? `${file.path} ▾` : "Open…";
}

function showState() {
  const dirty = file.dirty;
  const words =
    file.path === null
      ? ""
      : file.other
        ? "saved elsewhere too"
        : file.removed && file.revision
          ? "removed from the disk"
          : dirty
            ? "not saved"
            : "saved";
  const state = byId("state");
  if (state.textContent !== words) state.textContent = words;
  state.className = dirty ? "dirty" : "";
  byId("save").disabled = !dirty;
  document.title = `${dirty ? "• " : ""}${studio.mapName ?? file.path ?? "Vaultwright"} – studio`;
  showBanner();
}

function showBanner() {
  const rows = [];
  if (!server.connected) {
    rows.push(
      el(
        "span",
        {},
        server.why
          ? `The studio does not answer this page: ${server.why}. Your text is kept here.`
          : "The studio is not running. Your text is kept here; this goes on when it is back.",
      ),
      button("Copy the text", () => navigator.clipboard.writeText(file.text)),
    );
  } else if (file.other) {
    rows.push(
      el("span", {}, `${file.path} has been saved elsewhere while you were writing.`),
      button("Look at both…", decide, { id: "look-at-both" }),
    );
  } else if (file.removed && file.revision) {
    rows.push(
      el("span", {}, `${file.path} has been removed from the disk. The text is still here.`),
      button("Save it again", save, { id: "save-again" }),
    );
  } else if (file.noRoom) {
    rows.push(
      el("span", {}, "The browser has no room for a draft of this text: save it before you leave."),
    );
  }
  const key = rows.map((row) => row.textContent).join();
  if (banner.dataset.key === key) return;
  banner.dataset.key = key;
  banner.hidden = !rows.length;
  banner.className = `banner ${server.connected ? "" : "lost"}`;
  fill(banner, rows);
}

async function save() {
  // What is inside the program stays as it is.
  if (file.path?.startsWith("pack:")) return saveAs(file.path.split("/").at(-1));
  try {
    await file.save();
  } catch (error) {
    toast(`Not saved: ${error.message}`, "error");
  }
}

async function decide() {
  if (!file.other) return;
  const answer = await resolveConflict(file.path, file.text, file.other.text);
  if (answer === "mine") await file.keepMine();
  if (answer === "theirs") file.takeTheirs();
  if (answer === "apart") await saveAs(file.path.replace(/(\.\w+)$/, "-mine$1"));
}

/** Saves the text as another file, which is open then. What it was made of stays as it is. */
async function saveAs(proposed) {
  const { text } = file;
  const name = await askWord("Save as another file", "Name", proposed, "Save");
  if (!name) return;
  try {
    await server.call("create", { path: name, text });
    file.takeTheirs();
    await studio.listFiles();
    await studio.open(name);
  } catch (error) {
    toast(`Not saved: ${error.message}`, "error");
  }
}

async function openSomething() {
  const choice = await chooseFile(studio.files, await studio.drafts.left());
  if (!choice) return;
  try {
    if (choice.other === "new") await newFile();
    else if (choice.other === "import") await importer.choose();
    else await studio.open(choice.path, choice.map);
    pane.input.focus();
  } catch (error) {
    toast(error.message, "error");
  }
}

async function newFile() {
  const name = await askWord("New file", "Name", "my_vaults.des", "Begin");
  if (name) await studio.begin(name);
}

// ---------------------------------------------------------------- the text

pane.addEventListener("caret", () => {
  studio.followCaret(pane.caret);
  const { line, column } = studio.document.position(pane.caret);
  byId("place").textContent = `line ${line + 1}, column ${column + 1}`;
  current?.setCaretLine?.(line);
});
pane.addEventListener("hover", ({ detail }) => explain(detail.offset));
pane.addEventListener("unhover", () => card.hide());
pane.addEventListener("scroll", () => card.hide());

async function explain(offset) {
  const position = studio.document.position(offset);
  const here = findings
    .around(offset, position.line)
    .filter(({ from, to }) => from <= offset && offset <= to);
  const point = pane.pointOf(offset);
  const told = here.map(({ severity, message, hint }) =>
    el("p", { class: severity }, message, hint ? el("span", { class: "hint" }, ` ${hint}`) : null),
  );
  if (told.length) card.show(point, told);
  try {
    const answer = await server.latest("hover", "hover", { file: file.param, position });
    if (answer?.markdown) card.show(point, told, markdown(answer.markdown));
  } catch {
    // What is known is shown already.
  }
}

function goToFinding(backwards) {
  const next = findings.next(pane.caret, backwards);
  if (!next) return toast("Nothing to complain of");
  showText(true);
  pane.select(next.from, next.to);
  card.show(
    pane.pointOf(next.from),
    el("p", { class: next.severity }, next.message),
    next.hint ? el("p", { class: "hint" }, next.hint) : null,
    next.fixes[0] ? el("p", { class: "faint" }, `Ctrl+. ${next.fixes[0].title}`) : null,
  );
  return null;
}

async function mend() {
  const { line } = studio.document.position(pane.caret);
  const fixes = findings.around(pane.caret, line).flatMap((finding) => finding.fixes);
  if (!fixes.length) return toast("There is no fix for what is here");
  const fix =
    fixes.length === 1
      ? fixes[0]
      : await ask("Mend", (close) =>
          el(
            "div",
            { class: "column" },
            fixes.map((one, at) => button(one.title, () => close(one), { autofocus: at === 0 })),
          ),
        );
  if (fix) studio.applyFixes([fix]);
  return null;
}

function stepMap(by) {
  const names = [...byId("map-select").options].map(({ value }) => value);
  const next = names[names.indexOf(studio.mapName) + by];
  if (next) studio.selectMap(next, { move: true });
}

// ---------------------------------------------------------------- views

const tabs = byId("tabs");
const tabButtons = views.map((view, at) =>
  button(view.title, () => show(view.id), {
    role: "tab",
    id: `tab-${view.id}`,
    "aria-controls": "right",
    "aria-selected": "false",
    title: `${view.about} (Alt+${at + 1})`,
  }),
);
fill(
  tabs,
  button("Text", () => document.body.classList.add("text-first"), { class: "tab-text" }),
  tabButtons,
);
const settleTabs = rovingFocus(tabs, "[role=tab]");

function show(id) {
  const view = views.find((one) => one.id === id && !one.hidden?.()) ?? views[0];
  document.body.classList.remove("text-first");
  if (view === current) return;
  current?.hide?.();
  current = view;
  views.forEach((one, at) => tabButtons[at].setAttribute("aria-selected", String(one === view)));
  settleTabs();
  right.setAttribute("aria-labelledby", `tab-${view.id}`);
  fill(right, view.element);
  showText(view.withText !== false && textWanted);
  view.show();
  view.setCaretLine?.(pane.caretLine);
  keepAddress();
}

let textWanted = true;
function showText(shown) {
  document.body.classList.toggle("without-text", !shown);
  pane.draw();
}

byId("map-select").addEventListener("change", (event) =>
  studio.selectMap(event.target.value, { move: true }),
);
byId("open-file").addEventListener("click", openSomething);
byId("save").addEventListener("click", save);
byId("help").addEventListener("click", showHelp);
byId("theme").addEventListener("click", () => toast(`Now ${toggleTheme()}`));
addEventListener("theme", () => current?.redraw?.());

// ---------------------------------------------------------------- keys

addEventListener("keydown", (event) => {
  const { key, altKey, shiftKey } = event;
  const control = event.ctrlKey || event.metaKey;
  const lower = key.toLowerCase();
  if (document.querySelector("dialog[open]")) return;
  const writing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const foreign = writing && event.target !== pane.input;
  const digit = /^Digit([1-8])$/.exec(event.code)?.[1];
  if (control && lower === "s") save();
  else if (control && lower === "p") openSomething();
  else if (control && lower === "z" && !foreign) shiftKey ? pane.redo() : pane.undo();
  else if (control && lower === "y" && !foreign) pane.redo();
  else if (control && key === ".") mend();
  else if (control && key === "\\") {
    textWanted = document.body.classList.contains("without-text");
    showText(textWanted);
  } else if (key === "F8") goToFinding(shiftKey);
  else if (key === "F2" && event.target === pane.input) explain(pane.caret);
  else if (key === "F6") nextPart(shiftKey ? -1 : 1);
  else if (altKey && !control && digit && !event.target.classList.contains("drawing")) {
    const view = views[Number(digit) - 1];
    if (view) show(view.id);
  } else if (altKey && lower === "r") current?.reroll?.();
  else if (altKey && (key === "ArrowUp" || key === "ArrowDown"))
    stepMap(key === "ArrowUp" ? -1 : 1);
  else if (key === "?" && !writing && !event.target.matches(".drawing")) showHelp();
  else return;
  event.preventDefault();
});

function nextPart(by) {
  const parts = [pane.input, findings.list, right, tabs].filter((part) => part.offsetParent);
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  const part = parts[(at + by + parts.length) % parts.length];
  if (part.matches("textarea")) return part.focus();
  // What is hidden, or cannot be used now, takes no focus.
  const takers = [...part.querySelectorAll("canvas[tabindex], button, input, select")].filter(
    (one) => one.getClientRects().length && !one.disabled,
  );
  const selected = takers.find((one) => one.getAttribute("aria-selected") === "true");
  ((part === tabs && selected) || takers[0] || part).focus();
}

// ---------------------------------------------------------------- splitting

makeSplitter(byId("splitter"), document.documentElement, () => pane.draw());

// ---------------------------------------------------------------- the address

function wantedFromAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  return { view: parts.get("view"), path: parts.get("file"), map: parts.get("map"), parts };
}

const keepAddress = debounced(50, () => {
  if (!current || !file.path) return;
  const parts = new URLSearchParams({ view: current.id, file: file.path });
  if (studio.mapName) parts.set("map", studio.mapName);
  for (const [name, value] of Object.entries(current.address?.() ?? {})) parts.set(name, value);
  history.replaceState(null, "", `/#${parts}`);
});

addEventListener("hashchange", async () => {
  const { view, path, map, parts } = wantedFromAddress();
  try {
    if (path) await studio.open(path, map);
  } catch (error) {
    toast(error.message, "error");
  }
  if (view) {
    views.find(({ id }) => id === view)?.goBackTo?.(parts);
    show(view);
  }
  // A map that is not there is not the one that is seen.
  keepAddress();
});

addEventListener("beforeunload", (event) => {
  file.keepDraft();
  if (file.dirty) event.preventDefault();
});
addEventListener("pagehide", () => file.keepDraft());

// ---------------------------------------------------------------- the server

server.addEventListener("busy", () => byId("busy").classList.toggle("on", server.waiting > 0));
server.addEventListener("lost", ({ detail }) => {
  server.why = detail.why;
  showBanner();
});
server.addEventListener("found", async () => {
  server.why = null;
  showBanner();
  toast("The studio is back");
  await file.lookAgain();
  studio.changed();
});
server.addEventListener("worker", ({ detail }) => {
  if (detail.state === "stopped") toast("A script took too long and was stopped", "error");
});

function toast(text, kind = "") {
  const one = el("div", { class: `toast ${kind}` }, text);
  byId("toasts").append(one);
  setTimeout(() => one.remove(), kind === "error" ? 8000 : 3500);
}

// What goes wrong in the page itself is told, not swallowed.
for (const kind of ["error", "unhandledrejection"]) {
  addEventListener(kind, (event) => {
    const why = event.reason?.message ?? event.message;
    if (!why || /ResizeObserver/.test(why)) return;
    document.documentElement.dataset.failed = why;
    toast(`The page has failed: ${why}`, "error");
  });
}

async function start() {
  const { view, path, map, parts } = wantedFromAddress();
  if (location.search) history.replaceState(null, "", `/${location.hash}`);
  studio.addEventListener("ready", () => views.find(({ id }) => id === view)?.goBackTo?.(parts), {
    once: true,
  });
  show(view ?? "write");
  let found;
  try {
    found = await studio.start({ path, map });
  } catch (error) {
    toast(error.message, "error");
    if (!studio.hello) {
      server.setConnected(false, error.message);
      setTimeout(start, 1500);
    }
    return;
  }
  const { data, maps, version } = studio.hello;
  fill(
    byId("data"),
    `${data.name}${data.edition ? ` · rules ${data.edition}` : ""} · ${maps} maps · Vaultwright ${version}`,
  );
  if (!found) {
    await studio.begin("my_vaults.des");
    toast(
      "The folder has no vaults yet: this is one to begin with. Nothing is written before you save.",
    );
  }
  show(studio.isLair && !view ? "lair" : current.id);
  pane.input.focus({ preventScroll: true });
}

start();
