import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargesDue, UsageMetricState } from '@kontor/contracts';
import { DomainError, newUuid } from '@kontor/kernel';
import { servicePrincipal } from '@kontor/testing';
import { MeteredSources } from '../src/metering/metered-sources.js';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
let usageIsAway = false;
beforeAll(async () => {
  billing = await Billing.start();
  const sources = billing.test.service.get(MeteredSources) as MeteredSources;
  sources.register({
    source: 'usage',
    measure: (_tenantId, requests) => {
      if (usageIsAway) return Promise.reject(new DomainError('usage_unavailable', { kind: 'unavailable' }));
      return Promise.resolve(
        new Map(requests.map(({ key }) => [key, { quantity: '5', groups: [], closingId: key }] as const)),
      );
    },
  });
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

const place = (world: World, child: string, parentCustomerId: string, invoicesTo?: string) =>
  world.tenant.call('PUT', `/customers/${child}/set-parent`, { parentCustomerId, invoicesTo });

/** A parent with children whose invoices it gets, each with one subscription that falls due at the same time. */
async function family(now = '2026-03-01T09:00:00.000Z', names = ['Werk Nord', 'Werk Süd']) {
  const world = await World.at(billing, now);
  const price = await world.price();
  const parent = await world.customer({ companyName: 'Holding' });
  const children: string[] = [];
  for (const companyName of names) {
    const child = await world.customer({ companyName });
    expect(await place(world, child, parent, 'parent')).toMatchObject({
      status: 200,
      body: { parentCustomerId: parent, invoicesTo: 'parent' },
    });
    children.push(child);
  }
  return { world, price, parent, children: children as [string, string] };
}

const names = ({ lines }: ChargesDue): (string | null)[] => lines.map(({ customer }) => customer?.name ?? null);

describe('a parent that gets the invoices of its children', () => {
  it('gets one for all that falls due on a day, its own lines first, then each child with name and number', async () => {
    const { world, price, parent, children } = await family();
    const grandchild = await world.customer({ companyName: 'Lager Süd' });
    expect((await place(world, grandchild, children[1], 'parent')).status).toBe(200);
    const alone = await world.customer({ companyName: 'Für sich' });
    expect((await place(world, alone, parent)).body).toMatchObject({ invoicesTo: 'self' });
    for (const customer of [grandchild, children[1], alone, children[0], parent])
      await world.subscribe(customer, price);
    await world.advance('2026-03-10T00:00:00.000Z');
    const batches = await world.batches();
    expect(batches.map((batch) => [batch.customerId, names(batch)]).sort()).toEqual(
      [
        [parent, [null, 'Werk Nord', 'Werk Süd', 'Lager Süd']],
        [alone, [null]],
      ].sort(),
    );
    const shared = batches.find(({ customerId }) => customerId === parent);
    const { customerNumber } = await world.ok('GET', `/customers/${children[0]}`);
    expect(shared?.lines[1]?.customer).toEqual({ id: children[0], name: 'Werk Nord', number: customerNumber });
    // The next month again, and the run is completed when its batches are answered.
    await world.advance('2026-04-10T00:00:00.000Z');
    expect(
      (await world.batches())
        .slice(2)
        .map((batch) => batch.lines.length)
        .sort(),
    ).toEqual([1, 4]);
    await world.settle(await world.batches());
    const runs = (await world.ok('GET', '/billing-runs')).data;
    expect(runs.map((run: { status: string; due: number }) => [run.status, run.due])).toEqual([
      ['completed', 5],
      ['completed', 5],
    ]);
  });

  it('pays by its own method to its own address, in its own language', async () => {
    const { world, price, parent, children } = await family();
    await world.ok('POST', `/customers/${children[0]}/addresses`, {
      type: 'TYPE_INVOICE',
      street: 'Kai',
      houseNumber: '1',
      zip: '20457',
      city: 'Hamburg',
    });
    const { data } = await world.ok('GET', `/customers/${children[0]}/addresses`);
    const other = data.find((address: { type: string }) => address.type === 'TYPE_DEFAULT');
    await world.subscribe(children[0], price, { invoiceAddress: other.id });
    await world.subscribe(children[1], price);
    await world.advance('2026-03-10T00:00:00.000Z');
    expect((await world.batches()).map((batch) => [batch.customerId, batch.invoiceAddressId, names(batch)])).toEqual([
      [parent, null, ['Werk Nord', 'Werk Süd']],
    ]);
  });

  it('waits with all of them for usage of one', async () => {
    const { world, price, parent, children } = await family();
    const usageMetric = newUuid();
    await billing.test.giveCopy('usage_metric', world.tenant.id, usageMetric, {
      id: usageMetric,
      code: 'api_calls',
      name: 'API calls',
      status: 'active',
      eventName: 'api_call',
      aggregationType: 'sum',
      property: 'n',
      unit: 'calls',
      groupBy: [],
      rounding: null,
    } satisfies UsageMetricState);
    await world.ok('PUT', `/customers/${children[0]}/settings`, { usageGraceHours: 30 });
    await world.subscribe(parent, price);
    await world.subscribe(children[0], await world.price({ usageMetric }));
    await world.advance('2026-04-01T12:00:00.000Z');
    expect((await world.batches()).map(names)).toEqual([[null]]);
    usageIsAway = true;
    await world.advance('2026-04-02T05:00:00.000Z');
    expect(await world.batches()).toHaveLength(1);
    usageIsAway = false;
    await world.advance('2026-04-02T06:00:00.000Z');
    expect((await world.batches()).map((batch) => [batch.billingDay, names(batch)])).toEqual([
      ['2026-03-01', [null]],
      ['2026-04-01', [null, 'Werk Nord']],
    ]);
  });

  it('keeps a child from being anonymized until it has been invoiced what the child has used', async () => {
    const { world, price, children } = await family();
    const [child] = children;
    const { id } = await world.subscribe(child, price);
    await world.advance('2026-03-02T12:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${id}/terminate`, {});
    const internal = billing.test.as(servicePrincipal(world.tenant.id, 'invoicing'));
    const obstacles = async () => (await internal('GET', `/internal/customers/${child}/obstacles`)).body;
    expect(await obstacles()).toMatchObject({ obstacles: [{ code: 'unbilled_charges' }] });
    await world.settle(await world.batches());
    expect(await obstacles()).toEqual({ obstacles: [] });
  });

  it('gets an invoice of its own for what is billed immediately, and what a request demands', async () => {
    const { world, price, parent, children } = await family();
    const subscription = await world.subscribe(children[0], price, { activate: false });
    await world.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
    await world.subscribe(children[1], price);
    await world.subscribe(parent, price);
    await world.advance('2026-03-01T10:00:00.000Z');
    const run = await world.ok('POST', '/billing-runs', {});
    await world.idle();
    const batches = await world.batches();
    expect(batches.map((batch) => [batch.customerId, batch.immediate, names(batch)])).toEqual([
      [parent, true, ['Werk Nord']],
      [parent, false, [null, 'Werk Süd']],
    ]);
    await world.settle(batches);
    expect(await world.ok('GET', `/billing-runs/${run.id}`)).toMatchObject({ status: 'completed', due: 2 });
  });

  it('gets the credit of what it paid, though the child pays for itself by then', async () => {
    const { world, price, parent, children } = await family();
    const subscription = await world.subscribe(children[0], price);
    await world.advance('2026-03-03T00:00:00.000Z');
    const [billed] = await world.batches();
    expect((await place(world, children[0], parent, 'self')).body).toMatchObject({ invoicesTo: 'self' });
    expect(await billing.noticeTypes(children[0])).toEqual([
      'customer.created',
      'customer.parent.assigned',
      'customer.updated',
    ]);
    await world.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await world.ok('POST', '/billing-runs', {});
    await world.idle();
    const credit = (await world.batches())[1];
    expect(credit).toMatchObject({ customerId: parent, lines: [{ kind: 'credit', customer: { id: children[0] } }] });
    expect(credit?.lines[0]?.originalChargeId).toBe(billed?.lines[0]?.chargeId);
  });

  it('is not billed while its own billing is switched off', async () => {
    const { world, price, parent, children } = await family();
    await world.ok('PUT', `/customers/${parent}/settings`, { billingDisabled: true });
    await world.subscribe(children[0], price);
    await world.advance('2026-03-10T00:00:00.000Z');
    expect(await world.batches()).toEqual([]);
    await world.ok('PUT', `/customers/${parent}/settings`, { billingDisabled: null });
    await world.advance('2026-03-11T03:00:00.000Z');
    expect((await world.batches()).map(names)).toEqual([['Werk Nord']]);
  });
});

describe('refused', () => {
  const refused = (propertyPath: string) => ({
    status: 422,
    body: { violations: [{ propertyPath, code: 'currency_mismatch' }] },
  });

  it('where currencies differ, at once and later', async () => {
    const { world, parent, children } = await family();
    const swiss = await world.customer({ currencyCode: 'CHF' });
    expect(await place(world, swiss, parent, 'parent')).toMatchObject(refused('invoicesTo'));
    expect((await place(world, swiss, parent)).status).toBe(200);
    for (const id of [parent, children[0]])
      expect(
        await world.tenant.call('PUT', `/customers/${id}`, {
          email: 'a@b.example',
          companyName: 'Holding',
          language: 'de',
          currencyCode: 'CHF',
        }),
      ).toMatchObject(refused('currencyCode'));
  });

  it('are the end of whoever gets invoices of others, and words that are none', async () => {
    const { world, parent, children } = await family();
    expect(await world.tenant.call('PUT', `/customers/${parent}/archive`, {})).toMatchObject({
      status: 422,
      body: { reason: 'customer_in_use' },
    });
    expect((await place(world, children[0], parent, 'uncle')).status).toBe(422);
    for (const child of children)
      expect((await world.tenant.call('PUT', `/customers/${child}/remove-parent`)).body).toMatchObject({
        invoicesTo: 'self',
      });
    expect((await world.tenant.call('PUT', `/customers/${parent}/archive`, {})).status).toBe(200);
  });
});
