// Panels behind tabs: beside the world on wide screens, a sheet from below on phones.

import { byId, h } from './dom.js';
import { icon } from './icons.js';

/** @import { Store } from './store.js' */

/** @type {[string, string][]} */
export const TABS = [
  ['run', 'Run'],
  ['map', 'Map'],
  ['inspect', 'Inspect'],
  ['layers', 'Layers'],
  ['compare', 'Compare'],
  ['files', 'Files'],
];

export class Tabs {
  /** @type {Map<string, { tab: HTMLElement, panel: HTMLElement }>} */
  #all = new Map();
  /** How far each panel was scrolled when it was left. @type {Map<string, number>} */
  #places = new Map();
  #open = '';
  #store;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
    const bar = byId('tabs'),
      place = byId('panels');
    for (const [name, words] of TABS) {
      const tab = h(
        'button',
        {
          role: 'tab',
          id: `tab-${name}`,
          'aria-controls': `panel-${name}`,
          'aria-selected': 'false',
          tabindex: -1,
          onclick: () => this.press(name),
        },
        icon(name),
        h('span', {}, words),
      );
      const panel = h('div', {
        role: 'tabpanel',
        id: `panel-${name}`,
        'aria-labelledby': `tab-${name}`,
        class: 'panel',
        hidden: true,
        tabindex: -1,
      });
      bar.append(tab);
      place.append(panel);
      this.#all.set(name, { tab, panel });
    }
    bar.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (!step) return;
      const at = TABS.findIndex(([name]) => this.#all.get(name)?.tab === document.activeElement);
      const [next] = TABS[(at + step + TABS.length) % TABS.length];
      this.open(next, true, true);
    });
    this.open('run', false);
  }

  /** @param {string} name @returns {HTMLElement} */
  panel(name) {
    return /** @type {{ panel: HTMLElement }} */ (this.#all.get(name)).panel;
  }

  /** On phones, the open tab's own button lowers the sheet. @param {string} name */
  press(name) {
    const raised = document.body.classList.contains('raised');
    if (raised && !this.panel(name).hidden) document.body.classList.remove('raised');
    else this.open(name);
  }

  /** @param {string} name @param {boolean} [raise] the sheet, on phones @param {boolean} [focus] */
  open(name, raise = true, focus = false) {
    const place = byId('panels');
    this.#places.set(this.#open, place.scrollTop);
    for (const [each, { tab, panel }] of this.#all) {
      panel.hidden = each !== name;
      tab.setAttribute('aria-selected', String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
    }
    if (raise) document.body.classList.add('raised');
    if (name !== this.#open) place.scrollTop = this.#places.get(name) ?? 0;
    this.#open = name;
    if (focus) this.#all.get(name)?.tab.focus();
    this.#store.emit('tab');
  }
}
