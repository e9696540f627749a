import { beforeAll, expect, it } from '@jest/globals';
import { howMany } from '@kontor/testing';
import { PatientClient } from '../faults/patient-client.js';
import type { Api, Json } from '../support/api.js';
import { eventually } from '../support/api.js';
import { aCustomer, priced } from '../support/catalogue.js';
import { Databases } from '../support/databases.js';
import { invariants } from '../support/invariants.js';
import { killService } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { Receiver } from '../support/receiver.js';
import { System } from '../support/system.js';
import { walkToPaidInvoice } from '../support/walk.js';

const SUBSCRIPTIONS = howMany(500, 10_000);
const PER_CUSTOMER = 5;

async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

async function sumOfAll(api: Api, path: string): Promise<{ count: number; gross: number; numbers: string[] }> {
  const result = { count: 0, gross: 0, numbers: [] as string[] };
  for (let page = 1; ; page += 1) {
    const list: Json = await api.ok('GET', `${path}&limit=100&page=${page}`);
    for (const invoice of list.data) {
      result.count += 1;
      result.gross += invoice.grossAmount.amount;
      result.numbers.push(invoice.number);
    }
    if (page >= list.meta.pagination.lastPage) return result;
  }
}

describeOnKafka('the services as processes on Kafka', () => {
  let system: System;

  beforeAll(async () => {
    system = await System.sharedStack();
  });

  it('the main job works as it does in one process', async () => {
    const receiver = await Receiver.listen();
    const { api } = await system.sandbox({ now: '2026-01-10T09:00:00.000Z' });
    await walkToPaidInvoice(api, receiver);
    receiver.close();
  });

  it(`bills ${SUBSCRIPTIONS} subscriptions due on one day exactly, while services are killed and restarted`, async () => {
    // Its clock stands still: at 03:00 what is due is billed without being asked.
    const { api } = await system.sandbox({ now: '2026-01-10T09:00:00.000Z' });
    const { pricePlan } = await priced(api, { type: 'per_unit', price: { amount: 1337 } });
    const customers = SUBSCRIPTIONS / PER_CUSTOMER;
    await inParallel(customers, 12, async () => {
      const customer = await aCustomer(api);
      for (let n = 1; n <= PER_CUSTOMER; n += 1) {
        await api.ok('POST', '/subscriptions', {
          customer: customer.id,
          items: [{ pricePlan: pricePlan.id, quantity: String(n) }],
          activate: true,
        });
      }
    });

    const started = await api.post('/billing-runs', {});
    expect(started.status).toBe(202);
    killService('billing', system.dataDir);
    await eventually('the first invoices', async () => {
      const { body } = await api.get('/invoices?limit=0');
      return (body.meta?.pagination.totalItems ?? 0) > 0;
    });
    killService('invoicing', system.dataDir);

    const run = await eventually<Json>('the run is completed', async () => {
      const answer = await api.get(`/billing-runs/${started.body.id}`);
      return answer.status === 200 && answer.body.status === 'completed' ? answer.body : undefined;
    });
    expect(run).toMatchObject({ due: SUBSCRIPTIONS, billed: SUBSCRIPTIONS, failed: 0 });

    await eventually(
      'every invoice is unpaid',
      async () =>
        (await api.ok('GET', '/invoices?status=STATUS_UNPAID&limit=1')).meta.pagination.totalItems === customers,
    );
    // 1 + 2 + 3 + 4 + 5 units at 13.37 € net and 19 % tax, per customer.
    const net = 15 * 1337;
    const all = await sumOfAll(api, '/invoices?status=STATUS_UNPAID');
    expect(all.count).toBe(customers);
    expect(all.gross).toBe(customers * (net + Math.round(net * 0.19)));
    const ordinals = all.numbers.map((number) => Number(number.split('-')[2])).sort((a, b) => a - b);
    expect(ordinals).toEqual(Array.from({ length: customers }, (_, index) => index + 1));
  });

  it('undoes a merge of two customers, also when services that return their rows are killed on the way', async () => {
    const { api, tenantId } = await system.sandbox({ features: ['WalletTopUp'] });
    const client = new PatientClient(api);
    const [kept, gone] = [await aCustomer(client), await aCustomer(client)];
    const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
    const { id: invoice } = await client.ok('POST', '/invoices', { customer: gone.id, positions });
    await client.ok('POST', `/invoices/${invoice}/finalize`, {});
    const is = (status: string) => (merge: Json) => merge.status === status && merge;
    await client.until('the invoice is unpaid', `/invoices/${invoice}`, is('STATUS_UNPAID'));
    for (const [customerId, amount] of [[kept.id, 10], [gone.id, 25]] as const) // prettier-ignore
      await client.ok('POST', '/api/wallet/adjustments', {
        customerId, amount, currencyCode: 'EUR', description: 'Kulanz',
      }); // prettier-ignore
    const sides = async (): Promise<Json[]> =>
      Promise.all(
        [kept, gone].map(async ({ id }) => [
          (await client.ok('GET', `/api/wallet/balances?customerId=${id}`)).items.map(
            ({ balance }: Json) => balance.amount,
          ),
          (await client.ok('GET', `/invoices?customer=${id}`)).meta.pagination.totalItems,
        ]),
      );
    const databases = await Databases.of(system.dataDir);
    /** Invoicing cannot move its rows; it is killed while it tries, and payments whatever it has done. */
    const killedMeanwhile = async (begin: () => Promise<string>, settling: string, end: string): Promise<string> => {
      const sql = 'SELECT 1 FROM invoice WHERE tenant_id = $1 FOR UPDATE';
      const release = await databases.hold('kontor_invoicing', sql, [tenantId]);
      const id = await begin();
      const path = `/customer-merges/${id}`;
      expect(await client.ok('GET', path)).toMatchObject({ status: settling });
      for (const service of ['invoicing', 'payments', 'billing']) killService(service, system.dataDir);
      await release();
      expect(await client.until(`the merge is ${end}`, path, is(end))).toMatchObject({ waitingFor: [] });
      return id;
    };

    const merge = { targetCustomerId: kept.id, sourceCustomerIds: [gone.id] };
    const mergeId = await killedMeanwhile(
      async () => {
        await client.ok('POST', '/customers/merge', merge);
        return (await client.ok('GET', `/customers/${gone.id}/merges`)).data[0].id;
      },
      'running',
      'completed',
    );
    expect(await sides()).toEqual([[[3500], 1], [[], 0]]); // prettier-ignore
    await killedMeanwhile(
      async () => (await client.ok('POST', `/customer-merges/${mergeId}/undo`)).id,
      'undoing',
      'undone',
    );
    await databases.end();
    expect(await sides()).toEqual([[[1000], 0], [[2500], 1]]); // prettier-ignore
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });
});
