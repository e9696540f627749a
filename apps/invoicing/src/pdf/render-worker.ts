import { parentPort } from 'node:worker_threads';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import type { Paper } from './lay-out-paper.js';
import { type RenderedDocument, renderFiles, renderPaper } from './render.js';

/** What the pool sends: one document, or a letter of another service. */
export interface RenderJob {
  readonly id: number;
  readonly work: DocumentSnapshot | Paper;
}

/** What comes back: the file, or why there is none. */
export type RenderAnswer =
  { readonly id: number; readonly files: RenderedDocument } | { readonly id: number; readonly error: string };

const filesOf = async (work: RenderJob['work']): Promise<RenderedDocument> =>
  'request' in work ? { pdf: await renderPaper(work), xml: null } : renderFiles(work);

parentPort?.on('message', ({ id, work }: RenderJob) => {
  filesOf(work).then(
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
