import type { Tx } from '@kontor/kernel';
import { failPending } from '../deliveries/delivery-queue.js';
import { publishEndpoint, webhookDisabled } from '../published-events.js';
import type { DisabledReason, EndpointRow } from './endpoint.row.js';

/** Takes a locked endpoint out of service because of its receiver, and says so to the tenant's other endpoints. */
export async function disableEndpoint(tx: Tx, endpoint: EndpointRow, reason: DisabledReason): Promise<EndpointRow> {
  const disabled: EndpointRow = { ...endpoint, version: endpoint.version + 1, enabled: false, disabledReason: reason };
  await tx.query('UPDATE webhook_endpoint SET version = $3, enabled = false, disabled_reason = $4 WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId, endpoint.id, disabled.version, reason,
  ]); // prettier-ignore
  await failPending(tx, endpoint.id);
  await publishEndpoint(tx, disabled, [webhookDisabled(disabled)]);
  return disabled;
}
