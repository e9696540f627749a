import { Injectable } from '@nestjs/common';
import { DomainError, newUuid, validationFailed } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { isOfFormat } from '../domain/finalization/number-format.js';
import { DraftEditor } from '../drafts/draft-editor.js';
import { PositionInput } from '../drafts/position-input.js';
import { AwaitIntent } from '../finalization/await-intent.js';
import { FinalizeDrafts } from '../finalization/finalize-drafts.js';
import { isNumberTaken } from '../finalization/number-taken.js';
import { insertPositions } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { emptyInvoice } from '../invoices/new-rows.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { newDraft, partsOf } from '../pricing/draft.js';
import type { ImportInvoiceDto } from './import.dto.js';

/**
 * Takes over an invoice that another system issued: with its number and day, finalized at once, without a mail. An open
 * one can be paid, credited and cancelled like any other.
 */
@Injectable()
export class ImportInvoice {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly input: PositionInput,
    private readonly finalizeDrafts: FinalizeDrafts,
    private readonly recordChanges: RecordChanges,
    private readonly showInvoices: ShowInvoices,
    private readonly awaitIntent: AwaitIntent,
  ) {}

  /**
   * @throws DomainError 422 `unknown_reference`, `customer_archived`, `already_exists` (number), `number_of_own_series`,
   * `total_differs`, `validation_failed`, `exchange_rate_missing`, `tax_rate_missing`, `seller_data_incomplete`,
   * `invoice_address_incomplete`.
   */
  async execute(tenantId: string, dto: ImportInvoiceDto): Promise<InvoiceJson> {
    const imported = await this.database.tenant(tenantId, (tx) => this.import(tx, dto)).catch(namingTaken);
    return this.awaitIntent.execute(tenantId, imported);
  }

  private async import(tx: TenantTx, dto: ImportInvoiceDto): Promise<InvoiceJson> {
    const customer = await this.editor.customer(tx, dto.customer);
    await this.editor.checkCustomFields(tx, dto.customFields ?? null);
    const issuedAt = pastInstant('finalizationDate', dto.finalizationDate, tx.now);
    const invoice = emptyInvoice({
      tenantId: tx.tenantId,
      id: newUuid(),
      sourceType: 'manual',
      customerId: customer.id,
      currencyCode: dto.currencyCode ?? customer.currencyCode,
      createdAt: tx.now,
      number: dto.number,
      dueAt: new Date(dto.dueDate),
      payDate: dto.payDate ? pastInstant('payDate', dto.payDate, tx.now) : null,
      customFields: dto.customFields ?? null,
      imported: true,
      mailed: false,
    });
    const place = { invoiceId: invoice.id, after: 0, existing: [] };
    const draft = newDraft(invoice, await this.input.read(tx, dto.positions, place));
    const context = await this.finalizeDrafts.prepare(tx, [draft], issuedAt);
    if (draft.obstacle) throw draft.obstacle.error;
    mustBeForeign(dto.number, Object.values(context.settings.numberFormats));
    mustAgree(invoice, dto);
    await mustBeNew(tx, dto.number);
    await insertPositions(tx, draft.positions);
    await this.finalizeDrafts.execute(tx, [draft], context, () => invoiceTable.insert(tx, [invoice]));
    invoice.version += 1;
    await invoiceTable.update(tx, [invoice], ['version']);
    await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.imported'] }], partsOf([draft], context));
    return this.showInvoices.byId(tx, invoice.id);
  }
}

function pastInstant(field: string, text: string, now: Date): Date {
  const at = new Date(text);
  if (at > now) throw validationFailed(field, `${field} lies in the future.`, 'in_future');
  return at;
}

/** A number that this tenant's own series will reach would stop them. */
function mustBeForeign(number: string, formats: readonly string[]): void {
  if (formats.some((format) => isOfFormat(format, number)))
    throw new DomainError('number_of_own_series', {
      detail: 'The number is one that a number format of this tenant gives. Change the format first.',
      violations: [{ propertyPath: 'number', message: 'Belongs to a series of this tenant.', code: 'own_series' }],
    });
}

function mustAgree(invoice: InvoiceRow, { grossAmount }: ImportInvoiceDto): void {
  if (invoice.grossMinor < 0n)
    throw validationFailed(
      'positions',
      'Only invoices are imported: the total must not be negative.',
      'negative_total',
    );
  if (!grossAmount) return;
  if (grossAmount.currencyCode !== invoice.currencyCode || BigInt(grossAmount.amount) !== invoice.grossMinor)
    throw new DomainError('total_differs', {
      detail: `The positions come to ${invoice.grossMinor} ${invoice.currencyCode} in minor units.`,
      violations: [
        { propertyPath: 'grossAmount', message: 'Is not the total of the positions.', code: 'total_differs' },
      ],
    });
}

async function mustBeNew(tx: TenantTx, number: string): Promise<void> {
  if (await invoiceTable.exists(tx, { number })) throw taken();
}

const taken = (): DomainError =>
  new DomainError('already_exists', {
    detail: 'There is a document with this number.',
    violations: [{ propertyPath: 'number', message: 'Is taken.', code: 'already_exists' }],
  });

/** Somebody else imported the number at the same time: the database let one of them through. */
function namingTaken(error: unknown): never {
  throw isNumberTaken(error) ? taken() : error;
}
