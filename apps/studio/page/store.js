// What the page knows: the room's document and runs as the server tells them, and this viewer's own choices.

import { Emitter } from './emitter.js';
import { Link, Refused } from './link.js';
import { Motion } from './motion.js';
import { MASKS } from './palette.js';
import { LayerPicture, Picture } from './picture.js';
import { decode } from './wire.js';

/**
 * @import { Cell, Doc, Info, PathFrame, Selection, Settings, State, TerrainFrame, UnitReport, CellReport } from './types.js'
 */

/** What a document is saved as that has no file yet. */
const UNNAMED = 'scenario.toml';

/** Commands that change a run by hand. */
const DEEDS = ['close', 'reopen', 'order', 'place', 'priority'];

/** @typedef {{ planner?: string, seed?: number, budget?: number | null }} Begun what a run can be begun with */

/** A seed, if it is exact: beyond 2^53 numbers are rounded, and the document's is the better guess. @param {number} seed */
const exact = (seed) => (Number.isSafeInteger(seed) ? { seed } : {});

/** @param {Begun} keys @param {Settings} [settings] @returns {Record<string, [unknown, unknown]>} */
const begun = (keys, settings = {}) =>
  Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, [value, Reflect.get(settings, key)]]));

/** Of these, what the document does not say otherwise since. @param {Record<string, [unknown, unknown]>} keys @param {Settings} [settings] */
const stillBegun = (keys, settings = {}) =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([key, [mine, then]]) => (Reflect.get(settings, key) === then ? [[key, mine]] : [])),
  );

/** One run as it is drawn. */
export class RunView {
  motion = new Motion();
  terrain = new Picture();
  /** By name. @type {Map<string, LayerPicture>} */
  layers = new Map();
  /** @type {PathFrame | null} */
  path = null;
  /** By unit. @type {(Cell | null)[]} */
  goals = [];
}

/**
 * @typedef {'select' | 'brush' | 'line' | 'rectangle' | 'fill' | 'road' | 'unit' | 'target' | 'erase' | 'close' | 'reopen'} ToolName
 */

export class Store extends Emitter {
  /** @type {Info} */
  info;
  /** @type {Doc | null} */
  doc = null;
  /** @type {State} */
  state = { playing: false, speed: 10, tick: 0, last: 0, runs: [] };
  up = false;
  /** Ticks per second, as last chosen here or by others. */
  speed = 10;
  drawn = new Picture();
  runs = [new RunView(), new RunView()];

  /** @type {'draw' | 'run'} */
  mode = 'run';
  /** @type {ToolName} */
  tool = 'select';
  letter = '@';
  brush = 1;
  /** Of roads: how wide they are, and bays on each side of a piece. */
  road = { lanes: 2, bays: 2 };
  /** What new units do. */
  task = 'goal';
  team = 0;
  /** @type {Selection} */
  selection = null;
  /** The run in which it was chosen. */
  chosenIn = 0;
  /** @type {UnitReport | CellReport | null} */
  report = null;
  follow = false;
  /** What the document is saved as: what it was opened from or saved as last, if anything. */
  file = UNNAMED;
  show = { ids: false, paths: true, goals: true, grid: true };
  /** @type {{ names: string[], ahead: number, level: number, opacity: number }} */
  layers = { names: [], ahead: 0, level: 1, opacity: 0.75 };

  /** Of the document's text: the one that somebody wants to see. */
  line = 0;

  /** What run 0 was begun with instead of what the document said then. @type {Record<string, [mine: unknown, document: unknown]>} */
  #begun = {};
  /** What run 1 was begun with. @type {Begun} */
  #second = {};
  #version = -1;
  #fetching = false;
  #again = false;
  #asked = false;

  /** @param {Info} info @param {URLSearchParams} query */
  constructor(info, query) {
    super();
    this.info = info;
    this.link = new Link(query, {
      link: (up) => this.#link(up),
      event: (event) => this.#event(event),
      frame: (frame) => this.#frame(frame),
    });
    this.link.longest = info.limits.message;
  }

  /**
   * One command; its error is shown where it happened, so that callers may go on without looking.
   * @param {string} name
   * @param {object} [keys]
   * @returns {Promise<any>} null if it was refused
   */
  async tell(name, keys = {}) {
    try {
      const answer = await this.link.ask(name, keys);
      // What one of two runs refuses is told, too.
      if (DEEDS.includes(name)) this.emit('acted');
      if (Array.isArray(answer?.runs)) for (const why of answer.runs) if (typeof why === 'string') this.#refuse(why);
      return answer;
    } catch (error) {
      this.#refuse(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** @param {string} why */
  #refuse(why) {
    this.refusal = why;
    this.emit('refusal');
  }

  /** @param {boolean} up */
  #link(up) {
    this.up = up;
    this.emit('link');
    if (!up) return;
    this.fetch();
    this.tell('view', { frames: 30 });
    this.askLayers();
  }

  /** @param {any} event */
  #event(event) {
    if (event.event === 'document') {
      this.#version = event.version;
      this.fetch();
    } else if (event.event === 'state') {
      this.#told(event);
    } else if (event.event === 'note') {
      this.note = event.text;
      this.emit('note');
    }
  }

  /** @param {State} state */
  #told(state) {
    const before = this.state;
    this.state = state;
    if ((before.file ?? null) !== (state.file ?? null)) this.setFile(state.file ?? UNNAMED);
    if (state.playing) this.speed = state.speed;
    for (let run = state.runs.length; run < 2; run++) this.#forget(run);
    if (before.runs.length !== state.runs.length) {
      this.emit('runs');
      this.askLayers();
    }
    this.emit('state');
  }

  /** The document has changed since run 0 was made from it. */
  get stale() {
    const [run] = this.state.runs;
    return run !== undefined && run.version !== this.#version;
  }

  /** What is shown was recorded: it can be looked at and not be changed. */
  get recorded() {
    const { runs } = this.state;
    return runs.length > 0 && runs.every((run) => run.recorded);
  }

  /** @param {number} run */
  #forget(run) {
    this.runs[run].motion.clear();
    this.runs[run].path = null;
    this.runs[run].goals = [];
    this.runs[run].layers.clear();
  }

  /** @param {ArrayBuffer} buffer */
  #frame(buffer) {
    const frame = decode(buffer);
    if (!frame) return;
    if (frame.kind === 'terrain') this.#terrain(frame);
    const run = this.runs[frame.run];
    if (!run) return;
    if (frame.kind === 'units') {
      run.motion.push(frame, performance.now());
      this.emit('units');
    } else if (frame.kind === 'layer') {
      const name = this.layers.names[frame.number];
      const about = this.info.layers.find((layer) => layer.name === name);
      if (!about) return;
      const shown = run.layers.get(name);
      if (shown) shown.set(frame);
      else run.layers.set(name, new LayerPicture(frame, about.signed, this.maskColour(name)));
      this.emit('layer');
    } else if (frame.kind === 'path') {
      run.path = frame;
    } else if (frame.kind === 'goals') {
      run.goals = frame.cells;
    }
    this.emit('frame');
  }

  /** @param {TerrainFrame} frame */
  #terrain(frame) {
    const picture = frame.run === 255 ? this.drawn : this.runs[frame.run]?.terrain;
    picture?.set(frame.letters.slice(), frame.width, frame.height);
    this.emit('terrain');
  }

  /** Asks for the document; changes that come meanwhile are asked for once more, not once each. */
  async fetch() {
    if (this.#fetching) {
      this.#again = true;
      return;
    }
    this.#fetching = true;
    try {
      const doc = /** @type {Doc | null} */ (await this.tell('document'));
      if (doc) {
        this.doc = doc;
        if (this.drawn.width !== doc.width || this.drawn.height !== doc.height) this.undraw();
        this.emit('doc');
      }
    } finally {
      this.#fetching = false;
      if (this.#again) {
        this.#again = false;
        setTimeout(() => this.fetch(), 120);
      }
    }
  }

  /** The map as the document has it. */
  undraw() {
    if (!this.doc) return;
    this.drawn.set(new TextEncoder().encode(this.doc.rows.join('')), this.doc.width, this.doc.height);
    this.emit('terrain');
    this.emit('frame');
  }

  /** Whether the chosen unit stays in the middle. @param {boolean} on */
  setFollow(on) {
    this.follow = on;
    this.emit('follow');
  }

  /** What the document is to be saved as. @param {string} file */
  setFile(file) {
    this.file = file;
    this.emit('file');
  }

  /** Writes the document into the working folder; over what is not its own only if `replace` says so. @param {(file: string) => Promise<boolean>} replace */
  async save(replace) {
    const { file } = this;
    try {
      await this.link.ask('save', { file });
    } catch (error) {
      if (!(error instanceof Refused && error.exists))
        return this.#refuse(error instanceof Error ? error.message : String(error));
      if (!(await replace(file)) || !(await this.tell('save', { file, overwrite: true }))) return;
    }
    if (/\.toml$/.test(file)) this.state.file = file;
    this.note = `Saved ${file}`;
    this.emit('note');
    this.emit('saved');
  }

  /** Shows a line of the document's text. @param {number} line */
  goToLine(line) {
    this.line = line;
    this.emit('line');
  }

  /**
   * Makes run 0 anew from the document, and run 1 with it. What a run was begun with instead of what the document says,
   * as by a link, stays until the document says something else.
   * @param {Begun & { acts?: unknown[] }} [keys]
   */
  async start({ acts, ...keys } = {}) {
    const second = this.state.runs[1];
    const first = { ...stillBegun(this.#begun, this.doc?.settings), ...keys };
    const done = await this.tell('start', { run: 0, ...first, ...(acts ? { acts } : {}) });
    if (!done) return false;
    this.#begun = begun(first, this.doc?.settings);
    // Somebody else may have begun the second one.
    const own = second?.planner === this.#second.planner;
    if (second) await this.compare(own ? this.#second : { planner: second.planner, ...exact(second.seed) });
    // Told events come a little later: whoever plays next has to know that this run is a new one.
    await this.refresh();
    this.setMode('run');
    return true;
  }

  /** Asks how things are, for whoever cannot wait until that is told. */
  async refresh() {
    const state = await this.tell('state');
    if (state) this.#told(state);
  }

  /** Opens a file from here. @param {string} name @param {Blob} file */
  async upload(name, file) {
    const { upload } = this.info.limits;
    const [bytes, most] = [file.size, upload].map((number) => number.toLocaleString('en'));
    if (file.size > upload) {
      this.#refuse(`${name}: ${bytes} bytes are too many for a file, at most ${most}`);
      return false;
    }
    const why = await this.link.upload(name, file);
    if (why) this.#refuse(`${name}: ${why}`);
    return !why;
  }

  /** Begins run 1: what is not said is as in run 0. @param {Begun} keys */
  async compare(keys) {
    const { planner: _, ...same } = stillBegun(this.#begun, this.doc?.settings);
    const done = await this.tell('start', { run: 1, ...same, ...keys });
    if (done) this.#second = keys;
    return Boolean(done);
  }

  /** Another document: what runs were begun with was of the old one. */
  forgetRuns() {
    this.#begun = {};
    this.#second = {};
  }

  async play() {
    const { runs, tick, last } = this.state;
    // Who looks at a drawing means to run that; who looks at a run means to go on with it, whatever was drawn since.
    const drawing = this.mode === 'draw' || (tick === 0 && !this.recorded);
    if (runs.length === 0 || (this.stale && drawing)) {
      if (!(await this.start())) return;
      if (tick > 0) {
        this.note = 'Begun anew, from the drawing as it is now';
        this.emit('note');
      }
    } else if (runs.every((run) => run.over ?? run.done) && tick >= last) {
      await this.tell('seek', { tick: 0 });
    }
    this.setMode('run');
    await this.tell('play', { speed: this.speed });
  }

  /** @param {'draw' | 'run'} mode */
  setMode(mode) {
    if (this.mode === mode) return;
    this.mode = mode;
    const runs = this.tool === 'close' || this.tool === 'reopen';
    if (this.tool !== 'select' && runs !== (mode === 'run')) this.tool = 'select';
    this.select(this.selection && 'unit' in this.selection ? this.selection : null);
    this.emit('mode');
    this.emit('tool');
  }

  /** @param {ToolName} tool */
  setTool(tool) {
    if ((tool === 'close' || tool === 'reopen') && this.recorded)
      return this.#refuse('This is a recording: cells neither close nor open in it. Run it anew to change it.');
    if (tool === 'close' || tool === 'reopen') this.setMode('run');
    else if (tool !== 'select') this.setMode('draw');
    this.tool = tool;
    this.emit('tool');
  }

  /** @param {Selection} selection @param {number} [run] in which of two */
  select(selection, run = this.chosenIn) {
    this.selection = selection;
    this.chosenIn = run;
    this.report = null;
    if (!selection || !('unit' in selection)) {
      this.setFollow(false);
      for (const run of this.runs) run.path = null;
    }
    this.emit('selection');
    this.inspect();
    if (this.layers.names.length && selection && 'unit' in selection) this.askLayers();
  }

  /** Asks again about what is selected. */
  async inspect() {
    const selection = this.selection;
    if (!selection || this.mode === 'draw' || this.state.runs.length === 0) return;
    if (!this.state.runs[this.chosenIn]) this.chosenIn = 0;
    const report = await this.tell('inspect', { run: this.chosenIn, ...selection });
    if (report && selection === this.selection) {
      this.report = report;
      this.emit('report');
      // What was before is found out bit by bit.
      if ('complete' in report && !report.complete)
        setTimeout(() => selection === this.selection && this.inspect(), 250);
    }
  }

  askLayers() {
    const { names, ahead } = this.layers;
    const unit = this.selection && 'unit' in this.selection ? { unit: this.selection.unit } : {};
    const level = this.info.layers.some((layer) => layer.levels && names.includes(layer.name))
      ? { level: this.layers.level }
      : {};
    for (const run of this.runs)
      for (const name of run.layers.keys()) if (!names.includes(name)) run.layers.delete(name);
    if (!this.up || (!names.length && !this.#asked)) return;
    this.#asked = names.length > 0;
    for (let run = 0; run < this.state.runs.length; run++)
      this.tell('layers', { run, names, ahead, ...level, ...unit });
    this.emit('frame');
  }

  /** The colour of a mask: each has its own. @param {string} name */
  maskColour(name) {
    const place = this.info.layers.filter((layer) => layer.kind === 'mask').findIndex((layer) => layer.name === name);
    return MASKS[Math.max(0, place) % MASKS.length];
  }

  /** The map that is shown. */
  picture(run = 0) {
    const terrain = this.runs[run].terrain;
    return this.mode === 'draw' || this.state.runs.length === 0 || !terrain.width ? this.drawn : terrain;
  }

  /** The unit of the document that covers a cell with its body. @param {Cell} cell */
  docUnitAt([x, y]) {
    const units = this.doc?.units ?? [];
    return units.findLastIndex(
      ({ start, body = 1 }) => x >= start[0] && y >= start[1] && x < start[0] + body && y < start[1] + body,
    );
  }

  /** The unit of a run that covers a point. @param {number} px @param {number} py @param {number} [run] */
  runUnitAt(px, py, run = 0) {
    const { last, x, y } = this.runs[run].motion;
    let best = -1,
      least = Infinity;
    for (let i = 0; last && i < last.count; i++) {
      if ((last.state[i] & 7) === 4) continue;
      const away = Math.max(Math.abs(x[i] - px), Math.abs(y[i] - py));
      if (away < last.body[i] / 2 + 0.1 && away < least) {
        best = i;
        least = away;
      }
    }
    return best;
  }
}
