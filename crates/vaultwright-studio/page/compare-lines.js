// Two texts line by line.

/** Rows of `{left, right}`; null where one has no such line. */
export function compareLines(left, right) {
  const [a, b] = [left.split("\n"), right.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let same = 0;
  while (same < Math.min(a.length, b.length) - start && a.at(-1 - same) === b.at(-1 - same))
    same += 1;
  const middle = compare(a.slice(start, a.length - same), b.slice(start, b.length - same));
  const equal = (lines) => lines.map((line) => ({ left: line, right: line }));
  // What is equal far from any difference is of no interest.
  const before = a.slice(Math.max(0, start - 3), start);
  const after = a.slice(a.length - same, a.length - same + 3);
  return [...equal(before), ...middle, ...equal(after)];
}

function compare(a, b) {
  // Beyond this the table would be too large, and nobody reads it.
  if (a.length * b.length > 1_000_000) {
    const count = Math.max(a.length, b.length);
    return Array.from({ length: count }, (_, at) => ({
      left: a[at] ?? null,
      right: b[at] ?? null,
    }));
  }
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i][j] =
        a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      rows.push({ left: a[i++], right: b[j++] });
    } else if (j >= b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) {
      rows.push({ left: a[i++], right: null });
    } else {
      rows.push({ left: null, right: b[j++] });
    }
  }
  return rows;
}
