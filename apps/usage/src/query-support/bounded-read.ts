import { DomainError } from '@kontor/kernel';
import type { Database, TenantTx } from '@kontor/persistence';

/** One question must not hold a connection for long: others wait for it. */
const LONGEST_STATEMENT_MS = 10_000;
/** PostgreSQL's code for a statement that was stopped. */
const CANCELLED = '57014';

interface ReadOptions {
  /** False where reading may copy a customer. */
  readonly readOnly?: boolean;
  readonly longestStatementMs?: number;
}

/**
 * Reads from one snapshot; no statement may run longer than ten seconds.
 * @throws DomainError 422 `query_too_large`
 */
export async function boundedRead<T>(
  database: Database,
  tenantId: string,
  work: (tx: TenantTx) => Promise<T>,
  { readOnly = true, longestStatementMs = LONGEST_STATEMENT_MS }: ReadOptions = {},
): Promise<T> {
  const bounded = async (tx: TenantTx): Promise<T> => {
    await tx.query(`SET LOCAL statement_timeout = ${longestStatementMs}`);
    return work(tx);
  };
  try {
    return await database.tenant(tenantId, bounded, { readOnly });
  } catch (error) {
    if ((error as { code?: string }).code !== CANCELLED) throw error;
    throw new DomainError('query_too_large', {
      detail: 'Answering would take too long: ask for a shorter period, one customer, or larger parts.',
    });
  }
}
