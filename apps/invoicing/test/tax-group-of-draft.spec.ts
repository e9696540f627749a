import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { servicePrincipal } from '@kontor/testing';
import { position, reasonOf, type Tenant, World } from './support/world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

it('a tax group that a draft names is shown to billing, which keeps it; gone all the same, the draft says at which line', async () => {
  const id = newUuid();
  const copied = (version: number, deleted: boolean): Promise<unknown> =>
    world.test.service.kit.database.tenant(tenant.id, (tx) =>
      world.test.service.kit.replicas.apply(tx, 'tax_group', id, version, deleted ? null : group, deleted),
    );
  const group = { id, type: 'exempt', internalDescription: 'x', reverseChargeType: 'REVERSE_CHARGE', taxes: [] };
  await copied(1, false);
  const billing = world.test.as(servicePrincipal(tenant.id, 'billing'));
  const references = async (): Promise<unknown> => (await billing('GET', `/internal/tax-groups/${id}/references`)).body;
  expect(await references()).toEqual({ references: [] });
  const customer = await tenant.customer();
  const draft = await tenant.draft(customer.id, position(), position({ taxGroup: id }));
  expect(await references()).toEqual({ references: ['draft'] });

  // Deleted in the moment in which the draft was made.
  await copied(2, true);
  const refused = await tenant.send('POST', `/invoices/${draft.id}/finalize`);
  expect(reasonOf(refused)).toBe('422 tax_rate_missing');
  expect(refused.body).toMatchObject({
    detail: 'The tax group of position 2, "Beratung", has been deleted: give it another one.',
    violations: [{ propertyPath: 'positions[1].taxGroup', code: 'unknown_reference' }],
  });
  await tenant.ok('PUT', `/invoice-position-items/${draft.positions[1]!.id}`, position());
  expect(await references()).toEqual({ references: [] });
  await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
});
