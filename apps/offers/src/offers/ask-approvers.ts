import { type CustomerState, offerApprovalRequestedV1, type TenantState, type UserState } from '@kontor/contracts';
import type { CustomerId } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import type { Replicas, TenantTx } from '@kontor/persistence';
import type { Approver, OfferApproval } from '../domain/offers/approval.js';
import type { OfferRow } from './offer.row.js';

/** Has those mailed for whose approval the offer waits. */
export async function askApprovers(
  tx: TenantTx,
  replicas: Replicas,
  { offer, asked, waiting }: { offer: OfferRow; asked: OfferApproval; waiting: readonly Approver[] },
): Promise<void> {
  if (waiting.length === 0) return;
  const users = await replicas.getMany<UserState>(
    tx,
    'user',
    waiting.map(({ id }) => id),
  );
  const customer = await replicas.get<CustomerState>(tx, 'customer', offer.customerId);
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  const person = [customer?.firstName, customer?.lastName].filter(Boolean).join(' ');
  await appendEvents(
    tx,
    offerApprovalRequestedV1,
    waiting.flatMap(({ id, name }) => {
      const user = users.get(id);
      if (!user) return [];
      return {
        aggregateId: `${offer.id}:${id}:${asked.requestedAt}`,
        aggregateSeq: 1,
        payload: {
          offerId: offer.id,
          customerId: offer.customerId as CustomerId,
          userId: id,
          email: user.email,
          userName: name,
          language: user.language ?? offer.locale ?? 'de',
          number: offer.number,
          name: offer.name,
          customerName: customer?.companyName ?? (person || null),
          requestedBy: asked.requestedBy,
          requestedAt: asked.requestedAt,
          validUntil: offer.validUntil?.toISOString() ?? null,
          timeZone: tenant?.timeZone ?? 'Europe/Berlin',
        },
      };
    }),
  );
}
