// Orders to a unit of the run: where to go, where it is, who goes first.

import { h, row, select, settle } from './dom.js';
import { icon } from './icons.js';
import { toast } from './toast.js';

/** @import { Cell } from './types.js' */
/** @import { Store } from './store.js' */
/** @import { Tools } from './tools.js' */

/** What is said where nothing can be done by hand. */
export const RECORDED = 'This is a recording: nobody takes orders in it, and nothing can be changed.';

/** @param {Store} store @param {Tools} tools @param {number} unit @param {(unit: number) => void} goTo @param {boolean} recorded */
export function orders(store, tools, unit, goTo, recorded) {
  /** @type {Cell[]} */
  let list = [];
  const kind = select(
    [
      ['goal', 'go to'],
      ['goals', 'visit in turn'],
      ['patrol', 'patrol to'],
      ['find', 'find what is hidden at'],
      ['explore', 'explore'],
      ['hold', 'hold'],
    ],
    'goal',
    () => shown(),
  );
  const where = h('input', { type: 'text', placeholder: 'x, y', 'aria-label': 'Cell: x, y' });
  const pick = h(
    'button',
    {
      title: 'Choose on the map',
      onclick: () =>
        tools.ask((cell) => {
          list = kind.value === 'goals' ? [...list, cell] : [cell];
          where.value = list.map(([x, y]) => `${x}, ${y}`).join('; ');
        }),
    },
    icon('target'),
    'Pick',
  );
  const rounds = h('input', { type: 'number', min: 1, placeholder: '5', 'data-key': 'rounds' });
  const often = row('rounds', rounds, 'How often it goes there and back');
  const nowhere = () => kind.value === 'hold' || kind.value === 'explore';
  const shown = () => {
    where.disabled = pick.disabled = nowhere();
    often.hidden = kind.value !== 'patrol';
  };
  shown();
  const give = async () => {
    const cells = where.value
      .split(';')
      .filter((pair) => pair.trim())
      .map((pair) => pair.split(',').map((part) => (part.trim() ? Number(part) : NaN)));
    const wrong = !cells.length || cells.some((pair) => pair.length !== 2 || !pair.every(Number.isInteger));
    if (!nowhere() && wrong) {
      const many = kind.value === 'goals' ? ', and “;” between them' : '';
      toast(`${where.value.trim() ? `“${where.value}”` : 'No cell'}: expected x, y, as in “12, 7”${many}`, true);
      return where.focus();
    }
    const times = kind.value === 'patrol' && rounds.value !== '' ? { rounds: Number(rounds.value) } : {};
    const task = { [kind.value]: nowhere() ? true : kind.value === 'goals' ? cells : cells[0], ...times };
    await store.tell('order', { unit, task });
    store.inspect();
  };
  const priority = h('input', {
    type: 'number',
    'data-key': 'priority',
    'aria-label': 'priority',
    min: -(2 ** 31),
    max: 2 ** 31 - 1,
    required: true,
    value: store.doc?.units[unit]?.priority ?? 0,
  });
  settle(
    priority,
    async (value) => {
      const done = await store.tell('priority', { unit, value });
      store.inspect();
      return done;
    },
    (why) => toast(why, true),
  );
  const follow = h(
    'button',
    {
      'aria-pressed': String(store.follow),
      'data-key': 'follow',
      onclick: () => {
        store.setFollow(!store.follow);
        if (store.follow) goTo(unit);
      },
    },
    icon('follow'),
    'Follow',
  );
  if (recorded)
    return h('div', { class: 'form' }, h('div', { class: 'pair' }, follow), h('p', { class: 'hint' }, RECORDED));
  return h(
    'div',
    { class: 'form' },
    h(
      'div',
      { class: 'pair' },
      follow,
      h(
        'button',
        {
          onclick: () =>
            tools.ask(async (cell) => {
              await store.tell('place', { unit, cell });
              store.inspect();
            }),
        },
        icon('unit'),
        'Put elsewhere',
      ),
    ),
    h(
      'details',
      { class: 'section' },
      h('summary', {}, 'Orders'),
      row('order', kind),
      often,
      h('div', { class: 'joined' }, where, pick, h('button', { onclick: give }, 'Give')),
      row('priority', priority, 'Who wins a contested cell: the higher'),
    ),
  );
}
