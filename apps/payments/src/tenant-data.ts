import { BOOKS, type TenantData, VOUCHERS } from '@kontor/service-kit';
import { REVOKE_METHOD } from './due-kinds.js';
import { giveUpAll } from './payment-methods/give-up-methods.js';

const voucher = (table: string, from?: string) => ({ table, ...VOUCHERS, ...(from === undefined ? {} : { from }) });
const withLedger = (table: string) => ({ table, ...BOOKS, together: true }) as const;

/** What stays of a tenant that is deleted: its ledger, and what it is based on. */
export const tenantData: TenantData = {
  kept: [
    { table: 'ledger_transfer', ...BOOKS, from: 't.booked_at', through: 'erase_ledger' },
    withLedger('ledger_balance'),
    withLedger('ledger_account'),
    voucher('payment_intent', 't.created_at'),
    voucher('payment_transaction', 't.created_at'),
    voucher('payment_allocation', 't.created_at'),
    voucher('document_tax', 't.booked_at'),
    voucher('wallet'),
    voucher('wallet_lot', 't.created_at'),
    voucher('wallet_transaction', 't.created_at'),
    voucher('top_up', 't.created_at'),
    voucher('sepa_order', 't.created_at'),
    voucher('sepa_file', 't.created_at'),
    voucher('bank_account'),
    voucher('bank_entry', 't.booking_day::date::timestamptz'),
    voucher('bank_transaction', 't.booking_date'),
    voucher('bank_assignment', 't.created_at'),
  ],
  files: { sepa_file: 'blob_key' },
  work: [REVOKE_METHOD],
  beforeErased: giveUpAll,
};
