import { ConfigurationError } from '@kontor/service-kit/env-reader';
import { CannotStart } from './data-folder.js';

/** One line where the reader can do something about it, else everything that is known. */
export async function explain(error: unknown): Promise<string> {
  if (error instanceof CannotStart || error instanceof ConfigurationError) return error.message;
  // Loaded when it is needed: it takes longer than all that was checked before.
  const { startAdvice } = await import('@kontor/service-kit');
  return startAdvice(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}
