import { type Notice, webhookEndpointChangedV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import type { EndpointRow } from './endpoint.row.js';
import { representEndpoint } from './represent-endpoint.js';

/** Says what became of an endpoint; the notices are what other endpoints and the activity log hear of it. */
export function publishEndpoint(tx: Tx, endpoint: EndpointRow, notices: Notice[] = [], deleted = false): Promise<void> {
  const { id, version, url, enabled, disabledReason } = endpoint;
  const state = deleted ? null : { id, url, enabled, disabledReason };
  return appendEvent(tx, webhookEndpointChangedV1, {
    aggregateId: id,
    aggregateSeq: version,
    payload: { id, version, deleted, state, notices },
  });
}

export const webhookCreated = (endpoint: EndpointRow): Notice => ({
  type: 'webhook.created',
  objectId: endpoint.id,
  data: null,
  customerId: null,
  activity: { metadata: { webhookId: endpoint.id, url: endpoint.url } },
});

export const webhookDisabled = (endpoint: EndpointRow): Notice => ({
  type: 'webhook.disabled',
  objectId: endpoint.id,
  data: { webhook: representEndpoint(endpoint) },
  customerId: null,
  activity: null,
});
