import { offerLinkSentV1 } from '@kontor/contracts';
import type { CustomerId } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { Offer } from '../domain/offers/offer.js';
import { type RecipientRow, recipients } from './recipient.row.js';
import { RecipientLinks } from './tokens.js';

/** Whom a mail about an offer names; it is as published. */
export function mailContact({ published }: Pick<Offer, 'published'>) {
  const person = published?.content.contactPerson ?? null;
  if (!person) return null;
  const { email, phone } = person;
  return { name: fullName(person), email, phone };
}

/** Whom a mail about an offer greets; null: somebody without a name. */
export const greetedName = (recipient: RecipientRow): string | null => fullName(recipient) || null;

const fullName = ({ firstName, lastName }: { readonly firstName: string | null; readonly lastName: string | null }) =>
  [firstName, lastName].filter(Boolean).join(' ');

/** Has links mailed to the recipients who are to get them so: once each, when the offer is published. */
@Injectable()
export class SendLinks {
  constructor(private readonly links: RecipientLinks) {}

  /** Those of a published offer who have not got theirs yet. The offer is locked by the caller. */
  async execute(tx: TenantTx, offer: Offer): Promise<void> {
    if (!offer.published) return;
    const waiting = await recipients.find(tx, { offerId: offer.id, sendEmail: true, mailedAt: null });
    if (waiting.length === 0) return;
    await appendEvents(
      tx,
      offerLinkSentV1,
      waiting.map((recipient) => ({
        aggregateId: recipient.id,
        aggregateSeq: 1,
        payload: this.mailTo(recipient, offer),
      })),
    );
    await recipients.update(
      tx,
      waiting.map((recipient) => Object.assign(recipient, { mailedAt: tx.now })),
      ['mailedAt'],
    );
  }

  private mailTo(recipient: RecipientRow, offer: Offer) {
    return {
      recipientId: recipient.id,
      offerId: offer.id,
      customerId: offer.customerId as CustomerId,
      email: recipient.email,
      number: offer.number,
      name: offer.published?.content.name ?? null,
      language: offer.published?.content.locale ?? null,
      validUntil: offer.validUntil?.toISOString() ?? null,
      link: this.links.linkOf(recipient),
      contactPerson: mailContact(offer),
      recipientName: greetedName(recipient),
    };
  }
}
