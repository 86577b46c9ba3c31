// Lines over time on a canvas, with a legend and the values under the pointer.

import { h } from './dom.js';
import { runColour, world } from './palette.js';

export class Chart {
  /** @type {number[]} */
  #ticks = [];
  /** @type {(number | null)[][]} */
  #lines = [];
  /** @type {string[]} */
  #names = [];
  #at = -1;

  /** @param {string} title */
  constructor(title) {
    this.title = title;
    this.canvas = h('canvas', { role: 'img', 'aria-label': `${title} over time` });
    this.values = h('span', { class: 'values' });
    this.element = h('figure', { class: 'chart' }, h('figcaption', {}, h('b', {}, title), this.values), this.canvas);
    this.canvas.addEventListener('pointermove', (event) => {
      const part = event.offsetX / Math.max(1, this.canvas.clientWidth);
      this.#at = Math.max(0, Math.min(this.#ticks.length - 1, Math.round(part * (this.#ticks.length - 1))));
      this.draw();
    });
    this.canvas.addEventListener('pointerleave', () => {
      this.#at = -1;
      this.draw();
    });
  }

  /** @param {number[]} ticks @param {(number | null)[][]} lines one per run @param {string[]} names */
  set(ticks, lines, names) {
    this.#ticks = ticks;
    this.#lines = lines;
    this.#names = names;
    this.draw();
  }

  draw() {
    const { canvas } = this;
    const dense = Math.min(2, devicePixelRatio || 1);
    const width = canvas.clientWidth * dense,
      height = canvas.clientHeight * dense;
    if (!width) return;
    canvas.width = width;
    canvas.height = height;
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const known = this.#lines
      .flat()
      .filter((value) => value !== null && Number.isFinite(value))
      .map(Number);
    const high = Math.max(...known, 0),
      low = Math.min(...known, 0);
    const span = high - low || 1,
      pad = 4 * dense;
    const count = this.#ticks.length;
    const px = (/** @type {number} */ i) => (count > 1 ? (i / (count - 1)) * (width - 2) + 1 : width / 2);
    const py = (/** @type {number} */ value) => height - pad - ((value - low) / span) * (height - 2 * pad);
    c.strokeStyle = world().grid;
    c.lineWidth = dense;
    c.beginPath();
    for (const part of [0, 0.5, 1]) {
      c.moveTo(0, py(low + part * span));
      c.lineTo(width, py(low + part * span));
    }
    c.stroke();
    this.#lines.forEach((line, run) => {
      c.strokeStyle = runColour(run);
      c.lineWidth = 1.75 * dense;
      // Lines are told apart without colour, too.
      c.setLineDash(run ? [5 * dense, 3 * dense] : []);
      c.beginPath();
      let pen = false;
      line.forEach((value, i) => {
        if (value === null || value === undefined) {
          pen = false;
          return;
        }
        c[pen ? 'lineTo' : 'moveTo'](px(i), py(value));
        pen = true;
      });
      c.stroke();
    });
    c.setLineDash([]);
    this.#bounds(c, dense, [high, py(high)], [low, py(low)]);
    const at = this.#at < 0 ? count - 1 : this.#at;
    if (this.#at >= 0) {
      c.strokeStyle = world().ink;
      c.lineWidth = dense;
      c.globalAlpha = 0.5;
      c.beginPath();
      c.moveTo(px(at), 0);
      c.lineTo(px(at), height);
      c.stroke();
      c.globalAlpha = 1;
    }
    this.values.replaceChildren(
      ...(count ? [`tick ${this.#ticks[at]} `] : []),
      ...this.#lines.map((line, run) => {
        const part = h('span', { class: run ? 'dashed' : '', title: this.#names[run] }, round(line[at]));
        part.style.borderColor = runColour(run);
        return part;
      }),
    );
  }

  /**
   * How high and how low it goes, at the left edge where lines begin.
   * @param {CanvasRenderingContext2D} c @param {number} dense @param {...[number, number]} bounds value and pixel
   */
  #bounds(c, dense, ...bounds) {
    c.font = `${10 * dense}px system-ui, sans-serif`;
    c.textAlign = 'left';
    c.fillStyle = c.strokeStyle = world().ink;
    for (const [i, [value, y]] of bounds.entries()) {
      if (i && value === bounds[0][0]) continue;
      c.textBaseline = y > c.canvas.height / 2 ? 'bottom' : 'top';
      c.globalAlpha = 0.9;
      c.lineWidth = 3 * dense;
      c.strokeStyle = getComputedStyle(this.canvas).getPropertyValue('--card');
      c.strokeText(round(value), 2 * dense, y);
      c.globalAlpha = 0.65;
      c.fillText(round(value), 2 * dense, y);
    }
    c.globalAlpha = 1;
  }
}

/** @param {number | null | undefined} value */
function round(value) {
  if (value === null || value === undefined) return '–';
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(3);
}
