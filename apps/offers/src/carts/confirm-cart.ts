import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, newUuid, notFound } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { invalidRequest } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { checkoutLinks } from '../checkout-links/link.row.js';
import { answersOf, assertChangeable, assertOnSale, assertRedirect, type Buyer } from '../domain/carts/cart.js';
import type { ConfirmCartDto } from './cart.dto.js';
import { type CartRow, carts, type Confirmation } from './cart.row.js';
import { buyerFrom } from './change-cart.js';
import { CART_SALE, CompleteCart } from './complete-cart.js';
import { SaveCart } from './save-cart.js';

/** When somebody else takes a confirmation over that its request did not finish, in real time. */
const TAKE_OVER_MS = 20_000;
const PATIENCE_MS = 10_000;

/**
 * Orders what is in a cart. The first confirmation takes the cart, and one of the link's sales; all later ones answer what it
 * did, whatever they say.
 */
@Injectable()
export class ConfirmCart {
  constructor(
    private readonly database: Database,
    private readonly save: SaveCart,
    private readonly complete: CompleteCart,
  ) {}

  /** @throws DomainError `cart_expired`, `total_changed`, `sold_out`, `terms_not_accepted`, `company_required`, and what the sale refuses */
  async execute(tenantId: string, id: string, body: ConfirmCartDto, language: string | null): Promise<CartRow> {
    const { cart, isFirst } = await this.database.tenant(tenantId, (tx) => this.take(tx, id, body, language));
    if (!isFirst) return this.resultOf(tenantId, cart);
    return this.complete.execute(tenantId, cart);
  }

  private async take(tx: TenantTx, id: string, body: ConfirmCartDto, language: string | null) {
    const cart = await carts.get(tx, id, { lock: 'update' });
    if (!cart) throw notFound('The cart');
    if (cart.status !== 'open' && cart.status !== 'expired') return { cart, isFirst: false };
    assertChangeable(cart, tx.now, 'confirm');
    const buyer = body.newInvoiceAddress ? buyerFrom(body.newInvoiceAddress) : cart.buyer;
    const confirmation = confirmationOf(body, cart, language);
    check(cart, buyer, confirmation, body);
    if (confirmation.redirectUrl !== null) assertRedirect(confirmation.redirectUrl, cart);
    const customFields = answersOf(cart.page.customFields, body.customFields ?? cart.customFields);
    await takeSale(tx, cart);
    Object.assign(cart, {
      status: 'confirming',
      buyer,
      confirmation,
      customFields,
      customerEmail: confirmation.email ?? cart.customerEmail,
      attempt: cart.attempt + 1,
      invoiceId: newUuid(),
      invoicePaid: false,
    });
    await scheduleDue(tx, { kind: CART_SALE, ref: id, dueAt: new Date(Date.now() + TAKE_OVER_MS), wall: true });
    await this.save.execute(tx, cart, null);
    return { cart, isFirst: true };
  }

  /** What the first confirmation did, as soon as it has. */
  private async resultOf(tenantId: string, known: CartRow): Promise<CartRow> {
    let cart = known;
    for (const end = Date.now() + PATIENCE_MS; cart.status === 'confirming' && Date.now() < end;) {
      await sleep(50);
      const found = await this.database.tenant(tenantId, (tx) => carts.get(tx, known.id), { readOnly: true });
      if (!found) throw notFound('The cart');
      cart = found;
    }
    if (cart.status === 'open')
      throw new DomainError('confirmation_refused', {
        kind: 'conflict',
        detail: 'The order that was under way was refused. Look at the cart again.',
      });
    return cart;
  }
}

const confirmationOf = (body: ConfirmCartDto, cart: CartRow, language: string | null): Confirmation => ({
  email: body.email?.trim() ?? cart.customerEmail,
  phone: body.phone ?? null,
  language,
  invoiceAddressId: body.invoiceAddressId ?? null,
  paymentMethodId: body.paymentMethodId ?? null,
  newPaymentMethod: body.newPaymentMethod ?? (body.gateway ? { gateway: body.gateway } : null),
  redirectUrl: redirectUrlOf(body),
  expectedTotal: body.expectedTotal ?? null,
});

const redirectUrlOf = ({ newPaymentMethod }: ConfirmCartDto): string | null => {
  const url = newPaymentMethod?.['redirectUrl'];
  return typeof url === 'string' ? url : null;
};

/** @throws DomainError 400 `invalid_request`, 422 `terms_not_accepted`, `company_required`, `validation_failed` */
function check(cart: CartRow, buyer: Buyer | null, confirmation: Confirmation, body: ConfirmCartDto): void {
  if (body.acceptedTerms === false)
    throw new DomainError('terms_not_accepted', { detail: 'The order needs the consent to the terms.' });
  if (cart.options.forceCompany && cart.customerId === null && !buyer?.companyName)
    throw new DomainError('company_required', { detail: 'This is sold to companies only.' });
  if (cart.customerId !== null) return;
  const isNamed = buyer?.companyName || (buyer?.firstName && buyer.lastName);
  const missing = [
    ...(confirmation.email ? [] : ['email']),
    ...(confirmation.phone ? [] : ['phone']),
    ...(isNamed ? [] : ['newInvoiceAddress']),
  ];
  if (missing.length === 0) return;
  const violations = missing.map((propertyPath) => ({
    propertyPath,
    message: `${propertyPath} is required, as the cart has no customer.`,
    code: 'required',
  }));
  throw invalidRequest('The order needs to know who orders.', violations);
}

/** Takes one of the sales that the link has left, until the order is made or refused. */
async function takeSale(tx: TenantTx, { linkId }: CartRow): Promise<void> {
  if (linkId === null) return;
  const link = await checkoutLinks.get(tx, linkId, { lock: 'update' });
  if (!link) throw notFound('The checkout link');
  assertOnSale(link, tx.now);
  link.sold += 1;
  await checkoutLinks.update(tx, link, ['sold']);
}
