import { Worker } from 'node:worker_threads';
import type { StoreAnswer, StoreJob } from './store-files.thread.js';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const IDLE_LIMIT_MS = 10_000;

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Stores files in a thread of its own: each takes seven calls of the file system, and by way of the event loop these cost three
 * times the work, half of it the loop's. The thread starts with the first file and ends when there was none for a while.
 */
export class StoreThread {
  private readonly waiting = new Map<number, Waiting>();
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private lastId = 0;

  /** Resolves when the bytes are durable in the file. */
  store(path: string, bytes: Uint8Array): Promise<void> {
    clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    worker.ref();
    const id = ++this.lastId;
    worker.postMessage({ id, path, bytes } satisfies StoreJob);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private start(): Worker {
    const worker = new Worker(new URL(`./store-files.thread.${extension}`, import.meta.url));
    worker.on('message', (answer: StoreAnswer) => this.settle(answer));
    worker.on('error', (error: Error) => this.end(worker, error));
    worker.on('exit', () => this.end(worker, new Error('the thread that stores files has ended')));
    return worker;
  }

  private settle(answer: StoreAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (this.waiting.size === 0) this.rest();
    const { failed } = answer;
    if (failed) waiting?.reject(Object.assign(new Error(failed.message), { code: failed.code }));
    else waiting?.resolve();
  }

  private rest(): void {
    const { worker } = this;
    worker?.unref();
    this.idle = setTimeout(() => {
      this.worker = undefined;
      void worker?.terminate();
    }, IDLE_LIMIT_MS).unref();
  }

  private end(worker: Worker, reason: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }
}
