import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { backhaus, Billing, type Tenant } from './support/billing.js';
import { searchedText } from '@kontor/persistence';
import { sortsAll, statementsOf } from '@kontor/testing';
import { customerSearch } from '../src/db/customer-search.js';

let billing: Billing;
let tenant: Tenant;

/** 20,000 customers of this tenant among as many of others, so that a plan without the index would show. */
beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
  const { body: parent } = await tenant.call('POST', '/customers', backhaus);
  await billing.test.peek(
    `INSERT INTO customer
       (tenant_id, id, version, customer_number, external_id, status, email, company_name, language, country_code,
        currency_code, time_zone, vat_id_status, settings, created_at, updated_at, parent_customer_id)
     SELECT CASE WHEN n % 2 = 0 THEN $1::uuid ELSE $2::uuid END, uuidv7(), 1, 'N' || n, 'x' || n,
       CASE WHEN n % 50 < 2 THEN 'STATUS_ARCHIVED' ELSE 'STATUS_ACTIVE' END, n || '@example.com', 'Firma ' || n, 'de', 'DE',
       'EUR', 'Europe/Berlin', 'unchecked', '{}', now() - make_interval(mins => n), now(),
       CASE WHEN n % 1000 = 0 THEN $3::uuid END
     FROM generate_series(1, 40000) AS n`,
    [tenant.id, newUuid(), parent.id],
  );
  await billing.test.peek('analyze customer');
});
afterAll(() => billing.stop());

/** The plans that the app role gets for the statements of a list, under row-level security. */
async function plansOf(query: string): Promise<string[]> {
  const statements = (
    await statementsOf(async () => void expect((await tenant.call('GET', `/customers?${query}`)).status).toBe(200))
  ).filter(({ text }) => /^SELECT [^]*FROM customer t WHERE/.test(text));
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

  it.each(['createdAt', 'customerNumber', 'companyName', 'lastName', 'email'])(
    'the order by %s is in an index, from both ends and far from the start',
    async (field) => {
      for (const query of [`order[${field}]=asc`, `order[${field}]=desc`, `order[${field}]=asc&page=200`]) {
        const statements = await statementsOf(async () => void (await tenant.call('GET', `/customers?${query}`)));
        const found = statements.filter(({ text }) => text.includes('OFFSET') && text.includes('FROM customer t'));
        expect(found).toHaveLength(1);
        expect(await sortsAll(billing.test.db, tenant.id, found[0]!)).toBe(false);
      }
    },
  );

  it('far pages are those that turning pages comes to', async () => {
    const ids = async (query: string) =>
      (await tenant.call('GET', `/customers?${query}`)).body.data.map(({ id }: { id: string }) => id);
    const near = await ids('order[email]=desc&limit=90&page=1');
    const far = [
      ...(await ids('order[email]=desc&limit=30&page=4')),
      ...(await ids('order[email]=desc&limit=30&page=5')),
    ];
    expect(new Set([...near, ...far]).size).toBe(150);
    expect(await ids('order[email]=desc&limit=75&page=2')).toEqual([...near.slice(75), ...far]);
  });

  it('a search goes by its index, finds parts of words in any case, and nothing of another tenant', async () => {
    const search = async (text: string) =>
      (await tenant.call('GET', `/customers?search=${encodeURIComponent(text)}`)).body;
    const statements = await statementsOf(async () => {
      const found = await search('IRMA 4000');
      expect(found.data.map(({ companyName }: { companyName: string }) => companyName).sort()).toEqual([
        'Firma 4000',
        'Firma 40000',
      ]);
      expect(found.meta.pagination).toMatchObject({ totalItems: 2, lastPage: 1 });
    });
    expect(statements.some(({ text }) => text.includes('ILIKE'))).toBe(false);
    expect((await search('Firma 39999')).data).toEqual([]);
    expect((await search('Firma_4000')).data).toEqual([]);
    expect((await search('100%')).data).toEqual([]);
    const plan = await billing.test.peek<Record<string, string>>(
      `EXPLAIN SELECT id FROM customer WHERE tenant_id = $1 AND ${searchedText(customerSearch)} LIKE '%firma 4000%'`,
      [tenant.id],
    );
    expect(plan.map((row) => Object.values(row)[0]).join()).toContain('on customer_search');
  });

  it('a search that most match is answered from the list itself', async () => {
    const { data, meta } = (await tenant.call('GET', '/customers?search=firma&limit=2')).body;
    expect(data.map(({ companyName }: { companyName: string }) => companyName)).toEqual(['Firma 2', 'Firma 4']);
    expect(meta.pagination.totalItems).toBeGreaterThan(10_000);
    expect(meta.pagination.totalIsEstimate).toBe(true);
    const archived = (await tenant.call('GET', '/customers?search=firma&status=STATUS_ARCHIVED')).body.meta.pagination;
    expect(archived).toEqual({ totalItems: 800, itemsPerPage: 30, currentPage: 1, lastPage: 27, pageTotalItems: 30 });
  });

  it('totals are counted up to 10,000 and estimated beyond; the last page knows', async () => {
    const pagination = async (query: string) =>
      (await tenant.call('GET', `/customers?${query}`)).body.meta.pagination as Record<string, unknown>;
    expect(await pagination('status=STATUS_ARCHIVED&limit=0')).not.toHaveProperty('totalIsEstimate');
    expect(await pagination('limit=0')).toMatchObject({ totalIsEstimate: true });
    const far = await pagination('page=100');
    expect(far).toMatchObject({ currentPage: 100, pageTotalItems: 30, totalIsEstimate: true });
    expect(far['lastPage']).toBeGreaterThan(100);
    // 20,000 and the parent.
    const last = await pagination('limit=100&page=201');
    expect(last).toEqual({ totalItems: 20_001, itemsPerPage: 100, currentPage: 201, lastPage: 201, pageTotalItems: 1 });
  });

  it('a page costs the same number of queries, however long it is', async () => {
    const count = async (limit: number) =>
      (
        await statementsOf(
          async () => void (await tenant.call('GET', `/customers?status=STATUS_ARCHIVED&limit=${limit}`)),
        )
      ).filter(({ text }) => /customer/.test(text)).length;
    expect(await count(100)).toBe(await count(1));
  });
});

describe('fields', () => {
  it('of each entry and of a single answer are those that are asked for', async () => {
    const ok = async (path: string) => {
      const { status, body } = await tenant.call('GET', path);
      expect([path, status]).toEqual([path, 200]);
      return body;
    };
    const { data, meta } = await ok('/customers?fields=id,addresses.city&search=Backhaus&limit=1');
    expect(data).toEqual([{ id: expect.any(String), addresses: [{ city: 'Hamburg' }] }]);
    expect(meta.pagination.totalItems).toBe(1);
    expect(await ok(`/customers/${data[0].id}?fields=companyName`)).toEqual({ companyName: 'Backhaus Elbe GmbH' });
    expect(await ok('/settings/billing?fields=paymentTermDays,seller.address.countryCode')).toEqual({
      paymentTermDays: 14,
      seller: { address: { countryCode: 'DE' } },
    });
    for (const fields of ['', 'secret', 'addresses.secret', 'id&fields=email', `id,${'a.'.repeat(5)}b`]) {
      const { status, body } = await tenant.call('GET', `/customers?fields=${fields}`);
      expect([fields, status, body.reason]).toEqual([fields, 400, 'invalid_request']);
    }
    expect((await tenant.call('GET', `/customers/${newUuid()}?fields=id`)).status).toBe(404);
    expect((await tenant.call('GET', `/customers/${data[0].id}/entitlements?fields=data`)).status).toBe(400);
  });
});

describe('the OpenAPI part', () => {
  it('has a permission and a success answer for every operation', async () => {
    const { status, body } = await billing.test.as(null)('GET', '/internal/openapi');
    expect(status).toBe(200);
    const operations = Object.values(
      body.paths as Record<
        string,
        Record<string, { operationId: string; 'x-permission': string; responses: Record<string, unknown> }>
      >,
    ).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(60);
    for (const operation of operations) {
      expect(operation['x-permission']).toMatch(/^\*$|:(read|write)$/);
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
    }
  });
});
