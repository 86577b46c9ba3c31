// One canvas that shows the document or a run.

import * as overlay from './overlay.js';
import { onScheme, world } from './palette.js';
import { Sprites } from './units.js';

/** @import { Cell } from './types.js' */
/** @import { Store } from './store.js' */
/** @import { Camera } from './camera.js' */
/** @import { Tools } from './tools.js' */

export class View {
  canvas;
  /** Where the keyboard's cell is, while it is used. @type {Cell | null} */
  cursor = null;
  #context;
  #sprites = new Sprites();

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} run
   * @param {Store} store
   * @param {Camera} camera
   * @param {Tools} tools
   */
  constructor(canvas, run, store, camera, tools) {
    this.canvas = canvas;
    this.run = run;
    this.store = store;
    this.camera = camera;
    this.tools = tools;
    this.#context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
    onScheme(() => {
      this.#sprites.forget();
      store.drawn.repaint();
      store.runs[run].terrain.repaint();
      store.emit('frame');
    });
  }

  /**
   * The point of the world under a pixel of the page.
   * @param {number} clientX
   * @param {number} clientY
   * @returns {Cell} with fractions
   */
  point(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    return [
      this.camera.x + (clientX - box.left - box.width / 2) / this.camera.scale,
      this.camera.y + (clientY - box.top - box.height / 2) / this.camera.scale,
    ];
  }

  fit() {
    const picture = this.store.picture(this.run);
    if (picture.width)
      this.camera.fit(picture.width, picture.height, this.canvas.clientWidth, this.canvas.clientHeight);
    this.store.emit('frame');
  }

  /** @param {number} now */
  draw(now) {
    const { canvas, store, camera } = this;
    const c = this.#context;
    const dense = Math.min(2, devicePixelRatio || 1);
    const width = Math.round(canvas.clientWidth * dense),
      height = Math.round(canvas.clientHeight * dense);
    if (!width || !height) return false;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const scale = camera.scale * dense;
    const left = Math.round(width / 2 - camera.x * scale),
      top = Math.round(height / 2 - camera.y * scale);
    /** @type {overlay.Sheet} */
    const sheet = { c, scale, px: (x) => left + x * scale, py: (y) => top + y * scale };
    c.fillStyle = world().paper;
    c.fillRect(0, 0, width, height);
    const picture = store.picture(this.run);
    const image = picture.image();
    if (!image) return false;
    /** @type {[number, number, number, number]} */
    const seen = [
      Math.max(0, Math.floor(-left / scale)),
      Math.max(0, Math.floor(-top / scale)),
      Math.min(picture.width, Math.ceil((width - left) / scale)),
      Math.min(picture.height, Math.ceil((height - top) / scale)),
    ];
    // Only what is seen is copied: far cheaper when a large map is looked at from near.
    const [x0, y0, x1, y1] = seen;
    if (x1 <= x0 || y1 <= y0) return false;
    c.imageSmoothingEnabled = scale < 1;
    c.drawImage(image, x0, y0, x1 - x0, y1 - y0, sheet.px(x0), sheet.py(y0), (x1 - x0) * scale, (y1 - y0) * scale);
    const drawing = store.mode === 'draw' || store.state.runs.length === 0;
    if (!drawing) this.#layers(sheet, seen);
    if (store.show.grid && scale / dense >= 12) this.#grid(sheet, seen);
    const moving = drawing ? this.#document(sheet) : this.#units(sheet, now, seen);
    if (store.selection && 'cell' in store.selection) overlay.frame(sheet, store.selection.cell, world().mark);
    if (this.cursor) overlay.frame(sheet, this.cursor, world().ink);
    overlay.preview(sheet, this.tools, store);
    return moving;
  }

  /** @param {overlay.Sheet} sheet @param {[number, number, number, number]} seen */
  #layers(sheet, seen) {
    const { c, scale, px, py } = sheet;
    const [x0, y0, x1, y1] = seen;
    const shown = this.store.layers.names.flatMap((name) => this.store.runs[this.run].layers.get(name) ?? []);
    for (const layer of shown) {
      const image = layer.image();
      if (!image) continue;
      c.globalAlpha = this.store.layers.opacity;
      c.drawImage(image, x0, y0, x1 - x0, y1 - y0, px(x0), py(y0), (x1 - x0) * scale, (y1 - y0) * scale);
      if (layer.amounts?.shape === 'mask')
        overlay.stripes(sheet, layer.amounts, this.store.picture(this.run), layer.mask, seen);
      c.globalAlpha = 1;
      if (layer.signed && layer.amounts) overlay.signs(sheet, layer.amounts, seen);
    }
    // Arrows come last: amounts of other layers must not hide them.
    for (const { arrows } of shown) if (arrows) overlay.arrows(sheet, arrows.values, arrows.width, seen);
  }

  /** @param {overlay.Sheet} sheet @param {[number, number, number, number]} seen */
  #grid({ c, px, py }, [x0, y0, x1, y1]) {
    c.strokeStyle = world().grid;
    c.lineWidth = 1;
    c.beginPath();
    for (let x = x0; x <= x1; x++) {
      c.moveTo(Math.round(px(x)) + 0.5, py(y0));
      c.lineTo(Math.round(px(x)) + 0.5, py(y1));
    }
    for (let y = y0; y <= y1; y++) {
      c.moveTo(px(x0), Math.round(py(y)) + 0.5);
      c.lineTo(px(x1), Math.round(py(y)) + 0.5);
    }
    c.stroke();
  }

  /** @param {overlay.Sheet} sheet */
  #document(sheet) {
    const { store } = this;
    overlay.documentEvents(sheet, store);
    overlay.documentSources(sheet, store);
    if (store.show.goals) overlay.documentTargets(sheet, store);
    for (const [i, unit] of (store.doc?.units ?? []).entries()) {
      const body = unit.body ?? 1,
        x = unit.start[0] + body / 2,
        y = unit.start[1] + body / 2;
      const state = unit.explore || unit.find ? 5 : unit.hold ? 1 : 0;
      this.#sprites.draw(sheet.c, sheet.scale, sheet.px(x), sheet.py(y), state, unit.team ?? 0, body, 255);
      if (store.selection && 'unit' in store.selection && store.selection.unit === i) overlay.ring(sheet, x, y, body);
      if (store.show.ids && sheet.scale >= 9) overlay.number(sheet, i, x, y, body);
    }
    return false;
  }

  /** @param {overlay.Sheet} sheet @param {number} now @param {[number, number, number, number]} seen */
  #units(sheet, now, seen) {
    const [x0, y0, x1, y1] = seen;
    const { store } = this;
    const { motion } = store.runs[this.run];
    const moving = motion.at(now);
    const last = motion.last;
    if (!last) return moving;
    overlay.runTargets(sheet, store, this.run, seen);
    overlay.inspected(sheet, store, this.run);
    const { c, scale, px, py } = sheet;
    for (let i = 0; i < last.count; i++) {
      const x = motion.x[i],
        y = motion.y[i],
        body = last.body[i];
      if (x + body < x0 || y + body < y0 || x - body > x1 || y - body > y1) continue;
      this.#sprites.draw(c, scale, px(x), py(y), last.state[i], last.team[i], body, last.heading[i]);
      if (store.show.ids && scale >= 9) overlay.number(sheet, i, x, y, body);
    }
    const chosen = store.selection && 'unit' in store.selection ? store.selection.unit : -1;
    if (chosen >= 0 && chosen < last.count) overlay.ring(sheet, motion.x[chosen], motion.y[chosen], last.body[chosen]);
    return moving;
  }
}
