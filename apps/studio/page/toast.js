// Short words at the edge of the page: what was refused, in the server's words, and what was done.

import { byId, h } from './dom.js';

/** @param {string} text @param {boolean} [bad] */
export function toast(text, bad = false) {
  const place = byId('toasts');
  for (const old of place.children) if (old.textContent === text) old.remove();
  const element = h(
    'div',
    { class: bad ? 'toast bad' : 'toast', role: bad ? 'alert' : 'status', onclick: () => element.remove() },
    text,
  );
  place.append(element);
  while (place.childElementCount > 4) place.firstElementChild?.remove();
  setTimeout(() => element.remove(), bad ? 9000 : 3500);
}
