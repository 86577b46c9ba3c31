// Units as small pictures, each drawn once and then copied, so that thousands cost little. What a unit does shows in
// its shape and not in its colour alone: a ring has arrived, a bar waits, a cross is blocked, a diamond explores, a broken ring with
// teeth has failed to move. Teams but the first have their number beside them, where there is room.

import { teamColour, world } from './palette.js';

const MOVES = 0,
  WAITS = 1,
  BLOCKED = 2,
  ARRIVED = 3,
  GONE = 4,
  EXPLORES = 5;

/** Pixels across from which on a team's number can be read. */
const ROOM = 24;

/** Words for the legend. */
export const STATES = ['on its way', 'waits', 'blocked', 'arrived', 'gone', 'explores'];

export class Sprites {
  /** @type {Map<number, HTMLCanvasElement>} */
  #made = new Map();
  #scale = 0;

  forget() {
    this.#made.clear();
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {number} scale device pixels per cell
   * @param {number} x device pixels of its middle @param {number} y @param {number} state @param {number} team @param {number} body @param {number} heading
   */
  draw(context, scale, x, y, state, team, body, heading) {
    if ((state & 7) === GONE) return;
    if (scale !== this.#scale) {
      this.#made.clear();
      this.#scale = scale;
    }
    const side = Math.max(3, scale * body);
    if (side < 6) {
      context.fillStyle = teamColour(team);
      context.fillRect(x - side / 2, y - side / 2, side, side);
      return;
    }
    const key = ((state & 15) << 24) | (team << 16) | (body << 8) | heading;
    let sprite = this.#made.get(key);
    if (!sprite) this.#made.set(key, (sprite = make(Math.ceil(side), state, team, heading)));
    context.drawImage(sprite, Math.round(x - sprite.width / 2), Math.round(y - sprite.height / 2));
  }
}

/** @param {number} side @param {number} state @param {number} team @param {number} heading */
function make(side, state, team, heading) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  c.translate(side / 2, side / 2);
  c.scale(side, side);
  const colour = teamColour(team),
    kind = state & 7;
  c.fillStyle = c.strokeStyle = colour;
  c.lineWidth = 0.14;
  c.lineCap = 'round';
  c.beginPath();
  if (kind === EXPLORES) {
    c.moveTo(0, -0.46);
    c.lineTo(0.46, 0);
    c.lineTo(0, 0.46);
    c.lineTo(-0.46, 0);
    c.closePath();
  } else {
    c.arc(0, 0, kind === ARRIVED ? 0.33 : 0.42, 0, 7);
  }
  if (kind === ARRIVED) c.stroke();
  else c.fill();
  c.strokeStyle = '#fff';
  c.beginPath();
  if (kind === WAITS) {
    c.moveTo(-0.18, 0);
    c.lineTo(0.18, 0);
    c.stroke();
  }
  if (kind === BLOCKED) {
    c.moveTo(-0.16, -0.16);
    c.lineTo(0.16, 0.16);
    c.moveTo(0.16, -0.16);
    c.lineTo(-0.16, 0.16);
    c.stroke();
  }
  if ((kind === MOVES || kind === EXPLORES) && heading < 8) {
    c.rotate((heading * Math.PI) / 4);
    c.moveTo(-0.15, -0.08);
    c.lineTo(0, -0.25);
    c.lineTo(0.15, -0.08);
    c.lineWidth = 0.1;
    c.stroke();
  }
  if (state & 8) {
    // A broken ring with teeth: its colour alone does not tell everybody.
    c.setTransform(side, 0, 0, side, side / 2, side / 2);
    c.strokeStyle = world().mark;
    c.lineWidth = 0.1;
    c.lineCap = 'butt';
    c.setLineDash([0.17, 0.13]);
    c.beginPath();
    c.arc(0, 0, 0.44, 0, 7);
    c.stroke();
    c.setLineDash([]);
    c.beginPath();
    for (let tooth = 0; tooth < 4; tooth++) {
      const turn = (tooth * Math.PI) / 2 + Math.PI / 4;
      c.moveTo(0.28 * Math.cos(turn), 0.28 * Math.sin(turn));
      c.lineTo(0.48 * Math.cos(turn), 0.48 * Math.sin(turn));
    }
    c.stroke();
  }
  if (team && side >= ROOM) {
    c.setTransform(1, 0, 0, 1, side * 0.87, side * 0.85);
    c.font = `700 ${Math.round(side * 0.3)}px system-ui, sans-serif`;
    c.textAlign = 'center';
    c.textBaseline = 'middle';
    c.lineWidth = 2;
    c.strokeStyle = world().paper;
    c.strokeText(String(team), 0, 0, side * 0.26);
    c.fillStyle = world().ink;
    c.fillText(String(team), 0, 0, side * 0.26);
  }
  return canvas;
}

/** One unit as a picture for legends. @param {number} state @param {number} [team] */
export function sample(state, team = 0) {
  const canvas = make(36, state, team, state === MOVES ? 2 : 255);
  canvas.className = 'sample';
  canvas.setAttribute('aria-hidden', 'true');
  return canvas;
}
