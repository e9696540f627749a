import { afterAll, beforeAll, it } from '@jest/globals';
import { buysWithExtraStep, CheckoutBuyer } from '../support/checkout-buyer.js';
import { withBrowser } from '../support/chromium.js';
import { signsOnTelephone } from '../support/offer-signer.js';
import { describeOnKafka } from '../support/requirements.js';
import { System } from '../support/system.js';

describeOnKafka('on Kafka', () => {
  withBrowser('selling in a browser', () => {
    let buyer: CheckoutBuyer;
    beforeAll(async () => {
      const system = await System.sharedStack();
      const { api } = await system.sandbox({ now: '2026-03-02T09:00:00.000Z' });
      buyer = await CheckoutBuyer.at(api);
    });
    afterAll(() => buyer?.close());

    it("sells plan, add-on and coupon to an Austrian company, with the provider's extra step there and back", () =>
      buysWithExtraStep(buyer));

    it('an offer is signed on a telephone with other options, and bills what it showed', () => signsOnTelephone(buyer));
  });
});
