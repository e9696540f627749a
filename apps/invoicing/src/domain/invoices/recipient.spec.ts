import { describe, expect, it, test } from '@jest/globals';
import { type CustomerState, customerChangedV1, exampleAddress } from '@kontor/contracts';
import { addressFor, isAddressComplete, nameLines } from './recipient.js';

const address = (id: string, change: object = {}) => ({ ...exampleAddress, id, ...change });
const customer = (...addresses: CustomerState['addresses']): CustomerState => ({
  ...(customerChangedV1.example.state as CustomerState),
  addresses,
});

describe('the recipient', () => {
  const all = [
    address('default'),
    address('invoice', { type: 'TYPE_INVOICE' }),
    address('old', { default: false, status: 'archived' }),
  ];

  test.each<[string, string | null, CustomerState['addresses'], string | undefined]>([
    ['the default invoice address', null, all, 'invoice'],
    ['else the default address', null, [all[0]!], 'default'],
    ['the named one', 'default', all, 'default'],
    ['the named one also when it was archived since', 'old', all, 'old'],
    ['the default when the named one is gone', 'gone', all, 'invoice'],
    ['none', null, [], undefined],
  ])('is %s', (_name, named, addresses, expected) => {
    expect(addressFor(customer(...addresses), named)?.id).toBe(expected);
  });

  it("bears the customer's name where the address has none", () => {
    const found = addressFor(customer(address('a', { companyName: null })), null);
    expect(found?.companyName).toBe('Backhaus Elbe GmbH');
    expect(isAddressComplete(found)).toBe(true);
  });

  it('needs name, street, postcode, city', () => {
    for (const missing of ['street', 'zip', 'city'])
      expect(isAddressComplete(address('a', { [missing]: null }))).toBe(false);
    expect(isAddressComplete(null)).toBe(false);
  });

  it('is addressed as company, then person', () => {
    expect(nameLines(address('a', { salutation: 'Frau', firstName: 'Ada', lastName: 'Lovelace' }))).toEqual([
      'Backhaus Elbe GmbH',
      'Frau Ada Lovelace',
    ]);
    expect(nameLines(address('a', { companyName: null, salutation: 'Firma', lastName: 'Lovelace' }))).toEqual([
      'Lovelace',
    ]);
  });
});
