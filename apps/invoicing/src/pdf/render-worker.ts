import { parentPort } from 'node:worker_threads';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { type RenderedDocument, renderFiles } from './render.js';

/** What the pool sends: one document. */
export interface RenderJob {
  readonly id: number;
  readonly snapshot: DocumentSnapshot;
}

/** What comes back: the file, or why there is none. */
export type RenderAnswer =
  { readonly id: number; readonly files: RenderedDocument } | { readonly id: number; readonly error: string };

parentPort?.on('message', ({ id, snapshot }: RenderJob) => {
  renderFiles(snapshot).then(
    (files) =>
      parentPort?.postMessage(
        { id, files } satisfies RenderAnswer,
        [files.pdf.buffer, files.xml?.buffer].filter((buffer) => buffer !== undefined) as ArrayBuffer[],
      ),
    (error: unknown) =>
      parentPort?.postMessage({
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies RenderAnswer),
  );
});
