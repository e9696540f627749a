import { expect } from '@jest/globals';
import type { Json } from '../../support/api.js';
import { aCustomer } from '../../support/catalogue.js';
import { PatientClient } from '../patient-client.js';
import { type JobKind, throughTheMiddle } from './job.js';

const GROSS = 11_900;

/** Drafts get their numbers: without a gap, none twice. */
export const finalize: JobKind = {
  name: 'finalize',
  async start(api) {
    const client = new PatientClient(api);
    const { id: customer } = await aCustomer(client);
    const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
    let total = 0;
    return {
      async round(meeting) {
        const draft = async (): Promise<string> => (await client.ok('POST', '/invoices', { customer, positions })).id;
        const drafts = await Promise.all(Array.from({ length: 9 }, draft));
        total += drafts.length;
        await meeting.prepared();
        await throughTheMiddle(drafts, meeting, (id) => client.ok('POST', `/invoices/${id}/finalize`, {}));
        await client.until(
          `${total} finalized invoices`,
          '/invoices?status=STATUS_UNPAID&limit=0',
          (list) => list.meta.pagination.totalItems === total,
        );
        const invoices = await client.all('/invoices');
        expect(numbersOf(invoices)).toEqual(upTo(total));
        expect(invoices.map(({ grossAmount }) => grossAmount.amount)).toEqual(Array(total).fill(GROSS));
      },
    };
  },
};

/** `RE-2026-00007` is 7. */
export const numbersOf = (invoices: readonly Json[]): number[] =>
  invoices.map(({ number }) => Number(number.split('-')[2])).sort((a, b) => a - b);

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
