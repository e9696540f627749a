import { Injectable } from '@nestjs/common';
import { DomainError, notFound } from '@kontor/kernel';
import { Database, type PartResult, SharedTransactions, type TenantTx } from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import { mustBeFinalizable } from '../domain/invoices/invoice.js';
import { loadPositions, lockInvoices, updatePositions } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { type Draft, newDraft, partsOf } from '../pricing/draft.js';
import { AwaitIntent } from './await-intent.js';
import { FinalizeDrafts } from './finalize-drafts.js';

interface Wanted {
  readonly id: string;
  readonly dueAt: Date | null;
}

/**
 * Gives a draft its number and hands it to payments. The numbers of a tenant come from one row, so documents that one caller
 * finalizes at the same time share a transaction; each is answered and refused by itself.
 */
@Injectable()
export class FinalizeInvoice {
  private readonly shared: SharedTransactions<Wanted, InvoiceJson>;

  constructor(
    database: Database,
    private readonly finalizeDrafts: FinalizeDrafts,
    private readonly showInvoices: ShowInvoices,
    private readonly awaitIntent: AwaitIntent,
  ) {
    this.shared = new SharedTransactions(database, (tx, wanted) => this.finalize(tx, wanted));
  }

  /**
   * @throws DomainError 404; 422 `invalid_status_transition`, `positions_missing`, `seller_data_incomplete`,
   * `invoice_address_incomplete`, `exchange_rate_missing`, `tax_rate_missing`, `e_invoice_invalid`.
   */
  async execute(tenantId: string, id: string, dueAt: Date | null): Promise<InvoiceJson> {
    const caller = requestContext()?.principal?.subjectId ?? '';
    const finalized = await this.shared.run(tenantId, caller, { id, dueAt });
    return this.awaitIntent.execute(tenantId, finalized);
  }

  private async finalize(tx: TenantTx, wanted: readonly Wanted[]): Promise<PartResult<InvoiceJson>[]> {
    const ids = [...new Set(wanted.map(({ id }) => id))];
    const invoices = await lockInvoices(tx, ids);
    const positions = await loadPositions(tx, [...invoices.keys()]);
    const drafts = new Map<Wanted, Draft>();
    const refusals = new Map<Wanted, DomainError>();
    const attempted = new Set<string>();
    for (const request of wanted) {
      const invoice = invoices.get(request.id);
      const draft = invoice && newDraft(invoice, positions.get(invoice.id) ?? []);
      const refusal = refusalOf(draft);
      if (refusal) refusals.set(request, refusal);
      // Of two requests for one document the second finds it finalized, or meets the same obstacle.
      else if (draft && !attempted.has(request.id)) drafts.set(request, draft);
      attempted.add(request.id);
    }
    const context = await this.finalizeDrafts.prepare(tx, [...drafts.values()]);
    for (const [request, { obstacle }] of drafts) if (obstacle) refusals.set(request, obstacle.error);
    const good = [...drafts].filter(([request]) => !refusals.has(request));
    for (const [{ dueAt }, { invoice }] of good) if (dueAt) invoice.dueAt = dueAt;
    const ready = good.map(([, draft]) => draft);
    await updatePositions(
      tx,
      ready.flatMap((draft) => draft.positions),
    );
    await this.finalizeDrafts.execute(tx, ready, context);
    const shown = await this.showInvoices.execute(
      tx,
      ready.map(({ invoice }) => invoice),
      partsOf(ready, context),
    );
    const results = new Map(good.map(([request], i) => [request, shown[i] as InvoiceJson]));
    return wanted.map((request): PartResult<InvoiceJson> => {
      const value = results.get(request);
      if (value) return { status: 'fulfilled', value };
      const first = wanted.find(({ id }) => id === request.id) as Wanted;
      const reason = refusals.get(request) ?? refusals.get(first) ?? refusalOf(drafts.get(first));
      return { status: 'rejected', reason };
    });
  }
}

function refusalOf(draft: Draft | undefined): DomainError | undefined {
  if (!draft) return notFound('The document');
  try {
    mustBeFinalizable(draft.invoice);
  } catch (error) {
    return error as DomainError;
  }
  return draft.positions.length > 0
    ? undefined
    : new DomainError('positions_missing', { detail: 'A document needs at least one position.' });
}
