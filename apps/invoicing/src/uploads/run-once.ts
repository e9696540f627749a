import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Threads at a time; further work waits. */
const SIZE = 2;
/** Of its heap, and as much beside it: what a packed stream becomes lies in buffers, which the engine has no limit for. */
const MEMORY_MB = 256;
const LOOK_MS = 50;
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

/** What a thread took more of than it may have. */
export class ThreadLimit extends Error {
  constructor(readonly of: 'time' | 'memory') {
    super(`the thread takes too much ${of}`);
    this.name = 'ThreadLimit';
  }
}

/**
 * Has a thread of its own look at something that may want to do harm, with limits of time and memory. `worker` is a
 * module without its extension; it gets `data` as `workerData` and posts one message.
 * @throws ThreadLimit
 */
export async function runOnce<Answer>(worker: URL, data: unknown, limitMs = 10_000): Promise<Answer> {
  if (running >= SIZE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await inThread<Answer>(worker, data, limitMs);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

function inThread<Answer>(module: URL, workerData: unknown, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`${module.href}.${fromSource ? 'ts' : 'js'}`), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      ...(fromSource ? source : {}),
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearInterval(watch);
      void worker.terminate().then(settle);
    };
    const timer = setTimeout(() => end(() => reject(new ThreadLimit('time'))), limitMs + (fromSource ? 20_000 : 0));
    const watch = setInterval(() => {
      // Asked of the engine, which answers also while the thread is busy; no answer comes of one that has ended.
      void worker.getHeapStatistics().then(
        ({ external_memory }) => {
          if (external_memory > MEMORY_MB * 1024 * 1024) end(() => reject(new ThreadLimit('memory')));
        },
        () => undefined,
      );
    }, LOOK_MS);
    worker.on('message', (answer: Answer) => end(() => resolve(answer)));
    worker.on('error', () => end(() => reject(new ThreadLimit('memory'))));
  });
}
