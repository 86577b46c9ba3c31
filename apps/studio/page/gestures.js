// Mouse, pen, touch and wheel on a view: either the tool's, or moving and zooming.

import { byId } from './dom.js';
import { LETTERS } from './palette.js';

/** @import { Cell } from './types.js' */
/** @import { View } from './view.js' */

/** Pixels a finger may slip and still have tapped. */
const SLIP = 6;

/** @param {View} view */
export function gestures(view) {
  const { canvas, camera, store, tools } = view;
  /** @type {Map<number, { x: number, y: number }>} */
  const pressed = new Map();
  /** @type {'none' | 'tool' | 'pan' | 'pinch'} */
  let doing = 'none';
  let slipped = 0;
  /** The cell under the mouse. @type {Cell | null} */
  let under = null;

  const moved = () => {
    const { width, height } = store.picture(view.run);
    camera.hold(width, height);
    store.emit('frame');
  };
  /** @param {PointerEvent} event @returns {Cell} */
  const cellOf = (event) => {
    const [x, y] = view.point(event.clientX, event.clientY);
    return [Math.floor(x), Math.floor(y)];
  };

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    view.cursor = null;
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
    slipped = 0;
    if (pressed.size === 2) {
      tools.cancel();
      doing = 'pinch';
    } else if (pressed.size === 1) {
      const cell = cellOf(event);
      doing = event.button === 0 && tools.wants(cell) ? 'tool' : 'pan';
      if (doing === 'tool') tools.down(cell);
    }
  });

  canvas.addEventListener('pointermove', (event) => {
    const before = pressed.get(event.pointerId);
    if (event.pointerType === 'mouse') readout(view, (under = cellOf(event)));
    if (!before) return;
    const dx = event.clientX - before.x,
      dy = event.clientY - before.y;
    if (doing === 'tool') {
      tools.move(cellOf(event));
    } else if (doing === 'pan') {
      slipped += Math.hypot(dx, dy);
      if (slipped > SLIP) {
        if (store.follow) store.setFollow(false);
        camera.pan(dx, dy);
        moved();
      }
    } else if (doing === 'pinch') {
      const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const box = canvas.getBoundingClientRect();
        const apart = Math.hypot(before.x - other.x, before.y - other.y);
        const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        const mx = (event.clientX + other.x) / 2 - box.left - box.width / 2,
          my = (event.clientY + other.y) / 2 - box.top - box.height / 2;
        camera.pan(dx / 2, dy / 2);
        if (apart > 8) camera.zoom(now / apart, mx, my);
        moved();
      }
    }
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });

  /** @param {PointerEvent} event */
  const release = (event) => {
    if (!pressed.delete(event.pointerId)) return;
    const [px, py] = view.point(event.clientX, event.clientY);
    /** @type {Cell} */
    const cell = [Math.floor(px), Math.floor(py)];
    if (doing === 'tool') {
      tools.up(cell, px, py, view.run);
    } else if (doing === 'pan' && slipped <= SLIP && event.button === 0) {
      tools.down(cell);
      tools.up(cell, px, py, view.run);
    }
    // The finger that stays after a pinch does nothing until it is lifted, too.
    doing = 'none';
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', (event) => {
    pressed.delete(event.pointerId);
    tools.cancel();
    doing = 'none';
  });
  canvas.addEventListener('pointerleave', () => {
    under = null;
    byId('readout').textContent = '';
  });
  view.store.on('terrain doc', () => under && readout(view, under));
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015) * (event.deltaMode ? 20 : 1));
      camera.zoom(factor, event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
      moved();
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', (event) => cursor(event, view));
}

/**
 * The keyboard's cell: arrows move it, Enter presses (and presses again to let go), Shift and arrows move the view.
 * @param {KeyboardEvent} event
 * @param {View} view
 */
function cursor(event, view) {
  const steps = /** @type {Record<string, Cell>} */ ({
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  });
  const { camera, store, tools } = view;
  const step = steps[event.key];
  const { width, height } = store.picture(view.run);
  if (step && event.shiftKey) {
    camera.pan(-step[0] * 60, -step[1] * 60);
    camera.hold(width, height);
  } else if (step) {
    const [x, y] = view.cursor ?? [Math.floor(camera.x), Math.floor(camera.y)];
    const by = event.altKey ? 5 : 1;
    view.cursor = [
      Math.max(0, Math.min(width - 1, x + by * step[0])),
      Math.max(0, Math.min(height - 1, y + by * step[1])),
    ];
    tools.move(view.cursor);
    follow(view);
    readout(view, view.cursor);
  } else if (event.key === 'Enter' && view.cursor) {
    const [x, y] = view.cursor;
    const drags = ['line', 'rectangle', 'road', 'unit'].includes(store.tool) && !tools.pick;
    // Pressed once on a tool that goes from here to there, and again where it ends.
    const held = tools.busy;
    if (!held) tools.down(view.cursor);
    if (held || !drags) tools.up(view.cursor, x + 0.5, y + 0.5, view.run);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  store.emit('frame');
}

/** Says what is on a cell. @param {View} view @param {Cell} cell */
function readout({ store, run }, [x, y]) {
  const letter = store.picture(run).at(x, y);
  const drawing = store.mode === 'draw' || !store.state.runs.length;
  const unit = drawing ? store.docUnitAt([x, y]) : store.runUnitAt(x + 0.5, y + 0.5, run);
  const name = LETTERS.find((each) => each.letter === letter)?.name.toLowerCase() ?? letter;
  const words = letter ? [`${x}, ${y}`, name, unit >= 0 && `unit ${unit}`].filter(Boolean).join(' · ') : '';
  const place = byId('readout');
  if (place.textContent !== words) place.textContent = words;
}

/** Keeps the keyboard's cell in sight. @param {View} view */
function follow({ cursor: cell, canvas, camera }) {
  if (!cell) return;
  const across = canvas.clientWidth / camera.scale / 2 - 1,
    down = canvas.clientHeight / camera.scale / 2 - 1;
  camera.x = Math.max(cell[0] + 1 - across, Math.min(cell[0] + across, camera.x));
  camera.y = Math.max(cell[1] + 1 - down, Math.min(cell[1] + down, camera.y));
}
