import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cancellationNoticeReceivedV1,
  cartReminderDueV1,
  offerApprovalRequestedV1,
  loginLinksMadeV1,
  offerLinkSentV1,
  offerReminderDueV1,
  orderConfirmedV1,
  templateChangedV1,
  userMailRequestedV1,
} from '@kontor/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { forgetOld } from '@kontor/persistence';
import { eventually } from '@kontor/testing';
import { notificationsService } from '../src/index.js';
import { World } from './world.js';

describe('mails without a file', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const link = 'https://billing.example/public/payment-methods/kJ0n7hQ0yq9m2m0m5n1w7yqT3c0cM1pJ9v2s8f4b6dE';
  const written = async (tenantId: string): Promise<string> => {
    const [mail] = await eventually(async () => {
      const mails = await world.mails(tenantId);
      return mails.some((mail) => mail.status === 'sent') && mails;
    }, 'the mail sent');
    const folder = join(world.test.service.kit.config.dataDir, 'mails');
    const eml = readFileSync(
      join(folder, readdirSync(folder).find((name) => name.endsWith(`${mail?.id}.eml`)) ?? ''),
      'utf8',
    );
    return eml.replace(/=\r\n/g, '').replaceAll('=3D', '=');
  };

  it.each([
    ['de', 'Bitte hinterlegen Sie eine Zahlungsart bei Nordlicht GmbH', 'bis 8. M'],
    ['en', 'Please add a payment method for Nordlicht GmbH', 'until 8 March 2026'],
  ])('bring the link to add a payment method in %s', async (language, subject, until) => {
    const { id, customerId } = await world.tenant({ language });
    await world.methodLinkCreated(id, customerId, link);
    const eml = await written(id);
    for (const part of [
      'To: kunde@example.com',
      'Reply-To: rechnung@nordlicht.example',
      `Subject: ${subject}`,
      link,
      until,
    ])
      expect(eml).toContain(part);
  });

  it.each([
    [
      'de',
      'Ihre Bestellung bei Nordlicht GmbH',
      [
        '5 =C3=97 Team: 45,00',
        'Gesamt: 53,55',
        'Danach monatlich: 53,55',
        'Anrufe, nach Verbrauch monatlich (netto): 0,25 EUR je Anruf',
        'Mindestlaufzeit: 12 Monate.',
        'frist: 1 Monat zum',
        'widerrufen',
      ],
    ],
    [
      'en',
      'Your order at Nordlicht GmbH',
      [
        '5 =C3=97 Team: =E2=82=AC45.00',
        'Then monthly',
        'Anrufe, by use, monthly (net)',
        'Minimum term: 12 months.',
        'Notice period: 1 month before',
        'withdraw',
        'https://nordlicht.example/agb',
      ],
    ],
  ])('confirm an order in %s, with how to withdraw', async (language, subject, parts) => {
    const { id, customerId } = await world.tenant({ language: 'de' });
    const more = { customerId, language, termsUrl: 'https://nordlicht.example/agb' };
    await world.mailEvent(id, orderConfirmedV1, more);
    const eml = await written(id);
    for (const part of ['To: einkauf@backhaus-elbe.example', `Subject: ${subject}`, ...parts])
      expect(eml).toContain(part);
  });

  it('confirm an order with the discount between its lines and its total', async () => {
    const { id, customerId } = await world.tenant({ language: 'en' });
    const lines = [{ name: 'Team', quantity: '5', netAmount: { amount: 5000, currencyCode: 'EUR' } }];
    await world.mailEvent(id, orderConfirmedV1, { customerId, language: 'en', lines });
    expect(await written(id)).toContain('Team: =E2=82=AC50.00\r\n\r\nDiscount: -=E2=82=AC5.00\r\nNet: =E2=82=AC45.00');
  });

  it('confirm a cancellation to whoever declared it, customer or not, with its time', async () => {
    const { id } = await world.tenant({ language: 'de' });
    const reason = 'Umzug <ins Ausland>';
    await world.mailEvent(id, cancellationNoticeReceivedV1, { kind: 'extraordinary', reason });
    const eml = await written(id);
    for (const part of ['To: jule@backhaus-elbe.example', '2. M=C3=A4rz 2026 um 10:00:00', 'Vertrag: S-10001', reason])
      expect(eml).toContain(part);
    expect(eml).toContain('Umzug &lt;ins Ausland&gt;');
  });

  it('to who is no customer go after 30 days; those to customers stay with them', async () => {
    const { id, customerId } = await world.tenant({ language: 'de' });
    await world.mailEvent(id, cancellationNoticeReceivedV1, {});
    await world.methodLinkCreated(id, customerId, link);
    await eventually(
      async () => (await world.mails(id)).filter(({ status }) => status === 'sent').length === 2,
      'both',
    );
    const { database, config } = world.test.service.kit;
    const forgetAt = async (days: number): Promise<number> => {
      const now = new Date(Date.now() + days * 86_400_000);
      for (const rule of notificationsService.retention?.(config) ?? []) await forgetOld(database, id, rule, { now });
      return (await world.mails(id)).length;
    };
    expect([await forgetAt(29), await forgetAt(31)]).toEqual([2, 1]);
    const [left] = await world.test.peek<{ customer: string }>(
      'SELECT customer_id AS customer FROM mail WHERE tenant_id = $1',
      [id],
    );
    expect(left?.customer).toBe(customerId);
  });

  it('remind a buyer of a cart, once', async () => {
    const { id } = await world.tenant({ language: 'de' });
    for (let n = 0; n < 2; n += 1) await world.mailEvent(id, cartReminderDueV1, { language: 'en' });
    const eml = await written(id);
    for (const part of ['To: einkauf@backhaus-elbe.example', cartReminderDueV1.example.link, 'until 3 March 2026'])
      expect(eml).toContain(part);
    expect(await world.mails(id)).toHaveLength(1);
  });

  it.each([
    ['de', 'für RE-2026-00001 wartet auf Ihre Best'],
    ['en', 'for RE-2026-00001 waits for your confirmation'],
  ])('ask a payer to confirm a payment in %s', async (language, what) => {
    const { id, customerId } = await world.tenant({ language });
    await world.payerActionRequired(id, customerId, link);
    const eml = await written(id);
    for (const part of ['To: kunde@example.com', link, what.replace('ü', '=C3=BC')]) expect(eml).toContain(part);
  });

  it.each([
    ['de', 'Angebot AN-2026-00001: Team', 'gilt bis 31. Dezember 2026'],
    ['en', 'Offer AN-2026-00001: Team', 'valid until 31 December 2026'],
  ])('bring a recipient the link to an offer in %s', async (language, subject, until) => {
    const { id, customerId } = await world.tenant({ language: 'de' });
    await world.offerLinkSent(id, customerId, language, link);
    const eml = await written(id);
    for (const part of [
      'To: einkauf@example.com',
      `Subject: ${subject}`,
      link,
      until,
      'Jo Brandt',
      'Reply-To: jo.brandt@nordlicht.example',
    ])
      expect(eml).toContain(part);
  });

  it.each([
    ['de', 'gilt noch bis', 'Ihr Kontakt: Jo Brandt, jo.brandt@nordlicht.example'],
    ['en', 'Our offer AN-2026-00001 is valid until 31 December 2026', 'Your contact: Jo Brandt'],
  ])('remind a recipient of an offer in %s, once each time', async (language, subject, contact) => {
    const { id, customerId } = await world.tenant({ language: 'de' });
    for (const dueAt of ['2026-12-24T22:59:59.999Z', '2026-12-24T22:59:59.999Z', '2026-12-28T22:59:59.999Z'])
      await world.mailEvent(id, offerReminderDueV1, { customerId, language, dueAt });
    const eml = await written(id);
    for (const part of ['To: einkauf@backhaus-elbe.example', subject, offerReminderDueV1.example.link, contact])
      expect(eml).toContain(part);
    await world.settled(id);
    expect(await world.mails(id)).toHaveLength(2);
  });

  it.each([
    ['whom it goes to', offerLinkSentV1, { recipientName: 'Max Berg' }, 'Guten Tag Max Berg,'],
    ['nobody where that is unknown', offerReminderDueV1, { recipientName: null }, 'Guten Tag,\r\n'],
    ['the customer', offerLinkSentV1, { recipientName: null, email: 'KUNDE@example.com' }, 'Guten Tag Erika Muster,'],
    ['the customer in events of earlier days', offerReminderDueV1, { recipientName: undefined }, 'Guten Tag Erika'],
  ])('about an offer greet %s', async (_name, event, changes, greeting) => {
    const { id, customerId } = await world.tenant({ language: 'de', firstName: 'Erika', lastName: 'Muster' });
    await world.mailEvent(id, event, { customerId, ...changes });
    expect(await written(id)).toContain(greeting);
  });

  it('remind in the words of the tenant', async () => {
    const { id, customerId } = await world.tenant({ language: 'de' });
    const texts = { subject: 'Noch {{ number }}?', body: '{{ name }} bis {{ validUntil }}: {{ link }}' };
    const state = { kind: 'mail.offer_reminder', language: 'de', texts };
    await world.mailEvent(id, templateChangedV1, { id: 'mail.offer_reminder/de', state });
    await world.settled(id);
    await world.mailEvent(id, offerReminderDueV1, { customerId });
    const eml = await written(id);
    for (const part of ['Subject: Noch AN-2026-00001?', 'Team bis 31. Dezember 2026', offerReminderDueV1.example.link])
      expect(eml).toContain(part);
  });

  it('log somebody in in the words of the tenant, as each of several customers', async () => {
    const { id, customerId } = await world.tenant({ language: 'de' });
    const texts = { subject: 'Anmelden', body: '{{ link }} bis {{ validUntil }}' };
    const state = { kind: 'mail.login_link', language: 'de', texts };
    await world.mailEvent(id, templateChangedV1, { id: 'mail.login_link/de', state });
    await world.settled(id);
    const [first, second] = ['Elbe', 'Alster'].map((name) => ({ customerId, name, link: `https://x.example/${name}` }));
    await world.mailEvent(id, loginLinksMadeV1, { links: [first] });
    expect(await written(id)).toContain('https://x.example/Elbe bis 1. M=C3=A4rz 2026 um 11:15:00 MEZ');
    await world.mailEvent(id, loginLinksMadeV1, { requestId: newUuid(), links: [first, second] });
    await eventually(async () => (await world.mails(id)).length === 2, 'both');
    const [, both] = await world.test.peek<{ text: string }>('SELECT text FROM mail WHERE tenant_id = $1 ORDER BY id', [
      id,
    ]);
    expect(both?.text).toContain('Elbe: https://x.example/Elbe\nAlster: https://x.example/Alster bis');
  });

  it.each([
    ['de', 'wartet auf Ihre Freigabe', 'Guten Tag Ada Berg,', 'Darum bittet Jo Brandt.'],
    ['en', 'Offer AN-2026-00001 waits for your approval', 'Dear Ada Berg,', 'Jo Brandt asks you to.'],
  ])('ask a user to approve an offer in %s, once each time', async (language, subject, greeting, by) => {
    const { id, customerId } = await world.tenant({ language: 'de' });
    for (const requestedAt of ['2026-12-01T09:00:00.000Z', '2026-12-01T09:00:00.000Z', '2026-12-02T09:00:00.000Z'])
      await world.mailEvent(id, offerApprovalRequestedV1, { customerId, language, requestedAt });
    const eml = await written(id);
    for (const part of ['To: ada.berg@nordlicht.example', subject, greeting, by, 'Backhaus Elbe GmbH'])
      expect(eml).toContain(part);
    await world.settled(id);
    expect(await world.mails(id)).toHaveLength(2);
  });

  it.each([
    [
      'de',
      'Subject: =?UTF-8?Q?Ihr_Konto_wurde_gel=C3=B6scht',
      'Guten Tag Leo Land,',
      'und allem, womit Sie sich angemeldet haben',
      'Sie waren das nicht?',
    ],
    [
      'en',
      'Subject: Your account was deleted',
      'Dear Leo Land,',
      'and all that you signed in with',
      'This was not you?',
    ],
  ])('say in %s that an account was deleted, with nothing to click', async (language, ...parts) => {
    const { id } = await world.tenant();
    const more = { kind: 'account_deleted', name: 'Leo Land', language, link: null, expiresAt: null };
    await world.mailEvent(id, userMailRequestedV1, more);
    const eml = await written(id);
    for (const part of ['To: ada.berg@nordlicht.example', ...parts, 'Nordlicht Software GmbH'])
      expect(eml).toContain(part);
    expect(eml).not.toContain('href=');
  });

  it.each([
    ['de', 'card_declined', 'Automatische Aufladung abgeschaltet bei Nordlicht GmbH', 'jedes Mal abgelehnt'],
    [
      'en',
      'payment_method_required',
      'Automatic top-up switched off at Nordlicht GmbH',
      'no payment method that can be used',
    ],
  ])('say in %s that automatic top-ups were switched off', async (language, reason, subject, why) => {
    const { id, customerId } = await world.tenant({ language });
    await world.autoTopUpDisabled(id, customerId, reason);
    const eml = await written(id);
    for (const part of ['To: kunde@example.com', `Subject: ${subject}`, why, 'EUR', '5']) expect(eml).toContain(part);
  });

  it.each([
    ['de', 'Kündigung', 'am 30. M'],
    ['en', 'Your cancellation at Nordlicht GmbH is confirmed', 'ends on 30 March 2026'],
  ])('confirm a cancellation in %s', async (language, subject, end) => {
    const { id, customerId } = await world.tenant({ language });
    await world.subscriptionCancelled(id, customerId, true);
    const eml = await written(id);
    for (const part of ['To: kunde@example.com', language === 'en' ? subject : 'Subject: ', end, 'S-10001'])
      expect(eml).toContain(part);
  });

  it('confirm no cancellation that asked for silence', async () => {
    const { id, customerId } = await world.tenant();
    await world.subscriptionCancelled(id, customerId, false);
    await world.settled(id);
    expect(await world.mails(id)).toEqual([]);
  });
});
