// The page in a real browser, against the mock or a real server (STUDIO_URL). Each test opens the example anew.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { begin, drag, example, large, pixel, REAL, SLOW, tell, visit } from './browser.mjs';
import { wire } from './proxy.mjs';

let world;
before(async () => {
  world = await begin();
});
after(async () => {
  await world?.end();
});

/** A test with a page of its own, which must have said nothing bad at the end. */
function on(name, options, run) {
  test(name, { timeout: 60000 * SLOW, ...(options.skip ? { skip: options.skip } : {}) }, async () => {
    const seen = await visit(world, options);
    try {
      await run(seen);
      assert.deepEqual(seen.errors, options.noise ? seen.errors : []);
    } finally {
      await seen.context.close();
    }
  });
}

const letterAt = (page, x, y) => page.evaluate(([cx, cy]) => window.studio.store.drawn.at(cx, cy), [x, y]);
const tick = (page) => page.evaluate(() => window.studio.store.state.tick);
const doc = (page) => tell(page, 'document');
const until = (page, what, arg) => page.waitForFunction(what, arg, { timeout: 15000 * SLOW });

// The mock reads no TOML and no files.
const needsServer = { skip: REAL ? false : 'needs a real server' };

// Nobody has worked in this room, also when the tests are run again.
const untouched = { tour: true, room: `first-${process.pid}` };
on('the first visit shows units that move, and a tour that is shown once', untouched, async ({ page }) => {
  await until(page, () => window.studio.store.state.playing && window.studio.store.state.tick > 2);
  const tour = page.locator('.tour');
  await tour.waitFor();
  for (let step = 0; step < 4; step++) await tour.getByRole('button', { name: 'Next' }).click();
  await tour.getByRole('button', { name: 'Begin' }).click();
  await tour.first().waitFor({ state: 'detached' });
  await page.reload();
  await until(page, () => window.studio?.store.doc);
  await tour.first().waitFor({ state: 'detached' });
});

on('walls are drawn with the brush, taken back and done again', {}, async ({ page }) => {
  await example(page);
  const { width, height } = await doc(page);
  const y = Math.floor(height / 4),
    from = Math.floor(width / 8);
  await tell(page, 'paint', { cells: Array.from({ length: 6 }, (_, i) => [from + i, y]), letter: '.' });
  await page.getByRole('button', { name: 'Brush', exact: true }).click();
  await page.keyboard.press('1');
  await drag(page, [from, y], [from + 5, y]);
  await until(page, ([x, cy]) => window.studio.store.doc.rows[cy].slice(x, x + 6) === '@@@@@@', [from, y]);
  await page.keyboard.press('Control+z');
  await until(page, ([x, cy]) => window.studio.store.doc.rows[cy].slice(x, x + 6) === '......', [from, y]);
  await page.keyboard.press('Control+Shift+z');
  await until(page, ([x, cy]) => window.studio.store.drawn.at(x, cy) === '@', [from, y]);
});

on('a stroke of more cells than one command may have is refused as a whole', {}, async ({ page }) => {
  await example(page);
  const { painted } = await page.evaluate(() => window.studio.store.info.limits);
  await tell(page, 'new', { width: 300, height: 300 });
  await until(page, () => window.studio.store.doc.width === 300 && window.studio.store.drawn.width === 300);
  const { undo } = await doc(page);
  const stroke = (to) =>
    page.evaluate((end) => {
      const { store, tools } = window.studio;
      store.setTool('rectangle');
      tools.down([0, 0]);
      tools.move(end);
      tools.up(end, end[0] + 0.5, end[1] + 0.5, 0);
    }, to);
  await stroke([299, 299]);
  await page.locator('.toast.bad', { hasText: `at most ${painted.toLocaleString('en')}` }).waitFor();
  assert.equal((await doc(page)).undo, undo);
  assert.equal(await letterAt(page, 0, 0), '.');
  // As many as may be are one step.
  await stroke([255, painted / 256 - 1]);
  await until(page, () => window.studio.store.doc.rows[255][255] === '@');
  assert.equal((await doc(page)).undo, undo + 1);
});

on('the keyboard alone draws a rectangle', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'new', { width: 20, height: 16 });
  await until(page, () => window.studio.store.doc.width === 20 && window.studio.store.drawn.width === 20);
  await page.keyboard.press('g');
  await page.keyboard.press('4');
  await page.keyboard.press('m');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(page, () => window.studio.store.doc.rows.join('').split('W').length - 1 === 12);
});

on('units are placed, moved, changed and removed', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'new', { width: 20, height: 16 });
  await until(page, () => window.studio.store.doc.width === 20 && window.studio.store.doc.units.length === 0);
  await page.keyboard.press('u');
  await drag(page, [2, 3], [12, 9]);
  await until(page, () => window.studio.store.doc.units.length === 1);
  await until(page, () => String(window.studio.store.doc.units[0].goal) === '12,9');
  await page.keyboard.press('v');
  await drag(page, [2, 3], [4, 4]);
  await until(page, () => String(window.studio.store.doc.units[0].start) === '4,4');
  await drag(page, [12, 9], [13, 10]);
  await until(page, () => String(window.studio.store.doc.units[0].goal) === '13,10');
  await page.locator('#panel-inspect').getByLabel('team', { exact: true }).fill('2');
  await page.locator('#panel-inspect').getByLabel('team', { exact: true }).press('Enter');
  await until(page, () => window.studio.store.doc.units[0].team === 2);
  await page.locator('#stage canvas').first().focus();
  await page.keyboard.press('Delete');
  await until(page, () => window.studio.store.doc.units.length === 0);
});

on('it runs, pauses, steps, and goes to any tick by the bar', {}, async ({ page }) => {
  await example(page);
  await page.locator('#play').click();
  await until(page, () => window.studio.store.state.playing && window.studio.store.runs[0].motion.last.tick > 8);
  await page.locator('#play').click();
  await until(page, () => !window.studio.store.state.playing);
  const at = await tick(page);
  await page.keyboard.press('.');
  await until(page, (before) => window.studio.store.state.tick === before + 1, at);
  await page.locator('#scrub').fill('3');
  await until(page, () => window.studio.store.state.tick === 3 && window.studio.store.runs[0].motion.last.tick === 3);
  await until(page, () => document.querySelector('#tick').textContent.startsWith('3 / '));
});

on('back and forth along the bar everybody is where they were', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 30 });
  const places = async (at) => {
    await page.locator('#scrub').fill(String(at));
    await until(
      page,
      (wanted) => window.studio.store.state.tick === wanted && window.studio.store.runs[0].motion.last.tick === wanted,
      at,
    );
    return page.evaluate(() => {
      const { x, y, state } = window.studio.store.runs[0].motion.last;
      return [x, y, state].map((values) => [...values]);
    });
  };
  await until(page, () => Number(document.querySelector('#scrub').max) === 30);
  const ticks = [30, 7, 0, 19, 7, 30, 0, 19];
  const seen = new Map();
  for (const at of ticks) {
    const now = await places(at);
    if (seen.has(at)) assert.deepEqual(now, seen.get(at), `tick ${at}`);
    seen.set(at, now);
  }
  assert.notDeepEqual(seen.get(0), seen.get(30));
});

// Playing threw the run away, with what was done by hand, as soon as anything of the document had changed.
on('a run goes on although the document has changed; a drawing begins anew', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 4 });
  await tell(page, 'settings', { set: { name: 'another' } });
  await until(page, () => window.studio.store.stale && window.studio.store.state.tick === 4);
  await page.keyboard.press(' ');
  await until(page, () => window.studio.store.state.tick > 5);
  await tell(page, 'pause');
  await until(page, () => !window.studio.store.state.playing);
  await page.getByRole('radio', { name: 'Draw', exact: true }).click();
  await until(page, () => window.studio.store.mode === 'draw' && window.studio.store.stale);
  await page.locator('#play').click();
  await until(page, () => window.studio.store.note?.startsWith('Begun anew') && !window.studio.store.stale);
});

on('settings are there as soon as they make sense', {}, async ({ page }) => {
  await example(page);
  const panel = page.locator('#panel-run');
  await panel.getByLabel('must see', { exact: true }).check();
  await panel.getByLabel('radius', { exact: true }).waitFor();
  await panel.getByLabel('must see', { exact: true }).uncheck();
  await panel.getByLabel('radius', { exact: true }).waitFor({ state: 'detached' });
});

on('a unit that is clicked tells everything, and can be found and followed', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 5 });
  await until(page, () => window.studio.store.state.tick === 5 && window.studio.store.runs[0].motion.last?.tick === 5);
  // Units glide to where they are; whoever is to be clicked has to be there.
  await until(page, () => {
    const { motion } = window.studio.store.runs[0];
    return motion.x[3] === motion.last.x[3] && motion.y[3] === motion.last.y[3];
  });
  const [x, y] = await page.evaluate(() => {
    const { motion } = window.studio.store.runs[0];
    return [motion.x[3] - 0.5, motion.y[3] - 0.5];
  });
  const at = await pixel(page, x, y);
  await page.mouse.click(at.x, at.y);
  await page.getByRole('heading', { name: 'Unit 3' }).waitFor();
  await page.locator('#panel-inspect .keys').waitFor();
  for (const key of ['team', 'at', 'goal', 'priority', 'planner'])
    await page.locator('#panel-inspect').getByRole('rowheader', { name: key, exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Unit 7' }).waitFor();
  await page.getByRole('button', { name: 'Follow' }).click();
  await tell(page, 'step', { ticks: 3 });
  await until(page, () => {
    const { store, stage } = window.studio;
    return store.state.tick === 8 && Math.abs(stage.camera.x - store.runs[0].motion.last.x[7]) < 0.01;
  });
});

// Each report drew them anew, and shut.
on('sections of the inspector stay as they were opened while it plays', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => window.studio.store.select({ unit: 3 }));
  const panel = page.locator('#panel-inspect');
  const section = (name) => panel.locator(`details[data-fold="${name}"]`);
  await section('way').waitFor();
  await page.evaluate(() => {
    window.reports = 0;
    window.studio.store.on('report', () => window.reports++);
  });
  const opened = async () => {
    const open = [];
    for (const name of ['way', 'reservations', 'history'])
      if (await section(name).evaluate((element) => element.open)) open.push(name);
    return open;
  };
  assert.deepEqual(await opened(), ['history']);
  await section('way').locator('summary').click();
  await section('history').locator('summary').click();
  await page.evaluate(() => window.studio.store.play());
  await until(page, () => window.reports >= 3);
  assert.deepEqual(await opened(), ['way']);
  await section('reservations').locator('summary').click();
  await page.evaluate(() => {
    window.reports = 0;
  });
  await until(page, () => window.reports >= 3);
  assert.deepEqual(await opened(), ['way', 'reservations']);
  // Also when another unit is looked at.
  await page.evaluate(() => window.studio.store.select({ unit: 5 }));
  await section('way').waitFor();
  assert.deepEqual(await opened(), ['way', 'reservations']);
  await tell(page, 'pause');
});

// White on what lies below buttons under the pointer.
on('the tool in hand can be told under the pointer, too', {}, async ({ page }) => {
  await example(page);
  const tool = page.locator('[data-tool="brush"]');
  await tool.click();
  const look = () =>
    tool.evaluate((button) => {
      const { backgroundColor, color } = getComputedStyle(button);
      return { backgroundColor, color, hover: button.matches(':hover') };
    });
  const under = await look();
  await page.mouse.move(600, 400);
  const away = await look();
  assert.ok(under.hover && !away.hover);
  assert.notEqual(under.backgroundColor, under.color);
  assert.deepEqual({ ...under, hover: false }, away);
  // Others answer to the pointer.
  const other = page.locator('[data-tool="line"]');
  const ground = () => other.evaluate((button) => getComputedStyle(button).backgroundColor);
  const before = await ground();
  await other.hover();
  assert.notEqual(await ground(), before);
});

on('every task that the protocol has can be ordered, a patrol with its rounds', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => window.studio.store.select({ unit: 3 }));
  await page.getByRole('heading', { name: 'Unit 3' }).waitFor();
  await page.getByText('Orders', { exact: true }).click();
  // What the page asks for, whatever the server makes of it.
  await page.evaluate(() => {
    const { store } = window.studio;
    const { tell } = store;
    window.given = [];
    store.tell = (name, keys) => {
      if (name === 'order') window.given.push(keys.task);
      return name === 'order' ? Promise.resolve({}) : tell.call(store, name, keys);
    };
  });
  const panel = page.locator('#panel-inspect');
  const give = async (kind, where, rounds) => {
    await panel.getByLabel('order', { exact: true }).selectOption(kind);
    if (where) await panel.getByLabel('Cell: x, y').fill(where);
    assert.equal(await panel.getByLabel('rounds').isVisible(), kind === 'patrol');
    if (rounds) await panel.getByLabel('rounds').fill(rounds);
    await panel.getByRole('button', { name: 'Give' }).click();
  };
  await give('goal', '1, 2');
  await give('goals', '1, 2; 3, 4');
  await give('patrol', '5, 6', '3');
  await give('find', '7, 8');
  await give('explore');
  await give('hold');
  assert.deepEqual(await page.evaluate(() => window.given), [
    { goal: [1, 2] },
    {
      goals: [
        [1, 2],
        [3, 4],
      ],
    },
    { patrol: [5, 6], rounds: 3 },
    { find: [7, 8] },
    { explore: true },
    { hold: true },
  ]);
});

// It did nothing, without a word.
on('an order that nobody can read says what is expected', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => window.studio.store.select({ unit: 3 }));
  await page.getByText('Orders', { exact: true }).click();
  const panel = page.locator('#panel-inspect');
  for (const [text, told] of [
    ['abc', '“abc”: expected x, y'],
    ['3', '“3”: expected x, y'],
    ['3, ', '“3, ”: expected x, y'],
    ['', 'No cell: expected x, y'],
  ]) {
    await panel.getByLabel('Cell: x, y').fill(text);
    await panel.getByRole('button', { name: 'Give' }).click();
    await page.locator('.toast.bad', { hasText: told }).waitFor();
  }
});

on('an order is carried out, and shows', needsServer, async ({ page }) => {
  for (const [builtin, task] of [
    ['bridge', { patrol: [2, 2], rounds: 2 }],
    ['expedition', { find: [2, 2] }],
    ['expedition', { hold: true }],
    ['expedition', { explore: true }],
  ]) {
    await example(page, builtin);
    await page.evaluate((order) => window.studio.store.tell('order', { unit: 1, task: order }), task);
    await until(
      page,
      async (wanted) => {
        const { unit } = await window.studio.store.link.ask('inspect', { unit: 1 });
        return JSON.stringify(unit.task) === wanted;
      },
      JSON.stringify(task),
    );
  }
});

on('one of several goals can be removed', {}, async ({ page }) => {
  await example(page);
  const goals = [
    [12, 9],
    [5, 6],
    [3, 3],
  ];
  await tell(page, 'new', { width: 20, height: 16 });
  await tell(page, 'unit', { add: { start: [2, 3], goals } });
  await until(page, () => window.studio.store.doc.units.length === 1);
  await page.evaluate(() => {
    window.studio.store.setMode('draw');
    window.studio.store.select({ unit: 0 });
  });
  await page.getByRole('button', { name: 'Remove goal 2 at 5, 6' }).click();
  await until(page, () => JSON.stringify(window.studio.store.doc.units[0].goals) === '[[12,9],[3,3]]');
  await page.getByRole('button', { name: 'Remove goal 1 at 12, 9' }).click();
  await until(page, () => JSON.stringify(window.studio.store.doc.units[0].goals) === '[[3,3]]');
  assert.equal(await page.getByRole('button', { name: 'Remove goal' }).count(), 0);
});

on('reservations are drawn as large as the unit', {}, async ({ page }) => {
  await example(page);
  const sides = await page.evaluate(async () => {
    const { inspected } = await import('/page/overlay.js');
    const { store } = window.studio;
    store.report = { unit: { id: 0, body: 3 }, reservations: [[2, 1, 0, 4]] };
    const drawn = [];
    const c = new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...args) =>
            name === 'strokeRect' && drawn.push(args),
        set: () => true,
      },
    );
    inspected({ c, scale: 10, px: (x) => 10 * x, py: (y) => 10 * y }, store, 0);
    return drawn;
  });
  assert.deepEqual(sides, [[21.5, 11.5, 27, 27]]);
});

// They were drawn in the drawing alone.
on('goals show in a run: that of the chosen unit always, those of all if wanted', {}, async ({ page }) => {
  await example(page);
  await until(page, () => window.studio.store.runs[0].goals.length > 3);
  const drawn = (unit) =>
    page.evaluate(async (chosen) => {
      const { runTargets } = await import('/page/overlay.js');
      const { store } = window.studio;
      store.select(chosen === null ? null : { unit: chosen });
      const squares = [];
      const c = new Proxy(
        {},
        {
          get: (_, name) => (x, y, width) =>
            (name === 'rect' || name === 'strokeRect') && squares.push([x + width / 2, y + width / 2]),
          set: () => true,
        },
      );
      runTargets({ c, scale: 10, px: (x) => 10 * x, py: (y) => 10 * y }, store, 0, [0, 0, 1000, 1000]);
      return squares;
    }, unit);
  const { units } = await doc(page);
  const at = ({ goal: [x, y] }) => [10 * x + 5, 10 * y + 5];
  const sorted = (places) => places.map(String).sort();
  assert.deepEqual(sorted(await drawn(null)), sorted(units.map(at)));
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.locator('#panel-layers').getByLabel('goals', { exact: true }).uncheck();
  assert.deepEqual(await drawn(null), []);
  assert.deepEqual(await drawn(3), [at(units[3])]);
  // Where it is told to go is where it goes.
  await tell(page, 'order', { unit: 3, task: { goal: [1, 1] } });
  await tell(page, 'step', { ticks: 1 });
  await until(page, () => String(window.studio.store.runs[0].goals[3]) === '1,1');
  assert.deepEqual(await drawn(3), [[15, 15]]);
});

on('cells close and reopen while it runs', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 2 });
  const cell = await page.evaluate(() => {
    const { terrain, motion } = window.studio.store.runs[0];
    for (let y = 1; y < terrain.height; y++)
      for (let x = 1; x < terrain.width; x++) {
        const free = ![...motion.last.x].some(
          (ux, i) => Math.abs(ux - x - 0.5) < 2 && Math.abs(motion.last.y[i] - y - 0.5) < 2,
        );
        if (terrain.at(x, y) === '.' && free) return [x, y];
      }
    return null;
  });
  await page.getByRole('button', { name: 'Close cells while it runs' }).click();
  await drag(page, cell, cell);
  await until(page, ([x, y]) => window.studio.store.runs[0].terrain.at(x, y) !== '.', cell);
  assert.equal(await letterAt(page, ...cell), '.', 'the document stays as it was drawn');
  await page.getByRole('button', { name: 'Reopen cells while it runs' }).click();
  await drag(page, cell, cell);
  await until(page, ([x, y]) => window.studio.store.runs[0].terrain.at(x, y) === '.', cell);
});

on('what was done by hand is listed, with its tick', {}, async ({ page }) => {
  await example(page);
  await page.getByText('Done by hand while it ran').click();
  await page.locator('#panel-run').getByText('Close cells or give orders').waitFor();
  await tell(page, 'step', { ticks: 3 });
  await page.evaluate(() => window.studio.store.tell('close', { cells: [[1, 1]] }));
  await page.locator('#panel-run .history li', { hasText: '3 closed (1,1)' }).waitFor();
});

on('a run tells when the drawing has changed since', {}, async ({ page }) => {
  await example(page);
  const hint = page.getByText('The drawing has changed since this run began');
  await until(page, () => !window.studio.store.stale);
  assert.equal(await hint.count(), 0);
  await tell(page, 'paint', { cells: [[1, 1]], letter: 'T' });
  await hint.waitFor();
  // Also for whoever comes later.
  await page.reload();
  await hint.waitFor();
  await page.getByRole('button', { name: 'Run it anew' }).click();
  await hint.waitFor({ state: 'detached' });
  await until(page, () => window.studio.store.runs[0].terrain.at(1, 1) === 'T');
});

on('cells of the drawing close at a tick, and this can be taken back', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'new', { width: 20, height: 16 });
  await until(page, () => window.studio.store.doc.width === 20);
  await page.getByRole('radio', { name: 'Draw', exact: true }).click();
  await page.keyboard.press('v');
  const at = await pixel(page, 7, 7);
  await page.mouse.click(at.x, at.y);
  await page.getByRole('heading', { name: 'Cell 7, 7' }).waitFor();
  await page.locator('#panel-inspect').getByLabel('at tick').fill('12');
  await page.getByRole('button', { name: 'Closes then' }).click();
  await until(page, () => window.studio.store.doc.events.length === 1 && window.studio.store.doc.events[0].at === 12);
  await page.getByRole('tab', { name: 'Map' }).click();
  await page.getByRole('button', { name: 'Remove the event at tick 12' }).click();
  await until(page, () => window.studio.store.doc.events.length === 0);
});

on('doors and sources are put on the map, listed, changed and removed', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'new', { width: 20, height: 16 });
  await until(page, () => window.studio.store.doc.width === 20 && window.studio.store.drawn.width === 20);
  await page.getByRole('tab', { name: 'Map' }).click();
  const panel = page.locator('#panel-map');
  const put = async (x, y) => {
    await page.getByText('Choose the cell of').waitFor();
    const at = await pixel(page, x, y);
    await page.mouse.click(at.x, at.y);
  };
  await panel.getByLabel('at tick').fill('30');
  await panel.getByLabel('what', { exact: true }).selectOption('close');
  await panel.getByRole('button', { name: 'Add a door on the map' }).click();
  await put(6, 5);
  await until(page, () => JSON.stringify(window.studio.store.doc.events[0]?.close) === '[[6,5]]');
  await panel.getByText('tick 30: closes (6,5)').waitFor();
  // Where it stands: its tick, one more cell, one less, and what it does.
  await panel.getByLabel('Tick of event 1').fill('31');
  await panel.getByLabel('Tick of event 1').press('Enter');
  await until(page, () => window.studio.store.doc.events[0]?.at === 31);
  await page.locator('#stage canvas').first().focus();
  await panel.getByRole('button', { name: 'Add a cell to event 1' }).click();
  await put(7, 5);
  await until(page, () => JSON.stringify(window.studio.store.doc.events[0]?.close) === '[[6,5],[7,5]]');
  await panel.getByRole('button', { name: 'Remove (6,5) from event 1' }).click();
  await until(page, () => JSON.stringify(window.studio.store.doc.events[0]?.close) === '[[7,5]]');
  await panel.getByLabel('What event 1 does').selectOption('open');
  await until(page, () => JSON.stringify(window.studio.store.doc.events[0]?.open) === '[[7,5]]');
  await panel.getByText('tick 31: opens (7,5)').waitFor();
  assert.equal((await doc(page)).events.length, 1);
  await panel.getByRole('button', { name: 'Remove the event at tick 31' }).click();
  await until(page, () => window.studio.store.doc.events.length === 0);
  await panel.getByRole('button', { name: 'Add a source on the map' }).click();
  await put(9, 7);
  await until(page, () => String(window.studio.store.doc.sources[0]?.at) === '9,7');
  await panel.getByLabel('strength').fill('-2.5');
  await panel.getByLabel('strength').press('Enter');
  await until(page, () => window.studio.store.doc.sources[0]?.strength === -2.5);
  await page.locator('#stage canvas').first().focus();
  await panel.getByRole('button', { name: 'Remove the source at 9,7' }).click();
  await until(page, () => window.studio.store.doc.sources.length === 0);
});

on('every planner the server has can be chosen with all its parameters', {}, async ({ page }) => {
  await example(page);
  const info = await page.evaluate(() => window.studio.store.info);
  const form = page.locator('#panel-run');
  for (const { name, parameters } of info.planners) {
    await form.getByLabel('planner').selectOption(name);
    await until(page, (chosen) => window.studio.store.doc.settings.planner === chosen, name);
    await form.locator(`[data-planner="${name}"]`).waitFor();
    for (const parameter of parameters)
      await form.getByLabel(parameter.name, { exact: true }).first().waitFor({ state: 'attached' });
  }
  await form.getByLabel('planner').selectOption('whca');
  // Other planners have a window, too: what is typed into their form is for them.
  await form.locator('[data-planner="whca"]').waitFor();
  await page.evaluate(() => {
    document.querySelector('#panel-run details').open = true;
  });
  await form.getByLabel('window', { exact: true }).fill('8');
  await form.getByLabel('window', { exact: true }).press('Enter');
  await until(page, () => window.studio.store.doc.settings.planner === 'whca(window=8)');
});

on('two planners run side by side, in step, with charts and a table', {}, async ({ page }) => {
  await example(page);
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('#panel-compare').getByLabel('planner').selectOption('lra');
  await page.getByRole('button', { name: 'Run side by side' }).click();
  await until(page, () => window.studio.store.state.runs.length === 2);
  await tell(page, 'step', { ticks: 12 });
  await until(page, () => window.studio.store.runs.every((run) => run.motion.last?.tick === 12));
  await until(page, () => document.querySelectorAll('#stage figure:not([hidden])').length === 2);
  await until(page, () => document.querySelectorAll('.summary thead th').length === 3);
  // What the table says is what the server says.
  const { rows } = await tell(page, 'summary');
  const said = (value) => (typeof value === 'number' ? value.toLocaleString('en') : String(value ?? '–'));
  for (const [words, key] of Object.entries({
    planner: 'planner',
    ticks: 'ticks',
    arrived: 'arrived',
    units: 'agents',
    'failed moves': 'failed_moves',
    expanded: 'expanded',
    collisions: 'collisions',
    seed: 'seed',
  })) {
    assert.notEqual(rows[0][key], undefined, key);
    await until(
      page,
      ([head, values]) => {
        const line = [...document.querySelectorAll('.summary tbody tr')].find(
          (each) => each.cells[0].textContent === head,
        );
        return line && JSON.stringify([...line.cells].slice(1).map((cell) => cell.textContent)) === values;
      },
      [words, JSON.stringify(rows.map((each) => said(each[key])))],
    );
  }
  assert.notEqual(rows[0].planner, rows[1].planner);
  await page.locator('.chart canvas').first().hover();
  await until(page, () => /tick \d+/.test(document.querySelector('.chart .values').textContent));
  await page.getByRole('button', { name: 'End second run' }).click();
  await until(page, () => window.studio.store.state.runs.length === 1);
  await until(page, () => document.querySelectorAll('#stage figure:not([hidden])').length === 1);
});

on('layers are drawn with a legend', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 6 });
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.locator('.layer', { hasText: 'visits' }).getByRole('checkbox').check();
  await until(page, () => window.studio.store.runs[0].layers.get('visits')?.frame.values.some((value) => value > 0));
  await page.locator('.layer .scale').first().waitFor();
});

on('in the drawing layers say why nothing shows, and lead to the run', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 6 });
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.locator('.layer', { hasText: 'visits' }).locator('[type="checkbox"]').check();
  const legend = page.locator('[data-legend="visits"]');
  await legend.locator('.scale').waitFor();
  await page.keyboard.press('d');
  await legend.getByText('this is the drawing').waitFor();
  assert.equal(await legend.locator('.scale').count(), 0);
  await legend.getByRole('button', { name: 'Show the run' }).click();
  await legend.locator('.scale').waitFor();
  assert.equal(await page.evaluate(() => window.studio.store.mode), 'run');
});

on('every layer shows something in one of the examples', {}, async ({ page }) => {
  const seen = new Set();
  // Explorers have fields of what draws them and keeps them away where both count.
  const explorers = ['expedition', { planner: 'explore(potential=1,repulsion=1)' }];
  for (const [builtin, keys] of REAL ? [['bridge'], explorers] : [['bridge']]) {
    await example(page, builtin);
    if (keys) await page.evaluate((begun) => window.studio.store.start(begun), keys);
    await tell(page, 'step', { ticks: 20 });
    await page.evaluate(() => {
      const { store } = window.studio;
      store.layers.names = store.info.layers.map(({ name }) => name);
      store.select({ unit: 1 });
      store.askLayers();
    });
    const shown = () =>
      page.evaluate(async () => {
        const { isEmpty } = await import('/page/panel-layers.js');
        return [...window.studio.store.runs[0].layers].flatMap(([name, picture]) => (isEmpty(picture) ? [] : [name]));
      });
    // They come one by one: until no more do.
    for (let still = 0; still < 8; still++) {
      const before = seen.size;
      for (const name of await shown()) seen.add(name);
      if (seen.size > before) still = 0;
      await page.waitForTimeout(150);
    }
  }
  const all = await page.evaluate(() => window.studio.store.info.layers.map(({ name }) => name));
  assert.deepEqual(
    all.filter((name) => !seen.has(name)),
    [],
    'layers that show nothing',
  );
});

on('a layer without any value says so instead of a scale', {}, async ({ page }) => {
  await example(page);
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.evaluate(async () => {
    const { LayerPicture } = await import('/page/picture.js');
    const { store } = window.studio;
    store.info.layers.push({ name: 'field', about: 'made here', kind: 'scalar', signed: true });
    const frame = { kind: 'layer', run: 0, number: 0, tick: 0, width: 2, height: 1, low: 0, high: 0, shape: 'scalar' };
    store.runs[0].layers.set('field', new LayerPicture({ ...frame, values: new Uint8Array(2) }, true, '#000000'));
    store.layers.names = ['field'];
    store.emit('shows');
  });
  const layer = page.locator('.layer', { hasText: 'field' });
  await layer.getByText('Nothing to show here.').waitFor();
  assert.equal(await layer.locator('.scale').count(), 0);
});

on('cells that close and cells that open differ by more than their colour', {}, async ({ page }) => {
  await example(page);
  const strokes = await page.evaluate(async () => {
    const { documentEvents, preview } = await import('/page/overlay.js');
    /** Names of what is drawn, whatever its colour. */
    const drawn = (draw) => {
      const calls = [];
      const c = new Proxy(
        {},
        {
          get:
            (_, name) =>
            (...args) =>
              calls.push(name === 'setLineDash' ? `dash ${args[0].length}` : name),
          set: () => true,
        },
      );
      draw({ c, scale: 20, px: (x) => 20 * x, py: (y) => 20 * y });
      return calls.join(' ');
    };
    const events = (event) => drawn((sheet) => documentEvents(sheet, { doc: { events: [{ at: 3, ...event }] } }));
    const tool = (name) => drawn((sheet) => preview(sheet, { cells: [[1, 1]], arrow: null }, { tool: name }));
    return [events({ close: [[1, 1]] }), events({ open: [[1, 1]] }), tool('close'), tool('reopen')];
  });
  const [closes, opens, close, reopen] = strokes;
  assert.match(closes, /dash 2 .*lineTo/);
  assert.ok(!/dash 2|lineTo/.test(opens) && /arc/.test(opens), opens);
  assert.ok(/lineTo/.test(close) && !/arc/.test(close), close);
  assert.ok(/arc/.test(reopen) && !/lineTo/.test(reopen), reopen);
});

on('teams but the first have a number, where there is room', {}, async ({ page }) => {
  const [first, second, small] = await page.evaluate(async () => {
    const { Sprites } = await import('/page/units.js');
    const corner = (team, scale) => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = scale;
      const c = canvas.getContext('2d');
      new Sprites().draw(c, scale, scale / 2, scale / 2, 0, team, 1, 255);
      const from = Math.ceil(scale * 0.83);
      return c.getImageData(from, from, scale - from, scale - from).data.filter((value, i) => i % 4 === 3 && value > 0)
        .length;
    };
    return [corner(0, 40), corner(1, 40), corner(1, 12)];
  });
  assert.equal(first, 0);
  assert.ok(second > 0);
  assert.equal(small, 0);
});

// A mask is as dark as walls are.
on('masks show on walls, by stripes', {}, async ({ page }) => {
  await example(page);
  const drawn = await page.evaluate(async () => {
    const { stripes } = await import('/page/overlay.js');
    const lines = [];
    const c = new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...args) =>
            name === 'moveTo' && lines.push(args),
        set: () => true,
      },
    );
    const rows = ['.@', '@@'];
    const terrain = { width: 2, at: (x, y) => rows[y][x] };
    const mask = { values: new Uint8Array([1, 1, 0, 1]), width: 2 };
    stripes({ c, scale: 10, px: (x) => 10 * x, py: (y) => 10 * y }, mask, terrain, '#6b7280', [0, 0, 2, 2]);
    return lines;
  });
  // Of the walls alone that are in the mask.
  assert.deepEqual(drawn, [
    [10, 10],
    [10, 20],
  ]);
});

on('a move that failed shows in the shape, not in the colour alone', {}, async ({ page }) => {
  const shapes = await page.evaluate(async () => {
    const { sample } = await import('/page/units.js');
    const covered = (state) => {
      const canvas = sample(state);
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      // Whether something is there, whatever its colour.
      return data.filter((_, i) => i % 4 === 3).map((alpha) => Number(alpha > 127));
    };
    const [plain, failed, arrived, both] = [1, 9, 3, 11].map(covered);
    const apart = (a, b) => a.filter((value, i) => value !== b[i]).length;
    return [apart(plain, failed), apart(arrived, both)];
  });
  for (const apart of shapes) assert.ok(apart > 30, `${shapes}`);
});

on('a layer with levels has a slider for them', {}, async ({ page }) => {
  await example(page);
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.locator('.layer', { hasText: 'abstraction' }).getByRole('checkbox').check();
  const kinds = () => new Set(window.studio.store.runs[0].layers.get('abstraction')?.frame.values).size;
  await page.waitForFunction(kinds);
  const before = await page.evaluate(kinds);
  await page.getByLabel('Level of abstraction').fill('3');
  // The coarser the level, the fewer nodes.
  await until(
    page,
    (first) => new Set(window.studio.store.runs[0].layers.get('abstraction').frame.values).size < first,
    before,
  );
  await page.locator('.layer .scale').first().waitFor();
  // Colours mean nothing, and there are no more levels to choose than the map has.
  const legend = page.locator('[data-legend="abstraction"]');
  await legend.getByText('Which colour it is means nothing').waitFor();
  await until(page, () => {
    const { high } = window.studio.store.runs[0].layers.get('abstraction').frame;
    return Number(document.querySelector('[aria-label="Level of abstraction"]').max) === high && high >= 2 && high < 16;
  });
  await legend.getByText(/^Level 3 of \d+\.$/).waitFor();
});

on('amounts below zero have a scale with zero in its middle, arrows and amounts show at once', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => {
    const { store } = window.studio;
    store.info.layers.push({ name: 'field', about: 'made here', kind: 'scalar', signed: true });
    store.emit('shows');
  });
  await page.getByRole('tab', { name: 'Layers' }).click();
  const [low, middle, high] = await page.evaluate(async () => {
    const { LayerPicture } = await import('/page/picture.js');
    const frame = { kind: 'layer', run: 0, number: 0, tick: 0, width: 4, height: 1, low: -2, high: 6 };
    const amounts = new LayerPicture(
      { ...frame, shape: 'scalar', values: Uint8Array.of(1, 1 + 254 / 4, 255, 0) },
      true,
      '#000000',
    );
    amounts.set({ ...frame, shape: 'arrows', values: Uint8Array.of(1, 2, 3, 0) });
    const { store } = window.studio;
    store.runs[0].layers.set('field', amounts);
    store.layers.names = ['field'];
    store.emit('shows');
    const { data } = amounts.image().getContext('2d').getImageData(0, 0, 4, 1);
    return [0, 4, 8].map((at) => [...data.slice(at, at + 3)]);
  });
  const [blue, orange] = [low[2] - low[0], high[0] - high[2]];
  assert.ok(blue > 0 && orange > 0, 'blue below zero, orange above');
  assert.ok(Math.max(...middle) - Math.min(...middle) < 25, `neither at zero: ${middle}`);
  const scale = page.locator('.layer .scale.signed');
  await scale.waitFor();
  assert.equal((await scale.textContent()).replaceAll(/\s/g, ''), '−60+6');
  await page.locator('.layer', { hasText: 'field' }).getByText('Arrows point').waitFor();
});

on('generators show what would come out, and make it', {}, async ({ page }) => {
  await example(page);
  await page.getByRole('tab', { name: 'Map' }).click();
  const kind = page.locator('#panel-map').getByLabel('kind', { exact: true });
  await kind.scrollIntoViewIfNeeded();
  await kind.selectOption('random');
  await until(page, () => document.querySelector('.preview').dataset.kind === 'random');
  const width = await page.evaluate(() => document.querySelector('.preview').width);
  const before = (await doc(page)).units.length;
  await page.getByRole('button', { name: 'Use this map' }).click();
  await until(page, (wanted) => window.studio.store.doc.width === wanted, width);
  // The example is wider than the map: whoever started beyond it is gone, which is told, and comes back.
  const gone = before - (await doc(page)).units.length;
  assert.ok(gone > 0);
  await page.locator('.toast', { hasText: `${gone} unit${gone === 1 ? ' is' : 's are'} gone` }).waitFor();
  await page.keyboard.press('Control+z');
  await until(page, (count) => window.studio.store.doc.units.length === count, before);
});

on('whatever keeps it from running is listed, and leads to its line', {}, async ({ page }) => {
  await example(page);
  const { units } = await doc(page);
  await tell(page, 'paint', { cells: [units[0].goal, units[1].goal], letter: '@' });
  await until(page, () => window.studio.store.doc.errors.length > 0);
  const { errors } = await doc(page);
  const problems = page.locator('#panel-run .problem');
  await until(
    page,
    (count) => document.querySelectorAll('#panel-run .problem').length === count,
    errors.filter(({ message }) => message).length,
  );
  const { line } = errors.find((error) => error.line);
  await problems
    .getByRole('button', { name: `Line ${line}`, exact: true })
    .first()
    .click();
  await page.getByRole('tabpanel', { name: 'Files' }).waitFor();
  const [chosen, wanted] = await page.evaluate((number) => {
    const text = document.activeElement;
    return [
      text.value.slice(text.selectionStart, text.selectionEnd),
      window.studio.store.doc.toml.split('\n')[number - 1],
    ];
  }, line);
  assert.equal(chosen, wanted);
});

on('a refusal names its line once', {}, async ({ page }) => {
  const words = await page.evaluate(async () => {
    const { Refused } = await import('/page/link.js');
    return [new Refused('line 8: no', 8).message, new Refused('no', 8).message, new Refused('no').message];
  });
  assert.deepEqual(words, ['line 8: no', 'line 8: no', 'no']);
});

/** A new map of this size by the dialog, filled with what is asked for. */
async function make(page, width, height, ground) {
  await page.getByRole('tab', { name: 'Map' }).click();
  await page.getByRole('button', { name: 'New, empty…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New map' });
  await dialog.getByLabel('width').fill(String(width));
  await dialog.getByLabel('height').fill(String(height));
  await dialog.getByLabel('filled with').selectOption(ground);
  await dialog.getByRole('button', { name: 'Make it' }).click();
  await until(
    page,
    ([w, h, letter]) => {
      const { doc, drawn } = window.studio.store;
      return doc.width === w && doc.height === h && drawn.width === w && doc.rows[0][0] === letter;
    },
    [width, height, ground],
  );
  await until(page, () => window.studio.store.doc.settings.planner);
}

on('a new map asks for its size, takes units at once, and runs', {}, async ({ page }) => {
  await example(page);
  await make(page, 17, 9, '.');
  await until(page, () => window.studio.store.tool === 'unit' && window.studio.store.mode === 'draw');
  await drag(page, [2, 2], [12, 6]);
  await until(page, () => window.studio.store.doc.units.length === 1 && !window.studio.store.doc.errors.length);
  await page.locator('#play').click();
  await until(page, () => window.studio.store.state.runs[0]?.done && window.studio.store.state.runs[0].arrived === 1);
});

on('roads are carved out of walls, in one step, and units patrol along them', {}, async ({ page }) => {
  await example(page);
  await make(page, 24, 16, '@');
  await until(page, () => window.studio.store.tool === 'road');
  const { undo } = await doc(page);
  await drag(page, [2, 3], [18, 11]);
  await until(page, () => window.studio.store.doc.rows[3][2] === '.');
  const { rows, undo: after } = await doc(page);
  assert.equal(after, undo + 1);
  // Longer first: along the top, then down; two lanes; two bays on each side of a piece; walls everywhere else.
  assert.deepEqual(
    rows.map((row) => row.replaceAll('@', ' ').trimEnd()),
    [
      '',
      '',
      '         . .',
      '  ..................',
      '  ..................',
      '         . .      ..',
      '                 ....',
      '                  ..',
      '                 ....',
      '                  ..',
      '                  ..',
      '                  ..',
      '                  ..',
      '',
      '',
      '',
    ],
  );
  await tell(page, 'unit', { add: { start: [2, 3], patrol: [18, 11], rounds: 1 } });
  await tell(page, 'unit', { add: { start: [18, 11], patrol: [2, 3], rounds: 1 } });
  await until(page, () => window.studio.store.doc.units.length === 2 && !window.studio.store.doc.errors.length);
  await page.evaluate(() => {
    window.studio.store.speed = 200;
  });
  await page.locator('#play').click();
  await until(page, () => window.studio.store.state.runs[0]?.arrived === 2);
  await page.keyboard.press('o');
  await page.getByRole('group', { name: 'The tool in hand' }).getByLabel('lanes').selectOption('1');
  await page.getByRole('group', { name: 'The tool in hand' }).getByLabel('bays').selectOption('0');
  await drag(page, [6, 4], [6, 13]);
  await until(page, () => window.studio.store.doc.rows[13].trim() && window.studio.store.doc.rows[13][6] === '.');
  assert.equal((await doc(page)).rows[10], '@@@@@@.@@@@@@@@@@@..@@@@');
  // On open ground there is nothing to carve.
  await drag(page, [6, 4], [6, 13]);
  await page.getByText('This ground is open already').waitFor();
});

/** How files begin. */
const BEGINS = {
  toml: /^name = "bridge"/,
  map: /^type octile\nheight \d+\nwidth \d+\nmap\n/,
  csv: /^tick,(\w+,)*arrived,(\w+,)*failed,(.*\n){5}/,
  png: /^\x89PNG\r\n\x1a\n/,
  svg: /^<svg /,
  gif: /^GIF89a/,
  trace: /^THRONG-TRACE/,
};

on('everything can be taken away', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 4 });
  await page.locator('#export summary').click();
  // The menu is filled when it tells that it has opened, which is after the click.
  await page.locator('#export [data-kind]').first().waitFor();
  const kinds = await page
    .locator('#export [data-kind]')
    .evaluateAll((links) => links.map((link) => link.dataset.kind));
  assert.deepEqual(kinds, ['toml', 'map', 'png', 'svg', 'gif', 'trace', 'csv', 'link']);
  await page.keyboard.press('Escape');
  const choose = async (kind) => {
    // What was chosen closes the menu.
    await until(page, () => !document.querySelector('#export').open);
    await page.locator('#export summary').click();
    await page.locator(`#export [data-kind="${kind}"]`).click();
  };
  for (const kind of Object.keys(BEGINS)) {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(kind)]);
    assert.match(download.suggestedFilename(), new RegExp(`\\.${kind}$`));
    assert.equal(await download.failure(), null);
    // The mock has no pictures and no figures.
    if (REAL) assert.match((await readFile(await download.path())).toString('latin1'), BEGINS[kind], kind);
  }
  await choose('link');
  await page.getByText('The link is on the clipboard').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#run=[\w-]+$/);
});

on('what cannot be taken away is told', { ...needsServer, noise: true }, async ({ page }) => {
  await example(page);
  await tell(page, 'place', { unit: 3, cell: [1, 1] });
  await page.locator('#export summary').click();
  await page.locator('#export [data-kind="trace"]').click();
  await page.locator('.toast.bad').waitFor();
});

on('a map that was saved as a picture opens as it was', needsServer, async ({ page }) => {
  await example(page);
  await tell(page, 'new', { width: 15, height: 9 });
  const walls = [
    [0, 0],
    [14, 8],
    [3, 4],
    [4, 4],
    [5, 4],
    [9, 0],
  ];
  await tell(page, 'paint', { cells: walls, letter: '@' });
  const { rows } = await doc(page);
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByLabel('File name').fill('round-trip.png');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved round-trip.png').waitFor();
  await tell(page, 'new', { width: 4, height: 4 });
  await until(page, () => window.studio.store.doc.width === 4);
  await page.getByRole('button', { name: 'round-trip.png' }).click();
  await until(page, () => window.studio.store.doc.width === 15);
  assert.deepEqual((await doc(page)).rows, rows);
});

/** A file as somebody would choose it. */
const choose = (page, name, buffer) =>
  page.locator('#panel-files input[type="file"]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

// They had to be put into the working folder by hand.
on('pictures of maps and recorded runs are uploaded', { noise: true }, async ({ page }) => {
  await example(page);
  await page.getByRole('tab', { name: 'Files' }).click();
  // What the server itself makes, or for the mock anything.
  const made = async (address) => {
    if (!REAL) return Buffer.from('anything');
    return Buffer.from(
      await page.evaluate(async (at) => [...new Uint8Array(await (await fetch(at)).arrayBuffer())], address),
    );
  };
  await tell(page, 'step', { ticks: 9 });
  const trace = await made(await page.evaluate(() => window.studio.store.link.exportAddress('trace', { run: 0 })));
  // Seven by five pixels, one of them black.
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAAAAACs8akEAAAAEklEQVR42mP4DwEMSDQDGh8EAKWeId8MXTbCAAAAAElFTkSuQmCC',
    'base64',
  );
  await choose(page, 'yard.PNG', picture);
  await until(page, () => window.studio.store.doc.width === 7 && window.studio.store.doc.height === 5);
  // The panel is drawn a little after the document has come.
  const named = (file) => [...document.querySelectorAll('#panel-files input')].some((input) => input.value === file);
  await until(page, named, 'yard.toml');
  await choose(page, 'run.trace', trace);
  await until(page, () => window.studio.store.recorded && window.studio.store.doc.settings.name === 'bridge');
  await until(page, () => window.studio.store.state.last >= 9 && window.studio.store.mode === 'run');
  // What is none of these, and what is too large, is refused in words.
  await choose(page, 'nothing.toml', Buffer.from('nonsense'));
  await page.locator('.toast.bad', { hasText: 'nothing.toml' }).waitFor();
  await page.evaluate(() => {
    window.studio.store.info.limits.upload = 10;
  });
  await choose(page, 'huge.trace', trace.length > 10 ? trace : Buffer.alloc(11));
  await page.locator('.toast.bad', { hasText: 'too many for a file, at most 10' }).waitFor();
  await example(page);
});

// Orders were offered and refused, what was not measured was 0, and the document was another one.
on('a recording offers nothing that it does not have', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 9 });
  const trace = REAL
    ? await page.evaluate(async () => {
        const answer = await fetch(window.studio.store.link.exportAddress('trace', { run: 0 }));
        return [...new Uint8Array(await answer.arrayBuffer())];
      })
    : [1];
  await page.evaluate(
    async (bytes) => window.studio.store.upload('run.trace', new Blob([new Uint8Array(bytes)])),
    trace,
  );
  await until(page, () => window.studio.store.recorded);
  await page.locator('#name', { hasText: 'bridge · recording' }).waitFor();
  await page.locator('#panel-run').getByText('This is a recording').waitFor();
  assert.ok(await page.locator('[data-tool="close"]').isDisabled());
  await page.evaluate(() => window.studio.store.select({ unit: 3 }));
  const panel = page.locator('#panel-inspect');
  await panel.getByText('nobody takes orders').waitFor();
  await panel.getByText('Recordings do not tell what kept units').waitFor();
  assert.equal(await panel.getByRole('button', { name: 'Give' }).count(), 0);
  assert.equal(await panel.getByRole('button', { name: 'Put elsewhere' }).count(), 0);
  await page.evaluate(() => window.studio.store.select({ cell: [1, 1] }));
  await panel.getByText('nothing can be changed').waitFor();
  assert.equal(await panel.getByRole('button', { name: 'Close' }).count(), 0);
  await page.getByRole('tab', { name: 'Compare' }).click();
  const row = page.locator('.summary tr', { has: page.getByRole('rowheader', { name: 'expanded', exact: true }) });
  await row.getByText('–').waitFor();
  await page.locator('#export summary').click();
  await page.locator('#export [data-kind="trace"]').waitFor();
  assert.equal(await page.locator('#export [data-kind="link"]').count(), 0);
  await page.keyboard.press('Escape');
  // The scenario that it is of can be run, and is no recording then.
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Run from the start' }).click();
  await until(page, () => !window.studio.store.recorded && window.studio.store.state.playing);
  await tell(page, 'pause');
  await until(page, () => !document.querySelector('[data-tool="close"]').disabled);
});

const needsFolder = {
  skip: process.env.STUDIO_DIR ? false : 'needs the working folder of a real server: STUDIO_DIR',
  room: 'e2e-trace',
};
on('a trace that was taken away opens again and shows the same', needsFolder, async ({ page }) => {
  await example(page);
  await tell(page, 'step', { ticks: 12 });
  const places = () => {
    const { x, y } = window.studio.store.runs[0].motion.last;
    return [[...x], [...y]];
  };
  await until(page, () => window.studio.store.runs[0].motion.last?.tick === 12);
  const live = await page.evaluate(places);
  await page.locator('#export summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#export [data-kind="trace"]').click(),
  ]);
  await writeFile(join(process.env.STUDIO_DIR, 'again.trace'), await readFile(await download.path()));
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'again.trace' }).click();
  await until(page, () => window.studio.store.state.runs[0]?.recorded);
  await page.locator('#scrub').fill('12');
  await until(
    page,
    () => window.studio.store.state.tick === 12 && window.studio.store.runs[0].motion.last?.tick === 12,
  );
  assert.deepEqual(await page.evaluate(places), live);
  // It can be looked at and not be changed.
  await page.evaluate(() => window.studio.store.tell('close', { cells: [[0, 0]] }));
  await page.locator('.toast.bad').waitFor();
  // Whoever comes next finds a room that can be worked in.
  await example(page);
});

on('a link reproduces the run', needsServer, async ({ page, context }) => {
  await example(page);
  await tell(page, 'step', { ticks: 4 });
  // By hand: a link carries that, too.
  await tell(page, 'order', { unit: 2, task: { hold: true } });
  await tell(page, 'close', { cells: [[38, 9]] });
  await tell(page, 'place', { unit: 3, cell: [1, 1] });
  await tell(page, 'step', { ticks: 5 });
  const link = await page.evaluate(async () =>
    (await fetch(window.studio.store.link.exportAddress('link', { run: 0 }))).text(),
  );
  const places = await page.evaluate(() => [...window.studio.store.runs[0].motion.last.x]);
  const other = await context.newPage();
  // The server may stand behind another address than the page does.
  const { hash } = new URL(link.trim());
  // Another room: in this one the run is there already. Links carry no token: who opens one has to know it.
  const query = new URLSearchParams({ room: `link-${process.pid}` });
  if (process.env.STUDIO_TOKEN) query.set('token', process.env.STUDIO_TOKEN);
  await other.goto(`${world.server.url}/?${query}${hash}`);
  await until(
    other,
    () => window.studio?.store.state.tick === 9 && window.studio.store.runs[0].motion.last?.tick === 9,
  );
  assert.equal((await doc(other)).toml, (await doc(page)).toml);
  assert.deepEqual(await other.evaluate(() => [...window.studio.store.runs[0].motion.last.x]), places);
});

on('a link that is damaged is told, and leaves everything as it is', {}, async ({ page, context }) => {
  await example(page);
  const { toml } = await doc(page);
  for (const [hash, words] of [
    ['#run=e30', 'carries no scenario'],
    ['#run=%%%', 'damaged'],
    ['#run=eyJ0b21sIjoi', 'damaged'],
  ]) {
    await page.evaluate((broken) => {
      location.hash = broken;
    }, hash);
    await page.locator('.toast.bad', { hasText: words }).first().waitFor();
    await until(page, () => location.hash === '');
    await page.locator('.toast.bad').first().click();
    await until(page, () => !document.querySelector('.toast'));
  }
  // The same for whoever comes by such a link.
  const other = await context.newPage();
  await other.goto(`${page.url()}#run=%25`);
  await other.locator('.toast.bad', { hasText: 'damaged' }).waitFor();
  assert.equal((await doc(page)).toml, toml);
});

on('after loading the page again the work is there', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'new', { width: 18, height: 11 });
  await tell(page, 'paint', { cells: [[5, 5]], letter: 'T' });
  await page.reload();
  await until(page, () => window.studio?.store.doc?.width === 18);
  await until(page, () => window.studio.store.drawn.at(5, 5) === 'T');
});

on('what the server refuses is shown in its words', {}, async ({ page }) => {
  await page.evaluate(() => window.studio.store.tell('open', { builtin: 'no-such-thing' }));
  assert.match(await page.locator('.toast.bad').textContent(), /no-such-thing/);
});

on('a message that is too long is refused before it ends the connection', {}, async ({ page }) => {
  const most = await page.evaluate(() => window.studio.store.info.limits.message);
  await page.evaluate((length) => window.studio.store.tell('open', { toml: 'x'.repeat(length) }), most);
  assert.match(await page.locator('.toast.bad').textContent(), /too many for one message/);
  assert.ok(await page.evaluate(() => window.studio.store.up));
});

test('a lost connection is told, and comes back', { timeout: 60000 * SLOW }, async () => {
  const server = await wire(world.server.url);
  const { page, context } = await visit({ ...world, server });
  try {
    await example(page);
    server.cut();
    await page.getByText('Connection lost').waitFor();
    server.mend();
    await until(page, () => window.studio.store.up);
    await until(page, () => document.querySelector('#status').textContent === '');
    await tell(page, 'step', { ticks: 2 });
    await until(page, () => window.studio.store.runs[0].motion.last.tick === 2);
  } finally {
    await context.close();
    server.close();
  }
});

on('help lists every key', {}, async ({ page }) => {
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  const keys = await page.evaluate(() => window.studio.commands.map(({ key }) => (key === ' ' ? 'Space' : key)));
  assert.equal(new Set(keys).size, keys.length, 'no key has two meanings');
  assert.deepEqual(await page.locator('dialog kbd').allTextContents(), keys);
  // The documentation has a table of them, too.
  const told = await readFile(new URL('../../../docs/studio.md', import.meta.url), 'utf8');
  assert.deepEqual(
    keys.filter((key) => !told.includes(`| \`${key}\` | `)),
    [],
    'keys that docs/studio.md does not have',
  );
  await page.keyboard.press('Escape');
  await page.locator('dialog').first().waitFor({ state: 'detached' });
});

// Opening a file did not set the name that is saved to, and saving never asked.
on('saving goes to the file that was opened, and over another one only when told so', {}, async ({ page }) => {
  await example(page);
  for (const file of ['mine.toml', 'taken.toml']) await tell(page, 'save', { file, overwrite: true });
  await tell(page, 'new', { width: 9, height: 7 });
  await page.getByRole('tab', { name: 'Files' }).click();
  await until(page, () => window.studio.store.file === 'scenario.toml');
  await page.getByRole('button', { name: 'mine.toml' }).click();
  await until(page, () => window.studio.store.doc.width > 9 && window.studio.store.file === 'mine.toml');
  assert.equal(await page.getByLabel('File name').inputValue(), 'mine.toml');
  await page.locator('#stage canvas').first().focus();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved mine.toml').waitFor();
  // Another one is asked about, and left alone unless somebody says so.
  await page.getByLabel('File name').fill('taken.toml');
  const saved = page.getByText('Saved taken.toml');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('taken.toml is in the working folder already').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await tell(page, 'state')).file, 'mine.toml');
  assert.equal(await saved.count(), 0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Replace it' }).click();
  await saved.waitFor();
  assert.equal((await tell(page, 'state')).file, 'taken.toml');
  // From now on it is this document's own.
  await page.locator('#toasts').evaluate((toasts) => toasts.replaceChildren());
  await page.locator('#stage canvas').first().focus();
  await page.keyboard.press('Control+s');
  await saved.waitFor();
  assert.equal(await dialog.count(), 0);
});

on('keys save, take away, compare, change the speed and go to either end', {}, async ({ page }) => {
  await example(page);
  // Whoever runs the tests again finds what they have left.
  await tell(page, 'save', { file: 'scenario.toml', overwrite: true });
  await page.keyboard.press('Control+s');
  await page.getByText('Saved scenario.toml').waitFor();
  await page.keyboard.press('a');
  await page.locator('#export [data-kind="gif"]').waitFor();
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('#export').open);
  await page.locator('#stage canvas').first().focus();
  const speed = () => page.locator('#speed').inputValue();
  const before = Number(await speed());
  await page.keyboard.press('>');
  assert.ok(Number(await speed()) > before);
  await page.keyboard.press('<');
  assert.equal(Number(await speed()), before);
  await tell(page, 'step', { ticks: 9 });
  await until(page, () => window.studio.store.state.last === 9);
  await page.keyboard.press('Home');
  await until(page, () => window.studio.store.state.tick === 0);
  await page.keyboard.press('End');
  await until(page, () => window.studio.store.state.tick === 9);
  await page.keyboard.press('q');
  await until(page, () => window.studio.store.state.runs.length === 2);
  await page.keyboard.press('q');
  await until(page, () => window.studio.store.state.runs.length === 1);
});

on('a key follows the chosen unit as the button does, and Alt is the browser’s', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => window.studio.store.select({ unit: 3 }));
  const button = page.getByRole('button', { name: 'Follow' });
  await button.waitFor();
  await page.locator('#stage canvas').first().focus();
  await page.keyboard.press('n');
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('n');
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  await page.keyboard.press('Alt+n');
  await page.keyboard.press('Alt+b');
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  assert.equal(await page.evaluate(() => window.studio.store.tool), 'select');
});

on('Escape ends what the keyboard has begun', {}, async ({ page }) => {
  await example(page);
  await tell(page, 'new', { width: 20, height: 16 });
  await until(page, () => window.studio.store.doc.width === 20 && window.studio.store.drawn.width === 20);
  for (const key of ['g', 'm', 'ArrowRight', 'Enter', 'Escape', 'ArrowDown', 'ArrowDown'])
    await page.keyboard.press(key);
  assert.deepEqual(await page.evaluate(() => window.studio.tools.cells), []);
  // Enter begins anew, it does not end what was given up.
  for (const key of ['Enter', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await until(page, () => window.studio.store.doc.rows.join('').split('@').length - 1 === 2);
});

on('in the drawing units are found by number, place and team', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => window.studio.store.setMode('draw'));
  const { units } = await doc(page);
  const chosen = () => page.evaluate(() => window.studio.store.selection?.unit);
  const find = async (text) => {
    await page.keyboard.press('/');
    await page.locator('#find').fill(text);
    await page.keyboard.press('Enter');
    await page.locator('#stage canvas').first().focus();
  };
  await find('5');
  assert.equal(await chosen(), 5);
  await find(`${units[7].start[0]}, ${units[7].start[1]}`);
  assert.equal(await chosen(), 7);
  const team = units.flatMap((unit, i) => (unit.team === 1 ? [i] : []));
  await page.evaluate(() => window.studio.store.select(null));
  await find('team 1');
  assert.equal(await chosen(), team[0]);
  await find('team 1');
  assert.equal(await chosen(), team[1]);
  for (const text of ['1.5', '99999', '-1', 'nobody']) {
    await find(text);
    await page.locator('.toast.bad', { hasText: `No unit: ${text}` }).waitFor();
    assert.equal(await chosen(), team[1], text);
  }
});

on('seeds that would be rounded are refused, and a scenario tells what it is about', {}, async ({ page }) => {
  await example(page);
  const seed = page.locator('#panel-run').getByLabel('seed');
  const before = (await doc(page)).settings.seed ?? 0;
  await seed.fill('9007199254740993');
  await seed.press('Enter');
  assert.ok(await seed.evaluate((field) => field.hasAttribute('aria-invalid')));
  assert.equal((await doc(page)).settings.seed ?? 0, before);
  await seed.fill('9007199254740991');
  await seed.press('Enter');
  await until(page, () => window.studio.store.doc.settings.seed === 9007199254740991);
  await page.locator('#panel-run').getByLabel('about').fill('Two crowds, one bridge');
  await page.locator('#stage canvas').first().focus();
  await until(page, () => window.studio.store.doc.settings.about === 'Two crowds, one bridge');
});

// They went on to show what had been refused.
on('number fields fall back to what the document has, and say why', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => {
    window.studio.store.setMode('draw');
    window.studio.store.select({ unit: 0 });
  });
  const { units } = await doc(page);
  const panel = page.locator('#panel-inspect');
  const leave = () => page.locator('#stage canvas').first().focus();
  const field = (name) => panel.getByLabel(name, { exact: true });
  for (const [name, wrong, was] of [
    ['body', '9999999', ''],
    ['body', '0', ''],
    ['period', '65', ''],
    ['priority', '1.5', ''],
    ['x', '-4', String(units[0].start[0])],
    ['x', '', String(units[0].start[0])],
  ]) {
    await page.locator('#toasts').evaluate((toasts) => toasts.replaceChildren());
    await field(name).fill(wrong);
    await field(name).press('Enter');
    assert.ok(await field(name).evaluate((input) => input.hasAttribute('aria-invalid')), `${name} ${wrong}`);
    await leave();
    await page.locator('.toast.bad', { hasText: `${name}: ` }).waitFor();
    assert.equal(await field(name).inputValue(), was, name);
    assert.ok(!(await field(name).evaluate((input) => input.hasAttribute('aria-invalid'))));
  }
  assert.deepEqual((await doc(page)).units, units);
  // What only the server can tell is wrong falls back as well.
  await page.evaluate(() => {
    const { store } = window.studio;
    const { ask } = store.link;
    store.link.ask = (name, keys) =>
      name === 'unit' ? Promise.reject(new Error('off the map')) : ask.call(store.link, name, keys);
    window.mend = () => (store.link.ask = ask);
  });
  await field('x').fill('5000');
  await field('x').press('Enter');
  await page.locator('.toast.bad', { hasText: 'off the map' }).waitFor();
  await until(
    page,
    (was) => document.querySelector('#panel-inspect [aria-label="x"]').value === was,
    String(units[0].start[0]),
  );
  await page.evaluate(() => window.mend());
  // And what is good stays.
  await field('priority').fill('4');
  await field('priority').press('Enter');
  await until(page, () => window.studio.store.doc.units[0].priority === 4);
  await field('priority').fill('1.5');
  await leave();
  assert.equal(await field('priority').inputValue(), '4');
  const ticks = page.locator('#panel-run').getByLabel('ticks');
  await page.getByRole('tab', { name: 'Run' }).click();
  const before = await ticks.inputValue();
  await ticks.fill('-3');
  await leave();
  await until(page, (was) => document.querySelector('#panel-run [aria-label="ticks"]').value === was, before);
});

// Only the panel Run told.
on('every panel says that the drawing cannot run, and leads to why', {}, async ({ page }) => {
  await example(page);
  const mark = page.locator('#trouble');
  await until(page, () => window.studio.store.doc.errors.length === 0 && document.querySelector('#trouble').hidden);
  const [{ start }, second] = (await doc(page)).units;
  await page.getByRole('tab', { name: 'Layers' }).click();
  await tell(page, 'paint', { cells: [start, second.start], letter: '@' });
  await mark.waitFor();
  assert.match(await mark.textContent(), /Cannot run: 2 problems/);
  await mark.click();
  await page.locator('#panel-run .problem').first().waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Run' }).getAttribute('aria-selected'), 'true');
  await tell(page, 'paint', { cells: [start, second.start], letter: '.' });
  await mark.waitFor({ state: 'hidden' });
  // On a phone there is room for it, too.
  await page.setViewportSize({ width: 390, height: 844 });
  await tell(page, 'paint', { cells: [start], letter: '@' });
  await mark.waitFor();
  const wide = await page.evaluate(() => {
    const header = document.querySelector('header');
    return [header.scrollWidth - header.clientWidth, document.documentElement.scrollWidth - innerWidth];
  });
  assert.deepEqual(wide, [0, 0]);
});

on('a run that is begun anew keeps what it was begun with', {}, async ({ page }) => {
  await example(page);
  const begun = () =>
    page.evaluate(async () => {
      const { store } = window.studio;
      const { tell } = store;
      const told = [];
      store.tell = (name, keys) => {
        if (name === 'start') told.push(keys);
        return tell.call(store, name, keys);
      };
      await store.start();
      store.tell = tell;
      return told;
    });
  assert.deepEqual(await begun(), [{ run: 0 }]);
  // As a link does.
  await page.evaluate(() => window.studio.store.start({ planner: 'lra', seed: 7, budget: 5000 }));
  await page.evaluate(() => window.studio.store.compare({ planner: 'whca', budget: 900 }));
  await until(page, () => window.studio.store.state.runs.length === 2);
  assert.deepEqual(await begun(), [
    { run: 0, planner: 'lra', seed: 7, budget: 5000 },
    { run: 1, planner: 'whca', seed: 7, budget: 900 },
  ]);
  // Until the document says something else.
  await page.evaluate(() => window.studio.store.tell('settings', { set: { seed: 3 } }));
  await until(page, () => window.studio.store.doc.settings.seed === 3);
  assert.deepEqual(await begun(), [
    { run: 0, planner: 'lra', budget: 5000 },
    { run: 1, planner: 'whca', budget: 900 },
  ]);
  await tell(page, 'stop', { run: 1 });
});

on(
  'a phone shows every panel without sideways scrolling',
  { width: 390, height: 844, touch: true },
  async ({ page }) => {
    await example(page);
    for (const name of ['Run', 'Map', 'Inspect', 'Layers', 'Compare', 'Files']) {
      await page.getByRole('tab', { name }).tap();
      await page.locator(`#panel-${name.toLowerCase()}`).waitFor();
      const wide = await page.evaluate(() =>
        [
          document.documentElement,
          document.body,
          document.querySelector('#panels'),
          document.querySelector('#side'),
          document.querySelector('header'),
        ]
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map((element) => `${element.tagName}#${element.id}: ${element.scrollWidth} in ${element.clientWidth}`),
      );
      assert.deepEqual(wide, [], name);
      assert.ok(await page.locator('#panels').isVisible());
    }
    await page.getByRole('tab', { name: 'Files' }).tap();
    await page.locator('#panels').waitFor({ state: 'hidden' });
    await pixel(page, 0, 0);
    const before = await page.evaluate(() => window.studio.stage.camera.scale);
    const fingers = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
      fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await touch('touchStart', [180, 300]);
    await touch('touchStart', [180, 300], [210, 300]);
    for (let i = 1; i <= 6; i++) await touch('touchMove', [180 - 10 * i, 300], [210 + 10 * i, 300]);
    await touch('touchEnd');
    // Two fingers zoom.
    await until(page, (scale) => window.studio.stage.camera.scale > 2 * scale, before);
    assert.ok((await page.evaluate(() => window.studio.store.selection)) === null, 'and choose nothing');
  },
);

/** Where on the page a finger gives each command: a tab (or none), and what is there. */
const GIVEN = {
  open: ['Files', 'button:text-is("Open")'],
  files: ['Files', '.files'],
  save: ['Files', 'button:text-is("Save")'],
  new: ['Map', 'button:has-text("New, empty")'],
  resize: ['Map', 'button:text-is("Resize")'],
  generate: ['Map', 'button:text-is("Use this map")'],
  paint: ['', '[data-tool="brush"]'],
  fill: ['', '[data-tool="fill"]'],
  unit: ['', '[data-tool="unit"]'],
  settings: ['Run', '[data-key="planner"]'],
  undo: ['', '#rail [aria-label^="Undo"]'],
  redo: ['', '#rail [aria-label^="Redo"]'],
  start: ['', '#transport [aria-label^="Run anew"]'],
  stop: ['Compare', 'button:text-is("End second run")'],
  play: ['', '#play'],
  pause: ['', '#play'],
  step: ['', '#transport [aria-label^="One tick ("]'],
  seek: ['', '#scrub'],
  close: ['', '[data-tool="close"]'],
  reopen: ['', '[data-tool="reopen"]'],
  inspect: ['', '#stage canvas >> nth=0'],
  find: ['Inspect', 'button:text-is("Find")'],
  order: ['Inspect', 'button:text-is("Give")'],
  place: ['Inspect', 'button:text-is("Put elsewhere")'],
  priority: ['Inspect', '[data-key="priority"]'],
  layers: ['Layers', '.layer input'],
  charts: ['Compare', '.chart canvas'],
  summary: ['Compare', '.summary'],
  event: ['Map', 'button:has-text("Add a door")'],
  source: ['Map', 'button:has-text("Add a source")'],
  directions: ['Map', 'input[aria-label="Upload a direction map"]'],
  acts: ['Run', 'summary:has-text("Done by hand")'],
  roads: ['Map', 'select[aria-label="kind"]'],
};
/** What the page does by itself. */
const OWN = ['document', 'state', 'view'];

/** Those of them that no finger can touch, also after scrolling, and what is in the way. */
async function outOfReach(locator) {
  for (;;) {
    const found = await locator.evaluateAll((elements) =>
      elements.flatMap((element) => {
        // What was drawn anew since it was looked up is nowhere; what stands there now has to be looked up again.
        if (!element.isConnected) return [null];
        for (let up = element.closest('details'); up; up = up.parentElement.closest('details')) up.open = true;
        element.scrollIntoView({ block: 'center', inline: 'center' });
        const box = element.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const hit = document.elementFromPoint(x, y);
        const within = box.width > 0 && x > 0 && y > 0 && x < innerWidth && y < innerHeight;
        const own = hit && (element.contains(hit) || element.labels?.[0]?.contains(hit));
        const told = `${element.outerHTML.slice(0, 100)} at ${x}, ${y}: ${hit?.outerHTML.slice(0, 100)}`;
        return within && own ? [] : [told];
      }),
    );
    if (!found.includes(null)) return found;
  }
}

on('a phone reaches every command and every field', { width: 390, height: 844, touch: true }, async ({ page }) => {
  await example(page);
  await tell(page, 'start', { run: 1, planner: 'lra' });
  await page.evaluate(() => window.studio.store.select({ unit: 1 }));
  await until(page, () => window.studio.store.state.runs.length === 2 && window.studio.store.report);
  await page.evaluate(() => document.body.classList.remove('raised'));
  const why = await page.evaluate(() => window.studio.store.link.ask('nonsense').catch((error) => error.message));
  const known = [...why.matchAll(/`(\w+)`/g)].map(([, name]) => name).filter((name) => name !== 'nonsense');
  assert.ok(known.length > 25, why);
  assert.deepEqual(
    [...new Set(known)].filter((name) => !GIVEN[name] && !OWN.includes(name)),
    [],
    'commands that the page does not give',
  );
  const raise = async (tab) => {
    if (!tab) return;
    await page.getByRole('tab', { name: tab }).tap();
    await page.locator(`#panel-${tab.toLowerCase()}`).waitFor();
  };
  for (const [name, [tab, place]] of Object.entries(GIVEN).filter(([each]) => known.includes(each))) {
    await raise(tab);
    const scope = tab ? page.locator(`#panel-${tab.toLowerCase()}`).locator(place) : page.locator(place);
    await scope.first().waitFor({ state: 'attached' });
    assert.deepEqual(await outOfReach(scope.first()), [], name);
    // Its own tab lowers the sheet.
    if (tab) await page.getByRole('tab', { name: tab }).tap();
  }
  // Everything else that is in a panel, too.
  for (const tab of ['Run', 'Map', 'Inspect', 'Layers', 'Compare', 'Files']) {
    await raise(tab);
    // Layers have sliders while they show.
    if (tab === 'Layers') for (const box of await page.locator('.layer [type="checkbox"]').all()) await box.check();
    // The server tells which files there are after the panel has been raised.
    if (tab === 'Files') await page.locator('#panel-files .files li').first().waitFor();
    const fields = page.locator(`#panel-${tab.toLowerCase()}`).locator('button, input, select, textarea, a, summary');
    assert.deepEqual(await outOfReach(fields.and(page.locator(':not([hidden] *)'))), [], tab);
    await page.getByRole('tab', { name: tab }).tap();
  }
  // A cell of the drawing closes and opens by an event.
  await page.evaluate(() => {
    window.studio.store.setMode('draw');
    window.studio.store.select({ cell: [1, 1] });
  });
  await raise('Inspect');
  for (const name of ['Closes then', 'Opens then'])
    assert.deepEqual(await outOfReach(page.getByRole('button', { name })), [], name);
  await tell(page, 'stop', { run: 1 });
});

on('all who look at a room see the same', {}, async ({ page, room }) => {
  await example(page);
  const other = await visit(world, { room });
  await tell(page, 'new', { width: 13, height: 9 });
  await until(other.page, () => window.studio.store.doc.width === 13);
  await other.page.keyboard.press('l');
  await drag(other.page, [1, 1], [6, 1]);
  await until(page, () => window.studio.store.drawn.at(6, 1) === '@');
  assert.deepEqual(other.errors, []);
  await other.context.close();
});

on('1,000 moving units on 1024 by 1024 are drawn as they move', {}, async ({ page }) => {
  await large(page);
  await page.evaluate(() => window.studio.store.play());
  await until(page, () => window.studio.store.runs[0].motion.last?.tick > 2);
  const before = await page.evaluate(() => window.studio.stage.frames);
  await until(page, (frames) => window.studio.stage.frames > frames + 5, before);
  // Units are drawn where they are, and everybody has set out.
  const { count, moved } = await page.evaluate(() => {
    const { motion } = window.studio.store.runs[0];
    const { units } = window.studio.store.doc;
    return {
      count: motion.last.count,
      moved: units.filter(({ start: [x, y] }, i) => motion.x[i] !== x + 0.5 || motion.y[i] !== y + 0.5).length,
    };
  });
  assert.equal(count, 1000);
  assert.ok(moved > 900, `${moved} have moved`);
  await tell(page, 'pause');
});

on('everything that can be used has a name', {}, async ({ page }) => {
  await example(page);
  await page.evaluate(() => window.studio.store.select({ unit: 1 }));
  await page.waitForTimeout(500);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea, a, summary, canvas:not([aria-hidden])')]
      .filter(
        (element) =>
          !(
            element.getAttribute('aria-label') ||
            element.textContent.trim() ||
            element.labels?.[0]?.textContent.trim()
          ),
      )
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  const twice = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    return ids.filter((id, i) => ids.indexOf(id) !== i);
  });
  assert.deepEqual(twice, []);
});
