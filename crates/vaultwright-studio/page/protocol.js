// Talking to the studio's server: requests, events, and what happens when it is gone.

/** Why a request has no answer. */
export class StudioError extends Error {
  constructor(status, body) {
    const error = body?.error ?? {};
    super(error.message ?? `the studio answered ${status}`);
    this.status = status;
    this.body = body;
    this.place =
      error.line === undefined
        ? null
        : { file: error.file, line: error.line, column: error.column ?? 0 };
    this.hint = error.hint ?? null;
  }

  /** A newer request took the place of this one: nothing is wrong. */
  get superseded() {
    return this.status === 409 && this.message === "superseded";
  }

  /** The server is not there. */
  get gone() {
    return this.status === 0;
  }

  /** The server is older than the page, or has no such door. */
  get unknown() {
    return this.status === 404 && /no method/.test(this.message);
  }
}

/** After how long a newer request is sent beside one that still runs. */
const IMPATIENCE = 400;

/**
 * The server. Tells of `changed`, `removed`, `data`, `progress`, `worker`, and of `lost` and `found`,
 * the latter also when it is another one than before.
 */
export class Server extends EventTarget {
  constructor() {
    super();
    // Another tab is another page.
    this.page = crypto.randomUUID();
    this.channels = new Map();
    this.connected = true;
    this.waiting = 0;
  }

  /** Asks for something; throws a `StudioError`. */
  async call(method, params = {}, { bytes = false } = {}) {
    this.waiting += 1;
    this.tell("busy", {});
    try {
      const response = await fetch(`/api/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ page: this.page, ...params }),
      });
      if (!response.ok) throw new StudioError(response.status, await readJson(response));
      this.setConnected(true);
      return bytes ? await response.blob() : await response.json();
    } catch (error) {
      if (error instanceof StudioError) {
        if (error.status === 403 && method !== "save" && method !== "create" && method !== "read") {
          this.setConnected(false, error.message);
        }
        throw error;
      }
      this.setConnected(false);
      throw new StudioError(0, { error: { message: "the studio does not answer" } });
    } finally {
      this.waiting -= 1;
      this.tell("busy", {});
    }
  }

  /**
   * Asks on a channel, where only the newest request counts: resolves to `null` when a newer one was
   * made meanwhile. Requests that come while one runs wait, and only the last of them is sent.
   */
  latest(channel, method, params) {
    let state = this.channels.get(channel);
    if (!state) {
      state = { generation: 0, shown: 0, running: [], next: null, timer: 0 };
      this.channels.set(channel, state);
    }
    return new Promise((resolve, reject) => {
      state.next?.resolve(null);
      state.next = { method, params, resolve, reject };
      this.pump(channel, state);
    });
  }

  /** What is still asked on a channel is of no interest any more. */
  forget(channel) {
    const state = this.channels.get(channel);
    if (!state) return;
    state.next?.resolve(null);
    state.next = null;
    state.shown = ++state.generation;
  }

  pump(channel, state) {
    clearTimeout(state.timer);
    if (!state.next) return;
    const now = performance.now();
    const oldest = state.running[0];
    if (state.running.length >= 2 || (oldest && now - oldest < IMPATIENCE)) {
      if (state.running.length < 2) {
        state.timer = setTimeout(() => this.pump(channel, state), IMPATIENCE - (now - oldest));
      }
      return;
    }
    const { method, params, resolve, reject } = state.next;
    state.next = null;
    const generation = ++state.generation;
    state.running.push(now);
    const settled = () => {
      state.running.splice(state.running.indexOf(now), 1);
      this.pump(channel, state);
    };
    this.call(method, { ...params, channel, generation }).then(
      (answer) => {
        settled();
        if (generation <= state.shown) return resolve(null);
        state.shown = generation;
        resolve(answer);
      },
      (error) => {
        settled();
        const stale = generation <= state.shown || error.superseded;
        if (stale || generation < state.generation) return resolve(null);
        reject(error);
      },
    );
  }

  /** Listens to the server's events from now on, and comes back when it does. */
  listen() {
    const source = new EventSource("/api/events");
    source.onopen = () => this.setConnected(true);
    source.onerror = () => {
      this.setConnected(false);
      // A refused or closed stream is not tried again by the browser.
      if (source.readyState === EventSource.CLOSED) {
        this.askWhyRefused();
        setTimeout(() => this.listen(), 1000);
      }
    };
    source.onmessage = (message) => {
      const event = parse(message.data);
      if (event) this.tell(event.kind, event);
    };
    addEventListener("pagehide", () => source.close(), { once: true });
  }

  /** Events that are refused do not say why, the same address does: it may be another server. */
  async askWhyRefused() {
    const stop = new AbortController();
    try {
      const response = await fetch("/api/events", { signal: stop.signal });
      if (response.status === 403) {
        const { message } = new StudioError(403, await readJson(response));
        this.setConnected(false, message);
      }
    } catch {
      // There is no server that could say it.
    } finally {
      stop.abort();
    }
  }

  setConnected(connected, why = null) {
    if (this.connected === connected && (!why || why === this.why)) return;
    const changed = this.connected !== connected;
    this.connected = connected;
    if (changed || why) this.tell(connected ? "found" : "lost", { why });
  }

  tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

async function readJson(response) {
  return parse(await response.text());
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
