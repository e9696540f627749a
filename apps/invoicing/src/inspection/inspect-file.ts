import { DomainError } from '@kontor/kernel';
import { ApartLimit, readApart } from '@kontor/service-kit';
import type { Inspection } from './inspect.js';
import type { InspectAnswer } from './inspect-worker.js';

const WORKER = new URL('./inspect-worker', import.meta.url);

/** Looks at a file of anybody in a process of its own. @throws DomainError 422 `file_unreadable` */
export async function inspectFile(tenantId: string, bytes: Uint8Array): Promise<Inspection> {
  const answer = await readApart<InspectAnswer>(tenantId, { worker: WORKER, data: bytes, size: bytes.length }).catch(
    (error: unknown) => {
      throw error instanceof ApartLimit ? unreadable(`Reading the file takes too much ${error.of}.`) : error;
    },
  );
  if ('inspection' in answer) return answer.inspection;
  throw 'refused' in answer ? unreadable(answer.refused) : new Error(answer.error);
}

const unreadable = (detail: string): DomainError => new DomainError('file_unreadable', { detail });
