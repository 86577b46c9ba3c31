// A link that reproduces a run carries it after the `#`: document, planner, seed, budget, what was done by hand, and tick.

import { opened } from './panel-files.js';
import { toast } from './toast.js';

/** @import { Store } from './store.js' */

/**
 * @typedef {object} LinkedRun
 * @property {string} toml
 * @property {string} [planner]
 * @property {number} [seed]
 * @property {number | null} [budget]
 * @property {unknown[]} [acts] what was done by hand, as the server tells and takes it
 * @property {number} [tick]
 */

/**
 * What an address carries; null if it carries no run.
 * @param {string} hash
 * @returns {LinkedRun | null}
 * @throws {Error} if it carries one that nobody can read
 */
export function readLink(hash) {
  const text = new URLSearchParams(hash.replace(/^#/, '')).get('run');
  if (text === null) return null;
  let run;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    run = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error('This link is damaged: the run that it carries cannot be read. Was all of it copied?');
  }
  if (typeof run?.toml !== 'string') throw new Error('This link carries no scenario.');
  if (run.seed !== undefined && !Number.isSafeInteger(run.seed))
    throw new Error(`This link carries a seed beyond ${Number.MAX_SAFE_INTEGER}, which would be rounded here.`);
  return run;
}

/** Opens what the address carries; says whether it carried something that could be read. @param {Store} store */
export async function openLink(store) {
  let run;
  try {
    run = readLink(location.hash);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), true);
    forget();
    return false;
  }
  if (!run) return false;
  forget();
  if (!(await store.tell('open', { toml: run.toml }))) return true;
  await opened(store);
  const { planner, seed, budget, acts, tick } = run;
  const keys = Object.fromEntries(
    Object.entries({ planner, seed, budget, acts: acts?.length ? acts : undefined }).filter(
      ([, value]) => value !== undefined && value !== null && value !== '',
    ),
  );
  if ((await store.start(keys)) && tick) await store.tell('seek', { tick });
  return true;
}

/** Whoever loads the page again wants what is there now. */
const forget = () => history.replaceState(null, '', location.pathname + location.search);
