import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventEnvelope, invoiceChangedV1, invoiceFinalizingV1, type UsageBreakdown } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, hasChromium, launchChromium, testService, type TestService } from '@kontor/testing';
import type { Browser, Page } from 'playwright-core';
import { OnInvoiceChanged } from '../src/breakdowns/on-invoice-changed.js';
import { OnInvoiceFinalizing } from '../src/breakdowns/on-invoice-finalizing.js';
import { usageService } from '../src/index.js';

const withBrowser = hasChromium() ? describe : describe.skip;
const tokenOf = (name: string): string => createHash('sha256').update(name).digest('base64url');
let usage: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-01T02:00:00.000Z') });
});
afterAll(() => usage.stop());

/**
 * A customer in Berlin with 2 calls on 1 February (one of them in the last hour of 31 January UTC) and 3 on the 15th, 1
 * KB each.
 */
async function billed(
  change: Partial<UsageBreakdown> = {},
  quantities: { calls?: string; billedCalls?: string } = {},
  groupBy: string[] = [],
) {
  const tenantId = newUuid();
  const customerId = newUuid();
  await usage.giveCopy('customer', tenantId, customerId, {
    id: customerId,
    customerNumber: 'K-1',
    externalId: null,
    status: 'STATUS_ACTIVE',
  });
  const times = [
    '2026-01-31T23:30:00Z',
    '2026-02-01T12:00:00Z',
    '2026-02-15T08:00:00Z',
    '2026-02-15T09:00:00Z',
    '2026-02-15T22:00:00Z',
  ];
  const events = times.map((timestamp, n) => ({
    transactionId: `t${n}`,
    eventName: 'call',
    timestamp,
    customerId,
    properties: { kb: n + 0.5, ...(n < 4 ? { region: n % 2 ? 'eu' : '=ap' } : {}) },
  }));
  const taken = await usage.as(apiKeyPrincipal(tenantId))('POST', '/api/usage-events', { events });
  expect(taken.body.ingested).toBe(5);
  const metric = async (aggregationType: string, property: string | null): Promise<string> => {
    const id = newUuid();
    await usage.peek(
      `INSERT INTO usage_metric (tenant_id, id, version, code, name, event_name, aggregation_type, property, filters,
         group_by, rollup, status, rollup_id, bucket_zone, built_from, created_at, updated_at)
       VALUES ($1, $2::uuid, 1, $2::uuid::text, 'x', 'call', $3, $4, '[]', $5, 'day', 'active', $2, 'UTC', '2100-01-01', now(), now())`,
      [tenantId, id, aggregationType, property, JSON.stringify(groupBy)],
    );
    return id;
  };
  const position = (name: string, metricId: string, quantity: string, unit: string, minor: number, onDocument = quantity) => ({
    id: newUuid(),
    name,
    description: '3 × 0,10 EUR\n1 Einheit frei',
    quantity: onDocument,
    unitName: unit,
    unitPrice: { amount: 12, currencyCode: 'EUR', precision: 4 },
    netAmount: { amount: minor, currencyCode: 'EUR' },
    usage: { closingId: newUuid(), metricId, metricName: name, quantity, unit, group: null, from: '2026-01-31T23:00:00.000Z', to: '2026-02-28T23:00:00.000Z' },
  }); // prettier-ignore
  const invoiceId = newUuid();
  const token = tokenOf(invoiceId);
  const breakdown: UsageBreakdown = {
    tokenHash: createHash('sha256').update(token).digest('hex'),
    language: 'de',
    timeZone: 'Europe/Berlin',
    sellerName: 'Nordlicht GmbH',
    sellerEmail: 'rechnung@nordlicht.example',
    customerName: '<script>alert(1)</script> & Söhne',
    positions: [
      position(
        'API-Aufrufe',
        await metric('count', null),
        quantities.calls ?? '5',
        'Aufrufe',
        123456,
        quantities.billedCalls ?? quantities.calls,
      ),
      position('Größter Aufruf', await metric('max', 'kb'), '4.5', 'KB', 45),
    ],
    omittedPositions: 0,
    ...change,
  };
  const payload = {
    ...invoiceFinalizingV1.example,
    invoiceId,
    number: 'RE-2026-00007',
    customerId,
    usageBreakdown: breakdown,
  };
  await usage.service.kit.database.tenant(tenantId, (tx) =>
    new OnInvoiceFinalizing().handle([{ payload } as EventEnvelope<typeof payload>], tx),
  );
  return { tenantId, invoiceId, path: `/public/usage/${token}` };
}
const get = (path: string, headers: Record<string, string> = {}) => usage.as(null)('GET', path, undefined, headers);

describe('the page about the usage on an invoice', () => {
  it('needs no login and shows the days of the customer’s zone, in the customer’s language', async () => {
    const { path } = await billed();
    const { status, headers, body } = await get(path, { 'accept-language': 'en' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const text of [
      '<html lang="de">',
      'zu Rechnung RE-2026-00007',
      'Nordlicht GmbH',
      '01.02.2026 – 28.02.2026',
      '1.234,56',
      '0,0012\u00a0€ je Aufrufe',
      'Summe',
      '1 Einheit frei',
    ])
      // prettier-ignore
      expect(body).toContain(text);
    const rows = [
      ...String(body).matchAll(
        /<th scope="row">(\d\d\.02\.2026)<\/th><td class="n">(\d+)<\/td><td class="n">([\d,]+)<\/td>/g,
      ),
    ].map(([, ...cells]) => cells);
    expect(rows).toHaveLength(56);
    expect(rows.filter(([, events]) => events !== '0')).toEqual([
      ['01.02.2026', '2', '2'],
      ['15.02.2026', '3', '3'],
      ['01.02.2026', '2', '1,5'],
      ['15.02.2026', '3', '4,5'],
    ]);
    expect((await get(`${path}?lang=en`)).body).toContain('for invoice RE-2026-00007');
  });

  it('escapes every text, loads nothing and sends no referrer', async () => {
    const { path } = await billed();
    const { headers, body } = await get(path);
    expect(body).not.toContain('<script');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; Söhne');
    expect(body).not.toMatch(/\s(src|style|on\w+)=/);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; .*frame-ancestors 'none'/);
    const style = /<style>([^]*)<\/style>/.exec(String(body))![1]!;
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'));
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('keeps to what was billed: later usage and corrections are a line of their own', async () => {
    const { path } = await billed({}, { calls: '4' });
    expect((await get(path)).body).toContain(
      '<th scope="row">Auf anderen Rechnungen abgerechnet</th><td class="n"></td><td class="n">-1</td>',
    );
    const again = await billed();
    expect((await get(again.path)).body).not.toContain('Auf anderen Rechnungen');
  });

  it('shows prices that a reader can check: by unit, what is billed times its price, or in words', async () => {
    const price = async (quantity: string): Promise<string> => {
      const { path } = await billed({}, { billedCalls: quantity });
      return /data-label="Preis">([^<]*)</.exec(String((await get(path)).body))![1]!;
    };
    expect(await price('5')).toBe('0,0012\u00a0€ je Aufrufe');
    expect(await price('4')).toBe('4 × 0,0012\u00a0€');
    expect(await price('1')).toBe('siehe unten');
  });

  it('shows each group of a metric', async () => {
    const { path } = await billed({}, {}, ['region']);
    const page = String((await get(`${path}?lang=en`)).body);
    expect(page).toContain('<th scope="col">Group</th>');
    const rows = [
      ...page.matchAll(
        /<th scope="row">([^<]*February[^<]*|[^<]*Feb[^<]*|\d\d\/\d\d\/2026)<\/th><td>([^<]+)<\/td><td class="n">(\d+)<\/td><td class="n">([\d.]+)<\/td>/g,
      ),
    ].map(([, , ...cells]) => cells);
    expect(rows).toEqual([
      ['=ap', '1', '1'],
      ['eu', '1', '1'],
      ['not stated', '1', '1'],
      ['=ap', '1', '1'],
      ['eu', '1', '1'],
      ['=ap', '1', '0.5'],
      ['eu', '1', '1.5'],
      ['not stated', '1', '4.5'],
      ['=ap', '1', '2.5'],
      ['eu', '1', '3.5'],
    ]);
    const csv = String((await get(`${path}/csv`)).body);
    const used = csv.split('\r\n').map((line) => line.split(';')).filter((cells) => cells[6] === '1'); // prettier-ignore
    expect(used.map((cells) => [cells[2], cells[3], cells[7]])).toContainEqual(['region=eu', '2026-02-15', '3,5']);
    expect(used).toHaveLength(10);
  });

  it('says when its invoice was cancelled', async () => {
    const { tenantId, invoiceId, path } = await billed();
    const state = { ...invoiceChangedV1.example.state!, id: invoiceId, status: 'STATUS_CANCELLED' };
    const payload = { ...invoiceChangedV1.example, id: invoiceId, state };
    await usage.service.kit.database.tenant(tenantId, (tx) =>
      new OnInvoiceChanged().handle([{ payload } as EventEnvelope<typeof payload>], tx),
    );
    expect((await get(path)).body).toContain('Diese Rechnung wurde storniert.');
  });

  it('is there as CSV, for German spreadsheets with decimal commas, without formulas', async () => {
    const evil = (await billed()).path;
    const { status, headers, body } = await get(`${evil}/csv`);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="usage-RE-2026-00007.csv"',
    ]);
    const lines = String(body).trimEnd().split('\r\n');
    expect(lines).toHaveLength(57);
    expect(lines[0]).toContain('Position;Kennzahl;Gruppe;Tag;Von;Bis;Ereignisse;Menge;Einheit');
    expect(lines[29]).toBe(
      'Größter Aufruf;Größter Aufruf;;2026-02-01;2026-01-31T23:00:00.000Z;2026-02-01T23:00:00.000Z;2;1,5;KB',
    );
    expect(String((await get(`${evil}/csv?lang=en`)).body).split('\r\n')[29]).toContain(',2,1.5,KB');
  });

  it.each(['x', tokenOf('nobody'), `${tokenOf('nobody')}x`, '%00', "'--"])(
    'the token %s opens nothing',
    async (token) => {
      for (const path of [
        `/public/usage/${encodeURIComponent(token)}`,
        `/public/usage/${encodeURIComponent(token)}/csv`,
      ]) {
        const { status, body } = await get(path);
        expect(status).toBe(404);
        expect(String(body)).not.toContain('Nordlicht');
      }
    },
  );

  it('nothing that opens it is stored', async () => {
    const { path, invoiceId } = await billed();
    const [row] = await usage.peek('SELECT * FROM usage_breakdown WHERE id = $1', [invoiceId]);
    expect(JSON.stringify(row)).not.toContain(path.split('/').at(-1));
  });
});

withBrowser('the page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  async function open(options: {
    width: number;
    colorScheme?: 'light' | 'dark';
  }): Promise<{ page: Page; wrong: string[]; path: string }> {
    const { path } = await billed();
    const context = await browser.newContext({
      viewport: { width: options.width, height: 800 },
      colorScheme: options.colorScheme ?? 'light',
      javaScriptEnabled: true,
    });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && wrong.push(message.text())));
    page.on('request', (request) => void (request.url().startsWith(usage.service.url) || wrong.push(request.url())));
    await page.goto(usage.service.url + path);
    const folder = process.env['SCREENSHOTS'];
    if (folder)
      await page.screenshot({
        path: `${folder}/usage-${options.width}-${options.colorScheme ?? 'light'}.png`,
        fullPage: true,
      });
    return { page, wrong, path };
  }

  it.each([360, 1280])('fits a screen of %i pixels, styled by its own sheet, with nothing blocked', async (width) => {
    const { page, wrong } = await open({ width });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.bar')).fill")).toBe('rgb(31, 95, 191)');
    expect(wrong.filter((entry) => !entry.includes('favicon'))).toEqual([]);
  });

  it('has one heading, a name for each landmark, table and picture, and switches the language by keyboard', async () => {
    const { page } = await open({ width: 1280 });
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map(h => h.tagName).join(' ')")).toBe(
      'H1 H2 H2 H3 H2 H3',
    );
    expect(await page.getByRole('img', { name: 'Verbrauch nach Tagen: API-Aufrufe' }).count()).toBe(1);
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('svg desc')].every(d => d.textContent.includes('Höchster Wert'))",
      ),
    ).toBe(true);
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('thead th')].every(h => h.scope === 'col' && h.textContent !== '')",
      ),
    ).toBe(true);
    expect(
      await page.evaluate(
        'new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size === document.querySelectorAll("[id]").length',
      ),
    ).toBe(true);
    expect(await page.getByRole('navigation', { name: 'Sprache' }).count()).toBe(1);
    await page.getByRole('link', { name: 'English' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/lang=en/);
    expect(await page.locator('h1').textContent()).toBe('Usage breakdown');
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });

  it.each(['light', 'dark'] as const)(
    'can be read in %s mode: texts have a contrast of 4.5 : 1',
    async (colorScheme) => {
      const { page } = await open({ width: 800, colorScheme });
      const ratios = await page.evaluate(`(() => {
      const rgb = (text) => text.match(/[\\d.]+/g).slice(0, 4).map(Number);
      const linear = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
      const light = ([r, g, b]) => { const [R, G, B] = [r, g, b].map(linear); return 0.2126 * R + 0.7152 * G + 0.0722 * B; };
      const ground = (element) => {
        for (let e = element; e; e = e.parentElement) {
          const c = rgb(getComputedStyle(e).backgroundColor);
          if (c.length < 4 || c[3] > 0) return c;
        }
        return [255, 255, 255];
      };
      return [...document.querySelectorAll('h1,h2,h3,p,dt,dd,th,td,a,span,footer,text')].filter((e) => e.textContent.trim() !== '').map((e) => {
        const style = getComputedStyle(e); const [a, b] = [light(rgb(e.tagName === 'text' ? style.fill : style.color)), light(ground(e))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      });
    })()`); // prettier-ignore
      expect(Math.min(...(ratios as number[]))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('prints without buttons, in dark letters on white', async () => {
    const { page } = await open({ width: 800, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.button').isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
  });
});
