import { type CustomerData, VOUCHERS } from '@kontor/service-kit';
import { giveUpAtProviders, REGISTERING } from './payment-methods/give-up-methods.js';

/** Amounts stay, because balances are their sum; what is said about people goes. */
const blank = (set: Readonly<Record<string, string>>, from = 't.created_at') => ({ ...VOUCHERS, from, then: { set } });
const assigned = `EXISTS (
  SELECT FROM bank_assignment a WHERE a.tenant_id = $1 AND a.bank_transaction_id = t.id AND a.customer_id = $2)`;

/** What this service knows of customers: ways to pay go, what was booked stays until its term is over. */
export const customerData: CustomerData = {
  tables: [
    {
      table: 'payment_method',
      erasure: {
        set: {
          name: 'NULL',
          details: `'{}'`,
          secret: 'NULL',
          // By its name there a provider is asked to give up the method, and forgotten when it has answered.
          reference_id: `CASE WHEN gateway_name IN (${REGISTERING.map((name) => `'${name}'`).join(', ')}) THEN reference_id END`,
          status_reason: 'NULL',
          is_default: 'false',
          enabled: 'false',
          deleted_at: 'coalesce(deleted_at, now())',
        },
      },
      secret: ['secret'],
      whenErased: giveUpAtProviders,
    },
    { table: 'method_link', erasure: 'delete', secret: ['token_digest'] },
    { table: 'method_registration', erasure: 'delete', secret: ['token_digest', 'input'] },
    {
      table: 'payer_page',
      of: `EXISTS (SELECT FROM payment_intent i WHERE i.tenant_id = $1 AND i.id = t.id AND i.customer_id = $2)`,
      erasure: 'delete',
      secret: ['token_digest'],
    },
    { table: 'auto_top_up_rule', erasure: 'delete' },
    { table: 'bank_payer', key: 'ctid', erasure: 'delete' },
    { table: 'payment_intent', erasure: blank({ fail_reason: 'NULL' }) },
    { table: 'payment_transaction', erasure: blank({ reference: 'NULL', description: 'NULL', fail_reason: 'NULL' }) },
    {
      table: 'sepa_order',
      erasure: blank({ party_name: `''`, remittance: `''`, iban_secret: 'NULL', bic: 'NULL', status_reason: 'NULL' }),
      secret: ['iban_secret'],
    },
    { table: 'bank_assignment', erasure: 'nothing' },
    {
      table: 'bank_transaction',
      of: assigned,
      erasure: blank(
        {
          reference: `''`,
          end_to_end_id: 'NULL',
          mandate_reference: 'NULL',
          counterparty_name: 'NULL',
          counterparty_iban: 'NULL',
          remittance_information: 'NULL',
          suggestions: `'[]'`,
        },
        't.booking_date',
      ),
    },
    {
      table: 'bank_entry',
      of: `EXISTS (SELECT FROM bank_transaction l WHERE l.tenant_id = $1 AND l.entry_id = t.id AND l.id IN (
        SELECT a.bank_transaction_id FROM bank_assignment a WHERE a.tenant_id = $1 AND a.customer_id = $2))`,
      erasure: blank(
        { bank_reference: 'NULL', end_to_end_id: 'NULL', counterparty_iban: 'NULL', text_key: `''` },
        't.booking_day::date::timestamptz',
      ),
    },
    { table: 'top_up', erasure: blank({ fail_reason: 'NULL' }) },
    { table: 'wallet', erasure: 'nothing' },
    { table: 'wallet_transaction', erasure: blank({ description: 'NULL' }) },
    { table: 'ledger_account', erasure: 'nothing' },
    { table: 'customer_books', erasure: 'nothing' },
  ],
  obstacles: [
    {
      code: 'wallet_balance',
      message: 'There is money in a wallet: pay it out or use it up.',
      sql: `EXISTS (SELECT FROM wallet WHERE tenant_id = $1 AND customer_id = $2 AND balance_minor <> 0)`,
    },
    {
      code: 'pending_payments',
      message: 'Payments are on their way: wait for their outcome.',
      sql: `EXISTS (
        SELECT FROM payment_transaction
        WHERE tenant_id = $1 AND customer_id = $2 AND status IN ('pending', 'action_required'))`,
    },
  ],
};
