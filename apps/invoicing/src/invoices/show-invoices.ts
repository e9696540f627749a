import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { lastAsked, Replicas } from '@kontor/persistence';
import { InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { eInvoiceTypeOf } from '../domain/finalization/e-invoice-terms.js';
import { addressFor } from '../domain/invoices/recipient.js';
import { settingsFor } from '../domain/invoices/settings.js';
import { UsageLinks } from '../usage/usage-links.js';
import { findInvoice, loadPositions } from './invoice-rows.js';
import type { InvoiceJson } from './invoice.schema.js';
import { loadPaymentMethods } from './payment-methods.js';
import { representInvoice, type TaxGroupCopy } from './represent-invoice.js';

/** What a caller has loaded already and need not be read again. */
export interface LoadedParts {
  readonly positions?: ReadonlyMap<string, readonly PositionRow[]>;
  readonly customers?: ReadonlyMap<string, CustomerState>;
  readonly taxGroups?: ReadonlyMap<string, TaxGroupCopy>;
  /** Nothing is read in the transaction after this. */
  readonly isLast?: boolean;
}

/**
 * Represents documents with everything that they embed. Reads are set-based: a hundred documents cost what one does.
 */
@Injectable()
export class ShowInvoices {
  constructor(
    private readonly replicas: Replicas,
    private readonly usageLinks: UsageLinks,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  async byId(tx: Tx, id: string, { isLast }: Pick<LoadedParts, 'isLast'> = {}): Promise<InvoiceJson> {
    const [invoice, positions] = await Promise.all([findInvoice(tx, id), loadPositions(tx, [id])]);
    const [shown] = await this.execute(tx, [invoice], { positions, isLast });
    return shown as InvoiceJson;
  }

  /** Representations in the order of the rows. */
  async execute(tx: Tx, invoices: readonly InvoiceRow[], loaded: LoadedParts = {}): Promise<InvoiceJson[]> {
    if (invoices.length === 0) return [];
    const positions = loaded.positions ?? (await loadPositions(tx, idsOf(invoices)));
    const reading = Promise.all([
      loaded.customers ?? this.customersOf(tx, invoices),
      loaded.taxGroups ?? this.taxGroupsOf(tx, [...positions.values()].flat()),
      loadPaymentMethods(this.replicas, tx, invoices.map(methodIdOf).filter(isPresent)),
      this.referencedBy(tx, invoices),
      cancellationsOf(tx, invoices),
      invoices.some(isDraft) ? this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId) : null,
    ]);
    // Of documents that others refer to, more is read.
    if (loaded.isLast && invoices.every(({ referencedInvoiceId }) => referencedInvoiceId === null)) lastAsked(tx);
    const [customers, taxGroups, methods, referenced, cancellations, settings] = await reading;
    return invoices.map((invoice) => {
      const customer = customers.get(invoice.customerId);
      return representInvoice(invoice, {
        positions: positions.get(invoice.id) ?? [],
        customer: customer?.representation ?? { id: invoice.customerId },
        paymentMethod: methods.get(methodIdOf(invoice) ?? '')?.representation ?? null,
        invoiceAddress: invoice.invoiceAddress ?? (customer ? addressFor(customer, invoice.invoiceAddressId) : null),
        referencedInvoice: referenced.get(invoice.referencedInvoiceId ?? '') ?? null,
        cancellationDocument: cancellations.get(invoice.cancellationId ?? '') ?? null,
        taxGroups,
        eInvoiceType: isDraft(invoice)
          ? eInvoiceTypeOf(invoice, settingsFor(settings, customer?.settings ?? null))
          : invoice.eInvoiceType,
        usageBreakdownUrl: this.usageLinks.urlOf(invoice),
      });
    });
  }

  private customersOf(tx: Tx, invoices: readonly InvoiceRow[]): Promise<Map<string, CustomerState>> {
    const ids = invoices.map((invoice) => invoice.customerId);
    return this.replicas.getMany<CustomerState>(tx, 'customer', ids);
  }

  private taxGroupsOf(tx: Tx, positions: readonly PositionRow[]): Promise<Map<string, TaxGroupCopy>> {
    const ids = positions.map((position) => position.taxGroupId);
    return this.replicas.getMany<TaxGroupCopy>(tx, 'tax_group', ids);
  }

  /** The documents that others refer to, without what they refer to themselves. */
  private async referencedBy(tx: Tx, invoices: readonly InvoiceRow[]): Promise<Map<string, InvoiceJson>> {
    const ids = invoices.map((invoice) => invoice.referencedInvoiceId).filter(isPresent);
    const rows = await invoiceTable.findByIds(tx, ids);
    const shown = await this.execute(
      tx,
      rows.map((row) => Object.assign(new InvoiceRow(), row, { referencedInvoiceId: null })),
    );
    return new Map(shown.map((invoice) => [invoice.id, invoice]));
  }
}

/** The documents that cancel others: their numbers. */
async function cancellationsOf(
  tx: Tx,
  invoices: readonly InvoiceRow[],
): Promise<Map<string, { id: string; number: string }>> {
  const ids = invoices.map((invoice) => invoice.cancellationId).filter(isPresent);
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; number: string }>(
    'SELECT id, number FROM invoice WHERE tenant_id = $1 AND id = ANY($2::uuid[])',
    [tx.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const isDraft = (invoice: InvoiceRow): boolean => invoice.status === 'STATUS_DRAFT';

const isPresent = (id: string | null): id is string => id !== null;

const idsOf = (invoices: readonly InvoiceRow[]): string[] => invoices.map((invoice) => invoice.id);

/** The method named for the document, else the one that its intent is collected by. */
const methodIdOf = (invoice: InvoiceRow): string | null => invoice.paymentMethodId ?? invoice.intentPaymentMethodId;
