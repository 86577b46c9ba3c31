// Units of the document by what somebody types, as the server's `find` does it for those of a run.

/** @import { DocUnit } from './types.js' */

/**
 * Which units are meant: by number, by a place that their body covers, or by team.
 * @param {DocUnit[]} units
 * @param {string} text
 */
export function findDrawn(units, text) {
  const number = /^(?:unit)?\s*(\d+)$/.exec(text)?.[1];
  const team = /^team\s*(\d+)$/.exec(text)?.[1];
  const place = /^\(?\s*(\d+)\s*,\s*(\d+)\s*\)?$/.exec(text);
  const [x, y] = place ? [Number(place[1]), Number(place[2])] : [-1, -1];
  return units.flatMap(({ start, body = 1, team: own = 0 }, i) => {
    const here = x >= start[0] && y >= start[1] && x < start[0] + body && y < start[1] + body;
    const meant = number === undefined ? team !== undefined && Number(team) === own : Number(number) === i;
    return here || meant ? [i] : [];
  });
}
