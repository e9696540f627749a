import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { howMany } from '@kontor/testing';
import { eventually, type Json } from './support/api.js';
import { advance, System } from './support/system.js';

const FOLDER = join(import.meta.dirname, '..', 'examples', 'two-years');
const { play } = (await import(join(FOLDER, 'play.mjs'))) as {
  play(
    call: (method: string, path: string, body?: Json) => Promise<Json>,
    passTime: (to: string) => Promise<unknown>,
    months: number,
  ): Promise<{ customer: string; parent: string }>;
};

/** All of them in the long run. */
const MONTHS = howMany(5, 24);

const cents = (text: string): number => Math.round(Number(text.trim().replace('−', '') || 0) * 100);

/** The rows of the README: what each invoice has to be. */
const rows = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, month, , coupon, support, net] = line.split('|').map((cell) => cell.trim());
    return month && /^\d{4}-\d{2}$/.test(month)
      ? [{ month, discount: cents(coupon ?? ''), lines: support ? 2 : 1, net: cents(net ?? '') }]
      : [];
  });

it('two years of seats, a ramp, a coupon, entitlements and a family are as the example explains', async () => {
  const system = await System.shared();
  const { api } = await system.sandbox({ now: '2025-12-31T11:00:00.000Z', features: ['customer.hierarchy'] });
  const { customer, parent } = await play(
    (method, path, body) => api.ok(method, path, body),
    (to) => advance(api, to),
    MONTHS,
  );
  const invoices: Json[] = await eventually('all invoices', async () => {
    const { data } = await api.ok('GET', `/invoices?customer=${customer}&order%5Bnumber%5D=asc&limit=100`);
    return data.length === MONTHS && data.every((invoice: Json) => invoice.number) && data;
  });
  expect(rows).toHaveLength(24);
  const shown = invoices.map((invoice) => ({
    month: invoice.finalizationDate.slice(0, 7),
    discount: invoice.discountAmount?.amount ?? 0,
    lines: invoice.positions.length,
    net: invoice.netAmount.amount,
  }));
  expect(shown).toEqual(rows.slice(0, MONTHS));

  const { data: entitled } = await api.ok('GET', `/customers/${customer}/entitlements`);
  const storage = MONTHS > 12 ? '500' : '100';
  expect(Object.fromEntries(entitled.map(({ feature, value }: Json) => [feature.id, value]))).toEqual({
    storage,
    hotline: true,
  });

  const { data: family } = await api.ok('GET', `/customers/${customer}/hierarchy`);
  expect(family.map(({ id, level }: Json) => [id, level])).toEqual([
    [parent, 1],
    [customer, 2],
  ]);
  const { data: ofParent } = await api.ok('GET', `/invoices?customer=${parent}&limit=100`);
  const years = Array.from({ length: Math.ceil(MONTHS / 12) }, () => 24_000);
  expect(ofParent.map((invoice: Json) => invoice.netAmount.amount)).toEqual(years);
});
