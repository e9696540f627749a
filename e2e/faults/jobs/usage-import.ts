import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { aCustomer } from '../../support/catalogue.js';
import { PatientClient } from '../patient-client.js';
import { type JobKind, throughTheMiddle } from './job.js';

const EVENTS = 1_500;
const HEADER = 'transactionId,eventName,timestamp,customerId,properties.units\n';

/** Files of usage events: every event counts, and none twice. */
export const usageImport: JobKind = {
  name: 'usage import',
  async start(api) {
    const client = new PatientClient(api);
    const { id: customerId } = await aCustomer(client);
    const metric = await client.ok('POST', '/api/usage-metrics', {
      code: 'calls',
      name: 'Calls',
      eventName: 'call',
      aggregationType: 'sum',
      property: 'units',
    });
    const from = new Date(Date.now() - 3_600_000).toISOString();
    let files = 0;
    return {
      async round(meeting) {
        const ids = Array.from({ length: 6 }, () => randomUUID());
        files += ids.length;
        await meeting.prepared();
        const timestamp = new Date().toISOString();
        await throughTheMiddle(ids, meeting, async (id) => {
          const rows = Array.from({ length: EVENTS }, (_, n) => `${id}-${n},call,${timestamp},${customerId},3\n`);
          const path = `/api/usage-events/import?id=${id}`;
          const { ingested, duplicates, failed } = await client.ok('POST', path, HEADER + rows.join(''), 'text/csv');
          expect([ingested + duplicates, failed]).toEqual([EVENTS, 0]);
        });
        const to = new Date(Date.now() + 3_600_000).toISOString();
        const usage = `/api/usage-metrics/${metric.id}/query?from=${from}&to=${to}&customerId=${customerId}`;
        const { data } = await client.ok('GET', usage);
        expect(data.map(({ value }: { value: string }) => value)).toEqual([String(files * EVENTS * 3)]);
      },
    };
  },
};
