// Layers over the world with their legends, and what else is shown.

import { fill, h, prose, row } from './dom.js';
import { gradient, OFFERED } from './palette.js';
import { sample, STATES } from './units.js';

/** @import { LayerPicture } from './picture.js' */
/** @import { LayerInfo } from './types.js' */
/** @import { Store } from './store.js' */

/** Words for what else is shown. @type {Record<string, string>} */
const SHOWS = { ids: 'numbers', paths: 'ways', goals: 'goals', grid: 'grid' };

/** @param {HTMLElement} panel @param {Store} store */
export function layersPanel(panel, store) {
  const shows = h('div', { class: 'fields' });
  const list = h('div', { class: 'layers' });
  const opacity = h('input', {
    type: 'range',
    min: 10,
    max: 100,
    value: store.layers.opacity * 100,
    oninput: () => {
      store.layers.opacity = Number(opacity.value) / 100;
      store.emit('frame');
    },
  });
  panel.append(
    h('h2', {}, 'Show'),
    shows,
    h('h2', {}, 'Units'),
    h(
      'ul',
      { class: 'legend' },
      STATES.map((words, state) => (state === 4 ? null : h('li', {}, sample(state), words))),
      h('li', {}, sample(8), 'move failed'),
    ),
    h(
      'ul',
      { class: 'legend three' },
      Array.from({ length: OFFERED }, (_, team) => h('li', {}, sample(0, team), `team ${team}`)),
    ),
    h('h2', {}, 'Layers'),
    row('strength', opacity, 'How much of the world the layers hide'),
    list,
  );

  const draw = () => {
    fill(
      shows,
      Object.entries(store.show).map(([key, on]) => {
        const box = h('input', {
          type: 'checkbox',
          checked: on,
          onchange: () => {
            Reflect.set(store.show, key, box.checked);
            store.emit('frame');
          },
        });
        return row(SHOWS[key] ?? key, box);
      }),
    );
    fill(
      list,
      store.info.layers.map((layer) => {
        const box = h('input', {
          type: 'checkbox',
          checked: store.layers.names.includes(layer.name),
          onchange: () => {
            store.layers.names = box.checked
              ? [...store.layers.names, layer.name]
              : store.layers.names.filter((name) => name !== layer.name);
            for (const run of store.runs) run.layers.clear();
            store.askLayers();
            legends();
          },
        });
        return h(
          'div',
          { class: 'layer' },
          h('label', {}, box, h('b', {}, layer.name)),
          h('p', { class: 'about' }, prose(layer.about)),
          layer.name === 'reservations' && ahead(store),
          (layer.levels ?? 0) > 1 && level(store, layer),
          h('div', { 'data-legend': layer.name }),
        );
      }),
    );
    legends();
  };
  const legends = () => {
    for (const layer of store.info.layers) {
      const place = list.querySelector(`[data-legend="${CSS.escape(layer.name)}"]`);
      if (!place) continue;
      const shown = store.runs[0].layers.get(layer.name);
      const on = store.layers.names.includes(layer.name);
      place.parentElement?.classList.toggle('on', on);
      if (!on) fill(place);
      else if (store.mode === 'draw') fill(place, h('p', { class: 'hint' }, inDrawing(store)));
      else if (!shown) fill(place, h('p', { class: 'hint' }, nothing(store)));
      else if (isEmpty(shown)) fill(place, h('p', { class: 'hint' }, 'Nothing to show here.'));
      else fill(place, legend(store, layer, shown));
      if (on && shown?.amounts && layer.levels)
        upTo(store, place.parentElement, Math.min(layer.levels, shown.amounts.high));
    }
  };
  let late = false;
  store.on('layer', () => {
    if (late) return;
    late = true;
    setTimeout(() => {
      late = false;
      legends();
    }, 500);
  });
  store.on('shows', draw);
  store.on('mode runs', legends);
  draw();
}

/** Why nothing shows in the drawing, and the way to where it does. @param {Store} store */
function inDrawing(store) {
  if (!store.state.runs.length) return 'Layers are about a run: press play first.';
  const show = h('button', { class: 'link', onclick: () => store.setMode('run') }, 'Show the run');
  return h('span', {}, 'Layers are about the run, and this is the drawing. ', show);
}

/** @param {Store} store @param {LayerInfo} layer @param {LayerPicture} shown */
function legend(store, { name, levels = 0 }, { amounts, arrows, signed }) {
  const parts = [];
  if (levels && amounts) {
    const level = Math.min(store.layers.level, Math.max(1, amounts.high));
    parts.push(
      h('p', { class: 'scale' }, `Level ${level} of ${amounts.high}.`),
      h('p', { class: 'hint' }, 'Cells of one colour are one node. Which colour it is means nothing.'),
    );
  } else if (amounts?.shape === 'scalar') parts.push(scale(amounts.low, amounts.high, signed));
  if (amounts?.shape === 'mask') {
    const mark = h('i', { class: 'swatch-mark' });
    mark.style.background = store.maskColour(name);
    parts.push(h('p', { class: 'hint' }, mark, 'Cells of this colour, walls with stripes of it.'));
  }
  if (arrows) parts.push(h('p', { class: 'hint' }, '→ Arrows point where it goes.'));
  return parts;
}

/** Whether no cell of a layer has anything. @param {LayerPicture} shown */
export const isEmpty = ({ amounts, arrows }) =>
  [amounts, arrows].every(
    (frame) =>
      !frame ||
      (frame.shape === 'scalar' && frame.low === 0 && frame.high === 0) ||
      !frame.values.some((value) => value > 0),
  );

/** Why a layer that was asked for does not show. @param {Store} store */
function nothing(store) {
  if (!store.state.runs.length) return 'Layers are about a run: press play first.';
  if (store.recorded) return 'Recordings do not tell this.';
  const chosen = store.selection && 'unit' in store.selection;
  return chosen
    ? 'This run has nothing to show here.'
    : 'Nothing to show yet; some layers are about one unit: choose it.';
}

/** Reservations of how many steps from now. @param {Store} store */
function ahead(store) {
  const words = () => (store.layers.ahead ? `${store.layers.ahead} steps from now` : 'now');
  const told = h('output', {}, words());
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: 64,
    value: store.layers.ahead,
    'aria-label': 'Reservations of how many steps ahead',
    oninput: () => {
      store.layers.ahead = Number(slider.value);
      told.textContent = words();
      store.askLayers();
    },
  });
  return h('label', { class: 'dial' }, h('span', {}, 'when'), slider, told);
}

/** No slider goes beyond the levels that the map has. @param {Store} store @param {HTMLElement | null} place @param {number} most */
function upTo(store, place, most) {
  const slider = place?.querySelector('input[type="range"]');
  if (!(slider instanceof HTMLInputElement) || most < 1 || Number(slider.max) === most) return;
  const told = slider.nextElementSibling;
  slider.max = String(most);
  slider.value = String(Math.min(most, store.layers.level));
  if (told) told.textContent = slider.value;
}

/** Which of several levels of a layer. @param {Store} store @param {LayerInfo} layer */
function level(store, layer) {
  const now = () => Math.min(layer.levels ?? 1, store.layers.level);
  const told = h('output', {}, String(now()));
  const slider = h('input', {
    type: 'range',
    min: 1,
    max: layer.levels,
    value: now(),
    'aria-label': `Level of ${layer.name}`,
    oninput: () => {
      store.layers.level = Number(slider.value);
      told.textContent = slider.value;
      store.askLayers();
    },
  });
  return h('label', { class: 'dial' }, h('span', {}, 'level'), slider, told);
}

/**
 * What the colours mean. Signed amounts go from blue over white to orange, with the zero where it is, and signs in
 * words, so that nobody has to tell the colours apart.
 * @param {number} low @param {number} high @param {boolean} signed
 */
function scale(low, high, signed) {
  const bar = h('i', { class: 'bar' });
  bar.style.background = gradient(signed);
  if (low === high) return h('p', { class: 'hint' }, `${short(low)} everywhere.`);
  if (!signed) return h('div', { class: 'scale' }, h('span', {}, short(low)), bar, h('span', {}, short(high)));
  const most = Math.max(Math.abs(low), Math.abs(high));
  return h(
    'div',
    { class: 'scale signed' },
    h('span', {}, `−${short(most)}`),
    h('span', { class: 'held' }, bar, h('i', { class: 'zero' }), h('small', {}, '0')),
    h('span', {}, `+${short(most)}`),
  );
}

/** @param {number} value */
const short = (value) =>
  Math.abs(value) >= 1000 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
