import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from './data-folder.js';

/** Whoever was killed a moment ago has its port until it is gone: whoever starts it again is faster than that. */
const PATIENCE_MS = 3_000;
const AGAIN_MS = 50;

/**
 * Asked before anything is started, so that a port in use costs seconds and not a start.
 * @throws CannotStart with one line that says what to do.
 */
export async function refuseTakenPort(host: string, port: number, patienceMs = PATIENCE_MS): Promise<void> {
  for (const end = Date.now() + patienceMs; ;) {
    const code = await whyNotFree(host, port);
    if (code === undefined) return;
    if (code !== 'EADDRINUSE') throw new CannotStart(`Cannot listen on ${host}:${port} (${code}): set HOST and PORT.`);
    if (Date.now() > end) throw new CannotStart(`Port ${port} is in use: set PORT to another one.`);
    await sleep(AGAIN_MS);
  }
}

/** Undefined when it is free. */
function whyNotFree(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
