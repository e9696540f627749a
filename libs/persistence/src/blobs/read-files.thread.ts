import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { crc32 } from 'node:zlib';

/** Files to be read into one piece of so many bytes. */
export interface ReadJob {
  readonly length: number;
  readonly files: readonly { readonly path: string; readonly start: number; readonly end: number }[];
}

/** The piece, and the CRC-32 of each file. */
export interface ReadFiles {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sums: readonly number[];
}

export type ReadAnswer = ReadFiles | { readonly error: Error };

parentPort?.on('message', (job: ReadJob) => {
  const answer = answerTo(job);
  parentPort?.postMessage(answer, 'error' in answer ? [] : [answer.bytes.buffer]);
});

function answerTo({ length, files }: ReadJob): ReadAnswer {
  const bytes = new Uint8Array(length);
  try {
    return { bytes, sums: files.map(({ path, start, end }) => readInto(bytes.subarray(start, end), path)) };
  } catch (error) {
    return { error: error as Error };
  }
}

function readInto(target: Uint8Array, path: string): number {
  const file = openSync(path, 'r');
  try {
    let at = 0;
    for (let count = 1; count > 0 && at < target.length; at += count)
      count = readSync(file, target, at, target.length - at, at);
    if (at < target.length) throw new Error(`${path} does not hold as many bytes as were stored`);
    return crc32(target);
  } finally {
    closeSync(file);
  }
}
