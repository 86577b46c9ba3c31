// A wire between browser and server that can be cut: what comes in goes on to the server as long as it is whole.

import { connect, createServer } from 'node:net';

/** @param {string} url the server's */
export async function wire(url) {
  const { hostname, port } = new URL(url);
  const open = new Set();
  let cut = false;
  const server = createServer((near) => {
    if (cut) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      open.add(one);
      one.pipe(other);
      // Whoever goes takes the other end along.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise((then) => server.listen(0, '127.0.0.1', then));
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut: () => {
      cut = true;
      drop();
    },
    mend: () => {
      cut = false;
    },
    close: () => {
      server.close();
      drop();
    },
  };
}
