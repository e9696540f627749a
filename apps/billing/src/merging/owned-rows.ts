import type { CustomerRows } from '@kontor/persistence';

/** What belongs to a customer here. Its e-mail addresses have ids of their own customer and are made anew. */
export const OWNED_ROWS: readonly CustomerRows[] = [
  { object: 'subscription', table: 'subscription' },
  { object: 'subscription_item', table: 'subscription_item' },
  { object: 'price_plan', table: 'price_plan' },
  { object: 'billing_group', table: 'billing_group' },
  { object: 'coupon_redemption', table: 'coupon_redemption' },
  { object: 'entitlement', table: 'entitlement' },
  { object: 'usage_correction', table: 'usage_correction', id: 'closing_id' },
  { object: 'sale', table: 'sale' },
  { object: 'customer_address', table: 'customer_address' },
  { object: 'contact_person', table: 'contact_person' },
];
