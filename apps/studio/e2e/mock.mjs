// A small stand-in for the studio's server, for the page's own tests: enough of the protocol to draw, run, scrub, inspect and
// compare. Its units just walk to their goals and do not look at each other. Port: first argument, or any free one.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { COMMANDS, INFO, toml, upload } from './mock-commands.mjs';
import { Room, goals, terrain, units } from './mock-room.mjs';

const PAGE = join(dirname(fileURLToPath(import.meta.url)), '..', 'page');
const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const rooms = new Map();
const roomOf = (name) => rooms.get(name) ?? rooms.set(name, new Room()).get(name);

function answer(room, text) {
  const { id, do: name, ...keys } = JSON.parse(text);
  try {
    if (!COMMANDS[name])
      throw new Error(`unknown variant \`${name}\`, expected one of \`${Object.keys(COMMANDS).join('`, `')}\``);
    return { id, ok: COMMANDS[name](room, keys) };
  } catch (error) {
    return { id, error: { message: error.message, ...(error.exists ? { exists: true } : {}) } };
  }
}

export function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname === '/api/info')
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(INFO));
    if (url.pathname === '/api/do') {
      let text = '';
      for await (const part of request) text += part;
      return response.end(JSON.stringify(answer(roomOf(url.searchParams.get('room') ?? 'main'), text)));
    }
    if (url.pathname === '/api/open') {
      for await (const _ of request);
      try {
        const ok = upload(roomOf(url.searchParams.get('room') ?? 'main'), url.searchParams.get('name'));
        return response.end(JSON.stringify({ ok }));
      } catch (error) {
        return response.writeHead(400).end(JSON.stringify({ error: { message: error.message } }));
      }
    }
    if (url.pathname.startsWith('/api/export/')) {
      const kind = url.pathname.split('/').pop(),
        { doc } = roomOf(url.searchParams.get('room') ?? 'main');
      const link = `http://${request.headers.host}/#run=${Buffer.from(JSON.stringify({ toml: toml(doc) })).toString('base64url')}`;
      return response
        .setHeader('content-disposition', `attachment; filename="mock.${kind}"`)
        .end(kind === 'link' ? link : toml(doc));
    }
    const name = url.pathname === '/' ? 'index.html' : /^\/page\/([\w-]+\.\w+)$/.exec(url.pathname)?.[1];
    try {
      const body = await readFile(join(PAGE, name ?? ''));
      response.setHeader('content-type', TYPES[name.split('.')[1]] ?? 'text/plain');
      response.setHeader(
        'content-security-policy',
        "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; form-action 'none'; base-uri 'none'",
      );
      response.end(body);
    } catch {
      response.writeHead(404).end('not found');
    }
  });
  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket, request) => {
    const room = roomOf(new URL(request.url, 'http://localhost').searchParams.get('room') ?? 'main');
    room.viewers.add(socket);
    socket.on('close', () => room.viewers.delete(socket));
    socket.on('message', (text) => socket.send(JSON.stringify(answer(room, text))));
    socket.send(JSON.stringify({ event: 'document', version: room.version }));
    socket.send(JSON.stringify(room.state()));
    socket.send(terrain(255, room.version, room.doc.rows));
    for (const [i, run] of room.runs.entries()) {
      socket.send(terrain(i, room.version, run.rows));
      socket.send(units(i, room.tick, run));
      socket.send(goals(i, room.tick, run));
    }
  });
  const due = new Map();
  const clock = setInterval(() => {
    for (const room of rooms.values()) {
      if (!room.playing) {
        due.delete(room);
        continue;
      }
      const whole = (due.get(room) ?? 0) + room.speed / 30;
      if (whole >= 1) room.go(room.tick + Math.floor(whole));
      due.set(room, whole % 1);
    }
  }, 1000 / 30);
  return new Promise((then) =>
    server.listen(port, '127.0.0.1', () =>
      then({
        url: `http://127.0.0.1:${server.address().port}`,
        close: () => {
          clearInterval(clock);
          for (const socket of sockets.clients) socket.terminate();
          server.close();
        },
      }),
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serve(Number(process.argv[2] ?? 0))).url);
