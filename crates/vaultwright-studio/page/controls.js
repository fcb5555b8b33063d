// Controls that several views have.

import { el } from "./elements.js";

/** A whole number, such as a seed; `changed` hears of another one. */
export function countField(label, changed, attributes = {}) {
  return el("input", {
    type: "number",
    min: "0",
    max: String(Number.MAX_SAFE_INTEGER),
    value: "1",
    class: "seed",
    "aria-label": label,
    onchange: changed,
    ...attributes,
  });
}

/** The number of such a field, which shows it from then on; one, if somebody has written nonsense. */
export function countOf(field) {
  const written = field.value === "" ? NaN : Math.floor(Number(field.value));
  const count = Math.min(
    Number(field.max),
    Math.max(Number(field.min), Number.isFinite(written) ? written : 1),
  );
  if (field.value !== String(count)) field.value = String(count);
  return count;
}

/** Where a view says what it does and what came of it, also to those who listen. */
export function statusLine(attributes = {}) {
  return el("span", { class: "summary", role: "status", "aria-live": "polite", ...attributes });
}

/** A slider over the steps of something. */
export function stepSlider(label, listeners) {
  return el("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": label, ...listeners });
}

/** Options for all places of a pack, level by level. */
export function placeOptions(hello) {
  const levels = ({ name, depths }) =>
    depths > 1 ? Array.from({ length: depths }, (_, at) => `${name}:${at + 1}`) : [name];
  const places = (hello?.places ?? []).flatMap(levels);
  return places.map((place) => el("option", { value: place }, place));
}
