import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testService } from '@kontor/testing';
import { offersService } from '../src/index.js';
import {
  anybody,
  billing,
  billingIsWell,
  END,
  NOW,
  offers,
  published,
  run,
  signature,
  startSelling,
  stopSelling,
  tenant,
  type Tenant,
} from './support/selling.js';

beforeAll(startSelling);
afterAll(stopSelling);
beforeEach(billingIsWell);

const before = (days: number, ms = 0): Date => new Date(Date.parse(END) - days * 86_400_000 + ms);
const wants = (seller: Tenant, days: number[]) =>
  offers.giveCopy('settings', seller.id, seller.id, { offers: { approvers: [], reminderDays: days } });
const people = [
  { email: 'a@x.example', sendEmail: true },
  { email: 'b@x.example', sendEmail: true },
  { email: 'later@x.example', sendEmail: true, turn: 2 },
  { email: 'reader@x.example', sendEmail: true, role: 'read' },
  { email: 'quiet@x.example' },
];
/** Who was reminded, and of which day. */
const reminded = async (offerId: string): Promise<string[]> =>
  (
    await offers.peek<{ email: string }>(
      `SELECT payload::jsonb->>'email' AS email FROM outbox
       WHERE type = 'offers.offer.reminder-due.v1' AND payload::jsonb->>'offerId' = $1 ORDER BY id`,
      [offerId],
    )
  ).map(({ email }) => email);

describe('reminders before the end of an offer', () => {
  it('go once each to those who got a link by mail, whose turn it is, and who have not signed', async () => {
    const seller = await tenant();
    await wants(seller, [5, 2]);
    const { id, tokens, offer } = await published(seller, { acceptanceMode: 'esignature' }, people);
    expect(offer.reminderDays).toEqual([5, 2]);
    await run(seller.id, before(5, -1));
    expect(await reminded(id)).toEqual([]);
    for (const at of [before(5), before(5), before(4)]) await run(seller.id, at);
    expect((await reminded(id)).sort()).toEqual(['a@x.example', 'b@x.example']);
    expect((await anybody()('POST', `/public/offers/${tokens[0]}/sign`, signature())).status).toBe(201);
    await run(seller.id, before(2));
    expect((await reminded(id)).slice(2)).toEqual(['b@x.example']);
    await run(seller.id, before(-1));
    expect(await reminded(id)).toHaveLength(3);
  });

  it.each([
    ['accepted', (token: string) => anybody()('POST', `/public/offers/${token}/accept`, {})],
    ['archived', (_: string, seller: Tenant, id: string) => seller.send('POST', `/offers/${id}/archive`)],
  ])('do not come when it is %s', async (_name, act) => {
    const seller = await tenant();
    await wants(seller, [3]);
    const { id, tokens } = await published(seller, {}, people.slice(0, 1));
    expect((await act(tokens[0]!, seller, id)).status).toBe(201);
    await run(seller.id, before(3));
    await run(seller.id, before(1));
    expect(await reminded(id)).toEqual([]);
  });

  it('that were missed while nobody was here are one, and none comes after the end', async () => {
    const seller = await tenant();
    const late = await published(seller, { reminderDays: [6, 5, 4, 1] }, people.slice(0, 1));
    // As in an installation that was down: the alarms are late.
    await offers.peek('UPDATE due_work SET due_at = $2 WHERE tenant_id = $1', [seller.id, before(3)]);
    await run(seller.id, before(3));
    expect(await reminded(late.id)).toHaveLength(1);
    await offers.peek('UPDATE due_work SET due_at = $2 WHERE tenant_id = $1', [seller.id, before(-1)]);
    await run(seller.id, before(-1));
    expect(await reminded(late.id)).toHaveLength(1);
  });

  it('come again before another end', async () => {
    const seller = await tenant();
    const { id } = await published(seller, { reminderDays: [3] }, people.slice(0, 1));
    await run(seller.id, before(3));
    const later = new Date(Date.parse(END) + 30 * 86_400_000).toISOString();
    expect((await seller.send('POST', `/offers/${id}/extend`, { validUntil: later })).status).toBe(201);
    await run(seller.id, before(-26));
    expect(await reminded(id)).toHaveLength(1);
    await run(seller.id, before(-27));
    expect(await reminded(id)).toHaveLength(2);
  });

  it('of one moment come once, however many replicas look for them', async () => {
    const seller = await tenant();
    const all = await Promise.all(
      Array.from({ length: 10 }, () => published(seller, { reminderDays: [3] }, people.slice(0, 2))),
    );
    const replica = await testService(offersService, { now: NOW, db: offers.db, directory: billing.directory });
    try {
      await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [seller.id, before(3)]);
      await Promise.all(
        [offers, replica, offers, replica].map(({ service }) => service.kit.dueRunner.runDue(seller.id, before(3))),
      );
      await run(seller.id, before(3));
      for (const { id } of all) expect((await reminded(id)).sort()).toEqual(['a@x.example', 'b@x.example']);
    } finally {
      await replica.stop();
    }
  });

  it('are refused where they are no days', async () => {
    const { send, customerId } = await tenant();
    for (const [status, reminderDays] of [
      [422, [0]],
      [422, [91]],
      [422, [1, 2, 3, 4, 5, 6]],
      [400, ['x']],
    ])
      expect((await send('POST', '/offers', { customer: customerId, reminderDays })).status).toBe(status);
  });
});

describe('the reminder of a cart that was made by a program', () => {
  const austrian = { firstName: 'Jo', lastName: 'Berg', street: 'Ring', zip: '1010', city: 'Wien', countryCode: 'AT' };

  it.each([
    ['the customer', 'de', ['en'], true, null],
    ["the buyer's country", 'de', ['en', 'de'], false, austrian],
    ["another country's buyer", 'en', ['de', 'en'], false, { ...austrian, countryCode: 'US' }],
    ['the link', 'de', ['de'], false, null],
  ])('has the language of %s', async (_name, language, languages, isKnown, address) => {
    const seller = await tenant();
    const items = [{ pricePlan: newUuid() }];
    const link = await seller.send('POST', '/checkout-links', { items, languages, sendReminder: true });
    const buyer = isKnown ? { customer: seller.customerId } : { customerEmail: 'jo@x.example' };
    const cart = await seller.send('POST', `/checkout-links/${link.body.id}/cart`, buyer);
    if (address) await anybody()('PUT', `/public/checkout/cart/${cart.body.token}/invoice-address`, address);
    await run(seller.id, new Date(NOW.getTime() + 5 * 3_600_000));
    const due = await offers.peek<{ language: string }>(
      `SELECT payload::jsonb->>'language' AS language FROM outbox
       WHERE type = 'offers.cart.reminder-due.v1' AND payload::jsonb->>'cartId' = $1`,
      [cart.body.id],
    );
    expect(due).toEqual([{ language }]);
  });
});
