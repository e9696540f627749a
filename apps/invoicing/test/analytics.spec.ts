import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { exampleAddress } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { setTenantClock } from '@kontor/persistence';
import { customerPrincipal } from '@kontor/testing';
import { eur, position, type Tenant, World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world.expectInvariants();
  await world.stop();
});

const QUARTER = { serviceDateFrom: '2026-01-01T00:00:00+01:00', serviceDateTo: '2026-03-31T00:00:00+02:00' };

async function tenantAt(now: string): Promise<Tenant> {
  const tenant = await world.tenant();
  await at(tenant, now);
  return tenant;
}

const at = (tenant: Tenant, now: string): Promise<unknown> =>
  world.test.service.kit.database.system((sql) => setTenantClock(sql, tenant.id, new Date(now)));

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
async function finalized(tenant: Tenant, customerId: string, ...positions: object[]): Promise<any> {
  const { id } = await tenant.draft(customerId, ...positions);
  return tenant.ok('POST', `/invoices/${id}/finalize`);
}

/** The export has the report's sums, and names each position with its document. */
async function expectExportToSumTo(tenant: Tenant, data: readonly Json[]): Promise<void> {
  const { status, headers, body } = await tenant.send('GET', '/analytics/revenue/export?from=2026-01&to=2026-04');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const [head, ...lines] = String(body).trimEnd().split('\r\n');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(head!.split(',').map((name, n) => [name, cells[n]!]));
  });
  const cents = (text: string): number => Math.round(Number(text) * 100);
  for (const { month, ...entry } of data)
    for (const column of ['invoiced', 'recognized', 'deferred']) {
      const ofMonth = rows.filter((row) => row['month'] === month);
      expect(ofMonth.reduce((sum, row) => sum + cents(row[column]!), 0)).toBe(entry[column].amount);
    }
  expect(rows[0]).toMatchObject({
    month: '2026-01',
    type: 'TYPE_INVOICE',
    serviceFrom: '2026-01-01',
    serviceTo: '2026-03-31',
  });
  expect(rows[0]).toMatchObject({ netAmount: '900.00', recognized: '310.00', deferred: '590.00', countryCode: 'DE' });
  expect(rows[0]!['number']).toMatch(/^RE-/);
  expect(rows[0]!['customerNumber']).not.toBe('');
}

describe('revenue', () => {
  it('is recognized by month of service, the rest deferred; all sums agree with the documents', async () => {
    const tenant = await tenantAt('2026-01-15T10:00:00.000Z');
    const customer = (await tenant.customer()).id;
    const quarter = await finalized(tenant, customer, position({ unitPrice: eur(90000), ...QUARTER }));
    const once = await finalized(tenant, customer, position({ discountPercentage: '33.33' }));
    await at(tenant, '2026-02-10T10:00:00.000Z');
    const mistake = await finalized(tenant, customer, position({ unitPrice: eur(7777), ...QUARTER }));
    await tenant.ok('POST', `/invoices/${mistake.id}/cancel`, { reason: 'Mistake' });
    await tenant.draft(customer, position());
    const { data } = await tenant.ok('GET', '/analytics/revenue?from=2026-01&to=2026-04');
    const net = quarter.netAmount.amount + once.netAmount.amount;
    expect(data).toEqual([
      {
        month: '2026-01',
        currencyCode: 'EUR',
        group: null,
        invoiced: eur(net),
        recognized: eur(31000 + once.netAmount.amount),
        deferred: eur(59000),
      },
      {
        month: '2026-02',
        currencyCode: 'EUR',
        group: null,
        invoiced: eur(0),
        recognized: eur(28000),
        deferred: eur(31000),
      },
      {
        month: '2026-03',
        currencyCode: 'EUR',
        group: null,
        invoiced: eur(0),
        recognized: eur(31000),
        deferred: eur(0),
      },
    ]);
    const [february] = (await tenant.ok('GET', '/analytics/revenue?from=2026-02&to=2026-02')).data;
    expect(february).toEqual(data[1]);
    await expectExportToSumTo(tenant, data);
  });

  it('is rounded position by position, so that many of one period sum to what the export says of each', async () => {
    const tenant = await tenantAt('2026-01-15T10:00:00.000Z');
    const customer = (await tenant.customer()).id;
    const period = { serviceDateFrom: '2026-01-15T00:00:00+01:00', serviceDateTo: '2026-02-14T00:00:00+01:00' };
    const lines = [101, 101, 101, 101, 101].map((amount) => position({ unitPrice: eur(amount), ...period }));
    const issued = await finalized(tenant, customer, position({ unitPrice: eur(90000), ...QUARTER }), ...lines);
    const amount = (line: number, minor: number) => ({ id: issued.positions[line].id, amount: eur(minor) });
    await tenant.ok('POST', `/invoices/${issued.id}/credit`, {
      reason: 'other',
      positions: [amount(1, 50), amount(2, 50)],
    });
    const { data } = await tenant.ok('GET', '/analytics/revenue?from=2026-01&to=2026-04');
    // 17 of 31 days: 55.39 of 101, 27.42 of 50.
    expect(data[0].recognized).toEqual(eur(31000 + 5 * 55 - 2 * 27));
    expect(data[1].recognized).toEqual(eur(28000 + 5 * 46 - 2 * 23));
    await expectExportToSumTo(tenant, data);
    const { data: byCountry } = await tenant.ok('GET', '/analytics/revenue?from=2026-01&to=2026-04&groupBy=country');
    expect(byCountry.map(({ recognized }: Json) => recognized)).toEqual(data.map(({ recognized }: Json) => recognized));
  });

  it('is divided by country, product and currency, and seen by its tenant only', async () => {
    const tenant = await tenantAt('2026-01-15T10:00:00.000Z');
    const german = (await tenant.customer()).id;
    const address = { ...exampleAddress, id: newUuid(), countryCode: 'AT' };
    const austrian = (await tenant.customer({ countryCode: 'AT', addresses: [address] })).id;
    for (const customer of [german, austrian, austrian]) await finalized(tenant, customer, position());
    const by = async (query: string) => {
      const { data } = await tenant.ok('GET', `/analytics/revenue?from=2026-01&to=2026-01&${query}`);
      return data.map(({ group, invoiced }: { group: string; invoiced: object }) => [group, invoiced]);
    };
    expect(await by('groupBy=country')).toEqual([
      ['AT', eur(20000)],
      ['DE', eur(10000)],
    ]);
    expect(await by('groupBy=product&currencyCode=EUR')).toEqual([[null, eur(30000)]]);
    expect(await by('currencyCode=CHF')).toEqual([]);
    const other = await tenantAt('2026-01-15T10:00:00.000Z');
    for (const path of ['/analytics/revenue?from=2026-01&to=2026-12', '/analytics/receivables'])
      expect(await other.ok('GET', path)).toEqual({ data: [] });
    const asCustomer = world.test.as(customerPrincipal(tenant.id, german));
    expect((await asCustomer('GET', '/analytics/receivables')).status).toBe(403);
  });

  test.each([
    ['no months', ''],
    ['no end', 'from=2026-01'],
    ['a day', 'from=2026-01-01&to=2026-02'],
    ['no such month', 'from=2026-13&to=2026-14'],
    ['an end before its start', 'from=2026-02&to=2026-01'],
    ['more than three years', 'from=2023-01&to=2026-01'],
    ['another group', 'from=2026-01&to=2026-02&groupBy=city'],
    ['no currency', 'from=2026-01&to=2026-02&currencyCode=EURO'],
    ['a month twice', 'from=2026-01&from=2026-02&to=2026-03'],
    ['an unknown parameter', 'from=2026-01&to=2026-02&by=month'],
  ])('with %s is refused', async (_name, query) => {
    const tenant = await world.tenant();
    expect((await tenant.send('GET', `/analytics/revenue?${query}`)).body).toMatchObject({
      status: 400,
      reason: 'invalid_request',
    });
  });
});

it('a sum beyond what a number carries is refused, and others are not', async () => {
  const tenant = await tenantAt('2026-01-10T10:00:00.000Z');
  const customer = (await tenant.customer()).id;
  for (let n = 0; n < 2; n++) await finalized(tenant, customer, position({ unitPrice: eur(6_000_000_000_000_000) }));
  for (const path of ['revenue?from=2026-01&to=2026-01', 'receivables'])
    expect(await tenant.send('GET', `/analytics/${path}`)).toMatchObject({
      status: 422,
      body: { reason: 'amount_out_of_range' },
    });
  await tenant.ok('GET', '/analytics/revenue?from=2026-01&to=2026-01&currencyCode=USD');
});

describe('receivables', () => {
  it('are aged by days since they were due, and sum to what is unpaid', async () => {
    const tenant = await tenantAt('2026-01-01T10:00:00.000Z');
    const customer = (await tenant.customer()).id;
    await finalized(tenant, customer, position());
    await at(tenant, '2026-02-20T10:00:00.000Z');
    await finalized(tenant, customer, position({ unitPrice: eur(5000) }));
    const ages = async () => {
      const { data } = await tenant.ok('GET', '/analytics/receivables?groupBy=country');
      expect(data).toHaveLength(1);
      const { documents, notDue, days1To30, days31To60, days61To90, over90Days, credits, total } = data[0];
      const { data: invoices } = await tenant.ok('GET', '/invoices?limit=100');
      const unpaid = invoices.reduce((sum: number, invoice: Json) => sum + invoice.unpaidAmount.amount, 0);
      expect([documents, total.amount, credits.amount]).toEqual([2, unpaid, 0]);
      return [notDue, days1To30, days31To60, days61To90, over90Days].map(({ amount }) => amount);
    };
    expect(await ages()).toEqual([5950, 0, 11900, 0, 0]);
    await at(tenant, '2026-03-20T10:00:00.000Z');
    expect(await ages()).toEqual([0, 5950, 0, 11900, 0]);
    await at(tenant, '2026-07-20T10:00:00.000Z');
    expect(await ages()).toEqual([0, 0, 0, 0, 17850]);
    expect((await tenant.send('GET', '/analytics/receivables?groupBy=product')).status).toBe(400);
  });
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;
