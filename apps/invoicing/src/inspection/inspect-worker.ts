import { parentPort, workerData } from 'node:worker_threads';
import { inspect, type Inspection } from './inspect.js';
import { UnreadableFile } from '../domain/e-invoice/reading/xml-node.js';

/** What comes back: what the file is, or why it cannot be read. */
export type InspectAnswer =
  { readonly inspection: Inspection } | { readonly refused: string } | { readonly error: string };

inspect(workerData as Uint8Array).then(
  (inspection) => parentPort?.postMessage({ inspection } satisfies InspectAnswer),
  (error: unknown) =>
    parentPort?.postMessage(
      (error instanceof UnreadableFile
        ? { refused: error.message }
        : { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }) satisfies InspectAnswer,
    ),
);
