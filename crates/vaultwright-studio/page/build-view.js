// A level as it is built: each step of the builder, with what it changed and why it was thrown away.

import { countField, countOf, placeOptions, statusLine, stepSlider } from "./controls.js";
import { button, counted, el, fill } from "./elements.js";
import { GridView } from "./grid-view.js";
import { icon } from "./icons.js";
import { copyText } from "./studio.js";

/** How long all of it takes at the usual speed, and the longest that one step stands, in milliseconds. */
const WHOLE = 12000;
const LONGEST = 350;

const NOTHING = { symbol: " ", colour: "#000000", kind: "outside", name: "" };

export class BuildView {
  constructor(studio) {
    this.studio = studio;
    this.id = "build";
    this.title = "Build";
    this.about = "Watch a level being built";
    this.withText = false;
    this.film = null;
    this.at = 0;
    this.place = el("select", { "aria-label": "Place", onchange: () => this.update() });
    this.seed = countField("Seed", () => this.update());
    this.forced = el("input", { type: "checkbox", onchange: () => this.update() });
    this.forcedName = el("span", {}, "with the vault");
    this.status = statusLine();
    this.grid = new GridView({
      label: "The level under construction",
      largest: 18,
      takesKeys: false,
    });
    this.grid.overlay = (context, place) => this.paintFresh(context, place);
    this.grid.addEventListener("point", ({ detail }) => {
      this.pointed.textContent = detail
        ? `${detail.x}, ${detail.y}: ${this.grid.lookAt(detail)?.name || "nothing"}`
        : "";
    });
    this.pointed = el("span", { class: "faint" });
    this.steps = el("ol", { class: "steps", "aria-label": "Steps" });
    this.slider = stepSlider("Step", {
      oninput: () => {
        this.pause();
        this.goTo(Number(this.slider.value));
      },
    });
    this.playButton = button(icon("play"), () => (this.timer ? this.pause() : this.play()), {
      class: "sign",
      "aria-label": "Play",
      title: "Play and pause (Space)",
    });
    this.counter = el("span", { class: "faint" });
    this.gif = button("GIF", () => this.save("gif"), {
      class: "small",
      title: "Save as an animated GIF",
    });
    this.apng = button("PNG", () => this.save("apng"), {
      class: "small",
      title: "Save as an animated PNG",
    });
    this.element = el(
      "section",
      { class: "view build-view", "aria-label": "Building", tabindex: "-1" },
      el(
        "header",
        { class: "bar" },
        el("h2", {}, "Building"),
        this.place,
        el("label", { class: "inline" }, "seed ", this.seed),
        button("Another", () => this.reroll(), { class: "small", title: "Another seed (Alt+R)" }),
        el("label", { class: "inline" }, this.forced, this.forcedName),
        this.status,
        el(
          "span",
          { class: "end inline" },
          "save as ",
          this.apng,
          this.gif,
          button("Command", () => this.film && copyText(this.film.command, studio.toast), {
            class: "small",
            title: "Copy the command line that makes this level",
          }),
        ),
      ),
      el("div", { class: "beside" }, this.grid.element, el("div", { class: "side" }, this.steps)),
      el(
        "div",
        { class: "scrub" },
        button(icon("back"), () => this.goTo(this.at - 1), {
          class: "sign",
          "aria-label": "One step back",
        }),
        this.playButton,
        button(icon("on"), () => this.goTo(this.at + 1), {
          class: "sign",
          "aria-label": "One step on",
        }),
        this.slider,
        this.counter,
        this.pointed,
      ),
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
    studio.addEventListener("ready", () => this.fillPlaces());
    studio.addEventListener("map", () => {
      this.forcedName.textContent = `with ${studio.mapName ?? "the vault"}`;
      if (this.shown && this.forced.checked) this.update();
    });
    studio.file.addEventListener("opened", () => this.shown && this.update());
    studio.watch = (place, seed, map) => {
      this.place.value = place;
      this.seed.value = String(seed);
      this.forced.checked = Boolean(map);
      this.film = null;
      studio.showView("build");
    };
  }

  fillPlaces() {
    fill(this.place, placeOptions(this.studio.hello));
  }

  show() {
    this.shown = true;
    if (!this.studio.hello) return;
    if (!this.film) this.update();
    else this.grid.draw();
  }

  hide() {
    this.shown = false;
    this.pause();
    this.studio.server.forget("build");
  }

  reroll() {
    this.seed.value = String(countOf(this.seed) + 1);
    this.update();
  }

  /** What the address keeps of it, so that a level is a link. */
  address() {
    return {
      place: this.place.value,
      seed: this.seed.value,
      ...(this.forced.checked ? { forced: "1" } : {}),
    };
  }

  goBackTo(parts) {
    const place = parts.get("place");
    if (place) this.place.value = place;
    if (!this.place.value && this.place.options.length) {
      this.place.selectedIndex = 0;
      this.studio.toast?.(`There is no level ${place}`, "error");
    }
    if (parts.get("seed")) this.seed.value = parts.get("seed");
    this.forced.checked = parts.has("forced");
    if (this.shown) this.update();
    else this.film = null;
  }

  get params() {
    const { studio } = this;
    const params = { place: this.place.value, seed: countOf(this.seed) };
    if (studio.file.path && !studio.isLair) params.file = studio.file.param;
    if (this.forced.checked && studio.mapName) params.map = studio.mapName;
    return params;
  }

  async update() {
    this.pause();
    this.studio.keepAddress();
    this.status.textContent = "building…";
    this.status.className = "summary";
    try {
      const answer = await this.studio.server.latest("build", "build", this.params);
      if (answer) this.take(answer);
    } catch (error) {
      this.status.textContent = error.message;
      this.status.className = "summary error";
    }
  }

  take(film) {
    this.film = film;
    const attempts = new Set(film.steps.map(({ attempt }) => attempt)).size;
    this.status.textContent =
      `${counted(film.steps.length, "step")}, ${counted(attempts, "attempt")}` +
      (film.built ? "" : ": it could not be built");
    this.status.className = `summary ${film.built ? "" : "error"}`;
    this.slider.max = String(film.steps.length - 1);
    this.empty = film.table.push(NOTHING) - 1;
    this.buriedOf = [];
    this.symbols = new Array(film.width * film.height).fill(this.empty);
    this.painted = -1;
    let attempt = 0;
    fill(
      this.steps,
      film.steps.map((step, index) => {
        const begins = step.attempt !== attempt;
        attempt = step.attempt;
        return [
          begins ? el("li", { class: "faint" }, `Attempt ${attempt}`) : null,
          el(
            "li",
            {},
            button(
              [
                el("span", { class: step.veto === undefined ? "" : "veto" }, words(step.name)),
                " ",
                el(
                  "span",
                  { class: step.veto === undefined ? "detail" : "veto" },
                  step.veto ?? step.detail ?? "",
                ),
              ],
              () => {
                this.pause();
                this.goTo(index);
              },
              { "data-step": String(index), tabindex: "-1" },
            ),
          ),
        ];
      }),
    );
    this.goTo(film.steps.length - 1);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  /** Shows the level after a step. */
  goTo(index) {
    const { film } = this;
    if (!film?.steps.length) return;
    const to = Math.max(0, Math.min(film.steps.length - 1, index));
    if (to < this.painted) {
      this.symbols.fill(this.empty);
      this.painted = -1;
    }
    while (this.painted < to) {
      this.painted += 1;
      const { changes } = film.steps[this.painted];
      for (const [x, y, symbol] of changes) this.symbols[y * film.width + x] = symbol;
    }
    this.at = to;
    this.slider.value = String(to);
    const step = film.steps[to];
    this.slider.setAttribute(
      "aria-valuetext",
      `${words(step.name)} ${step.veto ?? step.detail ?? ""}`,
    );
    this.counter.textContent = `${to + 1} / ${film.steps.length} · ${words(step.name)}`;
    this.steps.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.steps.querySelector(`[data-step="${to}"]`);
    row?.setAttribute("aria-current", "step");
    if (row) keepInView(row, this.steps.parentElement);
    const { width, height, table } = film;
    this.grid.show({ width, height, table, symbols: this.withoutDepths() });
  }

  /** The level with its solid rock darker, so that what is open is seen. */
  withoutDepths() {
    const {
      film: { width, height, table },
      symbols,
    } = this;
    const solid = symbols.map(
      (symbol) => table[symbol].kind === "wall" || table[symbol].kind === "outside",
    );
    return symbols.map((symbol, index) => {
      if (!solid[index] || table[symbol].kind === "outside") return symbol;
      const [x, y] = [index % width, Math.floor(index / width)];
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
          if (!solid[row * width + column]) return symbol;
        }
      }
      return this.buried(symbol);
    });
  }

  buried(symbol) {
    const { table } = this.film;
    if (this.buriedOf[symbol] === undefined) {
      this.buriedOf[symbol] = table.push({ ...table[symbol], kind: "buried" }) - 1;
    }
    return this.buriedOf[symbol];
  }

  /** What the step has changed shines. */
  paintFresh(context, { side, at }) {
    const step = this.film?.steps[this.at];
    if (!step || step.changes.length > 2500) return;
    context.fillStyle =
      step.veto === undefined ? "rgba(255, 213, 74, 0.45)" : "rgba(255, 90, 80, 0.4)";
    for (const [x, y] of step.changes) {
      const [px, py] = at(x, y);
      context.fillRect(px, py, side, side);
    }
  }

  play() {
    if (!this.film?.steps.length) return;
    if (this.at >= this.film.steps.length - 1) this.goTo(0);
    fill(this.playButton, icon("pause"));
    this.playButton.setAttribute("aria-label", "Pause");
    const { steps } = this.film;
    // A step that changes nothing is passed by quickly.
    const weight = ({ changes, veto }) => (changes.length || veto !== undefined ? 1 : 0.15);
    const all = steps.reduce((sum, step) => sum + weight(step), 0);
    const each = Math.min(LONGEST, WHOLE / all);
    let next = performance.now() + each;
    const tick = (now) => {
      let to = this.at;
      while (next <= now && to < steps.length - 1) {
        to += 1;
        next += each * weight(steps[to]);
      }
      if (to !== this.at) this.goTo(to);
      if (this.at >= this.film.steps.length - 1) this.pause();
      else this.timer = requestAnimationFrame(tick);
    };
    this.timer = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    fill(this.playButton, icon("play"));
    this.playButton.setAttribute("aria-label", "Play");
  }

  key(event) {
    if (event.target.matches("select, input:not([type=range])") || event.ctrlKey || event.altKey)
      return;
    const last = (this.film?.steps.length ?? 1) - 1;
    const to = {
      ArrowLeft: this.at - 1,
      ArrowRight: this.at + 1,
      Home: 0,
      End: last,
      PageUp: this.at - 20,
      PageDown: this.at + 20,
    }[event.key];
    if (to !== undefined) {
      this.pause();
      this.goTo(to);
    } else if (event.key === " " && !event.target.matches("button")) {
      if (this.timer) this.pause();
      else this.play();
    } else {
      return;
    }
    event.preventDefault();
  }

  async save(format) {
    const { toast } = this.studio;
    const chosen = format === "gif" ? this.gif : this.apng;
    chosen.disabled = true;
    toast("Drawing the film…");
    try {
      const blob = await this.studio.server.call(
        "animate",
        { ...this.params, format },
        { bytes: true },
      );
      const place = this.place.value.replace(/\W+/g, "-");
      download(blob, `${place}-${this.seed.value}.${format === "gif" ? "gif" : "png"}`);
    } catch (error) {
      toast(error.message, "error");
    } finally {
      chosen.disabled = false;
    }
  }
}

function words(name) {
  return name.replaceAll("_", " ");
}

/** Scrolls a list without moving anything else. */
function keepInView(row, list) {
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    list.scrollTop += inner.top - outer.top - outer.height / 2;
  }
}

/** Has the browser save something as a file. */
export function download(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
