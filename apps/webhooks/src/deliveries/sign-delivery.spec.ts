import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { deliveryBody } from './delivery-body.js';
import { newSecret } from '../endpoints/signing-secret.js';
import { deliveryHeaders } from './sign-delivery.js';

describe('a delivery', () => {
  const secret = newSecret();
  const body = deliveryBody({
    deliveryId: '01K00000000000000000000001',
    type: 'invoice.paid',
    sequence: 3,
    createdAt: new Date('2026-01-31T02:00:00Z'),
    data: '{"invoice":{"number":"RE-2026-00001","note":"€ ü"}}',
  });
  const signed = (sentAt = new Date()): Record<string, string> =>
    deliveryHeaders({
      deliveryId: '01K00000000000000000000001',
      eventType: 'invoice.paid',
      tenantId: 't',
      body,
      secret,
      sentAt,
    });

  it('has a secret of whsec_ and 32 bytes in base64', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(secret);
  });

  it('is signed with the whole secret over the raw body, in lower-case hex', () => {
    expect(signed()['X-Webhook-Signature']).toBe(
      createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(body, 'utf8')).digest('hex'),
    );
  });

  it('is verified by the Standard Webhooks library, and not when it is changed or old', () => {
    const oracle = new Webhook(secret);
    expect(oracle.verify(body, signed())).toEqual(JSON.parse(body));
    expect(() => oracle.verify(`${body} `, signed())).toThrow();
    expect(() => oracle.verify(body, signed(new Date(Date.now() - 600_000)))).toThrow();
  });

  it('names event, version, delivery, channel and tenant in its headers', () => {
    expect(signed()).toMatchObject({
      'X-Webhook-Event': 'invoice.paid',
      'X-Webhook-Event-Version': 'v1',
      'X-Webhook-Id': '01K00000000000000000000001',
      'X-Sales-Channel': 'default',
      'X-Tenant-Id': 't',
      'webhook-id': '01K00000000000000000000001',
    });
  });

  it('has the envelope', () => {
    expect(JSON.parse(body)).toEqual({
      event: {
        id: '01K00000000000000000000001',
        type: 'invoice.paid',
        version: 'v1',
        createdAt: '2026-01-31T02:00:00.000Z',
        sequence: 3,
      },
      salesChannel: null,
      data: { invoice: { number: 'RE-2026-00001', note: '€ ü' } },
    });
  });
});
