// Which maps a file has and where their drawings are, as the server has found, moved along with edits.

/** The maps of the open file. */
export class Structure {
  constructor() {
    this.maps = [];
    this.findings = [];
    this.version = 0;
  }

  clear() {
    this.maps = [];
    this.findings = [];
  }

  /** Takes an answer of `check` about a version of the text. */
  take(document, version, answer, text) {
    const at = offsetsOf(text);
    this.version = version;
    this.document = document;
    this.maps = (answer.maps ?? []).map((map) => ({
      ...map,
      start: at(map.range.start),
      end: at(map.range.end),
      drawing: map.rows && {
        start: at({ line: map.rows.first_line, column: 0 }),
        end: at({ line: map.rows.first_line + map.rows.count - 1, column: Infinity }),
      },
    }));
    this.findings = (answer.findings ?? []).map((finding) => ({
      ...finding,
      start: at(finding.range.start),
      end: at(finding.range.end),
      fixes: (finding.fixes ?? []).map((fix) => ({
        ...fix,
        edits: fix.edits.map((edit) => ({
          text: edit.text,
          start: at(edit.range.start),
          end: at(edit.range.end),
        })),
      })),
    }));
  }

  now(offset, sticky) {
    return this.document.moved(offset, this.version, sticky);
  }

  /** The map at an offset, or the one before it. */
  mapAt(offset) {
    let found = null;
    for (const map of this.maps) {
      if (this.now(map.start) <= offset) found = map;
    }
    return found ?? this.maps[0] ?? null;
  }

  find(name) {
    return this.maps.find((map) => map.name === name) ?? null;
  }

  /** The drawing of a map as it stands now: its first line and its rows. */
  drawing(map) {
    if (!map?.drawing) return null;
    const { document } = this;
    const start = this.now(map.drawing.start);
    const end = Math.max(start, this.now(map.drawing.end, true));
    const rows = document.text.slice(start, end).split("\n");
    return { start, end, firstLine: document.position(start).line, rows };
  }

  /** Findings with their places as they are now. */
  findingsNow() {
    return this.findings.map((finding) => ({
      ...finding,
      from: this.now(finding.start),
      to: this.now(finding.end, true),
    }));
  }
}

function offsetsOf(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return ({ line, column }) => {
    if (line >= starts.length) return text.length;
    const next = starts[line + 1];
    const end = next === undefined ? text.length : next - 1;
    return Math.min(starts[line] + column, end);
  };
}
