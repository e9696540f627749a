import { NewerDatabaseError } from '@kontor/persistence';
import { ConfigurationError } from '@kontor/service-kit';
import { CannotStart } from './data-folder.js';

/** One line where the reader can do something about it, else everything that is known. */
export function explain(error: unknown): string {
  if (error instanceof CannotStart || error instanceof ConfigurationError || error instanceof NewerDatabaseError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
