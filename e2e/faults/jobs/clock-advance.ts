import { expect } from '@jest/globals';
import type { Json } from '../../support/api.js';
import { aCustomer, priced } from '../../support/catalogue.js';
import { PatientClient } from '../patient-client.js';
import { numbersOf, upTo } from './finalize.js';
import type { JobKind } from './job.js';

const NET = 4_900;
const CUSTOMERS = 3;
const MONTHS = 3;

/** Months that pass: each one is billed once, in order, and nothing is left behind by the clock. */
export const clockAdvance: JobKind = {
  name: 'clock advance',
  now: '2020-01-01T08:00:00.000Z',
  async start(api) {
    const client = new PatientClient(api);
    const { pricePlan } = await priced(client, { price: { amount: NET } });
    for (let n = 0; n < CUSTOMERS; n++) {
      const { id: customer } = await aCustomer(client);
      const items = [{ pricePlan: pricePlan.id }];
      const billingStart = '2020-01-05T08:00:00.000Z';
      await client.ok('POST', '/subscriptions', { customer, items, billingStart, activate: true });
    }
    let months = 0;
    return {
      async round(meeting) {
        await meeting.prepared();
        months += MONTHS;
        const to = new Date(Date.UTC(2020, months, 1, 8)).toISOString();
        const ask = (): Promise<Json> => client.ok('POST', '/sandbox/clock/advance', { to });
        // It goes on by itself: it begins when everything else is in the middle.
        await meeting.middle();
        await ask();
        meeting.step();
        const ready = (): Promise<Json> =>
          client.until(`the clock reaches ${to}`, '/sandbox/clock', (now) => now.status === 'ready' && now);
        let clock = await ready();
        // While a service is away for more than a minute, as under load a start may take, an advance ends and says so.
        while (clock.problems.length > 0 && clock.problems.every(isPatience)) {
          await ask();
          clock = await ready();
        }
        expect(clock).toMatchObject({ now: to, problems: [] });
        meeting.step();
        const invoices = await client.all('/invoices');
        const left = invoices.filter(({ status }) => status === 'STATUS_DRAFT');
        const origins = await Promise.all(left.map(({ id }) => client.ok('GET', `/invoices/${id}/billing-run`)));
        expect(origins.map(({ blockedReason }) => blockedReason)).toEqual([]);
        expect(invoices.map(({ status }) => status)).toEqual(invoices.map(() => 'STATUS_UNPAID'));
        const periods = invoices.map(({ customer, serviceDateFrom }) => `${customer.id} ${serviceDateFrom}`);
        expect([periods.length, new Set(periods).size]).toEqual([months * CUSTOMERS, months * CUSTOMERS]);
        // Numbers begin anew each year.
        const years = new Map<string, typeof invoices>();
        for (const invoice of invoices) {
          const year = invoice.number.split('-')[1];
          years.set(year, [...(years.get(year) ?? []), invoice]);
        }
        for (const ofYear of years.values()) expect(numbersOf(ofYear)).toEqual(upTo(ofYear.length));
        expect(invoices.map(({ netAmount }) => netAmount.amount)).toEqual(invoices.map(() => NET));
      },
    };
  },
};

const isPatience = ({ code }: Json): boolean => code === 'service_unavailable' || code === 'not_quiescent';
