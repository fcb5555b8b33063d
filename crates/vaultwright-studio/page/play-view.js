// The sandbox: one walks about in the vault, and what its markers do stands beside it.

import { countField, countOf, placeOptions, statusLine, stepSlider } from "./controls.js";
import { ARROWS, button, el, fill } from "./elements.js";
import { GridView } from "./grid-view.js";
import { icon } from "./icons.js";
import { ask } from "./dialogs.js";
import { download } from "./build-view.js";
import { copyText } from "./studio.js";

const STEPS = {
  ...ARROWS,
  h: [-1, 0],
  l: [1, 0],
  k: [0, -1],
  j: [0, 1],
  y: [-1, -1],
  u: [1, -1],
  b: [-1, 1],
  n: [1, 1],
  4: [-1, 0],
  6: [1, 0],
  8: [0, -1],
  2: [0, 1],
  7: [-1, -1],
  9: [1, -1],
  1: [-1, 1],
  3: [1, 1],
};
const KEYS = {
  ".": { do: "wait" },
  5: { do: "wait" },
  s: { do: "wait" },
  Z: { do: "wait", turns: 100 },
  c: { do: "close" },
  g: { do: "pick_up" },
  ",": { do: "pick_up" },
  d: { do: "drop" },
  x: { do: "kill" },
  ">": { do: "stairs" },
  "<": { do: "stairs" },
  o: { do: "explore" },
  f: { do: "fly" },
  B: { do: "berserk" },
  w: { do: "wander" },
};
const BUTTONS = [
  ["Wait", { do: "wait" }, "."],
  ["Wait 100", { do: "wait", turns: 100 }, "Z"],
  ["Explore", { do: "explore" }, "o"],
  ["Kill", { do: "kill" }, "x"],
  ["Pick up", { do: "pick_up" }, "g"],
  ["Drop", { do: "drop" }, "d"],
  ["Close doors", { do: "close" }, "c"],
  ["Stairs", { do: "stairs" }, ">"],
  ["Fly", { do: "fly" }, "f"],
];
/** How many cells around the player are seen. */
const AROUND = { width: 46, height: 27 };

export class PlayView {
  constructor(studio) {
    this.studio = studio;
    this.id = "play";
    this.title = "Play";
    this.about = "Walk about in it";
    this.withText = false;
    this.session = null;
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.start = el("select", { "aria-label": "What to play", onchange: () => this.begin() });
    this.seed = countField("Seed", () => this.begin());
    this.all = el("input", { type: "checkbox", checked: true, onchange: () => this.showView() });
    this.status = statusLine();
    this.grid = new GridView({
      label: "The level",
      largest: 26,
      smallest: 8,
      className: "play-map",
      takesKeys: false,
    });
    this.grid.canvas.setAttribute("role", "application");
    this.grid.canvas.setAttribute("aria-describedby", "play-keys");
    this.grid.overlay = (context, place) => this.paint(context, place);
    this.grid.addEventListener("point", ({ detail }) => this.tell(detail));
    this.grid.addEventListener("choose", ({ detail }) => this.walkTo(detail));
    this.grid.canvas.addEventListener("keydown", (event) => this.key(event));
    this.messages = el("div", {
      class: "messages",
      role: "log",
      "aria-live": "polite",
      "aria-label": "Messages",
    });
    this.markers = el("ul");
    this.timeline = el("ol", { class: "timeline steps" });
    this.slider = stepSlider("Moment", {
      onchange: () => this.back(Number(this.slider.value)),
    });
    this.counter = el("span", { class: "faint" });
    this.under = el("p", { class: "faint" });
    this.element = el(
      "section",
      { class: "view play-view", "aria-label": "Playing" },
      el(
        "header",
        { class: "bar" },
        el("h2", {}, "Playing"),
        this.start,
        el("label", { class: "inline" }, "seed ", this.seed),
        button("Anew", () => this.begin(), { class: "small" }),
        el("label", { class: "inline" }, this.all, "see everything"),
        this.status,
        button("Record a scenario…", () => this.scenario(), {
          class: "small end",
          id: "record-scenario",
        }),
      ),
      el(
        "p",
        { class: "sr", id: "play-keys" },
        "Arrow keys, the letters h j k l y u b n or digits walk. Full stop waits, o explores, x kills, g picks up, d drops, c closes doors. Backspace takes a step back. Click a cell to be there.",
      ),
      el(
        "div",
        { class: "beside" },
        this.grid.element,
        el(
          "div",
          { class: "side" },
          el("section", {}, this.under),
          el("section", {}, el("h3", {}, "Markers"), this.markers),
          el("section", {}, el("h3", {}, "What has happened"), this.timeline),
        ),
      ),
      this.messages,
      el(
        "div",
        { class: "scrub" },
        button(icon("back"), () => this.back(this.view?.done - 1), {
          class: "sign",
          "aria-label": "One step back",
          title: "One step back (Backspace)",
        }),
        button(icon("on"), () => this.back(this.view?.done + 1), {
          class: "sign",
          "aria-label": "One step on again",
        }),
        this.slider,
        this.counter,
        BUTTONS.map(([caption, action, key]) =>
          button(caption, () => this.act(action), { class: "small", title: `${caption} (${key})` }),
        ),
      ),
    );
    studio.addEventListener("ready", () => this.fillPlaces());
    studio.addEventListener("map", () => {
      this.fillPlaces();
      if (this.shown && this.start.value === "") this.begin();
    });
  }

  fillPlaces() {
    const chosen = this.start.value;
    fill(
      this.start,
      el("option", { value: "" }, `the vault ${this.studio.mapName ?? ""}`),
      placeOptions(this.studio.hello),
    );
    this.start.value = chosen;
  }

  show() {
    this.shown = true;
    const { studio } = this;
    const key = `${studio.mapName} ${studio.document.version} ${studio.file.path}`;
    if (!this.session || (this.start.value === "" && key !== this.begun)) this.begin();
    this.grid.canvas.focus({ preventScroll: true });
  }

  hide() {
    this.shown = false;
  }

  async begin() {
    const { studio } = this;
    const params = { seed: countOf(this.seed) };
    if (studio.file.path && !studio.isLair) params.file = studio.file.param;
    if (this.start.value) params.place = this.start.value;
    else if (studio.mapName) params.map = studio.mapName;
    else return;
    this.begun = `${studio.mapName} ${studio.document.version} ${studio.file.path}`;
    this.status.textContent = "setting out…";
    this.status.className = "summary";
    if (this.session) studio.server.call("play.end", { session: this.session }).catch(() => {});
    this.session = null;
    try {
      const { session, view } = await studio.server.call("play.start", params);
      this.session = session;
      this.take(view);
      if (this.shown) this.grid.canvas.focus({ preventScroll: true });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Does something; one thing after the other. */
  act(action) {
    if (!this.session || this.waiting > 3) return;
    this.waiting += 1;
    const { session } = this;
    this.queue = this.queue.then(async () => {
      try {
        if (session !== this.session) return;
        const { view } = await this.studio.server.call("play.act", { session, action });
        this.take(view);
      } catch (error) {
        this.fail(error);
      } finally {
        this.waiting -= 1;
      }
    });
  }

  async back(to) {
    if (!this.session || !this.view) return;
    const bounded = Math.max(0, Math.min(this.view.actions.length, to));
    if (bounded === this.view.done) return;
    try {
      const { view } = await this.studio.server.call("play.back", {
        session: this.session,
        to: bounded,
      });
      this.take(view);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.status.textContent = error.message;
    this.status.className = "summary error";
  }

  take(view) {
    this.view = view;
    this.status.textContent =
      `${view.place}, turn ${view.turn}` +
      (view.you.flying ? ", flying" : "") +
      (view.you.berserk ? ", berserk" : "");
    this.status.className = "summary";
    this.slider.max = String(view.actions.length);
    this.slider.value = String(view.done);
    this.counter.textContent = `${view.done} / ${view.actions.length}`;
    this.showMessages();
    this.showMarkers();
    this.showTimeline();
    this.showView();
  }

  showMessages() {
    const { messages, done, refused } = this.view;
    const rows = messages
      .slice(-60)
      .map(({ after, text }) => el("p", { class: after === done ? "" : "old" }, text));
    if (refused) rows.push(el("p", { class: "warning" }, refused));
    fill(this.messages, rows);
    this.messages.scrollTop = this.messages.scrollHeight;
  }

  showMarkers() {
    const { markers, inventory } = this.view;
    const rows = markers.slice(0, 40).map((marker) =>
      el(
        "li",
        {},
        button(
          [
            marker.class,
            " ",
            el("span", { class: "faint" }, `${marker.x}, ${marker.y}`),
            marker.ticks === null || marker.ticks === undefined
              ? null
              : el("span", { class: "chip" }, `in ${Math.ceil(marker.ticks / 10)} turns`),
          ],
          () => this.act({ do: "teleport", x: marker.x, y: marker.y }),
          { class: "small", title: "Go there" },
        ),
      ),
    );
    fill(this.markers, rows.length ? rows : el("li", { class: "faint" }, "none"));
    fill(
      this.under,
      inventory.length ? `You carry ${inventory.join(", ")}.` : "You carry nothing.",
    );
  }

  showTimeline() {
    const rows = [...this.view.timeline]
      .reverse()
      .slice(0, 60)
      .map(({ turn, event, x, y, changes }) =>
        el(
          "li",
          {},
          el("b", {}, `${turn} `),
          event,
          el("span", { class: "faint" }, ` ${x}, ${y}`),
          changes?.length
            ? el("div", { class: "faint" }, [changes].flat().slice(0, 4).map(wordsOf).join("; "))
            : null,
        ),
      );
    fill(this.timeline, rows.length ? rows : el("li", { class: "faint" }, "nothing yet"));
  }

  showView() {
    const { view } = this;
    if (!view) return;
    const clamp = (middle, size, whole) =>
      Math.max(0, Math.min(whole - size, middle - (size >> 1)));
    const { x, y } = view.you;
    this.grid.show(view, {
      x: clamp(x, AROUND.width, view.width),
      y: clamp(y, AROUND.height, view.height),
      ...AROUND,
    });
  }

  paint(context, { side, at }) {
    const { view } = this;
    if (!this.all.checked) {
      view.known.forEach((known, index) => {
        if (known === 2) return;
        const [x, y] = at(index % view.width, Math.floor(index / view.width));
        context.fillStyle = known ? "rgba(17, 17, 20, 0.55)" : "#111114";
        context.fillRect(x, y, side, side);
      });
    }
    context.strokeStyle = "#5fd0ff";
    context.lineWidth = Math.max(1, side / 12);
    for (const marker of view.markers) {
      const [x, y] = at(marker.x, marker.y);
      context.beginPath();
      context.moveTo(x + side * 0.6, y + 1);
      context.lineTo(x + side - 1, y + 1);
      context.lineTo(x + side - 1, y + side * 0.4);
      context.stroke();
    }
    const [x, y] = at(view.you.x, view.you.y);
    context.strokeStyle = "#ffd54a";
    context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
  }

  tell(cell) {
    if (!cell) {
      this.showMarkers();
      return;
    }
    const marker = this.view.markers.find(({ x, y }) => x === cell.x && y === cell.y);
    fill(
      this.under,
      `${cell.x}, ${cell.y}: ${this.grid.lookAt(cell)?.name || "nothing"}`,
      marker ? el("span", { class: "chip" }, marker.class) : null,
    );
  }

  /** Steps to a neighbouring cell, or is there at once. */
  walkTo({ x, y }) {
    const { you } = this.view;
    const [dx, dy] = [x - you.x, y - you.y];
    if (!dx && !dy) this.act({ do: "wait" });
    else if (Math.abs(dx) <= 1 && Math.abs(dy) <= 1) this.act({ do: "step", dx, dy });
    else this.act({ do: "teleport", x, y });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Backspace") {
      this.back(this.view?.done - 1);
    } else if (STEPS[event.key]) {
      const [dx, dy] = STEPS[event.key];
      this.act({ do: "step", dx, dy });
    } else if (KEYS[event.key]) {
      this.act(KEYS[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }

  async scenario() {
    if (!this.session) return;
    try {
      const { text } = await this.studio.server.call("play.scenario", { session: this.session });
      await ask(
        "A scenario of what was done",
        (close) => [
          el(
            "p",
            {},
            "It does the same again, as a test: complete what it should come to, and run it with ",
            el("code", {}, "vaultwright scenario FILE"),
            ".",
          ),
          el("pre", { class: "scenario", tabindex: "0" }, text),
          el(
            "div",
            { class: "buttons" },
            button("Copy", () => copyText(text, this.studio.toast)),
            button("Save as a file", () => {
              download(
                new Blob([text], { type: "text/plain" }),
                `${this.studio.mapName ?? "scenario"}.lua`,
              );
              close(null);
            }),
            button("Close", () => close(null), { autofocus: true }),
          ),
        ],
        { wide: true },
      );
    } catch (error) {
      this.fail(error);
    }
  }
}

function wordsOf(change) {
  if (typeof change === "string") return change;
  return Object.values(change).map(String).join(" ");
}
