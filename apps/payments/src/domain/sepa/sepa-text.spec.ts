import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requiredSepaText, sepaText } from './sepa-text.js';

describe('text for banks', () => {
  it.each([
    ['Müller & Söhne GmbH', 'Mueller + Soehne GmbH'],
    ['Straße „Über"', "Strasse 'Ueber'"],
    ['Ångström-Œuvre Łódź', 'Angstroem-Oeuvre Lodz'],
    ['José Nuñez, Čapek', 'Jose Nunez, Capek'],
    ['a\u0000b\tc\nd', 'a b c d'],
    ['100 € <b>', '100 EUR (b)'],
    ['Αθήνα', '.....'],
    ['u\u0308ber', 'ueber'],
  ])('%j is written %j', (text, expected) => expect(sepaText(text, 70)).toBe(expected));

  it('has allowed characters only, is as long as it may be, and stays as it is when written again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 140 }), (text, limit) => {
        const written = requiredSepaText(text, limit);
        expect(written).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]+$/);
        expect(written.length).toBeLessThanOrEqual(limit);
        expect(requiredSepaText(written, limit)).toBe(written);
      }),
    );
  });
});
