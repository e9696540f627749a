import { fork } from 'node:child_process';
import type { ApartAnswer, ApartJob } from './read-apart.main.js';
import { MODULE_EXTENSION, SAME_RUNTIME } from './same-runtime.js';
import { Turns } from './turns.js';

/** Processes at a time, of each owner one; further work waits. */
const PLACES = 2;
const HEAP_MB = 256;
const LIMIT_MS = 10_000;
const MAIN = new URL(`./read-apart.main.${MODULE_EXTENSION}`, import.meta.url);
/** Transforming the sources takes a while. */
const STARTS_WITHIN_MS = MODULE_EXTENSION === 'ts' ? 20_000 : 0;

export interface Apart {
  /** Without its extension; it gets `data` as `workerData` and posts one message. */
  readonly worker: URL;
  readonly data: unknown;
  readonly limitMs?: number;
  /** Of its heap, and as much beside it. */
  readonly heapMb?: number;
}

/** What reading took more of than it may have. */
export class ApartLimit extends Error {
  constructor(readonly of: 'time' | 'memory') {
    super(`reading takes too much ${of}`);
    this.name = 'ApartLimit';
  }
}

/** By owner. */
const waiting = new Turns<() => Promise<void>>();
const running = new Set<string>();

/**
 * Looks at something that may want to do harm in a process of its own, with limits of time and memory: whatever it does there ends
 * with that process, which knows no secret. A thread is not enough, because V8 ends the process where a single piece of a
 * thread's heap becomes too large. The owners (tenants) take turns.
 * @throws ApartLimit
 */
export const readApart = <Answer>(owner: string, apart: Apart): Promise<Answer> =>
  new Promise((resolve, reject) => {
    waiting.add(owner, () => inProcess<Answer>(apart).then(resolve, reject));
    assign();
  });

function assign(): void {
  while (running.size < PLACES) {
    const next = waiting.next((owner) => !running.has(owner));
    if (!next) return;
    running.add(next.owner);
    void next.item().finally(() => {
      running.delete(next.owner);
      assign();
    });
  }
}

function inProcess<Answer>({ worker, data, limitMs = LIMIT_MS, heapMb = HEAP_MB }: Apart): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = fork(MAIN, {
      execArgv: [...SAME_RUNTIME],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new ApartLimit('time'))), limitMs + STARTS_WITHIN_MS);
    child.once('message', (answer: ApartAnswer) =>
      end(() => {
        if ('posted' in answer) resolve(answer.posted as Answer);
        else reject(answer.isTooLarge ? new ApartLimit('memory') : new Error(answer.failed));
      }),
    );
    child.once('exit', () => end(() => reject(new ApartLimit('memory'))));
    child.once('error', (error) => end(() => reject(error)));
    child.send({ worker: `${worker.href}.${MODULE_EXTENSION}`, data, heapMb } satisfies ApartJob, () => undefined);
  });
}
