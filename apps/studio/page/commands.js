// Every command that has a key, in one list: the keyboard and the help dialog both read it.

import { replaced } from './ask.js';
import { h, isField } from './dom.js';
import { LETTERS } from './palette.js';
import { TOOLS } from './rail.js';
import { pickLetter } from './swatches.js';
import { goToEnd, setSpeed, step, toggle } from './transport.js';
import { TABS } from './tabs.js';
import { tour } from './tour.js';

/** @import { Store } from './store.js' */
/** @import { Stage } from './stage.js' */
/** @import { Tabs } from './tabs.js' */
/** @import { Tools } from './tools.js' */

/** @typedef {{ key: string, words: string, act: () => void, group?: string }} Command a group begins with it */

/**
 * @param {{ store: Store, stage: Stage, tabs: Tabs, tools: Tools, compare: () => void, take: () => void }} page
 */
export function commands({ store, stage, tabs, tools, compare, take }) {
  const show = (/** @type {'ids' | 'paths'} */ what) => {
    store.show[what] = !store.show[what];
    store.emit('shows');
  };
  /** @type {Command[]} */
  const list = [
    { group: 'Time', key: ' ', words: 'Play or pause', act: () => toggle(store) },
    { key: '.', words: 'One tick on', act: () => step(store, 1) },
    { key: ',', words: 'One tick back', act: () => step(store, -1) },
    { key: 'Home', words: 'First tick', act: () => goToEnd(store, false) },
    { key: 'End', words: 'Last tick that is known', act: () => goToEnd(store, true) },
    { key: '<', words: 'Slower', act: () => setSpeed(store, -1) },
    { key: '>', words: 'Faster', act: () => setSpeed(store, 1) },
    { key: 'q', words: 'Run side by side, or end the second run', act: compare },
    { key: 'r', words: 'Run anew', act: () => store.start() },
    { key: 'd', words: 'Drawing or run', act: () => store.setMode(store.mode === 'draw' ? 'run' : 'draw') },
    ...TOOLS.map(([tool, words, key], i) => ({
      group: i ? undefined : 'Tools',
      key,
      words,
      act: () => store.setTool(tool),
    })),
    ...LETTERS.map(({ letter, name }, i) => ({
      group: i ? undefined : 'Draw',
      key: String(i + 1),
      words: name,
      act: () => pickLetter(store, letter),
    })),
    {
      key: '[',
      words: 'Smaller brush',
      act: () => {
        store.brush = Math.max(1, store.brush - 1);
        store.emit('tool');
      },
    },
    {
      key: ']',
      words: 'Larger brush',
      act: () => {
        store.brush = Math.min(15, store.brush + 1);
        store.emit('tool');
      },
    },
    { group: 'Change', key: 'Ctrl+z', words: 'Undo', act: () => store.tell('undo') },
    { key: 'Ctrl+Shift+z', words: 'Redo', act: () => store.tell('redo') },
    { key: 'Ctrl+s', words: 'Save into the working folder', act: () => store.save(replaced) },
    { key: 'a', words: 'Take away: pictures, film, trace, link', act: take },
    {
      key: 'Delete',
      words: 'Remove the chosen unit',
      act: () => {
        if (store.mode === 'draw' && store.selection && 'unit' in store.selection) tools.remove(store.selection.unit);
      },
    },
    {
      key: 'Escape',
      words: 'Cancel, or select nothing',
      act: () => {
        if (tools.pick || tools.busy) tools.cancel();
        else store.select(null);
      },
    },
    {
      key: 'n',
      words: 'Follow the chosen unit',
      act: () => store.setFollow(!store.follow),
    },
    {
      key: '/',
      words: 'Find a unit',
      act: () => {
        tabs.open('inspect');
        document.getElementById('find')?.focus();
      },
    },
    { key: 'i', words: 'Numbers of units', act: () => show('ids') },
    { key: 'p', words: 'Ways', act: () => show('paths') },
    { group: 'Look', key: '+', words: 'Zoom in', act: () => stage.zoom(1.3) },
    { key: '-', words: 'Zoom out', act: () => stage.zoom(1 / 1.3) },
    { key: '0', words: 'Show everything', act: () => stage.fit() },
    { key: 'm', words: 'To the map, for arrow keys and Enter', act: () => stage.views[0].canvas.focus() },
    ...TABS.map(([name, words], i) => ({
      group: i ? undefined : 'Panels',
      key: `Shift+${i + 1}`,
      words,
      act: () => tabs.open(name, true, true),
    })),
    { key: '?', words: 'This help', act: () => help(list) },
  ];
  const byKey = new Map(list.map((command) => [command.key, command]));
  document.addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) return;
    // Where signs need AltGr, it is neither Alt nor Ctrl.
    const graph = event.getModifierState('AltGraph');
    const control = (event.ctrlKey || event.metaKey) && !graph;
    if (event.altKey && !graph && (event.key.length > 1 || /[\p{L}\d ]/u.test(event.key))) return;
    if (
      isField(event.target) &&
      !(
        event.target instanceof HTMLInputElement &&
        /range|checkbox/.test(event.target.type) &&
        event.key.length === 1 &&
        event.key !== ' '
      )
    )
      return;
    // A focused button keeps its space bar; a tab that is open has no use for it.
    const open = event.target instanceof HTMLElement && event.target.getAttribute('aria-selected') === 'true';
    if (event.key === ' ' && event.target instanceof HTMLButtonElement && !open) return;
    let name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (name === '=') name = '+';
    // Digits are told by their place, as Shift makes other letters of them; where digits need Shift, they stay digits.
    if (event.shiftKey && /^Digit[1-6]$/.test(event.code) && !/[0-9/?]/.test(name))
      name = `Shift+${event.code.slice(5)}`;
    else if (control && name === 'y') name = 'Ctrl+Shift+z';
    else if (control) name = `Ctrl+${event.shiftKey ? 'Shift+' : ''}${name}`;
    const command = byKey.get(name);
    if (!command) return;
    event.preventDefault();
    command.act();
  });
  return { list, help: () => help(list) };
}

/** @param {Command[]} list */
function groups(list) {
  /** @type {{ name: string, of: Command[] }[]} */
  const all = [];
  for (const command of list) {
    if (command.group) all.push({ name: command.group, of: [] });
    all.at(-1)?.of.push(command);
  }
  return all;
}

/** @param {Command[]} list */
function help(list) {
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-label': 'Keyboard shortcuts', onclose: () => dialog.remove() },
    h(
      'form',
      { method: 'dialog' },
      h('button', { class: 'quiet', onclick: () => setTimeout(() => tour(true)) }, 'Tour'),
      h('button', { class: 'primary', autofocus: true }, 'Close'),
    ),
    h('h2', {}, 'Keyboard'),
    h(
      'p',
      { class: 'about' },
      'With the world in focus: arrows move a cell, Enter uses the tool there (twice for lines, rectangles, roads and units), Shift and arrows move the view. Mouse: wheel zooms, dragging with the right button moves. Touch: two fingers.',
    ),
    h(
      'div',
      { class: 'groups' },
      groups(list).map(({ name, of }) =>
        h(
          'section',
          {},
          h('h3', {}, name),
          h(
            'dl',
            {},
            of.map(({ key, words }) =>
              h('div', {}, h('dt', {}, h('kbd', {}, key === ' ' ? 'Space' : key)), h('dd', {}, words)),
            ),
          ),
        ),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
