import { describe, expect, it } from '@jest/globals';
import { comparableNames, customerNames } from './customer-names.js';

describe('names on statements', () => {
  it.each([
    ['Backhaus Elbe GmbH', ['BACKHAUSELBEGMBH', 'BACKHAUSELBE']],
    ['BACKHAUS ELBE', ['BACKHAUSELBE']],
    ['Müller & Söhne GmbH & Co. KG', ['MULLERSOHNEGMBHCOKG', 'MULLERSOHNE']],
    ['Start UG (haftungsbeschränkt)', ['STARTUGHAFTUNGSBESCHRANKT', 'START']],
    ['Werft e.K.', ['WERFTEK', 'WERFT']],
    ['Agora', ['AGORA']],
    ['AG', []],
    ['Bo AG', ['BOAG']],
  ])('%s is compared as %j', (name, expected) => {
    expect(comparableNames(name)).toEqual(expected);
  });

  it('a person is found in either order', () => {
    expect(customerNames({ companyName: null, firstName: 'Erika', lastName: 'Muster' })).toEqual([
      'ERIKAMUSTER',
      'MUSTERERIKA',
    ]);
    expect(customerNames({ companyName: 'Kiosk', firstName: null, lastName: 'Muster' })).toEqual(['KIOSK']);
  });
});
