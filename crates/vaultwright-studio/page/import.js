// Drawings of other programs: dropped on the page, they become vaults.

import { button, el } from "./elements.js";

const KINDS = {
  tmx: "tmx",
  tmj: "tmj",
  json: "tmj",
  xp: "xp",
  png: "png",
  txt: "text",
  text: "text",
  map: "text",
};

/** Takes files that are dropped or chosen, and makes vaults of them. */
export class Importer {
  constructor(studio, { ask, toast }) {
    this.studio = studio;
    this.ask = ask;
    this.toast = toast;
    const over = (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      document.body.classList.toggle("dropping", event.type === "dragover");
    };
    for (const kind of ["dragenter", "dragover", "dragleave"]) addEventListener(kind, over);
    addEventListener("drop", async (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      document.body.classList.remove("dropping");
      for (const file of event.dataTransfer.files) await this.take(file);
    });
  }

  /** Asks for a file of this machine. */
  choose() {
    return new Promise((resolve) => {
      const input = el("input", {
        type: "file",
        accept: ".tmx,.tmj,.json,.xp,.png,.txt,.text,.map,.des",
      });
      input.addEventListener("change", async () => {
        for (const file of input.files) await this.take(file);
        resolve();
      });
      input.addEventListener("cancel", () => resolve());
      input.click();
    });
  }

  async take(file) {
    const ending = file.name.split(".").pop().toLowerCase();
    try {
      if (ending === "des") {
        await this.offer(file.name, await file.text(), []);
        return;
      }
      const kind = KINDS[ending];
      if (!kind)
        throw new Error(`${file.name}: only .tmx, .tmj, .xp, .png, .txt and .des can be read`);
      const params = { kind, name: file.name, base64: await base64Of(file) };
      const { text, notes } = await this.studio.server.call("import", params);
      await this.offer(file.name, text, notes ?? []);
    } catch (error) {
      this.toast(error.message, "error");
    }
  }

  /** Shows the vault, and asks where it goes. */
  async offer(name, text, notes) {
    const { studio } = this;
    const open = studio.file.path?.endsWith(".des");
    const where = await this.ask(
      `A vault from ${name}`,
      (close) => [
        notes.length
          ? el(
              "ul",
              {},
              notes.map((note) => el("li", {}, typeof note === "string" ? note : note.message)),
            )
          : null,
        el("pre", { class: "scenario", tabindex: "0" }, text),
        el(
          "div",
          { class: "buttons" },
          open
            ? button(`Put it at the end of ${studio.file.path}`, () => close("here"), {
                autofocus: true,
              })
            : null,
          button("As a new file", () => close("new"), { id: "import-new" }),
          button("Cancel", () => close(null)),
        ),
      ],
      { wide: true },
    );
    if (where === "here") this.append(text);
    if (where === "new") await studio.begin(this.freeName(name), text);
  }

  append(text) {
    const { document } = this.studio;
    const end = document.text.length;
    const gap = document.text.endsWith("\n") || !end ? "\n" : "\n\n";
    document.edit(end, end, gap + text, "import");
    const name = /^NAME:\s*(\S+)/m.exec(text)?.[1];
    if (name) this.studio.wantedMap = name;
    this.toast("The vault stands at the end of the file. Undo takes it away again.");
  }

  /** A name that no file of the folder has. */
  freeName(name) {
    const stem = name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "_") || "imported";
    const taken = new Set(this.studio.files.map(({ path }) => path));
    for (let number = 1; ; number += 1) {
      const path = number === 1 ? `${stem}.des` : `${stem}-${number}.des`;
      if (!taken.has(path)) return path;
    }
  }
}

async function base64Of(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  }
  return btoa(text);
}
