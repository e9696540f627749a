import { Injectable } from '@nestjs/common';
import { invoiceFinalizingV1, type PaymentMethodState, type UsageBreakdown } from '@kontor/contracts';
import { invariant, newUlid, type Tx, yearOf } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { insertRows, Replicas, scheduleDueMany } from '@kontor/persistence';
import { DocumentSnapshotRow, MediaRow } from '../db/document.row.js';
import { InvoiceRow } from '../db/invoice.row.js';
import { documentTexts } from '../domain/document-texts.js';
import type { DocumentSnapshot } from '../domain/document-snapshot.js';
import { freezeSnapshot } from '../domain/freeze-snapshot.js';
import type { BlockedReason } from '../domain/invoice.js';
import { endOfTerm, localDay } from '../domain/local-day.js';
import { isAddressComplete } from '../domain/recipient.js';
import { isSellerComplete } from '../domain/settings.js';
import { hasUsage, usageBreakdownOf } from '../domain/usage-breakdown.js';
import type { InvoiceWorld } from '../invoices/invoice-world.js';
import { knownMethods } from '../invoices/known-methods.js';
import type { Draft } from '../invoices/price-draft.js';
import { fileOf } from '../invoices/represent-invoice.js';
import { invoiceFinalizing } from '../published-events.js';
import { UsageLinks } from '../usage/usage-links.js';
import { takeNumbers } from './take-numbers.js';

/** Due work that renders a finalized document's file. */
export const RENDER_WORK = 'invoicing.render';

/** Why a priced draft cannot become a document, or null. */
export function finalizationObstacle(draft: Draft, world: InvoiceWorld): BlockedReason | null {
  if (!draft.customer) return 'customer_missing';
  if (!isSellerComplete(world.settingsOf(draft.customer.id).seller)) return 'seller_data_incomplete';
  return isAddressComplete(draft.address) ? null : 'invoice_address_incomplete';
}

/**
 * Turns priced drafts without obstacles into documents, all in one go: dates, texts and address are frozen, and
 * last of all numbers are taken: from then on the tenant's other finalizations wait, so what needs no number comes
 * before. The caller saves the rows and then calls `publish`, in the same transaction.
 */
@Injectable()
export class FinalizeDrafts {
  constructor(
    private readonly replicas: Replicas,
    private readonly usageLinks: UsageLinks,
  ) {}

  async freeze(tx: Tx, drafts: readonly Draft[], world: InvoiceWorld): Promise<void> {
    if (drafts.length === 0) return;
    for (const draft of drafts) freezeRow(draft, world);
    const methods = await this.methodsOf(tx, drafts);
    for (const draft of drafts) draft.method = methods.get(draft.invoice.id) ?? null;
    await scheduleDueMany(
      tx,
      drafts.map(({ invoice }) => ({ kind: RENDER_WORK, ref: invoice.id, dueAt: world.now })),
    );
    const { numberFormats } = world.settingsOf('');
    const numbers = await takeNumbers(
      tx,
      drafts.map((draft) => draft.invoice.type),
      { formats: numberFormats, year: yearOf(world.today) },
    );
    drafts.forEach((draft, index) => (draft.invoice.number = numbers[index] as string));
  }

  /** Stores snapshots and files-to-be, and asks payments for the intents. */
  async publish(tx: Tx, drafts: readonly Draft[], world: InvoiceWorld): Promise<void> {
    if (drafts.length === 0) return;
    const snapshots = drafts.map((draft): DocumentSnapshotRow => ({
      tenantId: tx.tenantId,
      invoiceId: draft.invoice.id,
      snapshot: snapshotOf(draft, world),
    }));
    await insertRows(tx, DocumentSnapshotRow, snapshots);
    await insertRows(
      tx,
      MediaRow,
      drafts.map(({ invoice }) => mediaOf(invoice)),
    );
    const asking = drafts.filter((draft) => draft.invoice.status === 'STATUS_FINALIZING');
    await appendEvents(
      tx,
      invoiceFinalizingV1,
      asking.map((draft) => ({
        aggregateId: draft.invoice.id,
        aggregateSeq: draft.invoice.version,
        payload: { ...invoiceFinalizing(draft.invoice, draft.taxes), ...this.usagePage(draft, world) },
      })),
    );
  }

  /** What a page about the document's usage shows, where it has one. */
  private usagePage({ invoice, positions, customer }: Draft, world: InvoiceWorld): { usageBreakdown?: UsageBreakdown } {
    if (!invoice.usageBreakdown || !customer) return {};
    const { seller } = world.settingsOf(customer.id);
    return { usageBreakdown: usageBreakdownOf(invoice, positions, { customer, seller, tokenHash: this.usageLinks.tokenHashOf(invoice) }) };
  }

  /** The method that each document names, else its customer's default. */
  private async methodsOf(tx: Tx, drafts: readonly Draft[]): Promise<Map<string, PaymentMethodState>> {
    const named = await knownMethods(
      this.replicas,
      tx,
      drafts.map((draft) => draft.invoice.paymentMethodId).filter((id) => id !== null),
    );
    const unnamed = drafts.filter((draft) => draft.invoice.paymentMethodId === null).map((draft) => draft.invoice.customerId);
    const rows =
      unnamed.length === 0
        ? []
        : await tx.query<{ data: PaymentMethodState }>(
            `select data from replica where tenant_id = $1 and kind = 'payment_method' and not deleted
             and data->>'customerId' = any($2::text[]) and (data->>'default')::boolean`,
            [tx.tenantId, unnamed],
          );
    const byCustomer = new Map(rows.map(({ data }) => [data.customerId, data]));
    const found = new Map<string, PaymentMethodState>();
    for (const { invoice } of drafts) {
      const method = invoice.paymentMethodId === null ? byCustomer.get(invoice.customerId) : named.get(invoice.paymentMethodId);
      if (method) found.set(invoice.id, method);
    }
    return found;
  }
}

function freezeRow(draft: Draft, world: InvoiceWorld): void {
  const { invoice, customer, address } = draft;
  invariant(customer && address, 'a draft without obstacles has customer and address');
  const day = localDay(world.now, customer.timeZone);
  const nothingToPay = invoice.grossMinor === 0n;
  Object.assign(invoice, documentTexts(invoice.type, invoice.language), {
    status: nothingToPay ? 'STATUS_PAID' : 'STATUS_FINALIZING',
    finalizedAt: world.now,
    payDate: nothingToPay ? world.now : null,
    dueAt: invoice.dueAt ?? endOfTerm(day, world.settingsOf(customer.id).paymentTermDays, customer.timeZone),
    invoiceAddress: address,
    unpaidMinor: invoice.grossMinor,
    mediaId: newUlid(),
    joinable: false,
    blockedReason: null,
    usageBreakdown: !nothingToPay && hasUsage(draft.positions) && world.settingsOf(customer.id).usageBreakdownLink,
  });
}

/** What a document's file shows; for a draft, what it would show now. */
export function snapshotOf(draft: Draft, world: InvoiceWorld): DocumentSnapshot {
  invariant(draft.customer, 'a priced draft has its customer');
  const { invoice, positions, taxes, customer, address } = draft;
  return freezeSnapshot({
    invoice,
    draft: invoice.number === null,
    day: localDay(invoice.finalizedAt ?? world.now, customer.timeZone),
    positions,
    taxes,
    exchangeRates: invoice.exchangeRates,
    customer,
    address,
    settings: world.settingsOf(customer.id),
    method: draft.method?.representation ?? null,
    referenced: draft.referenced ?? null,
  });
}

function mediaOf(invoice: InvoiceRow): MediaRow {
  const file = fileOf(invoice);
  invariant(file, 'a finalized document has a file');
  return { tenantId: invoice.tenantId, invoiceId: invoice.id, kind: 'pdf', blobKey: null, sizeBytes: null, ...file };
}
