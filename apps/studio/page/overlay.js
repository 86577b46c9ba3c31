// What is drawn over the world: targets, ways, reservations, who blocks whom, numbers, selection and what a tool is about to do.

import { letterColour, rgb, teamColour, world } from './palette.js';
import { part } from './picture.js';

/** @import { Cell, DocUnit, LayerFrame, UnitReport } from './types.js' */
/** @import { Picture } from './picture.js' */
/** @import { Store } from './store.js' */
/** @import { Tools } from './tools.js' */

/**
 * @typedef {{ c: CanvasRenderingContext2D, scale: number, px: (x: number) => number, py: (y: number) => number }} Sheet pixels of cells
 */

/** Cells that open, and what draws. */
const OPENS = '#009e73';

/** Where a unit of the document is bound to. @param {DocUnit} unit @returns {Cell[]} */
export function targets(unit) {
  if (unit.goal) return [unit.goal];
  if (unit.goals) return unit.goals;
  if (unit.patrol) return [unit.patrol];
  return unit.find ? [unit.find] : [];
}

/**
 * Targets of the document's units: a flag's ring each, joined to its unit when there are few or it is selected.
 * @param {Sheet} sheet
 * @param {Store} store
 */
export function documentTargets({ c, scale, px, py }, store) {
  const units = store.doc?.units ?? [];
  const selected = store.selection && 'unit' in store.selection ? store.selection.unit : -1;
  for (const [i, unit] of units.entries()) {
    const half = (unit.body ?? 1) / 2;
    const places = targets(unit);
    if (!places.length) continue;
    c.strokeStyle = teamColour(unit.team ?? 0);
    c.lineWidth = Math.max(1, scale * 0.1);
    c.globalAlpha = selected < 0 || selected === i ? 0.9 : 0.35;
    for (const [x, y] of places) {
      const r = Math.max(1.5, scale * half * 0.55);
      c.strokeRect(px(x + half) - r, py(y + half) - r, 2 * r, 2 * r);
    }
    if (units.length <= 60 || selected === i) {
      c.setLineDash(unit.find ? [2, 4] : unit.patrol ? [8, 4] : []);
      c.lineWidth = selected === i ? 2 : 1;
      c.globalAlpha *= 0.6;
      c.beginPath();
      c.moveTo(px(unit.start[0] + half), py(unit.start[1] + half));
      for (const [x, y] of places) c.lineTo(px(x + half), py(y + half));
      c.stroke();
      c.setLineDash([]);
    }
  }
  c.globalAlpha = 1;
}

/** Units that have arrived, and those that are gone. */
const [ARRIVED, GONE] = [3, 4];

/**
 * Where units of a run go: a square each, and that of the chosen one in any case, joined to it.
 * @param {Sheet} sheet
 * @param {Store} store
 * @param {number} run
 * @param {[number, number, number, number]} seen cells: left, top, right, bottom
 */
export function runTargets({ c, scale, px, py }, store, run, [left, top, right, bottom]) {
  const { goals, motion } = store.runs[run];
  const { last } = motion;
  if (!last) return;
  if (store.show.goals) {
    /** One stroke for each team. @type {Map<number, [x: number, y: number, r: number][]>} */
    const teams = new Map();
    for (const [i, goal] of goals.entries()) {
      const doing = last.state[i] & 7;
      if (!goal || i >= last.count || doing === ARRIVED || doing === GONE) continue;
      const [x, y] = goal;
      const half = last.body[i] / 2;
      if (x + 2 * half < left || y + 2 * half < top || x > right || y > bottom) continue;
      const squares = teams.get(last.team[i]) ?? [];
      teams.set(last.team[i], squares);
      squares.push([px(x + half), py(y + half), Math.max(1.5, scale * half * 0.55)]);
    }
    c.lineWidth = Math.max(1, scale * 0.08);
    c.globalAlpha = 0.8;
    for (const [team, squares] of teams) {
      c.strokeStyle = teamColour(team);
      c.beginPath();
      for (const [x, y, r] of squares) c.rect(x - r, y - r, 2 * r, 2 * r);
      c.stroke();
    }
    c.globalAlpha = 1;
  }
  if (run !== store.chosenIn || !store.selection || !('unit' in store.selection)) return;
  const { unit } = store.selection;
  const report = store.report && 'unit' in store.report ? /** @type {UnitReport} */ (store.report) : null;
  const task = /** @type {{ find?: Cell } | undefined} */ (report?.unit.id === unit ? report.unit.task : undefined);
  // What is hidden is known to those who look on, and not to the unit.
  const goal = goals[unit] ?? task?.find;
  if (!goal || unit >= last.count) return;
  const half = last.body[unit] / 2;
  const [x, y, r] = [px(goal[0] + half), py(goal[1] + half), Math.max(4, scale * half * 0.7)];
  c.strokeStyle = world().mark;
  c.lineWidth = Math.max(2, scale * 0.1);
  c.strokeRect(x - r, y - r, 2 * r, 2 * r);
  c.lineWidth = 1.5;
  c.setLineDash(goals[unit] ? [5, 4] : [2, 4]);
  c.globalAlpha = 0.7;
  c.beginPath();
  c.moveTo(px(motion.x[unit]), py(motion.y[unit]));
  c.lineTo(x, y);
  c.stroke();
  c.setLineDash([]);
  c.globalAlpha = 1;
}

/**
 * Cells that close or open at some tick: a frame each, dashed with a cross or whole with a ring, and the tick where there is
 * room.
 * @param {Sheet} sheet
 * @param {Store} store
 */
export function documentEvents(sheet, store) {
  const { c, scale, px, py } = sheet;
  for (const { at, close = [], open = [] } of store.doc?.events ?? []) {
    for (const [cells, colour] of /** @type {[Cell[], string][]} */ ([
      [close, world().mark],
      [open, OPENS],
    ])) {
      c.lineWidth = 2;
      c.strokeStyle = c.fillStyle = colour;
      c.font = `${Math.min(12, scale * 0.4)}px system-ui, sans-serif`;
      c.textAlign = 'left';
      c.textBaseline = 'top';
      for (const [x, y] of cells) {
        c.setLineDash(cells === close ? [4, 3] : []);
        c.strokeRect(px(x) + 1, py(y) + 1, scale - 2, scale - 2);
        c.setLineDash([]);
        sign(sheet, [x, y], cells === close);
        if (scale >= 22) c.fillText(String(at), px(x) + 4, py(y) + 4);
      }
    }
  }
}

/** A cross on a cell that closes, a ring on one that opens: colours alone do not tell everybody. @param {Sheet} sheet @param {Cell} cell @param {boolean} closes */
function sign({ c, scale, px, py }, [x, y], closes) {
  if (scale < 5) return;
  const [mx, my, r] = [px(x + 0.5), py(y + 0.5), scale * 0.22];
  c.beginPath();
  if (closes) {
    c.moveTo(mx - r, my - r);
    c.lineTo(mx + r, my + r);
    c.moveTo(mx + r, my - r);
    c.lineTo(mx - r, my + r);
  } else {
    c.arc(mx, my, r, 0, 7);
  }
  c.stroke();
}

/**
 * Sources of the document: how far they reach, and whether they draw or keep away.
 * @param {Sheet} sheet
 * @param {Store} store
 */
export function documentSources({ c, scale, px, py }, store) {
  c.lineWidth = 2;
  for (const { at, strength, radius } of store.doc?.sources ?? []) {
    const [x, y] = [px(at[0] + 0.5), py(at[1] + 0.5)];
    c.strokeStyle = strength < 0 ? world().mark : OPENS;
    c.setLineDash([3, 5]);
    c.globalAlpha = 0.7;
    c.beginPath();
    c.arc(x, y, scale * radius, 0, 7);
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
    const r = Math.max(3, scale * 0.3);
    c.beginPath();
    c.moveTo(x - r, y);
    c.lineTo(x + r, y);
    if (strength >= 0) {
      c.moveTo(x, y - r);
      c.lineTo(x, y + r);
    }
    c.stroke();
  }
}

/**
 * The way of the inspected unit, its reservations and the chain of those it waits for.
 * @param {Sheet} sheet
 * @param {Store} store
 * @param {number} run
 */
export function inspected({ c, scale, px, py }, store, run) {
  const { motion, path } = store.runs[run];
  const report =
    run === store.chosenIn && store.report && 'unit' in store.report ? /** @type {UnitReport} */ (store.report) : null;
  const ink = world().mark;
  if (report?.reservations && scale > 3 && !store.state.runs[run]?.recorded) {
    c.strokeStyle = ink;
    c.lineWidth = 1;
    c.globalAlpha = 0.5;
    // Told is the corner; what is held is as large as the unit.
    const side = scale * Number(report.unit.body ?? 1) - 3;
    for (const [x, y] of report.reservations) c.strokeRect(px(x) + 1.5, py(y) + 1.5, side, side);
    c.globalAlpha = 1;
  }
  const points = path?.points ?? report?.path;
  if (store.show.paths && points && points.length > 1) {
    const half = motion.last && path ? (motion.last.body[path.unit] || 1) / 2 : 0.5;
    c.strokeStyle = ink;
    c.lineWidth = Math.max(1.5, scale * 0.14);
    c.lineJoin = c.lineCap = 'round';
    c.beginPath();
    for (const [i, [x, y]] of points.entries()) c[i ? 'lineTo' : 'moveTo'](px(x + half), py(y + half));
    c.stroke();
    const [x, y] = points[points.length - 1];
    c.beginPath();
    c.arc(px(x + half), py(y + half), Math.max(3, scale * 0.3), 0, 7);
    c.stroke();
  }
  if (report?.why && report.why.length > 1 && store.selection && 'unit' in store.selection) {
    c.strokeStyle = '#d55e00';
    c.setLineDash([4, 3]);
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(px(motion.x[store.selection.unit]), py(motion.y[store.selection.unit]));
    for (const { unit } of report.why) if (unit < motion.x.length) c.lineTo(px(motion.x[unit]), py(motion.y[unit]));
    c.stroke();
    c.setLineDash([]);
  }
}

/**
 * A ring around what is selected.
 * @param {Sheet} sheet
 * @param {number} x its middle
 * @param {number} y
 * @param {number} body
 */
export function ring({ c, scale, px, py }, x, y, body) {
  c.strokeStyle = world().mark;
  c.lineWidth = Math.max(2, scale * 0.08);
  c.beginPath();
  c.arc(px(x), py(y), Math.max(7, scale * body * 0.62), 0, 7);
  c.stroke();
}

/** A frame around a cell. @param {Sheet} sheet @param {Cell} cell @param {string} colour @param {number} [size] */
export function frame({ c, scale, px, py }, [x, y], colour, size = 1) {
  c.strokeStyle = colour;
  c.lineWidth = 2;
  c.strokeRect(px(x), py(y), scale * size, scale * size);
}

/**
 * A unit's number: inside where there is room, above where not.
 * @param {Sheet} sheet
 * @param {number} i
 * @param {number} x
 * @param {number} y
 * @param {number} body
 */
export function number({ c, scale, px, py }, i, x, y, body) {
  const size = Math.min(26, Math.max(10, scale * 0.42)),
    above = scale * body < 28 ? (scale * body) / 2 + size / 2 : 0;
  c.font = `600 ${size}px system-ui, sans-serif`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.lineWidth = 3;
  c.strokeStyle = world().paper;
  c.strokeText(String(i), px(x), py(y) - above);
  c.fillStyle = world().ink;
  c.fillText(String(i), px(x), py(y) - above);
}

/** What the tool in hand is about to do. @param {Sheet} sheet @param {Tools} tools @param {Store} store */
export function preview(sheet, tools, store) {
  const { c, scale, px, py } = sheet;
  c.globalAlpha = 0.7;
  c.fillStyle =
    store.tool === 'close'
      ? world().mark
      : store.tool === 'reopen'
        ? OPENS
        : letterColour(store.tool === 'road' ? '.' : store.letter);
  for (const [x, y] of tools.cells) c.fillRect(px(x), py(y), scale + 0.5, scale + 0.5);
  c.globalAlpha = 1;
  if (store.tool === 'close' || store.tool === 'reopen') {
    c.strokeStyle = world().ink;
    c.lineWidth = Math.max(1, scale * 0.08);
    for (const cell of tools.cells) sign(sheet, cell, store.tool === 'close');
  }
  if (tools.arrow) {
    const [[ax, ay], [bx, by]] = tools.arrow;
    c.strokeStyle = world().mark;
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(px(ax + 0.5), py(ay + 0.5));
    c.lineTo(px(bx + 0.5), py(by + 0.5));
    c.stroke();
    c.strokeRect(px(bx), py(by), scale, scale);
  }
}

/**
 * Arrows of a layer of headings, where there is room for them.
 * @param {Sheet} sheet
 * @param {Uint8Array} values
 * @param {number} width
 * @param {[number, number, number, number]} seen cells: left, top, right, bottom
 */
export function arrows({ c, scale, px, py }, values, width, [left, top, right, bottom]) {
  // Fewer arrows when looking from far away: one for each block of cells.
  const every = Math.max(1, Math.ceil(9 / scale));
  const r = Math.min(12, scale * every) * 0.36;
  c.beginPath();
  for (let y = top - (top % every); y < bottom; y += every) {
    for (let x = left - (left % every); x < right; x += every) {
      let value = 0;
      for (let i = 0; i < every * every && !value; i++) {
        const bx = x + (i % every),
          by = y + Math.floor(i / every);
        if (bx < right && by < bottom) value = values[by * width + bx];
      }
      if (!value) continue;
      const turn = ((value - 1) * Math.PI) / 4,
        dx = Math.sin(turn) * r,
        dy = -Math.cos(turn) * r;
      const mx = px(x + every / 2),
        my = py(y + every / 2);
      c.moveTo(mx - dx, my - dy);
      c.lineTo(mx + dx, my + dy);
      c.lineTo(mx + dx * 0.3 - dy * 0.5, my + dy * 0.3 + dx * 0.5);
      c.moveTo(mx + dx, my + dy);
      c.lineTo(mx + dx * 0.3 + dy * 0.5, my + dy * 0.3 - dx * 0.5);
    }
  }
  // A seam of the ground's colour keeps them readable on any colour of a layer.
  c.lineJoin = c.lineCap = 'round';
  c.globalAlpha = 0.55;
  c.strokeStyle = world().paper;
  c.lineWidth = Math.max(2, r * 0.6);
  if (scale >= 6) c.stroke();
  c.globalAlpha = 0.85;
  c.strokeStyle = world().ink;
  c.lineWidth = Math.max(1, r * 0.22);
  c.stroke();
  c.globalAlpha = 1;
}

/**
 * Stripes on the walls of a mask, where there is room: a mask is as dark as they are, so that its colour alone hardly shows there.
 * @param {Sheet} sheet
 * @param {LayerFrame} mask
 * @param {Picture} terrain
 * @param {string} colour
 * @param {[number, number, number, number]} seen cells: left, top, right, bottom
 */
export function stripes({ c, scale, px, py }, { values, width }, terrain, colour, [left, top, right, bottom]) {
  if (scale < 5 || terrain.width !== width) return;
  c.beginPath();
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (!values[y * width + x] || !'@OT'.includes(terrain.at(x, y))) continue;
      for (const part of scale >= 14 ? [0.5, 1, 1.5] : [1]) {
        const [from, to] = [Math.max(0, part - 1), Math.min(1, part)];
        c.moveTo(px(x + from), py(y + to));
        c.lineTo(px(x + to), py(y + from));
      }
    }
  }
  const [r, g, b] = rgb(colour).map((part) => Math.round(part + (255 - part) * 0.4));
  c.strokeStyle = `rgb(${r} ${g} ${b})`;
  c.lineWidth = Math.max(1, Math.min(2.5, scale * 0.1));
  c.stroke();
}

/**
 * A plus or a minus on the cells of a signed layer, where there is room: colours alone do not tell everybody.
 * @param {Sheet} sheet
 * @param {LayerFrame} amounts
 * @param {[number, number, number, number]} seen cells: left, top, right, bottom
 */
export function signs({ c, scale, px, py }, { values, width, low, high }, [left, top, right, bottom]) {
  if (scale < 14) return;
  const r = Math.min(6, scale * 0.16);
  c.strokeStyle = world().ink;
  c.globalAlpha = 0.55;
  c.lineWidth = Math.max(1, r * 0.3);
  c.beginPath();
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const value = values[y * width + x];
      const amount = value ? part(value, low, high) : 0;
      if (Math.abs(amount) < 0.04) continue;
      const mx = px(x + 0.5),
        my = py(y + 0.5);
      c.moveTo(mx - r, my);
      c.lineTo(mx + r, my);
      if (amount < 0) continue;
      c.moveTo(mx, my - r);
      c.lineTo(mx, my + r);
    }
  }
  c.stroke();
  c.globalAlpha = 1;
}
