// The vault in real levels: does it fit, what does it cut off, how probable is it.

import { countField, countOf, placeOptions, statusLine } from "./controls.js";
import { button, counted, debounced, el, fill, percent } from "./elements.js";
import { GridView, openPart } from "./grid-view.js";
import { painterOf, tileNews } from "./cell-painter.js";
import { copyText } from "./studio.js";
import { ask } from "./dialogs.js";

const LEVELS = 12;
/** Colours of zones beyond the largest. */
const ZONES = [
  "#ff5f5f",
  "#ffb347",
  "#5fd0ff",
  "#c98bff",
  "#7dff9a",
  "#ff8bd1",
  "#ffe75f",
  "#8b9dff",
];

export class PlaceView {
  constructor(studio) {
    this.studio = studio;
    this.id = "place";
    this.title = "Place";
    this.about = "In real levels of its branch";
    this.first = 1;
    this.levels = [];
    /** Draws the pictures of the levels anew. */
    this.small = [];
    tileNews.addEventListener("tiles", () => this.small.forEach((again) => again()));
    this.places = el("select", { "aria-label": "Where", onchange: () => this.update() });
    this.seed = countField("First seed", () => {
      this.first = countOf(this.seed);
      this.update();
    });
    this.status = statusLine({ id: "place-status" });
    this.list = el("div", { class: "levels", role: "list", "aria-label": "Levels" });
    this.odds = el("section");
    this.failing = el("section");
    this.element = el(
      "section",
      { class: "view", "aria-label": "In levels" },
      el(
        "header",
        { class: "bar" },
        el("h2", {}, "In levels"),
        this.places,
        el("label", { class: "inline" }, "from seed ", this.seed),
        button("Others", () => this.reroll(), { class: "small", title: "Other levels (Alt+R)" }),
        this.status,
      ),
      this.list,
      el("div", { class: "facts" }, this.failing, this.odds),
    );
    this.updateSoon = debounced(600, () => this.update());
    studio.server.addEventListener("progress", ({ detail }) => this.progress(detail));
    studio.addEventListener("text", () => this.shown && this.updateSoon());
    studio.addEventListener("map", () => this.shown && this.updateSoon());
    studio.addEventListener("ready", () => this.fillPlaces());
  }

  fillPlaces() {
    fill(
      this.places,
      el("option", { value: "" }, "where it belongs"),
      placeOptions(this.studio.hello),
    );
  }

  show() {
    this.shown = true;
    this.update();
  }

  hide() {
    this.shown = false;
    this.studio.server.forget("place");
  }

  reroll() {
    this.first += LEVELS;
    this.seed.value = String(this.first);
    this.update();
  }

  async update() {
    const { studio } = this;
    if (!studio.mapName || studio.isLair) {
      this.status.textContent = "no map is open";
      return;
    }
    const id = crypto.randomUUID();
    this.asked = id;
    this.levels = [];
    this.status.textContent = "building…";
    this.status.className = "summary";
    const seeds = Array.from({ length: LEVELS }, (_, at) => this.first + at);
    const places = this.places.value ? [this.places.value] : [];
    const map = studio.mapName;
    this.askOdds(map);
    try {
      const params = { file: studio.file.param, map, places, seeds, id };
      const answer = await studio.server.latest("place", "place", params);
      if (!answer || this.asked !== id) return;
      this.levels = answer.levels;
      this.draw();
      this.conclude(map);
    } catch (error) {
      if (this.asked !== id) return;
      this.status.textContent = error.message;
      this.status.className = "summary error";
    }
  }

  progress({ id, level, done, of }) {
    if (id !== this.asked || !level) return;
    this.levels.push(level);
    this.status.textContent = `building… ${done} of ${of}`;
    this.draw();
  }

  conclude(map) {
    const failed = this.levels.filter(({ placed }) => !placed);
    const odd = this.levels.filter((level) => level.placed && isOdd(level));
    const stands = this.levels.length - failed.length;
    this.status.textContent =
      `${map} stands in ${stands} of ${counted(this.levels.length, "level")}` +
      (odd.length ? `, ${odd.length} with something cut off` : "");
    this.status.className = `summary ${failed.length ? "error" : odd.length ? "warning" : "good"}`;
    const row = (level) =>
      el(
        "li",
        {},
        button(`${level.place}, seed ${level.seed}`, () => this.open(level), { class: "small" }),
        " ",
        level.placed ? faultsOf(level).join("; ") : level.why,
        !level.placed && level.vetoes?.length > 1
          ? el("span", { class: "faint" }, ` (${level.vetoes.length} attempts)`)
          : null,
      );
    const rows = [...failed, ...odd].map(row);
    fill(
      this.failing,
      el("h3", {}, "Levels to look at"),
      rows.length
        ? el("ul", {}, rows)
        : el("p", { class: "good" }, "None: it stands everywhere, and nothing is cut off."),
    );
  }

  draw() {
    this.small = [];
    const cards = this.levels.map((level) => this.card(level));
    while (cards.length < LEVELS && this.status.textContent.startsWith("building")) {
      cards.push(
        el(
          "div",
          { class: "level-card", "aria-hidden": "true" },
          el("canvas", { width: "160", height: "140" }),
        ),
      );
    }
    fill(this.list, cards);
  }

  card(level) {
    const title = `${level.place}, seed ${level.seed}`;
    const canvas = el("canvas", {
      width: "320",
      height: "280",
      role: "img",
      "aria-label": `Picture of ${title}`,
    });
    if (level.placed) {
      drawSmall(canvas, level);
      this.small.push(() => drawSmall(canvas, level));
    }
    const odd = level.placed && isOdd(level);
    return el(
      "div",
      { role: "listitem" },
      button(
        [
          canvas,
          el(
            "span",
            { class: "under" },
            el("b", {}, level.place),
            el("span", { class: "faint" }, `seed ${level.seed}`),
            level.placed ? null : el("span", { class: "why" }, level.why),
            odd ? el("span", { class: "warning" }, faultsOf(level).join("; ")) : null,
          ),
        ],
        () => this.open(level),
        {
          class: `level-card ${level.placed ? (odd ? "odd" : "") : "failed"}`,
          "data-seed": String(level.seed),
          title,
        },
      ),
    );
  }

  /** Shows a level large. */
  open(level) {
    const grid = new GridView({ label: `${level.place}, seed ${level.seed}`, largest: 18 });
    if (level.placed) {
      grid.overlay = (context, place) => drawMarks(context, place, level);
      grid.show(level, openPart(level));
    }
    const told = el("p", { role: "status" }, "\u00a0");
    grid.addEventListener("point", ({ detail }) => {
      if (!detail) return;
      const zone = level.zones?.[detail.y * level.width + detail.x];
      told.textContent = `${detail.x}, ${detail.y}: ${grid.lookAt(detail)?.name ?? ""}${zone ? `, zone ${zone}` : ""}`;
    });
    return ask(
      `${level.place}, seed ${level.seed}`,
      (close) => [
        level.placed
          ? el(
              "div",
              { class: "beside level-large" },
              grid.element,
              el(
                "div",
                { class: "side" },
                el(
                  "section",
                  {},
                  el("h3", {}, "Vaults"),
                  el(
                    "ul",
                    {},
                    level.vaults.map(({ name, own }) =>
                      el("li", {}, own ? el("b", { class: "good" }, name) : name),
                    ),
                  ),
                ),
                zonesOf(level),
                level.vetoes?.length
                  ? el(
                      "section",
                      {},
                      el("h3", {}, "Attempts before"),
                      el(
                        "ul",
                        {},
                        level.vetoes.slice(0, 12).map((veto) => el("li", {}, veto)),
                      ),
                    )
                  : null,
              ),
            )
          : el(
              "div",
              {},
              el("p", { class: "error" }, level.why),
              el(
                "ul",
                {},
                (level.vetoes ?? []).slice(0, 30).map((veto) => el("li", {}, veto)),
              ),
            ),
        told,
        el("p", {}, el("code", {}, level.command)),
        el(
          "p",
          {},
          el(
            "a",
            { href: this.addressOf(level), onclick: () => close(null) },
            "A link to this level, being built",
          ),
        ),
        el(
          "div",
          { class: "buttons" },
          button("Copy the command", () => copyText(level.command, this.studio.toast)),
          button("Watch it being built", () => {
            close(null);
            this.studio.watch?.(level.place, level.seed, this.studio.mapName);
          }),
          button("Close", () => close(null), { autofocus: true }),
        ),
      ],
      { wide: true },
    );
  }

  addressOf({ place, seed }) {
    const { file, mapName } = this.studio;
    const parts = new URLSearchParams({
      view: "build",
      file: file.path,
      map: mapName,
      place,
      seed,
      forced: "1",
    });
    return `/#${parts}`;
  }

  async askOdds(map) {
    const { studio } = this;
    try {
      const answer = await studio.server.latest("odds", "odds", { file: studio.file.param, map });
      if (answer) this.showOdds(answer);
    } catch (error) {
      fill(this.odds, el("h3", {}, "Odds"), el("p", { class: "faint" }, error.message));
    }
  }

  showOdds({ levels, game, games, exact }) {
    const best = [...levels].sort((a, b) => b.share - a.share).filter(({ share }) => share > 0);
    const most = best[0]?.share ?? 1;
    const rows = best.slice(0, 10).flatMap(({ place, share, way }) => {
      const inner = el("span", { class: "bar-fill" });
      inner.style.width = `${(share / most) * 100}%`;
      return [
        el("span", {}, place),
        el("span", { class: "bar-track", title: way }, inner),
        el("span", {}, percent(share)),
      ];
    });
    const displaced = best[0]?.displaces ?? [];
    fill(
      this.odds,
      el("h3", {}, "Odds"),
      el(
        "p",
        { title: exact },
        best.length
          ? [
              el("b", {}, percent(game)),
              ` of games have it${games > 1 ? `: one in ${games < 10 ? games.toFixed(1) : Math.round(games)}` : ""}`,
            ]
          : "It is drawn on no level by itself.",
      ),
      el("div", { class: "odds" }, rows),
      displaced.length
        ? el(
            "p",
            { class: "faint" },
            `On ${best[0].place} it takes from: `,
            displaced.map(({ map, share }, at) => `${at ? ", " : ""}${map} ${percent(share)}`),
          )
        : null,
    );
  }
}

function faultsOf(level) {
  const faults = (level.faults ?? []).map((fault) =>
    typeof fault === "string" ? fault : (fault.message ?? JSON.stringify(fault)),
  );
  const zones = (level.zone_sizes ?? []).length;
  if (zones > 1) faults.push(counted(zones, "zone"));
  if (level.closets?.length) faults.push(counted(level.closets.length, "teleport closet"));
  return faults;
}

function isOdd(level) {
  return Boolean(level.faults?.length || level.closets?.length);
}

function zonesOf(level) {
  const sizes = level.zone_sizes ?? [];
  const rows = sizes.map((size, at) => [size, at + 1]).sort((a, b) => b[0] - a[0]);
  const mark = (index) => {
    const sign = el("i");
    sign.style.background = index === 0 ? "transparent" : ZONES[(index - 1) % ZONES.length];
    return sign;
  };
  return el(
    "section",
    {},
    el("h3", {}, "Zones and closets"),
    el(
      "ul",
      { class: "legend" },
      rows
        .slice(0, 9)
        .map(([size, number], index) =>
          el("li", {}, mark(index), `zone ${number}: ${counted(size, "cell")}`),
        ),
      level.closets?.length
        ? el("li", { class: "warning" }, `${counted(level.closets.length, "closet")}, hatched`)
        : null,
    ),
  );
}

function drawSmall(canvas, level) {
  const context = canvas.getContext("2d", { alpha: false });
  const side = 4;
  const painter = painterOf(side);
  context.fillStyle = "#111114";
  context.fillRect(0, 0, canvas.width, canvas.height);
  level.symbols.forEach((symbol, index) => {
    const look = level.table[symbol];
    if (look.kind === "outside") return;
    painter.draw(
      context,
      look,
      (index % level.width) * side,
      Math.floor(index / level.width) * side,
    );
  });
  drawMarks(context, { side, ratio: 1, at: (x, y) => [x * side, y * side] }, level);
}

/** Zones in colour, closets hatched, vaults framed. */
function drawMarks(context, { side, ratio, at }, level) {
  const order = (level.zone_sizes ?? [])
    .map((size, index) => [size, index + 1])
    .sort((a, b) => b[0] - a[0]);
  const colours = new Map(
    order.slice(1).map(([, number], index) => [number, ZONES[index % ZONES.length]]),
  );
  context.globalAlpha = 0.4;
  level.zones?.forEach((zone, index) => {
    if (!colours.has(zone)) return;
    context.fillStyle = colours.get(zone);
    const [x, y] = at(index % level.width, Math.floor(index / level.width));
    context.fillRect(x, y, side, side);
  });
  context.globalAlpha = 1;
  context.strokeStyle = "#ff5fd0";
  context.lineWidth = Math.max(1, side / 10);
  for (const closet of level.closets ?? []) {
    for (const [x, y] of closet) {
      const [px, py] = at(x, y);
      context.beginPath();
      context.moveTo(px, py + side);
      context.lineTo(px + side, py);
      context.stroke();
    }
  }
  for (const { x, y, width, height, own } of level.vaults ?? []) {
    if (!width || !height || (!own && width * height > 2400)) continue;
    const [px, py] = at(x, y);
    context.strokeStyle = own ? "#ffd54a" : "#9a9aa866";
    context.lineWidth = (own ? 2 : 1) * Math.max(1, ratio);
    context.strokeRect(px - 1, py - 1, width * side + 2, height * side + 2);
  }
}
