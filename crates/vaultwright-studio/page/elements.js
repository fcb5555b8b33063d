// Making elements. Text is set as text, always: nothing that comes from outside is read as HTML.

/**
 * Makes an element. Attributes that are functions are listeners (`onclick`), `class` is a class,
 * `false`, `null` and `undefined` leave an attribute out; children are elements or plain text.
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

/** Appends elements and texts. */
export function add(parent, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/** Puts other children in the place of all there are. */
export function fill(parent, ...children) {
  parent.replaceChildren();
  add(parent, children);
  return parent;
}

/** A button with a caption, or with a sign and a spoken name. */
export function button(caption, action, attributes = {}) {
  return el("button", { type: "button", onclick: action, ...attributes }, caption);
}

/** A labelled field. */
export function field(label, input) {
  return el("label", { class: "field" }, el("span", {}, label), input);
}

/** A probability in words that fit on a label. */
export function percent(share) {
  const value = share * 100;
  if (value === 0 || value >= 99.95) return `${Math.round(value)} %`;
  if (value >= 10) return `${value.toFixed(0)} %`;
  return value >= 0.1 ? `${value.toFixed(1)} %` : `${value.toPrecision(1)} %`;
}

/** "1 roll", "3 rolls" */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** Runs a function once things have been quiet for some milliseconds. */
export function debounced(milliseconds, action) {
  let timer = 0;
  const run = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
  run.cancel = () => clearTimeout(timer);
  return run;
}

/** Runs a function at the next picture of the screen, once however often it was asked for. */
export function oncePerFrame(action) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    const run = () => {
      if (!asked) return;
      asked = false;
      action();
    };
    requestAnimationFrame(run);
    // A page in the background has no frames, but has to be right when it comes forward.
    if (document.hidden) setTimeout(run, 50);
  };
}

/** The steps of the arrow keys, in columns and rows. */
export const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Moves the focus among the buttons of a bar with the arrow keys, so that Tab passes it in one step. */
export function rovingFocus(bar, selector = "button, [tabindex]") {
  const items = () => [...bar.querySelectorAll(selector)].filter((item) => !item.disabled);
  const settle = () => {
    const all = items();
    const chosen =
      all.find((item) => item.tabIndex === 0 && item === document.activeElement) ??
      all.find((item) => item.getAttribute("aria-selected") === "true") ??
      all.find((item) => item.getAttribute("aria-pressed") === "true") ??
      all[0];
    for (const item of all) item.tabIndex = item === chosen ? 0 : -1;
  };
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = items();
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    let to = at;
    if (step) to = (at + step + all.length) % all.length;
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = all.length - 1;
    else return;
    event.preventDefault();
    for (const item of all) item.tabIndex = item === all[to] ? 0 : -1;
    all[to].focus();
  });
  bar.addEventListener("focusin", settle);
  settle();
  return settle;
}
