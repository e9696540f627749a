import { expect } from '@jest/globals';
import type { Json } from '../../support/api.js';
import { aCustomer } from '../../support/catalogue.js';
import { PatientClient } from '../patient-client.js';
import { type JobKind, throughTheMiddle } from './job.js';

const AMOUNT = 1_250;

/** A customer pays money in: each payment is taken once and credited once. */
export const topUp: JobKind = {
  name: 'top-up',
  async start(api) {
    const client = new PatientClient(api);
    const { id: customerId } = await aCustomer(client);
    const { paymentMethod } = await client.ok('POST', '/payment-methods', { gateway: 'testing', customerId });
    const body = { customerId, amount: AMOUNT / 100, currencyCode: 'EUR', paymentMethodId: paymentMethod.id };
    const times = Array.from({ length: 9 }, (_, n) => n);
    let total = 0;
    return {
      async round(meeting) {
        total += times.length;
        await meeting.prepared();
        await throughTheMiddle(times, meeting, () => client.ok('POST', '/api/wallet/top-up', body));
        await client.until(
          `a balance of ${total} top-ups`,
          `/api/wallet/balances?customerId=${customerId}`,
          ({ items }) => items[0]?.balance.amount === total * AMOUNT,
        );
        const { items } = await client.ok('GET', `/api/wallet/transactions?customerId=${customerId}&limit=100`);
        expect(items.map(({ type, amount }: Json) => [type, amount.amount])).toEqual(
          Array.from({ length: Math.min(total, 100) }, () => ['top_up', AMOUNT]),
        );
        const list = await client.ok('GET', `/payment/transactions?customer=${customerId}&limit=1`);
        expect(list.meta.pagination.totalItems).toBe(total);
      },
    };
  },
};
