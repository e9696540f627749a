import { cartReminderDueV1, type CustomerState, orderConfirmedV1, type TenantState } from '@kontor/contracts';
import { type CustomerId, languageOfCountry } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CartLinks } from './cart-links.js';
import type { CartRow } from './cart.row.js';

interface SellerSettings {
  readonly checkout?: { readonly termsUrl?: string | null; readonly withdrawalUrl?: string | null };
}

/** What a cart has mailed to its buyer. */
@Injectable()
export class OrderMails {
  constructor(
    private readonly replicas: Replicas,
    private readonly links: CartLinks,
  ) {}

  /** The order is made. */
  async confirm(tx: TenantTx, cart: CartRow): Promise<void> {
    const settings = await this.replicas.get<SellerSettings>(tx, 'settings', tx.tenantId);
    const { quote } = cart;
    const none = { amount: 0, currencyCode: quote.currencyCode };
    const { net, tax, gross } = quote.totals ?? { net: none, tax: none, gross: none };
    await appendEvent(tx, orderConfirmedV1, {
      aggregateId: cart.id,
      aggregateSeq: 1,
      payload: {
        cartId: cart.id,
        customerId: cart.customerId as CustomerId,
        email: cart.confirmation?.email ?? cart.customerEmail,
        language: cart.confirmation?.language ?? cart.language,
        link: this.links.urlOf(cart),
        orderedAt: tx.now.toISOString(),
        lines: quote.lines.map(({ name, quantity, netAmount }) => ({ name, quantity, netAmount })),
        totals: { net, tax, gross },
        recurring: quote.recurring.map((again) => ({ interval: again.interval, gross: again.gross })),
        trialDays: cart.options.trialDays,
        measured: (quote.measured ?? []).map(({ name, interval, price }) => ({ name, interval, price })),
        term: quote.term ?? null,
        termsUrl: cart.page.termsUrl ?? settings?.checkout?.termsUrl ?? null,
        withdrawalUrl: settings?.checkout?.withdrawalUrl ?? null,
      },
    });
  }

  /** The buyer has left. */
  async remind(tx: TenantTx, cart: CartRow, email: string, customer: CustomerState | null): Promise<void> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    await appendEvent(tx, cartReminderDueV1, {
      aggregateId: `${cart.id}:reminder`,
      aggregateSeq: 1,
      payload: {
        cartId: cart.id,
        customerId: cart.customerId as CustomerId | null,
        email,
        language: cart.language ?? customer?.language ?? languageOf(cart),
        link: this.links.urlOf(cart),
        expiresAt: cart.expiresAt.toISOString(),
        timeZone: tenant?.timeZone ?? 'Europe/Berlin',
      },
    });
  }
}

/** Of a buyer who is nobody's customer yet and has not seen a page: what a customer of that address would get, else what the link says first. */
const languageOf = ({ buyer, page }: CartRow): string =>
  buyer?.countryCode ? languageOfCountry(buyer.countryCode) : (page.languages[0] ?? 'en');
