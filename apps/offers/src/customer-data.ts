import { BUSINESS_LETTERS, type CustomerData } from '@kontor/service-kit';

const offerOf = (accepted: boolean): string => `EXISTS (
  SELECT FROM offer o
  WHERE o.tenant_id = $1 AND o.id = t.offer_id AND o.customer_id = $2 AND o.accepted_at IS ${accepted ? 'NOT ' : ''}NULL)`;
const letter = { ...BUSINESS_LETTERS, from: 't.created_at' };

/** What this service knows of customers: accepted offers are contracts, all others go. */
export const customerData: CustomerData = {
  tables: [
    { table: 'offer_audit', of: offerOf(false), erasure: 'delete' },
    { table: 'offer_audit', of: offerOf(true), erasure: { ...BUSINESS_LETTERS, from: 't.at' } },
    { table: 'offer_document', of: offerOf(false), erasure: 'delete', files: { key: 'sha256', name: 'file_name' } },
    { table: 'offer_document', of: offerOf(true), erasure: letter, files: { key: 'sha256', name: 'file_name' } },
    { table: 'offer_recipient', of: offerOf(false), erasure: 'delete', secret: ['token_digest'] },
    { table: 'offer_recipient', of: offerOf(true), erasure: letter, secret: ['token_digest'] },
    { table: 'offer', where: 't.accepted_at IS NULL', erasure: 'delete' },
    { table: 'offer', where: 't.accepted_at IS NOT NULL', erasure: letter },
    { table: 'cancellation_notice', erasure: { ...BUSINESS_LETTERS, from: 't.received_at' } },
    { table: 'cart', erasure: 'delete', secret: ['token_digest'] },
  ],
};
