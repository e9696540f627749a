import { BUSINESS_LETTERS, type KeptTable, type TenantData, VOUCHERS } from '@kontor/service-kit';

/** As the document that they are part of. */
const ofDocument = (table: string, also = 'true'): KeptTable => ({
  table,
  ...VOUCHERS,
  from: '(SELECT i.finalized_at FROM invoice i WHERE i.tenant_id = t.tenant_id AND i.id = t.invoice_id)',
  where: `${also} AND EXISTS (
    SELECT FROM invoice i WHERE i.tenant_id = t.tenant_id AND i.id = t.invoice_id AND i.finalized_at IS NOT NULL)`,
});

/** What stays of a tenant that is deleted: its documents as they were issued. */
export const tenantData: TenantData = {
  kept: [
    { table: 'invoice', ...VOUCHERS, from: 't.finalized_at', where: 't.finalized_at IS NOT NULL' },
    ofDocument('invoice_position'),
    ofDocument('invoice_history'),
    ofDocument('document_snapshot'),
    ofDocument('media', `t.kind <> 'preview'`),
    ofDocument('payment_operation'),
    { table: 'dunning_document', ...BUSINESS_LETTERS, from: 't.created_at' },
    { table: 'number_series', ...VOUCHERS },
  ],
};
