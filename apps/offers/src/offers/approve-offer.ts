import type { Principal } from '@kontor/contracts';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import {
  type ApprovalDecision,
  approvalState,
  decide,
  newlyAsked,
  requestApproval,
  standingRequest,
} from '../domain/offers/approval.js';
import { assertOpen, assertUnchanged } from '../domain/offers/offer.js';
import { addAudit } from '../recipients/audit.row.js';
import { askApprovers } from './ask-approvers.js';
import { AskPrices, versionsOf } from './ask-prices.js';
import { findApprovers } from './find-approvers.js';
import { lockOffer, ReadOffers } from './offer.read.js';
import { type OfferRow, offers } from './offer.row.js';
import type { OfferJson } from './offer.schema.js';
import { offerSettings } from './offer-settings.js';
import { saveOffer } from './save-offer.js';

/** People who have to approve an offer before it is published: those of the settings, and those that the offer names. */
@Injectable()
export class ApproveOffer {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly readOffers: ReadOffers,
    private readonly prices: AskPrices,
  ) {}

  /** Ids of all whose approval the offer needs. */
  async required(tx: TenantTx, { approvers }: Pick<OfferRow, 'approvers'>): Promise<string[]> {
    const settings = await offerSettings(tx, this.replicas);
    return [...new Set([...settings.approvers.map((id) => id.toLowerCase()), ...approvers])];
  }

  /** @throws DomainError `not_found`, `invalid_status_transition`, `no_approvers`, `unknown_reference` for somebody who is no user (any more) */
  async request(caller: Principal, id: string): Promise<OfferJson> {
    const { versionHash, prices } = await this.price(caller.tenantId, id);
    return this.change(caller, id, async (tx, offer) => {
      assertUnchanged(offer, versionHash);
      const approvers = await findApprovers(tx, this.replicas, await this.required(tx, offer));
      const asked = requestApproval(offer, approvers, { by: caller.name ?? null, prices, now: tx.now });
      if (asked === offer.approval) return;
      const waiting = newlyAsked(asked, standingRequest(offer, prices));
      const before = approvalState(offer);
      offer.approval = asked;
      await addAudit(tx, { ...entry(offer, caller), action: 'approval_requested' });
      await askApprovers(tx, this.replicas, { offer, asked, waiting });
      // They may have approved this version all, before somebody else was asked, or was not any more.
      const state = approvalState(offer);
      const isKnown = state === 'approved' && before === 'approved';
      await saveOffer(tx, offer, isKnown ? null : state === 'approved' ? 'offer.approved' : 'offer.approval.requested');
    });
  }

  /** @throws DomainError `not_found`, `invalid_status_transition`, `approval_not_requested`, 403 `not_an_approver` */
  decide(caller: Principal, id: string, decision: Pick<ApprovalDecision, 'decision' | 'comment'>): Promise<OfferJson> {
    return this.change(caller, id, async (tx, offer) => {
      const approver = caller.kind === 'user' ? caller.subjectId : '';
      const decided = decide(offer, { approver, ...decision }, tx.now);
      if (decided === offer.approval) return;
      offer.approval = decided;
      await addAudit(tx, {
        ...entry(offer, caller),
        action: decision.decision,
        details: { comment: decision.comment },
      });
      const state = approvalState(offer);
      const notice =
        decision.decision === 'rejected' ? 'offer.rejected' : state === 'approved' ? 'offer.approved' : null;
      await saveOffer(tx, offer, notice);
    });
  }

  /** The prices that will be approved: a later change of one makes that void. */
  private async price(tenantId: string, id: string) {
    const offer = await this.database.tenant(tenantId, (tx) => offers.get(tx, id), { readOnly: true });
    if (!offer) throw notFound('The offer');
    assertOpen(offer, 'approve');
    const { prices } = await this.prices.preview(offer);
    return { versionHash: offer.currentVersionHash, prices: versionsOf(prices) };
  }

  private change(
    { tenantId }: Principal,
    id: string,
    act: (tx: TenantTx, offer: OfferRow) => Promise<void>,
  ): Promise<OfferJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const offer = await lockOffer(tx, id);
      assertOpen(offer, 'approve');
      await act(tx, offer);
      return this.readOffers.shown(tx, offer);
    });
  }
}

const entry = (offer: OfferRow, { name }: Principal) => ({
  offerId: offer.id,
  name: name ?? null,
  versionHash: offer.currentVersionHash,
});
