import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, hasValidators, howMany, startValidators } from '@kontor/testing';
import { bytesOf, type Call, CompanyYear } from './support/company-year.js';
import { invariants } from './support/invariants.js';
import { advance, System } from './support/system.js';

/** All that is special happens in the first three. */
const MONTHS = howMany(3, 12);

const itOnValidators = (await hasValidators()) ? it : it.skip;

describe("a company's year", () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-year-'));
  let system: System;
  let year: CompanyYear;

  beforeAll(async () => {
    system = await System.shared();
    const { api } = await system.sandbox({ now: '2025-12-31T11:00:00.000Z' });
    const call: Call = (method, path, body) => api.ok(method, path, body);
    const get = (path: string): Promise<Buffer> => bytesOf(api.baseUrl, api.token, path);
    year = await CompanyYear.play({ call, get, advance: (to) => advance(api, to) }, MONTHS, folder);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has everything that can happen to an invoice, each paid or taken back in the end', () => {
    year.expectWhole();
  });

  it('is taxed as each country has it', () => {
    const byCountry = Map.groupBy(
      year.documents.filter(({ type }) => type === 'TYPE_INVOICE'),
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
    year.expectBooked();
  });

  it('leaves books that balance', async () => {
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
