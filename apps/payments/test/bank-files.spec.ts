import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deflateRawSync, crc32 } from 'node:zlib';
import { BANK, bankAccount, importFile } from './bank-world.js';
import { type Booking, camt, mt940 } from './statements/make-camt.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  account = await bankAccount(tenant);
});
afterAll(() => world.stop());

/** A ZIP as the format's description says; sizes are stated as wanted. */
function zip(files: Record<string, Buffer>): Buffer {
  const [parts, central]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const rest = Buffer.alloc(22);
    rest.writeUInt16LE(20, 0);
    rest.writeUInt16LE(8, 4);
    rest.writeUInt32LE(crc32(content), 10);
    rest.writeUInt32LE(packed.length, 14);
    rest.writeUInt32LE(content.length, 18);
    const sizes = Buffer.alloc(4);
    sizes.writeUInt16LE(name.length, 0);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), rest, sizes, Buffer.from(name), packed]);
    const tail = Buffer.alloc(18);
    tail.writeUInt16LE(name.length, 0);
    tail.writeUInt32LE(offset, 14);
    central.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), rest, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\u0005\u0006'), end]);
}

const ledger = async (code: string): Promise<number> => {
  const [row] = await tenant.rows<{ sum: string | null }>(
    `SELECT sum(b.posted_debit_amount - b.posted_credit_amount)::text AS sum FROM ledger_account a
      JOIN ledger_balance b ON b.tenant_id = a.tenant_id AND b.account_id = a.id WHERE a.code = $1`,
    [code],
  );
  return Number(row?.sum ?? 0);
};

it('a form that is sent again under its Idempotency-Key is answered again, whatever separates its parts', async () => {
  const separate = await world.tenant();
  const giro = await bankAccount(separate);
  const key = { 'idempotency-key': 'statement-1' };
  const first = await importFile(
    separate,
    giro,
    camt([{ amount: '1.23', text: 'once', day: '2026-01-02' }]),
    's.xml',
    key,
  );
  expect(first).toMatchObject({ status: 201, body: { imported: 1 } });
  expect(
    await importFile(separate, giro, camt([{ amount: '1.23', text: 'once', day: '2026-01-02' }]), 's.xml', key),
  ).toEqual(first);
  const other = await importFile(
    separate,
    giro,
    camt([{ amount: '1.24', text: 'once', day: '2026-01-02' }]),
    's.xml',
    key,
  );
  expect(other).toMatchObject({ status: 422, body: { reason: 'idempotency_key_reused' } });
});

describe('one day of the account', () => {
  const bookings: Booking[] = [
    {
      amount: '119.00',
      ref: 'B1',
      text: 'RE-2026-70001 Müller',
      name: 'Müller GmbH',
      iban: 'DE02120300000000202051',
      endToEnd: 'NOTPROVIDED',
    },
    { amount: '20.00', text: 'Spende', name: 'A' },
    { amount: '20.00', text: 'Spende', name: 'A' },
    { amount: '9.90', debit: true, text: 'Kontofuehrung' },
  ];

  it('comes as CAMT.053, again, as MT940 in cp1252, and in a ZIP of overlapping ones: each booking once', async () => {
    const [invoice] = await tenant.finalize({
      customerId: await tenant.customer(),
      gross: 11900,
      number: 'RE-2026-70001',
    });
    const file = camt(bookings, { version: 2 });
    expect(await importFile(tenant, account, file)).toMatchObject({
      status: 201,
      body: { imported: 4, duplicates: 0, failed: 0, errors: [] },
    });
    expect((await importFile(tenant, account, camt(bookings, { version: 8, prefix: 'a' }))).body).toMatchObject({
      imported: 0,
      duplicates: 4,
    });
    expect((await importFile(tenant, account, Buffer.from(mt940(bookings), 'latin1'), 'x.sta')).body).toMatchObject({
      imported: 0,
      duplicates: 4,
    });
    const more = { amount: '7.00', text: 'Nachzügler', day: '2026-11-21' };
    const both = zip({
      'a/20.xml': Buffer.from(camt(bookings)),
      'b/21.xml': Buffer.from(camt([...bookings, more], { id: '2' })),
    });
    expect((await importFile(tenant, account, both, 's.zip')).body).toMatchObject({ imported: 1, duplicates: 8 });
    expect((await tenant.intent(invoice!)).status).toBe('succeeded');
    // The bank's account is the sum of the lines; what is not assigned lies in suspense.
    expect([await ledger('bank'), await ledger('suspense')]).toEqual([11900 + 4000 - 990 + 700, -(4000 - 990 + 700)]);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a file is refused as a whole', () => {
  const good = camt([{ amount: '1.00', text: 'neu' }]);
  it.each<[string, string | Buffer, string, RegExp]>([
    ['cut off', good.slice(0, -20), 'statement_unreadable', /not well-formed/],
    [
      'of another account',
      camt([{ amount: '1.00' }], { account: 'DE02120300000000202051' }),
      'account_mismatch',
      /DE02120300000000202051/,
    ],
    [
      'with a DOCTYPE',
      `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>${good}`,
      'statement_unreadable',
      /DOCTYPE/,
    ],
    [
      'nested without end',
      good.replace('<Ntry>', '<a>'.repeat(9_000) + '</a>'.repeat(9_000) + '$&'),
      'statement_unreadable',
      /nested/,
    ],
    [
      'with names of another kind',
      good.replace('<Ntry>', '<__proto__>1</__proto__>$&'),
      'statement_unreadable',
      /names/,
    ],
    ['empty', '', 'statement_unreadable', /empty/],
    ['of another kind', 'Datum;Betrag\n1;2', 'statement_unreadable', /neither/],
    ['a broken ZIP', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)]), 'statement_unreadable', /ZIP/],
    ['a ZIP bomb', zip({ 'a.xml': Buffer.alloc(40 * 1024 * 1024, 32) }), 'statement_unreadable', /too much/],
    [
      'a ZIP with one broken file',
      zip({ 'a.xml': Buffer.from(good), 'b.xml': Buffer.from('<Document>') }),
      'statement_unreadable',
      /b\.xml/,
    ],
    [
      'a ZIP with a foreign account in it',
      zip({
        'a.xml': Buffer.from(good),
        'b.xml': Buffer.from(camt([{ amount: '1.00' }], { account: 'NL91ABNA0417164300' })),
      }),
      'account_mismatch',
      /NL91/,
    ],
    [
      'many files',
      zip(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`${i}.xml`, Buffer.from(good)]))),
      'statement_unreadable',
      /more than 200/,
    ],
  ])('%s', async (_what, content, reason, detail) => {
    const before = await tenant.rows('SELECT id FROM bank_transaction');
    const { status, body } = await importFile(tenant, account, content);
    expect([status, body.reason]).toEqual([422, reason]);
    expect(body.detail).toMatch(detail);
    expect((await tenant.rows('SELECT id FROM bank_transaction')).length).toBe(before.length);
  });

  it('single bookings are named, by no more of the statement’s own name than helps', async () => {
    const text = camt([{ amount: '0.00' }]).replace('2026-00231', 'x'.repeat(1_000_000));
    const { body } = await importFile(tenant, account, text);
    expect([body.failed, body.errors[0].entry.length < 200]).toEqual([1, true]);
  });

  it('characters that are no text, and what is too long for a reference, are left out', async () => {
    const text = mt940([{ amount: '7.77', ref: `A\u0000B${'C'.repeat(5_000)}`, text: 'KREF+Z\u0000Z' }]);
    expect((await importFile(tenant, account, text)).body).toMatchObject({ imported: 1 });
    const rows = await tenant.rows('SELECT bank_reference FROM bank_entry WHERE amount_minor = 777');
    expect(rows).toEqual([{ bank_reference: `AB${'C'.repeat(253)}` }]);
  });

  it('single bookings are named', async () => {
    const { body } = await importFile(
      tenant,
      account,
      camt([
        { amount: '5.00', text: 'fine' },
        { amount: '5.00', currency: 'USD' },
        { amount: '0.00' },
        { amount: '1.005' },
      ]),
    );
    expect(body).toMatchObject({ imported: 1, failed: 3 });
    expect(body.errors.map((error: Json) => [error.entry, error.code])).toEqual([
      ['entry 2 of statement 2026-00231', 'currency_mismatch'],
      ['entry 3 of statement 2026-00231', 'zero_amount'],
      ['entry 4 of statement 2026-00231', 'too_many_decimals'],
    ]);
  });
});

describe('money that comes back', () => {
  it('in another currency is not it, by whatever id or number', async () => {
    const separate = await world.tenant();
    const [invoice] = await separate.finalize({
      customerId: await separate.customer(),
      gross: 8000,
      number: 'RE-2026-70009',
    });
    const booking = { amount: '80.00', endToEnd: 'E-70009', text: 'RE-2026-70009' };
    await importFile(separate, await bankAccount(separate), camt([booking]));
    const dollars = 'DE02120300000000202051';
    const back = { ...booking, debit: true, day: '2026-11-23', returnCode: 'AC04', currency: 'USD' };
    await importFile(
      separate,
      await bankAccount(separate, { iban: dollars, currencyCode: 'USD' }),
      camt([back], { account: dollars }).replace('<Ccy>EUR</Ccy>', '<Ccy>USD</Ccy>'),
    );
    expect((await separate.intent(invoice!)).status).toBe('succeeded');
    const { data } = await separate.ok('GET', `${BANK}?isReturn=true`);
    expect(data).toMatchObject([{ status: 'STATUS_MANUAL_MATCHING_REQUIRED', suggestions: [], assignments: [] }]);
    expect(await separate.broken()).toEqual([]);
  });

  it('by its end-to-end id opens the invoice again; the fee is the bank’s', async () => {
    const [invoice] = await tenant.finalize({
      customerId: await tenant.customer(),
      gross: 8000,
      number: 'RE-2026-70010',
    });
    await importFile(tenant, account, camt([{ amount: '80.00', endToEnd: 'E-70010', text: 'RE-2026-70010' }]));
    expect((await tenant.intent(invoice!)).status).toBe('succeeded');
    await importFile(
      tenant,
      account,
      camt([
        {
          amount: '83.00',
          debit: true,
          day: '2026-11-23',
          endToEnd: 'E-70010',
          text: 'Rueckgabe',
          returnCode: 'AC04',
          charges: '3.00',
        },
      ]),
    );
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'open', openAmount: { amount: 8000 } });
    const { data } = await tenant.ok('GET', `${BANK}?isReturn=true`);
    expect(data).toMatchObject([
      { status: 'STATUS_BOOKED', returnReason: 'AC04', assignments: [{ invoiceId: invoice, amount: -8000 }] },
    ]);
    expect(await ledger('fees')).toBe(300);
    expect(await tenant.broken()).toEqual([]);
  });

  it('by the invoice that it names and its amount; else a person decides', async () => {
    const [invoice] = await tenant.finalize({
      customerId: await tenant.customer(),
      gross: 6000,
      number: 'RE-2026-70011',
    });
    await importFile(tenant, account, camt([{ amount: '60.00', text: 'RE-2026-70011' }]));
    await importFile(
      tenant,
      account,
      camt([{ amount: '65.00', debit: true, day: '2026-11-24', text: 'Retoure RE-2026-70011', returnCode: 'MS03' }]),
    );
    const { data } = await tenant.ok('GET', `${BANK}?isReturn=true&status=STATUS_SUGGESTIONS_AVAILABLE`);
    expect(data).toMatchObject([{ suggestions: [{ invoiceId: invoice, score: 0.6 }] }]);
    await tenant.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: [data[0].id] });
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'open', openAmount: { amount: 6000 } });
    expect(await tenant.broken()).toEqual([]);
  });
});
