// node run.mjs FOLDER CASES TICKS: prints the state hash of every case of a file, one on each line. FOLDER holds throng.js and
// throng.wasm, which imports nothing: it could not ask for a clock, a thread or a file if it wanted to.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [folder, cases, ticks] = process.argv.slice(2);
const { load } = await import(pathToFileURL(`${folder}/throng.js`));
const throng = await load(await readFile(`${folder}/throng.wasm`));
for (const line of (await readFile(cases, 'utf8')).split('\n').filter(Boolean)) {
  const [builtin, planner] = line.split(' ');
  const world = throng.builtin(builtin, { planner });
  for (let info = world.info(); !info.done && info.tick < Number(ticks); info = world.info()) world.tick();
  console.log(`0x${world.info().hash.toString(16).padStart(16, '0')}`);
  world.free();
}
