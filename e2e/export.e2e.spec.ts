import { beforeAll, describe, expect, it } from '@jest/globals';
import { readZip } from '@kontor/testing';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { type Sandbox, System } from './support/system.js';

describe('an export of data', () => {
  let system: System;
  let sandbox: Sandbox;
  let customer: Json;
  let invoice: Json;

  beforeAll(async () => {
    system = await System.shared();
    sandbox = await system.sandbox();
    const { api } = sandbox;
    customer = await aCustomer(api, { companyName: '=Quittenbrot "GmbH", Söhne' });
    const other = await aCustomer(api, { companyName: 'Birnenmus AG' });
    const positions = [{ name: 'Beratung', unitPrice: { amount: 10000, currencyCode: 'EUR' } }];
    for (const owner of [customer, other]) {
      const { id } = await api.ok('POST', '/invoices', { customer: owner.id, positions });
      const made = await api.ok('POST', `/invoices/${id}/finalize`);
      if (owner === customer) invoice = made;
    }
    await api.ok('POST', `/customers/${customer.id}/authenticate`);
    await api.ok('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['webhook.test'] });
    await eventually('the file is there', async () => (await api.get(`/invoices/${invoice.id}/pdf`)).status === 200);
  });

  /** By path; text. */
  async function exported(api: Api, path: string): Promise<Map<string, Buffer>> {
    const response = await fetch(system.connection.baseUrl + path, {
      headers: { authorization: `Bearer ${api.token}` },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    return readZip(Buffer.from(await response.arrayBuffer()));
  }
  const rowsOf = (files: Map<string, Buffer>, name: string): Json[] =>
    JSON.parse(files.get(name)!.toString()) as Json[];

  it('of a customer has its part of every service, as JSON, as CSV and as files, and nothing of anybody else', async () => {
    const files = await exported(sandbox.api, `/customers/${customer.id}/export`);
    const folders = new Set([...files.keys()].map((name) => name.split('/')[0]));
    expect([...folders].sort()).toEqual(
      ['billing', 'identity', 'invoicing', 'notifications', 'offers', 'payments', 'usage', 'webhooks'],
    ); // prettier-ignore
    expect(rowsOf(files, 'billing/customer.json')).toMatchObject([
      { id: customer.id, company_name: customer.companyName },
    ]);
    expect(rowsOf(files, 'invoicing/invoice.json')).toMatchObject([{ id: invoice.id, number: invoice.number }]);
    expect(rowsOf(files, 'usage/usage_event.json')).toEqual([]);
    // What a spreadsheet would take for a formula.
    expect(files.get('billing/customer.csv')!.toString()).toContain(`"'=Quittenbrot ""GmbH"", Söhne"`);
    const pdf = [...files.keys()].find((name) => name.startsWith('invoicing/files/') && name.endsWith('.pdf'));
    expect(files.get(pdf!)!.subarray(0, 5).toString()).toBe('%PDF-');
    const all = [...files.values()].map(String).join('\n');
    expect(all).not.toContain('Birnenmus');
    expect(all).not.toMatch(/refresh_digest|access_digest|token_hash/);
  });

  it('of the organisation has everybody in it, and no secret', async () => {
    const files = await exported(sandbox.api, '/tenant/export');
    expect(rowsOf(files, 'billing/customer.json')).toHaveLength(2);
    expect(rowsOf(files, 'identity/tenant.json')).toHaveLength(1);
    const [endpoint] = rowsOf(files, 'webhooks/webhook_endpoint.json');
    expect(Object.keys(endpoint)).not.toContain('secret');
    expect(Object.keys(rowsOf(files, 'identity/api_key.json')[0]!)).not.toContain('digest');
    // Links in mails are keys, too.
    expect(files.get('notifications/mail.csv')!.toString().split('\n')[0]).toMatch(/recipient(?!.*\b(html|text)\b)/);
    expect([...files.keys()].filter((name) => name.endsWith('.pdf'))).toHaveLength(2);
  });

  it('walks tables of many pages once', async () => {
    const lines = Array.from({ length: 450 }, (_, n) => `k${n}@seiten.example,Seite ${n} GmbH`);
    const form = new FormData();
    form.set('file', new Blob([`email,companyName\n${lines.join('\n')}`], { type: 'text/csv' }), 'customers.csv');
    const { api } = await system.sandbox();
    const response = await fetch(`${system.connection.baseUrl}/customers/import`, {
      method: 'POST', body: form, headers: { authorization: `Bearer ${api.token}` },
    }); // prettier-ignore
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as Json;
    await eventually('the import is done', async () => (await api.ok('GET', `/imports/${id}`)).status === 'completed');
    const files = await exported(api, '/tenant/export');
    const rows = rowsOf(files, 'billing/customer.json');
    expect(new Set(rows.map((row) => row.id)).size).toBe(450);
    expect(rows).toHaveLength(450);
    expect(files.get('billing/customer.csv')!.toString().trim().split('\n')).toHaveLength(451);
  });

  it('is for keys with every permission, of the tenant itself', async () => {
    const { api } = sandbox;
    const key = await api.ok('POST', '/api-keys', { name: 'Support', permissions: ['customer:read', 'settings:read'] });
    const weak = new Api(system.connection.baseUrl, key.secret);
    const other = await system.sandbox();
    expect((await weak.get(`/customers/${customer.id}/export`)).body.reason).toBe('permission_denied');
    expect((await weak.get('/tenant/export')).body.reason).toBe('permission_denied');
    expect((await other.api.get(`/customers/${customer.id}/export`)).status).toBe(404);
  });
});
