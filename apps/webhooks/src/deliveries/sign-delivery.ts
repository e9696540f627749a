import { createHmac } from 'node:crypto';
import { secretBytes } from '../endpoints/signing-secret.js';

export interface Signable {
  readonly deliveryId: string;
  readonly eventType: string;
  readonly tenantId: string;
  readonly body: string;
  readonly secret: string;
  /** Real time: what receivers refuse replays by. */
  readonly sentAt: Date;
}

/**
 * Headers of one attempt. `X-Webhook-Signature` is keyed with the secret's text, the Standard Webhooks signature with
 * the bytes that it encodes. @see https://www.standardwebhooks.com
 */
export function deliveryHeaders({
  deliveryId,
  eventType,
  tenantId,
  body,
  secret,
  sentAt,
}: Signable): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1000).toString();
  const key = secretBytes(secret);
  const standard = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Kontor-Webhooks/1.0',
    'X-Webhook-Event': eventType,
    'X-Webhook-Event-Version': 'v1',
    'X-Webhook-Id': deliveryId,
    'X-Webhook-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    'X-Sales-Channel': 'default',
    'X-Tenant-Id': tenantId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}
