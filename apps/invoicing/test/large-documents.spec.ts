import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storedNoticeOf } from '@kontor/contracts';
import { eventually, servicePrincipal } from '@kontor/testing';
import { position, reasonOf, type Tenant, World } from './support/world.js';

describe('documents that are too large for an event', () => {
  let world: World;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
  });
  afterAll(() => world.stop());

  it('are published by reference, which answers what GET answered', async () => {
    const customerId = (await tenant.customer()).id;
    const draft = await tenant.draft(
      customerId,
      ...Array.from({ length: 300 }, (_, i) => position({ name: `Position ${i}`, description: 'ä'.repeat(500) })),
    );
    const shown = await tenant.ok('GET', `/invoices/${draft.id}`);
    const [event] = await world.test.peek<{ payload: string }>(`SELECT payload FROM outbox WHERE aggregate_id = $1`, [
      draft.id,
    ]);
    const { notices } = JSON.parse(event!.payload) as { notices: { data: Record<string, unknown> }[] };
    const reference = storedNoticeOf(notices[0]!.data);
    expect(reference?.service).toBe('invoicing');
    const answer = await world.test.as(servicePrincipal(tenant.id, 'webhooks'))('GET', reference!.path);
    expect(answer.body).toEqual({ invoice: shown });
    expect(
      reasonOf(await world.test.as(servicePrincipal((await world.tenant()).id, 'webhooks'))('GET', reference!.path)),
    ).toBe('404 not_found');
    await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
    const pdf = await eventually(async () => {
      const file = await tenant.send('GET', `/invoices/${draft.id}/pdf`);
      return file.status === 200 && file;
    }, 'the file');
    expect(pdf.body.slice(0, 5)).toBe('%PDF-');
  });

  it('a run with many lines too', async () => {
    const customerId = (await tenant.customer()).id;
    await tenant.charge([
      tenant.batch(
        customerId,
        Array.from({ length: 1000 }, () => ({})),
      ),
    ]);
    const [invoice] = (await tenant.ok('GET', `/invoices?customer=${customerId}`)).data;
    expect(invoice.positions).toHaveLength(1000);
  });
});
