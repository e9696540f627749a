import { BUSINESS_LETTERS, type KeptTable, type TenantData } from '@kontor/service-kit';

const ofContract = (table: string): KeptTable => ({
  table,
  ...BUSINESS_LETTERS,
  from: '(SELECT o.accepted_at FROM offer o WHERE o.tenant_id = t.tenant_id AND o.id = t.offer_id)',
  where: `EXISTS (
    SELECT FROM offer o WHERE o.tenant_id = t.tenant_id AND o.id = t.offer_id AND o.accepted_at IS NOT NULL)`,
});

/** What stays of a tenant that is deleted: accepted offers, which are contracts, and cancellations of contracts. */
export const tenantData: TenantData = {
  kept: [
    { table: 'offer', ...BUSINESS_LETTERS, from: 't.accepted_at', where: 't.accepted_at IS NOT NULL' },
    ofContract('offer_audit'),
    ofContract('offer_document'),
    ofContract('offer_recipient'),
    { table: 'cancellation_notice', ...BUSINESS_LETTERS, from: 't.received_at' },
  ],
};
