import { DomainError } from '@kontor/kernel';
import type { ImportFormat } from './read-records.js';

/** A file on its way in. */
export interface Upload {
  readonly format: ImportFormat;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The sender closed the connection before the file was complete. */
export class UploadInterrupted extends DomainError {
  constructor() {
    super('upload_interrupted', { kind: 'invalid', detail: 'The upload was interrupted.' });
  }
}
