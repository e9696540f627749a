// Sends requests from a thread of its own, so that reading the answers costs the system's thread nothing.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { request, send } from '../../apps/usage/bench/load.mjs';

if (workerData === 'client')
  parentPort.on('message', async ({ url, headers, paths, connections }) => {
    const requests = paths.map((path) => request(url, 'GET', path, headers));
    const began = performance.now();
    try {
      await send(url, requests, connections);
      parentPort.postMessage({ seconds: (performance.now() - began) / 1000 });
    } catch (error) {
      parentPort.postMessage({ error: error.message });
    }
  });

/** `read(paths, connections)` resolves to the seconds that all took. */
export function startClient(url, headers) {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'client' });
  const read = (paths, connections) =>
    new Promise((resolve, reject) => {
      worker.once('message', ({ seconds, error }) => (error ? reject(new Error(error)) : resolve(seconds)));
      worker.postMessage({ url, headers, paths, connections });
    });
  return { read, stop: () => worker.terminate() };
}
