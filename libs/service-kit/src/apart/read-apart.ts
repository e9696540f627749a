import { fork } from 'node:child_process';
import { DomainError } from '@kontor/kernel';
import type { ApartAnswer, ApartJob } from './read-apart.main.js';
import { MODULE_EXTENSION, SAME_RUNTIME } from './same-runtime.js';
import { SpentTime } from './spent-time.js';
import { Turns } from './turns.js';

/** Processes at a time, of each owner one; further work waits. */
const PLACES = 2;
const HEAP_MB = 256;
const LIMIT_MS = 10_000;
/** With what it may take then, shorter than the gateway waits: nobody would read what comes later. */
const PATIENCE_MS = 15_000;
const MIB = 1024 * 1024;
/** Of the files that wait, which lie in memory. */
const MAX_WAITING_OF_OWNER = 32 * MIB;
const MAX_WAITING = 256 * MIB;
const MAIN = new URL(`./read-apart.main.${MODULE_EXTENSION}`, import.meta.url);
/** Transforming the sources takes a while. */
const STARTS_WITHIN_MS = MODULE_EXTENSION === 'ts' ? 20_000 : 0;

export interface Apart {
  /** Without its extension; it gets `data` as `workerData` and posts one message. */
  readonly worker: URL;
  readonly data: unknown;
  /** Bytes of `data`. */
  readonly size: number;
  readonly limitMs?: number;
  /** How long it may wait for its turn. */
  readonly patienceMs?: number;
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

interface Waiting {
  readonly size: number;
  begin(): Promise<void>;
}

/** By owner. */
const waiting = new Turns<Waiting>();
const running = new Set<string>();
/** Files that are read in less are all the same. */
const SPENT_STEP_MS = 5_000;
const spent = new SpentTime();

/**
 * Looks at something that may want to do harm in a process of its own, with limits of time and memory: whatever it does there ends
 * with that process, which knows no secret. A thread is not enough, because V8 ends the process where a single piece of a
 * thread's heap becomes too large. The owners (tenants) take turns, those first who have taken less time lately; what would wait for
 * too long, or beside too much else, is not looked at.
 * @throws ApartLimit; DomainError 503 `service_overloaded`
 */
export const readApart = <Answer>(owner: string, apart: Apart): Promise<Answer> =>
  new Promise((resolve, reject) => {
    if (!hasRoom(owner, apart.size)) return reject(overloaded());
    const patience = setTimeout(() => {
      if (waiting.remove(owner, item)) reject(overloaded());
    }, apart.patienceMs ?? PATIENCE_MS);
    const item: Waiting = {
      size: apart.size,
      begin: () => {
        clearTimeout(patience);
        return inProcess<Answer>(apart).then(resolve, reject);
      },
    };
    waiting.add(owner, item);
    assign();
  });

/** What is all that waits of its owner may be of any size. */
function hasRoom(owner: string, size: number): boolean {
  const sum = (items: readonly Waiting[]): number => items.reduce((bytes, item) => bytes + item.size, 0);
  const others = waiting.of(owner);
  return (others.length === 0 || sum(others) + size <= MAX_WAITING_OF_OWNER) && sum(waiting.all) + size <= MAX_WAITING;
}

const overloaded = (): DomainError =>
  new DomainError('service_overloaded', {
    kind: 'unavailable',
    detail: 'Too many files are to be read at once; try again.',
    retryAfterSeconds: 5,
  });

function assign(): void {
  while (running.size < PLACES) {
    const next = waiting.next(
      (owner) => !running.has(owner),
      (owner) => Math.floor(spent.of(owner) / SPENT_STEP_MS),
    );
    if (!next) return;
    const { owner, item } = next;
    running.add(owner);
    const begun = performance.now();
    void item.begin().finally(() => {
      running.delete(owner);
      spent.add(owner, performance.now() - begun);
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
    // Without open files left there is no process, and no channel to it: that is an error to come.
    if (child.pid === undefined) return;
    child.send({ worker: `${worker.href}.${MODULE_EXTENSION}`, data, heapMb } satisfies ApartJob, () => undefined);
  });
}
