import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { notFound, type Tx } from '@kontor/kernel';
import { Replicas, selectRows } from '@kontor/persistence';
import { InvoiceRow } from '../db/invoice.row.js';
import { PositionRow } from '../db/position.row.js';
import { addressFor } from '../domain/recipient.js';
import { UsageLinks } from '../usage/usage-links.js';
import type { TaxGroupCopy } from './invoice-world.js';
import { knownMethods } from './known-methods.js';
import { type InvoiceJson, representInvoice } from './represent-invoice.js';

/** What a caller has at hand already and need not be read again. */
export interface KnownParts {
  readonly positions?: ReadonlyMap<string, readonly PositionRow[]>;
  readonly customers?: ReadonlyMap<string, CustomerState>;
  readonly taxGroups?: ReadonlyMap<string, TaxGroupCopy>;
}

/** Loads documents with what they embed and shows them. Everything is read set-wise: one document costs what a hundred do. */
@Injectable()
export class InvoiceReader {
  constructor(
    private readonly replicas: Replicas,
    private readonly usageLinks: UsageLinks,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  async row(tx: Tx, id: string, lock = false): Promise<InvoiceRow> {
    const [invoice] = await selectRows(tx, InvoiceRow, `t.id = $1${lock ? ' for update' : ''}`, [id]);
    if (!invoice) throw notFound('The document');
    return invoice;
  }

  async positions(tx: Tx, invoiceIds: readonly string[]): Promise<Map<string, PositionRow[]>> {
    const rows = await selectRows(tx, PositionRow, 't.invoice_id = any($1::uuid[]) order by t.invoice_id, t.ordinal', [invoiceIds]);
    const byInvoice = new Map<string, PositionRow[]>(invoiceIds.map((id) => [id, []]));
    for (const row of rows) byInvoice.get(row.invoiceId)?.push(row);
    return byInvoice;
  }

  async one(tx: Tx, id: string): Promise<InvoiceJson> {
    const [shown] = await this.show(tx, [await this.row(tx, id)]);
    return shown as InvoiceJson;
  }

  /** Representations in the order of the rows. */
  async show(tx: Tx, invoices: readonly InvoiceRow[], known: KnownParts = {}): Promise<InvoiceJson[]> {
    if (invoices.length === 0) return [];
    const lines =
      known.positions ??
      (await this.positions(
        tx,
        invoices.map((invoice) => invoice.id),
      ));
    const customers =
      known.customers ??
      (await this.replicas.getMany<CustomerState>(
        tx,
        'customer',
        invoices.map((invoice) => invoice.customerId),
      ));
    const methodIds = invoices.map((invoice) => invoice.paymentMethodId ?? invoice.intentPaymentMethodId).filter((id) => id !== null);
    const methods = await knownMethods(this.replicas, tx, methodIds);
    const taxGroups = known.taxGroups ?? (await this.taxGroups(tx, [...lines.values()].flat()));
    const referenced = await this.referenced(tx, invoices);
    return invoices.map((invoice) => {
      const customer = customers.get(invoice.customerId);
      return representInvoice(invoice, {
        positions: lines.get(invoice.id) ?? [],
        customer: customer?.representation ?? { id: invoice.customerId },
        paymentMethod: methods.get(invoice.paymentMethodId ?? invoice.intentPaymentMethodId ?? '')?.representation ?? null,
        invoiceAddress: invoice.invoiceAddress ?? (customer ? addressFor(customer, invoice.invoiceAddressId) : null),
        referencedInvoice: referenced.get(invoice.referencedInvoiceId ?? '') ?? null,
        taxGroups,
        usageBreakdownUrl: this.usageLinks.urlOf(invoice),
      });
    });
  }

  taxGroups(tx: Tx, positions: readonly Pick<PositionRow, 'taxGroupId'>[]): Promise<Map<string, TaxGroupCopy>> {
    return this.replicas.getMany<TaxGroupCopy>(
      tx,
      'tax_group',
      positions.map((position) => position.taxGroupId),
    );
  }

  /** The documents that others refer to, without what they refer to themselves. */
  private async referenced(tx: Tx, invoices: readonly InvoiceRow[]): Promise<Map<string, InvoiceJson>> {
    const ids = invoices.map((invoice) => invoice.referencedInvoiceId).filter((id) => id !== null);
    if (ids.length === 0) return new Map();
    const rows = await selectRows(tx, InvoiceRow, 't.id = any($1::uuid[])', [[...new Set(ids)]]);
    const shown = await this.show(
      tx,
      rows.map((row) => Object.assign(new InvoiceRow(), row, { referencedInvoiceId: null })),
    );
    return new Map(shown.map((invoice) => [invoice.id, invoice]));
  }
}
