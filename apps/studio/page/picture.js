// Terrain and layers as pictures of one pixel a cell, made once per change and drawn at any scale.

import { AMOUNTS, SIGNED_AMOUNTS, letterColour, rgb } from './palette.js';

/** @import { LayerFrame } from './types.js' */

export class Picture {
  /** @type {HTMLCanvasElement} */
  canvas = document.createElement('canvas');
  /** @type {Uint8Array} */
  letters = new Uint8Array(0);
  width = 0;
  height = 0;
  #stale = true;

  /** @param {Uint8Array} letters @param {number} width @param {number} height */
  set(letters, width, height) {
    // The same map comes again and again; it is drawn once.
    if (width === this.width && height === this.height && letters.every((letter, i) => letter === this.letters[i]))
      return;
    this.letters = letters;
    this.width = width;
    this.height = height;
    this.#stale = true;
  }

  repaint() {
    this.#stale = true;
  }

  /** @param {number} x @param {number} y */
  at(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height
      ? String.fromCharCode(this.letters[y * this.width + x])
      : '';
  }

  /** The picture, up to date; null while there is no map. */
  image() {
    if (!this.width || !this.height) return null;
    if (this.#stale) this.#draw();
    return this.canvas;
  }

  #draw() {
    this.#stale = false;
    this.canvas.width = this.width;
    this.canvas.height = this.height;
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    const image = context.createImageData(this.width, this.height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = Array.from({ length: 256 }, (_, code) => word(rgb(letterColour(String.fromCharCode(code))), 255));
    for (let i = 0; i < pixels.length; i++) pixels[i] = colours[this.letters[i]];
    context.putImageData(image, 0, 0);
  }
}

/** A pixel as a canvas has it in memory. @param {[number, number, number]} colour @param {number} alpha */
const word = ([r, g, b], alpha) => ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;

/**
 * A layer: amounts or a mask as a picture, made when it is looked at, as layers may come faster than they are drawn; or
 * arrows; or both.
 */
export class LayerPicture {
  /** What it told last, whatever it was. @type {LayerFrame} */
  frame;
  /** @type {LayerFrame | null} */
  amounts = null;
  /** @type {LayerFrame | null} */
  arrows = null;
  #canvas = document.createElement('canvas');
  #stale = true;
  #signed;

  /** @param {LayerFrame} frame @param {boolean} signed @param {string} mask its colour, if it is one */
  constructor(frame, signed, mask) {
    this.frame = frame;
    this.#signed = signed;
    this.mask = mask;
    this.set(frame);
  }

  /** @param {LayerFrame} frame */
  set(frame) {
    this.frame = frame;
    if (frame.shape === 'arrows') {
      this.arrows = frame;
    } else {
      this.amounts = frame;
      this.#stale = true;
    }
  }

  /** Whether amounts below zero are among it. */
  get signed() {
    return this.#signed || (this.amounts?.shape === 'scalar' && this.amounts.low < 0);
  }

  /** The picture; null if it has arrows alone. */
  image() {
    if (!this.amounts) return null;
    if (this.#stale) this.#draw(this.amounts);
    return this.#canvas;
  }

  /** @param {LayerFrame} amounts */
  #draw({ width, height, values, shape, low, high }) {
    this.#stale = false;
    if (this.#canvas.width !== width || this.#canvas.height !== height) Object.assign(this.#canvas, { width, height });
    const context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'));
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = new Uint32Array(256),
      { signed } = this;
    for (let value = 1; value < 256; value++) {
      if (shape === 'mask') colours[value] = word(rgb(this.mask), 150);
      else if (signed) colours[value] = word(SIGNED_AMOUNTS[Math.round(127.5 + 127.5 * part(value, low, high))], 185);
      else colours[value] = word(AMOUNTS[value], 185);
    }
    for (let i = 0; i < pixels.length; i++) pixels[i] = colours[values[i]];
    context.putImageData(image, 0, 0);
  }
}

/**
 * Where a byte of a signed layer lies between as far below zero and as far above it as any goes: -1 to 1.
 * @param {number} value 1 to 255 @param {number} low @param {number} high
 */
export function part(value, low, high) {
  const most = Math.max(Math.abs(low), Math.abs(high));
  return most ? (low + ((value - 1) / 254) * (high - low)) / most : 0;
}
