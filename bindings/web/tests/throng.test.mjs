// node --test, with THRONG_WEB: a folder with the page, throng.js and throng.wasm. Under Node.js, and in Chromium (CHROMIUM).
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

// Installed for the studio's tests, which come first.
const { chromium } = createRequire(new URL('../../../apps/studio/e2e/package.json', import.meta.url))(
  'playwright-core',
);

const folder = process.env.THRONG_WEB;
const { load, ThrongError } = await import(pathToFileURL(join(folder, 'throng.js')));
const throng = await load(await readFile(join(folder, 'throng.wasm')));

const HALL = `type octile
height 3
width 7
map
.......
...@...
.......
`;

const refused = (status, words) => (why) => {
  assert.ok(why instanceof ThrongError);
  assert.equal(why.status, status);
  assert.match(why.message, words);
  return true;
};

test('units come, go, and do what they are told', () => {
  const world = throng.map(HALL, { planner: 'whca(window=16)' });
  const [one, two] = [
    world.add([0, 1], { goal: [6, 1] }),
    world.add([6, 1], {
      goals: [
        [3, 0],
        [0, 1],
      ],
    }),
  ];
  assert.notEqual(one, two);
  world.tick();
  assert.ok(world.events().some(({ kind, unit, at }) => kind === 'moved' && (unit === one || unit === two) && at));
  world.setOpen([3, 2], false);
  assert.equal(String.fromCharCode(world.terrain()[2 * 7 + 3]), '@');
  for (let k = 0; k < 100 && !world.info().done; k += 1) world.tick(100000);
  assert.deepEqual(
    world.units().map(({ at }) => at),
    [
      [6, 1],
      [0, 1],
    ],
  );
  assert.ok(world.units().every(({ arrived }) => arrived));
  world.order(one, { patrol: [0, 0], rounds: 1 });
  world.setPriority(one, 3);
  world.remove(two);
  world.place(one, [5, 0]);
  assert.deepEqual(
    world.units().map(({ unit, at }) => [unit, at]),
    [[one, [5, 0]]],
  );
  const again = throng.resume(world.save());
  world.tick();
  again.tick();
  assert.equal(world.info().hash, again.info().hash);
  world.free();
  again.free();
});

test('what is wrong is told in words', () => {
  assert.throws(() => throng.builtin('bridges'), refused('bad-input', /bridges/));
  assert.throws(() => throng.builtin('bridge', { planner: 'whca(widow=1)' }), refused('bad-input', /widow/));
  assert.throws(() => throng.map('x', { planner: 'lra' }), refused('bad-input', /line 1: expected `type octile`/));
  assert.throws(() => throng.scenario("map = '.?'"), refused('bad-input', /unknown terrain/));
  const [world, other] = [throng.map(HALL, { planner: 'lra' }), throng.map(HALL, { planner: 'lra' })];
  const unit = world.add([0, 0]);
  assert.throws(() => world.add([0, 0]), refused('refused', /taken/));
  assert.throws(() => world.add([3, 1]), refused('refused', /blocked/));
  assert.throws(() => other.order(unit), refused('no-unit', /in this world/));
  assert.throws(() => world.setOpen([0, 0], false), refused('refused', /taken/));
  world.free();
  assert.throws(() => world.tick(), refused('no-world', /any more/));
  assert.throws(() => throng.resume(new Uint8Array([1, 2, 3])), refused('bad-input', /no saved session/));
  assert.match(throng.version, /^\d+\.\d+\.\d+$/);
});

const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
let server;
let browser;

before(async () => {
  server = createServer(async ({ url }, answer) => {
    const name = url === '/' ? 'index.html' : new URL(url, 'http://x').pathname.slice(1) || 'index.html';
    const bytes = await readFile(join(folder, name)).catch(() => null);
    answer.writeHead(bytes ? 200 : 404, { 'content-type': KINDS[extname(name)] ?? 'text/plain' });
    answer.end(bytes);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test('the page runs a world without a server, as Node.js does', async () => {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`http://127.0.0.1:${server.address().port}/?world=bridge`);
  await page.waitForFunction(() => window.demo?.info().tick > 2, null, { timeout: 60000 });
  await page.click('#run');
  const before = await page.evaluate(() => window.demo.info().tick);
  await page.click('#step');
  const { tick, hash } = await page.evaluate(() => {
    const { tick, hash } = window.demo.info();
    return { tick, hash: String(hash) };
  });
  assert.equal(tick, before + 1);
  const world = throng.builtin('bridge');
  while (world.info().tick < tick) world.tick();
  assert.equal(String(world.info().hash), hash);
  assert.match(await page.textContent('#told'), /tick \d+, \d+ of 40 have arrived/);
  const drawn = await page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(drawn > 3, 'ground, walls and units are drawn');
  assert.deepEqual(errors, []);
});
