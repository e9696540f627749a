import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { DomainError, type Tx, unknownReference } from '@kontor/kernel';
import { type PartResult, Replicas, settledInTurn } from '@kontor/persistence';
import { keepFilesInMind } from '@kontor/service-kit';
import { mediaTable } from '../db/document.row.js';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { type CustomFieldDefinition, customFieldViolations } from '../domain/drafts/custom-fields.js';
import { mustBeDraft } from '../domain/invoices/invoice.js';
import { cancelRetry } from '../invoices/blocked-drafts.js';
import { insertPositions, lockInvoice, positionsOf, updatePositions } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { type Draft, newDraft, partsOf } from '../pricing/draft.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { priceDraft } from '../pricing/price-draft.js';

/** What all changes of drafts by hand share: lock the draft, price it anew, save it, publish the change. */
@Injectable()
export class DraftEditor {
  constructor(
    private readonly replicas: Replicas,
    private readonly contexts: InvoiceContexts,
    private readonly showInvoices: ShowInvoices,
    private readonly recordChanges: RecordChanges,
  ) {}

  /** The draft, locked. @throws DomainError 404 `not_found`, 422 `invoice_not_draft`. */
  async lock(tx: Tx, id: string): Promise<Draft> {
    const invoice = await lockInvoice(tx, id);
    mustBeDraft(invoice);
    return newDraft(invoice, await positionsOf(tx, id));
  }

  /** Stores a new draft with its positions. @throws DomainError 422 `exchange_rate_missing`, `tax_rate_missing`. */
  async create(tx: Tx, draft: Draft): Promise<InvoiceJson> {
    const [created] = await this.createMany(tx, [{ status: 'fulfilled', value: draft }]);
    if (created?.status !== 'fulfilled') throw created?.reason;
    return created.value;
  }

  /** {@link create} for several by as many statements, with a result for each; what was refused before stays so. */
  async createMany(tx: Tx, drafts: readonly PartResult<Draft>[]): Promise<PartResult<InvoiceJson>[]> {
    const context = await this.contexts.load(tx, fulfilled(drafts));
    const priced = await settledInTurn(drafts, (draft) => {
      if (draft.status === 'rejected') throw draft.reason;
      priceDraft(draft.value, context);
      return draft.value;
    });
    const good = fulfilled(priced);
    const invoices = good.map(({ invoice }) => invoice);
    const parts = partsOf(good, context);
    await invoiceTable.insert(tx, invoices);
    await insertPositions(
      tx,
      good.flatMap(({ positions }) => positions),
    );
    await this.recordChanges.execute(
      tx,
      invoices.map((invoice) => ({ invoice, notices: ['invoice.created'] as const })),
      parts,
    );
    const shown = (await this.showInvoices.execute(tx, invoices, parts)).values();
    return priced.map((result) =>
      result.status === 'fulfilled' ? { status: 'fulfilled', value: shown.next().value as InvoiceJson } : result,
    );
  }

  /**
   * Stores a changed draft. `added` names its new positions; removed ones were deleted before.
   * @throws DomainError 422 `exchange_rate_missing`, `tax_rate_missing`.
   */
  async save(tx: Tx, draft: Draft, added: ReadonlySet<string> = new Set()): Promise<void> {
    await this.price(tx, draft);
    const { invoice, positions } = draft;
    invoice.version += 1;
    await invoiceTable.update(tx, [invoice]);
    await insertPositions(
      tx,
      positions.filter((position) => added.has(position.id)),
    );
    await updatePositions(
      tx,
      positions.filter((position) => !added.has(position.id)),
    );
    await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.updated'] }], partsOf([draft]));
  }

  /** Removes a draft. What was on it as charges is the caller's matter. */
  async remove(tx: Tx, draft: Draft): Promise<void> {
    const { invoice } = draft;
    invoice.version += 1;
    const change = { invoice, notices: ['invoice.removed'] as const, deleted: true };
    await this.recordChanges.execute(tx, [change], partsOf([draft]));
    await invoiceTable.delete(tx, { id: invoice.id });
    const previews = await mediaTable.find(tx, { invoiceId: invoice.id });
    await keepFilesInMind(
      tx,
      previews.map(({ blobKey }) => ({ file: blobKey })),
    );
    await mediaTable.delete(tx, { invoiceId: invoice.id });
    await cancelRetry(tx, invoice.id);
  }

  /** Who gets a new document. @throws DomainError 422 `unknown_reference`, `customer_archived`. */
  async customer(tx: Tx, id: string): Promise<CustomerState> {
    return (await this.customers(tx, [id]))(id);
  }

  /** {@link customer} for several documents, which refuses each by itself. */
  async customers(tx: Tx, ids: readonly string[]): Promise<(id: string) => CustomerState> {
    const customers = await this.replicas.holdMany<CustomerState>(tx, 'customer', ids);
    return (id) => {
      const customer = customers.get(id);
      if (!customer) throw unknownReference('customer');
      if (customer.status === 'STATUS_ARCHIVED')
        throw new DomainError('customer_archived', { detail: 'An archived customer gets no new invoices.' });
      return customer;
    };
  }

  /** @throws DomainError 422 `validation_failed` with what the tenant's configuration does not allow. */
  async checkCustomFields(tx: Tx, values: InvoiceRow['customFields']): Promise<void> {
    const settings = await this.replicas.get<{ customFieldDefinitions?: CustomFieldDefinition[] }>(
      tx,
      'settings',
      tx.tenantId,
    );
    const violations = customFieldViolations(values, settings?.customFieldDefinitions ?? []);
    if (violations[0]) throw new DomainError('validation_failed', { detail: violations[0].message, violations });
  }

  private async price(tx: Tx, draft: Draft): Promise<void> {
    priceDraft(draft, await this.contexts.load(tx, [draft]));
  }
}

const fulfilled = <T>(results: readonly PartResult<T>[]): T[] =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
