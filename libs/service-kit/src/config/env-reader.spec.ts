import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ServiceDirectory } from '../internal/service-directory.js';
import { ConfigurationError, EnvReader } from './env-reader.js';

describe('settings', () => {
  it.each([
    ['localhost:9092', ['localhost:9092']],
    [' a.example:9092 , [::1]:9093,', ['a.example:9092', '[::1]:9093']],
  ])('addresses: %s', (X, expected) => expect(new EnvReader({ X }).addresses('X', 'name them')).toEqual(expected));

  it.each(['', ',', 'kafka', 'kafka:', ':9092', 'kafka:0', 'kafka:99999', 'kafka:-1', 'http://kafka:9092', 'a:1,b'])(
    'addresses refuse %j',
    (X) => expect(() => new EnvReader({ X }).addresses('X', 'name them')).toThrow(ConfigurationError),
  );

  it('whole numbers with commas, up to a limit', () => {
    const of = (X: string): readonly number[] => new EnvReader({ X }).integers('X', [7], { max: 100 });
    expect(of(' ')).toEqual([7]);
    expect(of('1, 100')).toEqual([1, 100]);
    for (const wrong of ['1,,2', '-1', '1e2', '0x10', '101', '1.5', 'x'])
      expect(() => of(wrong)).toThrow('X must be whole numbers up to 100 with commas');
  });

  it('an address that paths are put behind has nothing that would stand before them', () => {
    const of = (X: string): string | undefined => new EnvReader({ X }).baseUrl('X');
    expect([of(''), of('https://a.example/b/')]).toEqual([undefined, 'https://a.example/b']);
    for (const wrong of [
      'https://a.example/?b=c',
      'https://a.example/?',
      'https://a.example/#',
      'https://u:p@a.example',
    ])
      expect(() => of(wrong)).toThrow('X must be a URL without a query');
  });

  it('an address alone has no path, and a URL a host', () => {
    const of = (X: string): string | undefined => new EnvReader({ X }).origin('X');
    expect([of(''), of('https://a.example/'), of('http://A.example:80')]).toEqual([
      undefined,
      'https://a.example',
      'http://a.example',
    ]);
    expect(() => of('https://a.example/b')).toThrow('X must be a URL without a path, such as https://a.example.');
    expect(() => of('https://a.example/?b')).toThrow('X must be a URL without a query');
    const smtp = (X: string): string | undefined => new EnvReader({ X }).url('X', ['smtp', 'smtps']);
    expect(smtp('smtp://localhost:25')).toBe('smtp://localhost:25');
    for (const wrong of ['smtp://', 'smtp:', 'smtp:localhost'])
      expect(() => smtp(wrong)).toThrow('X must be a URL (smtp://… or smtps://…).');
    const socket = 'postgres:///kontor?host=/run/postgresql';
    expect(new EnvReader({ X: socket }).url('X', ['postgres'])).toBe(socket);
  });

  it('a database names files of certificates that are there', () => {
    const of = (query: string): string | undefined =>
      new EnvReader({ X: `postgres://db/kontor?sslmode=verify-full${query}` }).databaseUrl('X');
    expect(of('')).toBe('postgres://db/kontor?sslmode=verify-full');
    expect(of(`&sslrootcert=${fileURLToPath(import.meta.url)}`)).toContain('sslrootcert=');
    expect(new EnvReader({}).databaseUrl('X')).toBeUndefined();
    for (const parameter of ['sslrootcert', 'sslcert', 'sslkey'])
      expect(() => of(`&${parameter}=/nowhere/ca.pem`)).toThrow(
        `The ${parameter} that X names cannot be read: /nowhere/ca.pem.`,
      );
  });

  it('what goes together is set as a whole, or not at all', () => {
    const of = (env: Record<string, string>): object =>
      new EnvReader(env).together(['A', 'B', 'C'], 'it would not work');
    expect([of({ A: ' ' }), of({ A: '1', B: '2', C: '3' })]).toEqual([{}, { A: '1', B: '2', C: '3' }]);
    expect(() => of({ B: '2' })).toThrow('B is set without A and C: it would not work.');
  });

  it('a secret is long', () => {
    const of = (X: string): string | undefined => new EnvReader({ X }).longText('X', 32);
    expect([of(''), of('x'.repeat(32))]).toEqual([undefined, 'x'.repeat(32)]);
    expect(() => of('x'.repeat(31))).toThrow('X must have at least 32 characters.');
  });

  it('an e-mail address is one, and nothing else', () => {
    const of = (X: string): string => new EnvReader({ X }).mailAddress('X', 'billing@localhost');
    expect([of(''), of(' a.b+c@mail.example ')]).toEqual(['billing@localhost', 'a.b+c@mail.example']);
    for (const wrong of ['nonsense', 'a@b@c', 'Kontor <a@b.example>', 'a@b.example\nBcc: c@d.example', '@b', 'a@'])
      expect(() => of(wrong)).toThrow('X must be an e-mail address');
  });

  it('addresses of services are URLs, all of them', () => {
    const of = (url: string): readonly string[] =>
      ServiceDirectory.fromEnv({ BILLING_URL: url }, ['billing']).all('billing');
    expect(of('http://a:1/, https://b')).toEqual(['http://a:1', 'https://b']);
    expect(of(' ')).toEqual([]);
    for (const wrong of ['a:1', 'http://a:1,b', 'http://a:99999', 'ftp://a', 'http://a b'])
      expect(() => of(wrong)).toThrow('BILLING_URL must be a URL (http://… or https://…).');
  });
});
