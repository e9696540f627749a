import { beforeAll, describe, expect, it } from '@jest/globals';
import { howMany, testSeed } from '@kontor/testing';
import { numbersOf, upTo } from './faults/jobs/finalize.js';
import { PatientClient } from './faults/patient-client.js';
import { aCustomer } from './support/catalogue.js';
import { ServiceDatabase } from './support/service-database.js';
import { System } from './support/system.js';

const FINALIZATIONS = howMany(20, 200);
/** What a finalization comes to, in this order: its number, itself, its event. */
const TABLES = ['number_series', 'invoice', 'outbox'];
const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];

describe('the whole system, in one process', () => {
  let system: System;
  beforeAll(async () => void (system = await System.sharedToBeKilled()));

  it('a tenth of all finalizations is killed: no number is missing, none is there twice', async () => {
    const { api } = await system.sandbox();
    const client = new PatientClient(api);
    const invoicing = await ServiceDatabase.of('invoicing', system);
    const { id: customer } = await aCustomer(client);
    const drafts: string[] = [];
    while (drafts.length < FINALIZATIONS)
      drafts.push((await client.ok('POST', '/invoices', { customer, positions })).id);
    const answered: string[] = [];
    for (const [n, id] of drafts.entries()) {
      const finalize = async (): Promise<void> =>
        void answered.push((await client.ok('POST', `/invoices/${id}/finalize`, {})).number);
      if (n % 10 !== 5) await finalize();
      else {
        // The client repeats its request under its key meanwhile.
        let done: Promise<void> | undefined;
        await invoicing.reached(
          TABLES[(testSeed + Math.floor(n / 10)) % TABLES.length]!,
          () => (done = finalize()),
          () => system.kill(),
        );
        await system.start();
        await done;
      }
    }
    await invoicing.end();
    const unpaid = '/invoices?status=STATUS_UNPAID&limit=0';
    await client.until('all are unpaid', unpaid, ({ meta }) => meta.pagination.totalItems === FINALIZATIONS);
    const invoices = await client.all('/invoices');
    expect(numbersOf(invoices)).toEqual(upTo(FINALIZATIONS));
    expect(answered.sort()).toEqual(invoices.map(({ number }) => number).sort());
  });
});
