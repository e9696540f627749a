import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { aCustomer } from '../../support/catalogue.js';
import { PatientClient } from '../patient-client.js';
import { type JobKind, throughTheMiddle } from './job.js';

const GROSS = 11_900;
const LINES = '/payment/bank-account-transactions';

/** Bank statements whose lines pay invoices: each line is booked once. */
export const bankImport: JobKind = {
  name: 'bank import',
  async start(api) {
    const client = new PatientClient(api);
    const { id: customer } = await aCustomer(client);
    const { id: bankAccountId } = await client.ok('POST', '/bank-accounts', { iban: 'DE89370400440532013000' });
    const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
    const bookingDate = new Date().toISOString().slice(0, 10);
    let total = 0;
    return {
      async round(meeting) {
        const invoice = async (): Promise<string> => {
          const { id } = await client.ok('POST', '/invoices', { customer, positions });
          return (await client.ok('POST', `/invoices/${id}/finalize`, {})).number;
        };
        const numbers = await Promise.all(Array.from({ length: 6 }, invoice));
        total += numbers.length;
        // Payments knows the invoices: a line that comes before would be left to a person.
        await client.until(`${total} finalized invoices`, '/invoices?limit=100&order[number]=desc', ({ data }) =>
          data.every((invoice: { status: string }) => /UNPAID|PAID/.test(invoice.status)),
        );
        await meeting.prepared();
        await throughTheMiddle(numbers, meeting, (number) => {
          const remittanceInformation = `Rechnung ${number}`;
          const line = {
            reference: randomUUID(),
            bookingDate,
            amount: '119.00',
            currencyCode: 'EUR',
            remittanceInformation,
          };
          return client.ok('POST', `${LINES}/import`, { bankAccountId, transactions: [line] });
        });
        await client.until(
          `${total} paid invoices`,
          '/invoices?status=STATUS_PAID&limit=0',
          (list) => list.meta.pagination.totalItems === total,
        );
        const lines = await client.all(LINES);
        expect(lines).toHaveLength(total);
        expect(lines.filter(({ status }) => status !== 'STATUS_BOOKED')).toEqual([]);
        expect(new Set(lines.map(({ assignments }) => assignments[0].invoiceId)).size).toBe(total);
        const { data } = await client.ok('GET', '/ledger/accounts?code=bank');
        expect(data[0].balance.amount).toBe(total * GROSS);
      },
    };
  },
};
