// Planners by their spec, `name(key=value,…)`, and a form for one: built from what the server has, so that a new planner appears by itself.

import { field } from './params.js';
import { h, row, select } from './dom.js';

/** @import { Info } from './types.js' */

/** @param {string} spec @returns {{ name: string, keys: Map<string, string> }} */
export function parse(spec) {
  const match = /^\s*([^(\s]*)\s*(?:\((.*)\))?\s*$/.exec(spec);
  /** @type {Map<string, string>} */
  const keys = new Map();
  for (const pair of (match?.[2] ?? '').split(',')) {
    const [key, value] = pair.split('=');
    if (key.trim() && value !== undefined) keys.set(key.trim(), value.trim());
  }
  return { name: match?.[1] ?? '', keys };
}

/** @param {string} name @param {Map<string, string>} keys */
export function format(name, keys) {
  const inside = [...keys].map(([key, value]) => `${key}=${value}`).join(',');
  return inside ? `${name}(${inside})` : name;
}

/**
 * A form for one planner.
 * @param {Info} info @param {string} spec @param {(spec: string) => void} changed
 */
export function plannerForm(info, spec, changed) {
  const { name, keys } = parse(spec);
  const planner = info.planners.find((each) => each.name === name);
  const choice = select(
    [
      ...(planner ? [] : /** @type {[string, string][]} */ ([[name, name || 'choose…']])),
      ...info.planners.map((each) => /** @type {[string, string]} */ ([each.name, each.name])),
    ],
    name,
    (chosen) => changed(chosen),
    { 'data-key': 'planner' },
  );
  const fields = (planner?.parameters ?? []).map((parameter) =>
    field(parameter, keys.get(parameter.name) ?? String(parameter.default), (value) => {
      if (value === String(parameter.default)) keys.delete(parameter.name);
      else keys.set(parameter.name, value);
      changed(format(name, keys));
    }),
  );
  return h(
    'div',
    // Whose form it is: the choice shows a new name before its form is there.
    { class: 'form', 'data-planner': name },
    row('planner', choice, planner?.about),
    planner && h('p', { class: 'about' }, planner.about, planner.source ? h('cite', {}, planner.source) : null),
    fields.length > 0 && parameters(name, keys.size, fields),
    planner && traits(planner),
  );
}

/** Planners whose parameters somebody has unfolded or folded. @type {Map<string, boolean>} */
const unfolded = new Map();

/** @param {string} name @param {number} changed @param {HTMLElement[]} fields */
function parameters(name, changed, fields) {
  const count = fields.length === 1 ? '1 parameter' : `${fields.length} parameters`;
  const details = h(
    'details',
    {
      open: unfolded.get(name) ?? fields.length <= 4,
      ontoggle: () => unfolded.set(name, details.open),
    },
    h('summary', {}, changed ? `${count}, ${changed} not as usual` : count),
    h('div', { class: 'fields' }, fields),
  );
  return details;
}

/** What it can do and what it promises. @param {import('./types.js').Planner} planner */
function traits(planner) {
  const words = (/** @type {Record<string, unknown> | undefined} */ of) =>
    Object.entries(of ?? {})
      .filter(([, value]) => value === true)
      .map(([key]) => key.replaceAll('_', ' '));
  const can = words(planner.supports),
    promises = words(planner.guarantees);
  if (!can.length && !promises.length) return null;
  return h(
    'details',
    {},
    h('summary', {}, 'supports and guarantees'),
    h(
      'p',
      { class: 'chips' },
      can.map((word) => h('span', { class: 'chip' }, word)),
      promises.map((word) => h('span', { class: 'chip strong' }, word)),
    ),
  );
}
