import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Api, eventually } from './support/api.js';
import { priced } from './support/catalogue.js';
import { buysWithExtraStep, CheckoutBuyer } from './support/checkout-buyer.js';
import { reload, withBrowser } from './support/chromium.js';
import { System } from './support/system.js';

const NOW = '2026-03-02T09:00:00.000Z';
const WIRE_BYTES = 60 * 1024;

/** What a buyer does, from the address that was sent around to the paid invoice, through all services. */
withBrowser('a checkout in a browser', () => {
  let api: Api;
  let buyer: CheckoutBuyer;
  beforeAll(async () => {
    const system = await System.shared();
    ({ api } = await system.sandbox({ now: NOW }));
    buyer = await CheckoutBuyer.at(api);
  });
  afterAll(() => buyer?.close());

  it("sells plan, add-on and coupon to an Austrian company, with the provider's extra step there and back", async () => {
    await buysWithExtraStep(buyer);
  });

  it('a buyer who declines sees that the order stands, and pays it another way', async () => {
    const { page } = await buyer.open((await buyer.aLink(117)).url);
    await page.getByRole('button', { name: 'Zur Bestellung' }).click();
    await buyer.fillIn(page, { coupon: 'halb117', quantity: '1' });
    await buyer.order(page);
    await page.getByRole('button', { name: 'Weiter zur Bestätigung' }).click();
    await page.getByRole('button', { name: 'Ablehnen' }).click();
    await page.getByRole('heading', { name: 'Die Zahlung wurde abgelehnt' }).waitFor();
    await buyer.shot(page, 'cart-declined-360-de');
    expect((await buyer.cartOf(page)).status).toBe('redirect_to_payment');
    await page.getByRole('link', { name: 'Anders bezahlen' }).click();
    await buyer.shot(page, 'payment-declined-360-de');
    await page.getByRole('button', { name: 'Anders bezahlen' }).click();
    await page.getByText('Testzahlung').click();
    await buyer.shot(page, 'pay-another-way-360-de');
    await page.locator('form:has(input[value=testing]) button').click();
    await eventually('the payment has arrived', async () => {
      await reload(page);
      return (await page.getByRole('heading', { name: 'Bezahlt' }).count()) > 0 || undefined;
    });
    await page.getByRole('link', { name: 'Weiter' }).click();
    await page.getByText('Willkommen an Bord!').waitFor();
    await page.context().close();
  });

  it('an IBAN that is wrong is said at its field, and nothing else is typed twice', async () => {
    const { page } = await buyer.open((await buyer.aLink(3)).url);
    await page.getByRole('button', { name: 'Zur Bestellung' }).click();
    await buyer.fillIn(page, { coupon: 'halb3', quantity: '1' });
    await page.getByRole('radio', { name: 'SEPA-Lastschrift' }).check();
    const iban = page.getByLabel('IBAN', { exact: true });
    await page.getByLabel('Kontoinhaber').fill('Wiener Kaffee GmbH');
    await iban.fill('DE89 3704 0044 0532 0130 01');
    await page.locator('input[name=mandate]').check();
    await page.getByLabel('Ich stimme').check();
    await page.getByRole('button', { name: 'Zahlungspflichtig bestellen', exact: true }).click();
    const problem = page.locator('#iban-problem');
    await problem.waitFor();
    await buyer.shot(page, 'cart-iban-360-de');
    expect(await problem.textContent()).toContain('Bitte prüfen Sie die IBAN');
    const described = await Promise.all(['aria-invalid', 'aria-describedby'].map((name) => iban.getAttribute(name)));
    expect(described).toEqual(['true', 'iban-problem']);
    expect(await iban.inputValue()).toBe('DE89 3704 0044 0532 0130 01');
    expect(await page.getByLabel('Straße').inputValue()).toBe('Ring');
    expect((await buyer.cartOf(page)).status).toBe('open');
    await iban.fill('DE89 3704 0044 0532 0130 00');
    await page.locator('input[name=mandate]').check();
    await page.getByLabel('Ich stimme').check();
    await page.getByRole('button', { name: 'Zahlungspflichtig bestellen', exact: true }).click();
    await page.getByText('Willkommen an Bord!').waitFor();
    await page.context().close();
  });

  it('first views are small, stay where they are, and load nothing from elsewhere', async () => {
    const link = await buyer.aLink(0);
    // Scripts are on here for the browser's own measurements; the page has none.
    const { page, wrong } = await buyer.open(link.url, { width: 1440, locale: 'en-GB', scripts: true });
    await buyer.shot(page, 'link-1440-en');
    await page.getByRole('button', { name: 'Go to the order' }).click();
    await page.getByRole('heading', { name: 'Your order' }).waitFor();
    await buyer.shot(page, 'cart-1440-en');
    const measured = await page.evaluate(
      () =>
        new Promise<{ bytes: number; shift: number; resources: number }>((resolve) => {
          let shift = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value;
          }).observe({ type: 'layout-shift', buffered: true });
          const [view] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
          const resources = performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith('data:'));
          // The observer is called with what it missed before a frame has passed.
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve({ bytes: view!.transferSize, shift, resources: resources.length })),
          );
        }),
    );
    expect(measured.bytes).toBeGreaterThan(0);
    expect(measured.bytes).toBeLessThanOrEqual(WIRE_BYTES);
    expect(measured).toMatchObject({ shift: 0, resources: 0 });
    expect(await page.locator('script').count()).toBe(0);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('a contract is cancelled by who bought it, without logging in, at the next possible time', async () => {
    const { pricePlan } = await priced(api, { price: { amount: 1000 } });
    const customer = await api.ok('POST', '/customers', { email: 'jule@backhaus.example', companyName: 'Backhaus' });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
      activate: true,
    });
    const { page, wrong } = await buyer.open((await buyer.aLink(1)).url, { locale: 'en-GB' });
    await page.getByRole('link', { name: 'Cancel contracts here' }).click();
    await page.getByLabel('Your name').fill('Jule Brandt');
    await page.getByLabel('E-mail address').fill('jule@backhaus.example');
    await page.getByLabel('Contract', { exact: true }).fill(subscription.number);
    await buyer.shot(page, 'cancellation-360-en');
    await page.getByRole('button', { name: 'Continue' }).click();
    await buyer.shot(page, 'cancellation-check-360-en');
    await page.getByRole('button', { name: 'Cancel now' }).click();
    await page.getByRole('heading', { name: 'We have received your cancellation' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await buyer.shot(page, 'cancellation-received-1440-en');
    const cancelled = await eventually('the subscription is cancelled', async () => {
      const found = await api.ok('GET', `/subscriptions/${subscription.id}`);
      return found.cancelledAt ? found : undefined;
    });
    expect(cancelled.cancellationDate).toBe(subscription.nextPossibleCancellationDate[0]);
    expect(wrong).toEqual([]);
    await page.context().close();
  });
});
