import type { Tx } from '@kontor/kernel';

/** Why an endpoint gets nothing: its owner said so, it answered 410, or it failed for days. */
export type DisabledReason = 'manual' | 'gone' | 'failing';

export interface EndpointRow {
  readonly id: string;
  readonly version: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly description: string | null;
  /** Sealed under SECRETS_KEY with the endpoint's id. */
  readonly secret: string;
  readonly failingDays: number;
  readonly failingDay: string | null;
  readonly createdAt: Date;
}

export const ENDPOINT_COLUMNS = `id, version, url, events, enabled, disabled_reason AS "disabledReason", description, secret,
  failing_days AS "failingDays", failing_day::text AS "failingDay", created_at AS "createdAt"`;

/** The endpoint, locked until the transaction ends; null when there is none. */
export async function lockEndpoint(tx: Tx, id: string): Promise<EndpointRow | null> {
  const rows = await tx.query<EndpointRow>(`SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE tenant_id = $1 AND id = $2 FOR UPDATE`, [
    tx.tenantId,
    id,
  ]);
  return rows[0] ?? null;
}
