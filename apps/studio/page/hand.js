// What the tool in hand does and how it is set, below the world: on phones the panels are out of sight while one draws.

import { fill, h, select } from './dom.js';
import { onScheme } from './palette.js';
import { brushSize, letterChips, taskChoice, teamChips } from './swatches.js';

/** @import { Store, ToolName } from './store.js' */

/** @param {HTMLElement} element @param {Store} store */
export function hand(element, store) {
  let shown = '';
  const size = brushSize(store),
    cells = h('output', {});
  const brush = h('label', { class: 'sized' }, size, cells);
  const letters = h('span', { class: 'swatches', role: 'radiogroup', 'aria-label': 'Terrain in hand' });
  const teams = h('span', { class: 'swatches', role: 'radiogroup', 'aria-label': 'Team in hand' });
  const task = taskChoice(store);
  const said = h('span', {});
  const lanes = count('lanes', 1, store),
    bays = count('bays', 0, store);

  /** @type {Partial<Record<ToolName, HTMLElement[]>>} */
  const parts = {
    brush: [letters, brush],
    line: [letters, brush],
    rectangle: [letters],
    fill: [letters],
    road: [said, lanes, bays],
    unit: [said, task, teams],
    target: [said],
    erase: [said],
    close: [said, brush],
    reopen: [said, brush],
  };
  const words = () => {
    const chosen = store.selection && 'unit' in store.selection ? store.selection.unit : -1;
    switch (store.tool) {
      case 'road':
        return 'Drag along a street';
      case 'unit':
        return store.task === 'hold' || store.task === 'errands' || store.task === 'explore'
          ? 'Click where it starts'
          : 'Press on the start, let go at the goal';
      case 'target':
        return chosen < 0 ? 'Click a unit, then its goal' : `Click the goal of unit ${chosen}`;
      case 'erase':
        return 'Click a unit to remove it';
      case 'close':
        return 'Drag over cells to close them now';
      case 'reopen':
        return 'Drag over cells to open them now';
      default:
        return '';
    }
  };
  const draw = () => {
    const now = parts[store.tool];
    element.hidden = !now;
    if (!now) return;
    said.textContent = words();
    fill(letters, letterChips(store, true));
    fill(teams, teamChips(store, true));
    size.value = String(store.brush);
    cells.textContent = `${store.brush} wide`;
    task.value = store.task;
    // A slider that is dragged stays where it is.
    if (shown !== store.tool) fill(element, now);
    shown = store.tool;
  };
  store.on('tool selection', draw);
  onScheme(draw);
  draw();
}

/** How many of something a road has. @param {'lanes' | 'bays'} what @param {number} least @param {Store} store */
function count(what, least, store) {
  const choice = select(
    Array.from({ length: 5 - least }, (_, i) => [String(least + i), String(least + i)]),
    String(store.road[what]),
    (value) => {
      store.road[what] = Number(value);
    },
    {
      'aria-label': what,
      title: what === 'lanes' ? 'Cells across' : 'Cells to let others pass, on each side of a piece',
    },
  );
  return h('label', { class: 'sized' }, what, choice);
}
