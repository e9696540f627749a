import { beforeAll, describe, expect, it } from '@jest/globals';
import { documentFaults, exampleIdOf, freeFormsIn, kindOf } from '@kontor/service-kit';
import type { Answer, Api, Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { FREE_FORMS } from './support/free-forms.js';
import { REFUSED_EXAMPLES } from './support/refused-examples.js';
import { System } from './support/system.js';

type Ids = Record<string, string>;

interface Sent {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly body: Json;
  readonly reasons: readonly string[];
}

/** Whose id a path has. */
const KINDS: readonly [prefix: RegExp, kind: string][] = [
  [/^\/subscription-items/, 'subscriptionItem'],
  [/^\/subscriptions/, 'subscription'],
  [/^\/invoice-position-items/, 'position'],
  [/^(\/api)?\/invoices/, 'invoice'],
  [/^\/customers/, 'customer'],
  [/^\/customer-addresses/, 'address'],
  [/^\/catalogue\/products/, 'product'],
  [/^\/price-plans/, 'pricePlan'],
  [/^\/plans/, 'plan'],
  [/^\/webhooks/, 'webhook'],
];

/** A tenant in which the examples make sense, and the ids of what it has. */
async function aWorld(api: Api): Promise<Ids> {
  const customer = await aCustomer(api);
  const { product, pricePlan } = await priced(api, { type: 'per_unit', price: { amount: 1000 } });
  const planOf = (code: string) =>
    api.ok('POST', '/plans', { code, name: code, status: 'active', items: [{ pricePlan: pricePlan.id }] });
  const [plan, before] = [await planOf('after'), await planOf('before')];
  const group = await api.ok('POST', '/billing-groups', { name: 'First', type: 'start_of_month' });
  const method = await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: customer.id });
  const webhook = await api.ok('POST', '/webhooks', { url: 'https://example.com/hook', events: ['*'] });
  return {
    customer: customer.id,
    address: customer.addresses[0].id,
    product: product.id,
    pricePlan: pricePlan.id,
    plan: plan.id,
    planBefore: before.id,
    subscription: '',
    subscriptionItem: '',
    invoice: '',
    position: '',
    billingGroup: group.id,
    paymentMethod: method.paymentMethod.id,
    webhook: webhook.id,
  };
}

/** What operations change for good is made anew for each of them. */
async function withFresh(api: Api, ids: Ids, path: string): Promise<Ids> {
  if (/^\/subscription/.test(path)) {
    const active = !/activate|trial$/.test(path);
    const body = { customer: ids['customer'], plan: ids['planBefore'], activate: active };
    const { id, items } = await api.ok('POST', '/subscriptions', body);
    return { ...ids, subscription: id, subscriptionItem: items[0].id };
  }
  if (!/^\/invoice/.test(path)) return ids;
  const position = { name: 'Workshop', unitPrice: { amount: 100, currencyCode: 'EUR' } };
  const invoice = await api.ok('POST', '/invoices', { customer: ids['customer'], positions: [position] });
  return { ...ids, invoice: invoice.id, position: invoice.positions[0].id };
}

/** The example with the ids of this tenant. */
function withIds(example: Json, ids: Ids): Json {
  const byExample = new Map(Object.entries(ids).map(([kind, id]) => [exampleIdOf(kind), id]));
  const replace = (name: string, value: unknown): unknown =>
    typeof value === 'string' ? (byExample.get(value) ?? ids[kindOf(name)] ?? value) : value;
  return JSON.parse(
    JSON.stringify(example, (name, value: unknown) =>
      typeof value === 'string' && /^0190a000-0000-7000-8000-/.test(value) ? replace(name, value) : value,
    ),
  );
}

function pathFor(path: string, ids: Ids): string | null {
  const kind = KINDS.find(([prefix]) => prefix.test(path))?.[1];
  const id = kind === undefined ? undefined : ids[kind];
  if (!path.includes('{')) return path;
  return id === undefined || path.split('{').length > 2 ? null : path.replace(/\{\w+\}/, id);
}

/** Every request example that is JSON and whose path this world has, in an order in which nothing is archived too early. */
function requestsOf(document: Json, ids: Ids): Sent[] {
  const all: Sent[] = [];
  for (const [template, item] of Object.entries<Json>(document.paths))
    for (const [method, operation] of Object.entries<Json>(item)) {
      const example = operation.requestBody?.content?.['application/json']?.example;
      if (example === undefined || pathFor(template, ids) === null || operation['x-permission'] === null) continue;
      all.push({ id: operation.operationId, method, template, body: example, reasons: operation['x-reasons'] });
    }
  const isLast = ({ template }: Sent): number => Number(/archive|merge/.test(template));
  return all.sort((a, b) => isLast(a) - isLast(b));
}

describe('the OpenAPI document', () => {
  let system: System;
  let document: Json;
  beforeAll(async () => {
    system = await System.shared();
    document = await (await fetch(`${system.connection.baseUrl}/openapi.json`)).json();
  });

  it('says of every operation and every property what it is, with examples and reasons', () => {
    expect(documentFaults(document)).toEqual([]);
    expect(Object.keys(document.webhooks)).toContain('invoice.paid');
    const { headers } = document.paths['/customers'].post.responses['201'];
    expect(Object.keys(headers)).toContain('Idempotent-Replayed');
  });

  it('names the fields of every object but those that have none of their own', () => {
    expect(freeFormsIn(document)).toEqual(Object.keys(FREE_FORMS).sort());
    const free = { type: 'object', additionalProperties: true };
    const schemas = { ...document.components.schemas, Another: { type: 'object', properties: { data: free } } };
    expect(freeFormsIn({ ...document, paths: {}, components: { schemas } })).toContain('Another.data');
  });

  it('has request examples that a running system takes, and answers as it says', async () => {
    const { api } = await system.sandbox();
    const world = await aWorld(api);
    const sent = requestsOf(document, world);
    expect(sent.length).toBeGreaterThan(80);
    const outcomes: Record<string, string> = {};
    for (const { id, method, template, body, reasons } of sent) {
      const ids = await withFresh(api, world, template);
      const answer: Answer<Json> = await api.send(method.toUpperCase(), pathFor(template, ids)!, withIds(body, ids));
      if (answer.status < 300) continue;
      outcomes[id] = answer.body.reason;
      expect([id, reasons]).toEqual([id, expect.arrayContaining([answer.body.reason])]);
    }
    expect({ ...REFUSED_EXAMPLES, ...outcomes }).toEqual(REFUSED_EXAMPLES);
  });
});
