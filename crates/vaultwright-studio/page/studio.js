// What all parts of the page share: the server, the open file, the current map, and asking again when
// the text changes.

import { debounced, el } from "./elements.js";
import { Drafts } from "./drafts.js";
import { OpenFile } from "./open-file.js";
import { Server } from "./protocol.js";
import { Structure } from "./structure.js";

/** How long after a key one asks. */
const QUIET = 30;

/** A vault to begin with. */
const TEMPLATE = `NAME:   my_vault
DEPTH:  D:2-12
MONS:   rat / bat
MAP
xxxxx+xxxxx
x.........x
x..T...T..x
x....1....x
x.........x
xxxxxxxxxxx
ENDMAP
`;

/**
 * Tells of `map` (another map, or file), `text`, `checked` (what is wrong, and where the maps are),
 * `data` (what maps stand on has changed), `ready`.
 */
export class Studio extends EventTarget {
  constructor() {
    super();
    this.server = new Server();
    this.drafts = new Drafts(this.server.page);
    this.file = new OpenFile(this.server, this.drafts);
    this.structure = new Structure();
    this.mapName = null;
    this.files = [];
    this.hello = null;
    this.askSoon = debounced(QUIET, () => this.changed());
    this.file.addEventListener("change", () => this.askSoon());
    this.file.addEventListener("opened", () => this.opened());
    this.server.addEventListener("data", () => this.tell("data"));
    this.listFilesSoon = debounced(200, () => this.listFiles().catch(() => {}));
    for (const kind of ["changed", "removed"]) {
      this.server.addEventListener(kind, ({ detail }) => {
        this.listFilesSoon();
        // Other files may hold what this one builds on.
        if (detail.path !== this.file.path) this.tell("data");
      });
    }
  }

  get document() {
    return this.file.document;
  }

  get readOnly() {
    return this.file.path === null;
  }

  get isLair() {
    return this.file.path?.endsWith(".lua") ?? false;
  }

  /** Begins: what there is, and the first file. */
  async start(wanted) {
    const [hello] = await Promise.all([this.server.call("hello"), this.listFiles()]);
    this.hello = hello;
    this.drafts.folder = hello.folder;
    this.server.listen();
    this.tell("ready");
    const usual = hello.file ?? this.files.find(({ inside }) => !inside)?.path;
    if (wanted?.path && wanted.path !== usual) {
      try {
        await this.open(wanted.path, wanted.map);
        return true;
      } catch {
        // The address is older than the folder.
      }
    }
    if (usual) await this.open(usual, wanted?.map);
    return Boolean(usual);
  }

  async listFiles() {
    const { files } = await this.server.call("files");
    this.files = files.map((file) => ({ maps: [], ...file }));
    this.tell("files");
  }

  /** Opens a file, at a map if one is named. */
  async open(path, map = null) {
    this.wantedMap = map;
    if (path !== this.file.path) {
      await this.file.open(path);
    } else if (map && this.structure.find(map)) {
      this.selectMap(map, { move: true });
    } else if (map) {
      this.settleMap();
    }
  }

  /** Begins a file that is not on the disk yet. */
  async begin(path, text = TEMPLATE) {
    const whole = /\.(des|lua)$/.test(path) ? path : `${path}.des`;
    if (this.files.some((file) => file.path === whole)) throw new Error(`${whole} exists already`);
    this.file.begin(whole, text);
    return whole;
  }

  opened() {
    this.structure.clear();
    this.tokens = [];
    this.mapName = null;
    const known = this.files.find(({ path }) => path === this.file.path);
    this.setMap(this.wantedMap ?? known?.maps[0] ?? null, { move: true });
    this.changed();
  }

  /** The text has changed: everything that is seen of it is asked for again. */
  changed() {
    if (this.file.path === null) return;
    this.tell("text");
    this.check();
    this.askTokens();
  }

  async check() {
    const { file, document } = this;
    if (file.path.endsWith(".lua")) return;
    const { version, text } = document;
    try {
      const answer = await this.server.latest("check", "check", { file: file.param });
      if (!answer || document !== this.document) return;
      this.failure = null;
      this.found(version, text, answer);
    } catch (error) {
      if (error.gone || document !== this.document) return;
      this.failure = error;
      this.tell("checked");
    }
  }

  /** What has been found in a version of the text. */
  found(version, text, answer) {
    this.structure.take(this.document, version, answer, text);
    this.settleMap();
    this.tell("checked");
  }

  async askTokens() {
    const { document, file } = this;
    const { version } = document;
    try {
      const answer = await this.server.latest("tokens", "tokens", { file: file.param });
      const current = answer && document === this.document && version === document.version;
      if (current) this.tell("tokens", answer.tokens);
    } catch {
      // Without colours one can write as well.
    }
  }

  /** The current map is one that is there. */
  settleMap() {
    const { maps } = this.structure;
    if (this.wantedMap && this.structure.find(this.wantedMap)) {
      const name = this.wantedMap;
      this.wantedMap = null;
      this.setMap(name, { move: true });
      return;
    }
    if (this.structure.find(this.mapName)) {
      this.tell("drawing");
      return;
    }
    // A map that is being renamed stays the current one.
    const here = this.structure.mapAt(this.caret?.() ?? 0);
    this.setMap((here ?? maps[0])?.name ?? null);
  }

  selectMap(name, { move = false } = {}) {
    this.setMap(name, { move });
  }

  setMap(name, { move = false } = {}) {
    const same = name === this.mapName;
    this.mapName = name;
    if (!same || move) this.tell("map", { move });
  }

  currentMap() {
    return this.structure.find(this.mapName);
  }

  currentDrawing() {
    const map = this.currentMap();
    return this.structure.drawing(map);
  }

  /** The caret stands somewhere: its map is the current one. */
  followCaret(offset) {
    const map = this.structure.mapAt(offset);
    if (map && map.name !== this.mapName) this.setMap(map.name);
  }

  lineNow(line, version) {
    return this.document.lineNow(line, version);
  }

  lineThen(line, version) {
    return this.document.lineThen(line, version);
  }

  /** Puts fixes into the text, the last first, so that the places of the others stay right. */
  applyFixes(fixes) {
    const edits = fixes
      .flatMap((fix) => fix.edits)
      .map(({ start, end, text }) => ({
        start: this.structure.now(start),
        end: this.structure.now(end, true),
        text,
      }));
    edits.sort((a, b) => b.start - a.start);
    let before = Infinity;
    edits.forEach(({ start, end, text }, index) => {
      if (end > before) return;
      before = start;
      this.document.edit(start, end, text, "fix", { together: index > 0 });
    });
    this.askSoon.cancel();
    this.changed();
  }

  /** The command line that shows the same. */
  command(...words) {
    const quoted = (word) =>
      /^[\w./:=,+@-]+$/.test(word) ? word : `'${String(word).replaceAll("'", "'\\''")}'`;
    return ["vaultwright", ...words.map(String)].map(quoted).join(" ");
  }

  /** What scripts have printed while they ran. */
  notePrinted(messages) {
    if (!messages?.length) return;
    const text = messages.map((one) =>
      typeof one === "string" ? one : (one.text ?? JSON.stringify(one)),
    );
    this.tell("printed", text);
  }

  tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

/** Copies a text, and says so. */
export async function copyText(text, toast) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied: ${text}`);
  } catch {
    const area = el("textarea", { class: "sr" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    toast(`Copied: ${text}`);
  }
}
