import type { EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import { invariant, newUuid } from '@kontor/kernel';
import { scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { type PaymentMethod, methods } from '../payment-methods/payment-method.row.js';
import { type FinalizedDocument, openDocument } from '../domain/intents/open-document.js';
import { methodFor } from '../domain/payment-methods/payment-method.js';
import { COLLECT } from '../due-kinds.js';
import { type RefundOfDocument, StartRefunds } from '../refunds/start-refunds.js';
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
    private readonly reactions: IntentReactions,
  ) {}

  /** All of one tenant, in the order in which they were finalized; a handful of statements however many there are. */
  async execute(tx: TenantTx, events: readonly Finalizing[]): Promise<void> {
    const documents = events.map((event) => event.payload);
    const customerIds = [...new Set(documents.map((document) => document.customerId))];
    await lockCustomers(tx, customerIds);
    const usable = await this.findMethods(tx, customerIds, documents);
    const crediting = documents
      .filter((document) => document.grossAmount.amount < 0)
      .map((document) => document.customerId);
    const books = await this.customerBooks.load(tx, { customerIds, crediting });
    const collectionId = newUuid();
    const refunds: RefundOfDocument[] = [];
    for (const document of documents) {
      const named = document.paymentMethodId === null ? null : usable.byId.get(document.paymentMethodId);
      const method = methodFor(
        document.customerId,
        named,
        document.paymentMethodId !== null,
        usable.defaults.get(document.customerId),
      );
      const intent = openDocument(books, finalizedDocument(document), method, collectionId);
      intent.methodIsNamed = document.paymentMethodId !== null;
      if (intent.documentType === 'TYPE_REFUND')
        refunds.push({ intent, method: document.paymentMethodId === null ? null : method });
    }
    const collects = books.newTransactions.size > 0;
    const send = refunds.length > 0 ? await this.startRefunds.plan(tx, books, refunds) : null;
    await this.customerBooks.save(tx, books);
    await this.reactions.documentsOpened(tx, documents);
    await send?.(tx);
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
    referencedInvoiceId: document.type === 'TYPE_REFUND' ? document.referencedInvoiceId : null,
  };
}
