// The stage: one view or two in step, drawn when there is something new and not otherwise.

import { Camera } from './camera.js';
import { h } from './dom.js';
import { gestures } from './gestures.js';
import { runColour } from './palette.js';
import { View } from './view.js';

/** @import { Store } from './store.js' */
/** @import { Tools } from './tools.js' */

export class Stage {
  camera = new Camera();
  /** @type {View[]} */
  views = [];
  /** Pictures drawn so far, for measuring. */
  frames = 0;
  #asked = false;
  #size = '';
  #element;
  #captions;

  /** @param {HTMLElement} element @param {Store} store @param {Tools} tools */
  constructor(element, store, tools) {
    this.store = store;
    this.#element = element;
    this.#captions = [0, 1].map((run) => {
      const caption = h('figcaption', {});
      caption.style.borderColor = runColour(run);
      return caption;
    });
    for (const run of [0, 1]) {
      const canvas = h('canvas', {
        tabindex: 0,
        role: 'application',
        'aria-label': run
          ? 'The second run'
          : 'The world: arrow keys move a cell, Enter uses the tool there, Shift and arrows move the view',
        'aria-keyshortcuts': 'Enter ArrowLeft ArrowRight ArrowUp ArrowDown',
      });
      element.append(h('figure', { hidden: run > 0 }, canvas, this.#captions[run]));
      const view = new View(canvas, run, store, this.camera, tools);
      this.views.push(view);
      gestures(view);
    }
    store.on('frame terrain doc state selection report mode tool shows follow', () => this.ask());
    store.on('runs mode', () => this.#arrange());
    store.on('state', () => this.#caption());
    store.on('terrain doc mode', () => this.#resized());
    store.on('opened', () => {
      this.#size = '';
      this.#resized();
    });
    new ResizeObserver(() => {
      if (this.camera.whole) this.fit();
      else this.ask();
    }).observe(element);
    this.#arrange();
  }

  /** Asks for one more picture. */
  ask() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#draw();
    });
  }

  #draw() {
    this.frames++;
    // One moment for all: whoever is followed and whoever is drawn are where they are at the same time.
    const now = performance.now();
    const { store, camera } = this;
    if (store.follow && store.selection && 'unit' in store.selection && store.mode === 'run') {
      const { motion } = store.runs[store.chosenIn];
      motion.at(now);
      if (store.selection.unit < motion.x.length) {
        camera.whole = false;
        camera.x = motion.x[store.selection.unit];
        camera.y = motion.y[store.selection.unit];
      }
    }
    let moving = false;
    for (const view of this.views) {
      if (view.run > 0 && !this.#both()) continue;
      // Both are moved on, also when the first one is still on its way.
      moving = view.draw(now) || moving;
    }
    if (moving) this.ask();
  }

  #both() {
    return this.store.mode === 'run' && this.store.state.runs.length > 1;
  }

  #arrange() {
    const second = /** @type {HTMLElement} */ (this.#element.children[1]);
    if (second.hidden !== this.#both()) return;
    second.hidden = !this.#both();
    this.#element.classList.toggle('both', this.#both());
    this.#caption();
    this.fit();
  }

  #caption() {
    this.store.state.runs.forEach((run, i) => {
      this.#captions[i].textContent = this.#both()
        ? `${run.planner} · ${run.arrived} of ${run.units} arrived${run.done ? ' · done' : ''}`
        : '';
    });
    if (!this.#both()) this.#captions[0].textContent = '';
  }

  /** A map of another size is shown whole. */
  #resized() {
    const { width, height } = this.store.picture();
    if (`${width}×${height}` === this.#size) return;
    this.#size = `${width}×${height}`;
    this.fit();
  }

  /** Two views stand beside or above each other, whichever shows the map larger. */
  #stack() {
    const { width, height } = this.store.picture();
    const { clientWidth: across, clientHeight: down } = this.#element;
    const beside = Math.min(across / 2 / width, down / height),
      above = Math.min(across / width, down / 2 / height);
    this.#element.classList.toggle('stacked', above > beside);
  }

  fit() {
    this.#stack();
    this.views[0].fit();
    this.ask();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.camera.zoom(factor);
    this.ask();
  }

  /** Shows a unit. @param {number} unit */
  goTo(unit) {
    const { motion } = this.store.runs[this.store.chosenIn];
    const drawn = this.store.doc?.units[unit]?.start;
    if (this.store.mode === 'run' && unit < motion.x.length)
      [this.camera.x, this.camera.y] = [motion.x[unit], motion.y[unit]];
    else if (drawn) [this.camera.x, this.camera.y] = [drawn[0] + 0.5, drawn[1] + 0.5];
    this.camera.scale = Math.max(this.camera.scale, 10);
    this.camera.whole = false;
    this.ask();
  }
}
