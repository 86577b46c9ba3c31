// A short tour at the first visit; whoever has seen or skipped it is not asked again.

import { h } from './dom.js';

const SEEN = 'throng-studio-tour';

/** Whether nobody has seen or skipped the tour here. */
export const isFirstVisit = () => !localStorage.getItem(SEEN);

/** Where to look, and what to say. */
const STEPS = /** @type {const} */ ([
  [
    '#stage',
    'This is a world',
    'Units find their ways through it without colliding. Drag to look around, turn the wheel or pinch to zoom, click a unit to see what it does and why.',
  ],
  [
    '#transport',
    'Time',
    'Play, pause, take single ticks, or drag the bar to any moment: the run can be replayed as often as you like.',
  ],
  [
    '#rail',
    'Tools',
    'Draw walls, water and trees, place units with their goals, or close cells while it runs and see how everybody copes.',
  ],
  [
    '#tabs',
    'Panels',
    'Choose another planner, make maps, look at layers such as reservations, and run two planners side by side.',
  ],
  ['#help', 'Everything has a key', 'Press ? for all of them. Your work is saved in the working folder by itself.'],
]);

/** @param {boolean} [again] */
export function tour(again = false) {
  if (!again && localStorage.getItem(SEEN)) return;
  let at = 0;
  const title = h('h2', { id: 'tour-title' }),
    text = h('p', {}),
    count = h('span', { class: 'size' });
  const next = h(
    'button',
    {
      class: 'primary',
      onclick: () => {
        at++;
        show();
      },
    },
    'Next',
  );
  const box = h(
    'div',
    {
      class: 'tour',
      role: 'dialog',
      'aria-labelledby': 'tour-title',
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === 'Escape') end();
      },
    },
    title,
    text,
    h('div', { class: 'pair' }, count, h('button', { onclick: () => end() }, 'Skip'), next),
  );
  const light = h('div', { class: 'tour-light', 'aria-hidden': 'true' });
  const end = () => {
    localStorage.setItem(SEEN, 'yes');
    box.remove();
    light.remove();
  };
  const show = () => {
    const step = STEPS[at];
    if (!step) return end();
    const [selector, head, words] = step;
    title.textContent = head;
    text.textContent = words;
    count.textContent = `${at + 1} of ${STEPS.length}`;
    next.textContent = at + 1 === STEPS.length ? 'Begin' : 'Next';
    const target = document.querySelector(selector)?.getBoundingClientRect();
    if (target) {
      Object.assign(light.style, {
        left: `${target.left - 4}px`,
        top: `${target.top - 4}px`,
        width: `${target.width + 8}px`,
        height: `${target.height + 8}px`,
      });
      place(box, target);
    }
    next.focus({ preventScroll: true });
  };
  document.body.append(light, box);
  show();
}

/** Beside what it tells of, and never off the screen. @param {HTMLElement} box @param {DOMRect} target */
function place(box, target) {
  const { width, height } = box.getBoundingClientRect();
  const large = target.width > innerWidth / 2 && target.height > innerHeight / 3;
  let x = target.left + target.width / 2 - width / 2,
    y = target.bottom + 12;
  if (large) y = target.top + target.height / 2 - height / 2;
  else if (target.height > innerHeight / 3) [x, y] = [target.right + 12, target.top + 24];
  else if (y + height > innerHeight - 8) y = target.top - height - 12;
  box.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, x))}px`;
  box.style.top = `${Math.max(8, Math.min(innerHeight - height - 8, y))}px`;
}
