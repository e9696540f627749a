import type { TenantState } from '@kontor/contracts';
import { DomainError, isUuid } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { CartRow } from '../carts/cart.row.js';
import { ChangeCart } from '../carts/change-cart.js';
import { ConfirmCart } from '../carts/confirm-cart.js';
import { OpenCart } from '../carts/open-cart.js';
import { CART_PATH } from '../carts/save-cart.js';
import { CHECKOUT_PATH } from '../checkout-links/links.js';
import { type CheckoutLinkRow, checkoutLinks } from '../checkout-links/link.row.js';
import { assertOnSale } from '../domain/carts/cart.js';
import { type BuyerForm, type CartPage, cartPage, cartResultPage, linkPage } from '../pages/cart-page.js';
import { languageFor, type PageLanguage } from '../pages/layout.js';
import { buyerOf, formOf, orderOf, problemOf, quantitiesOf, readForm } from './buyer-form.js';

export interface AskedPage {
  readonly id: string;
  readonly lang: string | undefined;
  readonly accepted: string | undefined;
}

/** The status and the page, or where to go on. */
export type ShownPage =
  { readonly status: number; readonly page: string } | { readonly status: 303; readonly location: string };

interface Surroundings {
  readonly seller: string;
  readonly sandbox: boolean;
}

/** The pages on which people buy. */
@Injectable()
export class ShowCart {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly openCart: OpenCart,
    private readonly change: ChangeCart,
    private readonly confirmCart: ConfirmCart,
  ) {}

  async link({ id, lang, accepted }: AskedPage): Promise<ShownPage> {
    const language = languageFor(lang, null, accepted);
    const found = await this.linkOf(id);
    if (!found) return gone(language);
    const path = `${CHECKOUT_PATH}/${found.link.id}/${found.link.slug}`;
    return { status: 200, page: linkPage({ ...found, language, path, name: found.link.name }) };
  }

  /** Begins a cart, as a button asked for. */
  async begin({ id, lang, accepted }: AskedPage): Promise<ShownPage> {
    const language = languageFor(lang, null, accepted);
    const found = await this.linkOf(id);
    if (!found) return gone(language);
    const cart = await this.change.createByLink(found.link.tenantId, found.link.id, {});
    return { status: 303, location: `${CART_PATH}/${cart.id}?lang=${language}` };
  }

  async cart({ id, lang, accepted }: AskedPage): Promise<ShownPage> {
    const language = languageFor(lang, null, accepted);
    const cart = await this.find(id);
    return cart ? this.shown(cart, language, null, formOf(cart)) : gone(language);
  }

  /** The form of a cart's page: computed again, or ordered. */
  async submit({ id, lang, accepted }: AskedPage, form: URLSearchParams): Promise<ShownPage> {
    const language = languageFor(lang, null, accepted);
    const cart = await this.find(id);
    if (!cart) return gone(language);
    const typed = readForm(form);
    try {
      if (cart.status === 'open') {
        if (form.get('action') !== 'order') return await this.update(cart, form, typed, language);
        const problem = problemOf(cart, form, typed);
        if (problem === 'total_changed') return await this.recomputed(cart, form, typed, language);
        if (problem) return await this.shown(cart, language, problem, typed);
      }
      const done = await this.confirmCart.execute(cart.tenantId, cart.id, orderOf(cart, form, typed), language);
      const { result } = done;
      const leadsOn = done.status === 'redirect_to_payment' || result?.action === 'redirect';
      return { status: 303, location: (leadsOn && result?.redirectUrl) || `${CART_PATH}/${cart.id}?lang=${language}` };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      const now = (await this.find(id)) ?? cart;
      if (error.reason === 'total_changed') return this.recomputed(now, form, typed, language);
      return this.shown(now, language, error.reason, typed);
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
      ...(before.options.allowCoupons && { couponCode: typed.coupon === '' ? null : typed.coupon }),
      ...(before.customerId === null && { buyer: buyerOf(typed) }),
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
    return this.shown((await this.find(cart.id)) ?? cart, language, 'total_changed', typed);
  }

  private async shown(
    cart: CartRow,
    language: PageLanguage,
    problem: string | null,
    form: BuyerForm,
  ): Promise<ShownPage> {
    const around = await this.around(cart.tenantId);
    const { message, goOn } = {
      message: cart.result?.confirmationMessage ?? null,
      goOn: cart.result?.redirectUrl ?? null,
    };
    const result = (kind: 'done' | 'busy' | 'expired') =>
      cartResultPage(kind, { language, seller: around.seller, message, goOn });
    if (cart.status === 'confirming') return { status: 200, page: result('busy') };
    const now = await this.database.now(cart.tenantId);
    if (cart.status === 'expired' || (cart.status === 'open' && cart.expiresAt <= now))
      return { status: 410, page: result('expired') };
    if (cart.status !== 'open') return { status: 200, page: result('done') };
    return { status: problem ? 422 : 200, page: cartPage(pageOf(cart, language, around, form), problem) };
  }

  private async find(id: string): Promise<CartRow | null> {
    try {
      return await this.openCart.read(await this.openCart.tenantOf(id), id);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return null;
      throw error;
    }
  }

  /** A link that sells at present. */
  private async linkOf(id: string): Promise<(Surroundings & { link: CheckoutLinkRow }) | null> {
    if (!isUuid(id)) return null;
    const [found] = await this.database.system((sql) =>
      sql.query<{ tenantId: string }>('SELECT tenant_id AS "tenantId" FROM checkout_link_by_id($1)', [id]),
    );
    if (!found) return null;
    const link = await this.database.tenant(
      found.tenantId,
      async (tx) => {
        const row = await checkoutLinks.get(tx, id);
        try {
          if (row) assertOnSale(row, tx.now);
          return row;
        } catch (error) {
          if (error instanceof DomainError) return null;
          throw error;
        }
      },
      { readOnly: true },
    );
    return link && { link, ...(await this.around(found.tenantId)) };
  }

  private async around(tenantId: string): Promise<Surroundings> {
    const tenant = await this.database.tenant(
      tenantId,
      (tx) => this.replicas.get<TenantState>(tx, 'tenant', tenantId),
      {
        readOnly: true,
      },
    );
    return { seller: tenant?.name ?? '', sandbox: tenant?.mode === 'sandbox' };
  }
}

const gone = (language: PageLanguage): ShownPage => ({
  status: 404,
  page: cartResultPage('gone', { language, seller: '', message: null, goOn: null }),
});

function pageOf(cart: CartRow, language: PageLanguage, around: Surroundings, form: BuyerForm): CartPage {
  const { quote, options } = cart;
  const prices = cart.items.filter(({ pricePlan }) => pricePlan !== null);
  // Lines of a plan come first, then one of each price, in their order.
  const lines = quote.lines.slice(-prices.length);
  return {
    language,
    path: `${CART_PATH}/${cart.id}`,
    ...around,
    trialDays: options.trialDays,
    editable: options.quantityEditable
      ? prices.map(({ id, quantity }, n) => ({ id, quantity, name: lines[n]?.name ?? '' }))
      : [],
    allowCoupons: options.allowCoupons,
    isKnown: cart.customerId !== null,
    forceCompany: options.forceCompany,
    vatIdStatus: quote.vatIdStatus ?? null,
    gateways: around.sandbox ? ['testing', 'bank_transfer'] : ['bank_transfer'],
    form,
    lines: quote.lines,
    totals: quote.totals,
    recurring: quote.recurring,
  };
}
