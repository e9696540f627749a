import type { CustomerState } from '@kontor/contracts';
import { DomainError, isUuid, newUuid, notFound, unknownReference } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { checkoutLinks } from '../checkout-links/link.row.js';
import { readItems } from '../checkout-links/read-items.js';
import {
  assertChangeable,
  assertOnSale,
  type Buyer,
  CART_LIFE_MS,
  OPEN_OPTIONS,
  PLAIN_PAGE,
} from '../domain/carts/cart.js';
import { digestOf } from '../recipients/tokens.js';
import type { BuyerAddressDto, LinkCartDto, NewCartDto } from './cart.dto.js';
import { CartRow, carts } from './cart.row.js';
import type { CartJson } from './cart.schema.js';
import { CartLinks } from './cart-links.js';
import { QuoteCart } from './quote-cart.js';
import { SaveCart } from './save-cart.js';

type NewCart = Pick<
  CartRow,
  | 'linkId'
  | 'customerId'
  | 'customerEmail'
  | 'buyer'
  | 'items'
  | 'options'
  | 'afterCheckout'
  | 'page'
  | 'language'
  | 'couponCode'
  | 'metadata'
>;

/** Begins carts and changes them while they are open; each time billing says what they cost. */
@Injectable()
export class ChangeCart {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly quotes: QuoteCart,
    private readonly links: CartLinks,
    private readonly save: SaveCart,
  ) {}

  /** @throws DomainError `unknown_reference`, `customer_archived`, `validation_failed`, `coupon_*` */
  create(tenantId: string, body: NewCartDto): Promise<CartJson> {
    return this.begin(tenantId, {
      linkId: null,
      customerId: body.customer ?? null,
      customerEmail: body.customerEmail?.trim() ?? null,
      buyer: body.invoiceAddress ? buyerFrom(body.invoiceAddress) : null,
      items: readItems(body.items, OPEN_OPTIONS),
      options: OPEN_OPTIONS,
      afterCheckout: {
        url: body.afterCheckout?.url ?? null,
        confirmationMessage: body.afterCheckout?.confirmationMessage ?? null,
      },
      page: PLAIN_PAGE,
      language: null,
      couponCode: body.couponCode ?? null,
      metadata: body.metadata ?? null,
    });
  }

  /** @throws DomainError `not_found`, `link_disabled`, `link_not_open`, `sold_out`, `coupon_not_allowed` */
  async createByLink(
    tenantId: string,
    linkId: string,
    body: LinkCartDto,
    language: 'de' | 'en' | null = null,
  ): Promise<CartJson> {
    const link = await this.database.tenant(
      tenantId,
      async (tx) => {
        const found = await checkoutLinks.get(tx, linkId);
        if (!found) throw notFound('The checkout link');
        assertOnSale(found, tx.now);
        return found;
      },
      { readOnly: true },
    );
    if (body.couponCode && !link.options.allowCoupons) throw couponsNotAllowed();
    return this.begin(tenantId, {
      linkId,
      customerId: body.customer ?? null,
      customerEmail: body.customerEmail?.trim() ?? null,
      buyer: null,
      items: link.items,
      options: link.options,
      afterCheckout: link.afterCheckout,
      page: link.page,
      language,
      couponCode: body.couponCode ?? null,
      metadata: body.metadata ?? null,
    });
  }

  /**
   * Changes an open cart. What it costs then is asked for between two transactions; a change that came in between is the first.
   * @throws DomainError `not_found`, `cart_expired`, `invalid_status_transition`, 409 `request_in_progress`, and what the sale would refuse
   */
  async execute(
    tenantId: string,
    id: string,
    change: (
      cart: CartRow,
    ) => Partial<Pick<CartRow, 'items' | 'couponCode' | 'buyer' | 'customerEmail' | 'customFields' | 'language'>>,
  ): Promise<CartRow> {
    const before = await this.database.tenant(tenantId, (tx) => find(tx, id, change.name || 'change'), {
      readOnly: true,
    });
    const changed = change(before);
    const quote = await this.quotes.ofKnown(tenantId, { ...before, ...changed });
    return this.database.tenant(tenantId, async (tx) => {
      const cart = await find(tx, id, 'change', 'update');
      if (cart.version !== before.version)
        throw new DomainError('request_in_progress', {
          kind: 'conflict',
          detail: 'The cart was changed at the same time. Read it again.',
          retryAfterSeconds: 1,
        });
      Object.assign(cart, changed, { quote });
      await this.save.execute(tx, cart, null);
      return cart;
    });
  }

  /** Another coupon, or none. @throws DomainError `coupon_not_allowed` and what redeeming it would refuse */
  setCoupon(tenantId: string, id: string, couponCode: string | null): Promise<CartRow> {
    return this.execute(tenantId, id, (cart) => {
      if (couponCode !== null && !cart.options.allowCoupons) throw couponsNotAllowed();
      return { couponCode };
    });
  }

  private async begin(tenantId: string, wanted: NewCart): Promise<CartJson> {
    const { customerId } = wanted;
    await this.database.tenant(tenantId, (tx) => this.checkCustomer(tx, customerId, 'get'), { readOnly: true });
    const quote =
      wanted.linkId === null
        ? await this.quotes.execute(tenantId, wanted)
        : await this.quotes.ofKnown(tenantId, wanted);
    return this.database.tenant(tenantId, async (tx) => {
      await this.checkCustomer(tx, customerId, 'hold');
      const id = newUuid();
      const cart = Object.assign(new CartRow(), wanted, {
        tenantId,
        id,
        tokenDigest: digestOf(this.links.tokenOf({ tenantId, id })),
        customFields: null,
        remindedAt: null,
        version: 0,
        status: 'open' as const,
        quote,
        confirmation: null,
        result: null,
        attempt: 0,
        subscriptionId: null,
        invoiceId: null,
        invoicePaid: false,
        expiresAt: new Date(tx.now.getTime() + CART_LIFE_MS),
        expiredAt: null,
        createdAt: tx.now,
      });
      return this.save.withLink(await this.save.execute(tx, cart, null), cart);
    });
  }

  private async checkCustomer(tx: TenantTx, customerId: string | null, how: 'get' | 'hold'): Promise<void> {
    if (customerId === null) return;
    const customer = await this.replicas[how]<CustomerState>(tx, 'customer', customerId);
    if (!customer) throw unknownReference('customer');
    if (customer.status === 'STATUS_ARCHIVED')
      throw new DomainError('customer_archived', { detail: 'The customer is archived and buys nothing.' });
  }
}

const couponsNotAllowed = (): DomainError =>
  new DomainError('coupon_not_allowed', { detail: 'This offer takes no coupons.' });

/** An open cart. @throws DomainError `not_found`, `cart_expired`, `invalid_status_transition` */
async function find(tx: TenantTx, id: string, action: string, lock?: 'update'): Promise<CartRow> {
  const cart = isUuid(id) ? await carts.get(tx, id, lock ? { lock } : {}) : null;
  if (!cart) throw notFound('The cart');
  assertChangeable(cart, tx.now, action);
  return cart;
}

export const buyerFrom = (address: BuyerAddressDto): Buyer => ({
  companyName: address.companyName ?? null,
  firstName: address.firstName ?? null,
  lastName: address.lastName ?? null,
  street: address.street ?? null,
  houseNumber: address.houseNumber ?? null,
  zip: address.zip ?? null,
  city: address.city ?? null,
  addition: address.addition ?? null,
  countryCode: address.countryCode ?? null,
  vatId: address.vatId ?? null,
});
