import { describe, expect, it } from '@jest/globals';
import { type Booking, camt, mt940 } from '../../../../test/statements/make-camt.js';
import { parseCamt053 } from './camt053.js';
import { checkEntry } from './check-entry.js';
import { KnownEntries } from './known-entries.js';
import { parseMt940 } from './mt940.js';
import { type EntryIdentity, identityOf } from './same-entry.js';

let last = 0;
/** All of it at once, and in how many steps. */
function takeNew(known: KnownEntries, entries: readonly EntryIdentity[]): Set<string> & { steps?: number } {
  const work = known.takeNew(entries);
  for (let steps = 1; ; steps++) {
    const step = work.next();
    if (step.done) return Object.assign(step.value, { steps });
  }
}
const fromCamt = (...bookings: Booking[]): EntryIdentity[] =>
  parseCamt053(camt(bookings)).flatMap(({ entries }) =>
    entries.map((raw) => identityOf(String(++last), checkEntry(raw, 'EUR'), 'camt053')),
  );
const fromMt940 = (...bookings: Booking[]): EntryIdentity[] =>
  parseMt940(mt940(bookings)).flatMap(({ entries }) =>
    entries.map((raw) => identityOf(String(++last), checkEntry(raw, 'EUR'), 'mt940')),
  );

const rent: Booking = { amount: '20.00', text: 'Mitgliedsbeitrag November für Jürgen Groß' };
const batch: Booking = { amount: '50.50', text: 'Sammler', parts: [{ amount: '30.00', text: 'Sam' }, { amount: '20.50', text: 'mler' }] }; // prettier-ignore

describe('a booking is known again', () => {
  it.each<[string, EntryIdentity[], EntryIdentity[], number]>([
    ['in the same file', fromCamt(rent), fromCamt(rent), 0],
    ['in the other format', fromCamt(rent), fromMt940(rent), 0],
    [
      'without umlauts',
      fromCamt(rent),
      fromMt940({ ...rent, text: 'MITGLIEDSBEITRAG NOVEMBER FUER JUERGEN GROSS' }),
      0,
    ],
    [
      'by its end-to-end id',
      fromCamt({ ...rent, endToEnd: 'E1' }),
      fromMt940({ ...rent, endToEnd: 'E1', text: 'anders' }),
      0,
    ],
    [
      'by its end-to-end id, whatever blanks it has',
      fromCamt({ ...rent, endToEnd: 'RE 2026 1' }),
      fromMt940({ ...rent, endToEnd: 're 2026 1' }),
      0,
    ],
    [
      'as a batch that the other format does not split',
      fromCamt(batch),
      fromMt940({ ...batch, parts: undefined as never }),
      0,
    ],
    [
      'as a batch of which the other format has a word of its own',
      fromCamt(batch),
      fromMt940({ ...batch, text: 'GUTSCHRIFT 2 POSTEN', parts: undefined as never }),
      0,
    ],
    [
      'and one payer’s booking of that sum is no batch',
      fromCamt(batch),
      fromMt940({ amount: '50.50', text: 'Miete', iban: 'NL91ABNA0417164300' }),
      1,
    ],
    [
      'as a batch that the notification splits',
      fromCamt({ amount: '50.50', text: 'SAMMELGUTSCHRIFT' }),
      fromCamt({ ...batch, parts: [{ amount: '30.00', text: 'RE-1' }, { amount: '20.50', text: 'RE-2' }] }), // prettier-ignore
      0,
    ],
    ...['NONREF', 'NotProvided', 'NOREF', '0000'].map((ref): [string, EntryIdentity[], EntryIdentity[], number] => [
      `and another payer is not it where the bank writes ${ref} for its reference`,
      fromCamt({ ...rent, ref, iban: 'DE02120300000000202051' }),
      fromCamt({ ...rent, ref, iban: 'NL91ABNA0417164300' }),
      1,
    ]),
    ['twice a day: two are two', fromCamt(rent, rent), fromMt940(rent, rent), 0],
    ['twice a day: a second one is new', fromCamt(rent), fromMt940(rent, rent), 1],
    [
      'and another of that amount is not it',
      fromCamt(rent),
      fromCamt({ ...rent, text: 'Spende für das neue Dach' }),
      1,
    ],
    [
      'and another end-to-end id is not it',
      fromCamt({ ...rent, endToEnd: 'E1' }),
      fromMt940({ ...rent, endToEnd: 'E2' }),
      1,
    ],
    [
      'and another reference of the bank is not it',
      fromCamt({ ...rent, ref: 'B1' }),
      fromCamt({ ...rent, ref: 'B2' }),
      1,
    ],
    ['and another day is not it', fromCamt(rent), fromCamt({ ...rent, day: '2026-11-19' }), 1],
    ['and another amount is not it', fromCamt(rent), fromCamt({ ...rent, amount: '20.01' }), 1],
    [
      'and another payer is not it',
      fromCamt({ ...rent, iban: 'DE02120300000000202051' }),
      fromMt940({ ...rent, iban: 'NL91ABNA0417164300' }),
      1,
    ],
  ])('%s', (_what, first, second, fresh) => {
    const known = new KnownEntries([]);
    expect(takeNew(known, first).size).toBe(first.length);
    expect(takeNew(known, second).size).toBe(fresh);
    expect(takeNew(known, first).size).toBe(0);
    expect(takeNew(known, second).size).toBe(0);
  });
});

describe('thousands of equal fees of a day', () => {
  const fees = (format: 'camt053' | 'mt940', of: (i: number) => Partial<EntryIdentity>): EntryIdentity[] =>
    Array.from({ length: 5000 }, (_, i) => ({
      id: String(++last),
      bookingDay: '2026-11-20',
      amountMinor: 500n,
      format,
      bankReference: null,
      endToEndId: null,
      counterpartyIban: null,
      textKey: 'BEITRAG',
      ...of(i),
    }));

  it.each<[string, (i: number) => Partial<EntryIdentity>, (i: number) => Partial<EntryIdentity>]>([
    ['by the bank’s reference', (i) => ({ bankReference: `B${i}` }), (i) => ({ bankReference: `B${i}` })],
    [
      'by their accounts',
      (i) => ({ counterpartyIban: `A${i}`, bankReference: `B${i}` }),
      (i) => ({ counterpartyIban: `A${i}` }),
    ],
    ['that nothing tells apart', () => ({}), () => ({})],
    [
      'whose text is cut',
      (i) => ({ textKey: `BEITRAGMITGLIED${i}NOVEMBER` }),
      (i) => ({ textKey: `BEITRAGMITGLIED${i}NOV` }),
    ],
  ])('are known again %s, in any order, without a long look', (_how, first, second) => {
    const known = new KnownEntries([]);
    expect(takeNew(known, fees('camt053', first)).size).toBe(5000);
    const format = _how.includes('reference') ? 'camt053' : 'mt940';
    const before = process.cpuUsage();
    expect(takeNew(known, fees(format, second)).size).toBe(0);
    // Its own time, whatever else the machine does.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3000);
  });

  it('with references of their own are new, however alike they are', () => {
    const known = new KnownEntries([]);
    const named = (prefix: string) => fees('camt053', (i) => ({ bankReference: `${prefix}${i}` }));
    expect(takeNew(known, named('A')).size).toBe(5000);
    expect(takeNew(known, named('B')).size).toBe(5000);
  });

  it('that are merely alike are compared in small steps', () => {
    const known = new KnownEntries([]);
    takeNew(known, fees('camt053', (i) => ({ textKey: `EINEROFTHEFIRST${i}` })).slice(0, 2000));
    const again = takeNew(known, fees('mt940', (i) => ({ textKey: `ANOTHERONE${i}` })).slice(0, 2000));
    expect([again.size, again.steps! > 1_000]).toEqual([2000, true]);
  });

  it('a file whose bookings cannot be told apart is refused, not pondered', () => {
    const known = new KnownEntries([]);
    takeNew(
      known,
      fees('camt053', (i) => ({ textKey: `EINEROFTHEFIRST${i}` })),
    );
    expect(() =>
      takeNew(
        known,
        fees('mt940', (i) => ({ textKey: `ANOTHERONE${i}` })),
      ),
    ).toThrow('Too many bookings of one day and amount');
  });
});
