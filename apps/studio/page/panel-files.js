// Opening, saving and taking away: built-in scenarios, files of the working folder, uploads, downloads and exports.

import { replaced } from './ask.js';
import { fill, h, row, seedField, select, sound } from './dom.js';
import { reason } from './link.js';
import { toast } from './toast.js';

/** @import { Store } from './store.js' */

/** Kinds of export: name, words, and whether a run is needed. */
const EXPORTS = /** @type {const} */ ([
  ['toml', 'Scenario (.toml)', false],
  ['map', 'Map (.map)', false],
  ['png', 'Picture (.png)', true],
  ['svg', 'Picture (.svg)', true],
  ['gif', 'Film (.gif)', true],
  ['trace', 'Trace (.trace)', true],
  ['csv', 'Figures (.csv)', true],
]);

/** How the names of files end that the server knows. */
const KINDS = /\.(toml|map|png|tmx|tmj|yaml|trace)$/;

/** @param {HTMLElement} panel @param {Store} store */
export function filesPanel(panel, store) {
  const { builtins } = store.info;
  let builtin = builtins[0]?.name ?? '';
  const seed = seedField(0);
  const about = h('p', { class: 'about' });
  const choice = select(
    builtins.map(({ name }) => [name, name]),
    builtin,
    (name) => {
      builtin = name;
      told();
    },
  );
  const told = () => {
    about.textContent = builtins.find(({ name }) => name === builtin)?.about ?? '';
  };
  told();
  const files = h('ul', { class: 'files' });
  let listed = '';
  const name = h('input', {
    type: 'text',
    value: store.file,
    'aria-label': 'File name',
    oninput: () => {
      store.file = name.value;
    },
  });
  const upload = h('input', {
    type: 'file',
    accept: '.toml,.map,.png,.tmx,.tmj,.yaml,.trace,text/plain',
    'aria-label': 'Upload a .toml, .map, .png, .tmx, .tmj, .yaml or .trace file',
    onchange: () => send(upload.files?.[0]),
  });
  const exports = h('ul', { class: 'exports' });
  const open = async (/** @type {object} */ keys) => {
    if (!(await store.tell('open', keys))) return;
    if ('file' in keys) await openedFile(String(keys.file));
    else await opened(store);
  };
  const openedFile = async (/** @type {string} */ file) => {
    if (/\.trace$/.test(file)) await recordingOpened(store);
    else await opened(store);
    // A map holds no units: what is drawn on it is saved beside it.
    store.setFile(file.replace(/\.(map|png|tmx|tmj|yaml|trace)$/, '.toml'));
  };
  const send = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    // A map or a scenario may be called anything.
    const called = file.name.replace(/\.\w+$/, (ending) => ending.toLowerCase());
    const name = KINDS.test(called)
      ? called
      : /^type octile/.test(await file.slice(0, 64).text())
        ? `${called}.map`
        : `${called}.toml`;
    if (await store.upload(name, file)) await openedFile(name);
    upload.value = '';
  };
  const list = async () => {
    if (panel.hidden || !store.up) return;
    const answer = await store.tell('files');
    const found = /** @type {{ name: string, bytes: number }[]} */ (answer?.files ?? []);
    // A list that has not changed stays as it is: whoever is about to tap a file does not tap into nothing.
    const now = JSON.stringify(found);
    if (now === listed) return;
    listed = now;
    fill(
      files,
      found.map((file) =>
        h(
          'li',
          {},
          h('button', { class: 'link', onclick: () => open({ file: file.name }) }, file.name),
          h('span', { class: 'size' }, size(file.bytes)),
        ),
      ),
    );
    if (!found.length) fill(files, h('li', { class: 'about' }, 'No scenario or map in the working folder.'));
  };
  panel.append(
    h('h2', {}, 'Open an example'),
    row('built in', choice),
    about,
    row('seed', seed),
    h(
      'button',
      { class: 'wide primary', onclick: () => sound(seed) && open({ builtin, seed: Number(seed.value) }) },
      'Open',
    ),
    h('h2', {}, 'From the working folder'),
    files,
    h('h2', {}, 'Upload'),
    upload,
    h(
      'p',
      { class: 'about' },
      'A scenario (.toml), a map (.map, .png with a pixel for each cell, .tmx or .tmj of Tiled, .yaml of ROS), or a recorded run (.trace).',
    ),
    h('h2', {}, 'Save to the working folder'),
    h(
      'div',
      { class: 'joined' },
      name,
      h(
        'button',
        {
          title: 'Save (Ctrl+s)',
          onclick: () => store.save(replaced),
        },
        'Save',
      ),
    ),
    h('h2', {}, 'Download'),
    exports,
    toml(store, open),
  );
  const draw = () =>
    fill(
      exports,
      exportItems(store),
      store.state.runs.length > 1 && h('li', { class: 'about' }, 'Of the second run:'),
      store.state.runs.length > 1 && exportItems(store, 1),
    );
  store.on('tab', () => {
    list();
    draw();
  });
  store.on('saved', list);
  store.on('file', () => {
    name.value = store.file;
  });
  store.on('runs doc', draw);
  // Of a recording there is no link.
  let was = false;
  store.on('state', () => {
    if (was === store.recorded) return;
    was = store.recorded;
    draw();
  });
  draw();
}

/** What comes after a document was opened: it is run if it can be. @param {Store} store */
export async function opened(store) {
  store.forgetRuns();
  await store.fetch();
  store.select(null);
  store.emit('opened');
  if (store.doc?.errors.length) store.setMode('draw');
  else if (await store.start()) store.emit('opened');
}

/** What comes after a recording was opened: it is shown from its beginning. @param {Store} store */
async function recordingOpened(store) {
  store.forgetRuns();
  await store.fetch();
  store.select(null);
  await store.refresh();
  store.setMode('run');
  store.emit('opened');
}

/** Links to everything that can be taken away. @param {Store} store @param {number} [run] */
export function exportItems(store, run = 0) {
  const runs = store.state.runs.length;
  const tick = () => store.runs[0].motion.last?.tick ?? 0;
  const items = EXPORTS.filter(([, , needs]) => (needs ? runs : run === 0)).map(([kind, words, needs]) => {
    const address = () =>
      store.link.exportAddress(
        kind,
        needs ? { run, ...(kind === 'png' || kind === 'svg' ? { tick: tick() } : {}) } : {},
      );
    const link = h(
      'a',
      {
        href: address(),
        download: '',
        'data-kind': kind,
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          takeAway(address(), words);
        },
      },
      words,
    );
    return h('li', {}, link);
  });
  if (store.state.runs[run]?.recorded) return items;
  const copy = h(
    'button',
    { class: 'link', 'data-kind': 'link', onclick: () => copyLink(store, run) },
    'Copy a link to this run',
  );
  return [...items, h('li', {}, copy)];
}

/** A file for the browser's downloads; what keeps it from being made is told. @param {string} address @param {string} words */
async function takeAway(address, words) {
  const slow = setTimeout(() => toast(`${words}: being made…`), 700);
  try {
    const answer = await fetch(address);
    if (!answer.ok) return toast(await reason(answer), true);
    const [, name] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
    const href = URL.createObjectURL(await answer.blob());
    h('a', { href, download: name ?? '' }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  } catch {
    toast(`${words}: no answer from the server`, true);
  } finally {
    clearTimeout(slow);
  }
}

/** @param {Store} store @param {number} run */
async function copyLink(store, run) {
  const answer = await fetch(store.link.exportAddress('link', { run }));
  if (!answer.ok) return toast(await reason(answer), true);
  const text = (await answer.text()).trim();
  try {
    await navigator.clipboard.writeText(text);
    toast('The link is on the clipboard');
  } catch {
    prompt('The link that reproduces this run:', text);
  }
}

/** @param {Store} store @param {(keys: object) => Promise<void>} open */
function toml(store, open) {
  const text = h('textarea', { rows: 14, spellcheck: 'false', 'aria-label': 'The document as TOML' });
  const show = () => {
    if (document.activeElement !== text && store.doc) text.value = store.doc.toml;
  };
  store.on('doc', show);
  show();
  const section = h(
    'details',
    { class: 'section' },
    h('summary', {}, 'The document as text'),
    text,
    h('button', { onclick: () => open({ toml: text.value }) }, 'Use this text'),
  );
  store.on('line', () => {
    section.open = true;
    const lines = text.value.split('\n').slice(0, store.line);
    const end = lines.join('\n').length;
    text.focus();
    text.setSelectionRange(end - (lines.at(-1)?.length ?? 0), end);
    const tall = parseFloat(getComputedStyle(text).lineHeight);
    text.scrollTop = Math.max(0, (store.line - 4) * tall);
    text.scrollIntoView({ block: 'nearest' });
  });
  return section;
}

/** @param {number} bytes */
const size = (bytes) =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1048576
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1048576).toFixed(1)} MiB`;
