import { Worker } from 'node:worker_threads';
import type { ReadAnswer, ReadFiles, ReadJob } from './read-files.thread.js';

interface Waiting {
  readonly resolve: (files: ReadFiles) => void;
  readonly reject: (error: Error) => void;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Reads files in a thread of its own, which may wait for the disk: opening, reading and closing each of many small files by way of
 * the event loop takes twice the work. The thread is there while somebody has opened it.
 */
export class ReadThread {
  private users = 0;
  private worker: Worker | undefined;
  private waiting: Waiting[] = [];

  open(): void {
    this.users += 1;
  }

  /** Whoever closes it waits for no answer any more. */
  async close(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  read(job: ReadJob): Promise<ReadFiles> {
    this.worker ??= this.start();
    this.worker.postMessage(job);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private start(): Worker {
    const worker = new Worker(new URL(`./read-files.thread.${extension}`, import.meta.url));
    // It answers in the order in which it was asked.
    worker.on('message', (answer: ReadAnswer) => {
      const next = this.waiting.shift();
      if ('error' in answer) next?.reject(answer.error);
      else next?.resolve(answer);
    });
    worker.on('error', (error: Error) => {
      this.worker = undefined;
      for (const { reject } of this.waiting.splice(0)) reject(error);
    });
    return worker;
  }
}
