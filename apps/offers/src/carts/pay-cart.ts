import { setTimeout as sleep } from 'node:timers/promises';
import type {
  CheckoutMethodsResponse,
  CustomerState,
  PayerStepRequest,
  PayerStepResponse,
  StoredMethodsResponse,
  TenantState,
} from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { CartLinks } from './cart-links.js';
import type { CartRow } from './cart.row.js';
import { mandateReferenceOf } from './mandate-reference.js';

export interface CreatedMethod {
  readonly status: string;
  readonly actionRequired: boolean;
  readonly failReason: string | null;
  readonly paymentMethod: { readonly id: string } | null;
  readonly actionUrl?: string;
}

const METHODS_PATH = '/internal/checkout-methods';
/** Providers that may want the payer to do something before they pay. */
const ASKING: ReadonlySet<unknown> = new Set(['card_provider', 'online_wallet_provider', 'fake_provider']);
/** How long a confirmation waits to learn whether its payer has something to do, in real time. */
const PATIENCE_MS = 8_000;
const PAUSE_MS = 100;

/** How a cart is paid: what payments offers, the method that the buyer adds, and what the payer has to do. */
@Injectable()
export class PayCart {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly internal: InternalClient,
    private readonly links: CartLinks,
  ) {}

  /** What can pay the cart, whose currency not every way can move. */
  offered({ tenantId, quote }: CartRow): Promise<CheckoutMethodsResponse> {
    const path = `${METHODS_PATH}?currency=${quote.currencyCode}`;
    return this.internal.call('payments', 'GET', path, undefined, { tenantId });
  }

  /** The customer's methods that can pay the cart now. */
  async stored({ tenantId, quote }: CartRow, customerId: string): Promise<StoredMethodsResponse['data']> {
    const path = `${METHODS_PATH}/customers/${customerId}?currency=${quote.currencyCode}`;
    return (await this.internal.call<StoredMethodsResponse>('payments', 'GET', path, undefined, { tenantId })).data;
  }

  /** The way to pay that the buyer chose, of the customer from now on. @throws DomainError `payment_method_refused` */
  async addMethod(
    cart: CartRow,
    customerId: string,
    wanted: Readonly<Record<string, unknown>>,
    key: string | null = `cart ${cart.id} ${cart.attempt}`,
  ): Promise<CreatedMethod> {
    const { redirectUrl: _, customerId: __, ...method } = wanted;
    const redirectUrl = await this.returnUrlOf(cart);
    const mandate = method['sepaMandate'] as Record<string, unknown> | undefined;
    const created = await this.internal.call<CreatedMethod>(
      'payments',
      'POST',
      `${METHODS_PATH}?currency=${cart.quote.currencyCode}`,
      {
        ...method,
        ...(mandate && { sepaMandate: { mandateReference: mandateReferenceOf(cart.id, cart.attempt), ...mandate } }),
        customerId,
        ...(redirectUrl !== null && { redirectUrl }),
      },
      { tenantId: cart.tenantId, timeoutMs: 15_000, ...(key !== null && { idempotencyKey: key }) },
    );
    if (created.status === 'failed' || created.status === 'gateway_unconfigured')
      throw new DomainError('payment_method_refused', {
        detail: `The way to pay cannot be used: ${created.failReason ?? created.status}.`,
      });
    return created;
  }

  /**
   * The page on which the payer has to act before the first invoice is paid; null: none, or it is not known in time. Then the payer
   * finds it in a mail, and on the page of the cart.
   */
  async stepOf(cart: CartRow, invoiceId: string | null): Promise<string | null> {
    if (invoiceId === null || !mayAsk(cart) || (await this.waitsForApproval(cart))) return null;
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(PAUSE_MS)) {
      const { state, link } = await this.stateOf(cart, invoiceId);
      if (state === 'action') return link;
      if (state !== 'unknown' && state !== 'pending') return null;
    }
    return null;
  }

  /** Whether the seller looks at the first invoice before anybody is asked for money: that takes longer than a buyer waits. */
  private waitsForApproval({ tenantId, customerId }: CartRow): Promise<boolean> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const customer =
          customerId === null ? null : await this.replicas.get<CustomerState>(tx, 'customer', customerId);
        const settings = await this.replicas.get<{ manualApproval?: boolean }>(tx, 'settings', tenantId);
        return Boolean(customer?.settings?.['manualApproval'] ?? settings?.manualApproval);
      },
      { readOnly: true },
    );
  }

  /** How far the payment of the first invoice is. */
  async stateOf(cart: CartRow, invoiceId: string): Promise<PayerStepResponse> {
    const body: PayerStepRequest = { invoiceId, redirectUrl: await this.returnUrlOf(cart) };
    try {
      return await this.internal.call('payments', 'POST', '/internal/payer-pages', body, { tenantId: cart.tenantId });
    } catch {
      // The order is made whatever payments can say now.
      return { state: 'unknown', link: null };
    }
  }

  /** Where providers send the buyer back to: what the confirmation asked for, else the cart's page. Null where it could not be reached safely. */
  private async returnUrlOf(cart: CartRow): Promise<string | null> {
    const asked = cart.confirmation?.redirectUrl ?? null;
    if (asked !== null) return asked;
    const language = cart.confirmation?.language ?? cart.language;
    const url = `${this.links.urlOf(cart)}${language === null ? '' : `?lang=${language}`}`;
    if (url.startsWith('https:')) return url;
    const tenant = await this.database.tenant(
      cart.tenantId,
      (tx) => this.replicas.get<TenantState>(tx, 'tenant', cart.tenantId),
      { readOnly: true },
    );
    return tenant?.mode === 'sandbox' && /^http:\/\/(localhost|127\.)/.test(url) ? url : null;
  }
}

/** A buyer who chose nothing pays by a stored default, where there is one. */
function mayAsk({ confirmation, customerId }: CartRow): boolean {
  const wanted = confirmation?.newPaymentMethod ?? null;
  if (wanted !== null) return ASKING.has(wanted['gateway']);
  return (confirmation?.paymentMethodId ?? null) !== null || customerId !== null;
}
