import { expect } from '@jest/globals';
import { newUuid, ulidToUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import pg from 'pg';
import { anybody, billing, offers, run, tenant, type Tenant } from '../support/selling.js';
import { type Outcome, type PlainOffer } from './plain-offer.js';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
const quoteOf = (quantity: number) => ({
  currencyCode: 'EUR',
  lines: [],
  totals: { net: eur(quantity * 100), tax: eur(quantity * 19), gross: eur(quantity * 119), discount: eur(0) },
  recurring: [],
  billingDate: null,
});

interface Answer {
  readonly status: number;
  readonly body: { readonly reason?: string };
}

/** A seller in the service, and the plain offers that it should have. */
export class RealSeller {
  now = START;
  readonly plain: PlainOffer[] = [];
  /** Hashes that were read, by version: old ones are sent again. */
  readonly hashes = new Map<string, string>();
  /** Sales that billing refuses, by offer. */
  readonly refused = new Set<string>();
  private readonly sold = new Map<string, string[]>();
  private readonly withdrawn = new Set<string>();

  private constructor(
    readonly withAddress: Tenant,
    readonly withoutAddress: Tenant,
    private readonly owner: pg.Client,
  ) {}

  static async start(): Promise<RealSeller> {
    const owner = new pg.Client({ connectionString: offers.db.adminUrl });
    await owner.connect();
    const seller = new RealSeller(await tenant(), await tenant({ withAddress: false }), owner);
    billing.isAway = false;
    billing.refusal = null;
    billing.answers = ({ path, body }) => seller.answer(path, body);
    billing.refuses = ({ path }) => {
      const isRefused = path.endsWith('/acceptance') && seller.refused.has(path.split('/').at(-2) ?? '');
      return isRefused ? { status: 422, reason: 'customer_archived' } : null;
    };
    return seller;
  }

  async stop(): Promise<void> {
    billing.isAway = false;
    billing.refuses = () => null;
    await this.owner.end();
  }

  sellerOf(offer: PlainOffer): Tenant {
    return offer.hasAddress ? this.withAddress : this.withoutAddress;
  }

  staff(offer: PlainOffer, action: string, body: object = {}): Promise<Answer> {
    return this.sellerOf(offer).send('POST', `/offers/${offer.id}/${action}`, body) as Promise<Answer>;
  }

  visitor(token: string, action: string, body: object = {}): Promise<Answer> {
    return anybody()('POST', `/public/offers/${token}/${action}`, body) as Promise<Answer>;
  }

  /** All that is connected to the database is cut off, wherever it is. */
  async killSessions(): Promise<void> {
    await this.owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = $1',
      [decodeURIComponent(new URL(offers.db.appUrl).username)],
    );
  }

  async passTime(ms: number): Promise<void> {
    this.now += ms;
    for (const { id } of [this.withAddress, this.withoutAddress]) await this.runDue(id);
    for (const offer of this.plain) offer.pass(this.now);
  }

  /** Billing is there, and what has to be done is done. */
  async settle(): Promise<void> {
    billing.isAway = false;
    for (const offer of this.plain)
      if (offer.sale === 'pending') offer.sale = this.refused.has(ulidToUuid(offer.id)) ? 'failed' : 'done';
    await eventually(async () => {
      for (const { id } of [this.withAddress, this.withoutAddress]) await this.runDue(id);
      const waiting = await offers.peek(
        "SELECT 1 FROM due_work WHERE tenant_id = ANY ($1) AND kind IN ('offers.sale', 'offers.expiry') AND due_at <= $2",
        [[this.withAddress.id, this.withoutAddress.id], new Date(this.now)],
      );
      return waiting.length === 0;
    }, 'everything that was due');
    for (const offer of this.plain) await this.compare(offer);
    for (const offer of this.plain) await this.compareEffects(offer);
  }

  async compare(offer: PlainOffer): Promise<void> {
    const { status, body } = await this.sellerOf(offer).send('GET', `/offers/${offer.id}`);
    expect(status).toBe(200);
    expect({
      status: body.status,
      hasUnpublishedChanges: body.hasUnpublishedChanges,
      isPublished: body.publishedVersionHash !== null,
      validUntil: body.validUntil && Date.parse(body.validUntil),
      signed: body.recipients.map(({ signed }: { signed: boolean }) => signed).sort(),
      total: body.totals?.gross.amount ?? null,
    }).toEqual({
      status: offer.status,
      hasUnpublishedChanges: offer.hasUnpublishedChanges,
      isPublished: offer.published !== null,
      validUntil: offer.validUntil,
      signed: expect.anything(),
      total: offer.published === null ? null : (offer.choice ?? 3) * 119,
    });
  }

  /** What others have heard of it: each thing once. */
  private async compareEffects(offer: PlainOffer): Promise<void> {
    const { body } = await this.sellerOf(offer).send('GET', `/offers/${offer.id}`);
    expect(body.sale?.state ?? null).toBe(offer.sale);
    const id = ulidToUuid(offer.id);
    const rows = await offers.peek<{ type: string }>(
      "SELECT n->>'type' AS type FROM outbox, jsonb_array_elements(payload::jsonb->'notices') n WHERE aggregate_id = $1",
      [offer.id],
    );
    const heard = (type: string): number => rows.filter((row) => row.type === type).length;
    expect([heard('offer.expired'), heard('offer.signed')]).toEqual([offer.expiries, offer.signings]);
    expect(heard('offer.archived')).toBe(offer.status === 'archived' ? 1 : 0);
    const sold = this.sold.get(id) ?? [];
    expect(new Set(sold).size).toBe(offer.sale === 'done' ? 1 : 0);
    if (sold.length > 0) expect(sold[0]).toBe(String(offer.choice ?? 3));
    expect(this.withdrawn.has(id)).toBe(offer.status === 'archived');
  }

  private async runDue(tenantId: string): Promise<void> {
    await run(tenantId, new Date(this.now));
  }

  private answer(path: string, body: Record<string, unknown>): unknown {
    const id = path.split('/').at(-2) ?? '';
    const terms = (body['terms'] ?? body) as { items?: { quantity: string }[] };
    const quantity = terms.items?.[0]?.quantity ?? '0';
    if (path.endsWith('/acceptance')) {
      this.sold.set(id, [...(this.sold.get(id) ?? []), quantity]);
      return { customerId: '', subscriptionId: null, invoiceId: null };
    }
    if (path.endsWith('/withdrawal')) {
      this.withdrawn.add(id);
      return {};
    }
    const quote = quoteOf(Number(quantity));
    return path.endsWith('/offer') ? { subscriptionId: null, quote, prices: [] } : quote;
  }
}

/** In one word. */
export const outcomeOf = ({ status, body }: Answer): Outcome =>
  status >= 200 && status < 300 ? 'done' : (body.reason ?? String(status));

export const SEATS = { id: 'seats', pricePlan: newUuid(), quantity: '3', minQuantity: '2', maxQuantity: '9' };
