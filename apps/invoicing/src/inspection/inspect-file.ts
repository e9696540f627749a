import { DomainError } from '@kontor/kernel';
import { ApartLimit, readApart } from '@kontor/service-kit';
import type { InspectAnswer, InspectJob } from './inspect-worker.js';

const WORKER = new URL('./inspect-worker', import.meta.url);

/** Looks at a file of anybody in a process of its own, which writes the answer, too. @throws DomainError 422 `file_unreadable` */
export async function inspectFile(tenantId: string, job: InspectJob): Promise<Buffer> {
  const answer = await readApart<InspectAnswer>(tenantId, { worker: WORKER, data: job, size: job.bytes.length }).catch(
    (error: unknown) => {
      throw error instanceof ApartLimit ? unreadable(`Reading the file takes too much ${error.of}.`) : error;
    },
  );
  if ('written' in answer) {
    const { buffer, byteOffset, byteLength } = answer.written;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
  throw 'refused' in answer ? unreadable(answer.refused) : new Error(answer.error);
}

const unreadable = (detail: string): DomainError => new DomainError('file_unreadable', { detail });
