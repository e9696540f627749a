import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cents, type DebitBatch, type DebitOrder, type Party } from '../src/domain/sepa/payment-file.js';
import { writeDirectDebits } from '../src/domain/sepa/write-direct-debits.js';
import { writeTransfers } from '../src/domain/sepa/write-transfers.js';

/** @throws with what xmllint has to say when the file does not follow the schema. */
function mustFollowSchema(xml: string, format: string): void {
  const schema = fileURLToPath(new URL(`xsd/${format}.xsd`, import.meta.url));
  execFileSync('xmllint', ['--noout', '--nonet', '--schema', schema, '-'], {
    input: xml,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

const owner: Party = { name: 'Müller & Söhne GmbH', iban: 'DE02120300000000202051', bic: 'BYLADEM1001', address: null };
const head = { messageId: 'MSG-01J0000000000000000000000A', createdAt: new Date('2026-11-23T08:00:00.123Z'), owner };
const payer: Party = {
  name: 'Ærøskøbing Bäckerei „Zur schönen Aussicht" & Ünal Öztürk Beteiligungsgesellschaft mit beschränkter Haftung KG',
  iban: 'DE89370400440532013000',
  bic: null,
  address: { street: 'Elbchaussee', houseNumber: '12 b', zip: '22765', city: 'Hamburg', countryCode: 'DE' },
};
const order = (n: number, amountMinor: bigint, more: Partial<DebitOrder> = {}): DebitOrder => ({
  endToEndId: `e2e${n}`,
  amountMinor,
  party: payer,
  remittance: `Rechnung RE-2026-0000${n} <b>\u0000]]></b>`,
  mandateReference: `MND-${n}`,
  signedOn: '2026-01-31',
  ...more,
});
const batch = (n: number, orders: DebitOrder[], more: Partial<DebitBatch> = {}): DebitBatch => ({
  paymentInformationId: `01J0000000000000000000000A-${n}`, requestedOn: '2026-11-25', sequenceType: 'FRST', scheme: 'CORE', orders, ...more,
}); // prettier-ignore

describe('a file of direct debits', () => {
  const batches = [
    batch(1, [order(1, 11_900n), order(2, 1n, { party: { ...payer, bic: 'COBADEFFXXX', address: null } })]),
    batch(2, [order(3, 99_999_999_999n)], { sequenceType: 'RCUR', scheme: 'B2B', requestedOn: '2026-11-26' }),
    batch(3, [order(4, 5n)], { sequenceType: 'OOFF' }),
    batch(4, [order(5, 5n)], { sequenceType: 'FNAL' }),
  ];
  const xml = writeDirectDebits({ ...head, creditorIdentifier: 'DE98ZZZ09999999999' }, batches);

  it('follows the schema of pain.008.001.08', () => mustFollowSchema(xml, 'pain.008.001.08'));

  it('says how many and how much, of the file and of each batch', () => {
    expect([...xml.matchAll(/<NbOfTxs>(\d+)</g)].map((m) => m[1])).toEqual(['5', '2', '1', '1', '1']);
    expect([...xml.matchAll(/<CtrlSum>([\d.]+)</g)].map((m) => m[1])).toEqual([
      '1000000119.10',
      '119.01',
      '999999999.99',
      '0.05',
      '0.05',
    ]);
    expect(xml).toContain('<InstdAmt Ccy="EUR">119.00</InstdAmt>');
  });

  it('names mandate, creditor and account, and writes names as every bank can read them', () => {
    expect(xml).toContain('<Id>DE98ZZZ09999999999</Id>');
    expect(xml).toContain('<MndtId>MND-1</MndtId>');
    expect(xml).toContain('<Nm>Mueller + Soehne GmbH</Nm>');
    expect(xml).toContain("<Nm>Aeroskobing Baeckerei 'Zur schoenen Aussicht' + Uenal Oeztuerk Beteili</Nm>");
    expect(xml).toMatch(/<Ustrd>Rechnung RE-2026-00001 \(b\)[^<]*<\/Ustrd>/);
    expect(xml.match(/NOTPROVIDED/g)).toHaveLength(4);
  });
});

describe('a file of transfers', () => {
  it('follows the schema of pain.001.001.09', () => {
    const orders = [order(1, 5_950n), order(2, 100n, { party: { ...payer, bic: 'COBADEFFXXX' } })];
    const xml = writeTransfers(head, [{ paymentInformationId: 'P-1', requestedOn: '2026-11-24', orders }]);
    mustFollowSchema(xml, 'pain.001.001.09');
    expect([...xml.matchAll(/<CtrlSum>([\d.]+)</g)].map((m) => m[1])).toEqual(['60.50', '60.50']);
  });
});

describe('whatever people are called and write', () => {
  it('the files follow their schemas', () => {
    const text = fc.string({ unit: 'binary', maxLength: 90 });
    const address = fc.record({
      street: fc.option(text),
      houseNumber: fc.option(text),
      zip: fc.option(text),
      city: text,
      countryCode: fc.constant('AT'),
    });
    const party = fc.record({
      name: text,
      iban: fc.constant(payer.iban),
      bic: fc.constantFrom(null, 'COBADEFF'),
      address: fc.option(address),
    });
    const debit = fc.record({
      endToEndId: fc.stringMatching(/^[0-9a-f]{32}$/), amountMinor: fc.bigInt({ min: 1n, max: 99_999_999_999n }), party, remittance: text,
      mandateReference: fc.stringMatching(/^[A-Z0-9]{1,35}$/), signedOn: fc.constant('2025-02-28'),
    }); // prettier-ignore
    const orders = fc.sample(debit, { numRuns: 300, seed: 4711 });
    mustFollowSchema(
      writeDirectDebits({ ...head, creditorIdentifier: 'DE98ZZZ09999999999' }, [batch(1, orders)]),
      'pain.008.001.08',
    );
    mustFollowSchema(
      writeTransfers(head, [{ paymentInformationId: 'P', requestedOn: '2026-11-24', orders }]),
      'pain.001.001.09',
    );
  });

  it.each([
    [1n, '0.01'],
    [100n, '1.00'],
    [9_007_199_254_740_993n, '90071992547409.93'],
  ])('%d cents are %s', (minor, expected) => expect(cents(minor)).toBe(expected));
});
