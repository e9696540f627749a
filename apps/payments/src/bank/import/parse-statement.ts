import { Worker } from 'node:worker_threads';
import { DomainError } from '@kontor/kernel';
import type { ReadFile } from './read-statements.js';
import type { StatementAnswer } from './statement-worker.js';

const LIMIT_MS = 30_000;
const MEMORY_MB = 768;
const AT_ONCE = 2;
const fromSource = import.meta.url.endsWith('.ts');

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a statement file in a thread of its own, so that a large or hostile file neither stops requests nor stays in
 * memory. At most two at once; others wait.
 * @throws DomainError `statement_unreadable` with the place and the reason
 */
export async function parseStatement(bytes: Buffer): Promise<ReadFile> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await inThread(bytes);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

const unreadable = (detail: string, reason = 'statement_unreadable'): DomainError =>
  new DomainError(reason, { detail });

function inThread(bytes: Buffer): Promise<ReadFile> {
  return new Promise((resolve, reject) => {
    const worker = start();
    const timer = setTimeout(() => end(() => reject(unreadable('The file took too long to read.'))), LIMIT_MS);
    const end = (act: () => void): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // A thread that is being ended may still report that it was: nobody cares any more.
      worker.on('error', () => undefined);
      void worker.terminate();
      act();
    };
    worker.once('message', (answer: StatementAnswer) =>
      end(() => {
        if ('file' in answer) resolve(answer.file);
        else if ('unreadable' in answer) reject(unreadable(answer.unreadable, answer.reason));
        else reject(new Error(`a statement could not be read: ${answer.bug}`));
      }),
    );
    worker.once('error', (error: Error & { code?: string }) =>
      end(() =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? unreadable('The file needs too much memory to be read.') : error,
        ),
      ),
    );
    worker.once('exit', (code) =>
      end(() => reject(new Error(`the thread that reads statements ended with code ${code}`))),
    );
    const copy = Uint8Array.from(bytes);
    worker.postMessage(copy, [copy.buffer]);
  });
}

function start(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: 8 };
  if (!fromSource) return new Worker(new URL('./statement-worker.js', import.meta.url), { resourceLimits });
  const hooks = new URL('./run-from-source.mjs', import.meta.url).href;
  const execArgv = [
    '--conditions=@kontor/source',
    '--experimental-transform-types',
    '--no-warnings',
    '--import',
    hooks,
  ];
  return new Worker(new URL('./statement-worker.ts', import.meta.url), { resourceLimits, execArgv });
}
