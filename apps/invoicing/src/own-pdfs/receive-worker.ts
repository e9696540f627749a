import { parentPort, workerData } from 'node:worker_threads';
import type { EmbeddedXml } from '../pdf/xmp.js';
import { type PdfFault, PdfRefused } from './pdf-refused.js';
import { type ReceivedPdf, receivePdf } from './receive-pdf.js';

export interface ReceiveJob {
  readonly bytes: Uint8Array;
  readonly xml: EmbeddedXml | null;
  readonly day: string;
  /** Whether the e-invoice is put in. */
  readonly embed: boolean;
}

/** What comes back: the file as it is stored, or why it is refused. */
export type ReceiveAnswer =
  | { readonly received: ReceivedPdf }
  | { readonly fault: PdfFault; readonly message: string }
  | { readonly error: string };

const { bytes, xml, day, embed } = workerData as ReceiveJob;
receivePdf(bytes, xml, day, embed).then(
  (received) => parentPort?.postMessage({ received } satisfies ReceiveAnswer),
  (error: unknown) =>
    parentPort?.postMessage(
      (error instanceof PdfRefused
        ? { fault: error.fault, message: error.message }
        : { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }) satisfies ReceiveAnswer,
    ),
);
