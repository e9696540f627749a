import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { System } from './support/system.js';

describe('invoices that are taken back', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.sharedToBeKilled();
  });

  /** Finalized, unpaid. */
  async function invoiceOf(api: Api, customerId: string): Promise<Json> {
    const positions = [{ name: 'Beratung', unitPrice: { amount: 10000, currencyCode: 'EUR' } }];
    const { id } = await api.ok('POST', '/invoices', { customer: customerId, positions });
    return api.ok('POST', `/invoices/${id}/finalize`);
  }

  const balances = async (api: Api): Promise<Record<string, number>> => {
    const { data } = await api.ok('GET', '/ledger/accounts?limit=100');
    return Object.fromEntries(data.map((account: Json) => [account.code, account.balance.amount]));
  };

  it('are zero in the ledger, also when the system is killed between the document and its bookings', async () => {
    const sandbox = await system.sandbox();
    const customer = await aCustomer(sandbox.api);
    const method = (
      await sandbox.api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: customer.id })
    ).paymentMethod;
    const invoices: Json[] = [];
    for (let count = 0; count < 6; count += 1) invoices.push(await invoiceOf(sandbox.api, customer.id));
    const [paid, credited, closed] = invoices;
    for (const { id } of [paid, credited])
      await sandbox.api.ok('POST', `/invoices/${id}/payments`, {
        paymentMethod: method.id,
        description: 'Überweisung',
      });

    // Another tenant's document waits for the PDF of the tenant's own system.
    const rendering = await system.sandbox();
    await rendering.api.ok('PUT', '/settings/billing', { customPdfRendering: { enabled: true } });
    const awaited = await invoiceOf(rendering.api, (await aCustomer(rendering.api)).id);
    expect(awaited).toMatchObject({ status: 'STATUS_FINALIZING', file: null });

    // The answers may be lost with the process; what was committed stays.
    const requests = [
      ...[paid, ...invoices.slice(3)].map(({ id }) => sandbox.api.send('POST', `/invoices/${id}/cancel`, {})),
      sandbox.api.send('POST', `/invoices/${credited.id}/credit`, { disposition: 'wallet' }),
      sandbox.api.send('PUT', `/invoices/${closed.id}/close`, {}),
    ].map((request) => request.catch(() => null));
    await Promise.race(requests);
    system.kill();
    await Promise.all(requests);
    await system.start();

    const form = new FormData();
    const pdf = await PDFDocument.create();
    pdf.addPage();
    form.append('file', new Blob([Buffer.from(await pdf.save())]), 'own.pdf');
    const uploaded = await fetch(`${rendering.api.baseUrl}/api/invoices/${awaited.id}/pdf`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rendering.api.token}` },
      body: form,
    });
    expect([uploaded.status, await uploaded.json()]).toMatchObject([200, { status: 'STATUS_UNPAID' }]);

    const { api } = sandbox;
    for (const { id } of [paid, ...invoices.slice(3)])
      if ((await api.ok('GET', `/invoices/${id}`)).status !== 'STATUS_CANCELLED')
        await api.ok('POST', `/invoices/${id}/cancel`);
    const credits = await api.ok('GET', `/invoices?customer=${customer.id}&type=TYPE_CREDIT`);
    if (credits.data.length === 0) await api.ok('POST', `/invoices/${credited.id}/credit`, { disposition: 'wallet' });
    if ((await api.ok('GET', `/invoices/${closed.id}`)).status !== 'STATUS_CLOSED')
      await api.ok('PUT', `/invoices/${closed.id}/close`);

    const expected = { receivable: 0, bank: 23800, wallet: 23800, revenue: 10000, write_off: 10000, tax: 0 };
    await eventually('everything is booked', async () => {
      const found = await balances(api);
      return Object.entries(expected).every(([code, amount]) => found[code] === amount);
    });
    const { data } = await api.ok('GET', `/invoices?customer=${customer.id}&type=TYPE_CANCEL&order[number]=asc`);
    expect(data.map(({ number }: Json) => number.slice(-5))).toEqual(['00001', '00002', '00003', '00004']);
    expect(new Set(data.map(({ referencedInvoice }: Json) => referencedInvoice.id)).size).toBe(4);
    for (const { id } of data) {
      const pdf = await api.get(`/invoices/${id}/pdf`);
      expect(pdf.status).toBe(200);
    }
    const check = spawnSync(process.execPath, [join(import.meta.dirname, '..', 'tools', 'check-invariants.mjs')], {
      env: { ...process.env, DATA_DIR: system.dataDir },
      encoding: 'utf8',
    });
    expect(check.stdout).toContain('tenants checked');
    expect(check.stdout.split('\n').filter((line) => line.includes(sandbox.tenantId))).toEqual([]);
  });
});
