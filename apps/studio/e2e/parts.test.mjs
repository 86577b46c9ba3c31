// The page's parts that need no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDrawn } from '../page/find.js';
import { Motion } from '../page/motion.js';
import { readRange, within } from '../page/params.js';
import { format, parse } from '../page/planner.js';
import { line, rectangle, road, widen } from '../page/raster.js';
import { decode } from '../page/wire.js';

test('lines are joined from end to end and as long as their longer side', () => {
  for (const [a, b] of [
    [
      [0, 0],
      [7, 3],
    ],
    [
      [5, 5],
      [5, 5],
    ],
    [
      [4, 9],
      [0, 0],
    ],
    [
      [2, 8],
      [9, 8],
    ],
  ]) {
    const cells = line(a, b);
    assert.deepEqual(cells[0], a);
    assert.deepEqual(cells.at(-1), b);
    assert.equal(cells.length, 1 + Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])));
    for (let i = 1; i < cells.length; i++)
      assert.ok(Math.max(Math.abs(cells[i][0] - cells[i - 1][0]), Math.abs(cells[i][1] - cells[i - 1][1])) === 1);
  }
});

test('rectangles go from any corner to any other', () => {
  assert.equal(rectangle([3, 4], [1, 2]).length, 9);
});

test('a wide brush names each cell once and none off the map', () => {
  const cells = widen(
    [
      [0, 0],
      [1, 0],
    ],
    3,
    10,
    10,
  );
  assert.equal(cells.length, 6);
  assert.equal(new Set(cells.map(String)).size, 6);
});

test('a road goes the longer way first, as wide as asked for, and keeps the border', () => {
  const map = (cells, width, height) =>
    Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => (cells.some(([cx, cy]) => cx === x && cy === y) ? '.' : '@')).join(''),
    );
  assert.deepEqual(map(road([1, 1], [9, 1], { lanes: 1, bays: 1 }, 11, 4), 11, 4), [
    '@@@@@@@@@@@',
    '@.........@',
    '@@@@@.@@@@@',
    '@@@@@@@@@@@',
  ]);
  assert.deepEqual(map(road([4, 5], [1, 1], { lanes: 2, bays: 0 }, 7, 7), 7, 7), [
    '@@@@@@@',
    '@.....@',
    '@.....@',
    '@@@@..@',
    '@@@@..@',
    '@@@@..@',
    '@@@@..@',
  ]);
  for (const lanes of [1, 2, 3, 4])
    for (const bays of [0, 2, 4]) {
      const cells = road([0, 0], [0, 0], { lanes, bays }, 9, 9);
      assert.equal(new Set(cells.map(String)).size, cells.length);
    }
});

test('ranges are read from the words of planners and the objects of generators', () => {
  assert.deepEqual(readRange('auto or 1 to 256'), { words: ['auto'], low: 1, high: 256, decimal: false });
  assert.deepEqual(readRange('given or longest or shortest').words, ['given', 'longest', 'shortest']);
  const planner = readRange('none or another planner');
  assert.deepEqual(planner, { words: ['none'], decimal: false, free: true });
  assert.ok(within(planner, 'none') && within(planner, 'whca(window=8)') && !within(planner, ' '));
  assert.equal(readRange('0 to 1, with up to four digits after the point').decimal, true);
  const both = readRange('auto or 1 to 256');
  assert.ok(within(both, 'auto') && within(both, '256'));
  assert.ok(!within(both, '257') && !within(both, '1.5') && !within(both, '') && !within(both, 'many'));
  assert.ok(within(readRange({ decimal: 2 }), '1.25') && !within(readRange({ whole: [1, 9] }), '10'));
});

test('units of the drawing are found by number, place and team, and nothing by what is none of them', () => {
  const units = [{ start: [1, 1] }, { start: [4, 4], body: 2, team: 3 }, { start: [9, 9], team: 3 }];
  for (const [text, found] of Object.entries({
    2: [2],
    'unit 0': [0],
    '5, 5': [1],
    '(1,1)': [0],
    'team 3': [1, 2],
    'team 0': [0],
    1.5: [],
    99999: [],
    '-1': [],
    team: [],
    '': [],
  }))
    assert.deepEqual(findDrawn(units, text), found, text);
});

/** Colours as people without one kind of cones see them (Machado, Oliveira and Fernandes 2009), in linear light. */
const VISION = {
  ordinary: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

/** A colour in CIELAB, where distances are about as large as they look. */
function lab(colour, vision) {
  const linear = colour.map((part) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  const times = (matrix, of) => matrix.map((row) => row.reduce((sum, each, i) => sum + each * of[i], 0));
  const seen = times(vision, linear).map((part) => Math.min(1, Math.max(0, part)));
  const [x, y, z] = times(
    [
      [0.43394, 0.37621, 0.18985],
      [0.21267, 0.71515, 0.07218],
      [0.01776, 0.10947, 0.87277],
    ],
    seen,
  ).map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test('colours stay apart for whoever does not tell red from green', async () => {
  // The palette asks the browser which scheme is on.
  globalThis.matchMedia = () => ({ matches: false, addEventListener: () => {} });
  const { DARK, LETTERS, LIGHT, MASKS, OFFERED, TEAMS, TEAMS_ON_DARK, rgb } = await import('../page/palette.js');
  const ground = (scheme) => LETTERS.map(({ letter }) => scheme[letter]);
  const apart = (a, b, vision) => {
    const [one, other] = [a, b].map((colour) => lab(rgb(colour), vision));
    return Math.hypot(...one.map((part, i) => part - other[i]));
  };
  assert.ok(Math.abs(apart('#000000', '#ffffff', VISION.ordinary) - 100) < 0.1);
  // About 2 can just be told apart side by side; these are small and lie apart.
  for (const [name, colours] of Object.entries({
    teams: TEAMS.slice(0, OFFERED),
    'teams on dark': TEAMS_ON_DARK.slice(0, OFFERED),
    ground: ground(LIGHT),
    'ground on dark': ground(DARK),
    masks: MASKS,
  }))
    for (const [kind, vision] of Object.entries(VISION))
      for (const [i, a] of colours.entries())
        for (const b of colours.slice(0, i)) {
          const far = apart(a, b, vision);
          assert.ok(far >= 15, `${name}, ${kind}: ${a} and ${b} are ${far.toFixed(1)} apart`);
        }
});

test('specs of planners survive being read and written', () => {
  for (const spec of ['lra', 'whca(window=16,order=fixed)']) {
    const { name, keys } = parse(spec);
    assert.equal(format(name, keys), spec);
  }
  assert.equal(parse('').name, '');
});

/** A frame of units. */
function units(tick, places, scale = 0) {
  const out = new DataView(new ArrayBuffer(12 + 8 * places.length));
  out.setUint8(0, 1);
  out.setUint16(2, scale, true);
  out.setUint32(4, tick, true);
  out.setUint32(8, places.length, true);
  places.forEach(([x, y], i) => {
    out.setUint16(12 + 8 * i, x * (scale || 64), true);
    out.setUint16(14 + 8 * i, y * (scale || 64), true);
  });
  return out.buffer;
}

test('frames of units have their own scale on large maps', () => {
  assert.equal(decode(units(3, [[1.5, 2.5]])).x[0], 1.5);
  assert.equal(decode(units(3, [[1500.5, 2.5]], 32)).x[0], 1500.5);
});

test('frames that are cut short or unknown are passed over', () => {
  assert.equal(
    decode(
      units(3, [
        [1, 1],
        [2, 2],
      ]).slice(0, 20),
    ),
    null,
  );
  assert.equal(decode(new ArrayBuffer(3)), null);
  assert.equal(decode(new Uint8Array(40).fill(99).buffer), null);
});

test('units glide between frames, and jump when time does', () => {
  const motion = new Motion();
  motion.push(decode(units(0, [[0.5, 0.5]])), 0);
  motion.push(decode(units(1, [[1.5, 0.5]])), 100);
  motion.at(120);
  assert.ok(motion.x[0] > 0.5 && motion.x[0] < 1.5);
  assert.equal(motion.at(1000), false);
  assert.equal(motion.x[0], 1.5);
  motion.push(decode(units(2, [[2.5, 0.5]])), 1100);
  motion.push(decode(units(2, [[2.5, 0.5]])), 1101);
  motion.at(1102);
  assert.ok(motion.x[0] < 2, 'the same frame again cuts no glide short');
  motion.push(decode(units(0, [[0.5, 0.5]])), 1100);
  motion.at(1100);
  assert.equal(motion.x[0], 0.5);
});
