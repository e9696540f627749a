import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { System } from './support/system.js';

const TIMES = 20;
const REFUSED = '422 invalid_status_transition';

/** The others get what the first got, or hear in which state the object is. */
type Others = 'same' | 'refused';
type Step = readonly [method: 'POST' | 'PUT', action: string, event: string, others: Others];

interface Kind {
  readonly of: string;
  create(api: Api, customer: string): Promise<Json> | Json;
  /** What is asked of one object, one after the other. */
  readonly steps: readonly Step[];
}

const KINDS: readonly Kind[] = [
  {
    of: '/offers',
    create: (_, customer) => ({ customer, recipients: [{ email: 'einkauf@backhaus-elbe.example', sendEmail: true }] }),
    steps: [
      ['POST', 'publish', 'offer.published', 'same'],
      ['POST', 'archive', 'offer.archived', 'refused'],
    ],
  },
  {
    of: '/invoices',
    create: (_, customer) => ({
      customer,
      positions: [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }],
    }),
    steps: [
      ['POST', 'finalize', 'invoice.finalized', 'refused'],
      ['POST', 'cancel', 'invoice.canceled', 'refused'],
    ],
  },
  {
    of: '/subscriptions',
    create: async (api, customer) => {
      const { pricePlan } = await priced(api, { price: { amount: 4_900 } });
      return { customer, items: [{ pricePlan: pricePlan.id }] };
    },
    steps: [
      ['PUT', 'activate', 'subscription.activated', 'refused'],
      ['PUT', 'pause', 'subscription.paused', 'refused'],
      ['PUT', 'resume', 'subscription.resumed', 'refused'],
      ['PUT', 'terminate', 'subscription.terminated', 'refused'],
    ],
  },
  {
    of: '/customers',
    create: () => ({ email: 'rechnung@hafenkontor.example', companyName: 'Hafenkontor GmbH' }),
    steps: [
      ['PUT', 'suspend', 'customer.updated', 'same'],
      ['PUT', 'archive', 'customer.archived', 'same'],
      ['PUT', 'unarchive', 'customer.unarchived', 'same'],
    ],
  },
];

const outcome = ({ status, body }: Answer<Json>): string => (status < 300 ? 'done' : `${status} ${body.reason}`);

describe('a change of state that many ask for at once', () => {
  let api: Api;
  beforeAll(async () => {
    ({ api } = await (await System.shared()).sandbox());
  });

  it.each(KINDS)('happens once: $of', async ({ of, create, steps }) => {
    const { id: customer } = await aCustomer(api);
    const { id } = await api.ok('POST', of, await create(api, customer));
    for (const [method, action, , others] of steps) {
      const ask = (): Promise<Answer<Json>> => api.send(method, `${of}/${id}/${action}`, {});
      const answers = await Promise.all(Array.from({ length: TIMES }, ask));
      // And once more, when it is long over.
      answers.push(await ask());
      const rest = Array<string>(TIMES).fill(others === 'same' ? 'done' : REFUSED);
      expect([action, answers.map(outcome).sort()]).toEqual([action, ['done', ...rest].sort()]);
      if (others === 'same') for (const answer of answers) expect(answer.body).toEqual(answers[0]!.body);
    }
    const last = steps.at(-1)![2];
    const events = await eventually(`the event log has ${last}`, async () => {
      const { data } = await api.ok('GET', `/events?object=${id}&limit=100`);
      const types: string[] = data.map(({ type }: Json) => type);
      return types.includes(last) && types;
    });
    for (const [, , event] of steps) expect(events.filter((type) => type === event)).toEqual([event]);
  });
});
