import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, hasValidators, howMany, startValidators, testSeed, type Validators } from '@kontor/testing';
import fc from 'fast-check';
import { eInvoiceOf } from '../src/domain/e-invoice/from-snapshot.js';
import { writeCii } from '../src/domain/e-invoice/write-cii.js';
import { writeUbl } from '../src/domain/e-invoice/write-ubl.js';
import { anySnapshot } from './support/any-snapshot.js';

const describeOnValidators = (await hasValidators()) ? describe : describe.skip;

/** Whatever documents there are, the official rules accept what is written of them. */
describeOnValidators('e-invoices before the official validators', () => {
  let validators: Validators;
  beforeAll(async () => {
    validators = await startValidators();
  }, 240_000);
  afterAll(() => validators.stop());

  const documents = fc.sample(anySnapshot, { numRuns: howMany(500, 10_000), seed: testSeed });

  /** Each rule that refuses a document, with the first that it refuses. */
  async function refusals(kind: 'cii' | 'facturx' | 'ubl', every: number): Promise<string> {
    const found = new Map<string, string>();
    for (const [index, snapshot] of documents.entries()) {
      if (index % every !== 0) continue;
      const invoice = eInvoiceOf(snapshot);
      const xml = kind === 'ubl' ? writeUbl(invoice) : writeCii(invoice);
      for (const fault of faultsOf(await validators.check(kind, Buffer.from(xml))))
        found.set(fault.split(':')[0] ?? '', `document ${index}: ${fault}`);
    }
    return [...found.values()].join('\n');
  }

  it('are valid CII', async () => expect(await refusals('cii', 1)).toBe(''));

  it('are valid Factur-X', async () => expect(await refusals('facturx', 20)).toBe(''));

  it('are valid UBL', async () => expect(await refusals('ubl', 5)).toBe(''));

  it('are found invalid when they are', async () => {
    const xml = writeCii(eInvoiceOf(documents[0] as (typeof documents)[number]));
    const wrong = xml.replace(/<ram:DuePayableAmount>[^<]*</, '<ram:DuePayableAmount>0.07<');
    expect(faultsOf(await validators.check('cii', Buffer.from(wrong))).join()).toContain('BR-CO-16');
  });
});
