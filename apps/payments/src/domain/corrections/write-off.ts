import { allocate, divideRounded } from '@kontor/money';
import type { Books } from '../customer-books/books.js';
import { type Intent, isDunningFee } from '../customer-books/intent.js';
import type { PaymentTransaction } from '../customer-books/transaction.js';
import { type DocumentPosting, writtenOff } from '../ledger/postings.js';
import { releaseFee } from '../customer-books/release-fee.js';
import { endInvoice } from './correct-invoice.js';

/** What of an invoice is charged under one VAT category and rate; minor units. */
export interface TaxedAmount {
  readonly category: string;
  readonly rate: string;
  readonly destination?: string;
  readonly netMinor: bigint;
  readonly taxMinor: bigint;
}

export interface WriteOff {
  /** What was given up, by VAT category and rate; empty when nothing was open. */
  readonly taxes: readonly TaxedAmount[];
  /** Null: it is the first of its invoice; else its own id. */
  readonly further: string | null;
  readonly released: readonly PaymentTransaction[];
}

/**
 * What is open of an invoice is given up: its net part is a loss, its tax is not owed to the tax office any more. The
 * parts follow from the kinds of tax that are left of the invoice.
 * @see § 17 (2) no. 1 UStG
 */
export function writeOff(
  books: Books,
  invoice: Intent,
  rest: readonly TaxedAmount[],
  underWay: readonly PaymentTransaction[],
): WriteOff {
  // Once more, where a payment went back after the first time.
  const further = invoice.status === 'cancelled' ? books.newId() : null;
  const released = endInvoice(books, invoice, underWay);
  const amountMinor = invoice.openMinor;
  if (amountMinor <= 0n) return { taxes: [], further, released };
  if (isDunningFee(invoice)) {
    releaseFee(books, invoice);
    return { taxes: [], further, released };
  }
  const taxes = splitByTax(amountMinor, rest);
  const taxMinor = taxes.reduce((sum, tax) => sum + tax.taxMinor, 0n);
  books.operations.push(writtenOff(postingOf(invoice, amountMinor, taxMinor), further));
  books.allocate(invoice, 'write_off', amountMinor, {});
  return { taxes, further, released };
}

const postingOf = (
  { id, invoiceId, customerId, currencyCode }: Intent,
  grossMinor: bigint,
  taxMinor: bigint,
): DocumentPosting => ({ documentId: invoiceId ?? id, customerId, currencyCode, grossMinor, taxMinor });

/** An open gross amount over the kinds of tax, in proportion to what is left of each. */
function splitByTax(amountMinor: bigint, rest: readonly TaxedAmount[]): TaxedAmount[] {
  const charged = rest.filter((tax) => tax.netMinor + tax.taxMinor > 0n);
  if (charged.length === 0) return [{ category: 'O', rate: '0', netMinor: amountMinor, taxMinor: 0n }];
  const parts = allocate(
    amountMinor,
    charged.map((tax) => tax.netMinor + tax.taxMinor),
  );
  return charged.flatMap(({ netMinor, taxMinor, ...kind }, index) => {
    const part = parts[index] as bigint;
    const tax = divideRounded(part * taxMinor, netMinor + taxMinor, 'half_up');
    return part === 0n ? [] : [{ ...kind, netMinor: part - tax, taxMinor: tax }];
  });
}
