import { startAdvice } from '@kontor/service-kit';
import { CannotStart } from './data-folder.js';

/** One line where the reader can do something about it, else everything that is known. */
export function explain(error: unknown): string {
  if (error instanceof CannotStart) return error.message;
  return startAdvice(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}
