// What the pointer (or the keyboard's cell) does to the document and to the run.

import { line, rectangle, road, widen } from './raster.js';
import { targets } from './overlay.js';
import { toast } from './toast.js';

/** @import { Cell, DocUnit } from './types.js' */
/** @import { Store } from './store.js' */

export class Tools {
  /** Cells the tool is about to change. @type {Cell[]} */
  cells = [];
  /** From where to where something is about to go. @type {[Cell, Cell] | null} */
  arrow = null;
  /** Somebody asked for a cell: the next click is the answer. @type {((cell: Cell) => void) | null} */
  pick = null;
  /** What the cell is for, in words. */
  asking = '';
  /** Which cells the brush has been on. @type {Set<number>} */
  #stroke = new Set();
  /** @type {Cell | null} */
  #from = null;
  /** @type {Cell | null} */
  #before = null;
  /**
   * A unit that is dragged, and which of its targets (-1: its start).
   * @type {{ unit: number, target: number } | null}
   */
  #drag = null;

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** Something was begun and is not done yet. */
  get busy() {
    return this.#from !== null;
  }

  /** Asks for a cell. @param {(cell: Cell) => void} then @param {string} [what] is to be there */
  ask(then, what = '') {
    this.pick = then;
    this.asking = what;
    if (matchMedia('(max-width: 760px)').matches) document.body.classList.remove('raised');
    this.store.emit('tool');
  }

  /** Whether a press on this cell is the tool's, and not the start of moving the view. @param {Cell} cell */
  wants(cell) {
    if (this.pick || this.store.tool !== 'select') return true;
    return this.store.mode === 'draw' && this.#handle(cell) !== null;
  }

  /** What of the document can be dragged here. @param {Cell} cell */
  #handle(cell) {
    const { store } = this;
    const chosen = store.selection && 'unit' in store.selection ? store.selection.unit : -1;
    const unit = store.doc?.units[chosen];
    if (unit) {
      const target = targets(unit).findIndex(([x, y]) => x === cell[0] && y === cell[1]);
      if (target >= 0) return { unit: chosen, target };
    }
    const at = store.docUnitAt(cell);
    return at >= 0 ? { unit: at, target: -1 } : null;
  }

  /** @param {Cell} cell */
  down(cell) {
    const { store } = this;
    this.#from = this.#before = cell;
    if (this.pick) return;
    if (store.tool === 'select') {
      this.#drag = store.mode === 'draw' ? this.#handle(cell) : null;
    } else {
      this.move(cell);
    }
  }

  /** @param {Cell} cell */
  move(cell) {
    const { store } = this;
    if (!this.#from || !this.#before || this.pick) return;
    const { width, height } = store.picture();
    switch (store.tool) {
      case 'brush':
      case 'close':
      case 'reopen':
        for (const [x, y] of widen(line(this.#before, cell), store.brush, width, height)) {
          if (this.#stroke.has(y * width + x)) continue;
          this.#stroke.add(y * width + x);
          this.cells.push([x, y]);
        }
        break;
      case 'line':
        this.cells = widen(line(this.#from, cell), store.brush, width, height);
        break;
      case 'rectangle':
        this.cells = widen(rectangle(this.#from, cell), 1, width, height);
        break;
      case 'road':
        this.cells = road(this.#from, cell, store.road, width, height);
        break;
      case 'unit':
        this.arrow = [this.#from, cell];
        break;
      case 'select':
        if (this.#drag) this.arrow = [this.#from, cell];
        break;
    }
    this.#before = cell;
    store.emit('frame');
  }

  cancel() {
    this.#from = this.#before = this.#drag = this.arrow = null;
    this.cells = [];
    this.#stroke.clear();
    if (this.pick) {
      this.pick = null;
      this.store.emit('tool');
    }
    this.store.emit('frame');
  }

  /**
   * @param {Cell} cell
   * @param {number} px the exact point, for small units
   * @param {number} py
   * @param {number} run
   */
  up(cell, px, py, run) {
    const { store } = this;
    const from = this.#from,
      cells = this.cells,
      drag = this.#drag,
      pick = this.pick;
    this.cancel();
    const { width, height } = store.picture();
    const inside = cell[0] >= 0 && cell[1] >= 0 && cell[0] < width && cell[1] < height;
    if (pick) {
      if (inside) pick(cell);
      return;
    }
    if (!from) return;
    switch (store.tool) {
      case 'select': {
        const moved = from[0] !== cell[0] || from[1] !== cell[1];
        if (drag && moved && inside) this.#carry(drag, cell);
        else if (inside) this.#choose(cell, px, py, run);
        break;
      }
      case 'brush':
      case 'line':
      case 'rectangle':
        if (this.#fits(cells)) this.#paint(cells, store.letter);
        break;
      case 'road':
        this.#carve(cells);
        break;
      case 'fill':
        if (inside) store.tell('fill', { x: cell[0], y: cell[1], letter: store.letter });
        break;
      case 'unit':
        if (inside) this.#add(from, cell);
        break;
      case 'target':
        if (inside) this.aim(cell);
        break;
      case 'erase': {
        const unit = store.docUnitAt(cell);
        if (unit >= 0) this.remove(unit);
        break;
      }
      case 'close':
      case 'reopen':
        if (cells.length && this.#fits(cells)) store.tell(store.tool, { cells });
        break;
    }
  }

  /** @param {Cell} cell @param {number} px @param {number} py @param {number} run */
  #choose(cell, px, py, run) {
    const { store } = this;
    const unit =
      store.mode === 'draw' || !store.state.runs.length ? store.docUnitAt(cell) : store.runUnitAt(px, py, run);
    store.select(unit >= 0 ? { unit } : { cell }, run);
  }

  /**
   * Whether one command may have so many cells. More are refused as a whole: several commands would be several steps to undo.
   * @param {Cell[]} cells
   */
  #fits(cells) {
    const { painted } = this.store.info.limits;
    if (cells.length <= painted) return true;
    const count = (/** @type {number} */ number) => number.toLocaleString('en');
    const drawn = this.store.mode === 'draw' ? ' Fill has no such bound.' : '';
    toast(`${count(cells.length)} cells at once, at most ${count(painted)}: nothing was changed.${drawn}`, true);
    return false;
  }

  /** Shown at once; the server's picture follows, and what it refused is taken back. @param {Cell[]} cells @param {string} letter */
  async #paint(cells, letter) {
    const { store } = this;
    const code = letter.charCodeAt(0);
    for (const [x, y] of cells) store.drawn.letters[y * store.drawn.width + x] = code;
    store.drawn.repaint();
    store.emit('frame');
    if (!(await store.tell('paint', { cells, letter }))) store.undraw();
  }

  /** Opens what is not open yet: roads are what is left between walls. @param {Cell[]} cells */
  #carve(cells) {
    const shut = cells.filter(([x, y]) => !'.G'.includes(this.store.drawn.at(x, y)));
    if (shut.length) {
      if (this.#fits(shut)) this.#paint(shut, '.');
    } else toast('This ground is open already. Roads are carved out of walls: fill it with walls first.');
  }

  /** @param {Cell} start @param {Cell} target */
  async #add(start, target) {
    const { store } = this;
    /** @type {DocUnit} */
    const unit = { start };
    if (store.team) unit.team = store.team;
    if (store.task === 'goal' || store.task === 'patrol' || store.task === 'find') unit[store.task] = target;
    else if (store.task === 'goals') unit.goals = [target];
    else if (store.task === 'explore') unit.explore = true;
    else if (store.task === 'errands') unit.errands = true;
    else unit.hold = true;
    const needs = unit.explore || unit.find;
    if (needs && !store.doc?.settings.sight) await store.tell('settings', { set: { sight: { radius: 4 } } });
    const index = store.doc?.units.length ?? 0;
    if (await store.tell('unit', { add: unit })) store.select({ unit: index });
  }

  /** A new target for the chosen unit; one more of its list, if it has one. @param {Cell} cell */
  aim(cell) {
    const { store } = this;
    const chosen = store.selection && 'unit' in store.selection ? store.selection.unit : -1;
    const unit = store.doc?.units[chosen];
    if (!unit) {
      const at = store.docUnitAt(cell);
      if (at >= 0) store.select({ unit: at });
      return;
    }
    if (unit.goals) store.tell('unit', { index: chosen, set: { goals: [...unit.goals, cell] } });
    else store.tell('unit', { index: chosen, set: { [unit.patrol ? 'patrol' : unit.find ? 'find' : 'goal']: cell } });
  }

  /** @param {{ unit: number, target: number }} drag @param {Cell} cell */
  #carry({ unit, target }, cell) {
    const { store } = this;
    const moved = store.doc?.units[unit];
    if (!moved) return;
    store.select({ unit });
    if (target < 0) store.tell('unit', { index: unit, set: { start: cell } });
    else if (moved.goals)
      store.tell('unit', { index: unit, set: { goals: moved.goals.map((goal, i) => (i === target ? cell : goal)) } });
    else this.aim(cell);
  }

  /** @param {number} index */
  async remove(index) {
    if (await this.store.tell('unit', { index, remove: true })) this.store.select(null);
  }
}
