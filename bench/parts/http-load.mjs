// A thread that sends requests: `clients` connections, each one request after the other. The measured process only answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Pool } from 'undici';

/** Refused for the moment is no failure: it is sent again, and has cost what it has cost. */
async function answerTo(pool, headers, { method, path, body }) {
  for (;;) {
    const { statusCode, body: answer } = await pool.request({ method, path, headers, body });
    const text = await answer.text();
    if (statusCode < 300) return JSON.parse(text).id;
    if (!text.includes('"service_overloaded"'))
      throw new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 300)}`);
    await sleep(200);
  }
}

async function send({ url, headers, requests, clients }) {
  const pool = new Pool(url, { connections: clients, pipelining: 1 });
  const answers = new Array(requests.length);
  let next = 0;
  const lane = async () => {
    while (next < requests.length) {
      const place = next++;
      answers[place] = await answerTo(pool, headers, requests[place]);
    }
  };
  const began = process.hrtime.bigint();
  await Promise.all(Array.from({ length: clients }, lane));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  await pool.close();
  return { seconds, ids: answers };
}

if (!isMainThread)
  parentPort.on('message', (work) =>
    send(work).then(
      (result) => parentPort.postMessage(result),
      (error) => parentPort.postMessage({ error: error.stack }),
    ),
  );

/** Starts the thread; `send` resolves to the seconds that all requests took together and the ids that came back. */
export function startLoad() {
  const worker = new Worker(new URL(import.meta.url));
  return {
    send: (work) =>
      new Promise((resolve, reject) => {
        worker.once('message', (result) => (result.error ? reject(new Error(result.error)) : resolve(result)));
        worker.postMessage(work);
      }),
    stop: () => worker.terminate(),
  };
}
