import type { CustomerData } from '@kontor/service-kit';

/** Names of discounts that were given by hand; those of coupons name no customer. */
const UNNAMED_DISCOUNTS = `CASE
  WHEN discounts::jsonb @? '$[*] ? (@.couponId == null && @.terms.name != "")' THEN (
    SELECT json_agg(CASE WHEN d->>'couponId' IS NULL THEN jsonb_set(d, '{terms,name}', '""') ELSE d END ORDER BY n)
    FROM jsonb_array_elements(discounts::jsonb) WITH ORDINALITY AS given (d, n))
  ELSE discounts END`;

/** What this service knows of customers. The customer itself is overwritten when its anonymization begins. */
export const customerData: CustomerData = {
  tables: [
    { table: 'customer', of: 't.id = $2', erasure: 'nothing' },
    { table: 'customer_address', erasure: 'delete' },
    { table: 'contact_person', erasure: 'delete' },
    { table: 'customer_email_address', erasure: 'delete' },
    {
      table: 'import_line',
      of: 't.object_id = $2 OR t.object_id IN (SELECT s.id FROM subscription s WHERE s.tenant_id = $1 AND s.customer_id = $2)',
      key: 'ctid',
      erasure: { set: { cells: `'{}'`, message: 'NULL' } },
    },
    {
      table: 'subscription',
      erasure: {
        set: {
          name: 'NULL',
          external_id: 'NULL',
          po_number: 'NULL',
          custom_fields: 'NULL',
          cancellation_reason: 'NULL',
          invoice_address_id: 'NULL',
        },
      },
    },
    {
      table: 'subscription_item',
      erasure: { set: { name: 'NULL', description: 'NULL', discounts: UNNAMED_DISCOUNTS } },
    },
    { table: 'charge_batch', erasure: 'nothing' },
    { table: 'sale', erasure: 'delete' },
    { table: 'billing_account', erasure: 'nothing' },
    { table: 'billing_group', erasure: { set: { name: `''` } } },
    { table: 'price_plan', erasure: { set: { internal_name: 'NULL' } } },
    { table: 'coupon_redemption', erasure: 'nothing' },
    { table: 'entitlement', erasure: 'nothing' },
    { table: 'usage_correction', erasure: 'nothing' },
    { table: 'anonymization', erasure: 'nothing' },
  ],
  obstacles: [
    {
      code: 'running_subscriptions',
      message: 'Subscriptions are active or paused: cancel or terminate them, and wait until they have ended.',
      sql: `EXISTS (SELECT FROM subscription WHERE tenant_id = $1 AND customer_id = $2 AND status IN ('active', 'paused'))`,
    },
    {
      code: 'unbilled_charges',
      message: 'Something is still to be billed: wait for its invoice.',
      // What is on its way to who gets its invoices names it, too.
      sql: `EXISTS (SELECT FROM charge_batch WHERE tenant_id = $1 AND customer_id = $2 AND settled_at IS NULL)
        OR EXISTS (
          SELECT FROM charge_batch b JOIN subscription s ON s.tenant_id = $1 AND b.subscription_ids ? s.id::text
          WHERE b.tenant_id = $1 AND b.settled_at IS NULL AND s.customer_id = $2)
        OR EXISTS (SELECT FROM subscription_item WHERE tenant_id = $1 AND customer_id = $2 AND next_due_on IS NOT NULL)`,
    },
  ],
};
