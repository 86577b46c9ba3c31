// The mock's room: a document, up to two runs of it, and their frames.

/** A fixed stream of numbers below one. */
function random(seed) {
  let state = ((seed + 1) * 2654435761) >>> 0;
  return () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;
}

const empty = (width, height) => ({
  rows: Array.from({ length: height }, () => '.'.repeat(width)),
  units: [],
  settings: { planner: 'whca', ticks: 300, name: '', seed: 0, budget: null, rules: {}, terrain: {}, sight: null },
  events: [],
  sources: [],
  directions: false,
});

function builtin(name, seed) {
  const large = name === 'large',
    side = large ? 1024 : 0;
  const doc = empty(side || 40, side || 24);
  doc.settings.name = name;
  const next = random(seed);
  if (large) doc.rows = doc.rows.map((row) => row.replace(/\./g, () => (next() < 0.1 ? '@' : '.')));
  else
    doc.rows = doc.rows.map((row, y) =>
      y === 11 || y === 12 ? row : row.slice(0, 19) + (y % 5 ? 'W@' : '@T') + row.slice(21),
    );
  const count = large ? 1000 : 20,
    width = doc.rows[0].length;
  for (let i = 0; i < count; i++) {
    const y = large ? Math.floor(next() * side) : 2 + i,
      x = large ? Math.floor(next() * side) : i % 2 ? 36 : 3;
    doc.units.push({
      start: [x, y],
      goal: [large ? Math.floor(next() * side) : width - 1 - x, large ? Math.floor(next() * side) : y],
      team: i % 2,
    });
  }
  if (large) doc.settings.ticks = 3000;
  return doc;
}

/** The room. */
class Room {
  doc = empty(16, 12);
  past = [];
  future = [];
  version = 1;
  runs = [];
  tick = 0;
  playing = false;
  speed = 10;
  viewers = new Set();
  /** The working folder: documents by name, and the one that this document is of. */
  folder = new Map([['yard.toml', empty(12, 8)]]);
  file = null;
  seen = {};

  change(make) {
    this.past.push(structuredClone(this.doc));
    this.future = [];
    make(this.doc);
    this.changed();
  }

  changed() {
    this.version++;
    this.tell({ event: 'document', version: this.version });
    this.tell(this.state());
    this.send(terrain(255, this.version, this.doc.rows));
  }

  tell(event) {
    for (const viewer of this.viewers) viewer.send(JSON.stringify(event));
  }

  send(buffer) {
    for (const viewer of this.viewers) viewer.send(buffer);
  }

  get last() {
    return Math.max(0, ...this.runs.map((run) => run.last));
  }

  state() {
    return {
      event: 'state',
      file: this.file,
      playing: this.playing,
      speed: this.speed,
      tick: this.tick,
      last: this.last,
      runs: this.runs.map((run) => {
        const arrived = run.units.filter((_, i) => whereAt(run, i, this.tick).done).length;
        return {
          planner: run.planner,
          seed: run.seed,
          version: run.version,
          tick: this.tick,
          last: run.last,
          done: arrived === run.units.length,
          arrived,
          units: run.units.length,
          recorded: run.recorded ?? false,
        };
      }),
    };
  }

  go(tick) {
    this.tick = tick;
    for (const [number, run] of this.runs.entries()) {
      run.last = Math.max(run.last, tick);
      this.send(units(number, tick, run));
      this.send(goals(number, tick, run));
      for (const [place, name] of (this.layers ?? []).entries())
        this.send(layer(number, place, name, tick, run, this.level));
    }
    if (this.state().runs.every((run) => run.done) && tick >= this.last) this.playing = false;
    this.tell(this.state());
  }
}

/** First along x, then along y; every second planner's units set out later. */
function whereAt(run, i, tick) {
  const { start, goal, goals, patrol } = run.units[i];
  const to = goal ?? goals?.[0] ?? patrol ?? start;
  const way = Math.max(0, tick - (run.planner.startsWith('lra') ? i % 5 : 0));
  const dx = to[0] - start[0],
    dy = to[1] - start[1];
  const alongX = Math.min(Math.abs(dx), way),
    alongY = Math.min(Math.abs(dy), way - alongX);
  return {
    x: start[0] + Math.sign(dx) * alongX,
    y: start[1] + Math.sign(dy) * alongY,
    done: alongX === Math.abs(dx) && alongY === Math.abs(dy),
    heading: alongX < Math.abs(dx) ? (dx > 0 ? 2 : 6) : dy > 0 ? 4 : 0,
  };
}

function terrain(run, version, rows) {
  const width = rows[0]?.length ?? 0,
    out = Buffer.alloc(12 + width * rows.length);
  out.writeUInt8(2, 0);
  out.writeUInt8(run, 1);
  out.writeUInt32LE(version, 4);
  out.writeUInt16LE(width, 8);
  out.writeUInt16LE(rows.length, 10);
  out.write(rows.join(''), 12, 'latin1');
  return out;
}

function units(run, tick, of) {
  const out = Buffer.alloc(12 + 8 * of.units.length);
  out.writeUInt8(1, 0);
  out.writeUInt8(run, 1);
  out.writeUInt16LE(64, 2);
  out.writeUInt32LE(tick, 4);
  out.writeUInt32LE(of.units.length, 8);
  of.units.forEach((unit, i) => {
    const at = whereAt(of, i, tick),
      base = 12 + 8 * i;
    out.writeUInt16LE((at.x + 0.5) * 64, base);
    out.writeUInt16LE((at.y + 0.5) * 64, base + 2);
    out.writeUInt8(at.done ? 3 : i % 9 === 4 ? 1 : 0, base + 4);
    out.writeUInt8(unit.team ?? 0, base + 5);
    out.writeUInt8(unit.body ?? 1, base + 6);
    out.writeUInt8(at.done ? 255 : at.heading, base + 7);
  });
  return out;
}

function goals(run, tick, of) {
  const out = Buffer.alloc(12 + 4 * of.units.length);
  out.writeUInt8(5, 0);
  out.writeUInt8(run, 1);
  out.writeUInt32LE(tick, 4);
  out.writeUInt32LE(of.units.length, 8);
  of.units.forEach(({ goal, goals: list, patrol }, i) => {
    const [x, y] = goal ?? list?.[0] ?? patrol ?? [0xffff, 0xffff];
    out.writeUInt16LE(x, 12 + 4 * i);
    out.writeUInt16LE(y, 14 + 4 * i);
  });
  return out;
}

function layer(run, number, name, tick, of, level) {
  const width = of.rows[0].length,
    height = of.rows.length,
    out = Buffer.alloc(20 + width * height);
  out.writeUInt8(3, 0);
  out.writeUInt8(run, 1);
  out.writeUInt8(number, 2);
  out.writeUInt8({ visits: 0, directions: 1, reservations: 2, abstraction: 0 }[name], 3);
  out.writeUInt32LE(tick, 4);
  out.writeUInt16LE(width, 8);
  out.writeUInt16LE(height, 10);
  out.writeFloatLE(0, 12);
  out.writeFloatLE(name === 'abstraction' ? 3 : tick + 1, 16);
  if (name === 'abstraction') {
    const side = 2 ** level;
    for (let i = 0; i < width * height; i++)
      out[20 + i] = 1 + Math.floor((i % width) / side) + 16 * Math.floor(i / width / side);
    return out;
  }
  of.units.forEach((_, i) => {
    for (let t = Math.max(0, tick - (of.units.length > 100 ? 5 : 60)); t <= tick; t++) {
      const { x, y, heading } = whereAt(of, i, t),
        base = 20 + y * width + x;
      out[base] = name === 'visits' ? Math.min(255, out[base] + 40) : name === 'directions' ? 1 + heading : 1;
    }
  });
  return out;
}

export { Room, builtin, empty, goals, random, terrain, units, whereAt };
