import { Replicas, type TenantTx } from '@kontor/persistence';

interface OfferSettings {
  readonly approvers: readonly string[];
  readonly reminderDays: readonly number[];
}

/** What the tenant wants of all offers. */
export async function offerSettings(tx: TenantTx, replicas: Replicas): Promise<OfferSettings> {
  const settings = await replicas.get<{ offers?: OfferSettings }>(tx, 'settings', tx.tenantId);
  return settings?.offers ?? { approvers: [], reminderDays: [] };
}
