import { Injectable } from '@nestjs/common';
import { invoiceChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { addDays } from '@kontor/kernel';
import { isSafeAmount } from '@kontor/money';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { type InvoiceHistoryRow, invoiceHistoryTable } from '../db/document.row.js';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { claimOf, NO_CLAIMS } from '../domain/dunning/claim.js';
import { type DueStep, stepFor } from '../domain/dunning/dunning-rule.js';
import { endOfTerm, localDay } from '../domain/invoices/local-day.js';
import { checkParties } from '../finalization/check-parties.js';
import { FinalizeDrafts } from '../finalization/finalize-drafts.js';
import { invoiceChanged, invoiceMetadata } from '../invoices/invoice-events.js';
import { insertPositions, loadPositions } from '../invoices/invoice-rows.js';
import { RecordChanges } from '../invoices/record-changes.js';
import type { TaxGroupCopy } from '../invoices/represent-invoice.js';
import type { Draft } from '../pricing/draft.js';
import { type InvoiceContext, InvoiceContexts } from '../pricing/invoice-context.js';
import { dunningDraft } from './dunning-draft.js';
import { type DunningDocumentRow, dunningDocumentTable } from './dunning-document.row.js';
import { KnownBaseRates } from './known-base-rates.js';
import { loadEarlierClaims } from './load-earlier-claims.js';
import { loadPaidTimes } from './load-paid-times.js';
import { representDunning } from './represent-dunning.js';

/** An invoice, the document that reminds of it, and its row among those. */
interface Issued {
  readonly invoice: InvoiceRow;
  readonly draft: Draft;
  readonly document: DunningDocumentRow;
}

/**
 * Issues a document for each of these locked invoices: number, snapshot, file and mail as any document has them, and the
 * invoice's new level. As many statements for one as for all.
 */
@Injectable()
export class IssueDunning {
  constructor(
    private readonly contexts: InvoiceContexts,
    private readonly finalizeDrafts: FinalizeDrafts,
    private readonly recordChanges: RecordChanges,
    private readonly replicas: Replicas,
    private readonly baseRates: KnownBaseRates,
  ) {}

  /**
   * Returns how many there are; customers that are not dunned or have no address are left out, and claims that no answer
   * can carry.
   */
  async execute(tx: TenantTx, invoices: readonly InvoiceRow[], steps: readonly DueStep[]): Promise<number> {
    if (invoices.length === 0) return 0;
    const ids = invoices.map((invoice) => invoice.id);
    const positions = await loadPositions(tx, ids);
    const context = await this.contexts.load(
      tx,
      invoices.map((invoice) => ({ invoice, positions: [] })),
    );
    const issued = await this.draft(tx, invoices, { steps, context, positions });
    if (issued.length === 0) return 0;
    await this.raise(tx, issued);
    const drafts = issued.map(({ draft }) => draft);
    await this.finalizeDrafts.execute(tx, drafts, context, () => this.save(tx, issued, context, positions));
    return issued.length;
  }

  private async draft(
    tx: TenantTx,
    invoices: readonly InvoiceRow[],
    {
      steps,
      context,
      positions,
    }: { steps: readonly DueStep[]; context: InvoiceContext; positions: ReadonlyMap<string, readonly PositionRow[]> },
  ): Promise<Issued[]> {
    const ids = invoices.map((invoice) => invoice.id);
    const earlier = await loadEarlierClaims(tx, ids);
    const paidTimes = await loadPaidTimes(tx, ids);
    const taxGroup = await this.exempt(tx);
    return invoices.flatMap((invoice) => {
      const rule = stepFor(steps, invoice)?.rule;
      const customer = context.customers.get(invoice.customerId);
      if (!rule || !customer || !invoice.dueAt) return [];
      const settings = context.settingsOf(customer.id);
      // Nobody would get it: that address is gone.
      if (!settings.dunningEnabled || customer.anonymizedAt) return [];
      const zone = customer.timeZone;
      const today = localDay(context.now, zone);
      const claim = claimOf(invoice, {
        rule,
        earlier: earlier.get(invoice.id) ?? NO_CLAIMS,
        today,
        dueDay: localDay(invoice.dueAt, zone),
        paidDays: (paidTimes.get(invoice.id) ?? []).map(({ paidAt, openAt }) => ({
          from: addDays(localDay(paidAt, zone), 1),
          to: localDay(openAt, zone),
        })),
        isBusiness: customer.companyName !== null || customer.vatId !== null,
        interest: settings.dunningInterest.enabled,
        lumpSum: settings.dunningLumpSum,
        baseRates: this.baseRates.rates,
      });
      if (!isSafeAmount(claim.claimMinor)) return [];
      if (claim.interestMinor > 0n) this.baseRates.reportMissing(today);
      const draft = dunningDraft(invoice, rule, claim, {
        now: context.now,
        dueAt: endOfTerm(today, rule.dueInDays, zone),
        taxGroupId: taxGroup ?? positions.get(invoice.id)?.[0]?.taxGroupId ?? '',
      });
      Object.assign(draft, {
        customer,
        address: invoice.invoiceAddress,
        referenced: [invoice],
        claim: { ...claim, level: rule.level, letter: (earlier.get(invoice.id)?.letters ?? 0) + 1, invoice },
      } satisfies Partial<Draft>);
      return checkParties(draft, context) ? [] : [{ invoice, draft, document: documentOf(draft, invoice, context) }];
    });
  }

  /** Fees are damages: no VAT is charged. */
  private async exempt(tx: TenantTx): Promise<string | null> {
    const groups = await this.replicas.all<TaxGroupCopy>(tx, 'tax_group');
    return groups.find(({ type }) => type === 'exempt')?.id ?? null;
  }

  /** All that does not name the documents' numbers: while those are taken, the tenant's other finalizations wait. */
  private async raise(tx: TenantTx, issued: readonly Issued[]): Promise<void> {
    const changed = issued.map(({ invoice, document }) =>
      Object.assign(invoice, {
        dunningLevel: document.level,
        dunningStatus: document.type,
        lastReminderAt: tx.now,
        version: invoice.version + 1,
      }),
    );
    await Promise.all([
      invoiceTable.update(tx, changed, ['version', 'dunningLevel', 'dunningStatus', 'lastReminderAt']),
      insertPositions(
        tx,
        issued.flatMap(({ draft }) => draft.positions),
      ),
      dunningDocumentTable.insert(
        tx,
        issued.map(({ document }) => document),
      ),
    ]);
  }

  /** The documents, and what is published of them and of their invoices. */
  private async save(
    tx: TenantTx,
    issued: readonly Issued[],
    context: InvoiceContext,
    positions: ReadonlyMap<string, readonly PositionRow[]>,
  ): Promise<void> {
    const { events, history } = announcementOf(issued, context);
    const changes = issued.map(({ invoice, draft, document }) => ({
      invoice,
      notices: ['invoice.dunning.applied' as const],
      details: { dunningDocument: { id: document.id, number: draft.invoice.number, level: document.level } },
    }));
    await Promise.all([
      appendEvents(tx, invoiceChangedV1, events),
      invoiceHistoryTable.insert(tx, history),
      invoiceTable.insert(
        tx,
        issued.map(({ draft }) => draft.invoice),
      ),
      this.recordChanges.execute(tx, changes, { positions, customers: context.customers }),
    ]);
  }
}

function documentOf({ invoice: row, claim }: Draft, invoice: InvoiceRow, context: InvoiceContext): DunningDocumentRow {
  const { openMinor, earlierFeesMinor, feeMinor, interestMinor, interestTo, lumpSumMinor, claimMinor } = claim!;
  return {
    tenantId: row.tenantId,
    id: row.id,
    invoiceId: invoice.id,
    customerId: invoice.customerId,
    level: row.dunningLevel,
    type: row.type === 'TYPE_REMINDER' ? 'reminder' : 'dunning',
    status: 'open',
    documentDay: context.today,
    createdAt: context.now,
    openMinor,
    earlierFeesMinor,
    feeMinor,
    interestMinor,
    interestTo,
    lumpSumMinor,
    claimMinor,
  };
}

/**
 * What reports the documents, which have their numbers now, as they are before their fees are booked. The event that has
 * payments book them takes the next number of each document's sequence.
 */
function announcementOf(issued: readonly Issued[], context: InvoiceContext) {
  const history: InvoiceHistoryRow[] = [];
  const events = issued.map(({ draft, document }) => {
    const { invoice: row } = draft;
    const type = 'dunning_document.created';
    const json = representDunning(document, row, context.customers.get(row.customerId)?.representation);
    const metadata = { ...invoiceMetadata(row), invoiceNumber: row.dunning?.invoiceNumber, level: document.level };
    history.push({ tenantId: row.tenantId, invoiceId: row.id, version: row.version, type, at: context.now, metadata });
    const notice = {
      type,
      objectId: row.id,
      data: { dunningDocument: json },
      customerId: row.customerId,
      activity: { metadata },
    } as const;
    return { aggregateId: row.id, aggregateSeq: row.version, payload: invoiceChanged(row, [notice]) };
  });
  for (const { draft } of issued) if (draft.invoice.grossMinor !== 0n) draft.invoice.version += 1;
  return { events, history };
}
