// The page: draws a world and lets it run.

import { load } from './throng.js';

const WORLDS = ['bridge', 'town', 'warehouse', 'promenade'];
const COLOURS = ['#d9480f', '#1864ab', '#2b8a3e', '#862e9c', '#c92a2a', '#0b7285'];
const GROUND = { '.': '#f8f9fa', G: '#ebfbee', S: '#e9e2c0', W: '#a5c8f0', T: '#8fb98f', '@': '#343a40', O: '#343a40' };

const element = (name) => document.getElementById(name);
const [choice, run, step, speed, told, stage] = ['world', 'run', 'step', 'speed', 'told', 'stage'].map(element);
const pen = stage.getContext('2d');

const throng = await load();
let world;
let info;
let going = true;
let side = 8;

choice.append(...WORLDS.map((name) => new Option(name, name)));
choice.value = new URLSearchParams(location.search).get('world') ?? WORLDS[0];

function open() {
  world?.free();
  world = throng.builtin(choice.value);
  info = world.info();
  side = Math.max(2, Math.floor(960 / info.width));
  [stage.width, stage.height] = [info.width * side, info.height * side];
  draw();
}

function advance() {
  world.tick();
  draw();
}

function draw() {
  info = world.info();
  const letters = world.terrain();
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0; x < info.width; x += 1) {
      pen.fillStyle = GROUND[String.fromCharCode(letters[y * info.width + x])];
      pen.fillRect(x * side, y * side, side, side);
    }
  }
  for (const { at, team, arrived } of world.units()) {
    pen.globalAlpha = arrived ? 0.5 : 1;
    pen.fillStyle = COLOURS[team % COLOURS.length];
    pen.beginPath();
    pen.arc((at[0] + 0.5) * side, (at[1] + 0.5) * side, side * 0.4, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
  told.value = `tick ${info.tick}, ${info.arrived} of ${info.units} have arrived`;
}

choice.onchange = open;
run.onclick = () => {
  going = !going;
  run.textContent = going ? 'Pause' : 'Go on';
};
step.onclick = () => {
  if (going) run.click();
  advance();
};
stage.onclick = ({ offsetX, offsetY }) => {
  const scale = info.width / stage.clientWidth;
  const cell = [Math.floor(offsetX * scale), Math.floor(offsetY * scale)];
  const letter = String.fromCharCode(world.terrain()[cell[1] * info.width + cell[0]]);
  try {
    world.setOpen(cell, letter === '@' || letter === 'O');
    draw();
  } catch (why) {
    told.value = why.message;
  }
};

let last = 0;
function frame(now) {
  if (going && now - last > 1000 / Number(speed.value) && !info.done) {
    last = now;
    advance();
  }
  requestAnimationFrame(frame);
}
open();
requestAnimationFrame(frame);

// For tests, and for whoever opens the console.
window.demo = { throng, info: () => info };
