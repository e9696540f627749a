import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, hasValidators, howMany, startValidators } from '@kontor/testing';
import { eventually, type Json } from './support/api.js';
import { invariants } from './support/invariants.js';
import { advance, System } from './support/system.js';

type Call = (method: string, path: string, body?: Json) => Promise<Json>;
const EXAMPLE = join(import.meta.dirname, '..', 'examples', 'company-year');
const { play } = (await import(join(EXAMPLE, 'play.mjs'))) as {
  play(call: Call, passTime: (to: string) => Promise<unknown>, months: number): Promise<Record<string, Json>>;
};
const { collect } = (await import(join(EXAMPLE, 'files.mjs'))) as {
  collect(call: Call, get: (path: string) => Promise<Buffer>, folder: string): Promise<Json[]>;
};

/** All that is special happens in the first three. */
const MONTHS = howMany(3, 12);

const itOnValidators = (await hasValidators()) ? it : it.skip;

describe("a company's year", () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-year-'));
  let system: System;
  let special: Record<string, Json>;
  let documents: Json[];

  beforeAll(async () => {
    system = await System.shared();
    const { api } = await system.sandbox({ now: '2025-12-31T11:00:00.000Z' });
    const call: Call = (method, path, body) => api.ok(method, path, body);
    special = await play(call, (to) => advance(api, to), MONTHS);
    const get = async (path: string): Promise<Buffer> => {
      const answer = await fetch(api.baseUrl + path, { headers: { authorization: `Bearer ${api.token}` } });
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
      return Buffer.from(await answer.arrayBuffer());
    };
    await eventually(
      'the refund is paid out',
      async () => (await call('GET', `/invoices/${special['refund'].id}`)).status === 'STATUS_PAID',
    );
    documents = await collect(call, get, folder);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const documentOf = (name: string): Json => documents.find(({ id }) => id === special[name].id);

  it('has everything that can happen to an invoice, each paid or taken back in the end', () => {
    const statuses = [...new Set(documents.map(({ status }) => status as string))].sort();
    expect(statuses).toEqual(['STATUS_CANCELLED', 'STATUS_PAID', 'STATUS_REFUNDED']);
    expect(documentOf('wrong')).toMatchObject({ status: 'STATUS_CANCELLED', unpaidAmount: { amount: 0 } });
    expect(documentOf('cancellation').grossAmount.amount).toBe(-documentOf('wrong').grossAmount.amount);
    expect(documentOf('credit')).toMatchObject({ type: 'TYPE_CREDIT', grossAmount: { amount: -22_000 } });
    expect(documentOf('refunded').status).toBe('STATUS_REFUNDED');
    expect(documentOf('authority')).toMatchObject({ leitwegId: '04011000-1234512345-06', status: 'STATUS_PAID' });
    expect(special['letters']).toHaveLength(3);
    expect(special['letters'].map(({ level }: Json) => level as number).sort()).toEqual([1, 2, 3]);
    expect(documentOf('dunned')).toMatchObject({ status: 'STATUS_PAID', dunningStatus: 'none' });
  });

  it('is taxed as each country has it', () => {
    const byCountry = Map.groupBy(
      documents.filter(({ type }) => type === 'TYPE_INVOICE'),
      ({ invoiceAddress }) => invoiceAddress.countryCode as string,
    );
    expect([...byCountry.keys()].sort()).toEqual(['AT', 'CH', 'DE', 'FR', 'US']);
    for (const [country, invoices] of byCountry)
      for (const { netAmount, taxAmount } of invoices)
        expect([country, taxAmount.amount]).toEqual([
          country,
          country === 'DE' ? Math.round(netAmount.amount * 0.19) : 0,
        ]);
  });

  it('is in the batch for the bookkeeper to the cent', () => {
    const KINDS = /^"(Rechnung|Rechnungskorrektur|Storno|Erstattung|Mahngebühr) /;
    const booked = new Map<string, number>();
    for (const name of readdirSync(folder).filter((file) => file.startsWith('datev-')))
      for (const line of readFileSync(join(folder, name), 'latin1').split('\r\n').slice(2)) {
        const fields = line.split(';');
        if (!KINDS.test(fields[13] ?? '')) continue;
        const number = (fields[10] ?? '').replaceAll('"', '');
        booked.set(number, (booked.get(number) ?? 0) + Math.round(Number((fields[0] ?? '').replace(',', '.')) * 100));
      }
    const expected = documents
      .filter(({ grossAmount }) => grossAmount.amount !== 0)
      .map(({ number, grossAmount }) => [number as string, Math.abs(grossAmount.amount as number)] as const);
    expect(Object.fromEntries(booked)).toEqual(Object.fromEntries(expected));
  });

  it('leaves nothing open, and books that balance', async () => {
    expect(documents.filter(({ unpaidAmount }) => unpaidAmount.amount !== 0)).toEqual([]);
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });

  itOnValidators('has papers that every official validator accepts', async () => {
    const validators = await startValidators();
    try {
      for (const name of readdirSync(folder)) {
        const kind = name.endsWith('.pdf')
          ? 'pdf'
          : name.endsWith('-ubl.xml')
            ? 'ubl'
            : name.endsWith('.xml')
              ? 'cii'
              : null;
        const file = readFileSync(join(folder, name));
        if (kind) expect([name, faultsOf(await validators.check(kind, file))]).toEqual([name, []]);
      }
    } finally {
      await validators.stop();
    }
  });
});
