import type { KeptData } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';
import type { ServiceConfig } from '../config/service-config.js';
import type { Kept } from './erase-rows.js';

const DAY_MS = 86_400_000;
/** How long the broker keeps what was published, in the distributed shape. */
const BROKER_DAYS = 30;

/** What is left for some days beside the data itself. */
export async function besideTheTables(
  tx: TenantTx,
  { embedded, idempotencyDays }: Pick<ServiceConfig, 'embedded' | 'idempotencyDays'>,
): Promise<KeptData[]> {
  const kept: KeptData[] = [];
  const [keys] = await tx.query<{ n: number }>('SELECT count(*)::int AS n FROM idempotency WHERE tenant_id = $1', [
    tx.tenantId,
  ]);
  const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  if (keys?.n)
    kept.push({
      what: 'idempotency',
      count: keys.n,
      until: day(idempotencyDays),
      reason: "Encrypted answers to the tenant's requests with an Idempotency-Key, for their repetition.",
    });
  if (!embedded)
    kept.push({
      what: 'broker',
      count: 0,
      until: day(BROKER_DAYS),
      reason: 'Events that the broker keeps for services that are away.',
    });
  return kept;
}

/** The day on which something more may go; null when nothing is kept. */
export const firstOf = (kept: readonly Kept[]): string | null =>
  kept.reduce<string | null>((first, { nextOn }) => (first === null || nextOn < first ? nextOn : first), null);
