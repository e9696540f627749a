import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { BUSINESS_LETTERS, type CustomerData } from '@kontor/service-kit';
import { saleOf } from './offers/save-offer.js';

const offerOf = (accepted: boolean): string => `EXISTS (
  SELECT FROM offer o
  WHERE o.tenant_id = $1 AND o.id = t.offer_id AND o.customer_id = $2 AND o.accepted_at IS ${accepted ? 'NOT ' : ''}NULL)`;
/** When the contract that an accepted offer is was made. */
const ACCEPTED = '(SELECT o.accepted_at FROM offer o WHERE o.tenant_id = t.tenant_id AND o.id = t.offer_id)';
const withOffer = { ...BUSINESS_LETTERS, from: ACCEPTED, then: 'together' } as const;

/** Billing may hold prices for these offers, and a subscription. */
const release = (tx: TenantTx, ids: readonly string[]): Promise<void> =>
  scheduleDueMany(
    tx,
    ids.map((id) => saleOf({ id }, tx.now)),
  );

/** What this service knows of customers: accepted offers are contracts, all others go. */
export const customerData: CustomerData = {
  tables: [
    { table: 'offer_audit', of: offerOf(false), erasure: 'delete' },
    { table: 'offer_audit', of: offerOf(true), erasure: withOffer },
    { table: 'offer_document', of: offerOf(false), erasure: 'delete', files: { key: 'sha256', name: 'file_name' } },
    { table: 'offer_document', of: offerOf(true), erasure: withOffer, files: { key: 'sha256', name: 'file_name' } },
    { table: 'offer_recipient', of: offerOf(false), erasure: 'delete', secret: ['token_digest'] },
    { table: 'offer_recipient', of: offerOf(true), erasure: withOffer, secret: ['token_digest'] },
    {
      table: 'offer',
      where: 't.accepted_at IS NULL',
      erasure: 'delete',
      whenErased: release,
    },
    {
      table: 'offer',
      where: `t.sale_state = 'failed'`,
      erasure: { set: { sale_failure: `'customer_anonymized'` } },
      whenErased: release,
    },
    {
      table: 'offer',
      where: 't.accepted_at IS NOT NULL',
      erasure: {
        ...BUSINESS_LETTERS,
        from: 't.accepted_at',
        together: ['offer_audit', 'offer_document', 'offer_recipient'].map((table) => ({ table, column: 'offer_id' })),
      },
    },
    { table: 'cancellation_notice', erasure: { ...BUSINESS_LETTERS, from: 't.received_at' } },
    { table: 'cart', erasure: 'delete', secret: ['token_digest'] },
  ],
};
