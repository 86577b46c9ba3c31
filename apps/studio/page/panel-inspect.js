// The inspector: what a unit or a cell is, what it does and why, and changing it where that makes sense.

import { fill, h, isField, row, sound } from './dom.js';
import { icon } from './icons.js';
import { documentUnit } from './inspect-document.js';
import { findDrawn } from './find.js';
import { orders, RECORDED } from './inspect-orders.js';
import { toast } from './toast.js';

/** @import { CellReport, UnitReport } from './types.js' */
/** @import { Store } from './store.js' */
/** @import { Tools } from './tools.js' */

/** @param {HTMLElement} panel @param {Store} store @param {Tools} tools @param {(unit: number) => void} goTo */
export function inspectPanel(panel, store, tools, goTo) {
  const text = h('input', {
    type: 'search',
    id: 'find',
    placeholder: 'Number, x, y or team 1',
    'aria-label': 'Find units by number, place or team',
  });
  const find = async () => {
    const wanted = text.value.trim();
    if (!wanted) return;
    const running = store.mode === 'run' && store.state.runs.length > 0;
    /** @type {number[]} */
    const units = running
      ? ((await store.tell('find', { run: store.chosenIn, text: wanted }))?.units ?? [])
      : findDrawn(store.doc?.units ?? [], wanted);
    if (!units.length) return toast(`No unit: ${wanted}`, true);
    // Once more goes to the next of them.
    const at = store.selection && 'unit' in store.selection ? units.indexOf(store.selection.unit) : -1;
    const unit = units[(at + 1) % units.length];
    store.select({ unit });
    goTo(unit);
    // What is typed next is another one.
    if (document.activeElement === text) text.select();
  };
  const edit = h('div', {}),
    facts = h('div', { class: 'facts' });
  panel.append(
    h(
      'form',
      {
        class: 'find',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          find();
        },
      },
      text,
      h('button', {}, 'Find'),
    ),
    edit,
    facts,
  );

  /** Fields: made when the selection changes, or the document's unit does. */
  const editor = () => {
    if (isField(document.activeElement) && edit.contains(document.activeElement)) return;
    const selection = store.selection;
    if (!selection) {
      fill(
        edit,
        h(
          'p',
          { class: 'hint' },
          'Click a unit: what it does, why it waits, where it means to go. Click a cell: what is there, and closing it.',
        ),
      );
      fill(facts);
    } else if ('unit' in selection) {
      const drawing = store.mode === 'draw' || !store.state.runs.length;
      fill(
        edit,
        h(
          'h2',
          {},
          `Unit ${selection.unit}`,
          !drawing && store.state.runs.length > 1 && h('small', {}, ` in run ${store.chosenIn + 1}`),
        ),
        drawing
          ? documentUnit(store, tools, selection.unit)
          : orders(store, tools, selection.unit, goTo, isRecorded(store)),
      );
      if (drawing) fill(facts);
    } else {
      const [x, y] = selection.cell;
      const letter = store.picture().at(x, y);
      fill(
        edit,
        h('h2', {}, `Cell ${x}, ${y}`),
        store.mode === 'draw' && h('p', { class: 'about' }, `letter ${letter}`),
        store.mode === 'draw' && doors(store, [x, y]),
      );
      if (store.mode === 'draw') fill(facts);
    }
  };

  /** Sections that somebody has opened or shut: they stay so, however often what is in them is told anew. @type {Map<string, boolean>} */
  const folds = new Map([['history', true]]);
  const keepFolds = () => {
    for (const section of facts.querySelectorAll('details')) folds.set(section.dataset.fold ?? '', section.open);
  };

  /** What the server says; drawn again whenever it says it. */
  const told = () => {
    const report = store.report;
    if (!report || store.mode === 'draw') return;
    keepFolds();
    const priority = /** @type {HTMLInputElement | null} */ (edit.querySelector('[data-key="priority"]'));
    if (priority && priority !== document.activeElement && 'unit' in report)
      priority.value = String(/** @type {UnitReport} */ (report).unit.priority ?? 0);
    if ('unit' in report) fill(facts, ...unitFacts(/** @type {UnitReport} */ (report), store, goTo, folds));
    else fill(facts, ...cellFacts(/** @type {CellReport} */ (report), store));
  };
  store.on('selection mode', () => {
    keepFolds();
    fill(facts);
    editor();
  });
  store.on('doc runs', () => {
    if (store.mode === 'draw') editor();
  });
  // Whoever chose a unit before it was a recording, or was one no more.
  let was = false;
  store.on('state', () => {
    if (was === isRecorded(store)) return;
    was = isRecorded(store);
    editor();
  });
  store.on('report', told);
  store.on('follow', () =>
    edit.querySelector('[data-key="follow"]')?.setAttribute('aria-pressed', String(store.follow)),
  );
  editor();

  let asked = -1,
    busy = false;
  store.on('state units', async () => {
    const tick = store.runs[0].motion.last?.tick ?? 0;
    if (busy || tick === asked || !store.selection) return;
    busy = true;
    asked = tick;
    await store.inspect();
    setTimeout(() => {
      busy = false;
    }, 300);
  });
}

/** Whether the run in which something was chosen was recorded. @param {Store} store */
const isRecorded = (store) => store.state.runs[store.chosenIn]?.recorded ?? false;

/** @param {unknown} value */
function words(value) {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value))
    return value.length && typeof value[0] === 'object' ? value.map((each) => `(${each})`).join(' ') : value.join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, each]) => `${key} ${JSON.stringify(each)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** What one wants to know first. */
const FIRST = ['task', 'at', 'goal', 'goal number', 'arrived', 'here since', 'team', 'planner', 'priority'];

/** A unit's facts in words: what says nothing new is left out. @param {Record<string, unknown>} unit */
function facts({ id: _, leg, legs, since, from, period, body, ...rest }) {
  const moves = String(from) !== String(rest.at);
  const all = /** @type {Record<string, unknown>} */ ({
    ...rest,
    ...(Number(legs) > 1 ? { 'goal number': `${Math.min(Number(leg) + 1, Number(legs))} of ${legs}` } : {}),
    ...(moves ? { from } : {}),
    ...(since === undefined ? {} : { 'here since': `tick ${since}` }),
    ...(period === undefined ? {} : { 'ticks a step': period }),
    ...(body === undefined ? {} : { body: `${body}×${body}` }),
  });
  const place = (/** @type {string} */ key) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => place(a) - place(b)));
}

/** @param {Record<string, unknown>} of */
function table(of) {
  return h(
    'table',
    { class: 'keys' },
    h(
      'tbody',
      {},
      Object.entries(of).map(([key, value]) =>
        h('tr', {}, h('th', { scope: 'row' }, key.replaceAll('_', ' ')), h('td', {}, words(value))),
      ),
    ),
  );
}

/** @param {UnitReport} report @param {Store} store @param {(unit: number) => void} goTo @param {Map<string, boolean>} folds */
function unitFacts({ unit, path = [], reservations = [], why = [], history = [] }, store, goTo, folds) {
  /** @param {string} name @param {string} title @param {HTMLElement} what */
  const fold = (name, title, what) =>
    h(
      'details',
      { class: 'section', 'data-fold': name, open: folds.get(name) ?? false },
      h('summary', {}, title),
      what,
    );
  const recorded = isRecorded(store);
  return [
    why.length > 0 &&
      h(
        'section',
        { class: why.length > 1 ? 'why waits' : 'why' },
        h('h3', {}, why.length > 1 ? 'Why it waits' : 'What it does'),
        h(
          'ol',
          {},
          why.map((link) =>
            h(
              'li',
              {},
              link.unit === unit.id
                ? link.text
                : [
                    h(
                      'button',
                      {
                        class: 'link',
                        onclick: () => {
                          store.select({ unit: link.unit });
                          goTo(link.unit);
                        },
                      },
                      `Unit ${link.unit}`,
                    ),
                    ` at ${words(link.at)}: ${link.text}`,
                  ],
            ),
          ),
        ),
      ),
    table(facts(unit)),
    fold(
      'way',
      path.length > 1 ? `Way: ${path.length - 1} steps${recorded ? ' that it took' : ''}` : 'Way: none is known',
      h(
        'p',
        { class: 'list' },
        path
          .slice(0, 400)
          .map(([x, y, tick]) => `${tick}: (${x}, ${y})`)
          .join('  '),
      ),
    ),
    !recorded &&
      fold(
        'reservations',
        `Reservations: ${reservations.length}`,
        h(
          'p',
          { class: 'list' },
          reservations
            .slice(0, 400)
            .map(([x, y, from, to]) => `(${x}, ${y}) ${from}–${to}`)
            .join('  '),
        ),
      ),
    fold(
      'history',
      'History',
      h(
        'ul',
        { class: 'history' },
        !history.length &&
          h('li', { class: 'about' }, recorded ? 'Recordings do not tell what kept units.' : 'Nothing yet.'),
        history
          .slice(-60)
          .reverse()
          .map(({ from, to, text }) =>
            h(
              'li',
              {},
              h(
                'button',
                { class: 'link', title: 'Go to that tick', onclick: () => store.tell('seek', { tick: from }) },
                from === to ? from : `${from}–${to}`,
              ),
              ` ${text}`,
            ),
          ),
      ),
    ),
  ];
}

/**
 * A cell of the document may close or open at a tick.
 * @param {Store} store
 * @param {import('./types.js').Cell} cell
 */
function doors(store, cell) {
  const { ticks } = store.info.limits;
  const at = h('input', { type: 'number', min: 0, max: ticks, required: true, value: store.state.tick || 10 });
  /** @param {'close' | 'open'} what */
  const add = (what) => sound(at) && store.tell('event', { add: { at: Number(at.value), [what]: [cell] } });
  return h(
    'div',
    { class: 'form' },
    row('at tick', at),
    h(
      'div',
      { class: 'pair' },
      h('button', { onclick: () => add('close') }, icon('close'), 'Closes then'),
      h('button', { onclick: () => add('open') }, icon('reopen'), 'Opens then'),
    ),
  );
}

/** @param {CellReport} report @param {Store} store */
function cellFacts({ cell }, store) {
  const { units = [], layers = {}, ...rest } = cell;
  return [
    table(rest),
    units.length > 0 &&
      h(
        'p',
        {},
        'Here: ',
        units.map((unit) => h('button', { class: 'link', onclick: () => store.select({ unit }) }, `unit ${unit} `)),
      ),
    Object.keys(layers).length > 0 && h('h3', {}, 'Layers'),
    Object.keys(layers).length > 0 && table(layers),
    isRecorded(store)
      ? h('p', { class: 'hint' }, RECORDED)
      : h(
          'div',
          { class: 'pair' },
          h(
            'button',
            { onclick: () => store.tell('close', { cells: [[cell.x, cell.y]] }).then(() => store.inspect()) },
            icon('close'),
            'Close',
          ),
          h(
            'button',
            { onclick: () => store.tell('reopen', { cells: [[cell.x, cell.y]] }).then(() => store.inspect()) },
            icon('reopen'),
            'Reopen',
          ),
        ),
  ];
}
