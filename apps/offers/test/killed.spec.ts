import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { migrationsOf } from '@kontor/service-kit';
import { shareOf, testDatabase, type TestDatabase } from '@kontor/testing';
import { offersService } from '../src/index.js';
import type { Asked } from './support/billing-stand-in.js';
import { KilledSeller, ok, type Place } from './support/killed-seller.js';
import {
  billing,
  billingIsWell,
  NOW,
  offers,
  published,
  QUOTE,
  startSelling,
  tenant,
  type Tenant,
} from './support/selling.js';

/** Between each two steps of what an acceptance leads to. */
const OF_OFFERS: readonly Place[] = [
  { name: 'before it is accepted', table: 'offer' },
  { name: 'while its event is written', table: 'outbox' },
  { name: 'before billing has heard of it', asked: '/acceptance', moment: 'before' },
  { name: 'when billing has done it', asked: '/acceptance', moment: 'after' },
  { name: 'while that is noted', asked: '/acceptance', moment: 'after', table: 'offer' },
];
const OF_CARTS: readonly Place[] = [
  { name: 'before it is taken', table: 'cart' },
  { name: 'while its event is written', table: 'outbox' },
  { name: 'before there is a customer', asked: '/customer', moment: 'before' },
  { name: 'when there is a customer', asked: '/customer', moment: 'after' },
  { name: 'before there is a way to pay', asked: '/checkout-methods', moment: 'before' },
  { name: 'when there is a way to pay', asked: '/checkout-methods', moment: 'after' },
  { name: 'before it is sold', asked: '/SALE', moment: 'before' },
  { name: 'when it is sold', asked: '/SALE', moment: 'after' },
  { name: 'before payments says what the payer has to do', asked: '/payer-pages', moment: 'before' },
  { name: 'while all is noted', asked: '/payer-pages', moment: 'after', table: 'cart' },
  { name: 'while the mail is ordered', asked: '/payer-pages', moment: 'after', table: 'outbox' },
];
const offerPlaces = shareOf(OF_OFFERS, 2);
const cartPlaces = shareOf(OF_CARTS, 3);

let db: TestDatabase;
let seller: Tenant;
let killed: KilledSeller;
const signable: Awaited<ReturnType<typeof published>>[] = [];
const orderable: { id: string; token: string; link: string }[] = [];

beforeAll(async () => {
  db = await testDatabase('offers', migrationsOf(offersService), offersService.rows, { now: NOW });
  await startSelling({ db });
  billingIsWell();
  seller = await tenant();
  for (const _ of offerPlaces) signable.push(await published(seller, { subscription: null, sections: ITEMS }));
  billing.answers = cartAnswers;
  for (const _ of cartPlaces) orderable.push(await aCart());
  // From here on there are only processes that can be killed.
  await offers.stop();
  killed = await KilledSeller.on(db, billing);
});
afterAll(async () => {
  await killed?.stop();
  await billing?.stop();
  await db?.drop();
});
beforeEach(() => void (billing.asked.length = 0));

const ITEMS = [{ type: 'items', items: [{ pricePlan: newUuid(), quantity: '3' }] }];

async function aCart() {
  const body = { items: [{ pricePlan: newUuid() }], maxSales: 1 };
  const link = await seller.send('POST', '/checkout-links', body);
  expect(link.status).toBe(201);
  const cart = await seller.send('POST', `/checkout-links/${link.body.id}/cart`, {});
  expect(cart.status).toBe(201);
  return { id: cart.body.id as string, token: cart.body.token as string, link: link.body.id as string };
}

const cartAnswers = ({ path }: Asked): unknown => {
  if (path.endsWith('/quotes')) return { ...QUOTE, vatId: null, vatIdStatus: 'unchecked' };
  if (path === '/internal/checkout-methods')
    return { status: 'active', actionRequired: false, failReason: null, paymentMethod: { id: newUuid() } };
  return { customerId: seller.customerId, subscriptionId: newUuid(), invoiceId: newUuid() };
};

const call = (url: string, method: string, path: string, body: object): Promise<Response> =>
  fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const events = async (id: string): Promise<string[]> =>
  (
    await db.peek<{ type: string }>(
      `SELECT coalesce(n->>'type', o.type) AS type FROM outbox o LEFT JOIN jsonb_array_elements(payload::jsonb->'notices') n ON true
       WHERE aggregate_id = $1 AND (n IS NOT NULL OR o.type NOT LIKE '%.changed.v1')`,
      [id],
    )
  )
    .map(({ type }) => type)
    .sort();

describe('an acceptance is one effect, wherever its process is killed', () => {
  it.each(offerPlaces.map((place, n) => ({ ...place, n })))('of an offer: $name', async ({ n, ...place }) => {
    billingIsWell();
    const { id, tokens } = signable[n]!;
    const accept = (url: string): Promise<Response> => call(url, 'POST', `/public/offers/${tokens[0]}/accept`, {});
    await killed.killedAt(place, accept);
    // The buyer does not know, and clicks again.
    await ok(accept(await killed.url()));
    await killed.untilDone('offers.sale', seller.id);
    const [row] = await db.peek('SELECT status, sale_state AS sale FROM offer WHERE id = $1', [id]);
    expect(row).toEqual({ status: 'signed', sale: 'done' });
    expect((await events(id)).filter((type) => type === 'offer.signed')).toHaveLength(1);
    const asked = billing.asked.filter(({ path }) => path.endsWith('/acceptance'));
    expect(new Set(asked.map(({ path }) => path)).size).toBe(1);
    expect(new Set(asked.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const audit = await db.peek('SELECT 1 FROM offer_audit WHERE offer_id = $1 AND action = $2', [id, 'accepted']);
    expect(audit).toHaveLength(1);
  });

  it.each(cartPlaces.map((place, n) => ({ ...place, n })))('of a cart: $name', async ({ n, ...place }) => {
    billing.answers = cartAnswers;
    billing.step = { state: 'action', link: 'https://pay.example/step' };
    const { id, token, link } = orderable[n]!;
    const order = {
      email: 'neu@x.example',
      phone: '1',
      newInvoiceAddress: { companyName: 'Neu GmbH' },
      gateway: 'fake_provider',
    };
    const confirm = (url: string): Promise<Response> =>
      call(url, 'PUT', `/public/checkout/cart/${token}/confirm`, order);
    await killed.killedAt({ ...place, ...(place.asked === '/SALE' && { asked: `/sales/${id}` }) }, confirm);
    const again = confirm(await killed.url());
    await killed.untilDone('offers.cart-sale', seller.id);
    const answer = await ok(again);
    expect(answer).toMatchObject({
      action: 'redirect',
      redirectUrl: 'https://pay.example/step',
      status: 'redirect_to_payment',
    });
    expect(await ok(confirm(await killed.url()))).toEqual(answer);
    expect(await events(id)).toEqual(['cart.completed', 'offers.cart.order-confirmed.v1']);
    const [sold] = await db.peek('SELECT sold FROM checkout_link WHERE id = $1', [link]);
    expect(sold).toEqual({ sold: 1 });
    // Each neighbour is asked for the same, under the same name, however often.
    const asked = billing.asked.filter(({ path }) => /\/(sales\/[\w-]{36}|checkout-methods)/.test(path));
    const names = new Set(asked.map(({ path, idempotencyKey }) => `${path} ${idempotencyKey}`));
    expect(names.size).toBe(3);
    const invoices = asked.filter(({ path }) => path.endsWith(id)).map(({ body }) => body['invoiceId']);
    const [row] = await db.peek('SELECT status, attempt FROM cart WHERE id = $1', [id]);
    expect([row, new Set(invoices).size]).toEqual([{ status: 'redirect_to_payment', attempt: 1 }, 1]);
  });
});
