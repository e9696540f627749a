import { Injectable } from '@nestjs/common';
import { type EventOf, invoiceFinalizingV1, type UsageBreakdown } from '@kontor/contracts';
import { type Tx, yearOf } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { Replicas, scheduleDueMany } from '@kontor/persistence';
import { eachInTurn } from '@kontor/service-kit';
import { invoiceTable } from '../db/invoice.row.js';
import { awaitedPdfTable } from '../db/awaited-pdf.row.js';
import { documentSnapshotTable, mediaTable } from '../db/document.row.js';
import { usageBreakdownOf } from '../domain/usage/usage-breakdown.js';
import { RENDER_WORK } from '../due-kinds.js';
import { invoiceFinalizing } from '../invoices/invoice-events.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { type Draft, partsOf } from '../pricing/draft.js';
import { type InvoiceContext, InvoiceContexts } from '../pricing/invoice-context.js';
import { lockOriginals } from '../pricing/load-billed-lines.js';
import { tryPriceDraft } from '../pricing/price-draft.js';
import { UsageLinks } from '../usage/usage-links.js';
import { takesEffectAtOnce } from './awaits-pdf.js';
import { checkEInvoice } from './check-e-invoice.js';
import { checkParties } from './check-parties.js';
import { findPaymentMethods } from './find-payment-methods.js';
import { loadTemplates } from './write-texts.js';
import { freezeContent, mediaRowsOf, nameReferences, snapshotRowOf, writeTexts } from './freeze-document.js';
import { keepLogo } from './keep-logo.js';
import { nameBilledVatIds } from './name-billed-vat-ids.js';
import { recordLimits } from './record-limits.js';
import { requestPdfs } from './request-pdfs.js';
import { mustSplit, splitDraft } from './split-draft.js';
import { blockTakenNumbers, isNumberTaken, numberTaken } from './number-taken.js';
import { takeNumbers } from './take-numbers.js';

/** What the steps of a finalization share: a tenant's drafts, in one transaction. */
interface Finalization {
  readonly tx: Tx;
  readonly drafts: readonly Draft[];
  readonly context: InvoiceContext;
  readonly saveInvoices: () => Promise<void>;
}

type Step = (finalization: Finalization) => Promise<void> | void;

/**
 * Turns drafts into numbered documents, set-based: each step costs as many statements for a hundred drafts as for one.
 */
@Injectable()
export class FinalizeDrafts {
  /**
   * What happens to drafts that nothing stands in the way of, in this order. Numbers come as late as possible:
   * from then on the tenant's other finalizations wait for the commit.
   */
  private readonly steps: readonly Step[] = [
    freezeContents,
    ({ tx, drafts }) => this.choosePaymentMethods(tx, drafts),
    scheduleRendering,
    numberDocuments,
    (finalization) => this.storeDocuments(finalization),
    (finalization) => this.requestPdfs(finalization),
    (finalization) => this.recordPaid(finalization),
    ({ tx, drafts }) =>
      recordLimits(
        tx,
        this.recordChanges,
        drafts.flatMap((draft) => draft.limits),
      ),
  ];

  constructor(
    private readonly contexts: InvoiceContexts,
    private readonly replicas: Replicas,
    private readonly usageLinks: UsageLinks,
    private readonly recordChanges: RecordChanges,
  ) {}

  /**
   * What comes first: locks the invoices that lines credit, loads the context, prices each draft, checks seller, recipient and e-invoice.
   * Obstacles are on the drafts.
   */
  async prepare(tx: Tx, drafts: readonly Draft[], issuedAt = tx.now): Promise<InvoiceContext> {
    await lockOriginals(tx, drafts);
    const context = { ...(await this.contexts.load(tx, drafts)), now: issuedAt };
    await eachInTurn(drafts, (draft) => {
      draft.obstacle = tryPriceDraft(draft, context) ?? checkParties(draft, context);
    });
    const named = nameAuthorities(drafts, context);
    // Authorities want to know how they pay.
    await this.choosePaymentMethods(
      tx,
      drafts.filter(({ invoice }) => invoice.leitwegId !== null),
    );
    await nameBilledVatIds(tx, drafts, context);
    await eachInTurn(drafts, (draft) => {
      draft.obstacle ??= checkEInvoice(draft, context);
    });
    await blockTakenNumbers(tx, drafts, context);
    // Whatever its customer has when it is tried again.
    for (const { invoice, obstacle } of named) if (obstacle) invoice.leitwegId = null;
    return context;
  }

  /**
   * {@link prepare}, after which drafts that no e-invoice could hold are two. `apart` has the new drafts, by those that their
   * lines have left.
   */
  async prepareApart(
    tx: Tx,
    drafts: readonly Draft[],
  ): Promise<{ context: InvoiceContext; apart: ReadonlyMap<Draft, Draft> }> {
    const context = await this.prepare(tx, drafts);
    const apart = new Map(drafts.filter(mustSplit).map((draft) => [draft, splitDraft(draft)]));
    if (apart.size === 0) return { context, apart };
    const all = drafts.flatMap((draft) => [draft, apart.get(draft) ?? []].flat());
    return { context: await this.prepare(tx, all), apart };
  }

  /**
   * Finalizes prepared drafts without obstacles, whose positions are saved. `save` writes rows that are not there yet.
   * @throws DomainError `number_taken`
   */
  async execute(tx: Tx, drafts: readonly Draft[], context: InvoiceContext, save?: () => Promise<void>): Promise<void> {
    if (drafts.length === 0) return;
    const invoices = drafts.map((draft) => draft.invoice);
    const finalization = { tx, drafts, context, saveInvoices: save ?? (() => invoiceTable.update(tx, invoices)) };
    try {
      for (const step of this.steps) await step(finalization);
    } catch (error) {
      // Who imports a document says itself that it is there.
      throw isNumberTaken(error) && invoices.every(({ imported }) => !imported) ? numberTaken() : error;
    }
  }

  private async choosePaymentMethods(tx: Tx, drafts: readonly Draft[]): Promise<void> {
    if (drafts.length === 0) return;
    const invoices = drafts.map((draft) => draft.invoice);
    const methods = await findPaymentMethods(this.replicas, tx, invoices);
    for (const draft of drafts) draft.method = methods.get(draft.invoice.id) ?? null;
  }

  /** Asked for at once: who waits for the number waits for one round trip, and for words that are found while the database writes. */
  private async storeDocuments(finalization: Finalization): Promise<void> {
    for (const { invoice } of finalization.drafts) invoice.version += 1;
    await Promise.all([
      finalization.saveInvoices(),
      storeSnapshots(finalization),
      storeMediaRows(finalization),
      this.requestIntents(finalization),
    ]);
  }

  /** Payments opens an intent for each document over an amount; for one that waits for its PDF, when that is there. */
  private async requestIntents({ tx, drafts, context }: Finalization): Promise<void> {
    const payable = drafts.filter(({ invoice }) => invoice.status === 'STATUS_FINALIZING' && invoice.grossMinor !== 0n);
    const held = payable.filter((draft) => draft.invoice.pdfAwaited && !takesEffectAtOnce(draft));
    const awaited = drafts.filter(({ invoice }) => invoice.pdfAwaited);
    await Promise.all([
      appendEvents(
        tx,
        invoiceFinalizingV1,
        payable
          .filter((draft) => !held.includes(draft))
          .map((draft) => ({
            aggregateId: draft.invoice.id,
            aggregateSeq: draft.invoice.version,
            payload: this.finalizing(draft, context),
          })),
      ),
      awaitedPdfTable.insert(
        tx,
        awaited.map((draft) => ({
          tenantId: draft.invoice.tenantId,
          invoiceId: draft.invoice.id,
          requestedAt: tx.now,
          alarmedAt: null,
          finalizing: held.includes(draft) ? this.finalizing(draft, context) : null,
          reported: null,
        })),
      ),
    ]);
  }

  private finalizing(draft: Draft, context: InvoiceContext): EventOf<typeof invoiceFinalizingV1>['payload'] {
    return {
      ...invoiceFinalizing(draft.invoice, draft.taxes, draft.positions),
      disposition: draft.disposition ?? null,
      ...(draft.invoice.type === 'TYPE_CREDIT' && !draft.referenced && { automatic: true }),
      ...(draft.invoice.imported && { imported: true }),
      ...this.usagePage(draft, context),
    };
  }

  /** The tenant's own system is asked for the files of these documents. */
  private async requestPdfs({ tx, drafts, context }: Finalization): Promise<void> {
    const awaited = drafts.filter(({ invoice }) => invoice.pdfAwaited);
    if (awaited.length === 0) return;
    const reported = awaited.filter(takesEffectAtOnce).map(({ invoice }) => invoice);
    for (const invoice of reported) invoice.version += 1;
    await invoiceTable.update(tx, reported, ['version']);
    await requestPdfs(tx, this.recordChanges, awaited, context);
  }

  /** Documents with a total of zero have no intent to wait for: they are final and paid at once. */
  private recordPaid({ tx, drafts, context }: Finalization): Promise<void> {
    // What a reminder claims is another document's; who issues it reports it.
    const paid = drafts.filter((draft) => draft.invoice.status === 'STATUS_PAID' && !draft.claim);
    return this.recordChanges.execute(
      tx,
      paid.map(({ invoice }) => ({ invoice, notices: ['invoice.finalized'] as const })),
      partsOf(paid, context),
    );
  }

  /** What the public page about the document's usage shows, where it has one. */
  private usagePage(
    { invoice, positions, customer }: Draft,
    context: InvoiceContext,
  ): { usageBreakdown?: UsageBreakdown } {
    if (!invoice.usageBreakdown || !customer) return {};
    const { seller } = context.settingsOf(customer.id);
    const tokenHash = this.usageLinks.tokenHashOf(invoice);
    return { usageBreakdown: usageBreakdownOf(invoice, positions, { customer, seller, tokenHash }) };
  }
}

/** Gives documents the Leitweg-ID that their customers have, and returns them. */
function nameAuthorities(drafts: readonly Draft[], context: InvoiceContext): Draft[] {
  const named = drafts.filter(({ invoice }) => invoice.leitwegId === null && !invoice.imported);
  for (const { invoice } of named) invoice.leitwegId = context.settingsOf(invoice.customerId).leitwegId;
  return named;
}

function freezeContents({ drafts, context }: Finalization): void {
  for (const draft of drafts) freezeContent(draft, context);
}

const scheduleRendering: Step = ({ tx, drafts, context }) =>
  scheduleDueMany(
    tx,
    drafts.map(({ invoice }) => ({ kind: RENDER_WORK, ref: invoice.id, dueAt: context.now })),
  );

/** Numbers the documents and writes their texts, which may name the number. */
async function numberDocuments({ tx, drafts, context }: Finalization): Promise<void> {
  const templates = await loadTemplates(tx, drafts);
  const unnumbered = drafts.filter(({ invoice }) => invoice.number === null);
  const numbers = await takeNumbers(
    tx,
    unnumbered.map((draft) => draft.invoice.type),
    { formats: context.settings.numberFormats, year: yearOf(context.today) },
  );
  unnumbered.forEach(({ invoice }, index) => (invoice.number = numbers[index] as string));
  for (const draft of drafts) nameReferences(draft, context);
  await eachInTurn(drafts, (draft) => writeTexts(draft, context, templates));
}

const storeSnapshots: Step = async ({ tx, drafts, context }) => {
  await keepLogo(tx, context.settings.checkout.logo);
  await documentSnapshotTable.insert(
    tx,
    drafts.map((draft) => snapshotRowOf(draft, context)),
  );
};

const storeMediaRows: Step = ({ tx, drafts }) => mediaTable.insert(tx, drafts.flatMap(mediaRowsOf));
