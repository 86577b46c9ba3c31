// Colours that also people with poor colour vision can tell apart: Okabe and Ito's for teams and runs, viridis for
// amounts, and a blue-white-orange scale for signed ones.

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Teams by number; blues are lighter on dark ground. */
export const TEAMS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b8a800', '#8a8f98'];
export const TEAMS_ON_DARK = ['#2491d9', '#e69f00', '#00ad7f', '#d68bb3', '#9ad4f7', '#d9540f', '#d6c62a', '#9aa0a9'];

/** So many teams are offered to choose from; more share colours. */
export const OFFERED = 6;

/** @param {number} team */
export const teamColour = (team) => (dark.matches ? TEAMS_ON_DARK : TEAMS)[team % TEAMS.length];

/** Runs side by side have the colours of the first teams. */
export const runColour = teamColour;

const VIRIDIS = [
  '#440154',
  '#482878',
  '#3e4989',
  '#31688e',
  '#26828e',
  '#1f9e89',
  '#35b779',
  '#6ece58',
  '#b5de2b',
  '#fde725',
];
const SIGNED = ['#053061', '#2166ac', '#4393c3', '#92c5de', '#f7f7f7', '#fdd0a2', '#fdae6b', '#e6550d', '#a63603'];

/** @param {string} hex @returns {[number, number, number]} */
export function rgb(hex) {
  const number = parseInt(hex.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** A table of 256 colours. @param {string[]} stops */
function scale(stops) {
  const points = stops.map(rgb);
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (points.length - 1);
    const low = Math.min(points.length - 2, Math.floor(at));
    const mix = at - low;
    return /** @type {[number, number, number]} */ (
      points[low].map((part, k) => Math.round(part + (points[low + 1][k] - part) * mix))
    );
  });
}

export const AMOUNTS = scale(VIRIDIS);
export const SIGNED_AMOUNTS = scale(SIGNED);

/** A CSS gradient of a scale, for legends. @param {boolean} signed */
export const gradient = (signed) => `linear-gradient(90deg, ${(signed ? SIGNED : VIRIDIS).join(', ')})`;

/** Masks: shades of dark and light first, as fog and sight have them. */
export const MASKS = ['#6b7280', '#f0c020', '#e39ac4', '#56b4e9', '#d55e00'];

/** What letters mean. */
export const LETTERS = /** @type {const} */ ([
  { letter: '@', name: 'Wall' },
  { letter: '.', name: 'Open' },
  { letter: 'T', name: 'Trees' },
  { letter: 'W', name: 'Water' },
  { letter: 'S', name: 'Swamp' },
]);

export const LIGHT = {
  '.': '#fbfaf7',
  '@': '#4a4f58',
  T: '#5d8a66',
  W: '#8fb9d8',
  S: '#cdbf9a',
  grid: '#00000014',
  ink: '#1d2127',
  paper: '#ecebe6',
  mark: '#c2410c',
};
export const DARK = {
  '.': '#363d47',
  '@': '#0b0d10',
  T: '#2a6642',
  W: '#235a86',
  S: '#94855a',
  grid: '#ffffff14',
  ink: '#eceff3',
  paper: '#16191d',
  mark: '#ff9d5c',
};

/** The colours of the world for the scheme that is on. */
export const world = () => (dark.matches ? DARK : LIGHT);

/** @param {() => void} then */
export const onScheme = (then) => dark.addEventListener('change', then);

/** The colour of a terrain letter. @param {string} letter */
export function letterColour(letter) {
  const colours = world();
  switch (letter) {
    case '.':
    case 'G':
      return colours['.'];
    case 'T':
      return colours.T;
    case 'W':
      return colours.W;
    case 'S':
      return colours.S;
    default:
      return colours['@'];
  }
}
