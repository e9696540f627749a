import { describe, expect, it } from '@jest/globals';
import { notNowPage } from './not-now-page.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const page = (status: number, headers: { accept?: string; 'accept-language'?: string }, url = '/public/offers/x') =>
  notNowPage(status, { url, headers });

describe('a page in place of a problem that will pass', () => {
  it.each([429, 500, 503, 504, 507])('is what a browser gets of %s, in its language', (status) => {
    const german = page(status, { accept: BROWSER, 'accept-language': 'de-AT,de;q=0.9' });
    expect(german?.html).toMatch(/<html lang="de">.*versuchen Sie es/s);
    expect(german?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(page(status, { accept: BROWSER })?.html).toMatch(/<html lang="en">.*try again/s);
    expect(page(status, { accept: BROWSER }, '/public/offers/x?lang=de')?.html).toContain('<html lang="de">');
  });

  it('is for nobody else, and not for what stays', () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
      expect(page(503, headers)).toBeNull();
    for (const status of [400, 404, 409, 422]) expect(page(status, { accept: BROWSER })).toBeNull();
  });
});
