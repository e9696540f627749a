import { describe, expect, it } from '@jest/globals';
import {
  changedKeys,
  customerSettings,
  DEFAULT_SETTINGS,
  effectiveSettings,
  exampleSeller,
  mergeSettings,
  trimmed,
  withoutEmptied,
} from './billing-settings.js';
import { customFieldViolations } from './custom-fields.js';
import { collidingFormats, DEFAULT_NUMBER_FORMATS, refusesNumberFormat } from './number-format.js';

describe('billing settings', () => {
  it('only what is supplied changes, objects key by key', () => {
    const stored = mergeSettings(
      { seller: exampleSeller('Nord GmbH'), oss: true },
      { seller: { vatId: null, contact: { name: 'Ada' } } },
    );
    const settings = effectiveSettings(stored);
    expect(settings.seller).toEqual({
      ...exampleSeller('Nord GmbH'),
      vatId: null,
      contact: { ...exampleSeller('Nord GmbH').contact, name: 'Ada' },
    });
    expect(settings.paymentTermDays).toBe(14);
  });

  it('lists are replaced as a whole', () =>
    expect(effectiveSettings({ paymentRetryDays: [1] }).paymentRetryDays).toEqual([1]));

  it('null takes a value back to its default, and clears where there is none', () => {
    const stored = {
      paymentTermDays: 30,
      numberFormats: { TYPE_INVOICE: 'R{year}{seq}' },
      seller: exampleSeller('Nord GmbH'),
    };
    const after = withoutEmptied(
      mergeSettings(
        stored,
        trimmed({ paymentTermDays: null, numberFormats: null, seller: { company: '  ', bankAccount: null } }),
      ),
    );
    const settings = effectiveSettings(after);
    expect(settings.paymentTermDays).toBe(14);
    expect(settings.numberFormats).toEqual(DEFAULT_NUMBER_FORMATS);
    expect(settings.seller).toMatchObject({ company: null, bankAccount: { iban: null }, taxNumber: '29/123/45678' });
    expect(effectiveSettings(withoutEmptied({ seller: null })).seller.address.street).toBeNull();
  });

  it("a customer's own value wins, null inherits, and tenant-wide keys cannot be overridden", () => {
    const tenant = effectiveSettings({ creditOverpayments: true });
    expect(customerSettings(tenant, { creditOverpayments: false, paymentTermDays: null, oss: false })).toEqual({
      ...tenant,
      creditOverpayments: false,
    });
  });

  it('says which keys changed', () => {
    const before = { ...DEFAULT_SETTINGS } as unknown as Record<string, unknown>;
    expect(changedKeys(before, { ...before, oss: false, paymentTermDays: 30 })).toEqual(['oss', 'paymentTermDays']);
  });
});

describe('number formats', () => {
  it.each(['RE-{year}-{seq:5}', '{year}/{seq}', 'Rg. {seq:12} {year}'])('%s is accepted', (format) =>
    expect(refusesNumberFormat(format)).toBeUndefined(),
  );
  it.each([
    'RE-{seq:5}',
    'RE-{year}',
    '{year}{seq}{seq}',
    '{year}-{seq:99}',
    '{year}-{seq}-{month}',
    '{year}{seq}<b>',
    `${'x'.repeat(25)}{year}{seq}`,
  ])('%s is refused', (format) => expect(refusesNumberFormat(format)).toBeDefined());

  it('two document types must not produce the same number', () => {
    expect(collidingFormats(DEFAULT_NUMBER_FORMATS)).toBeUndefined();
    expect(collidingFormats({ ...DEFAULT_NUMBER_FORMATS, TYPE_CREDIT: 'RE-{year}-{seq}' })).toEqual([
      'TYPE_INVOICE',
      'TYPE_CREDIT',
    ]);
  });

  it.each([
    ['A{year}1{seq}', 'A{year}{seq}', true],
    ['A{year}{seq:4}', 'A{year}{seq:7}', true],
    ['{seq}-{year}', '{seq}0-{year}', true],
    ['{year}/{seq}', '{year}/7{seq:4}', true],
    ['{year}/{seq}', '{year}/G{seq}', false],
    ['RE{year}{seq}', 'RE1{year}{seq}', false],
    ['{seq}-{year}', '{seq}-{year}-G', false],
    ['R{year}-{seq}', 'G{year}-{seq}', false],
  ])('%s and %s: whether they could give the same number is %s', (invoice, credit, isColliding) => {
    const formats = { ...DEFAULT_NUMBER_FORMATS, TYPE_INVOICE: invoice, TYPE_CREDIT: credit };
    expect(collidingFormats(formats) !== undefined).toBe(isColliding);
  });
});

describe('custom fields', () => {
  const field = (key: string, type: 'text' | 'number' | 'boolean' | 'date' | 'select', required = false) => ({
    key,
    type,
    required,
    options: ['a', 'b'],
  });
  const fields = [
    field('t', 'text'),
    field('n', 'number'),
    field('b', 'boolean'),
    field('d', 'date'),
    field('s', 'select'),
  ];

  it('accepts configured keys with values of their form', () => {
    expect(customFieldViolations({ t: 'x', n: '12.5', b: 'true', d: '2026-02-28', s: 'a' }, fields)).toEqual([]);
    expect(customFieldViolations(null, fields)).toEqual([]);
  });

  it.each([['n', 'zwölf'], ['b', 'yes'], ['d', '2026-02-30'], ['s', 'c'], ['unknown', 'x']])('refuses %s = %s', (key, value) => {
    expect(customFieldViolations({ [key]: value }, fields).map((v) => v.propertyPath)).toEqual([`customFields.${key}`]);
  }); // prettier-ignore

  it('a required field must be there', () => {
    expect(customFieldViolations({}, [field('cost', 'text', true)])).toMatchObject([
      { propertyPath: 'customFields.cost', code: 'required' },
    ]);
  });
});
