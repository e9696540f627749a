import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyPrincipal, brokenInvariants, customerPrincipal, rowsRead } from '@kontor/testing';
import { INVARIANTS } from '../src/invoices/check-invariants.js';
import { reasonOf, type Tenant, World } from './support/world.js';

describe('the service', () => {
  let world: World;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
  });
  afterAll(() => world.stop());

  it('documents its operations, and only what is built', async () => {
    const { paths } = (await world.test.as(null)('GET', '/internal/openapi')).body as {
      paths: Record<string, Record<string, { 'x-permission'?: string }>>;
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => `${method} ${path} ${operation['x-permission']}`),
    );
    expect(operations.sort()).toEqual(
      [
        'get /invoices invoice:read',
        'post /e-invoices/validate invoice:read',
        'post /api/invoices/{id}/pdf invoice:write',
        'post /invoices invoice:write',
        'get /invoices/{id} invoice:read',
        'put /invoices/{id} invoice:write',
        'delete /invoices/{id} invoice:write',
        'post /invoices/{id}/finalize invoice:write',
        'post /invoices/{id}/positions invoice:write',
        'put /invoice-position-items/{id} invoice:write',
        'delete /invoice-position-items/{id} invoice:write',
        'post /invoices/{id}/duplicate invoice:write',
        'post /invoices/{id}/address invoice:write',
        'post /invoices/{id}/payment-method invoice:write',
        'put /invoices/{id}/note invoice:write',
        'get /invoices/{id}/timeline invoice:read',
        'get /invoices/{id}/xml invoice:read',
        'get /invoices/{id}/billing-run invoice:read',
        'post /invoices/{id}/payments transaction:write',
        'post /invoices/{id}/refund transaction:write',
        'post /invoices/{id}/cancel invoice:write',
        'post /invoices/{id}/credit invoice:write',
        'put /invoices/{id}/close invoice:write',
        'post /invoices/{id}/send invoice:write',
        'post /invoices/import invoice:write',
        'get /analytics/receivables invoice:read',
        'get /analytics/revenue invoice:read',
        'get /analytics/revenue/export invoice:read',
        'get /documents/export invoice:read',
        'get /media/{id} invoice:read',
        'get /media/{id}/download invoice:read',
        'get /invoices/{id}/pdf invoice:read',
        'get /invoices/{id}/preview invoice:read',
        'get /exchange-rates settings:read',
        'put /exchange-rates settings:write',
        'get /dunning/overdue-rules dunning-rule:read',
        'post /dunning/overdue-rules dunning-rule:write',
        'get /dunning/overdue-rules/{id} dunning-rule:read',
        'put /dunning/overdue-rules/{id} dunning-rule:write',
        'delete /dunning/overdue-rules/{id} dunning-rule:write',
        'post /dunning/run dunning-document:write',
        'get /dunning/documents dunning-document:read',
        'get /dunning/documents/{id} dunning-document:read',
        'put /dunning/documents/{id}/cancel dunning-document:write',
        'put /invoices/{id}/dunning invoice:write',
        'get /templates/placeholders settings:read',
        'get /templates/{kind}/{language} settings:read',
        'put /templates/{kind}/{language} settings:write',
        'post /templates/{kind}/{language}/preview settings:read',
      ].sort(),
    );
  });

  it('lets nobody in without the permission', async () => {
    const { id } = await tenant.draft((await tenant.customer()).id);
    const reader = world.test.as(apiKeyPrincipal(tenant.id, { permissions: ['invoice:read'] }));
    const writer = world.test.as(apiKeyPrincipal(tenant.id, { permissions: ['invoice:write', 'transaction:read'] }));
    expect((await reader('GET', `/invoices/${id}`)).status).toBe(200);
    expect(reasonOf(await reader('POST', `/invoices/${id}/finalize`))).toBe('403 permission_denied');
    expect(reasonOf(await writer('GET', `/invoices/${id}`))).toBe('403 permission_denied');
    expect(reasonOf(await writer('POST', `/invoices/${id}/payments`, {}))).toBe('403 permission_denied');
    expect((await world.test.as(null)('GET', `/invoices/${id}`)).status).toBe(401);
    const stranger = world.test.as(customerPrincipal(tenant.id, 'x'));
    expect((await stranger('GET', `/invoices/${id}`)).status).toBe(404);
    expect(reasonOf(await stranger('POST', `/invoices/${id}/finalize`))).toBe('403 permission_denied');
  });

  it("keeps colleagues' words of the tax group from the customer", async () => {
    const customer = await tenant.customer();
    const { id } = await tenant.draft(customer.id);
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    const asCustomer = world.test.as(customerPrincipal(tenant.id, customer.id));
    const taxGroup = ({ positions }: { positions: { taxGroup: object }[] }) => positions[0]!.taxGroup;
    expect(taxGroup((await tenant.ok('GET', `/invoices/${id}`)) as never)).toMatchObject({
      internalDescription: expect.any(String),
    });
    const seen = taxGroup((await asCustomer('GET', `/invoices/${id}`)).body as never);
    expect(seen).toMatchObject({ internalDescription: null, type: 'standard' });
  });

  it('answers billing whether a customer may be deleted', async () => {
    const customer = await tenant.customer();
    const internal = world.test.as({
      tenantId: tenant.id,
      kind: 'service',
      subjectId: 'billing',
      permissions: [],
      scopes: [],
    });
    expect((await internal('GET', `/internal/customers/${customer.id}/references`)).body).toEqual({ references: [] });
    await tenant.draft(customer.id);
    expect((await internal('GET', `/internal/customers/${customer.id}/references`)).body).toEqual({
      references: ['invoice'],
    });
  });

  /** The database's own protection of what is final, which keeps invariants from being broken. */
  const protect = async (how: 'ENABLE' | 'DISABLE'): Promise<void> => {
    for (const table of ['invoice', 'invoice_position', 'number_series'])
      await world.test.peek(`ALTER TABLE ${table} ${how} TRIGGER USER`);
  };

  it('finds broken invariants', async () => {
    const broken = await world.tenant();
    const { id } = await broken.draft((await broken.customer()).id);
    await broken.ok('POST', `/invoices/${id}/finalize`);
    const check = () => world.test.service.kit.database.tenant(broken.id, (tx) => brokenInvariants(tx, INVARIANTS));
    expect(await check()).toEqual([]);
    await protect('DISABLE');
    await world.test.peek(`UPDATE number_series SET next = next + 1 WHERE tenant_id = $1`, [broken.id]);
    await world.test.peek(
      `UPDATE invoice_position SET net_minor = net_minor + 1, gross_minor = gross_minor + 1 WHERE tenant_id = $1`,
      [broken.id],
    );
    await world.test.peek(`UPDATE invoice SET unpaid_minor = 0 WHERE tenant_id = $1`, [broken.id]);
    await protect('ENABLE');
    expect((await check()).map((line) => line.replaceAll(/[0-9a-f-]{36}/g, 'ID'))).toEqual([
      'a total is the sum of its positions: ID',
      'numbers have no gap and no duplicate: the documents of a series carry 1 to the last number: RE-{year}-{seq} 2026: 2 assigned, 1 used',
      'every number is of a series: 2 assigned, 1 used',
      'a document is paid when nothing is open, and only then: RE-2026-00001 is STATUS_UNPAID with 0',
    ]);
  });

  it('checks invariants with work that grows with the rows, without statistics', async () => {
    const full = await world.tenant();
    const { id } = await full.draft((await full.customer()).id);
    await full.ok('POST', `/invoices/${id}/finalize`);
    const copies = (table: string, changes: string): Promise<unknown> =>
      world.test.peek(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
         SELECT (jsonb_populate_record(r, ${changes})).*
         FROM ${table} r, generate_series(1, 20000) n
         WHERE r.tenant_id = $1`,
        [full.id],
      );
    // md5 makes the same ids of the same numbers everywhere.
    const copyOf = (column: string): string => `md5(r.${column}::text || n)::uuid`;
    await protect('DISABLE');
    await world.test.peek('ALTER TABLE invoice SET (autovacuum_enabled = off)');
    await world.test.peek('ALTER TABLE invoice_position SET (autovacuum_enabled = off)');
    await copies('invoice', `jsonb_build_object('id', ${copyOf('id')}, 'number', 'C-' || n, 'draft_number', NULL)`);
    await copies(
      'invoice_position',
      `jsonb_build_object('id', ${copyOf('id')}, 'invoice_id', ${copyOf('invoice_id')})`,
    );
    await copies(
      'outbox',
      // Ids that lie before what was published.
      `jsonb_build_object('id', -(r.id * 100000 + n), 'event_id', ${copyOf('event_id')},
         'aggregate_id', md5(r.aggregate_id || n)::uuid)`,
    );
    const [{ rows } = { rows: 0n }] = await world.test.peek<{ rows: bigint }>(
      `SELECT (SELECT count(*) FROM invoice) + (SELECT count(*) FROM invoice_position) + (SELECT count(*) FROM outbox) AS rows`,
    );
    await protect('ENABLE');
    expect(Number(rows)).toBeGreaterThan(60_000);
    for (const { rule, sql } of INVARIANTS) {
      const work = await world.test.service.kit.database.tenant(full.id, (tx) => rowsRead(tx, sql, [full.id]));
      expect({ rule, isLinear: work < 20 * Number(rows) }).toEqual({ rule, isLinear: true });
    }
  });

  it('every table is under row-level security', async () => {
    const open = await world.test.peek<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind = 'r' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
         AND c.relname = ANY($1::text[])`,
      [
        [
          'invoice',
          'invoice_position',
          'invoice_subscription',
          'document_snapshot',
          'document_logo',
          'media',
          'invoice_history',
          'charge_batch',
          'charge_part',
          'number_series',
          'payment_operation',
          'exchange_rate',
          'exchange_rate_source',
        ],
      ],
    );
    expect(open).toEqual([]);
  });
});
