// Signs for tools, as strokes on a square of 16.

const PATHS = {
  brush: "M3 13l1-3 7-7 2 2-7 7zM9.5 4.5l2 2",
  line: "M3 13L13 3",
  rectangle: "M3 4h10v8H3z",
  fill: "M7 2.5L2.5 7 7 11.5 11.5 7zM5 4.5h4M13.2 9.5s1.3 1.8 1.3 2.8a1.3 1.3 0 0 1-2.6 0c0-1 1.3-2.8 1.3-2.8z",
  select: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  pick: "M2.5 13.5l1-3 5-5 2 2-5 5zM9 4l3 3M10.5 5.5l1.5-2a1.2 1.2 0 0 1 1.7 1.7l-2 1.5",
  "mirror-across": "M8 2v12M6 5L2 8l4 3zM10 5l4 3-4 3z",
  "mirror-down": "M2 8h12M5 6l3-4 3 4zM5 10l3 4 3-4z",
  "flip-across": "M2.5 8a5.5 3 0 0 1 11 0M13.5 8l1.5-2M13.5 8l-2.2-1.2M5 11h6",
  "flip-down": "M8 2.5a3 5.5 0 0 1 0 11M8 13.5l2 1.5M8 13.5l1.2-2.2M4 5v6",
  undo: "M6 3L3 6l3 3M3 6h6a4 3.5 0 0 1 0 7H6",
  redo: "M10 3l3 3-3 3M13 6H7a4 3.5 0 0 0 0 7h3",
  play: "M5 3l8 5-8 5z",
  pause: "M5 3v10M11 3v10",
  back: "M11 3L6 8l5 5M4 3v10",
  on: "M5 3l5 5-5 5M12 3v10",
};

const SPACE = "http://www.w3.org/2000/svg";

export function icon(name) {
  const picture = document.createElementNS(SPACE, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SPACE, "path");
  path.setAttribute("d", PATHS[name]);
  picture.append(path);
  return picture;
}
