// The open file: reading, saving, what happens when somebody else saves or removes it.

import { TextDocument } from "./document.js";
import { debounced } from "./elements.js";

/**
 * The file that is being written. Tells of `opened`, `change` (of the text), `state`, and of
 * `conflict` when somebody else has saved it too.
 */
export class OpenFile extends EventTarget {
  constructor(server, drafts) {
    super();
    this.server = server;
    this.drafts = drafts;
    this.path = null;
    this.document = new TextDocument();
    this.saved = "";
    this.revision = null;
    this.encoding = "utf8";
    /** What lies on the disk instead of what the text was made from: `{text, revision}`. */
    this.other = null;
    this.removed = false;
    this.saving = null;
    this.noRoom = false;
    this.keepSoon = debounced(200, () => this.keepDraft());
    server.addEventListener("changed", ({ detail }) => this.follow(detail));
    server.addEventListener("removed", ({ detail }) => {
      if (detail.path === this.path && !this.saving) this.markRemoved();
    });
  }

  get text() {
    return this.document.text;
  }

  get dirty() {
    return this.path !== null && (this.text !== this.saved || this.removed);
  }

  /** What requests say of the file. */
  get param() {
    return { path: this.path, text: this.text, encoding: this.encoding };
  }

  /** Opens a file; what was not saved of it is there again. */
  async open(path) {
    if (this.path !== null) this.keepDraft();
    let disk = null;
    try {
      disk = await this.server.call("read", { path });
    } catch (error) {
      if (error.status !== 404) throw error;
    }
    const [draft, ...older] = await this.drafts.adopt(path);
    if (!disk && !draft) throw new Error(`${path} does not exist`);
    this.path = path;
    this.saved = disk?.text ?? "";
    this.revision = disk?.revision ?? draft?.revision ?? null;
    this.encoding = disk?.encoding ?? draft?.encoding ?? "utf8";
    this.removed = !disk;
    this.other = null;
    this.replaceDocument(this.saved);
    let restored = false;
    // Older drafts stand behind the newest one: undo leads back to them.
    for (const one of [...older.reverse(), draft]) {
      if (!one || one.text === this.text) continue;
      this.document.become(one.text, "draft");
      restored = true;
    }
    if (restored && disk && draft.revision !== disk.revision) {
      this.revision = draft.revision;
      this.other = { text: disk.text, revision: disk.revision };
    }
    this.tell("opened", { restored });
    if (restored) this.keepDraft();
    if (this.other) this.tell("conflict");
    this.tell("state");
  }

  /** Begins a file that is not on the disk yet. */
  begin(path, text) {
    if (this.path !== null) this.keepDraft();
    Object.assign(this, {
      path,
      saved: "",
      revision: null,
      encoding: "utf8",
      other: null,
      removed: true,
    });
    this.replaceDocument(text);
    this.keepDraft();
    this.tell("opened", { begun: true });
    this.tell("state");
  }

  replaceDocument(text) {
    this.document = new TextDocument(text);
    this.document.addEventListener("change", ({ detail }) => {
      this.keepSoon();
      this.tell("change", detail);
      this.tell("state");
    });
  }

  /** Saves; true if it is saved. Somebody else's later text is never overwritten unasked. */
  async save() {
    if (this.path === null) return false;
    if (this.saving) return this.saving;
    this.saving = this.saveNow();
    try {
      return await this.saving;
    } finally {
      this.saving = null;
      this.tell("state");
    }
  }

  async saveNow() {
    const { path, text } = this;
    try {
      const method = this.removed ? "create" : "save";
      const saved = await this.server.call(method, { path, text, revision: this.revision ?? "" });
      this.revision = saved.revision;
      this.saved = text;
      this.removed = false;
      this.other = null;
      this.keepDraft();
      this.tell("saved");
      return true;
    } catch (error) {
      if (error.status !== 409) throw error;
      if (error.body.current) {
        this.other = error.body.current;
        this.removed = false;
        this.tell("conflict", { asked: true });
      } else {
        this.markRemoved();
      }
      return false;
    }
  }

  /** Saves one's own text over what somebody else has saved, which is one undo away. */
  async keepMine() {
    if (!this.other) return;
    const { text } = this;
    const { text: theirs, revision } = this.other;
    this.other = null;
    this.revision = revision;
    this.document.become(theirs, "theirs");
    this.document.become(text, "mine");
    await this.save();
  }

  /** Takes what somebody else has saved; one's own text is one undo away. */
  takeTheirs() {
    if (!this.other) return;
    const { text, revision } = this.other;
    this.other = null;
    this.saved = text;
    this.revision = revision;
    this.document.become(text, "theirs");
    this.keepDraft();
    this.tell("state");
  }

  /** Somebody has saved a file. */
  async follow({ path, revision }) {
    if (path !== this.path) return;
    await this.saving?.catch(() => {});
    if (revision === this.revision) {
      if (this.removed) {
        this.removed = false;
        this.tell("state");
      }
      return;
    }
    let disk;
    try {
      disk = await this.server.call("read", { path });
    } catch {
      return;
    }
    if (path !== this.path || disk.revision === this.revision) return;
    const untouched = !this.dirty || (this.removed && this.text === this.saved);
    this.removed = false;
    if (untouched || disk.text === this.text) {
      this.saved = disk.text;
      this.revision = disk.revision;
      this.encoding = disk.encoding;
      this.other = null;
      this.document.become(disk.text, "disk");
      this.tell("followed");
      this.tell("state");
      return;
    }
    this.other = { text: disk.text, revision: disk.revision };
    this.tell("conflict");
    this.tell("state");
  }

  /** Looks whether the file is as it was, after the server was gone. */
  async lookAgain() {
    if (this.path === null) return;
    try {
      const { revision } = await this.server.call("read", { path: this.path });
      await this.follow({ path: this.path, revision });
    } catch (error) {
      if (error.status === 404) this.markRemoved();
    }
  }

  markRemoved() {
    if (this.removed) return;
    this.removed = true;
    this.other = null;
    this.keepDraft();
    this.tell("removed");
    this.tell("state");
  }

  keepDraft() {
    if (this.path === null) return;
    this.keepSoon.cancel();
    if (!this.dirty) {
      this.drafts.drop(this.path);
      this.noRoom = false;
      return;
    }
    const { text, revision, encoding } = this;
    const noRoom = !this.drafts.keep(this.path, { text, revision, encoding });
    if (noRoom !== this.noRoom) {
      this.noRoom = noRoom;
      this.tell("state");
    }
  }

  tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
