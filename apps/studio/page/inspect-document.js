// A unit of the document with all its keys.

import { h, remove, row, select, settle } from './dom.js';
import { icon } from './icons.js';
import { targets } from './overlay.js';
import { toast } from './toast.js';

/** @import { Cell, DocUnit } from './types.js' */
/** @import { Store } from './store.js' */
/** @import { Tools } from './tools.js' */

/** Numbers a unit may have, as docs/scenario.md lists them: key, default, lowest, highest, what it is. */
const NUMBERS = /** @type {const} */ ([
  ['priority', 0, -1000000, 1000000, 'Who wins a contested cell: the higher'],
  ['team', 0, 0, 255, 'Teams do not know each other’s plans'],
  ['body', 1, 1, 16, 'Side of its square body in cells'],
  ['period', 1, 1, 64, 'Ticks a straight step; more than 1 under metric timing'],
  ['run', 'no', 1, 63, 'Ticks a step at a run, less than its period; metric timing'],
  ['turning', 'no', 1, 8, 'It is a car: radius of its curves in cells; metric timing'],
]);

const TASKS = /** @type {const} */ (['goal', 'goals', 'patrol', 'find', 'explore', 'errands', 'hold']);

/** @param {Store} store @param {Tools} tools @param {number} index */
export function documentUnit(store, tools, index) {
  const unit = store.doc?.units[index];
  if (!unit) return h('p', { class: 'about' }, 'The document has no such unit.');
  /** @param {Record<string, unknown>} keys */
  const set = (keys) => store.tell('unit', { index, set: keys });
  const tell = (/** @type {string} */ why) => toast(why, true);
  const task = TASKS.find((key) => unit[key] !== undefined) ?? 'hold';
  const start = unit.start;
  const place = (/** @type {0 | 1} */ axis, /** @type {string} */ name) => {
    const input = h('input', { type: 'number', min: 0, required: true, value: start[axis] });
    return row(
      name,
      settle(
        input,
        (value) => {
          // The other one may have changed since this field was made.
          const [x, y] = store.doc?.units[index]?.start ?? start;
          return set({ start: axis ? [x, value] : [value, y] });
        },
        tell,
      ),
    );
  };
  const numbers = NUMBERS.map(([key, usual, min, max, about]) => {
    const input = h('input', {
      type: 'number',
      min,
      max,
      value: unit[key] ?? '',
      placeholder: String(usual),
    });
    return row(
      key,
      settle(input, (value) => set({ [key]: value }), tell),
      about,
    );
  });
  const planner = h('input', {
    type: 'text',
    value: unit.planner ?? '',
    placeholder: 'the scenario’s',
    onchange: () => set({ planner: planner.value.trim() || null }),
  });
  const rounds = h('input', {
    type: 'number',
    min: 1,
    value: unit.rounds ?? '',
    placeholder: '5',
  });
  settle(rounds, (value) => set({ rounds: value }), tell);
  return h(
    'div',
    { class: 'form' },
    row(
      'task',
      select(
        TASKS.map((key) => [key, key]),
        task,
        (value) => changeTask(store, tools, index, unit, value),
      ),
      'What it is to do',
    ),
    targets(unit).length > 0 &&
      h(
        'p',
        { class: 'list' },
        `${task}: `,
        targets(unit).flatMap(([x, y], i, all) => [
          `(${x}, ${y}) `,
          // The last one stays: a unit that visits nothing has another task.
          all.length > 1 &&
            remove(`Remove goal ${i + 1} at ${x}, ${y}`, () => set({ goals: all.filter((_, other) => other !== i) })),
        ]),
      ),
    targets(unit).length > 0 &&
      h(
        'button',
        { onclick: () => tools.ask((cell) => tools.aim(cell)) },
        icon('target'),
        task === 'goals' ? 'Add a goal on the map' : 'Choose another on the map',
      ),
    h(
      'div',
      { class: 'fields' },
      place(0, 'x'),
      place(1, 'y'),
      task === 'patrol' && row('rounds', rounds),
      numbers,
      row(
        'heading',
        select(
          [
            ['', 'N (usual)'],
            ['N', 'N'],
            ['E', 'E'],
            ['S', 'S'],
            ['W', 'W'],
          ],
          unit.heading ?? '',
          (value) => set({ heading: value || null }),
        ),
        'Which way it faces at the start, if it is a car or turns where it stands',
      ),
      row(
        'turns',
        select(
          [
            ['', 'no'],
            ['yes', 'yes'],
          ],
          unit.turns ? 'yes' : '',
          (value) => set({ turns: value === 'yes' || null }),
        ),
        'It turns where it stands before it goes; uniform timing',
      ),
    ),
    row('planner', planner, 'A planner of its own'),
    h('button', { class: 'wide', onclick: () => tools.remove(index) }, icon('remove'), 'Remove this unit'),
  );
}

/**
 * A task that needs a cell asks for it on the map, unless there is one already.
 * @param {Store} store
 * @param {Tools} tools
 * @param {number} index
 * @param {DocUnit} unit
 * @param {string} task
 */
function changeTask(store, tools, index, unit, task) {
  /** @param {unknown} value */
  const set = (value) => store.tell('unit', { index, set: { [task]: value } });
  if (task === 'explore' || task === 'errands' || task === 'hold') return set(true);
  const [first] = targets(unit);
  const cell = (/** @type {Cell} */ place) => set(task === 'goals' ? [place] : place);
  return first ? cell(first) : tools.ask(cell);
}
