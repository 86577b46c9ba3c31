// Cells of lines, rectangles and brushes. Pure: the tools draw with it, the tests check it.

/** @import { Cell } from './types.js' */

/** Every cell from a to b. @param {Cell} a @param {Cell} b @returns {Cell[]} */
export function line(a, b) {
  let [x, y] = a;
  const dx = Math.abs(b[0] - x),
    dy = -Math.abs(b[1] - y);
  const sx = x < b[0] ? 1 : -1,
    sy = y < b[1] ? 1 : -1;
  /** @type {Cell[]} */
  const cells = [[x, y]];
  for (let error = dx + dy; x !== b[0] || y !== b[1];) {
    const twice = 2 * error;
    if (twice >= dy) {
      error += dy;
      x += sx;
    }
    if (twice <= dx) {
      error += dx;
      y += sy;
    }
    cells.push([x, y]);
  }
  return cells;
}

/** Every cell between two corners. @param {Cell} a @param {Cell} b @returns {Cell[]} */
export function rectangle(a, b) {
  /** @type {Cell[]} */
  const cells = [];
  for (let y = Math.min(a[1], b[1]); y <= Math.max(a[1], b[1]); y++) {
    for (let x = Math.min(a[0], b[0]); x <= Math.max(a[0], b[0]); x++) cells.push([x, y]);
  }
  return cells;
}

/** Bays lie at every other cell, as those of the generator do. */
const APART = 2;

/**
 * A street as the generator `roads` makes them: along one side and then the other, the longer first, so many lanes wide,
 * with bays of one cell on both sides around the middle of each piece, where units can let others pass. Bays are never cut
 * into the map's border.
 * @param {Cell} a
 * @param {Cell} b
 * @param {{ lanes: number, bays: number }} shape
 * @param {number} width
 * @param {number} height
 * @returns {Cell[]}
 */
export function road(a, b, { lanes, bays }, width, height) {
  const across = Math.abs(b[0] - a[0]) >= Math.abs(b[1] - a[1]);
  /** @type {Cell} */
  const corner = across ? [b[0], a[1]] : [a[0], b[1]];
  const before = Math.floor((lanes - 1) / 2);
  /** @type {Cell[]} */
  const beside = [];
  for (const [from, to] of [
    [a, corner],
    [corner, b],
  ]) {
    const cells = line(from, to);
    const flat = from[1] === to[1];
    const count = Math.min(bays, Math.floor((cells.length - 1) / APART));
    const begin = Math.floor((cells.length - Math.max(0, APART * count - 1)) / 2);
    for (let k = 0; k < count; k++) {
      const [x, y] = cells[begin + APART * k];
      for (const side of [-before - 1, lanes - before]) beside.push(flat ? [x, y + side] : [x + side, y]);
    }
  }
  const inside = beside.filter(([x, y]) => x > 0 && y > 0 && x < width - 1 && y < height - 1);
  const middle = [...line(a, corner), ...line(corner, b)];
  const all = [...widen(middle, lanes, width, height), ...widen(inside, 1, width, height)];
  return [...new Map(all.map((cell) => [cell[1] * width + cell[0], cell])).values()];
}

/**
 * Cells made wide by a square brush, each once, those off the map left out.
 * @param {Cell[]} cells
 * @param {number} size
 * @param {number} width
 * @param {number} height
 * @returns {Cell[]}
 */
export function widen(cells, size, width, height) {
  const before = Math.floor((size - 1) / 2);
  /** @type {Map<number, Cell>} */
  const wide = new Map();
  for (const [cx, cy] of cells) {
    for (let y = cy - before; y < cy - before + size; y++) {
      for (let x = cx - before; x < cx - before + size; x++) {
        if (x >= 0 && y >= 0 && x < width && y < height) wide.set(y * width + x, [x, y]);
      }
    }
  }
  return [...wide.values()];
}
