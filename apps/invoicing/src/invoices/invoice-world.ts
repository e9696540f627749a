import { Injectable } from '@nestjs/common';
import type { CustomerState, TenantState } from '@kontor/contracts';
import { type Day, dayOf, invariant, type Tx } from '@kontor/kernel';
import { Replicas } from '@kontor/persistence';
import type { TaxGroup } from '@kontor/tax';
import type { EuroRate } from '../domain/exchange.js';
import { localDay } from '../domain/local-day.js';
import type { PricingContext } from '../domain/price-document.js';
import type { InvoiceAddress } from '../domain/recipient.js';
import { type InvoicingSettings, settingsFor } from '../domain/settings.js';
import { loadEuroRates } from '../rates/euro-rates.js';

/** A tax group as copied from billing: what decides the tax, and what answers show. */
export interface TaxGroupCopy extends TaxGroup {
  readonly internalDescription: string | null;
}

/** Everything outside a document that its content depends on, read once for a whole batch. */
export interface InvoiceWorld {
  readonly now: Date;
  readonly tenant: TenantState;
  /** Today in the tenant's zone: numbers follow it. */
  readonly today: Day;
  readonly customers: ReadonlyMap<string, CustomerState>;
  readonly taxGroups: ReadonlyMap<string, TaxGroupCopy>;
  readonly euroRates: readonly EuroRate[];
  settingsOf(customerId: string): InvoicingSettings;
}

export interface WorldNeeds {
  readonly customerIds: readonly string[];
  readonly taxGroupIds: readonly string[];
  /** Currencies that may have to be converted, the document's included. */
  readonly currencies: readonly string[];
}

/** Reads the copies and rates that documents are made from. */
@Injectable()
export class InvoiceWorlds {
  constructor(private readonly replicas: Replicas) {}

  async load(tx: Tx, needs: WorldNeeds): Promise<InvoiceWorld> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    invariant(tenant, 'the tenant of a transaction exists');
    const settings = await this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId);
    const customers = await this.replicas.getMany<CustomerState>(tx, 'customer', needs.customerIds);
    const taxGroups = await this.replicas.getMany<TaxGroupCopy>(tx, 'tax_group', needs.taxGroupIds);
    const currencies = [...new Set(needs.currencies)];
    const euroRates = currencies.length > 1 ? await loadEuroRates(tx, currencies, tenant.mode === 'live') : [];
    const known = new Map<string, InvoicingSettings>();
    return {
      now: tx.now,
      tenant,
      today: dayOf(tx.now, tenant.timeZone),
      customers,
      taxGroups,
      euroRates,
      settingsOf(customerId) {
        let own = known.get(customerId);
        if (!own) known.set(customerId, (own = settingsFor(settings, customers.get(customerId)?.settings ?? null)));
        return own;
      },
    };
  }
}

/** What a document of one customer is priced with. */
export function pricingContext(
  world: InvoiceWorld,
  customer: CustomerState,
  document: { currencyCode: string; address: InvoiceAddress | null },
): PricingContext {
  const settings = world.settingsOf(customer.id);
  return {
    currencyCode: document.currencyCode,
    day: localDay(world.now, customer.timeZone),
    timeZone: customer.timeZone,
    parties: {
      sellerCountryCode: settings.seller.address.countryCode ?? 'DE',
      smallBusiness: settings.smallBusiness,
      oss: settings.oss,
      placeCountryCode: document.address?.countryCode ?? customer.countryCode,
      recipientVatIdValid: customer.vatIdStatus === 'valid',
    },
    taxGroups: world.taxGroups,
    euroRates: world.euroRates,
    live: world.tenant.mode === 'live',
  };
}
