import { NewerDatabaseError, PostgresStartError } from '@kontor/persistence';
import { ConfigurationError } from '@kontor/service-kit';
import { CannotStart } from './data-folder.js';

const REFUSALS = [CannotStart, ConfigurationError, NewerDatabaseError, PostgresStartError];

/** Codes of the operating system and of PostgreSQL to what its reader can do. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: make room where the data folder is, then start again.',
  EDQUOT: 'The disk quota is used up: make room where the data folder is, then start again.',
  '53100': 'The disk is full: make room where the data folder is, then start again.',
  EROFS: 'The data folder is on a read-only file system: set DATA_DIR to a folder of yours.',
  EACCES: 'A file of the data folder cannot be opened: it belongs to another user; set DATA_DIR to a folder of yours.',
  EMFILE: 'Too many files are open: raise the limit (ulimit -n).',
};

/** One line where the reader can do something about it, else everything that is known. */
export function explain(error: unknown): string {
  if (REFUSALS.some((refusal) => error instanceof refusal)) return (error as Error).message;
  const { reason } = error as { reason?: string };
  const code = reason === 'storage_full' ? 'ENOSPC' : (error as { code?: string }).code;
  if (code !== undefined && ADVICE[code]) return ADVICE[code];
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
