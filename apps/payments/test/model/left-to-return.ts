import type { PlainModel } from './plain-model.js';
import { byUse, sum } from './purse.js';
import { type Doc, type Lot, standing } from './things.js';

/** What money has paid of an invoice, has not gone back, and is owed neither by other documents of it nor because it was too much. */
export function moneyLeft(model: PlainModel, invoice: Doc, document: Doc): number {
  const paid = model.payments.filter(({ doc, status }) => doc === invoice && status === 'succeeded');
  const gone = goneFor(model, invoice);
  // What was paid too much may have gone back by a line of the invoice itself.
  const back = model.lines.flatMap(({ parts }) => parts).filter(({ doc, amount }) => doc === invoice && amount < 0);
  const owed = model.docs
    .filter((doc) => doc.of === invoice && doc !== document)
    .map((doc) => Math.max(0, -doc.open - doc.pending));
  const left = sum([...paid.map(standing), ...back.map(({ amount }) => amount)]) - invoice.toWallet;
  const credited = model.docs.filter((doc) => doc.of === invoice).flatMap((doc) => [...doc.moneyToWallet.values()]);
  return left - sum(gone) - sum(owed) - sum(credited) - Math.max(0, -invoice.open);
}

/** What credit has paid of an invoice, and has not become credit again. */
export const creditLeft = ({ docs }: PlainModel, invoice: Doc): number =>
  invoice.credit - sum(docs.filter(({ of }) => of === invoice).map(({ toWallet }) => toWallet));

/** The lots whose credit has paid an invoice and has not become credit again (`rest`): those that are used last return first. */
export function spentOf(model: PlainModel, invoice: Doc): Lot[] {
  const spent = invoice.purse.lots
    .flatMap((lot) => [{ ...lot, rest: lot.used.get(invoice) ?? 0 }])
    .sort(byUse)
    .reverse();
  let gone = sum(spent.map(({ rest }) => rest)) - creditLeft(model, invoice);
  for (const lot of spent) {
    const part = Math.min(lot.rest, gone);
    lot.rest -= part;
    gone -= part;
  }
  return spent;
}

/** What went out for the documents of an invoice, or is about to. */
function goneFor(model: PlainModel, invoice: Doc): number[] {
  const lines = model.lines.flatMap(({ parts }) => parts).filter(({ confirms }) => !confirms);
  return [...model.refunds, ...model.payouts, ...lines]
    .filter((it) => it.doc.of === invoice && (!('status' in it) || ['pending', 'succeeded'].includes(it.status)))
    .map(({ amount }) => Math.abs(amount));
}
