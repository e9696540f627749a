import type { EventOf, invoiceClosedV1 } from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { lockOwners } from '../customer-books/lock-payment.js';
import { writeOff } from '../domain/corrections/write-off.js';
import { loadCorrected } from './load-corrected.js';
import { stopAtGateways } from './stop-at-gateways.js';
import { CorrectionReactions } from './reactions.js';

type Closed = EventOf<typeof invoiceClosedV1>['payload'];

/** Writes off what is open of invoices that were closed. */
@Injectable()
export class CloseIntents {
  constructor(
    private readonly customerBooks: CustomerBooks,
    private readonly reactions: CorrectionReactions,
  ) {}

  async execute(tx: TenantTx, closed: readonly Closed[]): Promise<void> {
    const invoiceIds = closed.map((invoice) => invoice.invoiceId);
    const customerIds = await lockOwners(tx, invoiceIds);
    const stored = await loadCorrected(tx, invoiceIds);
    const books = await this.customerBooks.load(tx, {
      customerIds,
      intentIds: stored.intents.map((intent) => intent.id),
      transactions: stored.underWay,
      crediting: customerIds,
    });
    for (const { invoiceId, taxes } of closed) {
      const row = stored.intents.find((intent) => intent.invoiceId === invoiceId);
      invariant(row, `the unpaid document ${invoiceId} has an intent`);
      const invoice = books.intent(row.id);
      const underWay = stored.underWay.filter((transaction) => transaction.intentId === row.id);
      const rest = taxes.map(({ netAmount, taxAmount, ...kind }) => ({
        ...kind,
        netMinor: BigInt(netAmount.amount),
        taxMinor: BigInt(taxAmount.amount),
      }));
      const { taxes: given, further, released } = writeOff(books, invoice, rest, underWay);
      await this.reactions.writtenOff(tx, invoiceId, given, further);
      await stopAtGateways(tx, released);
    }
    await this.customerBooks.save(tx, books);
  }
}
