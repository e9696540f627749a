import type { Api, Json } from './api.js';

type Caller = Pick<Api, 'ok'>;

/** A product with one price plan. */
export async function priced(
  api: Caller,
  price: Json,
  product: Json = {},
): Promise<{ product: Json; pricePlan: Json }> {
  const made = await api.ok('POST', '/catalogue/products', { name: 'Team', type: 'product', ...product });
  const pricePlan = await api.ok('POST', '/price-plans', {
    product: made.id,
    type: 'flat_fee',
    currencyCode: 'EUR',
    billingInterval: '1M',
    ...price,
  });
  return { product: made, pricePlan };
}

let counter = 0;

export const aCustomer = (api: Caller, extra: Json = {}): Promise<Json> =>
  api.ok('POST', '/customers', {
    email: `rechnung${(counter += 1)}@backhaus-elbe.example`,
    companyName: 'Backhaus Elbe GmbH',
    street: 'Elbchaussee',
    houseNumber: '12',
    zip: '22765',
    city: 'Hamburg',
    countryCode: 'DE',
    ...extra,
  });
