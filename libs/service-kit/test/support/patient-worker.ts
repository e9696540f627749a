import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Waits until a file is there. */
while (workerData !== null && !existsSync(workerData as string)) await sleep(20);
parentPort?.postMessage(workerData);
