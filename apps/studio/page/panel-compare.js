// Side by side: a second run with another planner, charts of both, and a table.

import { Chart } from './chart.js';
import { fill, h, row, seedField, sound } from './dom.js';
import { runColour } from './palette.js';
import { plannerForm } from './planner.js';

/** @import { Store } from './store.js' */

const CHARTS = ['arrived', 'failed', 'expanded', 'coherence', 'coverage'];
const TITLES = /** @type {Record<string, string>} */ ({ failed: 'failed moves', expanded: 'expanded per tick' });

/** Rows of the summary: the key of `run --json`, and words for it. */
const ROWS = /** @type {const} */ ([
  ['planner', 'planner'],
  ['ticks', 'ticks'],
  ['arrived', 'arrived'],
  ['agents', 'units'],
  ['failed_moves', 'failed moves'],
  ['expanded', 'expanded'],
  ['distance', 'distance'],
  ['collisions', 'collisions'],
  ['seed', 'seed'],
  ['state_hash', 'state hash'],
]);

/** Answers what begins a second run, or ends it. @param {HTMLElement} panel @param {Store} store */
export function comparePanel(panel, store) {
  const { planners } = store.info;
  let spec = planners.find((planner) => planner.name === 'lra')?.name ?? planners[0]?.name ?? '';
  const form = h('div', {}),
    legend = h('p', { class: 'runs' }),
    summary = h('div', { class: 'wide-table' });
  const same = { placeholder: 'the same' };
  const seed = seedField('', { ...same, 'aria-label': 'Seed of the second run' });
  const budget = h('input', { type: 'number', min: 1, ...same, 'aria-label': 'Budget of the second run' });
  const charts = CHARTS.map((name) => new Chart(TITLES[name] ?? name));
  const shown = [
    h('h2', {}, 'Over time'),
    legend,
    ...charts.map((chart) => chart.element),
    h('h2', {}, 'Summary'),
    summary,
  ];
  const results = h('div', {});
  const begin = async () => {
    if (!sound(seed) || !sound(budget)) return;
    if (!store.state.runs.length && !(await store.start())) return;
    const given = Object.entries({ seed, budget }).filter(([, input]) => input.value !== '');
    const keys = Object.fromEntries(given.map(([key, input]) => [key, Number(input.value)]));
    if (await store.compare({ planner: spec, ...keys })) {
      store.setMode('run');
      refresh();
    }
  };
  const end = () => store.tell('stop', { run: 1 });
  const start = h('button', { class: 'primary', onclick: begin }, 'Run side by side');
  const stop = h('button', { onclick: end }, 'End second run');
  const choose = () =>
    fill(
      form,
      plannerForm(store.info, spec, (changed) => {
        spec = changed;
        choose();
      }),
    );
  choose();
  panel.append(
    h('h2', {}, 'Second run'),
    h('p', { class: 'about' }, 'The same scenario under another planner, in step with the first.'),
    form,
    row('seed', seed),
    row('budget', budget, 'Expansions per tick'),
    h('div', { class: 'pair' }, start, stop),
    results,
  );

  const names = () => store.state.runs.map((run) => run.planner);
  const runs = () => {
    stop.disabled = store.state.runs.length < 2;
    const empty = h('p', { class: 'hint' }, 'Charts and figures of the runs show here once something runs.');
    if (!store.state.runs.length) fill(results, empty);
    else if (!results.contains(legend)) fill(results, shown);
    fill(
      legend,
      names().map((name, run) => {
        const line = h('span', { class: run ? 'run dashed' : 'run' }, name);
        line.style.borderColor = runColour(run);
        return line;
      }),
    );
  };
  let busy = false;
  const refresh = async () => {
    if (busy || panel.hidden || !store.up || !store.state.runs.length) return;
    busy = true;
    const [told, rows] = await Promise.all([store.tell('charts', { from: 0 }), store.tell('summary')]);
    busy = false;
    if (told)
      charts.forEach((chart, i) =>
        chart.set(
          told.ticks,
          told.runs.map((/** @type {Record<string, number[]>} */ run) => run[CHARTS[i]] ?? []),
          names(),
        ),
      );
    if (rows) table(summary, rows.rows ?? rows);
  };
  store.on('state', runs);
  setInterval(() => {
    if (store.state.playing) refresh();
  }, 1000);
  store.on('state', () => {
    if (!store.state.playing) refresh();
  });
  store.on('tab', refresh);
  runs();
  return () => (store.state.runs.length > 1 ? end() : begin());
}

/** @param {HTMLElement} place @param {Record<string, unknown>[]} rows */
function table(place, rows) {
  if (!Array.isArray(rows) || !rows.length) return fill(place, h('p', { class: 'about' }, 'Nothing has run yet.'));
  const extra = rows.every((row) => row.tick_us)
    ? [
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, 'µs per tick'),
          rows.map((row) => h('td', {}, String(/** @type {any} */ (row.tick_us)?.mean ?? '–'))),
        ),
      ]
    : [];
  return fill(
    place,
    h(
      'table',
      { class: 'summary' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', {}),
          rows.map((_, run) => h('th', { scope: 'col' }, `run ${run + 1}`)),
        ),
      ),
      h(
        'tbody',
        {},
        ROWS.filter(([key]) => rows.some((row) => row[key] !== undefined)).map(([key, words]) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, words),
            rows.map((row) =>
              h(
                'td',
                {},
                typeof row[key] === 'number' ? Number(row[key]).toLocaleString('en') : String(row[key] ?? '–'),
              ),
            ),
          ),
        ),
        extra,
      ),
    ),
  );
}
