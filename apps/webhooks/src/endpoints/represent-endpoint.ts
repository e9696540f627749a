import type { EndpointRow } from './endpoint.row.js';
import type { WebhookJson } from './webhook.schema.js';

/** A webhook endpoint as the API shows it. The secret is in the answers that make one, and nowhere else. */
export const representEndpoint = (endpoint: EndpointRow, secret?: string): WebhookJson => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  description: endpoint.description,
  ...(secret === undefined ? {} : { secret }),
  createdAt: endpoint.createdAt.toISOString(),
});
