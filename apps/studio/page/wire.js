// Binary frames, little endian, to plain objects. Frames that are cut short or unknown give null: the next one will do.

/** @import { Frame } from './types.js' */

/** @param {ArrayBuffer} buffer @returns {Frame | null} */
export function decode(buffer) {
  const view = new DataView(buffer);
  if (view.byteLength < 12) return null;
  switch (view.getUint8(0)) {
    case 1:
      return units(view);
    case 2:
      return terrain(view);
    case 3:
      return layer(view);
    case 4:
      return path(view);
    case 5:
      return goals(view);
    default:
      return null;
  }
}

/** @param {DataView} view @returns {Frame | null} */
function units(view) {
  const count = view.getUint32(8, true);
  if (view.byteLength < 12 + 8 * count) return null;
  const scale = view.getUint16(2, true) || 64;
  const x = new Float32Array(count),
    y = new Float32Array(count);
  const state = new Uint8Array(count),
    team = new Uint8Array(count);
  const body = new Uint8Array(count),
    heading = new Uint8Array(count);
  for (let i = 0, at = 12; i < count; i++, at += 8) {
    x[i] = view.getUint16(at, true) / scale;
    y[i] = view.getUint16(at + 2, true) / scale;
    state[i] = view.getUint8(at + 4);
    team[i] = view.getUint8(at + 5);
    body[i] = view.getUint8(at + 6) || 1;
    heading[i] = view.getUint8(at + 7);
  }
  return {
    kind: 'units',
    run: view.getUint8(1),
    tick: view.getUint32(4, true),
    count,
    x,
    y,
    state,
    team,
    body,
    heading,
  };
}

/** @param {DataView} view @returns {Frame | null} */
function terrain(view) {
  const width = view.getUint16(8, true),
    height = view.getUint16(10, true);
  if (view.byteLength < 12 + width * height) return null;
  const letters = new Uint8Array(view.buffer, 12, width * height);
  return { kind: 'terrain', run: view.getUint8(1), version: view.getUint32(4, true), width, height, letters };
}

/** @param {DataView} view @returns {Frame | null} */
function layer(view) {
  if (view.byteLength < 20) return null;
  const width = view.getUint16(8, true),
    height = view.getUint16(10, true);
  if (view.byteLength < 20 + width * height) return null;
  const shape = /** @type {const} */ (['scalar', 'arrows', 'mask'])[view.getUint8(3)];
  if (!shape) return null;
  return {
    kind: 'layer',
    run: view.getUint8(1),
    number: view.getUint8(2),
    shape,
    tick: view.getUint32(4, true),
    width,
    height,
    low: view.getFloat32(12, true),
    high: view.getFloat32(16, true),
    values: new Uint8Array(view.buffer, 20, width * height),
  };
}

/** @param {DataView} view @returns {Frame | null} */
function path(view) {
  if (view.byteLength < 16) return null;
  const count = view.getUint32(12, true);
  if (view.byteLength < 16 + 8 * count) return null;
  /** @type {[number, number, number][]} */
  const points = [];
  for (let i = 0, at = 16; i < count; i++, at += 8) {
    points.push([view.getUint16(at, true), view.getUint16(at + 2, true), view.getUint32(at + 4, true)]);
  }
  return { kind: 'path', run: view.getUint8(1), tick: view.getUint32(4, true), unit: view.getUint32(8, true), points };
}

/** @param {DataView} view @returns {Frame | null} */
function goals(view) {
  const count = view.getUint32(8, true);
  if (view.byteLength < 12 + 4 * count) return null;
  /** @type {([number, number] | null)[]} */
  const cells = [];
  for (let i = 0, at = 12; i < count; i++, at += 4) {
    const x = view.getUint16(at, true);
    cells.push(x === 0xffff ? null : [x, view.getUint16(at + 2, true)]);
  }
  return { kind: 'goals', run: view.getUint8(1), tick: view.getUint32(4, true), cells };
}
