import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SaleQuote } from '@kontor/contracts';
import { DomainError, newUuid, notFound } from '@kontor/kernel';
import type { MoneyJson } from '@kontor/money';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { invalidRequest } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { checkoutLinks } from '../checkout-links/link.row.js';
import { takeSale } from '../checkout-links/count-sales.js';
import { answersOf, assertChangeable, assertOnSale, assertRedirect, type Buyer } from '../domain/carts/cart.js';
import type { ConfirmCartDto } from './cart.dto.js';
import { type CartRow, carts, type Confirmation } from './cart.row.js';
import { buyerFrom } from './change-cart.js';
import { CART_SALE, CompleteCart } from './complete-cart.js';
import { QuoteCart } from './quote-cart.js';
import { SaveCart } from './save-cart.js';

/** When somebody else takes a confirmation over that its request did not finish, in real time. */
const TAKE_OVER_MS = 20_000;
const PATIENCE_MS = 10_000;
/** Of an order whose cart is changed at the same time. */
const MAX_TRIES = 5;

interface Order extends Pick<CartRow, 'buyer' | 'customFields'> {
  readonly confirmation: Confirmation;
}

interface Quoted {
  readonly quote: SaleQuote;
  /** Whether its prices are those that the cart shows. */
  readonly isAsShown: boolean;
}

interface Taken {
  readonly cart: CartRow;
  /** Whether this confirmation took it. */
  readonly isFirst: boolean;
}

/**
 * Orders what is in a cart. The first confirmation takes the cart, and one of the link's sales; all later ones answer what it
 * did, whatever they say.
 */
@Injectable()
export class ConfirmCart {
  constructor(
    private readonly database: Database,
    private readonly quotes: QuoteCart,
    private readonly save: SaveCart,
    private readonly complete: CompleteCart,
  ) {}

  /** @throws DomainError `cart_expired`, `total_changed`, `sold_out`, `terms_not_accepted`, `company_required`, and what the sale refuses */
  async execute(tenantId: string, id: string, body: ConfirmCartDto, language: string | null): Promise<CartRow> {
    const { cart, isFirst } = await this.taken(tenantId, id, body, language);
    if (!isFirst) return this.resultOf(tenantId, cart);
    return this.complete.execute(tenantId, cart);
  }

  /** What it costs is asked for between two transactions; a change that came in between is looked at again. */
  private async taken(tenantId: string, id: string, body: ConfirmCartDto, language: string | null): Promise<Taken> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const looked = await this.database.tenant(tenantId, (tx) => look(tx, id, body, language), { readOnly: true });
      if (!looked.order) return { cart: looked.cart, isFirst: false };
      const quoted = await this.quoteOf(looked.cart, looked.order);
      const taken = await this.database.tenant(tenantId, (tx) =>
        this.take(tx, looked.cart, { body, language, quoted }),
      );
      if (taken === 'total_changed')
        throw new DomainError('total_changed', {
          detail: 'What is sold, or its price, has changed since it was shown. Look at it again.',
        });
      if (taken) return taken;
    }
    throw new DomainError('request_in_progress', {
      kind: 'conflict',
      detail: 'The cart is being changed at the same time. Read it again.',
      retryAfterSeconds: 1,
    });
  }

  /** As the cart shows it, unless the order says something that tax depends on: then its prices are still to be those that were shown. */
  private async quoteOf(cart: CartRow, { buyer, confirmation }: Order): Promise<Quoted> {
    const isSame = confirmation.invoiceAddressId === null && isDeepStrictEqual(buyer, cart.buyer);
    // The sale compares it with what it costs by then.
    if (isSame) return { quote: cart.quote, isAsShown: true };
    const quote = await this.quotes.ofKnown(cart.tenantId, { ...cart, buyer }, confirmation);
    const isTotalKnown = confirmation.expectedTotal !== null || isDeepStrictEqual(netOf(quote), netOf(cart.quote));
    return { quote, isAsShown: isTotalKnown && hasTerms(quote, cart.quote.terms) };
  }

  /** Null: it was changed since it was looked at. Where the total is another one, the cart shows it from now on. */
  private async take(
    tx: TenantTx,
    { id, version }: CartRow,
    { body, language, quoted }: { body: ConfirmCartDto; language: string | null; quoted: Quoted },
  ): Promise<Taken | 'total_changed' | null> {
    const cart = await carts.get(tx, id, { lock: 'update' });
    if (!cart) throw notFound('The cart');
    const order = orderOf(cart, body, language, tx.now);
    if (!order) return { cart, isFirst: false };
    if (cart.version !== version) return null;
    const { buyer, confirmation, customFields } = order;
    const { quote, isAsShown } = quoted;
    const total = totalOf(quote);
    if (!isAsShown || !isExpected(total, confirmation.expectedTotal)) {
      await this.save.execute(tx, Object.assign(cart, { buyer, quote }), null);
      return 'total_changed';
    }
    Object.assign(cart, {
      status: 'confirming',
      buyer,
      quote,
      // What is shown is what is sold, whether the order names it or not.
      confirmation: { ...confirmation, expectedTotal: total },
      customFields,
      customerEmail: confirmation.email ?? cart.customerEmail,
      attempt: cart.attempt + 1,
      invoiceId: newUuid(),
      invoicePaid: false,
    });
    await scheduleDue(tx, { kind: CART_SALE, ref: id, dueAt: new Date(Date.now() + TAKE_OVER_MS), wall: true });
    await this.save.execute(tx, cart, null);
    // Last: all buyers of the link wait for its row until the commit.
    if (cart.linkId !== null) await takeSale(tx, cart.linkId);
    return { cart, isFirst: true };
  }

  /** What the first confirmation did, as soon as it has. */
  private async resultOf(tenantId: string, known: CartRow): Promise<CartRow> {
    let cart = known;
    for (const end = performance.now() + PATIENCE_MS; cart.status === 'confirming' && performance.now() < end;) {
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

/** The cart, and the order if it is one; a link that sells nothing more says so before anything is computed. */
async function look(tx: TenantTx, id: string, body: ConfirmCartDto, language: string | null) {
  const cart = await carts.get(tx, id);
  if (!cart) throw notFound('The cart');
  const order = orderOf(cart, body, language, tx.now);
  if (order && cart.linkId !== null) {
    const link = await checkoutLinks.get(tx, cart.linkId);
    if (!link) throw notFound('The checkout link');
    assertOnSale(link, tx.now);
  }
  return { cart, order };
}

/** What is ordered; null: somebody has ordered already. @throws DomainError unless it can be */
function orderOf(cart: CartRow, body: ConfirmCartDto, language: string | null, now: Date): Order | null {
  if (cart.status !== 'open' && cart.status !== 'expired') return null;
  assertChangeable(cart, now, 'confirm');
  const buyer = body.newInvoiceAddress ? buyerFrom(body.newInvoiceAddress) : cart.buyer;
  const confirmation = confirmationOf(body, cart, language);
  check(cart, buyer, confirmation, body);
  if (confirmation.redirectUrl !== null) assertRedirect(confirmation.redirectUrl, cart);
  return {
    buyer,
    confirmation,
    customFields: answersOf(cart.page.customFields, body.customFields ?? cart.customFields),
  };
}

const totalOf = ({ totals, currencyCode }: SaleQuote): MoneyJson => totals?.gross ?? { amount: 0, currencyCode };

/** Whatever the tax is where the buyer lives. */
const netOf = ({ totals }: SaleQuote): MoneyJson | undefined => totals?.net;
/** Quotes of earlier versions have none. */
const hasTerms = ({ terms }: SaleQuote, shown: SaleQuote['terms']): boolean =>
  shown === undefined || isDeepStrictEqual(terms, shown);

const isExpected = (total: MoneyJson, expected: MoneyJson | null): boolean =>
  expected === null || (expected.amount === total.amount && expected.currencyCode === total.currencyCode);

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
