import { Injectable } from '@nestjs/common';
import type { CustomerState, TenantState } from '@kontor/contracts';
import { type Day, dayOf, invariant, type Tx } from '@kontor/kernel';
import { Replicas } from '@kontor/persistence';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { localDay } from '../domain/invoices/local-day.js';
import type { InvoiceAddress } from '../domain/invoices/recipient.js';
import { type InvoicingSettings, settingsFor } from '../domain/invoices/settings.js';
import type { BilledLines } from '../domain/pricing/billed-lines.js';
import type { PricingContext } from '../domain/pricing/price-document.js';
import type { EuroRate } from '../domain/rates/exchange.js';
import type { TaxGroupCopy } from '../invoices/represent-invoice.js';
import { loadEuroRates } from '../rates/euro-rates.js';
import { loadBilledLines } from './load-billed-lines.js';

/** Everything outside a document that its content depends on, read once for a whole batch. */
export interface InvoiceContext {
  readonly now: Date;
  readonly tenant: TenantState;
  /** Today in the tenant's zone, whose year numbers have. */
  readonly today: Day;
  /** The tenant's settings, whatever a customer overrides. */
  readonly settings: InvoicingSettings;
  readonly customers: ReadonlyMap<string, CustomerState>;
  readonly taxGroups: ReadonlyMap<string, TaxGroupCopy>;
  readonly euroRates: readonly EuroRate[];
  /** The lines that positions of the documents credit or correct. */
  readonly billed: BilledLines;
  /** The settings with those of the customer laid over them. */
  settingsOf(customerId: string): InvoicingSettings;
}

/** A draft as far as its context depends on it. */
interface UnpricedDraft {
  readonly invoice: Pick<InvoiceRow, 'id' | 'customerId' | 'currencyCode'>;
  readonly positions: readonly Pick<PositionRow, 'taxGroupId' | 'priceCurrencyCode' | 'originalChargeId'>[];
}

/** Loads the copies and rates that documents are made from. */
@Injectable()
export class InvoiceContexts {
  constructor(private readonly replicas: Replicas) {}

  async load(tx: Tx, drafts: readonly UnpricedDraft[]): Promise<InvoiceContext> {
    const positions = drafts.flatMap((draft) => draft.positions);
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    invariant(tenant, 'the tenant of a transaction exists');
    const overrides = await this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId);
    const customers = await this.replicas.getMany<CustomerState>(
      tx,
      'customer',
      drafts.map((draft) => draft.invoice.customerId),
    );
    const taxGroups = await this.replicas.getMany<TaxGroupCopy>(
      tx,
      'tax_group',
      positions.map((position) => position.taxGroupId),
    );
    const currencies = new Set([
      ...drafts.map((draft) => draft.invoice.currencyCode),
      ...positions.map((position) => position.priceCurrencyCode),
    ]);
    // Documents in another currency state their tax in euro, too.
    const euroRates = [...currencies].some((code) => code !== 'EUR')
      ? await loadEuroRates(tx, [...currencies], tenant.mode === 'live')
      : [];
    const billed = await loadBilledLines(tx, drafts);
    const settings = new Map<string, InvoicingSettings>();
    return {
      now: tx.now,
      tenant,
      today: dayOf(tx.now, tenant.timeZone),
      settings: settingsFor(overrides, null),
      customers,
      taxGroups,
      euroRates,
      billed,
      settingsOf(customerId) {
        let effective = settings.get(customerId);
        if (!effective) {
          effective = settingsFor(overrides, customers.get(customerId)?.settings ?? null);
          settings.set(customerId, effective);
        }
        return effective;
      },
    };
  }
}

/** What a document of a customer is priced with. */
export function pricingContext(
  context: InvoiceContext,
  customer: CustomerState,
  document: { currencyCode: string; address: InvoiceAddress | null },
): PricingContext {
  const settings = context.settingsOf(customer.id);
  return {
    currencyCode: document.currencyCode,
    day: localDay(context.now, customer.timeZone),
    timeZone: customer.timeZone,
    parties: {
      sellerCountryCode: settings.seller.address.countryCode ?? 'DE',
      smallBusiness: settings.smallBusiness,
      oss: settings.oss,
      placeCountryCode: document.address?.countryCode ?? customer.countryCode,
      recipientVatIdValid: customer.vatIdStatus === 'valid',
    },
    taxGroups: context.taxGroups,
    euroRates: context.euroRates,
    live: context.tenant.mode === 'live',
    billed: context.billed,
  };
}
