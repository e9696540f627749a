import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Api, eventually, type Json } from '../support/api.js';
import { aCustomer } from '../support/catalogue.js';
import { Databases } from '../support/databases.js';
import { killService } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { System } from '../support/system.js';

const CUSTOMERS = 25;

describeOnKafka('the deletion of a live organisation, while services are killed', () => {
  let system: System;
  let databases: Databases;
  beforeAll(async () => {
    system = await System.sharedStack();
    databases = await Databases.of(system.dataDir);
  });
  afterAll(() => databases?.end());

  /** Has customers, each of whom has paid an invoice. */
  async function aLiveTenant(name: string): Promise<{ tenantId: string; api: Api }> {
    const { tenantId, apiKey } = await system.api.ok('POST', '/tenants', { name, mode: 'live' });
    const api = new Api(system.connection.baseUrl, apiKey);
    const { seller } = await system.api.ok('GET', '/settings/billing');
    await api.ok('PUT', '/settings/billing', { seller });
    for (let n = 0; n < CUSTOMERS; n++) {
      const customer = await aCustomer(api, { companyName: `Abschied ${n} GmbH` });
      const positions = [{ name: 'Beratung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
      const { id } = await api.ok('POST', '/invoices', { customer: customer.id, positions });
      await api.ok('POST', `/invoices/${id}/finalize`);
    }
    return { tenantId, api };
  }

  const rowsOf = async (database: string, table: string, tenantId: string): Promise<number> => {
    const sql = `SELECT count(*)::int AS n FROM ${table} WHERE tenant_id = $1`;
    return (await databases.query<{ n: number }>(database, sql, [tenantId]))[0]!.n;
  };
  /** While a service starts again there is no answer. */
  const deleted = (tenantId: string, status: string): Promise<Json> =>
    eventually(`the deletion is ${status}`, async () => {
      const { body } = await system.api.get(`/tenants/${tenantId}/deletion`);
      return body.status === status && body;
    });
  const statusOf = async (tenantId: string): Promise<string | undefined> => {
    const sql = 'SELECT status FROM tenant_deletion WHERE tenant_id = $1';
    return (await databases.query<{ status: string }>('kontor_identity', sql, [tenantId]))[0]?.status;
  };

  it('goes on where it was and ends, once, although several are killed in the middle of it', async () => {
    const name = 'Abschied';
    const { tenantId, api } = await aLiveTenant(name);
    const bystander = await system.sandbox();
    const kept = await aCustomer(bystander.api);
    await eventually('payments has booked all of them', async () => {
      return (await rowsOf('kontor_payments', 'ledger_transfer', tenantId)) >= CUSTOMERS;
    });
    const books = await rowsOf('kontor_payments', 'ledger_transfer', tenantId);
    expect(await api.ok('POST', '/tenant/deletion', { name })).toMatchObject({ tenantId });
    await deleted(tenantId, 'waiting');

    // Webhooks and invoicing cannot take their rows away; the others have begun by then.
    const held = [
      await databases.hold('kontor_invoicing', 'SELECT 1 FROM replica WHERE tenant_id = $1 FOR UPDATE', [tenantId]),
      await databases.hold('kontor_webhooks', 'SELECT 1 FROM activity WHERE tenant_id = $1 FOR UPDATE', [tenantId]),
    ];
    await databases.query('kontor_identity', 'UPDATE tenant_deletion SET erase_at = now() WHERE tenant_id = $1', [
      tenantId,
    ]);
    await databases.query(
      'kontor_identity',
      `UPDATE due_work SET due_at = now(), poll_at = now() WHERE tenant_id = $1 AND kind = 'identity.tenant-deletion'`,
      [tenantId],
    );
    await eventually('billing has none of its customers left', async () => {
      return (await rowsOf('kontor_billing', 'customer', tenantId)) === 0;
    });
    // What drives it, who has done its part, who is in the middle of it.
    for (const service of ['identity', 'billing', 'invoicing', 'webhooks']) killService(service, system.dataDir);
    expect(await statusOf(tenantId)).toBe('erasing');
    expect(await rowsOf('kontor_webhooks', 'activity', tenantId)).toBeGreaterThan(0);
    for (const release of held) await release();

    const report = await deleted(tenantId, 'kept');
    const removed = Object.fromEntries(
      report.services.flatMap(({ service, removed: gone }: Json) =>
        gone.map(({ what, count }: Json) => [`${service}.${what}`, count]),
      ),
    );
    // Each is counted once, in the transaction that took it away.
    expect(removed).toMatchObject({ 'billing.customer': CUSTOMERS, 'identity.api_key': 1 });
    expect(report.erasedAt).toEqual(expect.any(String));
    const stays: string[] = report.services.flatMap(({ service, kept: left }: Json) =>
      left.map(({ what }: Json) => `${service}.${what}`),
    );
    expect(stays).toEqual(expect.arrayContaining(['invoicing.invoice', 'payments.ledger_transfer']));
    expect(await rowsOf('kontor_payments', 'ledger_transfer', tenantId)).toBe(books);
    for (const [database, table] of [
      ['kontor_billing', 'customer'],
      ['kontor_identity', 'api_key'],
      ['kontor_webhooks', 'activity'],
      ['kontor_invoicing', 'replica'],
    ] as const)
      expect([table, await rowsOf(database, table, tenantId)]).toEqual([table, 0]);
    const entries = await databases.query<{ type: string }>(
      'kontor_identity', `SELECT type FROM audit_entry WHERE tenant_id = $1 AND type LIKE 'tenant.%' ORDER BY at`, [tenantId],
    ); // prettier-ignore
    expect(entries.map(({ type }) => type)).toEqual(['tenant.deletion_requested', 'tenant.erased']);
    expect((await api.get('/tenant')).status).toBe(401);
    expect((await system.api.send('DELETE', `/tenants/${tenantId}/deletion`)).body.reason).toBe('deletion_began');
    expect(await bystander.api.ok('GET', `/customers/${kept.id}`)).toMatchObject({ id: kept.id });
  });
});
