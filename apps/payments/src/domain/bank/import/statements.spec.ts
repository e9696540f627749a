import { describe, expect, it } from '@jest/globals';
import { camt, mt940 } from '../../../../test/statements/make-camt.js';
import { parseCamt053 } from './camt053.js';
import { checkEntry } from './check-entry.js';
import { decodeText } from './decode-text.js';
import { parseMt940 } from './mt940.js';

const only = <T>(list: readonly T[]): T => {
  expect(list).toHaveLength(1);
  return list[0]!;
};

describe('CAMT.053', () => {
  it.each([2, 3, 4, 6, 8])('version .0%s is read, with any prefix', (version) => {
    for (const prefix of ['', 'ns2']) {
      const text = camt(
        [
          {
            amount: '119.00',
            ref: 'B1',
            text: 'RE-2026-1 & Söhne',
            endToEnd: 'E2E',
            name: 'Müller & Co',
            iban: 'DE02120300000000202051',
          },
        ],
        { version, prefix },
      );
      const statement = only(parseCamt053(text));
      expect(statement).toMatchObject({ name: 'statement 2026-00231', account: 'DE89370400440532013000' });
      const line = only(checkEntry(only(statement.entries), 'EUR').lines);
      expect(line).toMatchObject({
        amountMinor: 11900n,
        bookingDay: '2026-11-20',
        reference: 'B1',
        endToEndId: 'E2E',
        counterpartyName: 'Müller & Co',
        counterpartyIban: 'DE02120300000000202051',
        remittance: 'RE-2026-1 & Söhne',
        isReturn: false,
      });
    }
  });

  it.each([2, 8])('a batch of version .0%s is split when its parts add up, else kept whole', (version) => {
    const parts = [
      { amount: '30.00', text: 'A' },
      { amount: '20.50', text: 'B' },
    ];
    const split = only(only(parseCamt053(camt([{ amount: '50.50', parts }], { version }))).entries);
    expect(checkEntry(split, 'EUR').lines.map((line) => [line.amountMinor, line.remittance])).toEqual([[3000n, 'A'], [2050n, 'B']]); // prettier-ignore
    const whole = only(only(parseCamt053(camt([{ amount: '50.00', parts }], { version }))).entries);
    expect(checkEntry(whole, 'EUR').lines.map((line) => [line.amountMinor, line.remittance])).toEqual([
      [5000n, 'A\nB'],
    ]);
  });

  it.each(['', '<CdtDbtInd>XXXX</CdtDbtInd>'])('an entry of neither direction is refused: "%s"', (indicator) => {
    const text = camt([{ amount: '7.00' }]).replaceAll('<CdtDbtInd>CRDT</CdtDbtInd>', indicator);
    const entry = only(only(parseCamt053(text)).entries);
    expect(() => checkEntry(entry, 'EUR')).toThrow('a credit (CRDT) or a debit (DBIT)');
  });

  it('a transfer that came back is of the one who was to get it, not of ourselves', () => {
    const us = '<Dbtr><Pty><Nm>We</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>';
    const booking = { amount: '12.00', returnCode: 'AC01', name: 'Meier', iban: 'DE02120300000000202051' };
    const text = camt([booking]).replaceAll('Dbtr', 'Cdtr').replace('<RltdPties>', `<RltdPties>${us}`);
    for (const written of [text, camt([booking])])
      expect(only(checkEntry(only(only(parseCamt053(written)).entries), 'EUR').lines)).toMatchObject({
        isReturn: true,
        counterpartyName: 'Meier',
        counterpartyIban: 'DE02120300000000202051',
      });
  });

  it.each([
    ['a transfer that was called back', 'RCDT', 'RPCR', true],
    ['a debit that was called back', 'IDDT', 'RCDD', true],
    ['a transfer', 'RCDT', 'ESCT', false],
  ])('%s (%s/%s): a return is %s', (_what, family, sub, isReturn) => {
    const code = `<Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn>`;
    const text = camt([{ amount: '7.00' }]).replace('</Ntry>', `<BkTxCd>${code}</BkTxCd></Ntry>`);
    expect(only(checkEntry(only(only(parseCamt053(text)).entries), 'EUR').lines).isReturn).toBe(isReturn);
  });

  it('leaves pending entries out, knows returns and their charges', () => {
    const { entries } = only(
      parseCamt053(
        camt([
          { amount: '1.00', status: 'PDNG' },
          { amount: '12.00', debit: true, returnCode: 'AM04', charges: '3.00', name: 'Meier' },
        ]),
      ),
    );
    expect(only(checkEntry(only(entries), 'EUR').lines)).toMatchObject({
      amountMinor: -1200n,
      isReturn: true,
      returnReason: 'AM04',
      chargesMinor: 300n,
      counterpartyName: 'Meier',
    });
  });

  it.each([
    ['cut off', camt([{ amount: '1.00' }]).slice(0, -30), /not well-formed.*line/],
    ['deep and never closed', '<a>'.repeat(5000), /^.{50,300}$/],
    [
      'an entity bomb',
      `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY a "&lol;&lol;">]>${camt([{ amount: '1.00', text: '&a;' }])}`,
      /DOCTYPE/,
    ],
    ['a foreign file', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document>&e;</Document>', /DOCTYPE/],
    ['a CAMT.052', '<Document><BkToCstmrAcctRpt/></Document>', /CAMT\.052/],
    ['a web page', '<html><body>Login</body></html>', /no Document element/],
    ['no statement', '<Document><BkToCstmrStmt><GrpHdr/></BkToCstmrStmt></Document>', /no statement/],
  ])('%s is refused with the reason', (_what, text, reason) => {
    expect(() => parseCamt053(text)).toThrow(reason);
  });
});

describe('CAMT.054', () => {
  it('gives the parts of a batch that the statement has as one sum', () => {
    const parts = [
      { amount: '30.00', text: 'A' },
      { amount: '20.50', text: 'B' },
    ];
    const notification = camt([{ amount: '50.50', ref: 'B1', parts }])
      .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
      .replaceAll('Stmt>', 'Ntfctn>');
    const { account, entries } = only(parseCamt053(notification));
    expect(account).toBe('DE89370400440532013000');
    expect(checkEntry(only(entries), 'EUR').lines.map((line) => line.amountMinor)).toEqual([3000n, 2050n]);
  });
});

describe('what banks leave out', () => {
  it('the currency is the account’s', () => {
    const raw = only(only(parseCamt053(camt([{ amount: '1.00' }]))).entries);
    expect(only(checkEntry({ ...raw, currencyCode: '' }, 'CHF').lines).currencyCode).toBe('CHF');
  });

  it.each([
    ['2026-02-30', '2026-02-28'],
    ['2026-02-29', '2026-02-28'],
    ['2028-02-30', '2028-02-29'],
    ['2028-02-29', '2028-02-29'],
  ])('%s is %s', (written, meant) => {
    const camtEntry = only(only(parseCamt053(camt([{ amount: '1.00', day: written }]))).entries);
    const short = `:20:X\n:25:1\n:61:${written.slice(2).replaceAll('-', '')}C500NTRFNONREF\n-\n`;
    for (const raw of [camtEntry, only(only(parseMt940(short)).entries)])
      expect(only(checkEntry(raw, 'EUR').lines)).toMatchObject({ bookingDay: meant, valueDay: meant });
  });

  it('the comma of a whole amount', () => {
    const raw = only(only(parseMt940(':20:X\n:25:1\n:61:2601310131C500NTRFNONREF//B1\n-\n')).entries);
    expect(checkEntry(raw, 'EUR')).toMatchObject({
      amountMinor: 50000n,
      bankReference: 'B1',
      bookingDay: '2026-01-31',
    });
  });
});

describe('MT940', () => {
  it('is read with subfields', () => {
    const statement = only(
      parseMt940(
        mt940([
          {
            amount: '119.00',
            ref: 'B1',
            endToEnd: 'E2E-1',
            text: 'Rechnung RE-2026-00001 vielen Dank',
            name: 'Müller',
            iban: 'DE02120300000000202051',
          },
        ]),
      ),
    );
    expect(statement.account).toBe('37040044/532013000');
    expect(only(checkEntry(only(statement.entries), 'EUR').lines)).toMatchObject({
      amountMinor: 11900n,
      bookingDay: '2026-11-20',
      endToEndId: 'E2E-1',
      counterpartyName: 'Müller',
      counterpartyIban: 'DE02120300000000202051',
      remittance: 'Rechnung RE-2026-00001 vielen Dank',
    });
  });

  const message = (...fields: string[]): string =>
    `:20:X\n:25:DE89370400440532013000\n:28C:5/1\n:60F:C261119EUR0,\n${fields.join('\n')}\n:62F:C261120EUR1,\n-\n`;
  it.each([
    [
      'without subfields',
      ':61:2611201120C1,5NTRFNONREF\n:86:Miller RE-1',
      { amountMinor: 150n, remittance: 'Miller RE-1' },
    ],
    [
      'with slashes',
      ':61:2611201120C1,50NTRFEREF//B\n:86:/TRTP/SEPA/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/Jansen/REMI/RE-1 dank/EREF/E1',
      {
        amountMinor: 150n,
        counterpartyIban: 'NL91ABNA0417164300',
        counterpartyName: 'Jansen',
        remittance: 'RE-1 dank',
        endToEndId: 'E1',
      },
    ],
    [
      'with slashes twice between its parts',
      ':61:2611201120C1,50NTRFEREF//B\n:86:/EREF/NOTPROVIDED//CNTP/NL91ABNA0417164300/ABNANL2A/Jansen///REMI/USTD//RE-1 dank/',
      { counterpartyIban: 'NL91ABNA0417164300', counterpartyName: 'Jansen', remittance: 'RE-1 dank', endToEndId: null },
    ],
    [
      'with an amount before its text',
      ':61:2611201120C1,50NTRFNONREF\n:86:100.00 EUR and 50 for RE-1',
      { remittance: '100.00 EUR and 50 for RE-1' },
    ],
    [
      'with the business code on a line of its own',
      ':61:2611201120C1,50NTRFNONREF\n:86:166\n?00GUTSCHRIFT?20SVWZ+RE-1?32Jansen',
      { remittance: 'RE-1', counterpartyName: 'Jansen' },
    ],
    [
      'with another separator',
      ':61:2611201120C1,50NTRFNONREF\n:86:166§00GUTSCHRIFT§20SVWZ+RE-1§32Jansen',
      { remittance: 'RE-1', counterpartyName: 'Jansen' },
    ],
    [
      'with the separator and the words of subfields in the text',
      ':61:2611201120C1,50NTRFNONREF\n:86:166?20EREF+E1?21SVWZ+Is it RE-1? See EREF+X?32Jansen',
      { remittance: 'Is it RE-1? See EREF+X', endToEndId: 'E1' },
    ],
    [
      'with :NS:',
      ':61:2611201120C1,50NTRFNONREF\n:NS:01RE-2026\n02-77\n15Jansen',
      { remittance: 'RE-2026 -77', counterpartyName: 'Jansen' },
    ],
    [
      'with an account that the payer wrote into the text: what follows is text, too',
      ':61:2611201120C1,50NTRFNONREF\n:86:166?20SVWZ+Zahlung IBAN: DE893704?2100440532013000 RE-2026-0001?222 BIC: COBADEFF und RE-7?31DE75512108001245126199',
      { remittance: 'Zahlung RE-2026-00012 und RE-7', counterpartyIban: 'DE75512108001245126199' },
    ],
    [
      'with an account in blocks, or none behind the word',
      ':61:2611201120C1,50NTRFNONREF\n:86:Von IBAN: DE89 3704 0044 0532 0130 00 fuer RE-2026-00012, BIC: siehe RE-7',
      {
        remittance: 'Von fuer RE-2026-00012, BIC: siehe RE-7',
        counterpartyIban: 'DE89370400440532013000',
      },
    ],
    [
      'with the words of the bank behind the text',
      ':61:2611201120C1,50NTRFNONREF\n:86:166?20Rechnung RE-1 EREF: E1 IBAN:?21 DE89370400440532013000 BIC: COBADEFFXXX',
      { remittance: 'Rechnung RE-1', counterpartyIban: 'DE89370400440532013000', endToEndId: 'E1' },
    ],
    ['a reversed credit', ':61:2611201120RC1,50NTRFNONREF\n:86:x', { amountMinor: -150n, isReturn: true }],
    ['a reversed debit', ':61:2611201120RD1,50NTRFNONREF\n:86:x', { amountMinor: 150n, isReturn: true }],
    [
      'a returned debit',
      ':61:2611201120D1,50NRTINONREF\n:86:109?00RUECKLASTSCHRIFT?20EREF+E9?21SVWZ+RE-1?34AM04',
      { amountMinor: -150n, isReturn: true, returnReason: 'AM04', endToEndId: 'E9' },
    ],
    [
      'a debit that came back, in words alone',
      ':61:2611201120D1,50NTRFNONREF\n:86:Ruecklastschrift RE-1 Grund: md06',
      { amountMinor: -150n, isReturn: true, returnReason: 'MD06' },
    ],
    [
      'what a payer writes about something that was returned',
      ':61:2611201120C1,50NTRFNONREF\n:86:166?20SVWZ+Return AC04 Rechnung RE-1',
      { amountMinor: 150n, isReturn: false, returnReason: null },
    ],
    [
      'what is paid for something that came back, with a number like a reason',
      ':61:2611201120D1,50NTRFNONREF\n:86:Rückgabe RE26-00012',
      { amountMinor: -150n, isReturn: false },
    ],
    [
      'with the day before New Year as value',
      ':61:2512310102C1,50NTRFNONREF\n:86:x',
      { bookingDay: '2026-01-02', valueDay: '2025-12-31' },
    ],
    ['without a day of booking', ':61:261120C1,50NTRFNONREF\n:86:x', { bookingDay: '2026-11-20' }],
  ])('%s', (_what, fields, wanted) => {
    expect(only(checkEntry(only(only(parseMt940(message(fields))).entries), 'EUR').lines)).toMatchObject(wanted);
  });

  it('pages of one statement are one, and an envelope is no matter', () => {
    const page = (n: number): string =>
      `{1:F01X}{2:O940}{4:\n:20:X\n:25:DE89370400440532013000\n:28C:5/${n}\n:60M:C261119EUR0,\n` +
      `:61:2611201120C1,00NTRFNONREF\n:86:${n}\n:62M:C261120EUR1,\n-}\n`;
    expect(only(parseMt940(page(1) + page(2))).entries).toHaveLength(2);
  });

  it('the same page once more is the statement once more', () => {
    const page = (n: number): string => message(`:61:2611201120C1,00NTRFNONREF\n:86:${n}`).replace('5/1', `5/${n}`);
    const twice = parseMt940(page(1) + page(2) + page(1) + page(2));
    expect(twice.map(({ entries }) => entries.length)).toEqual([2, 2]);
  });

  it.each([
    ['before its closing balance', (whole: string) => whole.slice(0, whole.indexOf(':62F:'))],
    ['within its last booking', (whole: string) => whole.slice(0, whole.indexOf('wo'))],
    ['and another one follows', (whole: string) => `${whole.slice(0, whole.indexOf('wo'))}\n${whole}`],
  ])('that is cut off %s is refused', (_where, cut) => {
    const whole = message(':61:2611201120C1,00NTRFNONREF\n:86:one', ':61:2611201120C2,00NTRFNONREF\n:86:two');
    expect(() => parseMt940(cut(whole))).toThrow('cut off');
    expect(only(parseMt940(whole)).entries).toHaveLength(2);
  });

  it('an interim report is complete without totals', () => {
    const report =
      ':20:R\n:25:10020030/1234567\n:28C:5/1\n:34F:EUR0,\n:13D:2611201200+0100\n:61:2611201120C1,00NTRFNONREF\n:86:one\n';
    expect(only(parseMt940(report)).entries).toHaveLength(1);
  });

  it('names the line that it cannot read', () => {
    expect(() => parseMt940(message(':61:nonsense'))).toThrow('Line 5');
  });
});

describe('the encoding', () => {
  const text = (bytes: Buffer): string => decodeText(bytes);
  it.each([
    ['UTF-8', Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>Müller</a>', 'utf8')],
    ['ISO-8859-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>Müller</a>', 'latin1')],
    ['declared UTF-8, sent as cp1252', Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>Müller</a>', 'latin1')],
    [
      'declared ISO-8859-1, sent as UTF-8',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>Müller</a>', 'utf8'),
    ],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>Müller</a>', 'utf16le')])],
  ])('%s', (_what, bytes) => expect(text(bytes)).toContain('Müller'));

  it('no bank uses is refused', () =>
    expect(() => decodeText(Buffer.from('<?xml version="1.0" encoding="EBCDIC-CP-US"?><a>\xfc</a>', 'latin1'))).toThrow(
      'ebcdic',
    ));
});
