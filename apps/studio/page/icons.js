// Icons as lines on a grid of 24, drawn in the colour of the text around them.

/** @type {Record<string, string>} */
const PATHS = {
  select: 'M5 3l6 16 2.4-6.6L20 10z',
  brush: 'M4 20c3 .6 6-.4 6-3.4a2.6 2.6 0 0 0-5-.8C4.400 17 5 18.500 4 20zM9.500 13.500L19 4l1.500 1.500-9.500 9.500',
  line: 'M5 19L19 5M3.500 19a1.500 1.500 0 1 0 3 0 1.500 1.500 0 1 0-3 0M17.500 5a1.500 1.500 0 1 0 3 0 1.500 1.500 0 1 0-3 0',
  rectangle: 'M4 6h16v12H4z',
  fill: 'M11 3l8 8-7.500 7.500a2 2 0 0 1-2.800 0L4 13.800a2 2 0 0 1 0-2.800zM4 12h14M20.500 15c1 1.600 1.500 2.500 1.500 3.300a1.500 1.500 0 0 1-3 0c0-.8.500-1.700 1.500-3.300z',
  road: 'M8 3L4 21M16 3l4 18M12 4v3M12 10.500v3M12 17v3',
  unit: 'M12 4a4 4 0 1 0 0 8 4 4 0 1 0 0-8M4.500 20c1-4 4-6 7.500-6s6.500 2 7.500 6',
  target: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 7a5 5 0 1 0 0 10 5 5 0 1 0 0-10',
  erase: 'M8 20h12M5 14l8-9 6 5.500L11.500 19H8z',
  close: 'M4 5h16v14H4zM4 12h16M9 5v7M15 12v7',
  reopen: 'M6 20V5l9-2v19l-9-2zM15 5h4v15h-4M11.500 12h.1',
  undo: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  step: 'M5 5l9 7-9 7zM18 5v14',
  back: 'M19 5l-9 7 9 7zM6 5v14',
  rerun: 'M20 12a8 8 0 1 1-2.500-5.800M20 3v5h-5',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  help: 'M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.1M12 2.500a9.500 9.500 0 1 0 0 19 9.500 9.500 0 1 0 0-19',
  export: 'M12 15V4M8 8l4-4 4 4M5 13v6h14v-6',
  run: 'M4 18h16M4 12h16M4 6h16M9 16v4M15 10v4M7 4v4',
  map: 'M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14',
  inspect: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 1 0 0-13M15.500 15.500L21 21',
  layers: 'M12 3l9 5-9 5-9-5zM3 12.500l9 5 9-5M3 17l9 5 9-5',
  compare: 'M4 20V9M9 20V4M15 20v-8M20 20V7',
  files: 'M4 6h6l2 3h8v10H4z',
  follow: 'M12 2v4M12 18v4M2 12h4M18 12h4M12 9a3 3 0 1 0 0 6 3 3 0 1 0 0-6',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
};

/** @param {string} name */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name] ?? '');
  svg.append(path);
  return svg;
}
