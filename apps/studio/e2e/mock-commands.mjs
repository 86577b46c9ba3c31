// What the mock has, and its commands.

import { builtin, empty, random, terrain, whereAt } from './mock-room.mjs';

export const INFO = {
  version: 'mock',
  protocol: 1,
  planners: [
    {
      name: 'lra',
      about: 'each for itself, around whoever stands in the way',
      parameters: [{ name: 'agitation', about: 'how restless', default: '8', range: '0 to 1000' }],
      supports: { four: true },
      guarantees: { deterministic: true },
      source: 'mock',
    },
    {
      name: 'whca',
      about: 'windowed cooperative search',
      parameters: [
        { name: 'window', about: 'steps planned ahead', default: '16', range: 'auto or 1 to 256' },
        { name: 'order', about: 'who goes first', default: 'rotate', range: 'rotate or fixed' },
        { name: 'wmax', about: 'weight', default: '0', range: '0 to 100, with up to four digits after the point' },
      ],
      supports: { four: true, eight: true },
      guarantees: { collision_free: true },
      source: 'mock',
    },
  ],
  builtins: [
    { name: 'bridge', about: 'Two groups cross a bridge' },
    { name: 'large', about: '1,000 units on 1024 by 1024' },
  ],
  generators: [
    {
      kind: 'random',
      about: 'Walls strewn at random',
      parameters: [
        { name: 'width', about: 'cells', default: 32, range: { whole: [1, 2048] } },
        { name: 'height', about: 'cells', default: 24, range: { whole: [1, 2048] } },
        { name: 'percent', about: 'of walls', default: 20, range: { decimal: 100 } },
      ],
    },
  ],
  layers: [
    { name: 'visits', about: 'How often a cell was entered', kind: 'scalar', signed: false },
    { name: 'directions', about: 'Where units went', kind: 'arrows', signed: false },
    { name: 'reservations', about: 'Cells that are taken', kind: 'mask', signed: false },
    { name: 'abstraction', about: 'Squares of cells', kind: 'scalar', signed: false, levels: 4 },
  ],
  limits: {
    cells: 4194304,
    side: 16384,
    units: 10000,
    rooms: 8,
    message: 1048576,
    upload: 65536,
    viewers: 64,
    painted: 65536,
    ticks: 100000,
  },
};

export const toml = (doc) =>
  `name = "${doc.settings.name}"\nplanner = "${doc.settings.planner}"\nmap = """\n${doc.rows.join('\n')}\n"""\n${doc.units
    .map(
      (unit) =>
        `\n[[unit]]\n${Object.entries(unit)
          .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
          .join('')}`,
    )
    .join('')}`;
/** Who starts or is bound for a wall, with the line of its `[[unit]]`. */
function errors(doc) {
  const lines = toml(doc).split('\n');
  const at = lines.flatMap((text, i) => (text === '[[unit]]' ? [i + 1] : []));
  return doc.units.flatMap((unit, i) =>
    fits(doc.rows, unit) ? [] : [{ message: `unit ${i} starts or is bound for a wall`, line: at[i] }],
  );
}
const fits = (rows, unit) =>
  [unit.start, unit.goal ?? unit.start].every(([x, y]) => rows[y]?.[x] !== undefined && rows[y][x] !== '@');
const put = (rows, cells, letter) =>
  rows.map((row, y) => {
    const here = cells.filter((cell) => cell[1] === y);
    if (!here.length) return row;
    const letters = [...row];
    for (const [x] of here) letters[x] = letter;
    return letters.join('');
  });

/** A file from elsewhere: what is in it does not matter here, but its kind does. */
export function upload(room, name) {
  const kind = /\.(toml|map|png|tmx|tmj|yaml|trace)$/.exec(name)?.[1];
  if (!kind) throw new Error(`"${name}": expected a name that ends in .toml, .map, .png, .tmx, .tmj, .yaml, .trace`);
  if (kind === 'toml') throw new Error('the mock reads no TOML');
  room.file = null;
  room.change(() => {
    room.doc = kind === 'trace' ? builtin('bridge', 0) : empty(7, 5);
  });
  if (kind !== 'trace') return { version: room.version };
  COMMANDS.start(room, {});
  room.runs.length = 1;
  Object.assign(room.runs[0], { recorded: true, last: 30 });
  room.tell(room.state());
  return { version: room.version };
}

/** Recordings take no orders. */
const live = (room) => {
  if (room.runs[0]?.recorded) throw new Error('this is a recording: it can be looked at and not be changed');
};

export const COMMANDS = {
  document: (room) => ({
    ...room.doc,
    toml: toml(room.doc),
    width: room.doc.rows[0].length,
    height: room.doc.rows.length,
    undo: room.past.length,
    redo: room.future.length,
    errors: errors(room.doc),
    version: room.version,
  }),
  open: (room, { builtin: name, seed = 0, toml: text, file }) => {
    if (text !== undefined) throw new Error('the mock reads no TOML');
    if (file !== undefined) {
      if (!room.folder.has(file)) throw new Error(`"${file}": no such file`);
      room.file = file;
      room.change(() => {
        room.doc = structuredClone(room.folder.get(file));
      });
      return { version: room.version };
    }
    if (!INFO.builtins.some((each) => each.name === name))
      throw new Error(`no builtin "${name}": there are bridge, large`);
    room.file = null;
    room.change(() => {
      room.doc = builtin(name, seed);
    });
    return { version: room.version };
  },
  files: (room) => ({ files: [...room.folder.keys()].sort().map((name) => ({ name, bytes: 1234 })) }),
  save: (room, { file, overwrite = false }) => {
    if (room.folder.has(file) && room.file !== file && !overwrite)
      throw Object.assign(new Error(`"${file}" is there already`), { exists: true });
    room.folder.set(file, structuredClone(room.doc));
    room.file = file;
    room.tell(room.state());
    return { file, bytes: 1234 };
  },
  new: (room, { width, height }) => {
    room.file = null;
    room.change(() => {
      room.doc = empty(width, height);
    });
    return {};
  },
  resize: (room, { width, height }) => {
    room.change((doc) => {
      doc.rows = Array.from({ length: height }, (_, y) => (doc.rows[y] ?? '').padEnd(width, '.').slice(0, width));
    });
    return { gone: 0 };
  },
  generate: (room, { parameters, seed, preview }) => {
    const next = random(seed);
    const rows = Array.from({ length: parameters.height }, () =>
      Array.from({ length: parameters.width }, () => (next() * 100 < parameters.percent ? '@' : '.')).join(''),
    );
    if (preview) return { width: parameters.width, height: parameters.height, rows };
    const before = room.doc.units.length;
    room.change((doc) => {
      doc.rows = rows;
      doc.units = doc.units.filter((unit) => fits(rows, unit));
    });
    return { gone: before - room.doc.units.length };
  },
  paint: (room, { cells, letter }) => {
    room.change((doc) => {
      doc.rows = put(doc.rows, cells, letter);
    });
    return {};
  },
  fill: (room, { letter }) => {
    room.change((doc) => {
      doc.rows = doc.rows.map((row) => letter.repeat(row.length));
    });
    return {};
  },
  unit: (room, { add, index, set, remove }) => {
    room.change((doc) => {
      if (add) doc.units.push(add);
      else if (remove) doc.units.splice(index, 1);
      else Object.assign(doc.units[index], set);
    });
    return { index: add ? room.doc.units.length - 1 : index };
  },
  event: (room, { add, index, set }) => {
    room.change((doc) => {
      if (add) doc.events.push(add);
      else if (set) Object.assign(doc.events[index], set);
      else doc.events.splice(index, 1);
    });
    return {};
  },
  source: (room, { add, index, set }) => {
    room.change((doc) => {
      if (add) doc.sources.push(add);
      else if (set) Object.assign(doc.sources[index], set);
      else doc.sources.splice(index, 1);
    });
    return {};
  },
  settings: (room, { set }) => {
    room.change((doc) => Object.assign(doc.settings, set));
    return {};
  },
  undo: (room) => {
    if (!room.past.length) throw new Error('nothing to undo');
    room.future.push(room.doc);
    room.doc = room.past.pop();
    room.changed();
    return {};
  },
  redo: (room) => {
    if (!room.future.length) throw new Error('nothing to redo');
    room.past.push(room.doc);
    room.doc = room.future.pop();
    room.changed();
    return {};
  },
  start: (room, { run = 0, planner, seed, acts }) => {
    room.runs[run] = {
      planner: planner ?? room.doc.settings.planner,
      seed: seed ?? 0,
      version: room.version,
      acts: acts ?? [],
      last: 0,
      units: structuredClone(room.doc.units),
      rows: [...room.doc.rows],
    };
    room.playing = false;
    room.tell(room.state());
    room.send(terrain(run, room.version, room.doc.rows));
    room.go(0);
    return {};
  },
  acts: (room, { run = 0 }) => ({ acts: room.runs[run].acts }),
  directions: (room, { text }) => {
    room.change((doc) => {
      doc.directions = Boolean(text);
    });
    return {};
  },
  stop: (room) => {
    room.runs.length = 1;
    room.tell(room.state());
    return {};
  },
  play: (room, { speed }) => {
    room.speed = speed;
    room.playing = true;
    room.tell(room.state());
    return {};
  },
  pause: (room) => {
    room.playing = false;
    room.tell(room.state());
    return {};
  },
  step: (room, { ticks }) => {
    room.go(room.tick + ticks);
    return { tick: room.tick };
  },
  seek: (room, { tick }) => {
    room.go(tick);
    return { tick };
  },
  close: (room, { cells }) => {
    live(room);
    for (const [i, run] of room.runs.entries()) {
      run.acts.push({ at: room.tick, do: 'close', cells });
      run.rows = put(run.rows, cells, '@');
      room.send(terrain(i, room.version, run.rows));
    }
    return { runs: room.runs.map(() => null) };
  },
  reopen: (room, { cells }) => {
    live(room);
    for (const [i, run] of room.runs.entries()) {
      run.acts.push({ at: room.tick, do: 'reopen', cells });
      run.rows = put(run.rows, cells, '.');
      room.send(terrain(i, room.version, run.rows));
    }
    return { runs: room.runs.map(() => null) };
  },
  order: (room, { unit, task }) => {
    live(room);
    for (const run of room.runs)
      Object.assign(run.units[unit], { start: Object.values(whereAt(run, unit, room.tick)).slice(0, 2) }, task);
    return { runs: [null] };
  },
  place: (room, { unit, cell }) => {
    for (const run of room.runs) run.units[unit].start = cell;
    return { runs: [null] };
  },
  priority: () => ({ runs: [null] }),
  inspect: (room, { unit, cell }) => {
    const [run] = room.runs;
    if (cell)
      return {
        cell: {
          x: cell[0],
          y: cell[1],
          letter: run.rows[cell[1]][cell[0]],
          open: run.rows[cell[1]][cell[0]] === '.',
          units: [],
          visits: 0,
          layers: { visits: 0 },
        },
      };
    const of = run.units[unit];
    if (!of) throw new Error(`no unit ${unit}: there are ${run.units.length}`);
    const at = whereAt(run, unit, room.tick);
    const path = Array.from({ length: 40 }, (_, i) => whereAt(run, unit, room.tick + i)).map(({ x, y }, i) => [
      x,
      y,
      room.tick + i,
    ]);
    return {
      unit: {
        id: unit,
        team: of.team ?? 0,
        at: [at.x, at.y],
        from: of.start,
        goal: of.goal,
        task: 'goal',
        body: 1,
        period: 1,
        priority: 0,
        planner: run.planner,
        arrived: at.done,
        since: 0,
      },
      path,
      reservations: path.slice(0, 8).map(([x, y, t]) => [x, y, t, t + 1]),
      why: [
        { unit, at: [at.x, at.y], text: 'blocked by another' },
        ...(unit % 2 ? [{ unit: unit - 1, at: [1, 1], text: 'stands on its way' }] : []),
      ],
      history: run.recorded ? [] : [{ from: 0, to: room.tick, text: 'on its way' }],
    };
  },
  find: (room, { text }) => ({ units: room.runs[0]?.units[Number(text)] ? [Number(text)] : [] }),
  layers: (room, { names, level = 1 }) => {
    room.layers = names;
    room.level = level;
    room.go(room.tick);
    return {};
  },
  view: () => ({}),
  state: (room) => room.state(),
  charts: (room) => {
    const ticks = Array.from({ length: room.last + 1 }, (_, i) => i);
    return {
      ticks,
      runs: room.runs.map((run, r) => ({
        arrived: ticks.map((t) => run.units.filter((_, i) => whereAt(run, i, t).done).length),
        failed: ticks.map((t) => r * t),
        expanded: ticks.map((t) => (run.recorded ? null : 100 + 60 * Math.sin(t / 5 + r))),
        coherence: ticks.map((t) => t / (t + 9 + r)),
        coverage: ticks.map(() => null),
      })),
    };
  },
  summary: (room) => ({
    rows: room.state().runs.map((run) => ({
      planner: run.planner,
      seed: run.seed,
      agents: run.units,
      ticks: run.last,
      arrived: run.arrived,
      failed_moves: 0,
      expanded: run.recorded ? null : 1234,
      collisions: 0,
    })),
  }),
};
