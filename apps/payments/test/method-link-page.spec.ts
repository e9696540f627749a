import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasChromium, launchChromium } from '@kontor/testing';
import type { Browser, Page } from 'playwright-core';
import { type Tenant, World } from './world.js';

/** One pixel, green. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';
const withBrowser = hasChromium() ? describe : describe.skip;

withBrowser('the page behind a link, in a browser', () => {
  let world: World;
  let tenant: Tenant;
  let browser: Browser;

  beforeAll(async () => {
    world = await World.start();
    const seller = {
      company: 'Nordlicht Software GmbH',
      address: { street: 'Musterstraße', houseNumber: '1', zip: '10115', city: 'Berlin', countryCode: 'DE' },
      creditorIdentifier: 'DE98ZZZ09999999999',
    };
    tenant = await world.tenant({ settings: { seller, checkout: { logo: LOGO, accentColor: '#0a7d5c' } } });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  /** A phone; what goes wrong on the page is collected. */
  async function open(more: object = {}, colorScheme: 'light' | 'dark' = 'light') {
    const customerId = await tenant.customer();
    const { link } = await tenant.ok('POST', '/payment-methods/link', { customerId, ...more });
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      colorScheme,
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && wrong.push(message.text())));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(world.service.url) || request.url() === LOGO;
      if (!isOurs) wrong.push(request.url());
    });
    await page.goto(world.service.url + new URL(link).pathname);
    return { page, customerId, wrong };
  }
  const shot = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  it('takes a mandate from a phone without scripts, after pointing at what is wrong', async () => {
    const { page, customerId, wrong } = await open();
    await shot(page, 'add-light');
    // The seller's own, which the browser must be allowed to show.
    expect(
      await page.getByAltText('Nordlicht Software GmbH').evaluate((img: HTMLImageElement) => img.naturalWidth),
    ).toBe(1);
    const button = page.getByRole('button', { name: 'Mandat erteilen' });
    expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(10, 125, 92)');
    const { scroll, client } = await widths(page);
    expect(scroll).toBeLessThanOrEqual(client);
    await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
    await page.getByRole('button', { name: 'Mandat erteilen' }).click();
    await shot(page, 'add-refused');
    expect(await page.getByRole('alert').textContent()).toBe('Bitte prüfen Sie Ihre Angaben');
    expect(await page.getByLabel('IBAN').inputValue()).toBe('DE89 3704 0044 0532 0130 01');
    await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00');
    await page.getByLabel('Ich erteile dieses SEPA-Lastschriftmandat.').check();
    await page.getByRole('button', { name: 'Mandat erteilen' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Geschafft');
    await shot(page, 'done');
    const { data } = await tenant.ok('GET', `/payment-methods?customer=${customerId}`);
    expect(data).toMatchObject([{ source: 'add_link', status: 'active', default: true }]);
    // The refused form is answered with 422, which a browser mentions.
    expect(wrong.filter((text) => !text.includes('422'))).toEqual([]);
    await page.context().close();
  });

  it('opens one way at a time, in English, in the dark', async () => {
    const { page, wrong } = await open({}, 'dark');
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByText('Bank transfer', { exact: true }).click();
    expect(await page.getByRole('button', { name: 'Pay by transfer' }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Give mandate' }).isVisible()).toBe(false);
    await shot(page, 'add-dark');
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('leads on to where the customer came from', async () => {
    const back = `${world.service.url}/health?from=shop`;
    const { page } = await open({ allowedTypes: ['testing'], redirectUrl: back });
    await page.getByRole('button', { name: 'Hinzufügen' }).click();
    expect(page.url()).toMatch(/\/health\?from=shop&status=success&paymentMethodId=[0-9a-f-]{36}$/);
    await page.context().close();
  });

  const widths = async (page: Page): Promise<{ scroll: number; client: number }> => {
    const box = await page.locator('main').boundingBox();
    return { scroll: Math.ceil((box?.x ?? 0) + (box?.width ?? 0)), client: 360 };
  };
});
