import type { CustomerState } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { Replicas, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import {
  accept,
  assertVersion,
  cancelSigning,
  cannotSign,
  completeSigning,
  giveInvoiceDetails,
  type InvoiceDetails,
  sign,
} from '../domain/offers/accept.js';
import { agreedHash } from '../domain/offers/offer.js';
import type { OfferRow } from '../offers/offer.row.js';
import { OFFER_DOCUMENTS, saleOf, saveOffer, setAlarms } from '../offers/save-offer.js';
import { addAudit, type Visitor } from '../recipients/audit.row.js';
import { type RecipientRow, recipients, type Signature } from '../recipients/recipient.row.js';

export interface Signing {
  readonly recipient: RecipientRow;
  readonly visitor: Visitor;
  /** What the recipient read; null: whatever is published. */
  readonly versionHash: string | null;
}

/**
 * The ways in which an offer is accepted. The offer is locked by the caller, which makes one of any number of simultaneous acceptances
 * the first; what follows in billing is due work of the same transaction.
 */
@Injectable()
export class AcceptOffer {
  constructor(private readonly replicas: Replicas) {}

  /** @throws DomainError `offer_changed`, `offer_expired`, `invalid_status_transition`, `recipient_cannot_sign`, `signature_required` */
  async byClick(tx: TenantTx, offer: OfferRow, { recipient, visitor, versionHash }: Signing): Promise<void> {
    if (recipient.role !== 'sign') throw cannotSign();
    // A second click finds what the first one did.
    if (offer.status === 'signed' && isAccepted(offer, versionHash)) return;
    const step = accept(offer, tx.now);
    assertVersion(offer, versionHash);
    assertMode(offer, 'click');
    recipient.signedAt = tx.now;
    await recipients.update(tx, recipient, ['signedAt']);
    await addAudit(tx, { ...entry(offer, recipient, visitor), action: 'accepted' });
    await this.finish(tx, offer, step);
  }

  /** @throws DomainError as `byClick`, `already_signed`, `not_your_turn` */
  async bySignature(
    tx: TenantTx,
    offer: OfferRow,
    { recipient, visitor, versionHash }: Signing,
    signature: Signature,
  ): Promise<void> {
    const all = await recipients.find(tx, { offerId: offer.id });
    const { step, isLast } = sign(offer, { recipients: all, signerId: recipient.id, now: tx.now });
    assertVersion(offer, versionHash);
    assertMode(offer, 'esignature');
    Object.assign(recipient, { signature, signedAt: tx.now });
    await recipients.update(tx, recipient, ['signature', 'signedAt']);
    await addAudit(tx, {
      ...entry(offer, recipient, visitor),
      action: 'signed',
      name: signature.name,
      details: { signatureType: signature.type },
    });
    Object.assign(offer, step);
    if (!isLast) return this.keep(tx, offer);
    await this.finish(
      tx,
      offer,
      completeSigning(offer, { detailsMissing: await this.lacksAddress(tx, offer), now: tx.now }),
    );
  }

  /** Staff records an acceptance: on paper, on the telephone. @throws DomainError `invalid_status_transition`, `offer_expired` */
  async byStaff(tx: TenantTx, offer: OfferRow): Promise<void> {
    if (offer.status === 'signed' && offer.saleState === 'failed') return this.begin(tx, offer);
    const step = accept(offer, tx.now);
    await addAudit(tx, { offerId: offer.id, action: 'accepted_by_staff', versionHash: agreedHash(offer) });
    await this.finish(tx, offer, step);
  }

  /** @throws DomainError `invalid_status_transition`, `offer_changed`: other details made another tax of it meanwhile */
  async withDetails(
    tx: TenantTx,
    offer: OfferRow,
    { recipient, visitor, versionHash }: Signing,
    details: InvoiceDetails,
  ): Promise<void> {
    if (recipient.role !== 'sign') throw cannotSign();
    const step = giveInvoiceDetails(offer, details, tx.now);
    assertVersion(offer, versionHash);
    await addAudit(tx, { ...entry(offer, recipient, visitor), action: 'invoice_details_given' });
    await this.finish(tx, offer, step);
  }

  /** Back to open: all sign again. @throws DomainError `invalid_status_transition` */
  async cancel(tx: TenantTx, offer: OfferRow): Promise<void> {
    Object.assign(offer, cancelSigning(offer));
    const signers = await recipients.find(tx, { offerId: offer.id });
    await recipients.update(
      tx,
      signers.map((signer) => Object.assign(signer, { signature: null, signedAt: null })),
      ['signature', 'signedAt'],
    );
    await addAudit(tx, { offerId: offer.id, action: 'signing_cancelled', versionHash: agreedHash(offer) });
    await this.keep(tx, offer);
  }

  private async finish(tx: TenantTx, offer: OfferRow, step: Partial<OfferRow>): Promise<void> {
    Object.assign(offer, step);
    if (offer.status === 'signed') return this.begin(tx, offer);
    await this.keep(tx, offer);
  }

  /** What was accepted stays accepted: the rest is due work, however long billing is away. */
  private async begin(tx: TenantTx, offer: OfferRow): Promise<void> {
    const isFirst = offer.saleState === null;
    Object.assign(offer, { saleState: 'pending', saleFailure: null });
    await scheduleDue(tx, saleOf(offer, tx.now));
    if (isFirst) await scheduleDue(tx, { kind: OFFER_DOCUMENTS, ref: offer.id, dueAt: tx.now });
    await saveOffer(tx, offer, isFirst ? 'offer.signed' : null);
    await setAlarms(tx, offer);
  }

  private async keep(tx: TenantTx, offer: OfferRow): Promise<void> {
    await saveOffer(tx, offer, null);
    await setAlarms(tx, offer);
  }

  /** Whether an invoice would have no address to go to. */
  private async lacksAddress(tx: TenantTx, offer: OfferRow): Promise<boolean> {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', offer.customerId);
    return !customer?.addresses?.some(({ status, street, zip, city }) => status === 'active' && street && zip && city);
  }
}

const isAccepted = (offer: OfferRow, versionHash: string | null): boolean =>
  offer.acceptanceMode === 'click' && (versionHash === null || versionHash === agreedHash(offer));

/** @throws DomainError `signature_required`, `not_acceptable_online` */
function assertMode(offer: OfferRow, mode: 'click' | 'esignature'): void {
  const wanted = offer.published?.content.acceptanceMode ?? offer.acceptanceMode;
  if (wanted === mode) return;
  if (wanted === 'esignature')
    throw new DomainError('signature_required', { detail: 'The offer is accepted by signatures.' });
  if (wanted === 'click')
    throw new DomainError('no_signature_wanted', { detail: 'The offer is accepted by a click, without signature.' });
  throw new DomainError('not_acceptable_online', { detail: 'The offer is accepted on paper.' });
}

const entry = (offer: OfferRow, recipient: RecipientRow, visitor: Visitor) => ({
  offerId: offer.id,
  email: recipient.email,
  versionHash: agreedHash(offer),
  ...visitor,
});
