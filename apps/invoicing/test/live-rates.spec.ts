import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventOf, tenantChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { OnTenantChanged } from '../src/rates/fetch-rates.js';
import { eventually } from '@kontor/testing';
import { type Tenant, World } from './support/world.js';

describe("the central bank's rates", () => {
  let bank: Server;
  let world: World;
  let answer: { status: number; body: string } = { status: 200, body: '' };
  const file = (day: string, rate: string): string =>
    `<Envelope><Cube><Cube time='${day}'><Cube currency='USD' rate='${rate}'/></Cube></Cube></Envelope>`;

  beforeAll(async () => {
    bank = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
    world = await World.start({
      EXCHANGE_RATES_URL: `http://127.0.0.1:${(bank.address() as AddressInfo).port}/rates.xml`,
    });
  });
  afterAll(async () => {
    await world.stop();
    bank.close();
  });

  const appears = async (tenant: Tenant): Promise<void> => {
    const consumer = world.test.service.get(OnTenantChanged) as OnTenantChanged;
    const state = { ...tenantChangedV1.example.state, id: tenant.id, mode: 'live' } as NonNullable<
      typeof tenantChangedV1.example.state
    >;
    const event = { payload: { id: tenant.id, version: 1, deleted: false, state, notices: [] } } as unknown as EventOf<
      typeof tenantChangedV1
    >;
    await world.test.service.kit.database.tenant(tenant.id, (tx) => consumer.handle(event, tx));
  };
  const scheduled = async (tenant: Tenant): Promise<number> => {
    const [work] = await world.test.peek<{ wait: number }>(
      `SELECT extract(epoch FROM due_at - now())::int AS wait FROM due_work WHERE tenant_id = $1 AND kind = 'invoicing.exchange-rates'`,
      [tenant.id],
    );
    return work?.wait ?? 0;
  };

  it('that cannot be fetched are tried again within the hour and leave what is there', async () => {
    answer = { status: 503, body: 'not today' };
    const tenant = await world.tenant({ mode: 'live' });
    const rates = [{ date: '2026-02-20', currencyCode: 'CHF', rate: '0.95' }];
    await tenant.ok('PUT', '/exchange-rates', { rates });
    await appears(tenant);
    await eventually(async () => (await scheduled(tenant)) > 3000, 'the retry');
    expect(await scheduled(tenant)).toBeLessThanOrEqual(3600);
    expect(await tenant.ok('GET', '/exchange-rates')).toEqual({ rates });
  });

  it('are there soon after a live tenant appears, and let waiting drafts go on', async () => {
    const tenant = await world.tenant({ mode: 'live' });
    const customerId = (await tenant.customer()).id;
    const dollars = { amount: 10812, currencyCode: 'USD' };
    await tenant.charge([
      tenant.batch(customerId, [{ chargeId: newUuid(), netAmount: dollars, unitPrice: dollars, quantity: '1' }]),
    ]);
    expect((await tenant.ok('GET', `/invoices?customer=${customerId}`)).data).toMatchObject([
      { status: 'STATUS_DRAFT' },
    ]);
    answer = { status: 200, body: file('2026-02-27', '1.0812') };
    await appears(tenant);
    await eventually(async () => (await tenant.ok('GET', '/exchange-rates')).rates.length === 1, 'the rates');
    await eventually(
      async () => (await tenant.ok('GET', `/invoices?customer=${customerId}`)).data[0].status === 'STATUS_UNPAID',
      'the document',
    );
  });
});
