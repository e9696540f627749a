import { Worker, type WorkerOptions } from 'node:worker_threads';
import { DomainError } from '@kontor/kernel';
import type { Inspection } from './inspect.js';
import type { InspectAnswer } from './inspect-worker.js';

const LIMIT_MS = 10_000;
/** Threads at a time; further files wait. */
const SIZE = 2;
const fromSource = import.meta.url.endsWith('.ts');
const source: WorkerOptions = {
  execArgv: [
    '--conditions=@kontor/source',
    '--experimental-transform-types',
    '--no-warnings',
    '--import',
    new URL('../pdf/run-from-source.mjs', import.meta.url).href,
  ],
};

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Looks at a file of anybody in a thread of its own, with limits of time and memory: it may want to do harm.
 * @throws DomainError 422 `file_unreadable`
 */
export async function inspectFile(bytes: Uint8Array): Promise<Inspection> {
  if (running >= SIZE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await inspectInThread(bytes);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

const unreadable = (detail: string): DomainError => new DomainError('file_unreadable', { detail });

function inspectInThread(bytes: Uint8Array): Promise<Inspection> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`./inspect-worker.${fromSource ? 'ts' : 'js'}`, import.meta.url), {
      workerData: bytes,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      ...(fromSource ? source : {}),
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      void worker.terminate().then(settle);
    };
    const timer = setTimeout(
      () => end(() => reject(unreadable('Reading the file takes too long.'))),
      LIMIT_MS + (fromSource ? 20_000 : 0),
    );
    worker.on('message', (answer: InspectAnswer) =>
      end(() => {
        if ('inspection' in answer) resolve(answer.inspection);
        else reject('refused' in answer ? unreadable(answer.refused) : new Error(answer.error));
      }),
    );
    // Out of memory, too.
    worker.on('error', () => end(() => reject(unreadable('Reading the file takes too much memory.'))));
  });
}
