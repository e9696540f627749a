import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CartLinks } from '../carts/cart-links.js';
import type { CartRow } from '../carts/cart.row.js';
import { ChangeCart } from '../carts/change-cart.js';
import { ConfirmCart } from '../carts/confirm-cart.js';
import { OpenCart } from '../carts/open-cart.js';
import { PayCart } from '../carts/pay-cart.js';
import type { BuyerForm } from '../pages/buyer-form-fields.js';
import { cartPage } from '../pages/cart-page.js';
import { type CartResult, cartResultPage } from '../pages/cart-result-page.js';
import type { PageLanguage, ShownPage } from '../pages/layout.js';
import { buyerOf, emailOf, formOf, knownAnswers, orderOf, problemOf, quantitiesOf, readForm } from './buyer-form.js';
import { cartPageOf } from './cart-page-of.js';
import type { Orderer } from './orderer.js';
import { gone } from './show-link.js';
import { type AskedPage, NO_SURROUNDINGS, pageLanguage, ReadSurroundings } from './surroundings.js';

/** Of a form whose cart changes at the same time, or whose order was refused to another click. */
const MAX_TRIES = 5;
const MAY_TRY_AGAIN: ReadonlySet<string> = new Set(['request_in_progress', 'confirmation_refused']);

/** The page on which people buy. */
@Injectable()
export class ShowCart {
  constructor(
    private readonly database: Database,
    private readonly openCart: OpenCart,
    private readonly surroundings: ReadSurroundings,
    private readonly links: CartLinks,
    private readonly paying: PayCart,
    private readonly change: ChangeCart,
    private readonly confirmCart: ConfirmCart,
  ) {}

  async execute(asked: AskedPage): Promise<ShownPage> {
    const cart = await this.find(asked.id);
    if (!cart) return gone(pageLanguage(asked, null));
    return this.shown(cart, pageLanguage(asked, cart.page), null, formOf(cart));
  }

  /** The form of a cart's page: computed again, or ordered. Of two clicks a browser shows what the second one is answered. */
  async submit(asked: AskedPage, form: URLSearchParams, orderer: Orderer, tries = 1): Promise<ShownPage> {
    const cart = await this.find(asked.id);
    if (!cart) return gone(pageLanguage(asked, null));
    const language = pageLanguage(asked, cart.page);
    const typed = readForm(form, cart);
    try {
      if (cart.status === 'open') {
        if (form.get('action') !== 'order') return await this.update(cart, form, typed, language);
        const problem = problemOf(cart, form, typed);
        if (problem === 'total_changed') return await this.recomputed(cart, form, typed, language);
        if (problem) return await this.shown(cart, language, problem, typed);
      }
      const { mandate } = typed.gateway === 'sepa_debit' ? await this.paying.offered(cart) : { mandate: null };
      const order = orderOf(cart, form, typed, { ...orderer, language, mandate });
      const { status, result } = await this.confirmCart.execute(cart.tenantId, cart.id, order, language);
      const leadsOn = status === 'redirect_to_payment' || result?.action === 'redirect';
      return {
        status: 303,
        location: (leadsOn && result?.redirectUrl) || `${this.links.pathOf(cart)}?lang=${language}`,
      };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      if (MAY_TRY_AGAIN.has(error.reason) && tries < MAX_TRIES) return this.submit(asked, form, orderer, tries + 1);
      const now = (await this.find(asked.id)) ?? cart;
      if (error.reason === 'total_changed') return this.recomputed(now, form, typed, language);
      const isIban = error.violations.some(({ propertyPath }) => propertyPath.endsWith('iban'));
      return this.shown(now, language, isIban ? 'iban' : error.reason, typed);
    }
  }

  private async update(
    cart: CartRow,
    form: URLSearchParams,
    typed: BuyerForm,
    language: PageLanguage,
  ): Promise<ShownPage> {
    const changed = await this.change.execute(cart.tenantId, cart.id, (before) => ({
      items: quantitiesOf(before, form),
      language,
      customFields: knownAnswers(typed),
      ...(before.options.allowCoupons && { couponCode: typed.coupon === '' ? null : typed.coupon }),
      ...(before.customerId === null && {
        buyer: buyerOf(typed),
        customerEmail: emailOf(typed) ?? before.customerEmail,
      }),
    }));
    return this.shown(changed, language, null, typed);
  }

  /** The price as it is by now, to be looked at before it is ordered. */
  private async recomputed(
    cart: CartRow,
    form: URLSearchParams,
    typed: BuyerForm,
    language: PageLanguage,
  ): Promise<ShownPage> {
    try {
      await this.update(cart, form, typed, language);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      return this.shown(cart, language, error.reason, typed);
    }
    return this.shown(await this.openCart.read(cart), language, 'total_changed', typed);
  }

  private async shown(
    cart: CartRow,
    language: PageLanguage,
    problem: string | null,
    form: BuyerForm,
  ): Promise<ShownPage> {
    const around = (await this.surroundings.execute(cart.tenantId, cart.page)) ?? NO_SURROUNDINGS;
    const result = (kind: CartResult, goOn: string | null = null): string =>
      cartResultPage(kind, { ...around, language, goOn, message: kind === 'done' ? messageOf(cart) : null });
    const { look } = around;
    if (cart.status === 'confirming') return { status: 200, look, page: result('busy') };
    const now = await this.database.now(cart.tenantId);
    if (cart.status === 'expired' || (cart.status === 'open' && cart.expiresAt <= now))
      return { status: 410, look, page: result('expired') };
    if (cart.status !== 'open') {
      const { kind, goOn } = await this.outcomeOf(cart);
      return { status: 200, look, page: result(kind, goOn) };
    }
    const { gateways, mandate } = await this.paying.offered(cart);
    const path = this.links.pathOf(cart);
    const page = cartPage(cartPageOf(cart, { language, path, around, form, gateways, mandate }), problem);
    return { status: problem ? 422 : 200, look, page };
  }

  /** An order that is made: whether its payer has something left to do, and where the buyer goes on. */
  private async outcomeOf(cart: CartRow): Promise<{ kind: CartResult; goOn: string | null }> {
    const next = cart.afterCheckout.url;
    if (cart.status === 'paid' || cart.invoiceId === null) return { kind: 'done', goOn: next };
    const { state, link } = await this.paying.stateOf(cart, cart.invoiceId);
    if (state === 'action') return { kind: 'step', goOn: link };
    if (state === 'failed') return { kind: 'declined', goOn: link };
    return { kind: 'done', goOn: next };
  }

  private async find(token: string): Promise<CartRow | null> {
    try {
      return await this.openCart.read(await this.openCart.byToken(token));
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return null;
      throw error;
    }
  }
}

const messageOf = ({ result, afterCheckout }: CartRow): string | null =>
  result?.confirmationMessage ?? afterCheckout.confirmationMessage;
