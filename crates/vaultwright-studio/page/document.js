// The text of a file: edits, undo, positions that move along with edits.

/** Edits that come this soon after each other are undone together. */
const TOGETHER = 700;

/**
 * A text that is written by hands, drawings and fixes alike. Tells of `change` with
 * `{start, removed, inserted, origin}`.
 */
export class TextDocument extends EventTarget {
  constructor(text = "") {
    super();
    this.version = 0;
    this.past = [];
    this.future = [];
    this.log = [];
    this.setLines(text);
  }

  setLines(text) {
    this.text = text;
    this.starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      this.starts.push(at + 1);
    }
  }

  get lineCount() {
    return this.starts.length;
  }

  /** A line without its end. */
  line(number) {
    const start = this.starts[number];
    if (start === undefined) return "";
    const next = this.starts[number + 1];
    return this.text.slice(start, next === undefined ? this.text.length : next - 1);
  }

  /** The place of an offset: line and column from 0. */
  position(offset) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - this.starts[low] };
  }

  /** The offset of a place; one that is not there becomes the nearest that is. */
  offset({ line, column }) {
    const number = Math.max(0, Math.min(line, this.starts.length - 1));
    return this.starts[number] + Math.max(0, Math.min(column, this.line(number).length));
  }

  /** Puts a text in the place of a part. `after` is where the caret goes. */
  edit(start, end, inserted, origin, { together = false, selection = null } = {}) {
    const removed = this.text.slice(start, end);
    if (removed === inserted) return;
    const edit = { start, removed, inserted, origin, time: performance.now(), together, selection };
    this.future = [];
    const before = this.past.at(-1);
    if (before && continues(before, edit)) {
      edit.follows = true;
    }
    this.past.push(edit);
    if (this.past.length > 4000) this.past.splice(0, 1000);
    this.apply(start, removed, inserted, origin);
  }

  /** Becomes another text, as one edit of what differs. */
  become(text, origin, options) {
    const old = this.text;
    if (text === old) return;
    const shorter = Math.min(text.length, old.length);
    let start = 0;
    while (start < shorter && text.charCodeAt(start) === old.charCodeAt(start)) start += 1;
    let same = 0;
    while (
      same < shorter - start &&
      text.charCodeAt(text.length - 1 - same) === old.charCodeAt(old.length - 1 - same)
    )
      same += 1;
    this.edit(start, old.length - same, text.slice(start, text.length - same), origin, options);
  }

  apply(start, removed, inserted, origin) {
    const { line } = this.position(start);
    const [gone, come] = [ends(removed), ends(inserted)];
    this.setLines(this.text.slice(0, start) + inserted + this.text.slice(start + removed.length));
    this.version += 1;
    const [taken, given] = [removed.length, inserted.length];
    this.log.push({
      version: this.version,
      start,
      removed: taken,
      inserted: given,
      line,
      gone,
      come,
    });
    if (this.log.length > 1000) this.log.splice(0, 500);
    const detail = { start, removed, inserted, origin };
    this.dispatchEvent(new CustomEvent("change", { detail }));
  }

  /** Takes back the last edit and those that belong to it; where the caret belongs. */
  undo() {
    let caret = null;
    for (let edit = this.past.pop(); edit; edit = this.past.pop()) {
      this.future.push(edit);
      this.apply(edit.start, edit.inserted, edit.removed, "undo");
      caret = edit.selection ?? edit.start + edit.removed.length;
      if (!edit.follows) break;
    }
    return caret;
  }

  redo() {
    let caret = null;
    for (let edit = this.future.pop(); edit; edit = this.future.pop()) {
      this.past.push(edit);
      this.apply(edit.start, edit.removed, edit.inserted, "redo");
      caret = edit.start + edit.inserted.length;
      if (!this.future.at(-1)?.follows) break;
    }
    return caret;
  }

  /** Where a line of an earlier version is now. */
  lineNow(line, version) {
    let at = line;
    for (const edit of this.log) {
      if (edit.version > version) at = movedLine(at, edit.line, edit.gone, edit.come);
    }
    return at;
  }

  /** Where a line was in an earlier version. */
  lineThen(line, version) {
    let at = line;
    for (const edit of this.log.toReversed()) {
      if (edit.version > version) at = movedLine(at, edit.line, edit.come, edit.gone);
    }
    return at;
  }

  /**
   * Where an offset of an earlier version is now. What is inserted exactly there comes behind it, or
   * before it if `sticky`.
   */
  moved(offset, version, sticky = false) {
    let at = offset;
    for (const edit of this.log) {
      if (edit.version <= version) continue;
      if (edit.start > at || (edit.start === at && edit.removed === 0 && !sticky)) continue;
      if (edit.start + edit.removed <= at) at += edit.inserted - edit.removed;
      else at = edit.start + Math.min(at - edit.start, edit.inserted);
    }
    return at;
  }
}

function ends(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function continues(before, edit) {
  if (before.origin !== edit.origin) return false;
  if (edit.together) return true;
  if (edit.origin !== "typing" || edit.time - before.time > TOGETHER) return false;
  if (edit.inserted.includes("\n")) return false;
  const typedOn = before.start + before.inserted.length === edit.start && !edit.removed;
  const erasedOn = !edit.inserted && edit.start + edit.removed.length === before.start;
  return typedOn || erasedOn;
}

function movedLine(line, at, gone, come) {
  if (line <= at) return line;
  return line > at + gone ? line + come - gone : Math.min(line, at + come);
}
