// The control panel: planner, seed, budget, rules, terrain and sight of the document, and what keeps it from running.

import { acts } from './acts.js';
import { fill, h, isField, row, select, settle } from './dom.js';
import { icon } from './icons.js';
import { plannerForm } from './planner.js';
import { toast } from './toast.js';

/** @import { Doc, Keys, RunState, Settings } from './types.js' */
/** @import { Store } from './store.js' */

/** Sight as docs/scenario.md has it: key, default, lowest, highest, what it is, what it is if left out. */
const SIGHT = /** @type {const} */ ([
  ['radius', 4, 1, 1024, 'How far units see, in cells', ''],
  ['angle', 360, 1, 360, 'Degrees: a cone in the direction of the last move', ''],
  ['inner', '', 1, 1024, 'How far they see all around, in cells', 'radius'],
  ['fading', '', 1, 100000, 'After so many ticks what was seen is unknown again', 'never'],
  ['team', '', 0, 255, 'Only this team has to see the world, all others know it', 'all'],
]);

const tell = (/** @type {string} */ why) => toast(why, true);

/** @param {HTMLElement} panel @param {Store} store */
export function runPanel(panel, store) {
  const status = h('div', { class: 'status', 'aria-live': 'polite' });
  const anew = h(
    'button',
    {
      class: 'wide primary',
      onclick: async () => {
        if (await store.start()) store.play();
      },
    },
    icon('play'),
    'Run from the start',
  );
  anew.title = 'A new run of the scenario as it is drawn';
  const form = h('div', {});
  panel.append(status, anew, form, acts(store));

  /** @param {Settings} settings */
  const set = (settings) => store.tell('settings', { set: settings });
  /** @param {keyof Settings} group @param {string} key @param {string | number | boolean | null} value */
  const setIn = (group, key, value) =>
    set({ [group]: { .../** @type {Keys} */ (store.doc?.settings[group] ?? {}), [key]: value } });

  const told = () => {
    const { recorded } = store;
    const errors = store.doc?.errors ?? [];
    fill(
      status,
      recorded &&
        h(
          'p',
          { class: 'hint' },
          'This is a recording: it can be looked at and not be changed. Below is the scenario that it is of; run that from the start to change something.',
        ),
      errors.length > 0 && h('p', { class: 'about' }, 'Before it can run:'),
      errors.map((error) => problem(store, error)),
      store.stale &&
        store.state.runs.length > 0 &&
        h(
          'p',
          { class: 'hint' },
          recorded
            ? 'This is no recording of the drawing as it is now. '
            : 'The drawing has changed since this run began. ',
          h('button', { class: 'small', onclick: () => store.start() }, 'Run it anew'),
        ),
      store.state.runs.length === 0 &&
        !errors.length &&
        h('p', { class: 'hint' }, 'Nothing runs yet. Draw as you like, then run it.'),
      store.state.runs.map((run, i) => progress(run, store.state.runs.length > 1 ? `Run ${i + 1}: ` : '')),
      store.state.runs.map((run, i) => (run.error ? h('p', { class: 'problem' }, `Run ${i + 1}: ${run.error}`) : null)),
    );
  };

  let late = false;
  form.addEventListener('focusout', () => setTimeout(() => late && draw()));

  const draw = () => {
    const settings = store.doc?.settings;
    told();
    // Nobody's field is taken away while they type; it is drawn again when they leave it.
    late = isTyping(form);
    if (!settings || late) return;
    const kept =
      document.activeElement instanceof HTMLElement && form.contains(document.activeElement)
        ? document.activeElement.getAttribute('aria-label')
        : null;
    const number = (/** @type {'seed' | 'budget' | 'ticks'} */ key, /** @type {string} */ about) => {
      const input = h('input', {
        type: 'number',
        min: key === 'budget' ? 1 : 0,
        max: key === 'ticks' ? store.info.limits.ticks : Number.MAX_SAFE_INTEGER,
        value: settings[key] ?? '',
        placeholder: key === 'budget' ? 'none' : '',
      });
      return row(
        key,
        settle(input, (value) => set({ [key]: value }), tell),
        about,
      );
    };
    const name = h('input', {
      type: 'text',
      value: settings.name ?? '',
      placeholder: 'untitled',
      onchange: () => set({ name: name.value }),
    });
    const about = h('textarea', {
      rows: 2,
      value: settings.about ?? '',
      placeholder: 'what it is about',
      onchange: () => set({ about: about.value }),
    });
    fill(
      form,
      h('h2', {}, 'Scenario'),
      row('name', name, 'Shown in reports'),
      row('about', about, 'A sentence or two, kept with it'),
      h('h2', {}, 'Planner'),
      plannerForm(store.info, settings.planner ?? '', (planner) => set({ planner })),
      h(
        'div',
        { class: 'fields' },
        number('seed', 'Random numbers come from it: the same seed, the same run'),
        number('budget', 'Expansions per tick; units that did not get their turn wait'),
        number('ticks', 'It ends then at the latest'),
      ),
      section(
        'Rules',
        rules(settings.rules ?? {}, (key, value) => setIn('rules', key, value)),
      ),
      section(
        'Terrain that may be walked on',
        ['swamp', 'water', 'trees'].map((key) =>
          box(key, Boolean(settings.terrain?.[key] ?? key === 'swamp'), (value) => setIn('terrain', key, value)),
        ),
      ),
      section(
        'Sight',
        sight(
          settings.sight ?? null,
          (value) => set({ sight: value }),
          (key, value) => setIn('sight', key, value),
        ),
      ),
    );
    if (kept) /** @type {HTMLElement | null} */ (form.querySelector(`[aria-label="${CSS.escape(kept)}"]`))?.focus();
  };
  store.on('doc', draw);
  store.on('state link', told);
  draw();
}

/** Whether somebody types into a field of a form. @param {HTMLElement} form */
function isTyping(form) {
  const field = document.activeElement;
  return (
    form.contains(field) &&
    isField(field) &&
    !(field instanceof HTMLSelectElement) &&
    !(field instanceof HTMLInputElement && /checkbox|range/.test(field.type))
  );
}

/** What keeps it from running; with its line, if one is to blame. @param {Store} store @param {Doc['errors'][number]} error */
function problem(store, { message, line }) {
  if (!line) return h('p', { class: 'problem' }, message);
  const show = h('button', { class: 'link', onclick: () => store.goToLine(line) }, `Line ${line}`);
  return h('p', { class: 'problem' }, show, ` ${message.replace(`line ${line}: `, '')}`);
}

/** How far a run has come. @param {RunState} run @param {string} name */
function progress(run, name) {
  const words = `${name}${run.arrived} of ${run.units} arrived`;
  const bar = h('progress', { max: Math.max(1, run.units), value: run.arrived, 'aria-label': words });
  return h(
    'div',
    { class: 'progress' },
    h('span', {}, words),
    h('span', { class: 'size' }, `tick ${run.tick}${run.done ? ', done' : ''}`),
    bar,
  );
}

/** @param {string} title @param {HTMLElement[]} fields */
export function section(title, fields) {
  return h('details', { class: 'section', open: true }, h('summary', {}, title), h('div', { class: 'fields' }, fields));
}

/** @param {string} name @param {boolean} value @param {(value: boolean) => void} changed @param {string} [about] */
function box(name, value, changed, about) {
  const input = h('input', { type: 'checkbox', checked: value, onchange: () => changed(input.checked) });
  return row(name.replaceAll('_', ' '), input, about);
}

/** @param {Keys} rules @param {(key: string, value: string | number | boolean) => void} changed */
function rules(rules, changed) {
  return [
    row(
      'moves',
      select(
        [
          ['4', '4 directions'],
          ['8', '8 directions'],
        ],
        String(rules.connectivity ?? 4),
        (value) => changed('connectivity', Number(value)),
      ),
      'Diagonal moves need both straight neighbours open',
    ),
    row(
      'timing',
      select(
        [
          ['uniform', 'uniform: 1 tick a move'],
          ['metric', 'metric: by distance'],
        ],
        String(rules.timing ?? 'uniform'),
        (value) => changed('timing', value),
      ),
    ),
    box(
      'hold_both',
      Boolean(rules.hold_both),
      (value) => changed('hold_both', value),
      'A move holds both its cells while it lasts; uniform timing only',
    ),
    box(
      'follow',
      Boolean(rules.follow),
      (value) => changed('follow', value),
      'Enter a cell while its occupant leaves it the same way',
    ),
  ];
}

/**
 * @param {Keys | null} sight
 * @param {(sight: Keys | null) => void} all
 * @param {(key: string, value: number | boolean | null) => Promise<unknown>} changed
 */
function sight(sight, all, changed) {
  const first = box(
    'must see',
    sight !== null,
    (value) => all(value ? { radius: 4 } : null),
    'Units know only what they have seen',
  );
  if (!sight) return [first];
  return [
    first,
    ...SIGHT.map(([key, usual, min, max, about, without]) => {
      const input = h('input', {
        type: 'number',
        min,
        max,
        value: sight[key] ?? usual,
        placeholder: without,
        required: key === 'radius',
      });
      return row(
        key,
        settle(input, (value) => changed(key, value), tell),
        about,
      );
    }),
    box(
      'line_of_sight',
      Boolean(sight.line_of_sight ?? true),
      (value) => changed('line_of_sight', value),
      'Walls hide what is behind them',
    ),
    box(
      'shared',
      Boolean(sight.shared ?? true),
      (value) => changed('shared', value),
      'A team knows what any of its units has seen',
    ),
    box(
      'map_known',
      Boolean(sight.map_known ?? false),
      (value) => changed('map_known', value),
      'The map is known as it is at first; changes have to be seen',
    ),
  ];
}
