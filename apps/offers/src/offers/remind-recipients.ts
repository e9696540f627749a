import { offerReminderDueV1 } from '@kontor/contracts';
import type { CustomerId } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { Database, type DueBatch, DueHandler, eachDueItem, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { isOver } from '../domain/offers/offer.js';
import { nextReminder, waitedFor } from '../domain/offers/reminders.js';
import { recipients } from '../recipients/recipient.row.js';
import { greetedName, mailContact } from '../recipients/send-links.js';
import { RecipientLinks } from '../recipients/tokens.js';
import { type OfferRow, offers } from './offer.row.js';
import { OFFER_REMINDER } from './save-offer.js';

/** Reminds those of an offer who got their links by mail and have not signed, before it ends: once each time, under the offer's lock. */
@Injectable()
@DueHandler({ kind: OFFER_REMINDER, batchSize: 50 })
export class RemindRecipients {
  constructor(
    private readonly database: Database,
    private readonly links: RecipientLinks,
  ) {}

  handle(batch: DueBatch): Promise<void> {
    return eachDueItem(this.database, batch, OFFER_REMINDER, (tx, item) => this.remind(tx, item.ref));
  }

  private async remind(tx: TenantTx, id: string): Promise<Date | null> {
    const offer = await offers.get(tx, id, { lock: 'update' });
    const dueAt = offer && nextReminder(offer);
    if (!dueAt || dueAt > tx.now) return dueAt;
    // Several that have passed while nobody was here are one.
    offer.remindedAt = tx.now;
    await offers.update(tx, offer, ['remindedAt']);
    if (!isOver(offer, tx.now)) await this.send(tx, offer, dueAt);
    return nextReminder(offer);
  }

  private async send(tx: TenantTx, offer: OfferRow, dueAt: Date): Promise<void> {
    const signers = waitedFor(await recipients.find(tx, { offerId: offer.id }));
    const mailed = signers.filter(({ sendEmail, mailedAt }) => sendEmail && mailedAt !== null);
    await appendEvents(
      tx,
      offerReminderDueV1,
      mailed.map((recipient) => ({
        aggregateId: `${recipient.id}:${dueAt.toISOString()}`,
        aggregateSeq: 1,
        payload: {
          recipientId: recipient.id,
          offerId: offer.id,
          customerId: offer.customerId as CustomerId,
          email: recipient.email,
          number: offer.number,
          name: offer.published?.content.name ?? null,
          language: offer.published?.content.locale ?? null,
          validUntil: (offer.validUntil ?? dueAt).toISOString(),
          dueAt: dueAt.toISOString(),
          contactPerson: mailContact(offer),
          recipientName: greetedName(recipient),
          link: this.links.linkOf(recipient),
        },
      })),
    );
  }
}
