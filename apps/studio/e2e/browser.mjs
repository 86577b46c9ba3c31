// A browser and a server to test with: the mock, or a real one named by STUDIO_URL. Chromium's place: CHROMIUM.

import { chromium } from 'playwright-core';
import { serve } from './mock.mjs';

export const REAL = process.env.STUDIO_URL;

/** So many times slower than this machine is the browser (STUDIO_SLOW): tests must not depend on how fast it is. */
export const SLOW = Number(process.env.STUDIO_SLOW ?? 1);

export async function begin() {
  const server = REAL ? { url: REAL.replace(/\/$/, ''), close: () => {} } : await serve();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  return {
    server,
    browser,
    end: async () => {
      await browser.close();
      server.close();
    },
  };
}

let rooms = 0;

/**
 * A page in a room of its own (at a real server: in few rooms, as it has only eight), past the tour, with its errors
 * kept.
 */
export async function visit(
  { browser, server },
  {
    width = 1280,
    height = 800,
    room = REAL ? 'e2e' : `e2e-${++rooms}`,
    touch = false,
    tour = false,
    scheme = 'light',
  } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    colorScheme: scheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (!tour) await context.addInitScript(() => localStorage.setItem('throng-studio-tour', 'yes'));
  context.setDefaultTimeout(30000 * SLOW);
  const page = await context.newPage();
  if (SLOW > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOW });
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const query = new URLSearchParams({ room, ...(process.env.STUDIO_TOKEN ? { token: process.env.STUDIO_TOKEN } : {}) });
  await page.goto(`${server.url}/?${query}`);
  await page.waitForFunction(() => window.studio?.store.doc);
  // Whoever comes to an empty room sees an example play: nobody acts before it does.
  await page.evaluate(() => window.studio.ready);
  return { page, context, errors, room };
}

/** One command, past the page. */
export const tell = (page, name, keys = {}) =>
  page.evaluate(([n, k]) => window.studio.store.link.ask(n, k), [name, keys]);

/** The example, run from the start and paused. */
export async function example(page, name = 'bridge') {
  await tell(page, 'open', { builtin: name, seed: 0 });
  await page.evaluate(() => window.studio.store.fetch());
  await page.evaluate(() => window.studio.store.start());
  await page.waitForFunction(
    () => window.studio.store.state.runs.length > 0 && window.studio.store.runs[0].motion.last,
  );
}

/** 1,000 units on 1024 by 1024, run from the start and paused. */
export async function large(page, planner = 'pibt') {
  if (!REAL) return example(page, 'large');
  await tell(page, 'new', { width: 1024, height: 1024 });
  await tell(page, 'save', { file: 'large.map', overwrite: true });
  const units = Array.from({ length: 1000 }, (_, i) => {
    const x = 4 + (i % 40) * 4,
      y = 40 + Math.floor(i / 40) * 38;
    return `[[unit]]\nstart = [${x}, ${y}]\ngoal = [${1023 - x}, ${y + 7}]\n`;
  });
  const head = `name = "large"\nplanner = "${planner}"\nticks = 3000\nmap_file = "large.map"\n`;
  await tell(page, 'open', { toml: head + units.join('') });
  await page.evaluate(() => window.studio.store.start());
  await page.waitForFunction(() => window.studio.store.runs[0].motion.last?.count === 1000);
}

/** The pixel of a cell's middle on the page, once the view no longer moves. */
export const pixel = (page, x, y) =>
  page.evaluate(
    async ([cx, cy]) => {
      const { views, camera } = window.studio.stage;
      const place = () => JSON.stringify([camera.x, camera.y, camera.scale, views[0].canvas.getBoundingClientRect()]);
      for (let before = '', still = 0; still < 2; still = place() === before ? still + 1 : 0, before = place())
        await new Promise(requestAnimationFrame);
      const box = views[0].canvas.getBoundingClientRect();
      return {
        x: box.left + box.width / 2 + (cx + 0.5 - camera.x) * camera.scale,
        y: box.top + box.height / 2 + (cy + 0.5 - camera.y) * camera.scale,
      };
    },
    [x, y],
  );

/** Presses at one cell and lets go at another. */
export async function drag(page, from, to) {
  const a = await pixel(page, ...from),
    b = await pixel(page, ...to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 4 });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up();
}

/** How often the world is drawn while it plays, over so many milliseconds. */
export const rate = (page, ms) =>
  page.evaluate(
    (span) =>
      new Promise((then) => {
        const { stage, store } = window.studio;
        const frames = stage.frames,
          tick = store.runs[0].motion.last.tick,
          began = performance.now();
        let worst = 0,
          before = began,
          arrived = 0;
        store.on('units', () => arrived++);
        const watch = (now) => {
          worst = Math.max(worst, now - before);
          before = now;
          if (now - began < span) requestAnimationFrame(watch);
        };
        requestAnimationFrame(watch);
        setTimeout(() => {
          const spent = (performance.now() - began) / 1000;
          then({
            pictures_per_second: +((stage.frames - frames) / spent).toFixed(1),
            longest_ms: +worst.toFixed(1),
            unit_frames_per_second: +(arrived / spent).toFixed(1),
            ticks_per_second: +((store.runs[0].motion.last.tick - tick) / spent).toFixed(1),
          });
        }, span);
      }),
    ms,
  );
