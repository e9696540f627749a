import { readFileSync } from 'node:fs';

/** Seats of each month, from January 2026 on. */
export const { seats: SEATS } = JSON.parse(readFileSync(new URL('./seats.json', import.meta.url), 'utf8'));

const MONTH = (n) => `${2026 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`;

/** What comes with what is bought: storage with a seat, more of it at the later price, a hotline with support. */
async function entitle(call, { seat, laterSeat, help }) {
  const config = [100, 500].map((size) => ({ value: String(size), label: `${size} GB` }));
  for (const feature of [
    { id: 'storage', name: 'Storage', type: 'quantity', config },
    { id: 'hotline', name: 'Hotline', type: 'switch' },
  ]) {
    await call('POST', '/entitlement/features', feature);
    await call('PUT', `/entitlement/features/${feature.id}/status`, { status: 'active' });
  }
  const assign = (body) => call('POST', '/entitlement/feature-assignments', body);
  await assign({ feature: 'storage', object: 'product', objectId: seat, value: '100' });
  await assign({ feature: 'storage', object: 'product-price', objectId: laterSeat, value: '500' });
  await assign({ feature: 'hotline', object: 'product', objectId: help, value: true });
}

/**
 * Sells and bills two years in a tenant whose clock stands before 2026. `call(method, path, body)` answers the body;
 * `advance(to)` lets time pass. Returns the ids of the company and of its parent. Fewer months are the first of them.
 */
export async function play(call, advance, months = SEATS.length) {
  const price = async (name, fields) => {
    const product = await call('POST', '/catalogue/products', { name, type: 'product' });
    const of = (more) => call('POST', '/price-plans', { product: product.id, currencyCode: 'EUR', ...fields, ...more });
    return { product: product.id, of };
  };
  const seat = await price('Seats', { type: 'per_unit', billingInterval: '1M' });
  const [first, second, third] = [
    await seat.of({ price: { amount: 800 } }),
    await seat.of({ price: { amount: 1000 } }),
    await seat.of({ price: { amount: 1200 } }),
  ];
  const help = await price('Support', { type: 'flat_fee', billingInterval: '1Y' });
  const support = await help.of({ price: { amount: 60_000 } });
  await entitle(call, { seat: seat.product, laterSeat: third.id, help: help.product });
  await call('POST', '/coupons', {
    code: 'START',
    type: 'percentage',
    percentage: '20',
    frequency: 'limited',
    frequencyInterval: 3,
    products: { include: [seat.product] },
  });
  const customer = await call('POST', '/customers', {
    email: 'rechnung@backhaus-elbe.example',
    companyName: 'Backhaus Elbe GmbH',
    street: 'Elbchaussee',
    houseNumber: '12',
    zip: '22765',
    city: 'Hamburg',
  });
  const parent = await call('POST', '/customers', {
    email: 'holding@elbe-beteiligungen.example',
    companyName: 'Elbe Beteiligungen GmbH',
    street: 'Neuer Wall',
    houseNumber: '3',
    zip: '20354',
    city: 'Hamburg',
  });
  await call('PUT', `/customers/${customer.id}/set-parent`, { parentCustomerId: parent.id });
  const reporting = await price('Group reporting', { type: 'flat_fee', billingInterval: '1Y' });
  await advance('2026-01-01T11:00:00.000Z');
  await call('POST', '/subscriptions', {
    customer: parent.id,
    items: [{ pricePlan: (await reporting.of({ price: { amount: 24_000 } })).id }],
    activate: true,
  });
  const ramp = [
    { after: '3M', pricePlan: second.id },
    { after: '12M', pricePlan: third.id },
  ];
  const { items } = await call('POST', '/subscriptions', {
    customer: customer.id,
    items: [
      { pricePlan: first.id, quantity: String(SEATS[0]), phases: ramp, coupon: 'START' },
      { pricePlan: support.id },
    ],
    activate: true,
  });
  for (let month = 1; month < months; month++) {
    await advance(`${MONTH(month - 1)}-20T11:00:00.000Z`);
    await call('PATCH', `/subscription-items/${items[0].id}`, { quantity: String(SEATS[month]), timing: 'end_of_period' });
  }
  await advance(`${MONTH(months - 1)}-20T11:00:00.000Z`);
  return { customer: customer.id, parent: parent.id };
}
