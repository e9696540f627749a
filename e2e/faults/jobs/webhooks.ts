import { eventually } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { PatientClient } from '../patient-client.js';
import { type JobKind, throughTheMiddle } from './job.js';
import { expect } from '@jest/globals';

/** Changes that a receiver hears of: each one, under one id, in the order of the object. */
export const webhooks: JobKind = {
  name: 'webhooks',
  async start(api) {
    const client = new PatientClient(api);
    const receiver = await Receiver.listen();
    receiver.server.unref();
    await client.ok('POST', '/webhooks', { url: receiver.url, events: ['customer.created', 'customer.updated'] });
    const customers: string[] = [];
    const email = 'rechnung@backhaus-elbe.example';
    return {
      async round(meeting) {
        await meeting.prepared();
        await throughTheMiddle([1, 2, 3, 4, 5, 6, 7, 8, 9], meeting, async (n) => {
          const { id } = await client.ok('POST', '/customers', { email, companyName: `Backhaus ${n}` });
          await client.ok('PUT', `/customers/${id}`, { email, companyName: `Backhaus Elbe ${n}`, language: 'de' });
          customers.push(id);
        });
        const heard = (): Map<string, string[]> => {
          const types = new Map(customers.map((id) => [id, [] as string[]]));
          const seen = new Set<string>();
          for (const { headers, type, body } of receiver.deliveries) {
            const id = String(headers['x-webhook-id']);
            if (!seen.has(id)) types.get(body.data.customer.id)?.push(type);
            seen.add(id);
          }
          return types;
        };
        await eventually('every change is delivered', async () =>
          [...heard().values()].every((types) => types.length >= 2),
        );
        for (const types of heard().values()) expect(types).toEqual(['customer.created', 'customer.updated']);
      },
    };
  },
};
