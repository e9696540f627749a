import { afterAll, beforeAll, it } from '@jest/globals';
import { CheckoutBuyer } from './support/checkout-buyer.js';
import { withBrowser } from './support/chromium.js';
import { signsOnTelephone } from './support/offer-signer.js';
import { System } from './support/system.js';

/** What a buyer does with an offer, from the link that was mailed to the invoice, through all services. */
withBrowser('an offer in a browser', () => {
  let buyer: CheckoutBuyer;
  beforeAll(async () => {
    const system = await System.shared();
    const { api } = await system.sandbox({ now: '2026-03-02T09:00:00.000Z' });
    buyer = await CheckoutBuyer.at(api);
  });
  afterAll(() => buyer?.close());

  it('is signed on a telephone with other options, and bills what it showed', () => signsOnTelephone(buyer));
});
