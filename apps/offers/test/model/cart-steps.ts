import { expect } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import fc from 'fast-check';
import { anybody, billing } from '../support/selling.js';
import { closedFor, PlainCart, type PlainLink, type PlainOrder, type Price } from './plain-cart.js';
import type { Outcome } from './plain-offer.js';
import type { RealShop } from './real-shop.js';
import { outcomeOf } from './real-seller.js';
import type { Dice } from './steps.js';

interface Turn {
  readonly real: RealShop;
  readonly cart: PlainCart;
  readonly dice: Dice;
}
type Step = (turn: Turn) => Promise<void>;

export const counted = { steps: 0, byName: new Map<string, number>() };
const HOUR = 3_600_000;
const COUNTRIES = ['DE', 'CH', 'AT'] as const;
const addressIn = (countryCode: string) => ({
  companyName: 'Kaffee GmbH',
  street: 'Ring',
  zip: '1010',
  city: 'Wien',
  countryCode,
});

function aPrice(real: RealShop): Price {
  const last = real.prices.at(-1);
  if (last && !last.isArchived) return last;
  const price = { id: newUuid(), amount: 7, isArchived: false };
  real.prices.push(price);
  return price;
}

/** Null: what it is to sell is not known while billing is away. */
async function createLink(real: RealShop, { pick, other, flag }: Dice): Promise<PlainLink | null> {
  const price = aPrice(real);
  const rules = {
    maxSales: other % 3 === 0 ? 1 + (pick % 2) : null,
    allowCoupons: pick % 4 > 0,
    quantityEditable: other % 4 > 0,
    sendReminder: flag,
  };
  const body = bodyOf({ ...rules, price, isEnabled: true });
  const made = await real.seller.send('POST', '/checkout-links', body);
  expect(made.status).toBe(billing.isAway ? 503 : 201);
  if (billing.isAway) return null;
  const link = {
    ...rules,
    id: made.body.id as string,
    slug: made.body.slug as string,
    price,
    isEnabled: true,
    sold: 0,
  };
  real.links.push(link);
  return link;
}

const bodyOf = ({ price, allowCoupons, quantityEditable, ...link }: Omit<PlainLink, 'id' | 'slug' | 'sold'>) => ({
  items: [{ pricePlan: price.id, quantity: '3' }],
  options: { allowCoupons, quantityEditable, minQuantity: '2', maxQuantity: '9' },
  maxSales: link.maxSales,
  sendReminder: link.sendReminder,
  isEnabled: link.isEnabled,
});

/** By a program, by staff with a link, or by its page. */
async function create(real: RealShop, dice: Dice): Promise<void> {
  const { pick, other, flag } = dice;
  if (pick % 4 === 0) return begin(real, { price: aPrice(real), link: null, isKnown: flag, hasEmail: other % 2 === 0 });
  const recent = real.links.slice(-3);
  const link = recent.length === 0 || pick % 5 === 0 ? await createLink(real, dice) : recent[other % recent.length]!;
  if (link === null) return;
  if (pick % 3 === 0) return beginOnPage(real, link);
  return begin(real, { price: link.price, link, isKnown: flag, hasEmail: other % 2 === 0 });
}

const refusalOf = (price: Price, link: PlainLink | null): Outcome | null => {
  const closed = link && closedFor(link);
  if (closed) return closed;
  if (billing.isAway) return 'service_unavailable';
  if (!price.isArchived) return null;
  return link ? 'no_longer_sold' : 'unknown_reference';
};

interface Beginning {
  readonly price: Price;
  readonly link: PlainLink | null;
  readonly isKnown: boolean;
  readonly hasEmail: boolean;
}

async function begin(real: RealShop, { price, link, isKnown, hasEmail }: Beginning): Promise<void> {
  const expected = refusalOf(price, link);
  const answer = await real.seller.send('POST', link ? `/checkout-links/${link.id}/cart` : '/checkout/carts', {
    ...(!link && { items: [{ pricePlan: price.id, quantity: '3' }] }),
    ...(isKnown && { customer: real.seller.customerId }),
    ...(hasEmail && { customerEmail: 'neu@x.example' }),
  });
  expect(outcomeOf(answer)).toBe(expected ?? 'done');
  if (expected) return;
  const { id, token } = answer.body as { id: string; token: string };
  real.carts.push(new PlainCart(id, token, link, price, isKnown, hasEmail, real.now));
}

async function beginOnPage(real: RealShop, link: PlainLink): Promise<void> {
  const expected = refusalOf(link.price, link);
  const answer = await fetch(`${real.url}/public/checkout/links/${link.id}/${link.slug}`, {
    method: 'POST',
    redirect: 'manual',
  });
  if (expected) return expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBe(303);
  const token = new URL(answer.headers.get('location')!, real.url).pathname.split('/').at(-1)!;
  const { body } = await anybody()('GET', `/public/checkout/cart/${token}`);
  real.carts.push(new PlainCart(body.id as string, token, link, link.price, false, false, real.now));
}

const orderBody = (order: PlainOrder): object => ({
  email: 'neu@x.example',
  phone: '1',
  ...(order.country !== null && { newInvoiceAddress: addressIn(order.country) }),
  ...(order.gateway !== null && { gateway: order.gateway }),
  ...(order.expectedTotal !== null && { expectedTotal: { amount: order.expectedTotal, currencyCode: 'EUR' } }),
});

/** An order with the total that was shown, none, or another one. */
function orderOf(cart: PlainCart, { pick, other, flag }: Dice): PlainOrder {
  const country = cart.isKnown ? null : (flag && cart.country) || COUNTRIES[other % 3]!;
  const total = pick % 5 === 0 ? cart.shown + 1 : cart.shown;
  return {
    country,
    expectedTotal: pick % 2 === 0 ? total : null,
    gateway: [null, 'testing', 'fake_provider'][other % 3] as PlainOrder['gateway'],
  };
}

/** What is under way is waited for only where it ends. */
async function confirm({ real, cart, dice }: Turn, times: number): Promise<void> {
  if (cart.status === 'confirming') await real.finishOrders();
  await real.compare(cart);
  // Who orders several times at once has seen what it costs: else a later one is sold what the first one was refused for.
  const order = { ...orderOf(cart, dice), ...(times > 1 && { expectedTotal: cart.shown }) };
  if (cart.status === 'open') real.gateways.set(cart.id, order.gateway);
  const answers = await Promise.all(
    Array.from({ length: billing.isAway ? 1 : times }, () => real.buyer(cart, 'PUT', '/confirm', orderBody(order))),
  );
  const expected = cart.confirm(real.now, order, billing.isAway);
  const said = answers.map(outcomeOf);
  // Others who wait for one that is refused hear that, or order again and are refused the same.
  const others = expected === 'done' ? ['done'] : [expected, 'confirmation_refused'];
  expect(said).toContain(expected);
  for (const outcome of said) expect(others).toContain(outcome);
  for (const { body } of answers) if (expected === 'done') expect(body.status).toBe(cart.status);
}

const STEPS: Readonly<Record<string, Step>> = {
  look: async ({ real, cart }) => expect(outcomeOf(await real.buyer(cart, 'GET', ''))).toBe('done'),
  'look at the page': async ({ real, cart }) => {
    const answer = await fetch(`${real.url}/public/checkout/carts/${cart.token}`);
    const isOver = cart.status === 'expired' || (cart.status === 'open' && cart.expiresAt <= real.now);
    if (!billing.isAway) expect(answer.status).toBe(isOver ? 410 : 200);
  },
  quantity: async ({ real, cart, dice }) => {
    const quantity = dice.pick % 12;
    const answer = await real.buyer(cart, 'PUT', '/change-quantity', {
      item: cart.price.id,
      quantity: String(quantity),
    });
    expect(outcomeOf(answer)).toBe(cart.changeQuantity(real.now, quantity, billing.isAway));
  },
  coupon: async ({ real, cart, dice }) => {
    const coupon = dice.pick % 3 === 0 ? null : real.coupons[dice.other % 2]!;
    const answer = await real.buyer(cart, 'PUT', '/coupon', { couponCode: coupon?.code ?? null });
    expect(outcomeOf(answer)).toBe(cart.setCoupon(real.now, coupon, billing.isAway));
  },
  address: async ({ real, cart, dice }) => {
    if (cart.isKnown) return;
    const country = COUNTRIES[dice.pick % 3]!;
    const answer = await real.buyer(cart, 'PUT', '/invoice-address', addressIn(country));
    expect(outcomeOf(answer)).toBe(cart.setCountry(real.now, country, billing.isAway));
  },
  'VAT id': async ({ real, cart }) => {
    if (cart.isKnown || cart.country === null) return;
    const answer = await real.buyer(cart, 'POST', '/vat-id-check', { vatId: null });
    expect(outcomeOf(answer)).toBe(cart.setCountry(real.now, cart.country, billing.isAway));
  },
  confirm: (turn) => confirm(turn, 1),
  'confirm twice': (turn) => confirm(turn, 3),
  pay: ({ real, cart }) => real.pay(cart),
  'pass time': ({ real, dice }) => real.passTime((1 + (dice.other % 9)) * HOUR),
  abandon: async ({ real, dice }) => (dice.pick % 3 === 0 ? real.passTime(25 * HOUR) : undefined),
  'archive the price': async ({ real, cart, dice }) => {
    if (dice.pick % 3 === 0 && real.prices.at(-1) === cart.price) cart.price.isArchived = true;
  },
  'another price': async ({ cart, dice }) => void (cart.price.amount += 1 + (dice.pick % 5)),
  'coupons come and go': async ({ real, dice }) => {
    const coupon = real.coupons[dice.pick % 2]!;
    coupon.isEnabled = !coupon.isEnabled;
  },
  'the link comes and goes': async ({ real, cart }) => {
    if (!cart.link) return;
    cart.link.isEnabled = !cart.link.isEnabled;
    const answer = await real.seller.send('PUT', `/checkout-links/${cart.link.id}`, bodyOf(cart.link));
    expect(answer.status).toBe(200);
  },
  'another cart': async ({ real, cart, dice }) => {
    if (cart.link) await begin(real, { price: cart.price, link: cart.link, isKnown: false, hasEmail: dice.flag });
  },
  'billing comes and goes': async () => void (billing.isAway = !billing.isAway),
  settle: ({ real }) => real.settle(),
  'confirm at the same time as others': async ({ real, cart, dice }) => {
    if (!cart.link || billing.isAway) return;
    // One that billing refuses holds a sale for a moment, which another one misses.
    const isOrderable = (candidate: PlainCart): boolean =>
      candidate.link === cart.link &&
      candidate.status === 'open' &&
      !candidate.refusal() &&
      candidate.cost() === candidate.shown;
    const orders = real.carts
      .filter(isOrderable)
      .slice(-4)
      .map((ordered) => ({ ordered, order: { ...orderOf(ordered, dice), expectedTotal: null } }));
    for (const { ordered, order } of orders) real.gateways.set(ordered.id, order.gateway);
    const answers = await Promise.all(
      orders.map(async ({ ordered, order }) => ({
        ordered,
        order,
        said: outcomeOf(await real.buyer(ordered, 'PUT', '/confirm', orderBody(order))),
      })),
    );
    // Who was first is not known; there were as many as there is to be sold.
    const isLate = ({ said }: { said: Outcome }): number => (said === 'sold_out' ? 1 : 0);
    for (const { ordered, order, said } of answers.toSorted((a, b) => isLate(a) - isLate(b)))
      expect(said).toBe(ordered.confirm(real.now, order, false));
  },
  'confirm, killed on the way': async ({ real, cart, dice }) => {
    if (cart.status === 'confirming' || billing.isAway) return;
    const order = { ...orderOf(cart, dice), expectedTotal: null };
    if (cart.status === 'open') real.gateways.set(cart.id, order.gateway);
    const click = real.buyer(cart, 'PUT', '/confirm', orderBody(order)).then(outcomeOf, () => 'interrupted');
    await real.killSessions();
    const said = await click;
    const isKilled = said === 'interrupted' || /^5|unavailable|internal|overloaded/.test(said);
    const now = await eventually(async () => {
      const { status, body } = await real.seller.send('GET', `/checkout/carts/${cart.id}`);
      return status === 200 ? body : undefined;
    }, 'the database');
    if (!isKilled) return expect(said).toBe(cart.confirm(real.now, order, false, now.status === 'confirming'));
    if (cart.status !== 'open') return;
    if (now.status !== 'open') {
      // It was taken, and made or not; somebody else goes on with it.
      return expect(cart.confirm(real.now, order, false, now.status === 'confirming')).toBe('done');
    }
    // It has not begun, or it was refused: the same order says which.
    cart.learn(now.totals.gross.amount as number, (now.invoiceAddress?.countryCode ?? null) as string | null);
    await confirm({ real, cart, dice }, 1);
  },
};

class StepCommand implements fc.AsyncCommand<object, RealShop> {
  constructor(
    private readonly name: string,
    private readonly dice: Dice,
  ) {}

  check(): boolean {
    return true;
  }

  async run(_model: object, real: RealShop): Promise<void> {
    counted.steps += 1;
    counted.byName.set(this.name, (counted.byName.get(this.name) ?? 0) + 1);
    if (this.name === 'create' || real.carts.length === 0) return create(real, this.dice);
    // The newest are the liveliest.
    const recent = real.carts.slice(-4);
    const cart = recent[this.dice.pick % recent.length]!;
    await real.compare(cart);
    await STEPS[this.name]!({ real, cart, dice: this.dice });
    await real.compare(cart);
  }

  toString(): string {
    return `${this.name}(${JSON.stringify(this.dice)})`;
  }
}

const dice = fc.record({ pick: fc.nat(1000), other: fc.nat(1000), flag: fc.boolean() });
/** Some are taken more often, so that carts get somewhere. */
const OFTEN = ['create', 'create', 'quantity', 'address', 'coupon', 'confirm', 'confirm', 'pay'];

export const commands = [...OFTEN, ...Object.keys(STEPS)].map((name) =>
  dice.map((rolled) => new StepCommand(name, rolled)),
);
