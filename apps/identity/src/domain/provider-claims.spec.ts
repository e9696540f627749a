import { describe, expect, it } from '@jest/globals';
import { identityOf, sessionIdOf } from './provider-claims.js';

const claims = {
  sub: 'a1',
  email: 'Ada.Berg@Nordlicht.example',
  email_verified: true,
  name: 'Ada van Berg',
  iat: 1_780_000_000.123_456_7,
};
const of = (more: Record<string, unknown>, domains = ['nordlicht.example']) =>
  identityOf({ ...claims, ...more }, domains);

describe('what an identity provider says of somebody', () => {
  it('is taken with the names it has', () => {
    expect(of({})).toEqual({
      subject: 'a1',
      email: 'Ada.Berg@Nordlicht.example',
      firstName: 'Ada',
      lastName: 'van Berg',
      language: null,
      hasSecondFactor: false,
      namedAt: 1_780_000_000_123,
    });
    expect(of({ given_name: 'A\u0000da ', family_name: 'Berg' })).toMatchObject({ firstName: 'Ada', lastName: 'Berg' });
    expect(of({ name: undefined })).toMatchObject({ firstName: 'Ada.Berg', lastName: '' });
    expect(of({ given_name: `${'A'.repeat(99)}😀` })).toMatchObject({ firstName: 'A'.repeat(99) });
    expect(of({ amr: ['pwd', 'mfa'] })).toMatchObject({ hasSecondFactor: true });
    expect(of({ amr: 'mfa' })).toMatchObject({ hasSecondFactor: false });
  });

  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE_CH', 'de'],
    ['en-US', 'en'],
    ['den', null],
    ['fr-FR', null],
    [7, null],
  ])('the locale %j is the language %j', (locale, language) => expect(of({ locale })).toMatchObject({ language }));

  it.each([
    ['no address', { email: undefined }, 'email_missing'],
    ['two addresses', { email: 'a@evil.example,ada@nordlicht.example' }, 'email_missing'],
    ['an address with a name', { email: '"x@evil.example" <ada@nordlicht.example>' }, 'email_missing'],
    ['an address with two signs', { email: 'ada@evil.example@nordlicht.example' }, 'email_missing'],
    ['an address with a line break', { email: 'ada@nordlicht.example\n' }, 'email_missing'],
    ['an address that was not checked', { email_verified: false }, 'email_not_verified'],
    ['no word of a check', { email_verified: undefined }, 'email_not_verified'],
    ['a check by words', { email_verified: 'true' }, 'email_not_verified'],
    ["another company's domain", { email: 'ada@evil.example' }, 'foreign_domain'],
    ['a name that cannot be stored', { sub: 'a\0' }, 'subject_invalid'],
    ['a name of more than 255 characters', { sub: 'a'.repeat(256) }, 'subject_invalid'],
    ['a time that is none', { iat: 1e20 }, 'time_invalid'],
    ['a domain below', { email: 'ada@mail.nordlicht.example' }, 'foreign_domain'],
    ['a domain that ends alike', { email: 'ada@evilnordlicht.example' }, 'foreign_domain'],
  ])('%s lets nobody in', (_what, more, problem) => expect(of(more)).toBe(problem));
});

it.each([
  [{ sid: 's-1' }, 's-1'],
  [{ sid: 's'.repeat(255) }, 's'.repeat(255)],
  [{ sid: 's'.repeat(256) }, null],
  [{ sid: '' }, null],
  [{ sid: 7 }, null],
  [{}, null],
])('the session of %j', (more, sessionId) => {
  expect(sessionIdOf(more)).toBe(sessionId);
});
