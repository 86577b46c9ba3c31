// Pictures per second with 1,000 moving units on 1024 by 1024: `node fps.mjs`, against the mock or STUDIO_URL. A real server
// is given an empty map, its units by PLANNER; SPEED ticks a second, for SECONDS.

import { begin, large, rate, visit } from './browser.mjs';

const seconds = Number(process.env.SECONDS ?? 5),
  speed = Number(process.env.SPEED ?? 10);
/** Says also whether it was as many pictures as are wanted: that depends on the machine, so that no test does. */
async function measure(name) {
  const { pictures_per_second: pictures, ...others } = await rate(page, seconds * 1000);
  const enough = pictures >= WANTED ? 'at least' : 'LESS THAN';
  console.log(`${name} ${pictures} pictures a second, ${enough} ${WANTED}`, JSON.stringify(others));
}

const WANTED = 30;
const world = await begin();
const { page } = await visit(world);
await large(page, process.env.PLANNER);
await page.evaluate((ticks) => {
  window.studio.store.speed = ticks;
  return window.studio.store.play();
}, speed);
await page.waitForTimeout(1500);
await measure('whole map ');
await page.evaluate(() => {
  window.studio.stage.zoom(6);
});
await measure('six times ');
await page.evaluate(() => {
  window.studio.stage.fit();
  window.studio.store.layers.names = ['visits'];
  window.studio.store.askLayers();
});
if (!process.env.NO_LAYER) await measure('with layer');
await world.end();
