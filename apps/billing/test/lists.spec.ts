import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { assertNoDrift } from '@kontor/persistence';
import { billingService } from '../src/service.js';
import { backhaus, Billing, type Tenant } from './support/billing.js';
import { statementsOf } from '@kontor/testing';

let billing: Billing;
let tenant: Tenant;

/** 20,000 customers of this tenant among as many of others, so that a plan without the index would show. */
beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
  const { body: one } = await tenant.call('POST', '/customers', backhaus);
  await billing.test.peek(
    `insert into customer (tenant_id, id, version, customer_number, external_id, status, email, company_name, language, country_code, currency_code, time_zone,
       vat_id_status, settings, created_at, updated_at, parent_customer_id)
     select case when n % 2 = 0 then $1::uuid else $2::uuid end, uuidv7(), 1, 'N' || n, 'x' || n, case when n % 50 < 2 then 'STATUS_ARCHIVED' else 'STATUS_ACTIVE' end,
       n || '@example.com', 'Firma ' || n, 'de', 'DE', 'EUR', 'Europe/Berlin', 'unchecked', '{}', now() - make_interval(mins => n), now(),
       case when n % 1000 = 0 then $3::uuid end
     from generate_series(1, 40000) as n`,
    [tenant.id, newUuid(), one.id],
  );
  await billing.test.peek('analyze customer');
});
afterAll(() => billing.stop());

/** The plans that the app role gets for the statements of a list, under row-level security. */
async function plansOf(query: string): Promise<string[]> {
  const statements = (
    await statementsOf(async () => void expect((await tenant.call('GET', `/customers?${query}`)).status).toBe(200))
  ).filter(({ text }) => /^select (count|id)[^]*from customer where/.test(text));
  expect(statements).toHaveLength(2);
  return billing.test.db.database.tenant(tenant.id, async (tx) => {
    const plans: string[] = [];
    for (const { text, params } of statements) {
      const rows = await tx.query<Record<string, string>>(`explain ${text}`, params);
      plans.push(rows.map((row) => Object.values(row)[0]).join('\n'));
    }
    return plans;
  });
}

describe('lists of customers under row-level security', () => {
  it.each([
    ['customerNumber=N4000', 'customer_number_unique', 'customer_number = '],
    ['externalId=x4000', 'customer_external_id_unique', 'external_id = '],
    ['email=4000@example.com', 'customer_email', 'email = '],
    ['companyName=Firma%204000', 'customer_company', 'company_name = '],
    [`parentCustomerId=${newUuid()}`, 'customer_parent', 'parent_customer_id = '],
    ['status=STATUS_ARCHIVED', 'customer_status', 'status = '],
  ])('%s is found by its index', async (query, index, condition) => {
    for (const plan of await plansOf(query)) {
      expect(plan).toContain(index);
      expect(plan).toMatch(new RegExp(`Index Cond: .*${condition}`));
      expect(plan).not.toContain('Seq Scan');
    }
  });

  it('a page without filters follows an index and sorts nothing', async () => {
    const [, rows] = await plansOf('limit=30');
    expect(rows).toContain('customer_created');
    expect(rows).not.toContain('Sort');
  });

  it('a page costs the same number of queries, however long it is', async () => {
    const count = async (limit: number) =>
      (await statementsOf(async () => void (await tenant.call('GET', `/customers?limit=${limit}`)))).filter(({ text }) =>
        /customer/.test(text),
      ).length;
    expect(await count(100)).toBe(await count(1));
  });
});

describe('tables', () => {
  it('are what the rows say', () => assertNoDrift(billing.test.db.database, [...billingService.rows]));

  it('are all under forced row-level security with a policy, but for those of the libs', async () => {
    const own = new Set((await billing.test.peek<{ name: string }>(`select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and exists (select 1 from information_schema.columns i where i.table_name = c.relname and i.column_name = 'tenant_id')
      and not (c.relrowsecurity and c.relforcerowsecurity and exists (select 1 from pg_policy p where p.polrelid = c.oid))`)).map((row) => row.name)); // prettier-ignore
    for (const row of billingService.rows) expect(own).not.toContain(billing.test.db.database.dataSource.getMetadata(row).tableName);
  });
});

describe('the OpenAPI part', () => {
  it('has a permission and a success answer for every operation', async () => {
    const { status, body } = await billing.test.as(null)('GET', '/internal/openapi');
    expect(status).toBe(200);
    const operations = Object.values(
      body.paths as Record<string, Record<string, { operationId: string; 'x-permission': string; responses: Record<string, unknown> }>>,
    ).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(60);
    for (const operation of operations) {
      expect(operation['x-permission']).toMatch(/:(read|write)$/);
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
    }
  });
});
