import { creditLeft } from './left-to-return.js';
import type { PlainModel } from './plain-model.js';
import { sum } from './purse.js';
import { type Doc, type Lot, type Payment, standing } from './things.js';

/** Money goes back: all that is left of a payment, which may be for several documents of a purse, or so much of it, the last one's first. */
export function returned(model: PlainModel, payments: readonly Payment[], amount = sum(payments.map(standing))): void {
  let rest = amount;
  const gone = [...payments].reverse().flatMap((payment) => {
    const part = Math.min(rest, standing(payment));
    rest -= part;
    return part > 0 ? [{ payment, part }] : [];
  });
  const isWhole = amount === sum(payments.map(standing));
  for (const { payment, part } of gone) {
    payment.back = (payment.back ?? 0) + part;
    payment.doc.open += part;
    if (payment.doc.kind === 'top_up') payment.doc.cancelled = true;
  }
  if (isWhole) for (const payment of payments) payment.status = 'returned';
  const docs = gone.map(({ payment }) => payment.doc);
  const lots = docs[0]!.purse.lots.filter(
    ({ source }) => source && docs.includes(source.doc) && payments.includes(source.payment),
  );
  // Invoices that its credit had paid are open again, too.
  const reopened = new Set([...docs, ...lots.flatMap(({ used }) => [...used.keys()])]);
  creditGoes(lots, amount);
  for (const doc of reopened) meetRefunds(model, doc);
  docs[0]!.purse.apply();
}

/** What refunds owe of an invoice that is open again is owed by nobody, as far as more is promised than money still pays. */
export function meetRefunds(model: PlainModel, invoice: Doc): void {
  const refunds = model.docs.filter(({ of }) => of === invoice).reverse();
  const promised = -sum(refunds.map(({ amount }) => amount));
  const paid = invoice.amount - Math.min(invoice.open, invoice.amount);
  let excess = promised - (paid - Math.max(0, creditLeft(model, invoice)));
  for (const refund of refunds) {
    const met = Math.min(excess, invoice.open - invoice.pending, -refund.open - refund.pending);
    if (met <= 0) continue;
    invoice.open -= met;
    refund.open += met;
    excess -= met;
  }
}

/** So much of the credit that a payment had brought goes with it, out of what it has paid last of all. */
function creditGoes(lots: readonly Lot[], amount: number): void {
  let rest = amount;
  for (const lot of lots) {
    const uses = [...lot.used].sort(([a], [b]) => b.due - a.due || (a.number < b.number ? 1 : -1));
    for (const [paid, used] of uses) {
      const part = Math.min(used, rest - lot.rest);
      if (part <= 0) continue;
      paid.open += part;
      paid.credit -= part;
      lot.rest += part;
      if (part === used) lot.used.delete(paid);
      else lot.used.set(paid, used - part);
    }
    const part = Math.min(lot.rest, rest);
    const { doc } = lot.source!;
    if (part > 0 && doc.kind !== 'top_up') {
      doc.open -= part;
      doc.toWallet -= part;
      doc.purse.reduced = true;
    }
    lot.rest -= part;
    lot.amount -= part;
    rest -= part;
  }
}
