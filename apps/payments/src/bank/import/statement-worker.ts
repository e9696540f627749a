import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableStatement } from '../../domain/bank/import/statement.js';
import { packStatements } from './pack-statements.js';
import { type ReadFile, readStatements } from './read-statements.js';

export interface PackedFile {
  readonly format: ReadFile['format'];
  readonly packed: readonly Uint8Array[];
}

export type StatementAnswer =
  { readonly file: PackedFile } | { readonly unreadable: string; readonly reason: string } | { readonly bug: string };

const bytes = workerData as Uint8Array;
void readStatements(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  .then(({ format, statements }): StatementAnswer => ({ file: { format, packed: packStatements(statements) } }))
  .catch((error: Error): StatementAnswer =>
    error instanceof UnreadableStatement
      ? { unreadable: error.message, reason: error.reason }
      : { bug: `${error.name}: ${error.message}` },
  )
  .then((answer) => parentPort?.postMessage(answer));
