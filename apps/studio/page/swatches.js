// What is in the hand: terrain, team, task of new units and the size of the brush, as small fields for panel and stage.

import { h, select } from './dom.js';
import { LETTERS, letterColour, OFFERED, teamColour } from './palette.js';

/** @import { Store } from './store.js' */

/** Takes terrain into the hand, and a tool to draw it with. @param {Store} store @param {string} letter */
export function pickLetter(store, letter) {
  store.letter = letter;
  store.setTool(['brush', 'line', 'rectangle', 'fill'].includes(store.tool) ? store.tool : 'brush');
}

/**
 * @param {string} words @param {string} colour @param {boolean} chosen @param {Record<string, any>} keys
 * @param {boolean} [small] without words
 */
function chip(words, colour, chosen, keys, small = false) {
  const dot = h('i', {});
  dot.style.background = colour;
  return h(
    'button',
    { class: small ? 'swatch bare' : 'swatch', role: 'radio', 'aria-checked': String(chosen), ...keys },
    dot,
    !small && words,
  );
}

/** @param {Store} store @param {boolean} [small] */
export const letterChips = (store, small) =>
  LETTERS.map(({ letter, name }, i) =>
    chip(
      name,
      letterColour(letter),
      letter === store.letter,
      { 'aria-label': name, title: `${name} (${i + 1})`, onclick: () => pickLetter(store, letter) },
      small,
    ),
  );

/** @param {Store} store @param {boolean} [small] */
export const teamChips = (store, small) =>
  Array.from({ length: OFFERED }, (_, team) =>
    chip(
      String(team),
      teamColour(team),
      team === store.team,
      {
        'aria-label': `team ${team}`,
        title: `team ${team}`,
        onclick: () => {
          store.team = team;
          store.setTool('unit');
        },
      },
      small,
    ),
  );

/** What new units do. @param {Store} store */
export const taskChoice = (store) =>
  select(
    [
      ['goal', 'goal: go and rest'],
      ['goals', 'goals: one by one'],
      ['patrol', 'patrol: to and fro'],
      ['find', 'find: hidden goal'],
      ['explore', 'explore: see all'],
      ['errands', 'errands: as they come'],
      ['hold', 'hold: stay'],
    ],
    store.task,
    (value) => {
      store.task = value;
      store.setTool('unit');
    },
    { 'aria-label': 'What new units do' },
  );

/** @param {Store} store */
export function brushSize(store) {
  const slider = h('input', {
    type: 'range',
    min: 1,
    max: 15,
    value: store.brush,
    'aria-label': 'brush size',
    oninput: () => {
      store.brush = Number(slider.value);
      store.emit('tool');
    },
  });
  return slider;
}
