// Play, pause, step and the bar to scrub over the run.

import { h, select } from './dom.js';
import { icon } from './icons.js';

/** @import { Store } from './store.js' */

const SPEEDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** @param {HTMLElement} element @param {Store} store */
export function transport(element, store) {
  /** @param {string} name @param {string} words @param {() => void} act */
  const button = (name, words, act) =>
    h('button', { class: 'tool', 'aria-label': words, title: words, onclick: act }, icon(name));
  const play = button('play', 'Play (space)', () => toggle(store));
  play.id = 'play';
  const bar = h('input', { type: 'range', id: 'scrub', min: 0, max: 0, value: 0, 'aria-label': 'Tick of the run' });
  const tick = h('output', { id: 'tick', 'aria-label': 'Tick' }, '0');
  const speed = select(
    SPEEDS.map((value) => [String(value), `${value}/s`]),
    '10',
    (value) => {
      store.speed = Number(value);
      if (store.state.playing) store.tell('play', { speed: Number(value) });
    },
    { 'aria-label': 'Ticks per second', id: 'speed' },
  );
  element.append(
    button('rerun', 'Run anew (r)', () => store.start()),
    button('back', 'One tick back (,)', () => step(store, -1)),
    play,
    button('step', 'One tick (.)', () => step(store, 1)),
    bar,
    tick,
    speed,
  );

  let held = false,
    wanted = -1,
    busy = false;
  const seek = async () => {
    if (busy || wanted < 0) return;
    busy = true;
    const to = wanted;
    wanted = -1;
    await store.tell('seek', { tick: to });
    busy = false;
    seek();
  };
  bar.addEventListener('input', () => {
    store.setMode('run');
    wanted = Number(bar.value);
    tick.textContent = `${bar.value} / ${bar.max}`;
    seek();
  });
  bar.addEventListener('pointerdown', () => {
    held = true;
  });
  for (const name of ['pointerup', 'pointercancel', 'change'])
    bar.addEventListener(name, () => {
      held = false;
    });

  const draw = () => {
    const { state } = store;
    const now = state.playing ? (store.runs[0].motion.last?.tick ?? state.tick) : state.tick;
    bar.max = String(Math.max(state.last, now));
    bar.disabled = !state.runs.length;
    if (!held && !busy) {
      bar.value = String(now);
      tick.textContent = `${now} / ${bar.max}`;
    }
    const words = state.playing ? 'Pause (space)' : 'Play (space)';
    if (play.title !== words) {
      play.replaceChildren(icon(state.playing ? 'pause' : 'play'));
      play.title = words;
      play.setAttribute('aria-label', words);
    }
    const shown = String(SPEEDS.find((value) => value >= store.speed) ?? 1000);
    if (speed.value !== shown) speed.value = shown;
  };
  store.on('state units', draw);
  draw();
}

/** The next speed up or down. @param {Store} store @param {1 | -1} by */
export function setSpeed(store, by) {
  const at = SPEEDS.findIndex((value) => value >= store.speed);
  const place = Math.max(0, Math.min(SPEEDS.length - 1, (at < 0 ? SPEEDS.length : at) + by));
  store.speed = SPEEDS[place];
  if (store.state.playing) store.tell('play', { speed: store.speed });
  else store.emit('state');
}

/** To the first tick, or the last one that is known. @param {Store} store @param {boolean} last */
export function goToEnd(store, last) {
  if (!store.state.runs.length) return;
  store.setMode('run');
  store.tell('seek', { tick: last ? store.state.last : 0 });
}

/** @param {Store} store */
export function toggle(store) {
  if (store.state.playing) store.tell('pause');
  else store.play();
}

/** @param {Store} store @param {number} by */
export async function step(store, by) {
  if (!store.state.runs.length || (store.stale && by > 0 && store.mode === 'draw')) {
    if (!(await store.start())) return;
  }
  store.setMode('run');
  if (by > 0) store.tell('step', { ticks: by });
  else store.tell('seek', { tick: Math.max(0, store.state.tick + by) });
}
