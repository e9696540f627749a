import { describe, expect, it } from '@jest/globals';
import { isWellFormedVatId, languageOfCountry, normalizeVatId } from '@kontor/kernel';
import { defaultAddress, followedFields, hasPostalFields, supersededDefaults } from './addresses.js';
import { refusesParent } from './hierarchy.js';
import { afterVatCheck, nextVatCheck, sandboxVatIdStatus, vatIdStatusBeforeCheck } from './vat-id.js';

describe('language', () => {
  it.each([['DE', 'de'], ['AT', 'de'], ['CH', 'de'], ['LI', 'en'], ['FR', 'en'], ['US', 'en']])('%s gives %s', (country, language) => {
    expect(languageOfCountry(country)).toBe(language);
  }); // prettier-ignore
});

describe('VAT ids', () => {
  it('are compared without blanks, dots and case', () => expect(normalizeVatId(' de 123.456-789')).toBe('DE123456789'));

  it.each([
    'DE123456789',
    'ATU12345678',
    'FRXX123456789',
    'NL123456789B01',
    'EL123456789',
    'XI123456789',
    'IE1234567WA',
  ])('%s is well-formed', (id) => expect(isWellFormedVatId(id)).toBe(true));

  it.each(['DE12345678', 'GR123456789', 'ATX12345678', '', 'D', 'DE123456789 '])('%j is not', (id) =>
    expect(isWellFormedVatId(id)).toBe(false),
  );

  it.each([
    ['DE123456789', 'valid'],
    ['DE123456000', 'invalid'],
    ['DE123456999', 'unavailable'],
    ['DE12', 'invalid'],
    ['CHE123456789', 'unchecked'],
    ['123', 'invalid'],
    [null, 'unchecked'],
  ])('in a sandbox %s is %s', (id, status) => expect(sandboxVatIdStatus(id)).toBe(status));

  it.each([['DE123456789', 'unchecked'], ['DE1', 'invalid'], ['GB123456789', 'unchecked'], [null, 'unchecked']])('live, %s starts as %s', (id, status) =>
    expect(vatIdStatusBeforeCheck(id)).toBe(status),
  ); // prettier-ignore

  const now = new Date('2026-06-01T00:00:00.000Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

  it('a confirmed id stays valid through 30 days of outage and not longer', () => {
    expect(afterVatCheck({ vatIdStatus: 'valid', vatIdValidatedAt: daysAgo(30) }, 'unavailable', now).vatIdStatus).toBe(
      'valid',
    );
    expect(afterVatCheck({ vatIdStatus: 'valid', vatIdValidatedAt: daysAgo(31) }, 'unavailable', now).vatIdStatus).toBe(
      'unavailable',
    );
    expect(afterVatCheck({ vatIdStatus: 'unchecked', vatIdValidatedAt: null }, 'unavailable', now).vatIdStatus).toBe(
      'unavailable',
    );
  });

  it('an outage is repeated hourly, a refusal is final, a confirmation is renewed before it runs out', () => {
    expect(nextVatCheck('unavailable', now)).toEqual(new Date('2026-06-01T01:00:00.000Z'));
    expect(nextVatCheck('invalid', now)).toBeNull();
    expect(nextVatCheck('valid', now)).toEqual(new Date('2026-06-26T00:00:00.000Z'));
  });
});

describe('addresses', () => {
  const address = (id: string, type: string, isDefault: boolean, status = 'active') => ({
    id,
    type,
    isDefault,
    status,
  });

  it('a new default replaces the one of its own type only', () => {
    const all = [
      address('a', 'TYPE_DEFAULT', true),
      address('b', 'TYPE_INVOICE', true),
      address('c', 'TYPE_DEFAULT', false),
    ];
    expect(supersededDefaults(all, address('d', 'TYPE_DEFAULT', true))).toEqual(['a']);
    expect(supersededDefaults(all, all[0]!)).toEqual([]);
  });

  it('an archived address is no default', () => {
    expect(defaultAddress([address('a', 'TYPE_DEFAULT', true, 'archived')], 'TYPE_DEFAULT')).toBeUndefined();
    expect(defaultAddress([address('a', 'TYPE_DEFAULT', true)], 'TYPE_DEFAULT')?.id).toBe('a');
  });

  it('names that were the customer’s own follow it, others stay', () => {
    const before = { companyName: 'Alt GmbH', firstName: null, lastName: null, countryCode: 'DE' };
    const after = { ...before, companyName: 'Neu GmbH', countryCode: 'AT' };
    expect(followedFields(before, before, after)).toEqual({ companyName: 'Neu GmbH', countryCode: 'AT' });
    expect(followedFields({ ...before, companyName: 'Lager GmbH' }, before, after)).toEqual({ countryCode: 'AT' });
    expect(followedFields(before, before, before)).toEqual({});
  });

  it('a name alone makes no address', () => {
    expect(hasPostalFields({})).toBe(false);
    expect(hasPostalFields({ street: null, zip: null })).toBe(false);
    expect(hasPostalFields({ city: 'Kiel' })).toBe(true);
  });
});

describe('hierarchy', () => {
  it.each([
    ['below a top customer', ['p'], 1, true],
    ['at the third level', ['m', 'p'], 1, true],
    ['at a fourth level', ['l', 'm', 'p'], 1, false],
    ['with children below a second level', ['m', 'p'], 2, false],
    ['with grandchildren below a top customer', ['p'], 3, false],
    ['below itself', ['c'], 1, false],
    ['below its own child', ['x', 'c'], 2, false],
  ])('a customer %s: allowed %#', (_name, ancestors, childLevels, allowed) => {
    expect(refusesParent('c', { ancestors, childLevels }) === undefined).toBe(allowed);
  });
});
