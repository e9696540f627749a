import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableFile } from '../domain/e-invoice/reading/xml-node.js';
import { inspect } from './inspect.js';
import { writeAnswer } from './write-answer.js';

export interface InspectJob {
  readonly bytes: Uint8Array;
  /** To be read by people, else JSON. */
  readonly isPage: boolean;
}

/** What comes back: what the file is, written out, or why it cannot be read. */
export type InspectAnswer =
  { readonly written: Uint8Array } | { readonly refused: string } | { readonly error: string };

const { bytes, isPage } = workerData as InspectJob;
inspect(bytes)
  .then((inspection): InspectAnswer => ({ written: writeAnswer(inspection, isPage) }))
  .catch((error: unknown): InspectAnswer =>
    error instanceof UnreadableFile
      ? { refused: error.message }
      : { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  )
  .then((answer) => parentPort?.postMessage(answer));
