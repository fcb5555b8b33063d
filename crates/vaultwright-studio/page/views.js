// The views beside the text, in the order of their tabs.

import { el } from "./elements.js";
import { makeSplitter } from "./splitter.js";
import { GlyphCanvas } from "./glyph-canvas.js";
import { Wall } from "./wall.js";
import { Heat } from "./heat.js";
import { PlaceView } from "./place-view.js";
import { BuildView } from "./build-view.js";
import { PlayView } from "./play-view.js";
import { NumbersView } from "./numbers-view.js";
import { LairView } from "./lair-view.js";

export function makeViews(studio) {
  return [
    writeView(studio),
    new Heat(studio),
    new PlaceView(studio),
    new BuildView(studio),
    new PlayView(studio),
    new NumbersView(studio),
    new LairView(studio),
  ];
}

/** The drawing above the rolls: what one writes with. */
function writeView(studio) {
  const drawing = new GlyphCanvas(studio);
  const wall = new Wall(studio);
  const splitter = el("div", {
    class: "splitter",
    role: "separator",
    "aria-orientation": "horizontal",
    tabindex: "0",
    "aria-label": "Height of the drawing",
    "aria-valuemin": "15",
    "aria-valuemax": "85",
  });
  const element = el("div", { class: "write-view" }, drawing.element, splitter, wall.element);
  makeSplitter(splitter, element);
  let shown = false;
  const update = () => {
    if (!shown) return;
    wall.update();
    drawing.updatePalette();
  };
  studio.addEventListener("text", () => {
    if (!shown) return;
    drawing.update();
    update();
  });
  studio.addEventListener("drawing", () => drawing.update());
  studio.addEventListener("checked", () => drawing.update());
  studio.addEventListener("map", () => {
    wall.clear();
    drawing.selection = null;
    drawing.update();
    update();
  });
  studio.addEventListener("data", update);
  for (const part of [drawing, wall]) {
    part.addEventListener("lines", ({ detail }) => studio.light(detail));
  }
  drawing.addEventListener("goto", ({ detail }) => studio.goTo(detail.line, detail.column));
  wall.addEventListener("goto", ({ detail }) => studio.goTo(detail));
  return {
    id: "write",
    title: "Write",
    about: "Draw, and see what it becomes",
    element,
    show() {
      shown = true;
      drawing.update();
      update();
    },
    hide() {
      shown = false;
      studio.light([]);
    },
    setCaretLine(line) {
      wall.setCaretLine(line);
      drawing.setCaretLine(line);
    },
    reroll: () => wall.reroll(),
    redraw: () => wall.draw(),
  };
}
