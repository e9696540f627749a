import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readZip } from '@kontor/testing';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { Databases } from './support/databases.js';
import { invariants } from './support/invariants.js';
import { advance, type Sandbox, System } from './support/system.js';

const NOW = '2026-03-02T09:00:00.000Z';

/** What is left of a tenant that is wholly gone: that it was deleted, and rows of events without their content. */
const TRACES = ['closed_tenant', 'outbox', 'tenant_deletion', 'tenant_erasure'];

describe('an organisation that leaves', () => {
  let system: System;
  let databases: Databases;

  beforeAll(async () => {
    system = await System.shared();
    databases = await Databases.of(system.dataDir);
  });
  afterAll(() => databases.end());

  /** Has customers, one of whom pays monthly, documents with files, a receiver, people who are invited. */
  async function aBusyTenant(name: string): Promise<Sandbox & { customer: Json; name: string; word: string }> {
    // Occurs nowhere else.
    const word = `Heidelbeer${name.length}${name[0]}`;
    const sandbox = await system.sandbox({ name, now: NOW });
    const { api } = sandbox;
    const parent = await aCustomer(api, { companyName: `${word} Mutter AG` });
    const customer = await aCustomer(api, { companyName: `${word} GmbH`, email: `${word}@abschied.example` });
    const { paymentMethod } = await api.ok('POST', '/payment-methods', {
      gateway: 'sepa_debit',
      customerId: customer.id,
      sepaMandate: { iban: 'DE89370400440532013000', accountHolder: word },
    });
    const { pricePlan } = await priced(api, { price: { amount: 4900 } });
    const items = [{ pricePlan: pricePlan.id }];
    await api.ok('POST', '/subscriptions', {
      customer: customer.id, items, paymentMethod: paymentMethod.id, activate: true,
    }); // prettier-ignore
    await api.ok('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'], enabled: false });
    await api.ok('POST', '/customers/' + parent.id + '/comment', { comment: `${word} geht` });
    await api.ok('POST', '/user-invitations', { email: `${word}@abschied.example`, roles: ['administrator'] });
    await advance(api, '2026-03-03T09:00:00.000Z');
    const [invoice] = await invoicesOf(api, customer);
    // One that nobody has finished, and one that was removed.
    const [, removed] = [await aDraft(api, parent), await aDraft(api, parent)];
    await api.ok('DELETE', `/invoices/${removed.id}`);
    await eventually('the file is there', async () => (await api.get(`/invoices/${invoice.id}/pdf`)).status === 200);
    return { ...sandbox, customer, name, word };
  }

  const aDraft = (api: Api, { id }: Json): Promise<Json> =>
    api.ok('POST', '/invoices', {
      customer: id,
      positions: [{ name: 'Beratung', quantity: '1', unitPrice: { amount: 100, currencyCode: 'EUR' } }],
    });
  const invoicesOf = async (api: Api, customer: Json): Promise<Json[]> =>
    (await api.ok('GET', `/invoices?customer=${customer.id}`)).data;
  const deletionOf = async (tenantId: string): Promise<Json> => system.api.ok('GET', `/tenants/${tenantId}/deletion`);
  const deleted = (tenantId: string, status: string): Promise<Json> =>
    eventually(`the deletion is ${status}`, async () => {
      const now = await deletionOf(tenantId);
      return now.status === status && now;
    });
  const tablesWith = async (tenantId: string): Promise<string[]> => {
    const names = [...(await databases.digests(tenantId))]
      .filter(([, digest]) => !digest.startsWith('0 '))
      .map(([table]) => table.split('.')[1]!);
    return [...new Set(names)].sort();
  };

  async function letTimePass(tenantId: string, at: string): Promise<void> {
    const services = new Set((await databases.tables()).map(({ database }) => database));
    for (const database of services)
      await databases.query(database, 'UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [tenantId, at]);
    await databases.query(
      'kontor_identity',
      'UPDATE due_work SET poll_at = now() WHERE tenant_id = $1 AND NOT wall AND due_at <= $2',
      [tenantId, at],
    );
  }

  it('is asked for its name, and is not the operator', async () => {
    const { api, tenantId } = await system.sandbox({ name: 'Bleibt' });
    const refusals: [Api, string, unknown, number, string][] = [
      [api, '/tenant/deletion', {}, 400, 'invalid_request'],
      [api, '/tenant/deletion', { name: 'Geht' }, 422, 'name_differs'],
      [api, '/tenant/deletion', { name: 'Bleibt', asLive: 'yes' }, 400, 'invalid_request'],
      [api, `/tenants/${tenantId}/deletion`, { name: 'Bleibt' }, 403, 'permission_denied'],
      [system.api, '/tenant/deletion', { name: 'Sandbox' }, 422, 'operator_tenant'],
      [system.api, '/tenants/0199f000-0000-7000-8000-0000000000aa/deletion', { name: 'x' }, 404, 'not_found'],
    ];
    for (const [who, path, body, status, reason] of refusals) {
      const answer = await who.post(path, body);
      expect([path, answer.status, answer.body.reason]).toEqual([path, status, reason]);
    }
    const weak = await api.ok('POST', '/api-keys', { name: 'Weak', permissions: ['settings:write'] });
    const answer = await new Api(system.connection.baseUrl, weak.secret).post('/tenant/deletion', { name: 'Bleibt' });
    expect([answer.status, answer.body.reason]).toEqual([403, 'permission_denied']);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await api.send(method, '/tenant/deletion')).status).toBe(404);
    expect(await api.ok('GET', '/tenant')).toMatchObject({ status: 'active' });
  });

  it('as a sandbox is gone at once and wholly, and nobody else has lost anything', async () => {
    const other = await system.sandbox({ name: 'Nachbar' });
    const kept = await aCustomer(other.api, { companyName: 'Nachbar GmbH' });
    const { api, tenantId, name, word } = await aBusyTenant('Geht ganz');
    expect(await api.ok('POST', '/tenant/deletion', { name })).toMatchObject({ status: 'closing', tenantId });
    await eventually('the key opens nothing any more', async () =>
      [401, 403].includes((await api.get('/customers')).status),
    );
    const report = await deleted(tenantId, 'completed');
    expect(report.services.flatMap(({ kept: left }: Json) => left)).toEqual([]);
    const removed = Object.fromEntries(
      report.services.flatMap(({ service, removed: gone }: Json) =>
        gone.map(({ what, count }: Json) => [`${service}.${what}`, count]),
      ),
    );
    expect(removed).toMatchObject({
      'billing.customer': 2, 'invoicing.invoice': 2, 'invoicing.number_series': 1,
      'identity.api_key': 1, 'identity.user_invitation': 1, 'webhooks.webhook_endpoint': 1,
    }); // prettier-ignore
    expect(removed['payments.ledger_transfer']).toBeGreaterThan(0);
    expect(await tablesWith(tenantId)).toEqual(TRACES);
    expect(await databases.mentioning([word])).toEqual([]);
    expect((await api.get('/tenant')).status).toBe(401);
    expect((await system.api.get(`/tenants/${tenantId}`)).status).toBe(404);
    expect(await other.api.ok('GET', `/customers/${kept.id}`)).toMatchObject({ companyName: 'Nachbar GmbH' });
  });

  it('is closed while it may still change its mind: nothing is billed, nobody gets in but to take it back', async () => {
    const { api, tenantId, customer, name } = await aBusyTenant('Bedenkt');
    const session = await api.ok('POST', `/customers/${customer.id}/authenticate`);
    const weak = await api.ok('POST', '/api-keys', { name: 'Weak', permissions: ['customer:read'] });
    const page = `/public/cancellation/${tenantId}`;
    const anybody = new Api(system.connection.baseUrl, undefined);
    expect((await anybody.get(page)).status).toBe(200);
    await api.ok('POST', '/tenant/deletion', { name, asLive: true });
    const waiting = await deleted(tenantId, 'waiting');
    expect(waiting).toMatchObject({ requestedAt: '2026-03-03T09:00:00.000Z', eraseAt: '2026-04-02T09:00:00.000Z' });
    expect(await api.ok('POST', '/tenant/deletion', { name, asLive: true })).toEqual(waiting);
    const tokens = [api.token, weak.secret, session.data.accessToken].map(
      (token) => new Api(system.connection.baseUrl, token),
    );
    for (const who of tokens)
      await eventually('whoever had a key is refused', async () => {
        const { status, body } = await who.get('/invoices');
        return status === 403 && body.reason === 'tenant_closed';
      });
    expect((await anybody.get(page)).status).toBe(403);
    expect((await system.api.send('PUT', `/tenants/${tenantId}/resume`)).body.reason).toBe('tenant_closed');
    const exported = await fetch(`${system.connection.baseUrl}/tenant/export`, {
      headers: { authorization: `Bearer ${api.token}` },
    });
    const files = await readZip(Buffer.from(await exported.arrayBuffer()));
    expect(JSON.parse(files.get('billing/customer.json')!.toString())).toHaveLength(2);

    await advance(api, '2026-04-01T12:00:00.000Z');
    const [count] = await databases.query<{ n: number }>(
      'kontor_invoicing', 'SELECT count(*)::int AS n FROM invoice WHERE tenant_id = $1', [tenantId],
    ); // prettier-ignore
    expect(count).toEqual({ n: 2 });
    expect(await api.ok('DELETE', '/tenant/deletion')).toMatchObject({ status: 'revoking' });
    await eventually('it is open again', async () => (await api.get('/customers')).status === 200);
    await eventually('its pages, too', async () => (await anybody.get(page)).status === 200);
    expect((await api.get('/tenant/deletion')).status).toBe(404);
    await advance(api, '2026-04-03T12:00:00.000Z');
    expect(await invoicesOf(api, customer)).toHaveLength(2);
    const { data: events } = await api.ok('GET', '/events?limit=100');
    expect(events.map(({ type }: Json) => type)).toEqual(
      expect.arrayContaining(['tenant.deletion.requested', 'tenant.deletion.revoked']),
    );
    const { data: entries } = await api.ok('GET', '/audit-log');
    expect(entries.map(({ type }: Json) => type)).toEqual(
      expect.arrayContaining(['tenant.deletion_requested', 'tenant.deletion_revoked']),
    );
  });

  it('leaves what the law wants kept, and nothing when the last term is over', async () => {
    const { api, tenantId, name, word } = await aBusyTenant('Verfällt');
    await api.ok('POST', '/tenant/deletion', { name, asLive: true });
    await deleted(tenantId, 'waiting');
    await api.ok('POST', '/sandbox/clock/advance', { to: '2026-05-01T00:00:00.000Z' });
    const { services } = await deleted(tenantId, 'kept');
    const kept = Object.fromEntries(
      services.flatMap(({ service, kept: left }: Json) =>
        left.map(({ what, until }: Json) => [`${service}.${what}`, until]),
      ),
    );
    expect(kept).toMatchObject({
      'billing.charge': '2034-12-31', 'invoicing.invoice': '2034-12-31', 'invoicing.media': '2034-12-31',
      'payments.ledger_transfer': '2036-12-31', 'identity.audit_entry': '2036-12-31',
    }); // prettier-ignore
    expect((await api.get('/tenant')).status).toBe(401);
    expect((await system.api.send('DELETE', `/tenants/${tenantId}/deletion`)).body.reason).toBe('deletion_began');
    const left = await tablesWith(tenantId);
    for (const gone of [
      'customer',
      'api_key',
      'payment_method',
      'webhook_endpoint',
      'mail',
      'subscription',
      'activity',
    ])
      expect(left).not.toContain(gone);
    expect(left).toEqual(expect.arrayContaining(['invoice', 'document_snapshot', 'ledger_transfer']));
    expect((await invariants(system.dataDir)).output).not.toContain(tenantId);

    // Nobody has a key to move its clock any more: time passes by hand.
    for (const [at, status] of [
      ['2034-12-31T12:00:00Z', 'kept'],
      ['2035-01-01T12:00:00Z', 'kept'],
      ['2037-01-01T12:00:00Z', 'completed'],
    ] as const) {
      await letTimePass(tenantId, at);
      await deleted(tenantId, status);
      const rest = await eventually('the work of the day is done', async () => {
        const [waiting] = await databases.query<{ due: Date }>(
          'kontor_identity', `SELECT due_at AS due FROM due_work WHERE tenant_id = $1 AND kind = 'identity.tenant-deletion'`, [tenantId],
        ); // prettier-ignore
        return (!waiting || waiting.due > new Date(at)) && tablesWith(tenantId);
      });
      expect([at, rest.includes('document_snapshot')]).toEqual([at, at < '2035']);
      expect([at, rest.includes('ledger_transfer')]).toEqual([at, at < '2037']);
    }
    expect((await tablesWith(tenantId)).filter((table) => table !== 'tenant_clock')).toEqual(TRACES);
    expect(await databases.mentioning([word])).toEqual([]);
    expect(await deletionOf(tenantId)).toMatchObject({
      erasedAt: expect.stringMatching(/^2026-04-02/),
      status: 'completed',
    });
  });
});
