// What a document has beside its map and units: doors, which close and open at a tick, sources, which draw explorers or keep them
// away, and a direction map.

import { fill, h, isField, remove, row, select, settle, sound } from './dom.js';
import { icon } from './icons.js';
import { toast } from './toast.js';

/** @import { Cell, DocEvent, DocSource } from './types.js' */
/** @import { Store } from './store.js' */
/** @import { Tools } from './tools.js' */

/** A source as docs/scenario.md has it: key, what new ones have, lowest, highest, step, what it is. */
const SOURCE = /** @type {const} */ ([
  ['strength', 4, -1000, 1000, 'any', 'Steps: above zero it draws, below zero it keeps away'],
  ['radius', 6, 1, 256, 1, 'How far it reaches, in cells'],
]);

const tell = (/** @type {string} */ why) => toast(why, true);

/** @param {Store} store @param {Tools} tools */
export function doors(store, tools) {
  const list = h('div', {});
  const at = h('input', { type: 'number', min: 0, max: store.info.limits.ticks, required: true, value: 10 });
  const what = select(
    [
      ['close', 'closes'],
      ['open', 'opens'],
    ],
    'close',
    () => {},
  );
  const add = () => {
    if (!sound(at)) return;
    store.setMode('draw');
    tools.ask((cell) => store.tell('event', { add: { at: Number(at.value), [what.value]: [cell] } }), 'the door');
  };
  const draw = () => {
    // Nobody's field is taken away while they type.
    if (isField(document.activeElement) && list.contains(document.activeElement)) return;
    fill(
      list,
      (store.doc?.events ?? []).map((event, index) => door(store, tools, event, index)),
    );
  };
  store.on('doc', draw);
  draw();
  return h(
    'div',
    {},
    h('p', { class: 'about' }, 'Cells that close or open at a tick, whoever is on their way.'),
    list,
    h('div', { class: 'fields' }, row('at tick', at), row('what', what, 'What the cell does then')),
    h('button', { class: 'wide', onclick: add }, icon('close'), 'Add a door on the map'),
  );
}

/** So many cells of an event are listed one by one. */
const LISTED = 8;

/** One event, which can be changed where it stands. @param {Store} store @param {Tools} tools @param {DocEvent} event @param {number} index */
function door(store, tools, { at, close = [], open = [] }, index) {
  /** @param {Partial<Record<'at' | 'close' | 'open', unknown>>} keys */
  const set = (keys) => store.tell('event', { index, set: keys });
  const name = `event ${index + 1}`;
  const tick = h('input', {
    type: 'number',
    min: 0,
    max: store.info.limits.ticks,
    value: at,
    required: true,
    'aria-label': `Tick of ${name}`,
  });
  settle(tick, (value) => set({ at: value }), tell);
  const what = close.length ? 'close' : 'open';
  const both = close.length > 0 && open.length > 0;
  const own = what === 'close' ? close : open;
  const does = select(
    [
      ['close', 'closes'],
      ['open', 'opens'],
    ],
    what,
    (other) => {
      // A field that is in use is not drawn again: let go of it first.
      does.blur();
      set({ close: other === 'close' ? own : [], open: other === 'open' ? own : [] });
    },
    { 'aria-label': `What ${name} does` },
  );
  const more = () =>
    tools.ask((/** @type {Cell} */ cell) => set({ [what]: [...own, cell] }), `one more cell of ${name}`);
  return h(
    'div',
    { class: 'source' },
    h(
      'p',
      { class: 'event' },
      `tick ${at}: ${[cells('closes', close), cells('opens', open)].filter(Boolean).join(', ')} `,
      remove(`Remove the event at tick ${at}`, () => store.tell('event', { index, remove: true })),
    ),
    h('div', { class: 'fields' }, row('tick', tick), !both && row('does', does)),
    !both &&
      h(
        'p',
        { class: 'list' },
        own.length > 1 &&
          own.length <= LISTED &&
          own.flatMap((cell, i) => [
            `(${cell}) `,
            remove(`Remove (${cell}) from ${name}`, () => set({ [what]: own.filter((_, other) => other !== i) })),
          ]),
        h('button', { class: 'small', onclick: more }, `Add a cell to ${name}`),
      ),
  );
}

/** @param {string} words @param {Cell[]} of */
const cells = (words, of) =>
  of.length && `${words} ${of.length > 3 ? `${of.length} cells` : of.map((cell) => `(${cell})`).join(' ')}`;

/** @param {Store} store @param {Tools} tools */
export function sources(store, tools) {
  const list = h('div', {});
  const usual = Object.fromEntries(SOURCE.map(([key, value]) => [key, value]));
  const add = () => {
    store.setMode('draw');
    tools.ask((at) => store.tell('source', { add: { at, ...usual } }), 'the source');
  };
  const draw = () => {
    // Nobody's field is taken away while they type.
    if (isField(document.activeElement) && list.contains(document.activeElement)) return;
    fill(
      list,
      (store.doc?.sources ?? []).map((source, index) => one(store, source, index)),
    );
  };
  const section = h(
    'div',
    {},
    h('h2', {}, 'Sources'),
    h('p', { class: 'about' }, 'Places that draw units which explore, or keep them away.'),
    list,
    h('button', { class: 'wide', onclick: add }, icon('target'), 'Add a source on the map'),
  );
  store.on('doc', draw);
  draw();
  return section;
}

/** A direction map that was learned before. @param {Store} store */
export function directions(store) {
  const place = h('div', {});
  const upload = h('input', {
    type: 'file',
    accept: '.dir,text/plain',
    'aria-label': 'Upload a direction map',
    onchange: async () => {
      const [file] = upload.files ?? [];
      if (file) await store.tell('directions', { text: await file.text() });
      upload.value = '';
    },
  });
  const draw = () =>
    fill(
      place,
      store.doc?.directions
        ? h(
            'p',
            { class: 'event' },
            'This scenario has one. ',
            remove('Remove the direction map', () => store.tell('directions', { remove: true })),
          )
        : upload,
    );
  store.on('doc', draw);
  draw();
  return h(
    'div',
    {},
    h('h2', {}, 'Direction map'),
    h('p', { class: 'about' }, 'Which way units go through each cell, learned before, for planners that keep to it.'),
    place,
  );
}

/** @param {Store} store @param {DocSource} source @param {number} index */
function one(store, source, index) {
  return h(
    'div',
    { class: 'source' },
    h(
      'p',
      { class: 'event' },
      `(${source.at}) ${source.strength < 0 ? 'keeps away' : 'draws'} `,
      remove(`Remove the source at ${source.at}`, () => store.tell('source', { index, remove: true })),
    ),
    h(
      'div',
      { class: 'fields' },
      SOURCE.map(([key, , min, max, step, about]) => {
        const input = h('input', {
          type: 'number',
          min,
          max,
          step,
          required: true,
          value: source[key],
        });
        return row(
          key,
          settle(input, (value) => store.tell('source', { index, set: { [key]: value } }), tell),
          about,
        );
      }),
    ),
  );
}
