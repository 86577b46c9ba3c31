// The page: asks the server what there is, puts the parts together, and shows something that moves at once.

import { byId, fill, h } from './dom.js';
import { commands } from './commands.js';
import { comparePanel } from './panel-compare.js';
import { exportItems, filesPanel } from './panel-files.js';
import { reason } from './link.js';
import { hand } from './hand.js';
import { inspectPanel } from './panel-inspect.js';
import { layersPanel } from './panel-layers.js';
import { mapPanel } from './panel-map.js';
import { runPanel } from './panel-run.js';
import { asking, modes, rail } from './rail.js';
import { openLink } from './shared-link.js';
import { Stage } from './stage.js';
import { Store } from './store.js';
import { Tabs } from './tabs.js';
import { toast } from './toast.js';
import { Tools } from './tools.js';
import { isFirstVisit, tour } from './tour.js';
import { transport } from './transport.js';

/** @import { Doc, Info } from './types.js' */

/**
 * The server may not be up yet: asks until it answers.
 * @param {URLSearchParams} query
 * @returns {Promise<Info>}
 */
async function info(query) {
  for (;;) {
    try {
      const token = query.get('token');
      const answer = await fetch(`/api/info${token ? `?token=${encodeURIComponent(token)}` : ''}`);
      if (answer.ok) return await answer.json();
      byId('status').textContent = await reason(answer);
    } catch {
      byId('status').textContent = 'No answer from the server; trying again…';
    }
    await new Promise((then) => setTimeout(then, 1500));
  }
}

async function main() {
  const query = new URLSearchParams(location.search);
  const store = new Store(await info(query), query);
  const tools = new Tools(store);
  const stage = new Stage(byId('stage'), store, tools);
  const tabs = new Tabs(store);
  const goTo = (/** @type {number} */ unit) => stage.goTo(unit);
  runPanel(tabs.panel('run'), store);
  mapPanel(tabs.panel('map'), store, tools);
  inspectPanel(tabs.panel('inspect'), store, tools, goTo);
  layersPanel(tabs.panel('layers'), store);
  const compare = comparePanel(tabs.panel('compare'), store);
  // Before the panel hears of it: a text is scrolled to a line only while it shows.
  store.on('line', () => tabs.open('files'));
  filesPanel(tabs.panel('files'), store);
  rail(byId('rail'), store, stage);
  hand(byId('hand'), store);
  modes(byId('mode'), store);
  asking(byId('asking'), store, tools);
  transport(byId('transport'), store);
  const take = exportMenu(store);
  const { list, help } = commands({ store, stage, tabs, tools, compare, take });
  byId('help').addEventListener('click', help);
  byId('tour').addEventListener('click', () => tour(true));

  store.on('selection', () => {
    if (store.selection && store.tool === 'select') tabs.open('inspect', !matchMedia('(max-width: 760px)').matches);
  });
  store.on('refusal', () => toast(store.refusal ?? '', true));
  store.on('note', () => toast(store.note ?? ''));
  const status = async () => {
    byId('status').textContent = store.up ? '' : 'Connection lost. Trying to reach the server again…';
    const why = store.up ? '' : await store.link.barred();
    if (why && !store.up) byId('status').textContent = why;
  };
  store.on('link', status);
  store.on('doc state mode', () => {
    const { name } = store.doc?.settings ?? {};
    const room = store.link.query.get('room');
    const words = [
      name || 'untitled',
      store.recorded && store.mode === 'run' && 'recording',
      room !== 'main' && `room ${room}`,
    ];
    const title = words.filter(Boolean).join(' · ');
    if (byId('name').textContent !== title) byId('name').textContent = title;
    document.title = name ? `${name} – Throng studio` : 'Throng studio';
  });
  store.on('doc state mode', () => trouble(store, tabs));
  const ready = new Promise((then) => store.once('doc', () => then(first(store))));
  // A link that is opened where the page is already changes only what comes after the `#`.
  addEventListener('hashchange', () => openLink(store));
  tour();
  Reflect.set(window, 'studio', { store, stage, tools, tabs, ready, commands: list });
}

/** Whichever panel is open: that the drawing cannot run, why, and where to read about it. @param {Store} store @param {Tabs} tabs */
function trouble(store, tabs) {
  const button = byId('trouble');
  const errors = store.doc?.errors ?? [];
  button.hidden = !errors.length || (store.recorded && store.mode === 'run');
  if (!errors.length) return;
  const words = errors.length === 1 ? '1 problem' : `${errors.length} problems`;
  button.title = `${errors[0].message} – show what keeps the drawing from running`;
  if (button.dataset.count === words) return;
  button.dataset.count = words;
  fill(button, h('span', {}, 'Cannot run: '), words);
  button.setAttribute('aria-label', `The drawing cannot run: ${words}`);
  button.onclick = () => {
    tabs.open('run');
    byId('panels').scrollTop = 0;
  };
}

/**
 * What one sees first: what the link carries, what the room already holds, or an example that runs.
 * @param {Store} store
 */
async function first(store) {
  if (await openLink(store)) return;
  const { units, undo, rows } = /** @type {Doc} */ (store.doc);
  const empty = !units.length && !undo && !store.state.runs.length && !rows.some((row) => /[^.]/.test(row));
  if (empty && store.info.builtins.some(({ name }) => name === 'bridge')) {
    if (!(await store.tell('open', { builtin: 'bridge', seed: 0 }))) return;
    await store.fetch();
    if (await store.start()) await store.play();
  } else if (isFirstVisit() && !undo && !store.state.playing && !store.state.tick) {
    if (store.state.runs.length || (await store.start())) await store.play();
  } else if (!store.state.runs.length) {
    store.setMode('draw');
  }
}

/** Answers what opens it. @param {Store} store */
function exportMenu(store) {
  const menu = /** @type {HTMLDetailsElement} */ (byId('export'));
  const list = h('ul', { class: 'menu', 'aria-label': 'Export' });
  menu.append(list);
  menu.addEventListener('toggle', () => fill(list, exportItems(store)));
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !menu.querySelector('summary')?.contains(event.target)) menu.open = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') menu.open = false;
  });
  return () => {
    menu.open = true;
    menu.querySelector('summary')?.focus();
  };
}

main();
