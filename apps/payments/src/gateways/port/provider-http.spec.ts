import { afterEach, expect, it } from '@jest/globals';
import { askProvider } from './provider-http.js';
import { UnavailableProviders } from './unavailable-providers.js';

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

const ask = (url: string) => askProvider({ method: 'GET', url, headers: {} }).catch((error: Error) => error.message);

it('a provider that does not answer is not asked for a while; others are', async () => {
  const asked: string[] = [];
  globalThis.fetch = (url) => {
    asked.push(String(url));
    if (String(url).startsWith('https://answers.example')) return Promise.resolve(new Response('{}'));
    return Promise.reject(new DOMException('', 'TimeoutError'));
  };
  await Promise.all(Array.from({ length: 8 }, () => ask('https://silent.example/payments')));
  expect(asked).toHaveLength(8);
  expect(await ask('https://silent.example/events')).toBe('it does not answer: not asked');
  expect(asked).toHaveLength(8);
  expect(await ask('https://answers.example/payments')).toMatchObject({ status: 200 });
});

it('one that is away, or answers in between, is asked every time', async () => {
  let answers = 0;
  globalThis.fetch = () => {
    if (++answers > 20) return Promise.reject(new TypeError('fetch failed'));
    if (answers % 8 === 0) return Promise.resolve(new Response('{}', { status: 503 }));
    return Promise.reject(new DOMException('', 'TimeoutError'));
  };
  for (let tries = 1; tries <= 40; tries++) await ask('https://slow.example/');
  expect(answers).toBe(40);
});

it('after the pause one request more shows whether it answers again', () => {
  const providers = new UnavailableProviders();
  for (let tries = 1; tries <= 8; tries++) providers.timedOut('a', 0);
  expect(providers.isUnavailable('a', 29_999)).toBe(true);
  expect(providers.isUnavailable('a', 30_000)).toBe(false);
  providers.timedOut('a', 50_000);
  expect(providers.isUnavailable('a', 79_999)).toBe(true);
  providers.answered('a');
  expect(providers.isUnavailable('a', 79_999)).toBe(false);
});
