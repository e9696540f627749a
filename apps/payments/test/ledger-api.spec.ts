import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayOf, newUuid } from '@kontor/kernel';
import { apiKeyPrincipal } from '@kontor/testing';
import { customerAccount } from '../src/domain/ledger/chart-of-accounts.js';
import { customerMerged } from '../src/domain/ledger/postings.js';
import { OnInvoiceFinalizing } from '../src/intents/on-invoice-finalizing.js';
import { bookAll } from '../src/ledger/index.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let customer: string;
const span = `from=2020-01-01&to=2099-12-31`;
const thisYear = dayOf(new Date(), 'Europe/Berlin').slice(0, 4);
const year = `from=${thisYear}-01-01&to=${thisYear}-12-31`;

async function text(path: string, of = tenant): Promise<{ status: number; bytes: Buffer; headers: Headers }> {
  const response = await fetch(`${world.service.url}${path}`, {
    headers: { 'x-kontor-principal': world.service.kit.tokens.sign(of.key) },
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

/**
 * An invoice of 119.00, overpaid by 31.00; one of 50.00 paid by that credit; a declined collection; a return with a
 * fee.
 */
beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  customer = await tenant.customer();
  const method = await tenant.method(customer);
  const [first] = await tenant.finalize({ customerId: customer, gross: 11900, tax: 1900, number: 'RE-2026-00001' });
  const paid = await tenant.record(first!, method.id, { amount: { amount: 15000, currencyCode: 'EUR' } });
  await tenant.finalize({ customerId: customer, gross: 5000, number: 'RE-2026-00002' });
  await tenant.ok('POST', `/payment/transactions/${paid.body.transactionId}/return`, {
    reason: 'chargeback',
    feeAmount: 3,
  });
  await tenant.finalize({ customerId: customer, gross: 500, currency: 'JPY' });
});
afterAll(() => world.stop());

describe('GET /ledger/accounts', () => {
  it('shows every account with its balance on its own side', async () => {
    const { data, meta } = await tenant.ok('GET', '/ledger/accounts?limit=100&currencyCode=EUR');
    const balances = Object.fromEntries(data.map((a: Json) => [a.code, a.balance.amount]));
    expect(balances).toEqual({ bank: -300, fees: 300, receivable: 16900, revenue: 15000, tax: 1900, wallet: 0 });
    expect(meta.pagination.totalItems).toBe(6);
    expect(data.find((a: Json) => a.code === 'receivable')).toMatchObject({
      customerId: customer,
      side: 'debit',
      pending: { amount: 0, currencyCode: 'EUR' },
    });
  });

  it('is filtered by customer, currency and code', async () => {
    const codes = async (query: string) =>
      (await tenant.ok('GET', `/ledger/accounts?${query}`)).data.map((a: Json) => `${a.code}/${a.currencyCode}`);
    expect(await codes(`customer=${customer}`)).toEqual(['receivable/EUR', 'receivable/JPY', 'wallet/EUR']);
    expect(await codes('code=revenue')).toEqual(['revenue/EUR', 'revenue/JPY']);
    expect(await codes('code=revenue&currencyCode=JPY')).toEqual(['revenue/JPY']);
    expect((await tenant.call('GET', '/ledger/accounts?code=cash')).status).toBe(400);
  });
});

describe('GET /ledger/transfers', () => {
  it('shows transfers newest first, and those of an account, a customer or an operation', async () => {
    const all = await tenant.ok('GET', '/ledger/transfers?limit=100');
    expect(all.data.at(-1)).toMatchObject({
      kind: 'posted', operation: expect.stringMatching(/^document:/), debit: { code: 'receivable', customerId: customer }, credit: { code: 'revenue' },
      amount: { amount: 10000, currencyCode: 'EUR' },
    }); // prettier-ignore
    const fees = (await tenant.ok('GET', '/ledger/accounts?code=fees')).data[0].id;
    const ofFees = await tenant.ok('GET', `/ledger/transfers?account=${fees}`);
    expect(ofFees.data).toMatchObject([{ debit: { id: fees }, credit: { code: 'bank' }, amount: { amount: 300 } }]);
    const [{ operation }] = ofFees.data;
    expect((await tenant.ok('GET', `/ledger/transfers?operation=${operation}`)).data).toHaveLength(2);
    const ofCustomer = await tenant.ok('GET', `/ledger/transfers?customer=${customer}&limit=0`);
    expect(ofCustomer.meta.pagination.totalItems).toBe(all.meta.pagination.totalItems - 1);
    expect((await tenant.ok('GET', `/ledger/transfers?customer=${newUuid()}`)).data).toEqual([]);
    expect((await tenant.ok('GET', `/ledger/transfers?bookedAt[after]=2099-01-01T00:00:00Z`)).data).toEqual([]);
  });

  it('needs transaction:read', async () => {
    const weak = { ...apiKeyPrincipal(tenant.id), permissions: ['wallet:read'] };
    for (const path of ['accounts', 'transfers', `transfers/export?${span}`, `datev?${year}`])
      expect((await world.http(weak as never, 'GET', `/ledger/${path}`)).status).toBe(403);
  });
});

/** Per account: debits minus credits. */
const movements = (
  lines: readonly (readonly [debit: string, credit: string, amount: number])[],
): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const [debit, credit, amount] of lines) {
    sums[debit] = (sums[debit] ?? 0) + amount;
    sums[credit] = (sums[credit] ?? 0) - amount;
  }
  return sums;
};

async function movementsOfLedger(currencyCode: string): Promise<Record<string, number>> {
  const { data } = await tenant.ok('GET', `/ledger/accounts?limit=100&currencyCode=${currencyCode}`);
  return Object.fromEntries(data.map((a: Json) => [a.code, a.debits.amount - a.credits.amount]));
}

describe('GET /ledger/transfers/export', () => {
  it('gives all transfers as CSV, whose sum is what the ledger moved', async () => {
    const { status, bytes, headers } = await text(`/ledger/transfers/export?${span}&currencyCode=EUR`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('ledger_2020-01-01_2099-12-31.csv');
    const [head, ...lines] = bytes.toString().trimEnd().split('\r\n');
    expect(head).toBe(
      'bookedAt,operation,leg,kind,resolves,debitAccount,debitCustomer,creditAccount,creditCustomer,amount,currencyCode',
    );
    const cells = lines.map((line) => line.split(','));
    expect(cells.every((line) => line[10] === 'EUR' && /^\d+\.\d\d$/.test(line[9]!))).toBe(true);
    expect(movements(cells.map((line) => [line[5]!, line[7]!, Math.round(Number(line[9]) * 100)]))).toEqual(
      await movementsOfLedger('EUR'),
    );
  });

  it.each([
    '',
    '?from=2026-01-01',
    '?from=2026-02-30&to=2026-03-01',
    '?from=2026-03-02&to=2026-03-01',
    `?${span}&currencyCode=XXQ`,
    `?${span}&x=1`,
  ])('refuses "%s"', async (query) => expect((await text(`/ledger/transfers/export${query}`)).status).toBe(400));
});

describe('GET /ledger/datev', () => {
  const accounts = { bank: '1200', fees: '4970', receivable: '10000', revenue: '8400', tax: '1776', wallet: '1718' };

  it('gives a batch whose lines are what the ledger moved', async () => {
    const { status, bytes, headers } = await text(`/ledger/datev?${year}`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(/EXTF_Buchungsstapel_\d{8}_\d{8}\.csv/);
    const [header, columns, ...lines] = bytes.toString('latin1').trimEnd().split('\r\n');
    expect(header).toMatch(/^"EXTF";700;21;"Buchungsstapel";13;/);
    expect(columns!.split(';')).toHaveLength(125);
    const fields = lines.map((line) => line.split(';'));
    expect(fields.every((line) => line.length === 125)).toBe(true);
    const byNumber = Object.fromEntries(Object.entries(accounts).map(([code, number]) => [number, code]));
    const sums = movements(
      fields.map((line) => [byNumber[line[6]!]!, byNumber[line[7]!]!, Number(line[0]!.replace(',', ''))]),
    );
    expect(sums).toEqual(await movementsOfLedger('EUR'));
    expect(fields[0]!.slice(0, 14)).toEqual([
      '100,00', '"S"', '"EUR"', '', '', '', '10000', '8400', '"0040"', expect.stringMatching(/^\d{4}$/), '"RE-2026-00001"', '', '',
      expect.stringMatching(/^"Rechnung RE-2026-00001 .+"$/),
    ]); // prettier-ignore
    expect(fields.map((line) => line[13]!.slice(1).split(' ')[0])).toEqual(
      expect.arrayContaining(['Zahlungseingang', 'Guthaben', 'R\u00fcckzahlung']),
    );
  });

  it('books what documents charge by VAT category and rate', async () => {
    const other = await world.tenant();
    const customerId = await other.customer();
    const now = new Date();
    const document = (gross: number, tax: number, taxes: [string, string, number, number][]) => {
      const event = other.event({ customerId, gross, tax }, now);
      const currencyCode = 'EUR';
      const charged = taxes.map(([category, rate, net, vat]) => ({
        category, rate, netAmount: { amount: net, currencyCode }, taxAmount: { amount: vat, currencyCode },
      })); // prettier-ignore
      return { ...event, payload: { ...event.payload, taxes: charged } };
    };
    const events = [
      document(22600, 2600, [['S', '19', 10000, 1900], ['S', '7.00', 10000, 700]]),
      document(5000, 0, [['AE', '0', 5000, 0]]),
      document(4000, 0, [['Z', '0', 4000, 0]]),
      // A discount under another rate; a credit note; and amounts that are not the booked ones, which stay on one
      // account.
      document(10830, 1830, [['S', '19', 10000, 1900], ['S', '7', -1000, -70]]),
      document(-5350, -350, [['S', '7', -5000, -350]]),
      document(11900, 1900, [['S', '19', 9999, 1900]]),
    ]; // prettier-ignore
    await world.database.tenant(other.id, (tx) => world.service.get(OnInvoiceFinalizing).handle(events as never, tx), {
      now,
    });
    const lines = async () => {
      const { bytes } = await text(`/ledger/datev?${year}`, other);
      const [, , ...found] = bytes.toString('latin1').trimEnd().split('\r\n').map((line) => line.split(';')); // prettier-ignore
      return found.map((line) => [line[0], line[6], line[7], line[8]]);
    };
    const batch = await lines();
    expect(batch).toHaveLength(14);
    expect(batch).toEqual(
      expect.arrayContaining([
        ['100,00', '10000', '8400', '"0040"'], ['100,00', '10000', '8300', '"0040"'], ['19,00', '10000', '1776', ''], ['7,00', '10000', '1771', ''],
        ['50,00', '10000', '8336', ''], ['10,00', '8300', '10000', '"0040"'], ['0,70', '1771', '10000', ''], ['50,00', '8300', '10000', '"0040"'],
        ['3,50', '1771', '10000', ''],
      ]),
    ); // prettier-ignore
    expect(batch).toEqual(expect.arrayContaining([['40,00', '10000', '8290', '']]));
    await other.ok('PUT', '/ledger/datev/settings', { accounts: { revenue_7: '8301', revenue: '8200' } });
    expect((await lines()).filter(([, , contra]) => contra === '8200').map(([, , , key]) => key)).not.toContain('');
    const accounts = new Set((await lines()).map(([, , contra]) => contra));
    expect([...accounts].sort()).toEqual(['10000', '1771', '1776', '8200', '8301']);
    expect((await other.call('PUT', '/ledger/datev/settings', { accounts: { revenue_107: '8301' } })).status).toBe(422);
  });

  it('books VAT of other countries of the EU on accounts of their own, by country where one is set', async () => {
    const other = await world.tenant();
    const customerId = await other.customer();
    const now = new Date();
    const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
    const sold = (rate: string, tax: number, destination?: string) => {
      const event = other.event({ customerId, gross: 10000 + tax, tax }, now);
      const kind = { category: 'S', rate, ...(destination && { destination }) };
      return {
        ...event,
        payload: { ...event.payload, taxes: [{ ...kind, netAmount: eur(10000), taxAmount: eur(tax) }] },
      };
    };
    const events = [sold('19', 1900), sold('19', 1901, 'CY'), sold('20', 2000, 'AT'), sold('20', 2001, 'FR')];
    await world.database.tenant(other.id, (tx) => world.service.get(OnInvoiceFinalizing).handle(events as never, tx), {
      now,
    });
    const lines = async () => {
      const { bytes } = await text(`/ledger/datev?${year}`, other);
      const [, , ...found] = bytes.toString('latin1').trimEnd().split('\r\n');
      return found.map((line) => line.split(';')).map((line) => `${line[0]} ${line[7]} ${line[8]}`);
    };
    const abroad = '100,00 8339 ';
    const usual = [
      '100,00 8400 "0040"',
      '19,00 1776 ',
      abroad,
      '19,01 1768 ',
      abroad,
      '20,00 1768 ',
      abroad,
      '20,01 1768 ',
    ];
    expect((await lines()).sort()).toEqual(usual.sort());
    const set = { revenue_FR_20: '8021', tax_FR_20: '1791', revenue_one_stop_shop: '8020', tax_20: '1790' };
    await other.ok('PUT', '/ledger/datev/settings', { accounts: set });
    const chosenRevenue = '100,00 8020 "0040"';
    const chosen = [
      '100,00 8400 "0040"',
      '19,00 1776 ',
      chosenRevenue,
      '19,01 1768 ',
      chosenRevenue,
      '20,00 1790 ',
      '100,00 8021 "0040"',
      '20,01 1791 ',
    ];
    expect((await lines()).sort()).toEqual(chosen.sort());
  });

  it('books what goes from one customer to another between their debtors, and nothing where that is one account', async () => {
    const other = await world.tenant();
    const customerOf = (accountingSystemId: string | null) => other.customer({}, newUuid(), { accountingSystemId });
    const [source, target, nameless, another] = [
      await customerOf('10001'),
      await customerOf('10002'),
      await customerOf(null),
      await customerOf('unknown'),
    ];
    const move = (from: string, to: string, debitMinor: bigint) => ({
      from: customerAccount('receivable', from, 'EUR'),
      to: customerAccount('receivable', to, 'EUR'),
      debitMinor,
    });
    const moves = [
      move(source, target, 11900n),
      move(target, source, -700n),
      move(nameless, another, 300n),
      move(source, nameless, 500n),
    ];
    const now = new Date();
    await world.database.tenant(other.id, (tx) => bookAll(tx, other.id, now, [customerMerged(newUuid(), moves)]));
    const [, , ...lines] = (await text(`/ledger/datev?${year}`, other)).bytes
      .toString('latin1')
      .trimEnd()
      .split('\r\n');
    expect(lines.map((line) => line.split(';')).map((line) => [line[0], line[6], line[7]])).toEqual([
      ['119,00', '10002', '10001'],
      ['7,00', '10002', '10001'],
      ['5,00', '10000', '10001'],
    ]);
  });

  it('is made as the settings say; only what is given changes', async () => {
    const other = await world.tenant();
    expect(await other.ok('GET', '/ledger/datev/settings')).toMatchObject({
      chart: 'SKR03',
      accountLength: 4,
      accounts: { ...accounts },
    });
    const set = await other.ok('PUT', '/ledger/datev/settings', {
      consultantNumber: 99999, clientNumber: 7, chart: 'SKR04', accountLength: 5, fiscalYearStart: '07-01', accounts: { bank: '18100' },
    }); // prettier-ignore
    expect(set).toMatchObject({
      consultantNumber: 99999,
      accounts: { bank: '18100', revenue: '44000', receivable: '100000' },
    });
    expect((await other.ok('PUT', '/ledger/datev/settings', { accounts: { bank: null } })).accounts.bank).toBe('18000');
    await other.ok('PUT', '/ledger/datev/settings', { accounts: { fees: '68550', receivable: '12000' } });
    expect(await other.call('PUT', '/ledger/datev/settings', { accountLength: 6 })).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'accounts.fees', code: 'invalid_account' }] },
    });
    const answer = await other.call('GET', '/ledger/datev?from=2026-06-01&to=2026-07-31');
    expect(answer).toMatchObject({
      status: 422,
      body: { reason: 'validation_failed', violations: [{ code: 'two_fiscal_years' }] },
    });
  });

  it.each([
    [{ accounts: { cash: '1000' } }, 422],
    [{ accounts: { bank: '12' } }, 422],
    [{ accounts: { bank: '120000' } }, 422],
    [{ accounts: { bank: '😀'.repeat(9) } }, 422],
    [{ accountLength: 6, accounts: { bank: '1200' } }, 422],
    [{ accountLength: 5, accounts: { receivable: '1400' } }, 422],
    [{ accounts: { bank: 1200 } }, 422],
    [{ chart: 'SKR99' }, 422],
    [{ consultantNumber: 1 }, 422],
    [{ fiscalYearStart: '13-01' }, 422],
    [{ locked: 'yes' }, 400],
  ])('refuses settings %j', async (body, status) => {
    expect((await tenant.call('PUT', '/ledger/datev/settings', body)).status).toBe(status);
  });
});
