import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import pg from 'pg';
import type { Asked, Refusal } from '../support/billing-stand-in.js';
import { anybody, billing, eur, invoicing, offers, run, tenant, type Tenant } from '../support/selling.js';
import type { Coupon, PlainCart, PlainLink, Price } from './plain-cart.js';

const START = Date.parse('2026-03-02T09:00:00.000Z');

export interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

interface SaleBody {
  readonly items?: readonly { pricePlan: string; quantity: string }[];
  readonly coupon?: string | null;
  readonly customerId?: string | null;
  readonly buyer?: { countryCode: string | null } | null;
  readonly invoiceId?: string | null;
  readonly expectedTotal?: { amount: number } | null;
  readonly expectedTerms?: readonly string[];
}

/** A shop in the service, and the plain carts that it should have. Billing stands in, and sells once per cart. */
export class RealShop {
  now = START;
  readonly carts: PlainCart[] = [];
  readonly links: PlainLink[] = [];
  readonly prices: Price[] = [];
  readonly coupons: Coupon[] = ['HALB', 'SPAR'].map((code) => ({ code, isEnabled: true }));
  /** Sales that billing has made, by cart. */
  private readonly sold = new Map<string, { customerId: string; subscriptionId: string; invoiceId: string | null }>();
  /** Ways to pay of the orders, by cart. */
  readonly gateways = new Map<string, string | null>();

  private constructor(
    readonly seller: Tenant,
    private readonly owner: pg.Client,
  ) {}

  static async start(): Promise<RealShop> {
    const owner = new pg.Client({ connectionString: offers.db.adminUrl });
    await owner.connect();
    const shop = new RealShop(await tenant(), owner);
    billing.isAway = false;
    billing.refusal = null;
    billing.stepOf = ({ body }) => shop.stepOf(String(body['invoiceId']));
    billing.refuses = (asked) => shop.refusalOf(asked);
    billing.answers = (asked) => shop.answer(asked);
    return shop;
  }

  async stop(): Promise<void> {
    billing.isAway = false;
    billing.refuses = () => null;
    billing.stepOf = () => billing.step;
    await this.owner.end();
  }

  buyer(cart: PlainCart, method: string, action: string, body?: object): Promise<Answer> {
    const path = `/public/checkout/cart/${cart.token}${action}`;
    return (body ? anybody()(method, path, body) : anybody()(method, path)) as Promise<Answer>;
  }

  get url(): string {
    return offers.service.url;
  }

  isSold(cart: PlainCart): boolean {
    return this.sold.has(cart.id);
  }

  private stepOf(invoiceId: string): { state: string; link: string | null } {
    const [id] = [...this.sold].find(([, sale]) => sale.invoiceId === invoiceId) ?? [];
    const asks = id !== undefined && this.gateways.get(id) === 'fake_provider';
    return asks ? { state: 'action', link: 'https://pay.example/step' } : { state: 'open', link: null };
  }

  async killSessions(): Promise<void> {
    await this.owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = $1',
      [decodeURIComponent(new URL(offers.db.appUrl).username)],
    );
  }

  async passTime(ms: number): Promise<void> {
    this.now += ms;
    await run(this.seller.id, new Date(this.now));
    await eventually(async () => {
      const due = await offers.peek(
        "SELECT 1 FROM due_work WHERE tenant_id = $1 AND kind IN ('offers.cart-expiry', 'offers.cart-reminder') AND due_at <= $2",
        [this.seller.id, new Date(this.now)],
      );
      if (due.length === 0) return true;
      await run(this.seller.id, new Date(this.now));
      return false;
    }, 'what was due');
    for (const cart of this.carts) cart.pass(this.now);
  }

  /** The first invoice of a cart is paid; it is said twice. */
  async pay(cart: PlainCart): Promise<void> {
    const invoiceId = this.sold.get(cart.id)?.invoiceId;
    if (!invoiceId || cart.status === 'confirming') return;
    for (const version of [1, 2]) await invoicing.paid(this.seller.id, invoiceId, version, new Date(this.now));
    await eventually(async () => {
      const { body } = await this.seller.send('GET', `/checkout/carts/${cart.id}`);
      return body.status === 'paid';
    }, 'the cart is paid');
    cart.pay();
  }

  /** Orders that were left on the way are made, or refused. */
  async finishOrders(): Promise<void> {
    billing.isAway = false;
    await eventually(async () => {
      const waiting = await offers.peek(
        `UPDATE due_work SET due_at = now(), poll_at = now(), retry_at = NULL
         WHERE tenant_id = $1 AND kind = 'offers.cart-sale' RETURNING ref`,
        [this.seller.id],
      );
      return waiting.length === 0;
    }, 'orders that were under way');
  }

  async settle(): Promise<void> {
    await this.finishOrders();
    for (const cart of this.carts) await this.takeUp(cart);
    // One that was refused after its end is over at once.
    await this.passTime(0);
    for (const cart of this.carts) await this.compare(cart);
    for (const cart of this.carts) await this.compareEffects(cart);
  }

  /** An order that was left on the way may have been made meanwhile, or refused; then the cart may be over. */
  private async takeUp(cart: PlainCart): Promise<Answer['body']> {
    const { status, body } = await this.seller.send('GET', `/checkout/carts/${cart.id}`);
    expect(status).toBe(200);
    if (cart.status === 'confirming' && body.status !== 'confirming') cart.settle(this.now, this.isSold(cart));
    const isOver = cart.status === 'open' && cart.expiresAt <= this.now;
    if (isOver && body.status === 'expired') cart.pass(this.now);
    return body;
  }

  async compare(cart: PlainCart): Promise<void> {
    const body = await this.takeUp(cart);
    expect({
      status: body.status,
      quantity: body.items[0].quantity,
      coupon: body.couponCode,
      total: body.totals.gross.amount,
      country: cart.isKnown ? null : (body.invoiceAddress?.countryCode ?? null),
    }).toEqual({
      status: cart.status,
      quantity: String(cart.quantity),
      coupon: cart.coupon?.code ?? null,
      total: cart.shown,
      country: cart.isKnown ? null : cart.country,
    });
  }

  /** What others have heard of it, each thing once; and billing has sold what the carts say. */
  private async compareEffects(cart: PlainCart): Promise<void> {
    const rows = await offers.peek<{ type: string }>(
      `SELECT n->>'type' AS type FROM outbox, jsonb_array_elements(payload::jsonb->'notices') n WHERE aggregate_id = $1`,
      [cart.id],
    );
    const mails = await offers.peek<{ type: string }>(
      "SELECT type FROM outbox WHERE type LIKE 'offers.cart.%' AND type <> 'offers.cart.changed.v1' AND aggregate_id = ANY ($1)",
      [[cart.id, `${cart.id}:reminder`]],
    );
    const heard = (type: string): number => [...rows, ...mails].filter((row) => row.type === type).length;
    expect({
      completed: heard('cart.completed'),
      paid: heard('cart.paid'),
      abandoned: heard('cart.abandoned'),
      confirmed: heard('offers.cart.order-confirmed.v1'),
      reminded: heard('offers.cart.reminder-due.v1'),
      isSold: this.isSold(cart),
    }).toEqual({
      completed: cart.sales,
      paid: cart.paid,
      abandoned: cart.abandoned,
      confirmed: cart.sales,
      reminded: cart.reminded,
      isSold: cart.sales === 1,
    });
    if (!cart.link) return;
    const { body } = await this.seller.send('GET', `/checkout-links/${cart.link.id}`);
    expect(body.sold).toBe(cart.link.sold);
    if (cart.link.maxSales !== null) expect(body.sold).toBeLessThanOrEqual(cart.link.maxSales);
  }

  private costOf({ items, coupon, customerId, buyer }: SaleBody): number {
    return this.netOf({ items, coupon }) * (customerId || (buyer?.countryCode ?? 'DE') === 'DE' ? 119 : 100);
  }

  private netOf({ items, coupon }: Pick<SaleBody, 'items' | 'coupon'>): number {
    const [item] = items ?? [];
    const price = this.prices.find(({ id }) => id === item?.pricePlan);
    return (price?.amount ?? 0) * Number(item?.quantity) * (coupon ? 1 : 2);
  }

  private readonly termsOf = (sale: SaleBody): string[] => [`each 1M: ${this.netOf(sale) * 100} EUR`];

  private refusalOf({ path, body }: Asked): Refusal | null {
    if (!path.startsWith('/internal/sales/')) return null;
    const sale = body as SaleBody;
    if (this.sold.has(path.split('/')[3]!)) return null;
    const price = this.prices.find(({ id }) => id === sale.items?.[0]?.pricePlan);
    const coupon = this.coupons.find(({ code }) => code === sale.coupon);
    if (price?.isArchived) return { status: 422, reason: 'unknown_reference', propertyPath: 'items[0].pricePlan' };
    if (coupon && !coupon.isEnabled) return { status: 422, reason: 'coupon_disabled' };
    const isQuote = path.endsWith('/quotes');
    if (!isQuote && !this.isAsShown(sale)) return { status: 422, reason: 'total_changed' };
    return null;
  }

  private isAsShown(sale: SaleBody): boolean {
    const { expectedTotal, expectedTerms } = sale;
    if (!expectedTotal) return true;
    return expectedTotal.amount === this.costOf(sale) && isDeepStrictEqual(expectedTerms, this.termsOf(sale));
  }

  private answer({ path, body }: Asked): unknown {
    if (path === '/internal/checkout-methods')
      return { status: 'active', actionRequired: false, failReason: null, paymentMethod: { id: newUuid() } };
    const id = path.split('/')[3]!;
    const sale = body as SaleBody;
    if (path.endsWith('/customer'))
      return { customerId: this.seller.customerId, subscriptionId: null, invoiceId: null };
    if (id !== 'quotes') {
      const known = this.sold.get(id);
      if (known) return known;
      const made = { customerId: this.seller.customerId, subscriptionId: newUuid(), invoiceId: sale.invoiceId ?? null };
      this.sold.set(id, made);
      return made;
    }
    const [net, gross] = [this.netOf(sale) * 100, this.costOf(sale)];
    return {
      currencyCode: 'EUR',
      lines: [{ name: 'Team', description: null, quantity: '1', netAmount: eur(net), discountAmount: null }],
      totals: { net: eur(net), tax: eur(gross - net), gross: eur(gross), discount: eur(0) },
      recurring: [{ interval: '1M', net: eur(net), gross: eur(gross) }],
      terms: this.termsOf(sale),
      billingDate: null,
      vatId: null,
      vatIdStatus: 'unchecked',
    };
  }
}
