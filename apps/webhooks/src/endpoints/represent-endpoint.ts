import type { EndpointRow } from './endpoint.row.js';

/** A webhook endpoint as the API shows it. The secret is in the answers that make one, and nowhere else. */
export const representEndpoint = (endpoint: EndpointRow, secret?: string) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  description: endpoint.description,
  ...(secret === undefined ? {} : { secret }),
  createdAt: endpoint.createdAt.toISOString(),
});
export type WebhookEndpoint = ReturnType<typeof representEndpoint>;
