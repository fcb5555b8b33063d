// Texts that are not saved yet, kept in the browser until they are.

const PREFIX = "vaultwright-draft:";

/** The drafts of one page. Drafts of pages that are gone can be taken over. */
export class Drafts {
  constructor(page) {
    this.page = page;
    this.folder = "";
    // Held as long as the page lives, so that others can tell.
    navigator.locks?.request(lockOf(page), () => new Promise(() => {}));
  }

  key(path) {
    return `${PREFIX}${JSON.stringify([this.folder, path, this.page])}`;
  }

  /** Keeps a text with the revision that it was made from; says whether there was room. */
  keep(path, draft) {
    try {
      localStorage.setItem(this.key(path), JSON.stringify({ ...draft, time: Date.now() }));
      return true;
    } catch {
      return false;
    }
  }

  drop(path) {
    localStorage.removeItem(this.key(path));
  }

  /** Takes over what pages that are gone have left of a file; the newest first. */
  async adopt(path) {
    const alive = await livingPages();
    const found = [];
    for (const { key, name, page } of [...this.all()]) {
      if (name !== path || (page !== this.page && alive.has(page))) continue;
      const draft = parse(localStorage.getItem(key));
      localStorage.removeItem(key);
      if (typeof draft?.text === "string") found.push(draft);
    }
    return found.sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
  }

  /** Files with drafts of pages that are gone. */
  async left() {
    const alive = await livingPages();
    const names = [...this.all()].filter(({ page }) => !alive.has(page) || page === this.page);
    return [...new Set(names.map(({ name }) => name))];
  }

  *all() {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index);
      if (!key?.startsWith(PREFIX)) continue;
      const [folder, name, page] = parse(key.slice(PREFIX.length)) ?? [];
      if (folder === this.folder) yield { key, name, page };
    }
  }
}

function lockOf(page) {
  return `vaultwright-page:${page}`;
}

async function livingPages() {
  const locks = await navigator.locks?.query();
  const held = locks?.held ?? [];
  const names = held.map((lock) => lock.name).filter((name) => name.startsWith(lockOf("")));
  return new Set(names.map((name) => name.slice(lockOf("").length)));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
