import { afterAll, afterEach, beforeAll, describe, expect, it, test } from '@jest/globals';
import { forgetOld } from '@kontor/persistence';
import { eventually } from '@kontor/testing';
import { billingService } from '../src/service.js';
import { Billing, type Tenant } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
let other: Tenant;
beforeAll(async () => {
  billing = await Billing.start();
  other = await billing.tenant();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

const START = '2026-01-01T09:00:00.000Z';
const start = () => World.at(billing, START);

const form = (csv: string | Buffer, fields: Record<string, string> = {}): FormData => {
  const made = new FormData();
  made.set('file', new Blob([new Uint8Array(Buffer.from(csv))], { type: 'text/csv' }), 'import.csv');
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  return made;
};

/** Imports a file and waits for its end. */
async function take(world: World, path: string, csv: string, fields: Record<string, string> = {}) {
  const { status, body } = await world.tenant.call('POST', `${path}/import`, form(csv, fields));
  expect([status, body.reason]).toEqual([202, undefined]);
  return eventually(async () => {
    const now = await world.ok('GET', `/imports/${body.id}`);
    return now.status === 'completed' && now;
  });
}

/** `3 failed already_exists customerNumber` for each line. */
async function report(world: World, id: string, query = ''): Promise<string[]> {
  const { data } = await world.ok('GET', `/imports/${id}/lines${query}`);
  return data.map(({ line, status, code, propertyPath }: Record<string, unknown>) =>
    [line, status, code, propertyPath].filter((part) => part !== null).join(' '),
  );
}

const CUSTOMERS = [
  'customerNumber;email;companyName;zip;city;street;customFields.region',
  'C-1;a@elbe.example;"Backhaus; Elbe GmbH";22765;Hamburg;Elbchaussee;',
  'C-2;b@elbe.example;Nord KG;;;;',
  'C-2;c@elbe.example;Süd KG;;;;',
  ';d;West KG;;;;',
  ';e@elbe.example;;;;;',
  ';f@elbe.example;Ost KG;;;;;;x',
].join('\n');

describe('customers from a file', () => {
  it('are there line by line; the report says which are not, and why; the end is reported', async () => {
    const world = await start();
    const done = await take(world, '/customers', CUSTOMERS);
    expect(done).toMatchObject({
      kind: 'customers',
      dryRun: false,
      fileName: 'import.csv',
      lines: 6,
      processed: 6,
      imported: 2,
      duplicates: 1,
      failed: 4,
    });
    expect(await report(world, done.id)).toEqual([
      '2 imported',
      '3 imported',
      '4 failed already_exists customerNumber',
      '5 failed invalid_email email',
      expect.stringContaining('6 failed'),
      '7 failed too_many_cells',
    ]);
    expect(await report(world, done.id, '?status=imported&order[line]=desc')).toEqual(['3 imported', '2 imported']);
    const { data } = await world.ok('GET', '/customers?order[customerNumber]=asc');
    expect(data).toMatchObject([
      { customerNumber: 'C-1', companyName: 'Backhaus; Elbe GmbH', city: 'Hamburg', language: 'de' },
      { customerNumber: 'C-2', city: null },
    ]);
    const notices = await billing.notices(done.id);
    expect(notices).toMatchObject([{ type: 'import.completed', data: { import: { fileName: 'import.csv' } } }]);
    // The entry of the log stays: files are named after people, too.
    expect(JSON.stringify(notices[0]?.activity)).not.toContain('import.csv');
    expect((await other.call('GET', `/imports/${done.id}`)).status).toBe(404);
    expect((await other.call('GET', `/imports/${done.id}/lines`)).status).toBe(404);
    expect((await world.ok('GET', '/imports?kind=customers&status=completed&dryRun=false')).data).toHaveLength(1);
    expect((await other.call('GET', '/imports')).body.data).toEqual([]);
  });

  it('a dry run says the same and leaves nothing, not even a number', async () => {
    const world = await start();
    const before = await world.ok('GET', '/customers');
    const tried = await take(world, '/customers', CUSTOMERS, { dryRun: 'true' });
    expect(tried).toMatchObject({ dryRun: true, imported: 2, duplicates: 1, failed: 4 });
    expect((await report(world, tried.id)).slice(0, 3)).toEqual([
      '2 valid',
      '3 valid',
      '4 failed already_exists customerNumber',
    ]);
    expect(await world.ok('GET', '/customers')).toEqual(before);
    const [row] = await billing.test.peek<{ events: number }>(
      `SELECT count(*)::int AS events FROM outbox WHERE tenant_id = $1 AND topic = 'billing.customer'`,
      [world.tenant.id],
    );
    expect(row).toEqual({ events: 0 });
    const done = await take(world, '/customers', CUSTOMERS);
    expect(await report(world, done.id)).toEqual(
      (await report(world, tried.id)).map((line) => line.replace('valid', 'imported').replace('inimported', 'invalid')),
    );
  });

  it('in several portions each line has its place, also when two files come at once', async () => {
    const world = await start();
    const file = (prefix: string) =>
      [
        'customerNumber,companyName,email',
        ...Array.from({ length: 1201 }, (_, n) => `${prefix}-${n},Elbe GmbH,k${n}@elbe.example`),
      ].join('\n');
    const both = await Promise.all([take(world, '/customers', file('A')), take(world, '/customers', file('A'))]);
    const imported = both.reduce((sum, { imported }) => sum + imported, 0);
    expect([imported, both.reduce((sum, { duplicates }) => sum + duplicates, 0)]).toEqual([1201, 1201]);
    const { meta } = await world.ok('GET', '/customers?limit=0');
    expect(meta.pagination.totalItems).toBe(1201);
  });

  test.each<[string, FormData | object, number, string]>([
    ['JSON', { file: 'x' }, 415, 'unsupported_media_type'],
    ['a form without a file', new FormData(), 400, 'invalid_request'],
    ['an unknown field of the form', form('email\n', { kind: 'customers' }), 400, 'unknown_field'],
    ['a dry run that is neither', form('email\n', { dryRun: 'yes' }), 400, 'invalid_request'],
    ['no header', form(''), 422, 'validation_failed'],
    ['an unknown column', form('email,age\n'), 422, 'validation_failed'],
    ['a column that is read only', form('email,status\n'), 422, 'validation_failed'],
    ['a column twice', form('email,email\n'), 422, 'validation_failed'],
    ['a column of everybody', form('email,customFields.__proto__.a\nx,y\n'), 422, 'validation_failed'],
    ['a column without an end', form(`email,customFields${'.a'.repeat(1000)}\n`), 422, 'validation_failed'],
    ['a list that is mostly gaps', form('email,contacts.99999999.name\n'), 422, 'validation_failed'],
    ['a column and its part', form('email,customFields.a,customFields.a.b\n'), 422, 'validation_failed'],
    [
      'very many columns',
      form(Array.from({ length: 201 }, (_, n) => `customFields.a${n}`).join()),
      422,
      'validation_failed',
    ],
    ['a very long line', form(`email\n${'a'.repeat(131_073)}\n`), 422, 'file_unreadable'],
    ['an open quote', form('email\n"a'), 422, 'file_unreadable'],
    ['other characters', form(Buffer.from([0x65, 0xff, 0xfe])), 422, 'file_unreadable'],
    ['zero characters', form('email\na\0b'), 422, 'file_unreadable'],
  ])('%s is refused', async (_name, body, status, reason) => {
    const world = await start();
    expect((await world.tenant.call('POST', '/customers/import', body)).body).toMatchObject({ status, reason });
    expect((await world.ok('GET', '/imports')).data).toEqual([]);
  });
});

describe('a hostile file', () => {
  it('changes no object but its own, whatever its columns are called', async () => {
    const world = await start();
    const columns = ['constructor.prototype.tainted', 'toString', 'hasOwnProperty.call'];
    const csv = `email,companyName,${columns.map((name) => `customFields.${name}`).join()}\na@elbe.example,Elbe GmbH,1,2,3\n`;
    const done = await take(world, '/customers', csv);
    expect(await report(world, done.id)).toEqual([expect.stringContaining('2 failed invalid_type customFields')]);
    expect('tainted' in {}).toBe(false);
  });

  it('has lists and objects that can be stored, or its lines are refused', async () => {
    const world = await start();
    const json = ['"a\\u0000b"', '{ "__proto__": { "a": 1 } }', '['.repeat(1000), '{ "a": "\\ud800" }'];
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const csv = ['email,companyName,customFields', ...json.map((text) => `a@elbe.example,Elbe GmbH,${cell(text)}`)];
    const done = await take(world, '/customers', csv.join('\n'));
    expect(await report(world, done.id)).toEqual(
      [2, 3, 4, 5].map((line) => `${line} failed invalid_type customFields`),
    );
  });

  it('is refused where the names of its columns make much of it', async () => {
    const world = await start();
    const columns = Array.from({ length: 199 }, (_, n) => `customFields.${'c'.repeat(83)}${100 + n}`);
    const csv = `email,${columns.join()}\n${`a${',x'.repeat(199)}\n`.repeat(7_000)}`;
    expect((await world.tenant.call('POST', '/customers/import', form(csv))).body).toMatchObject({ status: 413 });
  });

  it('with large lines is read in portions of its size, each line once', async () => {
    const world = await start();
    const lines = Array.from({ length: 24 }, (_, n) => `C-${n},Elbe GmbH,k${n}@elbe.example,${'x'.repeat(100_000)}`);
    const done = await take(world, '/customers', ['customerNumber,companyName,email,city', ...lines].join('\n'));
    expect(done).toMatchObject({ lines: 24, processed: 24, failed: 24 });
    const small = lines.map((line) => line.slice(0, 50));
    const again = await take(world, '/customers', ['customerNumber,companyName,email,city', ...small].join('\n'));
    expect(again).toMatchObject({ lines: 24, imported: 24 });
  });
});

describe('catalogue and subscriptions from files', () => {
  it('refer to each other by what people call them', async () => {
    const world = await start();
    const products = await take(
      world,
      '/catalogue/products',
      'name,productNumber,type\nTeam,P-1,product\nPro,P-2,thing\n',
    );
    expect(await report(world, products.id)).toEqual(['2 imported', '3 failed invalid_choice type']);
    const prices = await take(
      world,
      '/price-plans',
      [
        'product\ttype\tcurrencyCode\tprice.amount\tbillingInterval\tproRata\ttiers',
        'P-1\tper_unit\tEUR\t1000\t1M\tfalse\t',
        'P-9\tper_unit\tEUR\t1000\t1M\t\t',
        'P-1\tper_unit\tEUR\tten\t1M\t\t',
        'P-1\tper_unit\tEUR\t1000\t1M\tperhaps\t',
        'P-1\ttiered\tEUR\t\t1M\t\t[{"upTo":null',
      ].join('\n'),
    );
    expect(await report(world, prices.id)).toEqual([
      '2 imported',
      '3 failed unknown_reference product',
      '4 failed invalid_type price.amount',
      '5 failed invalid_type proRata',
      '6 failed invalid_type tiers',
    ]);
    const [price] = (await world.ok('GET', '/price-plans')).data;
    expect(price).toMatchObject({ price: { amount: 1000 }, proRata: false });
    await world.ok('POST', '/coupons', {
      code: 'TEN',
      type: 'percentage',
      percentage: '10',
      frequency: 'once',
      maxRedemptions: 1,
    });
    await world.customer({ customerNumber: 'C-1', externalId: 'crm-1' });
    const csv = [
      'customer,pricePlan,quantity,externalId,activate,coupon',
      `C-1,${price.id},3,s-1,true,`,
      `crm-1,${price.id},1,s-2,true,TEN`,
      `C-1,${price.id},1,s-3,,TEN`,
      `C-7,${price.id},1,s-4,,`,
      `C-1,${price.id},1,s-1,,`,
    ].join('\n');
    const tried = await take(world, '/subscriptions', csv, { dryRun: 'true' });
    expect((await world.ok('GET', '/subscriptions')).data).toEqual([]);
    const done = await take(world, '/subscriptions', csv);
    expect(await report(world, done.id)).toEqual([
      '2 imported',
      '3 imported',
      '4 failed coupon_exhausted',
      '5 failed unknown_reference customer',
      '6 failed already_exists externalId',
    ]);
    expect(tried).toMatchObject({ failed: 2, duplicates: 1 });
    const { data } = await world.ok('GET', '/subscriptions?order[number]=asc');
    expect(data).toMatchObject([
      { externalId: 's-1', status: 'active', items: [{ quantity: '3' }] },
      { externalId: 's-2', status: 'active' },
    ]);
  });
});

it('a file goes after 30 days with what it said of people, whether they became customers or not', async () => {
  const world = await start();
  const { database, config } = billing.test.service.kit;
  const done = await take(world, '/customers', CUSTOMERS, { dryRun: 'true' });
  const [rule] = billingService.retention?.(config) ?? [];
  const forgetAt = (days: number) =>
    forgetOld(database, world.tenant.id, rule!, { now: new Date(Date.now() + days * 86_400_000) });
  expect(await forgetAt(29)).toBe(0);
  expect((await report(world, done.id)).length).toBe(6);
  expect(await forgetAt(31)).toBe(1);
  const lines = await database.tenant(world.tenant.id, (tx) =>
    tx.query('SELECT 1 FROM import_line WHERE tenant_id = $1', [world.tenant.id]),
  );
  expect(lines).toEqual([]);
});
