import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid, ulidToUuid } from '@kontor/kernel';
import { apiKeyPrincipal } from '@kontor/testing';
import {
  anybody,
  billing,
  billingIsWell,
  END,
  notices,
  offers,
  published,
  QUOTE,
  startSelling,
  stopSelling,
  tenant,
  type Tenant,
} from './support/selling.js';

beforeAll(startSelling);
afterAll(stopSelling);
beforeEach(billingIsWell);

const JO = {
  firstName: 'Jo',
  lastName: 'Brandt',
  role: 'Vertrieb',
  email: 'jo@nordlicht.example',
  phone: '+49 40 12345',
};
const page = async (token: string): Promise<string> => {
  const answer = await fetch(`${offers.service.url}/public/offers/${token}`, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(200);
  return answer.text();
};

describe('what an offer says', () => {
  it('has the values of customVariables, as they were when it was published', async () => {
    const seller = await tenant();
    const text = 'Für {{ seats }} Plätze{% if discount > 0 %}, {{ discount }} % Rabatt{% endif %}.{{ nothing }}';
    const body = {
      customVariables: { seats: 12, discount: 5, nothing: null, company: 'Back & <Haus>' },
      sections: [{ type: 'text', title: 'An {{ company }}', text }, { type: 'terms' }],
    };
    const { id, tokens, offer } = await published(seller, body);
    const shown = await anybody()('GET', `/public/offers/${tokens[0]}`);
    expect(shown.body.sections).toEqual([
      { type: 'text', title: 'An Back & <Haus>', text: 'Für 12 Plätze, 5 % Rabatt.' },
      { type: 'terms' },
    ]);
    expect(await page(tokens[0]!)).toContain('An Back &#38; &#60;Haus&#62;');
    expect(offer.sections[0].text).toBe(text);
    const changed = await seller.send('PUT', `/offers/${id}`, {
      ...body,
      customer: seller.customerId,
      subscription: seller.subscriptionId,
      customVariables: { ...body.customVariables, seats: 20 },
    });
    expect([changed.status, changed.body.hasUnpublishedChanges]).toEqual([200, true]);
    expect((await anybody()('GET', `/public/offers/${tokens[0]}`)).body.sections[0].text).toContain('12 Plätze');
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    expect((await anybody()('GET', `/public/offers/${tokens[0]}`)).body.sections[0].text).toContain('20 Plätze');
    const pdf = await seller.send('GET', `/offers/${id}/documents/offer`);
    expect(String(pdf.body)).toContain('20 Plätze');
  });

  it.each([
    ['a name that it has not', 'Für {{ seats }}\nund {{ chairs }}', 'unknown_placeholder', 'Line 2'],
    ['no template', 'Für {{ seats', 'template_invalid', 'Line 1'],
    ['another file', '{% include "x" %}', 'template_invalid', 'not found'],
    [
      'too much',
      '{% for a in (1..99999) %}{% for b in (1..99999) %}{{ seats }}{% endfor %}{% endfor %}',
      'template_invalid',
      '',
    ],
    ['the end of others', '{% break %}', 'template_invalid', ''],
    ['more than a block holds', '{{ long }}{{ long }}', 'template_invalid', 'too long'],
  ])('refuses a text with %s, and says where', async (_name, text, code, words) => {
    const { send, customerId } = await tenant();
    const refused = await send('POST', '/offers', {
      customer: customerId,
      customVariables: { seats: 12, long: 'x'.repeat(6000) },
      sections: [{ type: 'text' }, { type: 'text', text }, { type: 'terms', text: 'Monatlich.' }],
    });
    expect([refused.status, refused.body.reason]).toEqual([422, 'template_invalid']);
    expect(refused.body.violations[0]).toMatchObject({ code, propertyPath: expect.stringMatching(/^sections/) });
    expect(refused.body.violations[0].message).toContain(words);
    expect((await send('GET', '/offers')).body.data).toEqual([]);
  });

  it('names whom to ask: in the answer, on the page, in the PDF and in the mail, as it was published', async () => {
    const seller = await tenant();
    const people = [{ email: 'jule@backhaus.example', sendEmail: true }];
    const { id, tokens, offer } = await published(seller, { contactPerson: JO }, people);
    expect(offer.contactPerson).toEqual(JO);
    expect((await anybody()('GET', `/public/offers/${tokens[0]}`)).body.contactPerson).toEqual(JO);
    const html = await page(tokens[0]!);
    for (const part of ['Jo Brandt', 'Vertrieb', 'href="tel:+494012345"', 'href="mailto:jo@nordlicht.example"'])
      expect(html).toContain(part);
    const pdf = String((await seller.send('GET', `/offers/${id}/documents/offer`)).body);
    for (const part of ['Jo Brandt', '+49 40 12345', 'jo@nordlicht.example']) expect(pdf).toContain(part);
    const [mail] = await offers.peek<{ contact: unknown }>(
      "SELECT payload::jsonb->'contactPerson' AS contact FROM outbox WHERE type = 'offers.offer.link-sent.v1' AND payload::jsonb->>'offerId' = $1",
      [id],
    );
    expect(mail?.contact).toEqual({ name: 'Jo Brandt', email: JO.email, phone: JO.phone });
    const body = { customer: seller.customerId, subscription: seller.subscriptionId };
    const without = await seller.send('PUT', `/offers/${id}`, body);
    expect([without.body.contactPerson, without.body.hasUnpublishedChanges]).toEqual([null, true]);
    expect(await page(tokens[0]!)).toContain('Jo Brandt');
    const wrong = await seller.send('PUT', `/offers/${id}`, { ...body, contactPerson: { ...JO, email: 'jo' } });
    expect([wrong.status, wrong.body.violations[0].propertyPath]).toEqual([422, 'contactPerson.email']);
  });
});

describe('the preview of an offer', () => {
  const preview = (seller: Tenant, id: string, lang = 'de') => seller.send('GET', `/offers/${id}/preview?lang=${lang}`);

  it('is the page that recipients would see, with what was changed since, and decides nothing', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller, { acceptanceMode: 'esignature', contactPerson: JO });
    const changed = await seller.send('PUT', `/offers/${id}`, {
      customer: seller.customerId,
      subscription: seller.subscriptionId,
      acceptanceMode: 'esignature',
      customVariables: { seats: 20 },
      sections: [{ type: 'text', title: 'Neu', text: 'Für {{ seats }} Plätze <b>' }],
    });
    expect(changed.status).toBe(200);
    const before = billing.asked.length;
    const html = String((await preview(seller, id)).body);
    expect(billing.asked.slice(before).map(({ path }) => path)).toEqual(['/internal/sales/offers/previews']);
    for (const part of ['Vorschau:', 'Für 20 Plätze &#60;b&#62;', '<form inert', 'Zahlungspflichtig unterschreiben'])
      expect(html).toContain(part);
    for (const part of ['<script', 'Als PDF', 'hreflang']) expect(html).not.toContain(part);
    expect(String((await preview(seller, id, 'en')).body)).toContain('Preview: this is what recipients see');
    expect(await page(tokens[0]!)).not.toContain('20 Plätze');
    expect((await seller.send('GET', `/offers/${id}`)).body).toMatchObject({ hasUnpublishedChanges: true });
  });

  it('is refused of others, of what is no offer any more, and while prices are not known', async () => {
    const [seller, other] = [await tenant(), await tenant()];
    const made = await seller.send('POST', '/offers', {
      customer: seller.customerId,
      subscription: seller.subscriptionId,
    });
    expect(made.status).toBe(201);
    expect((await preview(other, made.body.id)).status).toBe(404);
    expect((await anybody()('GET', `/offers/${made.body.id}/preview`)).status).toBe(401);
    billing.isAway = true;
    const away = await preview(seller, made.body.id);
    billing.isAway = false;
    expect([away.status, away.body.reason]).toEqual([503, 'service_unavailable']);
    expect((await seller.send('POST', `/offers/${made.body.id}/archive`)).status).toBe(201);
    const archived = await preview(seller, made.body.id);
    expect([archived.status, archived.body.reason]).toEqual([422, 'invalid_status_transition']);
  });
});

describe('approval before publication', () => {
  const SEATS = { id: 'seats', pricePlan: newUuid(), quantity: '3' };
  const [ada, bo] = [newUuid(), newUuid()];
  async function approved(settings: string[], named: string[] = []) {
    const seller = await tenant();
    for (const [id, firstName] of [
      [ada, 'Ada'],
      [bo, 'Bo'],
    ] as const)
      await offers.giveCopy('user', seller.id, id, {
        id,
        email: `${id}@x.example`,
        firstName,
        lastName: 'Berg',
        deactivated: false,
      });
    await offers.giveCopy('settings', seller.id, seller.id, { offers: { approvers: settings, reminderDays: [] } });
    const made = await seller.send('POST', '/offers', {
      customer: seller.customerId,
      subscription: seller.subscriptionId,
      approvers: named,
    });
    expect(made.status).toBe(201);
    return { seller, id: made.body.id as string };
  }
  const as = (seller: Tenant, user: string) =>
    offers.as(apiKeyPrincipal(seller.id, { kind: 'user', subjectId: user, name: 'Somebody' }));

  /** Who was mailed about it, in their order. */
  const mailed = async (offerId: string): Promise<string[]> =>
    (
      await offers.peek<{ user: string }>(
        `SELECT payload::jsonb->>'userId' AS "user" FROM outbox
         WHERE type = 'offers.offer.approval-requested.v1' AND payload::jsonb->>'offerId' = $1 ORDER BY id`,
        [offerId],
      )
    ).map(({ user }) => user);

  it('and an end of validity that lies ahead are looked at before billing holds anything', async () => {
    const seller = await tenant();
    const body = { customer: seller.customerId, subscription: seller.subscriptionId, validUntil: END };
    const { id } = (await seller.send('POST', '/offers', body)).body;
    await offers.peek("UPDATE tenant_clock SET now = '2026-03-11T00:00:00Z' WHERE tenant_id = $1", [seller.id]);
    const late = await seller.send('POST', `/offers/${id}/publish`);
    expect([late.status, late.body.violations[0].propertyPath]).toEqual([422, 'validUntil']);
    expect(billing.of(ulidToUuid(id))).toEqual([]);
  });

  it('is given by all who have to give it; then the offer is published', async () => {
    const { seller, id } = await approved([ada], [bo]);
    const early = await seller.send('POST', `/offers/${id}/publish`);
    expect([early.status, early.body.reason]).toEqual([422, 'approval_required']);
    expect(billing.of(ulidToUuid(id))).toEqual([]);
    const unasked = await as(seller, ada)('POST', `/offers/${id}/approve`, {});
    expect([unasked.status, unasked.body.reason]).toEqual([422, 'approval_not_requested']);
    for (const _ of [1, 2]) {
      const asked = await seller.send('POST', `/offers/${id}/request-approval`);
      expect(asked.status).toBe(201);
      expect(asked.body.approval).toMatchObject({
        state: 'requested',
        approvers: [
          { id: ada, name: 'Ada Berg' },
          { id: bo, name: 'Bo Berg' },
        ],
        decisions: [],
      });
    }
    for (const send of [seller.send, as(seller, newUuid())]) {
      const stranger = await send('POST', `/offers/${id}/approve`, {});
      expect([stranger.status, stranger.body.reason]).toEqual([403, 'not_an_approver']);
    }
    for (const _ of [1, 2]) {
      const first = await as(seller, ada)('POST', `/offers/${id}/approve`, { comment: 'Passt.' });
      expect([first.status, first.body.approval.state]).toEqual([201, 'requested']);
    }
    expect((await seller.send('POST', `/offers/${id}/publish`)).body.reason).toBe('approval_required');
    expect((await as(seller, bo)('POST', `/offers/${id}/approve`, {})).body.approval.state).toBe('approved');
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    expect(await notices(id)).toEqual(['offer.approval.requested', 'offer.approved', 'offer.published']);
    // Asking twice is one mail to each.
    expect(await mailed(id)).toEqual([ada, bo]);
    const log = (await seller.send('GET', `/offers/${id}/audit-log`)).body.data;
    expect(log.map(({ action, details }: Record<string, unknown>) => [action, details])).toEqual([
      ['approval_requested', null],
      ['approved', { comment: 'Passt.' }],
      ['approved', { comment: null }],
    ]);
  });

  it('is asked for again after a refusal, and after a change', async () => {
    const { seller, id } = await approved([ada]);
    expect((await seller.send('POST', `/offers/${id}/request-approval`)).status).toBe(201);
    const silent = await as(seller, ada)('POST', `/offers/${id}/reject`, {});
    expect([silent.status, silent.body.violations[0].propertyPath]).toEqual([400, 'comment']);
    const refused = await as(seller, ada)('POST', `/offers/${id}/reject`, { comment: 'Zu billig.' });
    expect([refused.status, refused.body.approval.state]).toEqual([201, 'rejected']);
    expect((await seller.send('POST', `/offers/${id}/publish`)).body.reason).toBe('approval_required');
    expect((await seller.send('POST', `/offers/${id}/request-approval`)).body.approval.state).toBe('requested');
    expect((await as(seller, ada)('POST', `/offers/${id}/approve`, {})).body.approval.state).toBe('approved');
    const changed = await seller.send('PUT', `/offers/${id}`, {
      customer: seller.customerId,
      subscription: seller.subscriptionId,
      name: 'Anders',
    });
    expect([changed.status, changed.body.approval.state]).toEqual([200, 'outdated']);
    expect((await seller.send('POST', `/offers/${id}/publish`)).body.reason).toBe('approval_required');
    expect((await as(seller, ada)('POST', `/offers/${id}/approve`, {})).body.reason).toBe('approval_not_requested');
    expect(await mailed(id)).toEqual([ada, ada]);
    expect(await notices(id)).toEqual([
      'offer.approval.requested',
      'offer.rejected',
      'offer.approval.requested',
      'offer.approved',
    ]);
  });

  it('is for the prices of its request: asked for again when one was changed', async () => {
    const { seller, id } = await approved([ada]);
    const body = { customer: seller.customerId, sections: [{ type: 'items', items: [SEATS] }] };
    expect((await seller.send('PUT', `/offers/${id}`, body)).status).toBe(200);
    const priced = (version: number): void => {
      const price = { pricePlan: SEATS.pricePlan, version, name: 'Seats', unitPrice: null, billingInterval: '1M' };
      billing.answers = () => ({ subscriptionId: newUuid(), quote: QUOTE, prices: [price] });
    };
    const publish = () => seller.send('POST', `/offers/${id}/publish`);
    const isApproved = async (): Promise<void> => {
      const asked = await seller.send('POST', `/offers/${id}/request-approval`);
      expect([asked.status, asked.body.approval]).toMatchObject([201, { state: 'requested', decisions: [] }]);
      expect(asked.body.approval).not.toHaveProperty('prices');
      expect((await as(seller, ada)('POST', `/offers/${id}/approve`, {})).body.approval.state).toBe('approved');
    };
    priced(1);
    await isApproved();
    priced(2);
    const refused = await publish();
    expect([refused.status, refused.body.reason]).toEqual([422, 'approval_required']);
    expect(refused.body.detail).toMatch(/price .* was changed/);
    // Nothing is held for it, so that the price can be changed back.
    expect(billing.of(ulidToUuid(id))).toEqual([]);
    await isApproved();
    expect(await mailed(id)).toEqual([ada, ada]);
    expect((await publish()).status).toBe(201);
  });

  it('cannot be asked for while prices are not known', async () => {
    const { seller, id } = await approved([ada]);
    const body = { customer: seller.customerId, sections: [{ type: 'items', items: [SEATS] }] };
    expect((await seller.send('PUT', `/offers/${id}`, body)).status).toBe(200);
    billing.isAway = true;
    const asked = await seller.send('POST', `/offers/${id}/request-approval`);
    expect([asked.status, asked.body.reason]).toEqual([503, 'service_unavailable']);
  });

  it('of somebody who was named since is missing', async () => {
    const { seller, id } = await approved([ada]);
    expect((await seller.send('POST', `/offers/${id}/request-approval`)).status).toBe(201);
    expect((await as(seller, ada)('POST', `/offers/${id}/approve`, {})).status).toBe(201);
    await offers.giveCopy('settings', seller.id, seller.id, { offers: { approvers: [ada, bo], reminderDays: [] } }, 2);
    expect((await seller.send('POST', `/offers/${id}/publish`)).body.reason).toBe('approval_required');
    const asked = await seller.send('POST', `/offers/${id}/request-approval`);
    expect(asked.body.approval).toMatchObject({ state: 'requested', decisions: [{ approver: ada }] });
    expect(await mailed(id)).toEqual([ada, bo]);
    expect((await as(seller, bo)('POST', `/offers/${id}/approve`, {})).body.approval.state).toBe('approved');
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    expect(billing.refusal).toBeNull();
  });

  it('of somebody who is named no more is not waited for', async () => {
    const { seller, id } = await approved([ada], [bo]);
    expect((await seller.send('POST', `/offers/${id}/request-approval`)).status).toBe(201);
    expect((await as(seller, ada)('POST', `/offers/${id}/approve`, {})).body.approval.state).toBe('requested');
    expect((await seller.send('POST', `/offers/${id}/publish`)).body.reason).toBe('approval_required');
    const body = { customer: seller.customerId, subscription: seller.subscriptionId, approvers: [] };
    expect((await seller.send('PUT', `/offers/${id}`, body)).status).toBe(200);
    for (const _ of [1, 2]) {
      const asked = await seller.send('POST', `/offers/${id}/request-approval`);
      expect(asked.body.approval).toMatchObject({ state: 'approved', approvers: [{ id: ada }] });
    }
    const late = await as(seller, bo)('POST', `/offers/${id}/reject`, { comment: 'Zu billig.' });
    expect([late.status, late.body.reason]).toEqual([403, 'not_an_approver']);
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    expect(await mailed(id)).toEqual([ada, bo]);
    expect(await notices(id)).toEqual(['offer.approval.requested', 'offer.approved', 'offer.published']);
  });

  it('of somebody who has left is not waited for, nor asked for again', async () => {
    const { seller, id } = await approved([ada, bo]);
    expect((await seller.send('POST', `/offers/${id}/request-approval`)).status).toBe(201);
    expect((await as(seller, ada)('POST', `/offers/${id}/approve`, {})).status).toBe(201);
    await offers.giveCopy('settings', seller.id, seller.id, { offers: { approvers: [ada], reminderDays: [] } }, 2);
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    const refused = await approved([ada], [bo]);
    expect((await refused.seller.send('POST', `/offers/${refused.id}/request-approval`)).status).toBe(201);
    for (const [user, path] of [
      [ada, 'approve'],
      [bo, 'reject'],
    ] as const)
      expect((await as(refused.seller, user)('POST', `/offers/${refused.id}/${path}`, { comment: 'So.' })).status).toBe(
        201,
      );
    expect((await refused.seller.send('POST', `/offers/${refused.id}/publish`)).body.reason).toBe('approval_required');
  });

  it('is not asked of nobody, or of somebody who is gone', async () => {
    const nobody = await approved([]);
    const refused = await nobody.seller.send('POST', `/offers/${nobody.id}/request-approval`);
    expect([refused.status, refused.body.reason]).toEqual([422, 'no_approvers']);
    const gone = await approved([newUuid()]);
    const unknown = await gone.seller.send('POST', `/offers/${gone.id}/request-approval`);
    expect([unknown.status, unknown.body.reason]).toEqual([422, 'unknown_reference']);
  });

  it('is for users to give: nobody else is named, and who was named stays', async () => {
    const { seller, id } = await approved([], [bo]);
    const body = { customer: seller.customerId, subscription: seller.subscriptionId };
    const made = await seller.send('POST', '/offers', { ...body, approvers: [newUuid()] });
    expect([made.status, made.body.reason]).toEqual([422, 'unknown_reference']);
    const gone = { id: bo, email: 'bo@x.example', firstName: 'Bo', lastName: 'Berg', deactivated: true };
    await offers.giveCopy('user', seller.id, bo, gone, 2);
    expect((await seller.send('PUT', `/offers/${id}`, { ...body, approvers: [bo, ada] })).body.approvers).toEqual([
      bo,
      ada,
    ]);
    const unknown = await seller.send('PUT', `/offers/${id}`, { ...body, approvers: [bo, newUuid()] });
    expect([unknown.status, unknown.body.reason]).toEqual([422, 'unknown_reference']);
  });
});
