// The tools beside the world, and whether the drawing or the run is shown.

import { fill, h } from './dom.js';
import { icon } from './icons.js';

/** @import { Store, ToolName } from './store.js' */
/** @import { Stage } from './stage.js' */
/** @import { Tools } from './tools.js' */

/** @type {[ToolName, string, string][]} tool, words, key */
export const TOOLS = [
  ['select', 'Select and move', 'v'],
  ['brush', 'Brush', 'b'],
  ['line', 'Line', 'l'],
  ['rectangle', 'Rectangle', 'g'],
  ['fill', 'Fill', 'f'],
  ['road', 'Road: drag along a street to open it', 'o'],
  ['unit', 'Place a unit: press on its start, let go at its goal', 'u'],
  ['target', 'Goal of the chosen unit', 't'],
  ['erase', 'Remove units', 'e'],
  ['close', 'Close cells while it runs', 'x'],
  ['reopen', 'Reopen cells while it runs', 'c'],
];

/** @param {HTMLElement} element @param {Store} store @param {Stage} stage */
export function rail(element, store, stage) {
  const buttons = TOOLS.map(([tool, words, key]) => {
    const button = h(
      'button',
      {
        class: 'tool',
        'data-tool': tool,
        'aria-label': words,
        title: `${words} (${key})`,
        onclick: () => store.setTool(tool),
      },
      icon(tool),
    );
    return button;
  });
  /** @param {string} name @param {string} words @param {() => void} act */
  const action = (name, words, act) =>
    h('button', { class: 'tool', 'aria-label': words, title: words, onclick: act }, icon(name));
  element.append(
    ...buttons.slice(0, 1),
    h('hr'),
    ...buttons.slice(1, 9),
    h('hr'),
    ...buttons.slice(9),
    h('hr'),
    action('undo', 'Undo (Ctrl+z)', () => store.tell('undo')),
    action('redo', 'Redo (Ctrl+Shift+z)', () => store.tell('redo')),
    h('hr'),
    action('plus', 'Zoom in (+)', () => stage.zoom(1.4)),
    action('minus', 'Zoom out (−)', () => stage.zoom(1 / 1.4)),
    action('fit', 'Show everything (0)', () => stage.fit()),
  );
  const draw = () => {
    for (const [i, [tool]] of TOOLS.entries()) {
      buttons[i].setAttribute('aria-pressed', String(store.tool === tool));
      buttons[i].disabled = store.recorded && (tool === 'close' || tool === 'reopen');
    }
  };
  store.on('tool state', draw);
  draw();
}

/** Drawing or run. @param {HTMLElement} element @param {Store} store */
export function modes(element, store) {
  const draw = () => {
    const has = store.state.runs.length > 0;
    /** @param {'draw' | 'run'} mode @param {string} words */
    const button = (mode, words) =>
      h(
        'button',
        {
          role: 'radio',
          'aria-checked': String((store.mode === mode && has) || (mode === 'draw' && !has)),
          disabled: mode === 'run' && !has,
          'data-mode': mode,
          onclick: () => store.setMode(mode),
        },
        words,
      );
    fill(element, button('draw', 'Draw'), button('run', 'Run'));
  };
  store.on('mode runs', draw);
  draw();
}

/**
 * What a click would do, in words, while something is being asked for.
 * @param {HTMLElement} element
 * @param {Store} store
 * @param {Tools} tools
 */
export function asking(element, store, tools) {
  const draw = () => {
    element.hidden = !tools.pick;
    fill(
      element,
      tools.asking ? `Choose the cell of ${tools.asking} ` : 'Choose a cell on the map ',
      h('button', { class: 'small', onclick: () => tools.cancel() }, 'Cancel'),
    );
  };
  store.on('tool', draw);
  draw();
}
