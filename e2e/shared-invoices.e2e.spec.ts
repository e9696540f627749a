import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { invariants } from './support/invariants.js';
import { advance, System } from './support/system.js';

describe('a parent gets the invoices of its children', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
  });

  it('with a group for each, taxed as the parent; credits of a child are the parent’s, taxed as it was', async () => {
    const { api } = await system.sandbox({ now: '2026-03-01T09:00:00.000Z', features: ['customer.hierarchy'] });
    const parent = await aCustomer(api, { companyName: 'Holding GmbH' });
    const vienna = {
      companyName: 'Werk Wien',
      street: 'Kai',
      houseNumber: '1',
      zip: '1010',
      city: 'Wien',
      countryCode: 'AT',
    };
    const child = await aCustomer(api, vienna);
    const other = await aCustomer(api, { companyName: 'Werk Ulm' });
    for (const { id } of [child, other])
      await api.ok('PUT', `/customers/${id}/set-parent`, { parentCustomerId: parent.id, invoicesTo: 'parent' });
    expect(await api.post(`/customers/${parent.id}/anonymize`)).toMatchObject({
      status: 422,
      body: { reason: 'customer_in_use', violations: [{ code: 'pays_for_others' }] },
    });
    const { pricePlan } = await priced(api, { price: { amount: 3100 } });
    const agreements = new Map<string, Json>();
    for (const customer of [other, parent, child])
      agreements.set(
        customer.id,
        await api.ok('POST', '/subscriptions', {
          customer: customer.id,
          items: [{ pricePlan: pricePlan.id }],
          activate: true,
        }),
      );
    const preview = await api.ok('POST', `/subscriptions/${agreements.get(child.id)?.id}/preview-invoice`);
    expect(preview.taxAmount.amount).toBe(589);
    await api.ok('POST', '/billing-runs', {});
    const documents = async (filter: string): Promise<Json[]> => (await api.ok('GET', `/invoices?${filter}`)).data;
    const [invoice] = await eventually('the invoice', async () => {
      const found = await documents(`customerTree=${parent.id}&status=STATUS_UNPAID`);
      return found.length === 1 && found;
    });
    expect(invoice).toMatchObject({
      customer: { id: parent.id },
      netAmount: { amount: 9300 },
      taxAmount: { amount: 1767 },
    });
    expect(invoice.positions.map(({ group }: Json) => [group.id, group.name])).toEqual([
      [agreements.get(parent.id)?.id, expect.any(String)],
      [child.id, `Werk Wien (${child.customerNumber})`],
      [other.id, `Werk Ulm (${other.customerNumber})`],
    ]);
    expect(await documents(`customerTree=${child.id}`)).toEqual([]);

    // The parent moves, and the child pays for itself: its credit is still the parent's, with German tax.
    await api.ok('PUT', `/customers/${parent.id}`, {
      ...vienna,
      email: parent.email,
      companyName: 'Holding GmbH',
      language: 'de',
    });
    await api.ok('PUT', `/customers/${child.id}/set-parent`, { parentCustomerId: parent.id });
    await api.ok('PUT', `/subscriptions/${agreements.get(child.id)?.id}/cancel`, { cancellationDateType: 'immediate' });
    await api.ok('POST', '/billing-runs', {});
    const [credit] = await eventually('the credit', async () => {
      const found = await documents(`customerTree=${parent.id}&type=TYPE_CREDIT`);
      return found.length === 1 && found;
    });
    expect(credit).toMatchObject({
      customer: { id: parent.id },
      referencedInvoice: { id: invoice.id },
      netAmount: { amount: -3100 },
      taxAmount: { amount: -589 },
    });
    expect((await api.get('/invoices?customerTree=x')).status).toBe(400);

    // Merged, it leaves its children, and what comes back of them, to its survivor.
    const survivor = await aCustomer(api, { companyName: 'Neue Holding GmbH' });
    const merge = { targetCustomerId: survivor.id, sourceCustomerIds: [parent.id] };
    // Its run may not be through.
    await eventually('the merge', async () => (await api.post('/customers/merge', merge)).status < 300);
    expect(await api.ok('GET', `/customers/${other.id}`)).toMatchObject({
      parentCustomerId: survivor.id,
      invoicesTo: 'parent',
    });
    await api.ok('PUT', `/subscriptions/${agreements.get(other.id)?.id}/cancel`, { cancellationDateType: 'immediate' });
    await api.ok('POST', '/billing-runs', {});
    const back = await eventually('the second credit', async () => {
      const found = await documents(`customer=${survivor.id}&type=TYPE_CREDIT&order[creationDate]=asc`);
      return found.length === 2 && found[1];
    });
    expect(back).toMatchObject({ netAmount: { amount: -3100 }, taxAmount: { amount: -589 } });
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });

  it('and a child is not forgotten while a draft of its parent names it', async () => {
    const { api } = await system.sandbox({ now: '2026-03-01T09:00:00.000Z', features: ['customer.hierarchy'] });
    const parent = await aCustomer(api, { companyName: 'Holding GmbH' });
    const child = await aCustomer(api, { companyName: 'Werk Ulm' });
    await api.ok('PUT', `/customers/${child.id}/set-parent`, { parentCustomerId: parent.id, invoicesTo: 'parent' });
    await api.ok('PUT', `/customers/${parent.id}/settings`, { manualApproval: true });
    const { pricePlan } = await priced(api, { price: { amount: 3100 } });
    const items = [{ pricePlan: pricePlan.id }];
    const { id } = await api.ok('POST', '/subscriptions', { customer: child.id, items, activate: true });
    await advance(api, '2026-03-03T09:00:00.000Z');
    await api.ok('PUT', `/subscriptions/${id}/terminate`, {});
    const drafts = (await api.ok('GET', `/invoices?customer=${parent.id}&status=STATUS_DRAFT`)).data;
    expect(drafts).toMatchObject([{ positions: [{ group: { name: expect.stringContaining('Werk Ulm') } }] }]);
    expect(await api.post(`/customers/${child.id}/anonymize`)).toMatchObject({
      status: 422,
      body: { reason: 'customer_in_use', violations: [{ code: 'draft_invoices' }] },
    });
    await api.ok('POST', `/invoices/${drafts[0].id}/finalize`);
    expect((await api.post(`/customers/${child.id}/anonymize`)).status).toBe(202);
  });
});
