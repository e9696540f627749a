import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UsageSource } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { type Tenant, World } from './support/world.js';

const usage: UsageSource = {
  closingId: newUuid(),
  metricId: newUuid(),
  metricName: 'API calls',
  quantity: '3',
  unit: 'calls',
  group: null,
  from: '2026-01-31T23:00:00.000Z',
  to: '2026-02-28T23:00:00.000Z',
};

describe('the link to the page about usage', () => {
  let world: World;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
  });
  afterAll(() => world.stop());

  async function billed(customerId: string, source: UsageSource | null) {
    const batch = tenant.batch(customerId);
    batch.lines[0]!.usage = source;
    await tenant.charge([batch]);
    const [invoice] = (await tenant.ok('GET', `/invoices?customer=${customerId}`)).data;
    await eventually(
      async () => (await tenant.ok('GET', `/invoices/${invoice.id}`)).status === 'STATUS_UNPAID',
      'UNPAID',
    );
    const [event] = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.finalizing.v1' AND aggregate_id = $1`,
      [invoice.id],
    );
    return { invoice: await tenant.ok('GET', `/invoices/${invoice.id}`), event: JSON.parse(event!.payload) };
  }

  it('is on a document with usage; only the hash of its token and the positions that bill usage travel', async () => {
    const { id } = await tenant.customer();
    const { invoice, event } = await billed(id, usage);
    const [, token] = /^http.*\/public\/usage\/([\w-]{43})$/.exec(invoice.usageBreakdownUrl)!;
    expect(event.usageBreakdown).toMatchObject({
      tokenHash: createHash('sha256').update(token!).digest('hex'),
      positions: [
        { id: invoice.positions[0].id, name: 'Team', netAmount: { amount: 3000, currencyCode: 'EUR' }, usage },
      ],
      omittedPositions: 0,
    });
    expect(JSON.stringify(event)).not.toContain(token);
    expect((await tenant.ok('GET', `/invoices?customer=${id}`)).data[0].usageBreakdownUrl).toBe(
      invoice.usageBreakdownUrl,
    );
  });

  it('is not on a document without usage, and not where the customer’s settings say so', async () => {
    const plain = await billed((await tenant.customer()).id, null);
    expect([plain.invoice.usageBreakdownUrl, plain.event.usageBreakdown]).toEqual([null, undefined]);
    const without = await billed((await tenant.customer({ settings: { usageBreakdownLink: false } })).id, usage);
    expect([without.invoice.usageBreakdownUrl, without.event.usageBreakdown]).toEqual([null, undefined]);
  });
});
