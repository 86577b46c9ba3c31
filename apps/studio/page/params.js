// A field for any parameter, made from what the server says of its range.

import { h } from './dom.js';

/** @import { Parameter } from './types.js' */

/** @typedef {{ words: string[], low?: number, high?: number, decimal: boolean, free?: boolean }} Range */

/**
 * "auto or 1 to 256", "0 to 1, with up to four digits after the point", "none or another planner", or an object.
 * @param {Parameter['range']} range
 * @returns {Range}
 */
export function readRange(range) {
  if (typeof range !== 'string') {
    return {
      words: range.words ?? [],
      low: range.whole?.[0] ?? (range.decimal === undefined ? undefined : 0),
      high: range.whole?.[1] ?? range.decimal,
      decimal: range.decimal !== undefined,
    };
  }
  const decimal = /digits after the point/.test(range);
  /** @type {Range} */
  const read = { words: [], decimal };
  for (const part of range.replace(/,.*$/, '').split(' or ')) {
    const numbers = /^(-?[\d.]+) to (-?[\d.]+)$/.exec(part.trim());
    if (numbers) {
      read.low = Number(numbers[1]);
      read.high = Number(numbers[2]);
    } else if (part.trim() === 'another planner') {
      // The server knows them all, with their parameters.
      read.free = true;
    } else if (part.trim()) {
      read.words.push(part.trim());
    }
  }
  return read;
}

/** Whether a value is one the range has. @param {Range} range @param {string} value */
export function within(range, value) {
  if (range.words.includes(value)) return true;
  if (range.free) return value.trim() !== '';
  if (range.low === undefined || range.high === undefined) return range.words.length === 0;
  const number = Number(value);
  return (
    value.trim() !== '' &&
    Number.isFinite(number) &&
    number >= range.low &&
    number <= range.high &&
    (range.decimal || Number.isInteger(number))
  );
}

let lists = 0;

/**
 * The field; `changed` hears values that are in the range only.
 * @param {Parameter} parameter @param {string} value @param {(value: string) => void} changed @returns {HTMLElement}
 */
export function field(parameter, value, changed) {
  const range = readRange(parameter.range);
  const name = parameter.name;
  const numeric = range.low !== undefined;
  // Long names have a line to themselves.
  const shape = name.length > 9 ? 'row whole' : 'row';
  const about = `${parameter.about} (${describe(range)}; default ${parameter.default})`;
  if (!numeric && range.words.length === 2 && range.words.includes('on') && range.words.includes('off')) {
    const box = h('input', {
      type: 'checkbox',
      checked: value === 'on',
      'aria-label': name,
      onchange: () => changed(box.checked ? 'on' : 'off'),
    });
    return h('label', { class: shape, title: about }, h('span', {}, name), box);
  }
  if (!numeric && range.words.length && !range.free) {
    const choice = h(
      'select',
      { 'aria-label': name, onchange: () => changed(choice.value) },
      range.words.map((word) => h('option', { value: word, selected: word === value }, word)),
    );
    return h('label', { class: shape, title: about }, h('span', {}, name), choice);
  }
  const list = range.words.length
    ? h(
        'datalist',
        { id: `words-${++lists}` },
        range.words.map((word) => h('option', { value: word })),
      )
    : null;
  let good = value;
  const input = h('input', {
    value,
    'aria-label': name,
    list: list?.id,
    type: list || !numeric ? 'text' : 'number',
    min: list ? undefined : range.low,
    max: list ? undefined : range.high,
    step: list ? undefined : range.decimal ? 'any' : 1,
    placeholder: list ? describe(range) : undefined,
    onchange: () => {
      const fits = within(range, input.value);
      input.setCustomValidity(fits ? '' : describe(range));
      input.toggleAttribute('aria-invalid', !fits);
      if (!fits) return input.reportValidity();
      good = input.value;
      changed(good);
    },
    // Whoever leaves it leaves what it is, and not what it cannot be.
    onblur: () => {
      if (within(range, input.value)) return;
      input.value = good;
      input.setCustomValidity('');
      input.removeAttribute('aria-invalid');
    },
  });
  return h('label', { class: shape, title: about }, h('span', {}, name), input, list);
}

/** @param {Range} range */
function describe({ words, low, high, free }) {
  const numbers = low === undefined ? [] : [`${low} to ${high}`];
  return [...words, ...numbers, ...(free ? ['another planner'] : [])].join(' or ');
}
