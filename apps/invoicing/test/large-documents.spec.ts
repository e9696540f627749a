import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChargesDue, storedNoticeOf } from '@kontor/contracts';
import { eventually, servicePrincipal } from '@kontor/testing';
import { position, reasonOf, type Tenant, World } from './support/world.js';

describe('large documents in a list', () => {
  let world: World;
  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());

  it('are shown as far as they have 10,000 positions together, one alone whatever it has', async () => {
    const tenant = await world.tenant();
    const customerId = (await tenant.customer()).id;
    const lines = Array.from({ length: 2001 }, () => ({}));
    const large = (): ChargesDue => tenant.batch(customerId, lines, { immediate: true });
    for (let n = 0; n < 4; n++) await tenant.charge([large()]);
    await tenant.charge([tenant.batch(customerId, [{}], { immediate: true })]);
    const list = (limit: number) => tenant.send('GET', `/invoices?customer=${customerId}&limit=${limit}`);
    expect((await list(30)).body.data).toHaveLength(5);
    await tenant.charge([large()]);
    expect(reasonOf(await list(30))).toBe('422 query_too_large');
    expect((await list(2)).status).toBe(200);
  });
});

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
