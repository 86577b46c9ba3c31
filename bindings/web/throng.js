// The engine in a browser, or wherever else JavaScript runs: worlds, units, goals, ticks, moves. It is the library for C
// (bindings/c), compiled to WebAssembly; nothing is asked of the host but memory.

/** What is wrong, in the words of the engine; `status` is its name. */
export class ThrongError extends Error {
  constructor(status, message) {
    super(message);
    this.name = 'ThrongError';
    this.status = status;
  }
}

const STATUS = ['ok', 'null', 'bad-text', 'no-world', 'no-unit', 'bad-input', 'refused', 'too-small', 'broken'];
const TASKS = { hold: 0, goals: 1, patrol: 2, explore: 3, errands: 4 };
const EVENTS = ['other', 'moved', 'failed', 'arrived', 'finished', 'settled', 'closed', 'opened', 'explored', 'found'];

// Bytes of what the header declares, where addresses have 32 bits.
const INFO = 40;
const UNIT = 48;
const EVENT = 32;
const CELL = 8;

/** Loads the engine: from the bytes of throng.wasm, or from where it is fetched. */
export async function load(source = new URL('throng.wasm', import.meta.url)) {
  const bytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source) ? source : await fetched(source);
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Throng(instance.exports);
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new ThrongError('bad-input', `${address}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** The engine; makes worlds. */
export class Throng {
  #engine;

  constructor(engine) {
    this.#engine = engine;
  }

  get version() {
    return this.#text(this.#engine.throng_version());
  }

  /** A world that comes with the engine. */
  builtin(name, { planner, seed = 0 } = {}) {
    return this.#world(
      ([out, label, by]) => this.#engine.throng_world_builtin(label, by, BigInt(seed), 1, out),
      [ended(name), planner && ended(planner)],
    );
  }

  /** A world from the text of a scenario file or of a map of Tiled. */
  scenario(text, { planner, seed = 0 } = {}) {
    const file = new TextEncoder().encode(text);
    return this.#world(
      ([out, at, by]) => this.#engine.throng_world_scenario(at, file.length, by, BigInt(seed), 1, out),
      [file, planner && ended(planner)],
    );
  }

  /** A world without units, from the bytes or the text of a map. */
  map(map, { planner, moves = 4, seed = 0 }) {
    const file = typeof map === 'string' ? new TextEncoder().encode(map) : new Uint8Array(map);
    return this.#world(
      ([out, at, by]) => this.#engine.throng_world_map(at, file.length, moves, by, BigInt(seed), 1, out),
      [file, ended(planner ?? '')],
    );
  }

  /** A world that goes on from what `save` gave. */
  resume(saved) {
    const bytes = new Uint8Array(saved);
    return this.#world(([out, at]) => this.#engine.throng_world_resume(at, bytes.length, 1, out), [bytes]);
  }

  #world(make, lent) {
    const number = this.lend([new Uint8Array(8), ...lent], (places) => {
      this.must(make(places));
      return this.view(places[0], 8).getBigUint64(0, true);
    });
    return new World(this, this.#engine, number);
  }

  /** Lends bytes to the engine while something is done; what is not there is NULL. @internal */
  lend(lent, act) {
    const places = [];
    try {
      for (const bytes of lent) {
        const place = bytes ? this.#engine.throng_lend(bytes.length) >>> 0 : 0;
        if (bytes && place === 0) throw new ThrongError('refused', `no memory for ${bytes.length} bytes`);
        places.push(place);
        if (bytes) new Uint8Array(this.#engine.memory.buffer, place, bytes.length).set(bytes);
      }
      return act(places);
    } finally {
      places.forEach((place, k) => place && this.#engine.throng_give_back(place, lent[k].length));
    }
  }

  /** @internal */
  view(place, bytes) {
    return new DataView(this.#engine.memory.buffer, place, bytes);
  }

  /** @internal */
  must(status) {
    if (status !== 0) {
      throw new ThrongError(STATUS[status] ?? String(status), this.#text(this.#engine.throng_last_error()));
    }
  }

  /** A list that the engine fills: how much there is, and then all of it. @internal */
  list(size, fill) {
    const count = this.lend([new Uint8Array(4)], ([count]) => {
      this.must(fill(0, 0, count));
      return this.view(count, 4).getUint32(0, true);
    });
    return this.lend([new Uint8Array(4), new Uint8Array(count * size)], ([told, items]) => {
      this.must(fill(items, count, told));
      return { count, bytes: this.view(items, count * size).buffer.slice(items, items + count * size) };
    });
  }

  #text(place) {
    const bytes = new Uint8Array(this.#engine.memory.buffer, place >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }
}

/** A text that ends in 0. */
const ended = (text) => new TextEncoder().encode(`${text}\0`);

/** A world that runs. Units are numbers (`bigint`), places are pairs [x, y]. */
export class World {
  #throng;
  #engine;
  #number;

  /** @internal */
  constructor(throng, engine, number) {
    this.#throng = throng;
    this.#engine = engine;
    this.#number = number;
  }

  /** One tick; `budget` is how many expansions planning may take, 0 for as many as it needs. */
  tick(budget = 0) {
    this.#throng.must(this.#engine.throng_world_tick(this.#number, BigInt(budget)));
  }

  /** `{ tick, hash, width, height, units, arrived, done }`; the hash is the same wherever this runs. */
  info() {
    return this.#throng.lend([new Uint8Array(INFO)], ([place]) => {
      this.#throng.must(this.#engine.throng_world_info(this.#number, place));
      const told = this.#throng.view(place, INFO);
      const [width, height, units, arrived, done] = [16, 20, 24, 28, 32].map((at) => told.getUint32(at, true));
      return {
        tick: Number(told.getBigUint64(0, true)),
        hash: told.getBigUint64(8, true),
        width,
        height,
        units,
        arrived,
        done: done === 1,
      };
    });
  }

  /** All units: `{ unit, at, from, since, until, leg, team, arrived }`. */
  units() {
    const { count, bytes } = this.#throng.list(UNIT, (...room) =>
      this.#engine.throng_world_units(this.#number, ...room),
    );
    const told = new DataView(bytes);
    return Array.from({ length: count }, (_, k) => {
      const at = k * UNIT;
      return {
        unit: told.getBigUint64(at, true),
        at: [told.getInt32(at + 8, true), told.getInt32(at + 12, true)],
        from: [told.getInt32(at + 16, true), told.getInt32(at + 20, true)],
        since: Number(told.getBigUint64(at + 24, true)),
        until: Number(told.getBigUint64(at + 32, true)),
        leg: told.getUint32(at + 40, true),
        team: told.getUint16(at + 44, true),
        arrived: told.getUint8(at + 46) === 1,
      };
    });
  }

  /** What happened in the last tick: `{ kind, at, unit, other }`; what there is not is null. */
  events() {
    const { count, bytes } = this.#throng.list(EVENT, (...room) =>
      this.#engine.throng_world_events(this.#number, ...room),
    );
    const told = new DataView(bytes);
    return Array.from({ length: count }, (_, k) => {
      const at = k * EVENT;
      const [x, y] = [told.getInt32(at + 4, true), told.getInt32(at + 8, true)];
      const [unit, other] = [told.getBigUint64(at + 16, true), told.getBigUint64(at + 24, true)];
      const kind = EVENTS[told.getUint32(at, true)] ?? 'other';
      return { kind, at: x < 0 ? null : [x, y], unit: unit || null, other: other || null };
    });
  }

  /** Letters of terrain, row by row. */
  terrain() {
    const { bytes } = this.#throng.list(1, (...room) => this.#engine.throng_world_terrain(this.#number, ...room));
    return new Uint8Array(bytes);
  }

  /** Lets a unit in. Without a task it holds its place. */
  add(at, task = {}, { priority = 0, team = 0, body = 1, period = 1 } = {}) {
    const cells = cellsOf(task);
    return this.#throng.lend([new Uint8Array(8), cells, new Uint8Array(32)], ([out, list, place]) => {
      const made = this.#throng.view(place, 32);
      made.setInt32(0, at[0], true);
      made.setInt32(4, at[1], true);
      write(made, 8, task, list, cells);
      made.setInt32(24, priority, true);
      made.setUint16(28, team, true);
      made.setUint8(30, body);
      made.setUint8(31, period);
      this.#throng.must(this.#engine.throng_world_add(this.#number, place, out));
      return this.#throng.view(out, 8).getBigUint64(0, true);
    });
  }

  /** Gives a unit another task: `{ goal }`, `{ goals }`, `{ patrol, rounds }`, `{ explore: true }`, `{ errands: true }`, or none. */
  order(unit, task = {}) {
    const cells = cellsOf(task);
    this.#throng.lend([cells, new Uint8Array(16)], ([list, place]) => {
      write(this.#throng.view(place, 16), 0, task, list, cells);
      this.#throng.must(this.#engine.throng_unit_order(this.#number, unit, place));
    });
  }

  /** Takes a unit out of the world. */
  remove(unit) {
    this.#throng.must(this.#engine.throng_unit_remove(this.#number, unit));
  }

  /** Gives a unit another priority. */
  setPriority(unit, priority) {
    this.#throng.must(this.#engine.throng_unit_priority(this.#number, unit, priority));
  }

  /** Tells that a unit is elsewhere now. */
  place(unit, [x, y]) {
    this.#throng.must(this.#engine.throng_unit_place(this.#number, unit, x, y));
  }

  /** Opens or closes a cell. */
  setOpen([x, y], open) {
    this.#throng.must(this.#engine.throng_world_set_open(this.#number, x, y, open ? 1 : 0));
  }

  /** Everything that the future depends on. */
  save() {
    const { bytes } = this.#throng.list(1, (...room) => this.#engine.throng_world_save(this.#number, ...room));
    return new Uint8Array(bytes);
  }

  /** Lets the world go. */
  free() {
    this.#throng.must(this.#engine.throng_world_free(this.#number));
  }
}

/** The kind of a task and where it leads. */
function kindOf(task) {
  if (task.goal) return ['goals', [task.goal]];
  if (task.goals) return ['goals', task.goals];
  if (task.patrol) return ['patrol', [task.patrol]];
  if (task.explore) return ['explore', []];
  return [task.errands ? 'errands' : 'hold', []];
}

function cellsOf(task) {
  const [, cells] = kindOf(task);
  const bytes = new Uint8Array(cells.length * CELL);
  const view = new DataView(bytes.buffer);
  cells.forEach(([x, y], k) => {
    view.setInt32(k * CELL, x, true);
    view.setInt32(k * CELL + 4, y, true);
  });
  return bytes;
}

function write(view, at, task, list, cells) {
  view.setUint32(at, TASKS[kindOf(task)[0]], true);
  view.setUint32(at + 4, task.rounds ?? 0, true);
  view.setUint32(at + 8, list, true);
  view.setUint32(at + 12, cells.length / CELL, true);
}
