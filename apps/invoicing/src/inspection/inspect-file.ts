import { DomainError } from '@kontor/kernel';
import { runOnce, ThreadLimit } from '../uploads/run-once.js';
import type { Inspection } from './inspect.js';
import type { InspectAnswer } from './inspect-worker.js';

const WORKER = new URL('./inspect-worker', import.meta.url);

/** Looks at a file of anybody in a thread of its own. @throws DomainError 422 `file_unreadable` */
export async function inspectFile(bytes: Uint8Array): Promise<Inspection> {
  const answer = await runOnce<InspectAnswer>(WORKER, bytes).catch((error: unknown) => {
    throw error instanceof ThreadLimit ? unreadable(`Reading the file takes too much ${error.of}.`) : error;
  });
  if ('inspection' in answer) return answer.inspection;
  throw 'refused' in answer ? unreadable(answer.refused) : new Error(answer.error);
}

const unreadable = (detail: string): DomainError => new DomainError('file_unreadable', { detail });
