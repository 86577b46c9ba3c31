// Smooth motion between frames: a unit is drawn on its way from where the frame before last had it to where the last one has it.

/** @import { UnitsFrame } from './types.js' */

/** Frames further apart than this are shown as they come: nobody wants to watch units glide for seconds. */
const LONGEST = 1200;

export class Motion {
  /** @type {UnitsFrame | null} */
  last = null;
  /** Where everybody is drawn now. */
  x = new Float32Array(0);
  y = new Float32Array(0);
  /** @type {Float32Array} */
  #fromX = new Float32Array(0);
  /** @type {Float32Array} */
  #fromY = new Float32Array(0);
  #came = 0;
  #interval = 1;
  #settled = true;

  /** @param {UnitsFrame} frame @param {number} now milliseconds */
  push(frame, now) {
    const before = this.last;
    if (before && same(before, frame)) {
      this.last = frame;
      return;
    }
    const gap = now - this.#came;
    const glides = before && before.count === frame.count && frame.tick > before.tick && gap < LONGEST;
    if (glides) {
      this.at(now);
      this.#fromX = this.x.slice();
      this.#fromY = this.y.slice();
      for (let i = 0; i < frame.count; i++) {
        // Whoever was set elsewhere jumps there.
        const far = 3 + 2 * (frame.tick - before.tick);
        if (Math.abs(frame.x[i] - before.x[i]) + Math.abs(frame.y[i] - before.y[i]) > far) {
          this.#fromX[i] = frame.x[i];
          this.#fromY[i] = frame.y[i];
        }
      }
      this.#interval = Math.min(LONGEST, 0.6 * this.#interval + 0.4 * gap);
    } else {
      this.#fromX = frame.x;
      this.#fromY = frame.y;
      this.#interval = 100;
    }
    if (this.x.length !== frame.count) {
      this.x = new Float32Array(frame.count);
      this.y = new Float32Array(frame.count);
    }
    this.last = frame;
    this.#came = now;
    this.#settled = false;
  }

  clear() {
    this.last = null;
    this.#settled = true;
  }

  /** Moves `x` and `y` to this moment; says whether there is still something moving. @param {number} now */
  at(now) {
    const frame = this.last;
    if (!frame || this.#settled) return false;
    const part = Math.min(1, (now - this.#came) / Math.max(1, this.#interval));
    for (let i = 0; i < frame.count; i++) {
      this.x[i] = this.#fromX[i] + (frame.x[i] - this.#fromX[i]) * part;
      this.y[i] = this.#fromY[i] + (frame.y[i] - this.#fromY[i]) * part;
    }
    this.#settled = part >= 1;
    return !this.#settled;
  }
}

/**
 * Whether everybody is where they were at that tick: such a frame tells nothing new of where, and nobody's glide is
 * cut short.
 * @param {UnitsFrame} a
 * @param {UnitsFrame} b
 */
function same(a, b) {
  return a.tick === b.tick && a.count === b.count && a.x.every((x, i) => x === b.x[i] && a.y[i] === b.y[i]);
}
