// Pictures of every panel, to look at: `node shots.mjs FOLDER`. At a real server also those of the README: studio-inspect.png
// and studio-compare.png.

import { mkdirSync } from 'node:fs';
import { begin, example, REAL, tell, visit } from './browser.mjs';

const folder = process.argv[2] ?? 'shots';
mkdirSync(folder, { recursive: true });
const world = await begin();
const settled = (page) => page.waitForTimeout(900);
/** The room may hold a second run of whoever was here before. */
const alone = async (page) => {
  if ((await tell(page, 'state')).runs.length > 1) await tell(page, 'stop', { run: 1 });
};
for (const [name, size] of Object.entries({
  desktop: { width: 1280, height: 800 },
  dark: { width: 1280, height: 800, scheme: 'dark' },
  phone: { width: 390, height: 844, touch: true },
})) {
  const { page, errors } = await visit(world, { ...size, tour: true });
  const shot = (part) => page.screenshot({ path: `${folder}/${name}-${part}.png` });
  await page.waitForTimeout(1200);
  await shot('tour');
  await page.getByRole('button', { name: 'Skip' }).click();
  await alone(page);
  await example(page);
  await tell(page, 'step', { ticks: 14 });
  await page.evaluate(() => window.studio.store.select({ unit: 7 }));
  for (const tab of ['run', 'map', 'inspect', 'layers', 'compare', 'files']) {
    await page.evaluate((name) => window.studio.tabs.open(name), tab);
    if (tab === 'layers') {
      for (const layer of ['visits', 'directions', 'reservations'])
        await page.locator('.layer', { hasText: layer }).first().getByRole('checkbox').check();
    }
    if (tab === 'compare') {
      await settled(page);
      await shot('compare-empty');
      await page.getByRole('button', { name: 'Run side by side' }).click();
      await tell(page, 'step', { ticks: 20 });
    }
    await settled(page);
    await shot(tab);
    // What is below the fold.
    const more = await page.evaluate(() => {
      const panels = document.querySelector('#panels');
      panels.scrollTop = panels.scrollHeight;
      return panels.scrollTop > 0;
    });
    if (more) await shot(`${tab}-end`);
  }
  for (const tool of ['brush', 'road', 'unit', 'close']) {
    await page.evaluate((name) => {
      window.studio.store.setTool(name);
      document.body.classList.remove('raised');
    }, tool);
    await page.waitForTimeout(300);
    await shot(`tool-${tool}`);
  }
  await page.keyboard.press('?');
  await page.waitForTimeout(200);
  await shot('help');
  if (errors.length) console.log(name, errors);
  await page.context().close();
}
if (REAL) {
  const { page } = await visit(world);
  await alone(page);
  await example(page, 'town');
  await tell(page, 'step', { ticks: 60 });
  await page.evaluate(() => window.studio.store.select({ unit: 30 }));
  await settled(page);
  await page.screenshot({ path: `${folder}/studio-inspect.png` });
  await example(page);
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'Run side by side' }).click();
  await tell(page, 'step', { ticks: 110 });
  await settled(page);
  await page.screenshot({ path: `${folder}/studio-compare.png` });
  await tell(page, 'stop', { run: 1 });
}
await world.end();
