// What was done by hand while it ran: closed, ordered, put elsewhere. Done again whenever the run comes there, so worth a list.

import { fill, h } from './dom.js';

/** @import { Act } from './types.js' */
/** @import { Store } from './store.js' */

/** @param {Act} act */
function words({ do: name, cells = [], unit, cell, task, value }) {
  const places = cells.length > 3 ? `${cells.length} cells` : cells.map((each) => `(${each})`).join(' ');
  switch (name) {
    case 'close':
      return `closed ${places}`;
    case 'reopen':
      return `opened ${places}`;
    case 'place':
      return `unit ${unit} put at (${cell})`;
    case 'priority':
      return `unit ${unit} has priority ${value}`;
    case 'order':
      return `unit ${unit} told: ${typeof task === 'string' ? task : JSON.stringify(task)}`;
    default:
      return name;
  }
}

/** A list that is asked for while it is unfolded. @param {Store} store */
export function acts(store) {
  const list = h('ul', { class: 'history' });
  const section = h(
    'details',
    { class: 'section', ontoggle: () => ask() },
    h('summary', {}, 'Done by hand while it ran'),
    list,
  );
  let busy = false;
  const ask = async () => {
    const live = store.state.runs.length > 0 && !store.state.runs[0].recorded;
    section.hidden = !live;
    if (!live || !section.open || busy || !store.up || !section.offsetParent) return;
    busy = true;
    const told = /** @type {{ acts: Act[] } | null} */ (await store.tell('acts', { run: 0 }));
    busy = false;
    fill(
      list,
      (told?.acts ?? []).map((act) =>
        h(
          'li',
          {},
          h(
            'button',
            { class: 'link', title: 'Go to that tick', onclick: () => store.tell('seek', { tick: act.at }) },
            act.at,
          ),
          ` ${words(act)}`,
        ),
      ),
    );
    if (!list.childElementCount)
      fill(list, h('li', { class: 'about' }, 'Nothing. Close cells or give orders, and they show here.'));
  };
  store.on('runs tab acted', ask);
  ask();
  return section;
}
