// The map maker: letters and brush, undo, size, generators with a preview, and what new units do.

import { fill, h, row, sound } from './dom.js';
import { icon } from './icons.js';
import { generator, tellGone } from './generator.js';
import { directions, doors, sources } from './map-lists.js';
import { newMap } from './new-map.js';
import { onScheme } from './palette.js';
import { brushSize, letterChips, taskChoice, teamChips } from './swatches.js';

/** @import { Store } from './store.js' */
/** @import { Tools } from './tools.js' */

/** @param {HTMLElement} panel @param {Store} store @param {Tools} tools */
export function mapPanel(panel, store, tools) {
  const letters = h('div', { class: 'swatches', role: 'radiogroup', 'aria-label': 'Terrain to draw with' });
  const undo = h('button', { class: 'small', onclick: () => store.tell('undo') }, icon('undo'), 'Undo');
  const redo = h('button', { class: 'small', onclick: () => store.tell('redo') }, icon('redo'), 'Redo');
  const brush = brushSize(store),
    cells = h('output', {});
  const { side } = store.info.limits;
  const number = (/** @type {number} */ min, /** @type {number} */ value) =>
    h('input', { type: 'number', min, max: side, required: true, value });
  const [width, height] = [number(1, 32), number(1, 32)];
  const [dx, dy] = [number(-side, 0), number(-side, 0)];
  const sized = (/** @type {Record<string, HTMLInputElement>} */ fields) =>
    Object.fromEntries(Object.entries(fields).map(([key, input]) => [key, Number(input.value)]));
  const task = taskChoice(store);
  const team = h('div', { class: 'swatches tight', role: 'radiogroup', 'aria-label': 'Team of new units' });

  panel.append(
    h('div', { class: 'pair' }, undo, redo),
    h('h2', {}, 'Draw'),
    letters,
    h('label', { class: 'row sized' }, h('span', {}, 'brush size'), h('span', { class: 'joined' }, brush, cells)),
    h('h2', {}, 'Units'),
    h(
      'p',
      { class: 'about' },
      'With the unit tool, press on the start and let go at the goal. With the pointer, drag units and goals.',
    ),
    row('new units', task),
    team,
    h('h2', {}, 'Size'),
    h(
      'div',
      { class: 'fields' },
      row('width', width),
      row('height', height),
      row('shift x', dx, 'Where the old map goes'),
      row('shift y', dy, 'Where the old map goes'),
    ),
    h(
      'div',
      { class: 'pair' },
      h(
        'button',
        {
          onclick: async () => {
            if (![width, height, dx, dy].every(sound)) return;
            const size = { ...sized({ width, height }), x: Number(dx.value), y: Number(dy.value) };
            tellGone(await store.tell('resize', size));
          },
        },
        'Resize',
      ),
      h('button', { onclick: () => newMap(store) }, 'New, empty…'),
    ),
    h('h2', {}, 'Generate'),
    generator(store),
    h('h2', {}, 'Doors'),
    doors(store, tools),
    sources(store, tools),
    directions(store),
  );

  const choices = () => {
    fill(letters, letterChips(store));
    fill(team, teamChips(store));
    brush.value = String(store.brush);
    cells.textContent = store.brush === 1 ? '1 cell' : `${store.brush} cells`;
    task.value = store.task;
  };
  const fromDocument = () => {
    const doc = store.doc;
    if (!doc) return;
    undo.disabled = !doc.undo;
    redo.disabled = !doc.redo;
    for (const [input, value] of /** @type {[HTMLInputElement, number][]} */ ([
      [width, doc.width],
      [height, doc.height],
    ]))
      if (document.activeElement !== input) input.value = String(value);
  };
  store.on('tool', choices);
  store.on('doc', fromDocument);
  onScheme(choices);
  choices();
  fromDocument();
}
