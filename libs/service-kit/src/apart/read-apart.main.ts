import { Worker } from 'node:worker_threads';

export interface ApartJob {
  readonly worker: string;
  readonly data: unknown;
  readonly heapMb: number;
}

export type ApartAnswer = { readonly posted: unknown } | { readonly failed: string; readonly isTooLarge: boolean };

const LOOK_MS = 50;

/** Who asked ends this process when it has the answer. */
const answer = (of: ApartAnswer): void => void process.send?.(of);

// A terminal sends it to all processes; this one ends with the one that has started it.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());
process.once('message', ({ worker: module, data, heapMb }: ApartJob) => {
  const worker = new Worker(new URL(module), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: 8 },
  });
  worker.once('message', (posted) => answer({ posted }));
  worker.once('error', (error: Error & { code?: string }) =>
    answer({ failed: error.stack ?? error.message, isTooLarge: error.code === 'ERR_WORKER_OUT_OF_MEMORY' }),
  );
  setInterval(() => {
    // What a packed stream becomes lies in buffers, which the engine has no limit for. It answers also while the thread is busy.
    void worker.getHeapStatistics().then(
      ({ external_memory }) => {
        if (external_memory > heapMb * 1024 * 1024) answer({ failed: 'buffers', isTooLarge: true });
      },
      () => undefined,
    );
  }, LOOK_MS);
});
