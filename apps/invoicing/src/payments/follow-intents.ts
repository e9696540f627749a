import { Injectable } from '@nestjs/common';
import type { IntentState } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { onCommit } from '@kontor/persistence';
import { awaitedPdfTable } from '../db/awaited-pdf.row.js';
import { InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { isDunningType, NOT_DUNNED } from '../domain/dunning/dunning-document.js';
import { applyIntent, type IntentStep, type IntentView } from '../domain/payments/apply-intent.js';
import { EndDunning } from '../dunning/end-dunning.js';
import { StatusSignal } from '../finalization/status-signal.js';
import { loadPositions } from '../invoices/invoice-rows.js';
import { type InvoiceChange, RecordChanges } from '../invoices/record-changes.js';
import { followRefunds } from '../refunds/follow-refunds.js';

/** A version of an intent as payments reports it, in an event or in an answer. */
export interface ReportedIntent {
  readonly version: number;
  readonly state: IntentState;
}

const PROJECTED = [
  'version',
  'status',
  'unpaidMinor',
  'payDate',
  'intentId',
  'intentVersion',
  'intentStatus',
  'waitsForPayer',
  'intentAmountMinor',
  'intentOpenMinor',
  'intentPaymentMethodId',
  'dunningLevel',
  'dunningStatus',
] as const satisfies readonly (keyof InvoiceRow)[];

/** With the invoices that refunds among them are about: their status may follow. All locks in the order of ids. */
const WITH_REFUNDED = `(t.id = ANY($2::uuid[]) OR t.id = ANY(ARRAY(
    SELECT r.referenced_invoice_id FROM invoice r WHERE r.id = ANY($2::uuid[]) AND r.type = 'TYPE_REFUND')))
  ORDER BY t.id FOR UPDATE`;

/**
 * Brings documents up to date with their intents, guarded by the intent's version: the event and the answer may both
 * come.
 */
@Injectable()
export class FollowIntents {
  constructor(
    private readonly recordChanges: RecordChanges,
    private readonly signal: StatusSignal,
    private readonly endDunning: EndDunning,
  ) {}

  async execute(tx: Tx, reported: readonly ReportedIntent[]): Promise<void> {
    const ids = [...new Set(reported.map(({ state }) => state.invoiceId).filter((id) => id !== null))];
    if (ids.length === 0) return;
    const hasRefunds = reported.some(({ state }) => state.amount.amount < 0);
    const rows = await invoiceTable.where(
      tx,
      hasRefunds ? WITH_REFUNDED : 't.id = ANY($2::uuid[]) ORDER BY t.id FOR UPDATE',
      [ids],
    );
    const invoices = new Map(rows.map((row) => [row.id, row]));
    const changes: InvoiceChange[] = [];
    await keepReports(tx, reported, invoices);
    for (const { version, state } of reported) {
      const invoice = invoices.get(state.invoiceId ?? '');
      if (!invoice || invoice.pdfAwaited) continue;
      for (const step of applyIntent(invoice, viewOf(state, version), tx.now)) {
        Object.assign(invoice, step.change, step.change.status === 'STATUS_PAID' && unlessOwn(invoice));
        invoice.version += 1;
        // Each event shows the document as it was at its step, so it gets a copy of the row.
        changes.push({ invoice: Object.assign(new InvoiceRow(), invoice), notices: noticesOf(invoice, step) });
      }
    }
    const changed = [...new Set(changes.map((change) => change.invoice.id))];
    if (changed.length === 0) return;
    await invoiceTable.update(
      tx,
      changed.map((id) => invoices.get(id) as InvoiceRow),
      PROJECTED,
    );
    const refunds = changes.flatMap(({ invoice }) =>
      invoice.type === 'TYPE_REFUND' ? (invoices.get(invoice.id) ?? []) : [],
    );
    if (refunds.length > 0) changes.push(...(await followRefunds(tx, [...new Set(refunds)], invoices)));
    await this.recordChanges.execute(tx, changes, {
      positions: await loadPositions(tx, [...new Set(changes.map((change) => change.invoice.id))]),
    });
    // Last: what it records are further versions of documents that were saved above.
    const settled = changed.filter((id) => mayEndDunning(invoices.get(id) as InvoiceRow));
    if (settled.length > 0) await this.endDunning.settle(tx, settled);
    onCommit(tx, () => this.signal.changed(changed));
  }
}

/** What is reported of documents that wait for their PDF is shown when that is there. */
async function keepReports(
  tx: Tx,
  reported: readonly ReportedIntent[],
  invoices: ReadonlyMap<string, InvoiceRow>,
): Promise<void> {
  const awaiting = reported.filter(({ state }) => invoices.get(state.invoiceId ?? '')?.pdfAwaited);
  if (awaiting.length === 0) return;
  const rows = await awaitedPdfTable.findByIds(
    tx,
    awaiting.map(({ state }) => state.invoiceId ?? ''),
  );
  for (const row of rows)
    for (const { version, state } of awaiting)
      if (state.invoiceId === row.invoiceId && version > (row.reported?.version ?? 0))
        row.reported = { version, state };
  await awaitedPdfTable.update(tx, rows, ['reported']);
}

/** A paid invoice is reminded of no more; the level of a reminder is its own. */
const unlessOwn = (invoice: InvoiceRow) => (isDunningType(invoice.type) ? {} : NOT_DUNNED);

/** Reminders and dunning letters have names of their own for what happens to them. */
const noticesOf = (invoice: InvoiceRow, { notice }: IntentStep) =>
  notice === null || isDunningType(invoice.type) ? [] : [notice];

/** It is paid, and was reminded of or reminds itself. */
const mayEndDunning = ({ status, type, lastReminderAt }: InvoiceRow): boolean =>
  status === 'STATUS_PAID' && (isDunningType(type) || lastReminderAt !== null);

const viewOf = (state: IntentState, version: number): IntentView => ({
  id: state.id,
  version,
  amountMinor: BigInt(state.amount.amount),
  openMinor: BigInt(state.openAmount.amount),
  status: state.status,
  waitsForPayer: state.waitsForPayer ?? false,
  paymentMethodId: state.paymentMethodId,
  paidAt: state.paidAt === null ? null : new Date(state.paidAt),
});
