import type { Outcome } from './plain-offer.js';

const HOUR = 3_600_000;
const LIFE = 24 * HOUR;
const REMIND_AFTER = 4 * HOUR;

/** What billing sells, and for how much. */
export interface Price {
  readonly id: string;
  amount: number;
  isArchived: boolean;
}

export interface Coupon {
  readonly code: string;
  isEnabled: boolean;
}

export interface PlainLink {
  readonly id: string;
  readonly slug: string;
  readonly price: Price;
  readonly maxSales: number | null;
  readonly allowCoupons: boolean;
  readonly quantityEditable: boolean;
  readonly sendReminder: boolean;
  isEnabled: boolean;
  sold: number;
}

/** What an order says. */
export interface PlainOrder {
  readonly expectedTotal: number | null;
  /** Null: the one that the cart knows. */
  readonly country: string | null;
  readonly gateway: 'testing' | 'fake_provider' | null;
}

const BOUNDS = [2, 9] as const;

/** Why nothing is sold by the link; null: it sells. */
export function closedFor({ isEnabled, maxSales, sold }: PlainLink): Outcome | null {
  if (!isEnabled) return 'link_disabled';
  return maxSales !== null && sold >= maxSales ? 'sold_out' : null;
}

/** A cart as its rules say, without a database and without time of its own. */
export class PlainCart {
  status: 'open' | 'confirming' | 'completed' | 'redirect_to_payment' | 'paid' | 'expired' = 'open';
  quantity = 3;
  country: string | null = null;
  coupon: Coupon | null = null;
  shown = 0;
  private shownNet = 0;
  sales = 0;
  paid = 0;
  abandoned = 0;
  reminded = 0;
  /** Of the order that is under way. */
  gateway: PlainOrder['gateway'] = null;
  readonly expiresAt: number;
  private touchedAt: number;

  constructor(
    readonly id: string,
    readonly token: string,
    readonly link: PlainLink | null,
    readonly price: Price,
    readonly isKnown: boolean,
    public hasEmail: boolean,
    now: number,
  ) {
    this.expiresAt = now + LIFE;
    this.touchedAt = now;
    this.show();
  }

  /** What billing says that it costs by now. */
  cost(): number {
    return this.net() * (this.isKnown || this.country === null || this.country === 'DE' ? 119 : 100);
  }

  private net(): number {
    return this.price.amount * this.quantity * (this.coupon ? 1 : 2);
  }

  private show(): void {
    this.shown = this.cost();
    this.shownNet = this.net();
  }

  /** Why billing sells it to nobody; null: it does. */
  refusal(): Outcome | null {
    if (this.price.isArchived) return 'no_longer_sold';
    return this.coupon && !this.coupon.isEnabled ? 'coupon_disabled' : null;
  }

  changeQuantity(now: number, quantity: number, isAway: boolean): Outcome {
    const over = this.isOver(now);
    if (over) return over;
    if (this.link && !this.link.quantityEditable) return 'quantity_not_editable';
    const [min, max] = this.link ? BOUNDS : [1, Infinity];
    if (quantity < min || quantity > max) return 'validation_failed';
    return this.change(now, { quantity }, isAway);
  }

  setCoupon(now: number, coupon: Coupon | null, isAway: boolean): Outcome {
    const over = this.isOver(now);
    if (over) return over;
    if (coupon && this.link?.allowCoupons === false) return 'coupon_not_allowed';
    return this.change(now, { coupon }, isAway);
  }

  setCountry(now: number, country: string, isAway: boolean): Outcome {
    return this.isOver(now) ?? this.change(now, { country }, isAway);
  }

  /** `isAway`: billing cannot be asked; `isLeft`: nobody goes on with it after it was taken. */
  confirm(now: number, order: PlainOrder, isAway: boolean, isLeft = isAway): Outcome {
    if (this.status !== 'open' && this.status !== 'expired') return 'done';
    const closed = this.isOver(now) ?? (this.link && closedFor(this.link));
    if (closed) return closed;
    const { expectedTotal, country, gateway } = order;
    if (country !== null && country !== this.country && !this.isKnown) {
      if (isAway) return 'service_unavailable';
      const refused = this.refusal();
      if (refused) return refused;
      const hasOtherPrice = this.net() !== this.shownNet;
      this.country = country;
      this.show();
      if (hasOtherPrice) {
        this.touchedAt = now;
        return 'total_changed';
      }
    }
    if (expectedTotal !== null && expectedTotal !== this.shown) {
      this.touchedAt = now;
      return 'total_changed';
    }
    this.hasEmail = true;
    this.gateway = gateway;
    this.status = 'confirming';
    if (this.link) this.link.sold += 1;
    return isLeft ? 'done' : this.settle(now);
  }

  /** What becomes of an order, by whoever makes it, as soon as billing can be asked; `isSold`: it did that before. */
  settle(now: number, isSold = false): Outcome {
    const isAsShown = this.cost() === this.shown && this.net() === this.shownNet;
    const refused = isSold ? null : (this.refusal() ?? (isAsShown ? null : 'total_changed'));
    if (!refused) {
      this.status = this.gateway === 'fake_provider' ? 'redirect_to_payment' : 'completed';
      this.sales += 1;
      return 'done';
    }
    this.status = 'open';
    this.touchedAt = now;
    if (this.link) this.link.sold -= 1;
    if (refused === 'total_changed') this.show();
    return refused;
  }

  /** What it shows after an order of which nobody knows whether it was refused. */
  learn(total: number, country: string | null): void {
    if (!this.isKnown) this.country = country;
    if (total === this.cost()) this.show();
  }

  pay(): void {
    if (this.status !== 'completed' && this.status !== 'redirect_to_payment') return;
    this.status = 'paid';
    this.paid += 1;
  }

  /** The checks of a moment. */
  pass(now: number): void {
    if (this.status !== 'open') return;
    const canRemind = this.link?.sendReminder === true && (this.hasEmail || this.isKnown) && this.reminded === 0;
    if (this.expiresAt <= now) {
      this.status = 'expired';
      if (this.hasEmail || this.isKnown) this.abandoned += 1;
    } else if (canRemind && this.touchedAt + REMIND_AFTER <= now) this.reminded = 1;
  }

  private isOver(now: number): Outcome | null {
    if (this.status === 'expired' || (this.status === 'open' && this.expiresAt <= now)) return 'cart_expired';
    return this.status === 'open' ? null : 'invalid_status_transition';
  }

  private change(
    now: number,
    wanted: Partial<Pick<PlainCart, 'quantity' | 'coupon' | 'country'>>,
    isAway: boolean,
  ): Outcome {
    if (isAway) return 'service_unavailable';
    const { quantity, coupon, country } = this;
    Object.assign(this, wanted);
    const refused = this.refusal();
    if (refused) {
      Object.assign(this, { quantity, coupon, country });
      return refused;
    }
    this.show();
    this.touchedAt = now;
    return 'done';
  }
}
