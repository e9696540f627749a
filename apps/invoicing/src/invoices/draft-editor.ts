import { Injectable } from '@nestjs/common';
import type { CustomerState } from '@kontor/contracts';
import { DomainError, type Tx, unknownReference } from '@kontor/kernel';
import { Replicas } from '@kontor/persistence';
import type { InvoiceRow } from '../db/invoice.row.js';
import { type CustomFieldDefinition, customFieldViolations } from '../domain/custom-fields.js';
import { mustBeDraft } from '../domain/invoice.js';
import { InvoiceReader } from './invoice.read.js';
import { InvoiceWorlds } from './invoice-world.js';
import { type Draft, newDraft, priceDraft } from './price-draft.js';
import { RecordChanges } from './record-changes.js';
import type { InvoiceJson } from './represent-invoice.js';
import { knownOf, insertInvoices, insertPositions, updateInvoices, updatePositions } from './save-drafts.js';

/** What all changes of drafts share: lock, price anew, save, tell. */
@Injectable()
export class DraftEditor {
  constructor(
    private readonly replicas: Replicas,
    private readonly worlds: InvoiceWorlds,
    private readonly reader: InvoiceReader,
    private readonly record: RecordChanges,
  ) {}

  /** The draft, locked. @throws DomainError 404 `not_found`, 422 `invoice_not_draft`. */
  async lock(tx: Tx, id: string): Promise<Draft> {
    const invoice = await this.reader.row(tx, id, true);
    mustBeDraft(invoice);
    return newDraft(invoice, (await this.reader.positions(tx, [id])).get(id) ?? []);
  }

  /** @throws DomainError 422 `exchange_rate_missing`, `tax_rate_missing`. */
  async price(tx: Tx, draft: Draft): Promise<void> {
    const { invoice, positions } = draft;
    const world = await this.worlds.load(tx, {
      customerIds: [invoice.customerId],
      taxGroupIds: positions.map((position) => position.taxGroupId),
      currencies: [invoice.currencyCode, ...positions.map((position) => position.priceCurrencyCode)],
    });
    priceDraft(draft, world);
  }

  /** Stores a new draft with its positions. */
  async create(tx: Tx, draft: Draft): Promise<InvoiceJson> {
    await this.price(tx, draft);
    await insertInvoices(tx, [draft.invoice]);
    await insertPositions(tx, draft.positions);
    await this.record.execute(tx, [{ invoice: draft.invoice, notices: ['invoice.created'] }], knownOf([draft]));
    return this.reader.one(tx, draft.invoice.id);
  }

  /**
   * Stores a changed draft. Its positions may contain new ones, named in `added`; removed ones were deleted before. A
   * draft that was changed by hand takes no more lines from runs.
   */
  async save(tx: Tx, draft: Draft, added: ReadonlySet<string> = new Set()): Promise<void> {
    await this.price(tx, draft);
    const { invoice } = draft;
    invoice.version += 1;
    await updateInvoices(tx, [invoice]);
    await insertPositions(
      tx,
      draft.positions.filter((position) => added.has(position.id)),
    );
    await updatePositions(
      tx,
      draft.positions.filter((position) => !added.has(position.id)),
    );
    await this.record.execute(tx, [{ invoice, notices: ['invoice.updated'] }], knownOf([draft]));
  }

  /** @throws DomainError 422 `unknown_reference`, `customer_archived`. */
  async customer(tx: Tx, id: string): Promise<CustomerState> {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', id);
    if (!customer) throw unknownReference('customer');
    if (customer.status === 'STATUS_ARCHIVED')
      throw new DomainError('customer_archived', { detail: 'An archived customer gets no new invoices.' });
    return customer;
  }

  /** @throws DomainError 422 `unknown_reference` unless the method is the customer's. */
  async mustOwnMethod(tx: Tx, customerId: string, methodId: string | null): Promise<void> {
    if (methodId === null) return;
    const method = await this.replicas.get<{ customerId: string }>(tx, 'payment_method', methodId);
    if (method?.customerId !== customerId) throw unknownReference('paymentMethod', 'payment method');
  }

  /** @throws DomainError 422 `validation_failed` with what the tenant's configuration does not allow. */
  async checkCustomFields(tx: Tx, values: InvoiceRow['customFields']): Promise<void> {
    const settings = await this.replicas.get<{ customFieldDefinitions?: CustomFieldDefinition[] }>(tx, 'settings', tx.tenantId);
    const violations = customFieldViolations(values, settings?.customFieldDefinitions ?? []);
    if (violations[0]) throw new DomainError('validation_failed', { detail: violations[0].message, violations });
  }
}
