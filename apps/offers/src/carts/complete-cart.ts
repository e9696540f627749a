import type { SaleQuote, SaleResponse } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { cancelDue, completeDue, Database, type DueBatch, DueHandler, type TenantTx } from '@kontor/persistence';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { giveSaleBack } from '../checkout-links/count-sales.js';
import { type CartRow, carts, type ConfirmationResult } from './cart.row.js';
import { OrderMails } from './order-mails.js';
import { PayCart } from './pay-cart.js';
import { QuoteCart, refusalOfItems, requestOf } from './quote-cart.js';
import { SaveCart } from './save-cart.js';

/** Due work: a confirmation that its request has not finished, by cart id. */
export const CART_SALE = 'offers.cart-sale';

interface Sold {
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly actionUrl: string | null;
}

/**
 * Makes the order: the buyer a customer and the way to pay theirs, where they have to be new; then the sale. Each step is kept under the
 * cart's id by whoever does it, so that the steps can be asked again by anybody, after a crash between any two of them.
 */
@Injectable()
@DueHandler({ kind: CART_SALE, batchSize: 10 })
export class CompleteCart {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
    private readonly quotes: QuoteCart,
    private readonly save: SaveCart,
    private readonly paying: PayCart,
    private readonly mails: OrderMails,
  ) {}

  /** @throws DomainError what was refused: the cart is open again. One whose outcome is not known stays `confirming`. */
  async execute(tenantId: string, cart: CartRow): Promise<CartRow> {
    try {
      const sold = await this.sell(tenantId, cart);
      return await this.finish(tenantId, cart, sold);
    } catch (error) {
      if (isUnknown(error)) return cart;
      if (error instanceof DomainError) await this.reopen(tenantId, cart, await this.quoteAfter(tenantId, cart, error));
      throw refusalOfItems(error);
    }
  }

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      const cart = await this.database.tenant(batch.tenantId, (tx) => carts.get(tx, item.ref), { readOnly: true });
      if (cart?.status === 'confirming') await this.takeOver(batch.tenantId, cart);
      await this.database.tenant(batch.tenantId, (tx) => completeDue(tx, CART_SALE, item));
    }
  }

  private async takeOver(tenantId: string, cart: CartRow): Promise<void> {
    try {
      await this.finish(tenantId, cart, await this.sell(tenantId, cart), { keepsAlarm: true });
    } catch (error) {
      if (!(error instanceof DomainError) || isUnknown(error)) throw error;
      await this.reopen(tenantId, cart, await this.quoteAfter(tenantId, cart, error), { keepsAlarm: true });
    }
  }

  /** What it costs by now, where that is why it was refused; null: as it was shown. */
  private async quoteAfter(tenantId: string, cart: CartRow, { reason }: DomainError): Promise<SaleQuote | null> {
    if (reason !== 'total_changed') return null;
    // What cannot be said now is said by the next change of the cart.
    return this.quotes.execute(tenantId, cart, cart.confirmation).catch(() => null);
  }

  private async sell(tenantId: string, cart: CartRow): Promise<Sold> {
    const request = requestOf(cart, cart.confirmation);
    const path = `/internal/sales/${cart.id}`;
    const options = { tenantId, timeoutMs: 15_000 };
    const wanted = cart.confirmation?.newPaymentMethod ?? null;
    let paymentMethodId = cart.confirmation?.paymentMethodId ?? null;
    let actionUrl: string | null = null;
    if (wanted !== null) {
      const { customerId } = await this.internal.call<SaleResponse>(
        'billing',
        'POST',
        `${path}/customer`,
        request,
        options,
      );
      const created = await this.paying.addMethod(cart, customerId, wanted);
      paymentMethodId = created.paymentMethod?.id ?? null;
      actionUrl = created.actionUrl ?? null;
    }
    const sale = await this.internal.call<SaleResponse>(
      'billing',
      'POST',
      path,
      { ...request, paymentMethodId },
      options,
    );
    return { ...sale, actionUrl: actionUrl ?? (await this.paying.stepOf(cart, sale.invoiceId)) };
  }

  private finish(
    tenantId: string,
    { id, attempt }: CartRow,
    sold: Sold,
    { keepsAlarm = false } = {},
  ): Promise<CartRow> {
    return this.database.tenant(tenantId, async (tx) => {
      const cart = await carts.findOneOrFail(tx, { id }, { lock: 'update' });
      if (cart.status !== 'confirming' || cart.attempt !== attempt) return cart;
      Object.assign(cart, {
        status: sold.actionUrl === null ? 'completed' : 'redirect_to_payment',
        customerId: sold.customerId,
        subscriptionId: sold.subscriptionId,
        invoiceId: sold.invoiceId,
        result: resultOf(cart, sold),
      });
      if (!keepsAlarm) await cancelDue(tx, CART_SALE, id);
      await this.save.execute(tx, cart, 'cart.completed');
      await this.mails.confirm(tx, cart);
      if (cart.invoicePaid && cart.invoiceId !== null) {
        cart.status = 'paid';
        await this.save.execute(tx, cart, 'cart.paid');
      }
      return cart;
    });
  }

  /** Refused: the buyer can change something, and the link has the sale back. */
  private async reopen(
    tenantId: string,
    { id, attempt }: CartRow,
    quote: SaleQuote | null,
    { keepsAlarm = false } = {},
  ): Promise<void> {
    await this.database.tenant(tenantId, async (tx: TenantTx) => {
      const cart = await carts.findOneOrFail(tx, { id }, { lock: 'update' });
      if (cart.status !== 'confirming' || cart.attempt !== attempt) return;
      Object.assign(cart, { status: 'open', confirmation: null, invoiceId: null, ...(quote && { quote }) });
      if (!keepsAlarm) await cancelDue(tx, CART_SALE, id);
      await this.save.execute(tx, cart, null);
      if (cart.linkId !== null) await giveSaleBack(tx, cart.linkId);
    });
  }
}

function resultOf({ afterCheckout }: CartRow, { actionUrl }: Sold): ConfirmationResult {
  const { url, confirmationMessage } = afterCheckout;
  if (actionUrl !== null) return { action: 'redirect', redirectUrl: actionUrl, confirmationMessage: null };
  if (url !== null) return { action: 'redirect', redirectUrl: url, confirmationMessage };
  return {
    action: confirmationMessage === null ? 'none' : 'confirmation_message',
    redirectUrl: null,
    confirmationMessage,
  };
}

/** It may have happened, or will: nobody may say that it has not. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ServiceUnavailable ||
  error instanceof OutcomeUnknown ||
  (error instanceof DomainError && RETRIED.has(error.kind));

const RETRIED: ReadonlySet<string> = new Set([
  'unavailable',
  'storage_full',
  'too_many',
  'conflict',
  'unauthenticated',
]);
