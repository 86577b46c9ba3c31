// Generators of maps with all their parameters, and a small picture of what would come out.

import { fill, h, row, seedField, select, sound } from './dom.js';
import { field } from './params.js';
import { Picture } from './picture.js';
import { toast } from './toast.js';

/** @import { Store } from './store.js' */
/** @import { Parameter } from './types.js' */

/**
 * Whoever does not fit the new map is gone: told, as nobody would look for it.
 * @param {{ gone?: number } | null} answer
 */
export function tellGone(answer) {
  const gone = answer?.gone ?? 0;
  if (!gone) return;
  const who = gone === 1 ? '1 unit is gone: it' : `${gone} units are gone: they`;
  toast(`${who} would start off the map. Undo brings ${gone === 1 ? 'it' : 'them'} back.`);
}

/** @param {Store} store */
export function generator(store) {
  const { generators } = store.info;
  let kind = generators[0]?.kind ?? '';
  /** @type {Record<string, number | string>} */
  let values = {};
  const preview = h('canvas', { class: 'preview', role: 'img', 'aria-label': 'Preview of the generated map' });
  const fields = h('div', { class: 'fields' });
  const about = h('p', { class: 'about' });
  const seed = seedField(1, { onchange: () => sound(seed) && look() });
  let late = 0;

  const command = (/** @type {boolean} */ only) => ({
    kind,
    parameters: values,
    seed: Number(seed.value),
    preview: only,
  });
  const look = () => {
    clearTimeout(late);
    late = window.setTimeout(async () => {
      if (!store.up || !preview.offsetParent) return;
      const asked = command(true);
      const map = await store.tell('generate', asked);
      if (!map?.rows) return;
      const picture = new Picture();
      picture.set(new TextEncoder().encode(map.rows.join('')), map.width, map.height);
      const image = picture.image();
      if (!image) return;
      preview.width = map.width;
      preview.height = map.height;
      preview.dataset.kind = asked.kind;
      preview.getContext('2d')?.drawImage(image, 0, 0);
    }, 200);
  };
  /** @param {Parameter} parameter @param {string} value */
  const typed = (parameter, value) =>
    Number.isFinite(Number(value)) && typeof parameter.range !== 'string' && !parameter.range.words
      ? Number(value)
      : value;
  const choose = (/** @type {string} */ name) => {
    kind = name;
    const chosen = generators.find((each) => each.kind === kind);
    values = Object.fromEntries(
      (chosen?.parameters ?? []).map((parameter) => [parameter.name, typed(parameter, String(parameter.default))]),
    );
    about.textContent = chosen?.about ?? '';
    fill(
      fields,
      (chosen?.parameters ?? []).map((parameter) =>
        field(parameter, String(parameter.default), (value) => {
          values[parameter.name] = typed(parameter, value);
          look();
        }),
      ),
      row('seed', seed),
    );
    look();
  };
  choose(kind);
  // The panel was hidden when it was made: look again as soon as it shows.
  new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && look()).observe(preview);
  return h(
    'div',
    { class: 'form' },
    row(
      'kind',
      select(
        generators.map((each) => [each.kind, each.kind]),
        kind,
        choose,
      ),
    ),
    about,
    fields,
    preview,
    h(
      'div',
      { class: 'pair' },
      h(
        'button',
        {
          onclick: () => {
            seed.value = String(Number(seed.value) + 1);
            look();
          },
        },
        'Another',
      ),
      h(
        'button',
        {
          class: 'primary',
          onclick: async () => {
            if (!sound(seed)) return;
            const answer = await store.tell('generate', command(false));
            if (!answer) return;
            tellGone(answer);
            store.select(null);
            store.setMode('draw');
          },
        },
        'Use this map',
      ),
    ),
  );
}
