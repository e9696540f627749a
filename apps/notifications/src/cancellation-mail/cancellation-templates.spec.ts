import { describe, expect, it } from '@jest/globals';
import { renderTemplate } from '../mails/render-template.js';
import { TOP_UP_DISABLED_TEMPLATES } from '../top-up-mail/top-up-template.js';
import { CANCELLATION_TEMPLATES } from './cancellation-template.js';
import { NOTICE_TEMPLATES } from './notice-template.js';

const frame = { greeting: 'Guten Tag,', seller: 'Nordlicht GmbH', contactPhone: null };

describe('a mail leaves out what there is not', () => {
  it.each([
    ['', 'Abonnements (Nr. S-10001)'],
    ['Team', 'Abonnements Team (Nr. S-10001)'],
  ])('the name "%s" of a subscription', (name, expected) => {
    const values = { ...frame, name, number: 'S-10001', cancelledOn: '1. März 2026', endsOn: '31. März 2026' };
    expect(renderTemplate(CANCELLATION_TEMPLATES.de, values).text).toContain(expected);
  });

  it.each([
    ['', 'möglichen Zeitpunkt</p>', 'möglichen Zeitpunkt\n\nWann'],
    ['Umzug', 'möglichen Zeitpunkt<br>Grund: Umzug</p>', 'möglichen Zeitpunkt\nGrund: Umzug\n\nWann'],
  ])('the reason "%s" of a declared cancellation', (reason, html, text) => {
    const wantedOn = 'zum nächstmöglichen Zeitpunkt';
    const declared = { name: 'Jule', contract: 'S-10001', isExtraordinary: false, receivedAt: 'heute' };
    const mail = renderTemplate(NOTICE_TEMPLATES.de, { ...frame, ...declared, wantedOn, reason });
    expect(mail.html).toContain(html);
    expect(mail.text).toContain(text);
  });

  it.each([
    [1, 'konnten wir nicht automatisch', 'Zahlung wurde abgelehnt'],
    [5, 'konnten wir 5-mal in Folge nicht automatisch', 'Zahlung wurde jedes Mal abgelehnt'],
  ])('the count of %d top-ups that failed', (failures, count, why) => {
    const values = { ...frame, currencyCode: 'EUR', failures, reason: 'declined' };
    const { text } = renderTemplate(TOP_UP_DISABLED_TEMPLATES.de, values);
    for (const part of [count, why]) expect(text).toContain(part);
  });
});
