import type { Tx } from '@kontor/kernel';
import { endFirst } from '../delivery-queue/delivery-queue.js';
import { publishEndpoint, webhookDisabled } from './published-events.js';
import { type DisabledReason, type EndpointRow, endpoints } from './endpoint.row.js';

/** Disables a locked endpoint because of its receiver, and notifies the tenant's other endpoints. */
export async function disableEndpoint(tx: Tx, endpoint: EndpointRow, reason: DisabledReason): Promise<EndpointRow> {
  const disabled: EndpointRow = { ...endpoint, version: endpoint.version + 1, enabled: false, disabledReason: reason };
  await endpoints.update(tx, disabled, ['version', 'enabled', 'disabledReason']);
  await endFirst(tx, endpoint.id);
  await publishEndpoint(tx, disabled, [webhookDisabled(disabled)]);
  return disabled;
}
