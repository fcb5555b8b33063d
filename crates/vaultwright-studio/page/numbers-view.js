// Campaigns: many games counted, started and stopped here, asked while they run, compared.

import { countField, countOf, statusLine } from "./controls.js";
import { button, counted, el, fill } from "./elements.js";
import { Question } from "./question.js";

export class NumbersView {
  constructor(studio) {
    this.studio = studio;
    this.id = "numbers";
    this.title = "Numbers";
    this.about = "Many games, counted";
    this.withText = false;
    this.campaigns = [];
    this.places = el("input", {
      value: "D:1-4",
      "aria-label": "Places",
      size: "16",
      list: "campaign-places",
    });
    this.known = el("datalist", { id: "campaign-places" });
    this.games = countField("Games", null, { value: "20", min: "1" });
    this.seed = countField("First seed");
    this.status = statusLine({ id: "numbers-status" });
    this.list = el("div", { class: "column" });
    this.report = el("section", { class: "report", "aria-live": "polite" });
    this.question = new Question(studio, {
      follow: (place, seed) => studio.watch(place, seed, null),
    });
    this.element = el(
      "section",
      { class: "view", "aria-label": "Numbers" },
      el("header", { class: "bar" }, el("h2", {}, "Campaigns"), this.status),
      el(
        "div",
        { class: "numbers" },
        el(
          "form",
          {
            onsubmit: (event) => {
              event.preventDefault();
              this.start();
            },
          },
          el(
            "fieldset",
            {},
            el("legend", {}, "A campaign over the pack as it is saved"),
            el("label", { class: "inline" }, "levels ", this.places, this.known),
            el("label", { class: "inline" }, "games ", this.games),
            el("label", { class: "inline" }, "from seed ", this.seed),
            el("button", { type: "submit", class: "main-button", id: "start-campaign" }, "Start"),
          ),
        ),
        this.list,
        this.question.element,
        this.report,
      ),
    );
    studio.server.addEventListener("campaign", ({ detail }) => this.follow(detail));
    studio.server.addEventListener("found", () => this.shown && this.update());
    studio.addEventListener("ready", () => {
      fill(
        this.known,
        (studio.hello.places ?? []).map(({ name, depths }) =>
          el("option", { value: depths > 1 ? `${name}:1-${depths}` : name }),
        ),
      );
    });
  }

  show() {
    this.shown = true;
    this.update();
  }

  hide() {
    this.shown = false;
  }

  async update() {
    try {
      const { campaigns } = await this.studio.server.call("campaign.status");
      this.campaigns = campaigns;
      this.draw();
    } catch (error) {
      this.fail(error);
    }
  }

  async start() {
    const { studio } = this;
    const params = {
      places: this.places.value.split(/[,\s]+/).filter(Boolean),
      games: countOf(this.games),
      seed: countOf(this.seed),
    };
    if (studio.file.path?.endsWith(".des") && !studio.file.removed) params.file = studio.file.path;
    if (studio.file.dirty)
      studio.toast("A campaign counts what is saved: your changes are not in it.");
    try {
      const { campaign } = await studio.server.call("campaign.start", params);
      this.follow({ campaign, state: "running", done: 0, of: params.games, places: params.places });
      await this.update();
      this.choose(campaign);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    this.status.textContent = error.message;
    this.status.className = "summary error";
  }

  /** A campaign tells how far it is. */
  follow(told) {
    const known = this.campaigns.find(({ campaign }) => campaign === told.campaign);
    if (known) Object.assign(known, told);
    else this.campaigns.push(told);
    this.draw();
    if (told.campaign === this.chosen) this.question.refresh(told.state !== "running");
  }

  choose(campaign) {
    this.chosen = campaign;
    this.draw();
    this.question.take(campaign);
  }

  draw() {
    const running = this.campaigns.filter(({ state }) => state === "running");
    this.status.className = "summary";
    this.status.textContent = running.length
      ? running.map(({ done, of }) => `${done} of ${counted(of, "game")}`).join(", ")
      : this.campaigns.length
        ? `${counted(this.campaigns.length, "campaign")}`
        : "none yet";
    fill(
      this.list,
      [...this.campaigns].reverse().map((one) => this.row(one)),
    );
  }

  /** A campaign in words: by its turn, since its own name is a number that nobody remembers. */
  nameOf(campaign) {
    const at = this.campaigns.findIndex((one) => one.campaign === campaign);
    return `campaign ${at + 1}`;
  }

  row({ campaign, state, done, of, message }) {
    const filled = el("span");
    filled.style.width = `${of ? (done / of) * 100 : 0}%`;
    const chosen = campaign === this.chosen;
    const others = this.campaigns.filter((one) => one.campaign !== campaign && one.done > 0);
    return el(
      "fieldset",
      { class: chosen ? "chosen" : "" },
      el("legend", {}, `${this.nameOf(campaign)}: ${state}`),
      el(
        "div",
        {
          class: "progress",
          role: "progressbar",
          "aria-label": `Progress of ${this.nameOf(campaign)}`,
          "aria-valuemin": "0",
          "aria-valuemax": String(of),
          "aria-valuenow": String(done),
        },
        filled,
      ),
      el("span", {}, `${done} of ${counted(of, "game")}`),
      message && state === "failed" ? el("span", { class: "error" }, message) : null,
      button("Ask", () => this.choose(campaign), {
        class: "small",
        "aria-pressed": String(chosen),
      }),
      state === "running"
        ? button("Stop", () => this.call("campaign.stop", { campaign }), { class: "small" })
        : button("Report", () => this.read(campaign, this.nameOf(campaign)), { class: "small" }),
      state !== "running" && others.length
        ? el(
            "label",
            { class: "inline" },
            "compare with ",
            el(
              "select",
              {
                "aria-label": `Compare ${this.nameOf(campaign)} with`,
                onchange: (event) =>
                  event.target.value &&
                  this.compare(event.target.value, campaign),
              },
              el("option", { value: "" }, "…"),
              others.map((one) => el("option", { value: one.campaign }, this.nameOf(one.campaign))),
            ),
          )
        : null,
    );
  }

  async call(method, params) {
    try {
      await this.studio.server.call(method, params);
      await this.update();
    } catch (error) {
      this.fail(error);
    }
  }

  async compare(a, b) {
    try {
      const { report } = await this.studio.server.call("campaign.compare", { a, b });
      this.read(report, `${this.nameOf(a)} and ${this.nameOf(b)}`);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows a report in a frame from which it reaches nothing. */
  read(report, name) {
    const address = `/report/${report}`;
    fill(
      this.report,
      el(
        "header",
        { class: "bar" },
        el("h3", {}, `Report: ${name}`),
        el(
          "a",
          { class: "end", href: address, download: `${name.replaceAll(" ", "-")}.html` },
          "Save",
        ),
        button("Close", () => fill(this.report), { class: "small" }),
      ),
      el("iframe", {
        src: address,
        sandbox: "allow-scripts allow-downloads",
        title: `Report: ${name}`,
      }),
    );
    this.report.scrollIntoView({ block: "start" });
  }
}
