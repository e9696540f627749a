import { expect } from '@jest/globals';
import { aCustomer, priced } from '../../support/catalogue.js';
import { PatientClient } from '../patient-client.js';
import { numbersOf, upTo } from './finalize.js';
import type { JobKind } from './job.js';

const NET = 1_337;

/** Subscriptions that are due become invoices: each period once. */
export const billingRun: JobKind = {
  name: 'billing run',
  // At 03:00 what is due would be billed without being asked.
  now: '2026-01-10T09:00:00.000Z',
  async start(api) {
    const client = new PatientClient(api);
    const { pricePlan } = await priced(client, { type: 'per_unit', price: { amount: NET } });
    let billed = 0;
    return {
      async round(meeting) {
        const quantities = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        const subscribe = async (quantity: number): Promise<void> => {
          const { id: customer } = await aCustomer(client);
          const items = [{ pricePlan: pricePlan.id, quantity: String(quantity) }];
          await client.ok('POST', '/subscriptions', { customer, items, activate: true });
        };
        await Promise.all(quantities.map(subscribe));
        billed += quantities.length;
        await meeting.prepared();
        // A run goes on by itself: it begins when everything else is in the middle.
        await meeting.middle();
        const run = await client.ok('POST', '/billing-runs', {});
        meeting.step();
        const done = await client.until('the run is completed', `/billing-runs/${run.id}`, (found) => {
          return found.status === 'completed' && found;
        });
        expect(done).toMatchObject({ due: quantities.length, billed: quantities.length, failed: 0 });
        meeting.step();
        await client.until(
          `${billed} unpaid invoices`,
          '/invoices?status=STATUS_UNPAID&limit=0',
          (list) => list.meta.pagination.totalItems === billed,
        );
        const invoices = await client.all('/invoices');
        expect(numbersOf(invoices)).toEqual(upTo(billed));
        expect(new Set(invoices.map(({ customer }) => customer.id)).size).toBe(billed);
        const net = NET * (billed / quantities.length) * 55;
        expect(invoices.reduce((sum, { netAmount }) => sum + netAmount.amount, 0)).toBe(net);
      },
    };
  },
};
