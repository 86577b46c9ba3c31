// Making elements: one function, so that panels read like the page they make.

import { icon } from './icons.js';

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * `h('button', { class: 'quiet', onclick: go, 'aria-label': 'Go' }, 'Go')`. Keys that begin with `on` listen; `value`, `checked`
 * and the like are set as properties, all others as attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [keys] @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, keys = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(keys)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (['value', 'checked', 'disabled', 'selected', 'open', 'hidden'].includes(key))
      Reflect.set(element, key, value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** The element with this id, which index.html has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

/** New content for an element. @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children
      .flat()
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
}

/** Words of the server, with what is in backticks as code. @param {string} text */
export function prose(text) {
  return text.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part));
}

/** Whether somebody types into this. @param {EventTarget | null} target */
export function isField(target) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A row of a form. @param {string} name @param {HTMLElement} field @param {string} [about] */
export function row(name, field, about) {
  if (!field.getAttribute('aria-label')) field.setAttribute('aria-label', name);
  return h('label', { class: 'row', title: about }, h('span', {}, name), field);
}

/** A field for a seed: as large as numbers are exact here. @param {number | string} value @param {Record<string, any>} [keys] */
export const seedField = (value, keys = {}) =>
  h('input', { type: 'number', min: 0, max: Number.MAX_SAFE_INTEGER, step: 1, value, ...keys });

/** Whether a field has what it may have; says why if not. @param {HTMLInputElement} input */
export function sound(input) {
  const fits = input.checkValidity();
  input.toggleAttribute('aria-invalid', !fits);
  if (!fits) input.reportValidity();
  return fits;
}

/**
 * A field of a number that the document has: what is refused, here or by the server, falls back to what it was, and why is told.
 * @param {HTMLInputElement} input
 * @param {(value: number | null) => Promise<unknown>} set answers nothing if it was refused; hears null if the field is empty
 * @param {(why: string) => void} tell
 */
export function settle(input, set, tell) {
  let good = input.value;
  const back = () => {
    input.value = good;
    input.removeAttribute('aria-invalid');
  };
  input.addEventListener('change', async () => {
    if (!sound(input)) return;
    const { value } = input;
    if (await set(value === '' ? null : Number(value))) good = value;
    else if (input.value === value) back();
  });
  // Whoever leaves it leaves what it is, and not what it cannot be.
  input.addEventListener('blur', () => {
    if (input.checkValidity()) return;
    tell(`${input.getAttribute('aria-label') ?? 'This'}: ${input.validationMessage}`);
    back();
  });
  return input;
}

/** A small button that takes one of a list away. @param {string} words @param {() => void} act */
export const remove = (words, act) =>
  h('button', { class: 'small', 'aria-label': words, title: words, onclick: act }, icon('remove'));

/**
 * A choice.
 * @param {[string, string][]} options value and words
 * @param {string} value
 * @param {(value: string) => void} changed
 * @param {Record<string, any>} [keys]
 */
export function select(options, value, changed, keys = {}) {
  const element = h(
    'select',
    { ...keys, onchange: () => changed(element.value) },
    options.map(([name, words]) => h('option', { value: name, selected: name === value }, words)),
  );
  return element;
}
