import { expect, it } from '@jest/globals';
import type { GatewayConfig } from '../config.js';
import { Bulkheads } from './bulkheads.js';

it.each([
  ['a service holds as a whole', false, 3, 12],
  ['a service reads as they come', true, 16, 64],
])('of bodies that %s, a tenant has a quarter of the places', async (_what, isStreamed, ofTenant, ofAll) => {
  const bulkheads = new Bulkheads({ services: { all: () => ['http://127.0.0.1:1'] } } as unknown as GatewayConfig);
  const entered: string[] = [];
  for (const tenant of ['a', 'b', 'c', 'd', 'e'])
    for (let n = 0; n < 20; n++)
      void bulkheads.enterUpload('invoicing', tenant, isStreamed).then(() => entered.push(tenant));
  await new Promise(setImmediate);
  expect(entered.filter((tenant) => tenant === 'a')).toHaveLength(ofTenant);
  expect(entered).toHaveLength(ofAll);
});
