import type { CustomerState, TenantState } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { hasExpired, isOver } from '../domain/offers/offer.js';
import { lockOffer } from '../offers/offer.read.js';
import { type OfferRow, offers } from '../offers/offer.row.js';
import { announceExpiry } from '../offers/save-offer.js';
import { type RecipientRow, recipients } from '../recipients/recipient.row.js';
import { digestOf, isToken } from '../recipients/tokens.js';

/** Everything that is known behind a recipient's link. */
export interface OpenedOffer {
  readonly offer: OfferRow;
  readonly recipient: RecipientRow;
  readonly customer: CustomerState | null;
  readonly seller: string;
  readonly sandbox: boolean;
  readonly timeZone: string;
  readonly expired: boolean;
}

/** Finds what a recipient's token leads to. A wrong token, an unpublished offer and one put away look the same. */
@Injectable()
export class OpenOffer {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** The offer as its recipient sees it. The first who opens it after its end announces that. @throws DomainError `not_found` */
  async execute(token: string): Promise<OpenedOffer> {
    const { tenantId, id } = await this.locate(token);
    const opened = await this.database.tenant(tenantId, (tx) => this.load(tx, id, (offer) => offers.get(tx, offer)), {
      readOnly: true,
    });
    if (!opened.expired || opened.offer.expiredFor?.getTime() === opened.offer.validUntil?.getTime()) return opened;
    await this.database.tenant(tenantId, async (tx) => {
      const offer = await lockOffer(tx, opened.offer.id);
      if (hasExpired(offer, tx.now)) await announceExpiry(tx, [offer]);
    });
    return opened;
  }

  /** Does something with the locked offer on behalf of its recipient. @throws DomainError `not_found`, 410 `offer_expired` */
  async change(token: string, act: (tx: TenantTx, opened: OpenedOffer) => Promise<void>): Promise<OpenedOffer> {
    const { tenantId, id } = await this.locate(token);
    const opened = await this.database.tenant(tenantId, async (tx) => {
      const found = await this.load(tx, id, (offer) => lockOffer(tx, offer));
      // The announcement is committed before the recipient reads that it is over.
      if (found.expired) {
        if (hasExpired(found.offer, tx.now)) await announceExpiry(tx, [found.offer]);
      } else await act(tx, found);
      return found;
    });
    if (opened.expired) throw expired();
    return opened;
  }

  private async locate(token: string): Promise<{ tenantId: string; id: string }> {
    if (!isToken(token)) throw notFound('The offer');
    const [found] = await this.database.system((sql) =>
      sql.query<{ tenantId: string; id: string }>(
        'SELECT tenant_id AS "tenantId", id FROM offer_recipient_by_digest($1)',
        [digestOf(token)],
      ),
    );
    if (!found) throw notFound('The offer');
    return found;
  }

  private async load(
    tx: TenantTx,
    recipientId: string,
    read: (offerId: string) => Promise<OfferRow | null>,
  ): Promise<OpenedOffer> {
    const known = await recipients.get(tx, recipientId);
    const offer = known && (await read(known.offerId));
    if (!offer?.published || offer.status === 'archived') throw notFound('The offer');
    // Read again: who waited for the offer may have signed meanwhile.
    const recipient = await recipients.get(tx, recipientId);
    if (!recipient) throw notFound('The offer');
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    return {
      offer,
      recipient,
      customer: await this.replicas.get<CustomerState>(tx, 'customer', offer.customerId),
      seller: tenant?.name ?? '',
      sandbox: tenant?.mode === 'sandbox',
      timeZone: tenant?.timeZone ?? 'Europe/Berlin',
      expired: isOver(offer, tx.now),
    };
  }
}

/** 410: a link that was good once. */
export const expired = (): DomainError =>
  new DomainError('offer_expired', { kind: 'gone', detail: 'The offer has expired.' });
