import type { OnSale, OnSaleRequest, OnSaleResponse } from '@kontor/contracts';
import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { unavailable } from '../domain/unavailable.js';
import type { CartItem } from '../domain/carts/cart.js';

/** Asks billing whether what links sell can be bought. Never inside a transaction. */
@Injectable()
export class AskOnSale {
  constructor(private readonly internal: InternalClient) {}

  /**
   * What a link is to sell must be there, and on sale; what it sold `before` may have been archived since. Where it sells nothing else,
   * billing need not answer: a link can always be disabled.
   * @throws DomainError `unknown_reference`, `validation_failed` `not_active`, `currency_mix`, 503 `service_unavailable`
   */
  async check(tenantId: string, items: readonly CartItem[], before: readonly CartItem[] = []): Promise<OnSaleState> {
    const known = new Set(before.map(idOf));
    if (items.every((item) => known.has(idOf(item)))) return (await this.states(tenantId, [{ items }]))[0] ?? 'unknown';
    const found = await this.ask(tenantId, items).catch((error: unknown) => {
      throw isAway(error) ? unavailable() : error;
    });
    for (const [n, item] of items.entries()) {
      const field = item.plan === null ? 'pricePlan' : 'plan';
      const sale = found.get(idOf(item));
      if (!sale) throw unknownReference(`items[${n}].${field}`, field === 'plan' ? 'plan' : 'price plan');
      if (!sale.isActive && !known.has(idOf(item)))
        throw validationFailed(`items[${n}].${field}`, 'It is not sold at present: it must be active.', 'not_active');
    }
    const currencies = new Set(items.flatMap((item) => found.get(idOf(item))?.currencyCodes ?? []));
    if (currencies.size > 1)
      throw new DomainError('currency_mix', { detail: 'All that is sold together must have one currency.' });
    return stateOf(items, found);
  }

  /** Of each link, in their order; one question for all. */
  async states(tenantId: string, links: readonly { readonly items: readonly CartItem[] }[]): Promise<OnSaleState[]> {
    if (links.length === 0) return [];
    try {
      const items = links.flatMap((link) => link.items);
      const found = await this.ask(tenantId, items);
      return links.map((link) => stateOf(link.items, found));
    } catch (error) {
      if (isAway(error)) return links.map(() => 'unknown');
      throw error;
    }
  }

  private async ask(tenantId: string, items: readonly CartItem[]): Promise<ReadonlyMap<string, OnSale>> {
    const idsOf = (field: 'pricePlan' | 'plan'): string[] => [...new Set(items.flatMap((item) => item[field] ?? []))];
    return onSale(this.internal, tenantId, { pricePlans: idsOf('pricePlan'), plans: idsOf('plan') });
  }
}

/** What billing has of what is named, by id. */
export async function onSale(
  internal: InternalClient,
  tenantId: string,
  request: OnSaleRequest,
): Promise<ReadonlyMap<string, OnSale>> {
  const options = { tenantId, timeoutMs: 5_000 };
  const { data } = await internal.call<OnSaleResponse>('billing', 'POST', '/internal/sales/on-sale', request, options);
  return new Map(data.map((sale) => [sale.id, sale]));
}

/** Whether all that a link sells can be bought; `unknown`: billing does not answer. */
export type OnSaleState = 'on_sale' | 'no_longer_sold' | 'unknown';

const stateOf = (items: readonly CartItem[], found: ReadonlyMap<string, OnSale>): OnSaleState =>
  items.every((item) => found.get(idOf(item))?.isActive) ? 'on_sale' : 'no_longer_sold';

const idOf = ({ plan, pricePlan }: CartItem): string => plan ?? pricePlan ?? '';

export const isAway = (error: unknown): boolean =>
  error instanceof ServiceUnavailable || error instanceof OutcomeUnknown;
