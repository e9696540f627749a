import { DomainError } from '@kontor/kernel';

/** What decides whether a coupon can be redeemed. */
export interface RedeemableCoupon {
  readonly status: 'active' | 'archived';
  readonly isEnabled: boolean;
  readonly validUntil: Date | null;
  readonly redemptions: number;
  readonly maxRedemptions: number | null;
  readonly maxRedemptionsPerCustomer: number | null;
}

const reached = (count: number, limit: number | null): boolean => limit !== null && count >= limit;

/**
 * `byCustomer`: how often the customer has redeemed it.
 * @throws DomainError `coupon_disabled`, `coupon_expired`, `coupon_exhausted`
 */
export function refuseUnredeemable(coupon: RedeemableCoupon, byCustomer: number, now: Date): void {
  if (coupon.status === 'archived' || !coupon.isEnabled)
    throw new DomainError('coupon_disabled', { detail: 'The coupon is disabled.' });
  if (coupon.validUntil !== null && now > coupon.validUntil)
    throw new DomainError('coupon_expired', {
      detail: `The coupon was valid until ${coupon.validUntil.toISOString()}.`,
    });
  if (reached(coupon.redemptions, coupon.maxRedemptions))
    throw new DomainError('coupon_exhausted', { detail: 'The coupon has been redeemed as often as it can be.' });
  if (reached(byCustomer, coupon.maxRedemptionsPerCustomer))
    throw new DomainError('coupon_exhausted', { detail: 'The customer has redeemed the coupon as often as it can.' });
}
