// A new, empty document: asks how large it is to be and what it is filled with, and leaves one that only lacks units.

import { h, row, select } from './dom.js';
import { LETTERS } from './palette.js';

/** @import { Store } from './store.js' */

/** @param {Store} store */
export function newMap(store) {
  const side = (/** @type {number} */ value) =>
    h('input', { type: 'number', min: 1, max: store.info.limits.side, required: true, value });
  const width = side(store.doc?.width ?? 32),
    height = side(store.doc?.height ?? 32);
  let letter = '.';
  const ground = select(
    LETTERS.filter(({ letter: each }) => each === '.' || each === '@').map(({ letter: each, name }) => [
      each,
      each === '.' ? `${name} ground` : `${name}s, to carve`,
    ]),
    letter,
    (value) => {
      letter = value;
    },
  );
  const make = h('button', { class: 'primary' }, 'Make it');
  const dialog = h(
    'dialog',
    { class: 'ask', 'aria-label': 'New map', onclose: () => dialog.remove() },
    h(
      'form',
      {
        method: 'dialog',
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          if (event.submitter === make) create(store, Number(width.value), Number(height.value), letter);
        },
      },
      h('h2', {}, 'New map'),
      row('width', width),
      row('height', height),
      row('filled with', ground),
      h('p', { class: 'about' }, 'Takes the place of this map and its units; undo brings them back.'),
      // Enter presses the first button.
      h('div', { class: 'pair reversed' }, make, h('button', { formnovalidate: true }, 'Cancel')),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  width.select();
}

/** @param {Store} store @param {number} width @param {number} height @param {string} letter */
async function create(store, width, height, letter) {
  if (!(await store.tell('new', { width, height }))) return;
  store.forgetRuns();
  if (letter !== '.') await store.tell('fill', { x: 0, y: 0, letter });
  store.select(null);
  store.setMode('draw');
  store.setTool(letter === '.' ? 'unit' : 'road');
}
