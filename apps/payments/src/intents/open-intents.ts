import type { EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import { invariant, newUuid } from '@kontor/kernel';
import { scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { bookHolders } from '../customer-books/lock-customers.js';
import { type PaymentMethod, methods } from '../payment-methods/payment-method.row.js';
import type { CorrectedInvoice, Disposition, Lowered } from '../domain/corrections/correct-invoice.js';
import { loadCorrected, lockCorrected, type StoredCorrected } from '../corrections/load-corrected.js';
import { stopAtGateways } from '../corrections/stop-at-gateways.js';
import { type FinalizedDocument, openDocument } from '../domain/intents/open-document.js';
import { notCreditYet } from '../domain/wallet/credit.js';
import { afterReturned, upTo } from '../domain/wallet/spent-credit.js';
import { methodFor } from '../domain/payment-methods/payment-method.js';
import { COLLECT } from '../due-kinds.js';
import type { Books } from '../domain/customer-books/books.js';
import { type Intent, overpaidMinor } from '../domain/customer-books/intent.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { leftToReturn } from '../domain/refunds/left-to-return.js';
import { type RefundOfDocument, StartRefunds } from '../refunds/start-refunds.js';
import { noteLateIntents } from '../merging/note-late-intents.js';
import { StopRefunds, stopRefundsOf } from '../refunds/stop-refunds.js';
import { IntentReactions } from './reactions.js';

type Finalizing = EventOf<typeof invoiceFinalizingV1>;

/**
 * Opens the intents of finalized documents, books what is owed, lets credit pay, and notes what gateways are to
 * collect.
 */
@Injectable()
export class OpenIntents {
  constructor(
    private readonly customerBooks: CustomerBooks,
    private readonly startRefunds: StartRefunds,
    private readonly stopRefunds: StopRefunds,
    private readonly reactions: IntentReactions,
  ) {}

  /** All of one tenant, in the order in which they were finalized; a handful of statements however many there are. */
  async execute(tx: TenantTx, events: readonly Finalizing[]): Promise<void> {
    const named = events.map((event) => event.payload);
    // One that was finalized just before its customer was merged is the survivor's.
    const namedIds = [...new Set(named.map(({ customerId }) => customerId))];
    const correctedIds = named.flatMap((document) => (corrects(document) ? (document.referencedInvoiceId ?? []) : []));
    let holderOf = (customerId: string): string => customerId;
    const holders = async (): Promise<string[]> => {
      holderOf = await bookHolders(tx, namedIds);
      return namedIds.map(holderOf);
    };
    const locked = await lockCorrected(tx, holders, correctedIds);
    const documents = named.map((document) => ({
      ...document,
      customerId: holderOf(document.customerId) as typeof document.customerId,
    }));
    const usable = await this.findMethods(tx, [...new Set(documents.map(({ customerId }) => customerId))], documents);
    const crediting = documents
      .filter((document) => document.grossAmount.amount < 0 || document.type === 'TYPE_CANCEL')
      .map((document) => document.customerId);
    const stored = await loadCorrected(tx, correctedIds);
    const payouts = await this.stopRefunds.find(tx, notesCancelledBy(documents, stored));
    const promised = await this.stopRefunds.ofReopened(tx, reopenedBy(documents, stored), locked);
    // Credit returns to whoever has the invoice by now: somebody else, where a merge was undone since.
    const owners = stored.intents.flatMap(({ invoiceId, customerId }) =>
      correctedIds.includes(invoiceId ?? '') ? [customerId] : [],
    );
    const books = await this.customerBooks.load(tx, {
      customerIds: locked,
      crediting: [...new Set([...crediting, ...owners])],
      intentIds: [...stored.intents.map((intent) => intent.id), ...promised.intentIds],
      transactions: [...stored.underWay, ...payouts, ...promised.waiting],
      lots: stored.lots,
    });
    const late: { intentId: string; customerId: string }[] = [];
    const released: PaymentTransaction[] = [];
    const stopped: PaymentTransaction[] = [];
    const stop = (invoice: Intent): void => {
      stopped.push(...stopRefundsOf(books, invoice.id, promised, 'credit_cancelled'));
    };
    const collectionId = newUuid();
    const refunds: RefundOfDocument[] = [];
    for (const [index, finalized] of documents.entries()) {
      const document = withinCurrency(finalized, books);
      const named = document.paymentMethodId === null ? null : usable.byId.get(document.paymentMethodId);
      const method = methodFor(
        document.customerId,
        named,
        document.paymentMethodId !== null,
        usable.defaults.get(document.customerId),
      );
      const opened = openDocument(
        books,
        finalizedDocument(document),
        method,
        collectionId,
        correctedBy(document, { stored, payouts, stop }, books),
      );
      const { intent } = opened;
      const { customerId } = events[index]!.payload;
      if (customerId !== document.customerId) late.push({ intentId: intent.id, customerId });
      released.push(...opened.released);
      intent.methodIsNamed = document.paymentMethodId !== null;
      if (intent.documentType === 'TYPE_REFUND' || document.disposition === 'refund')
        refunds.push({ intent, method: document.paymentMethodId === null ? null : method });
    }
    const collects = books.newTransactions.size > 0;
    const send = refunds.length > 0 ? await this.startRefunds.plan(tx, books, refunds) : null;
    await this.customerBooks.save(tx, books);
    await noteLateIntents(tx, late);
    await this.reactions.documentsOpened(tx, documents);
    await send?.(tx);
    await stopAtGateways(tx, released);
    await this.stopRefunds.cancelTransfers(tx, [...payouts, ...stopped]);
    if (collects) await scheduleDue(tx, { kind: COLLECT, ref: collectionId, dueAt: tx.now });
  }

  private async findMethods(tx: TenantTx, customerIds: readonly string[], documents: readonly Finalizing['payload'][]) {
    const named = documents.flatMap((document) => document.paymentMethodId ?? []);
    const byId = new Map<string, PaymentMethod>();
    const defaults = new Map<string, PaymentMethod>();
    for (const method of await methods.where(tx, 'customer_id = ANY ($2::uuid[]) AND is_default', [customerIds]))
      defaults.set(method.customerId, method);
    if (named.length > 0)
      for (const method of await methods.where(tx, 'id = ANY ($2::uuid[]) AND deleted_at IS NULL', [named]))
        byId.set(method.id, method);
    return { byId, defaults };
  }
}

/** True for documents that take an invoice back, all of it or parts. */
const corrects = ({ type }: Finalizing['payload']): boolean => type === 'TYPE_CANCEL' || type === 'TYPE_CREDIT';

/**
 * A credit of a run may be about an invoice in another currency, which its customer has had before: what they owe does not meet, and
 * none of it is the other's money.
 */
function withinCurrency(document: Finalizing['payload'], books: Books): Finalizing['payload'] {
  const { referencedInvoiceId, grossAmount } = document;
  const isForeign =
    corrects(document) &&
    [...books.intents.values()].some(
      (intent) => intent.invoiceId === referencedInvoiceId && intent.currencyCode !== grossAmount.currencyCode,
    );
  return isForeign ? { ...document, referencedInvoiceId: null } : document;
}

/** The intents of credit notes that some of the documents take back. */
const notesCancelledBy = (documents: readonly Finalizing['payload'][], stored: StoredCorrected): string[] =>
  stored.intents.flatMap(({ id, invoiceId, documentType }) =>
    documentType === 'TYPE_CREDIT' &&
    documents.some((document) => document.type === 'TYPE_CANCEL' && document.referencedInvoiceId === invoiceId)
      ? [id]
      : [],
  );

/** Invoices that are open again where what had lowered them is taken back. */
const reopenedBy = (documents: readonly Finalizing['payload'][], { lowered }: StoredCorrected): string[] =>
  documents.some(({ type }) => type === 'TYPE_CANCEL')
    ? lowered.flatMap(({ counterIntentId }) => counterIntentId ?? [])
    : [];

/** What is known of the invoice that a document takes back, less what the same batch has used of it. */
function correctedBy(
  document: Finalizing['payload'],
  {
    stored,
    payouts,
    stop,
  }: {
    readonly stored: StoredCorrected;
    readonly payouts: readonly PaymentTransaction[];
    readonly stop: (invoice: Intent) => void;
  },
  books: Books,
): CorrectedInvoice | null {
  const row = corrects(document) && stored.intents.find(({ invoiceId }) => invoiceId === document.referencedInvoiceId);
  if (!row) return null;
  const isOf = ({ invoiceId, referencedInvoiceId }: Intent): boolean =>
    (row.documentType === 'TYPE_CREDIT' ? invoiceId : referencedInvoiceId) === document.referencedInvoiceId;
  const notes = [...books.intents.values()].filter((intent) => intent.documentType === 'TYPE_CREDIT' && isOf(intent));
  const standing = stored.standings.get(document.referencedInvoiceId ?? '');
  invariant(standing, 'what is taken back is known with what has paid it');
  const left = leftToReturn(books, standing, null);
  return {
    intent: books.intent(row.id),
    underWay: stored.underWay.filter((transaction) => transaction.intentId === row.id),
    spent: afterReturned(stored.spent.get(row.id) ?? [], standing.credit - left.credit),
    // A cancellation returns what was paid too much, too.
    paid: upTo(
      document.type === 'TYPE_CANCEL' ? left.money + overpaidMinor(standing) : left.money,
      notCreditYet(books, stored.paid.get(row.id) ?? []),
    ),
    notes: notes.filter((intent) => intent.openMinor < 0n),
    lowered: loweredBy(notes, row.id, stored, books),
    payouts: payouts.filter((payout) => payout.intentId === row.id),
    stopRefunds: stop,
  };
}

/** What credit notes of an invoice have taken off others, as it is stored and as the same batch has changed it. */
function loweredBy(
  notes: readonly Intent[],
  invoiceIntentId: string,
  stored: StoredCorrected,
  books: Books,
): Lowered[] {
  return notes.flatMap((note) => {
    const amounts = new Map<string, bigint>();
    for (const { intentId, kind, counterIntentId, amountMinor } of [...stored.lowered, ...books.allocations])
      if (intentId === note.id && kind === 'credit_note' && counterIntentId && counterIntentId !== invoiceIntentId)
        amounts.set(counterIntentId, (amounts.get(counterIntentId) ?? 0n) - amountMinor);
    return [...amounts].flatMap(([id, amountMinor]) =>
      amountMinor > 0n ? [{ note, invoice: books.intent(id), amountMinor }] : [],
    );
  });
}

function finalizedDocument(document: Finalizing['payload']): FinalizedDocument {
  invariant(document.grossAmount.currencyCode === document.taxAmount.currencyCode, 'a document has one currency');
  return {
    invoiceId: document.invoiceId,
    type: document.type,
    number: document.number,
    customerId: document.customerId,
    currencyCode: document.grossAmount.currencyCode,
    grossMinor: BigInt(document.grossAmount.amount),
    taxMinor: BigInt(document.taxAmount.amount),
    dueAt: new Date(document.dueAt),
    referencedInvoiceId: document.referencedInvoiceId,
    disposition: (document.disposition ?? null) as Disposition,
    automatic: document.automatic ?? false,
    imported: document.imported ?? false,
  };
}
