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
    ['Vins S.a.r.l.', ['VINSSARL', 'VINS']],
    ['Fiets B.V. & Co.KG', ['FIETSBVCOKG', 'FIETS']],
    ['Verlag Sa Se Co.', ['VERLAGSASECO', 'VERLAG']],
  ])('%s is compared as %j', (name, expected) => {
    expect(comparableNames(name)).toEqual(expected);
  });

  it.each(['co.', '(', 'sa.', 'e.k.', 'e v ', '& ', 's.a.r.l.'])('a name of many %j comes to an end', (form) => {
    expect(comparableNames(`Bauhof ${form.repeat(240 / form.length)}!`)).toHaveLength(1);
    expect(comparableNames(`Bauhof${' '.repeat(500_000)}!`)).toEqual(['BAUHOF']);
  });

  it('a person is found in either order', () => {
    expect(customerNames({ companyName: null, firstName: 'Erika', lastName: 'Muster' })).toEqual([
      'ERIKAMUSTER',
      'MUSTERERIKA',
    ]);
    expect(customerNames({ companyName: 'Kiosk', firstName: null, lastName: 'Muster' })).toEqual(['KIOSK']);
  });
});
