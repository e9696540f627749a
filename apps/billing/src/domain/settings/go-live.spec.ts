import { describe, expect, it } from '@jest/globals';
import { effectiveSettings } from './billing-settings.js';
import { goLiveItems, isReady } from './go-live.js';

const address = { street: 'Elbchaussee', zip: '22765', city: 'Hamburg', countryCode: 'DE' };
const seller = {
  company: 'Elbtöne GmbH',
  address,
  vatId: 'DE136695976',
  bankAccount: { iban: 'DE89370400440532013000' },
};
const itemsOf = (values: Record<string, unknown>, hasPrice = true) =>
  goLiveItems({ settings: effectiveSettings(values as never), chosen: Object.keys(values), hasPrice });
const missing = (values: Record<string, unknown>, hasPrice = true): string[] =>
  itemsOf(values, hasPrice).filter(({ required, state }) => required && state !== 'done').map(({ item }) => item); // prettier-ignore

describe('what is needed before a tenant bills for real', () => {
  it('of a new tenant everything is missing', () => {
    expect(missing({}, false)).toEqual(['seller_company', 'seller_address', 'seller_tax_id', 'bank_account', 'price']);
    expect(isReady(itemsOf({}, false))).toBe(false);
  });

  it.each([
    ['the company', { ...seller, company: '  ' }, 'seller_company'],
    ['the town', { ...seller, address: { ...address, city: null } }, 'seller_address'],
    ['both tax ids', { ...seller, vatId: null }, 'seller_tax_id'],
    ['the bank account', { ...seller, bankAccount: {} }, 'bank_account'],
  ])('without %s it is not ready', (_what, part, item) => expect(missing({ seller: part })).toEqual([item]));

  it('one tax id is enough, and what is advised or to be decided keeps nobody from going live', () => {
    const items = itemsOf({ seller: { ...seller, vatId: null, taxNumber: '27/123/45678' }, oss: false });
    expect(isReady(items)).toBe(true);
    expect(items.filter(({ state }) => state === 'to_check').map(({ item }) => item)).toEqual([
      'numbers',
      'payment_term',
    ]);
    expect(items.filter(({ state }) => state === 'missing').map(({ item }) => item)).toEqual([
      'contact',
      'creditor_identifier',
      'checkout_pages',
    ]);
  });
});
