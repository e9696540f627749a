import { DomainError } from '@kontor/kernel';
import { ApartLimit, inTurns, readApart } from '@kontor/service-kit';
import { unpackStatements } from './pack-statements.js';
import type { ReadFile } from './read-statements.js';
import type { StatementAnswer } from './statement-worker.js';

const WORKER = new URL('./statement-worker', import.meta.url);
const LIMIT_MS = 25_000;
/** Who imports a file waits for minutes. */
const PATIENCE_MS = 120_000;
const HEAP_MB = 768;

const TOO_MUCH = { time: 'The file took too long to read.', memory: 'The file needs too much memory to be read.' };

/**
 * Reads a statement file apart, so that a large or hostile one neither stops requests nor stays in memory.
 * @throws DomainError `statement_unreadable` with the place and the reason
 */
export async function parseStatement(tenantId: string, bytes: Uint8Array): Promise<ReadFile> {
  const job = {
    worker: WORKER,
    data: bytes,
    size: bytes.length,
    limitMs: LIMIT_MS,
    patienceMs: PATIENCE_MS,
    heapMb: HEAP_MB,
  };
  const answer = await readApart<StatementAnswer>(tenantId, job).catch((error: unknown) => {
    throw error instanceof ApartLimit ? unreadable(TOO_MUCH[error.of]) : error;
  });
  if ('file' in answer) {
    const { format, packed } = answer.file;
    return { format, statements: await inTurns(unpackStatements(packed)) };
  }
  if ('unreadable' in answer) throw unreadable(answer.unreadable, answer.reason);
  throw new Error(`a statement could not be read: ${answer.bug}`);
}

const unreadable = (detail: string, reason = 'statement_unreadable'): DomainError =>
  new DomainError(reason, { detail });
