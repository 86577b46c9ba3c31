// The connection: commands with numbered answers, events and frames, and coming back when it is lost.

/** What the server refused, in its own words. */
export class Refused extends Error {
  /** Something would be lost, unless whoever asks says that it may. */
  exists = false;

  /** @param {string} message @param {number} [line] */
  constructor(message, line) {
    // Some messages name their line themselves.
    super(line && !message.startsWith(`line ${line}:`) ? `line ${line}: ${message}` : message);
    this.name = 'Refused';
  }
}

/**
 * @typedef {object} Hears
 * @property {(up: boolean) => void} link told when the connection comes and goes
 * @property {(event: any) => void} event
 * @property {(frame: ArrayBuffer) => void} frame
 */

export class Link {
  /** Bytes that a message may have. */
  longest = Infinity;
  #next = 1;
  #wait = 500;
  /** @type {Map<number, { yes: (answer: any) => void, no: (error: Error) => void }>} */
  #open = new Map();
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Hears} */
  #hears;
  /** @type {string} */
  #address;

  /** @param {URLSearchParams} query the page's own: room and token @param {Hears} hears */
  constructor(query, hears) {
    const carried = new URLSearchParams();
    for (const key of ['room', 'token']) {
      const value = query.get(key);
      if (value) carried.set(key, value);
    }
    if (!carried.has('room')) carried.set('room', 'main');
    this.query = carried;
    this.#address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws?${carried}`;
    this.#hears = hears;
    this.#connect();
  }

  #connect() {
    const socket = new WebSocket(this.#address);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = 500;
      this.#hears.link(true);
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#hears.frame(data);
      else this.#text(data);
    };
    socket.onclose = () => {
      for (const { no } of this.#open.values()) no(new Refused('the connection was lost before the answer came'));
      this.#open.clear();
      this.#hears.link(false);
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(8000, this.#wait * 2);
    };
  }

  /** @param {string} text */
  #text(text) {
    const message = JSON.parse(text);
    if (message.event) {
      this.#hears.event(message);
      return;
    }
    const waiting = this.#open.get(message.id);
    if (!waiting) return;
    this.#open.delete(message.id);
    if (message.error) {
      const { message: words, line, exists = false } = message.error;
      waiting.no(Object.assign(new Refused(words, line), { exists }));
    } else waiting.yes(message.ok);
  }

  /** One command. @param {string} name @param {object} [keys] @returns {Promise<any>} */
  ask(name, keys = {}) {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new Refused('not connected to the server'));
    const id = this.#next++;
    const text = JSON.stringify({ id, do: name, ...keys });
    // Longer ones would end the connection.
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > this.longest) {
      const [asked, most] = [bytes, this.longest].map((number) => number.toLocaleString('en'));
      return Promise.reject(new Refused(`${name}: ${asked} bytes are too many for one message, at most ${most}`));
    }
    const answer = new Promise((yes, no) => this.#open.set(id, { yes, no }));
    socket.send(text);
    return answer;
  }

  /** Why the server does not let anybody in, if it says so. @returns {Promise<string>} */
  async barred() {
    try {
      const answer = await fetch(`/api/do?${this.query}`, { method: 'POST', body: '{"do":"state"}' });
      return answer.status >= 400 && answer.status < 500 ? await reason(answer) : '';
    } catch {
      return '';
    }
  }

  /** Opens a file from here; why not, if it is refused. @param {string} name @param {Blob} file @returns {Promise<string>} */
  async upload(name, file) {
    const query = new URLSearchParams(this.query);
    query.set('name', name);
    try {
      const answer = await fetch(`/api/open?${query}`, { method: 'POST', body: file });
      return answer.ok ? '' : await reason(answer);
    } catch {
      return 'no answer from the server';
    }
  }

  /** The address of an export. @param {string} kind @param {Record<string, string | number>} [more] */
  exportAddress(kind, more = {}) {
    const query = new URLSearchParams(this.query);
    for (const [key, value] of Object.entries(more)) query.set(key, String(value));
    return `/api/export/${kind}?${query}`;
  }
}

/** What an answer that is not good says. @param {Response} answer */
export async function reason(answer) {
  const text = (await answer.text()).trim();
  try {
    return JSON.parse(text).error.message;
  } catch {
    return text || `${answer.status} ${answer.statusText}`;
  }
}
