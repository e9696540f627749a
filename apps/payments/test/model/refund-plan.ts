import { creditLeft, moneyLeft } from './left-to-return.js';
import type { PlainModel } from './plain-model.js';
import { sum } from './purse.js';
import { type Doc, type Payment, standing } from './things.js';

/** How what a refund owes goes back: at the gateways that took it, as credit, or not yet. */
export function planRefund(model: PlainModel, doc: Doc, way: 'as it was paid' | 'wallet' | 'bank'): void {
  let rest = -doc.open - doc.pending;
  if (rest <= 0 || !doc.of) return;
  const share = Math.min(rest - Math.max(0, moneyLeft(model, doc.of, doc)), creditLeft(model, doc.of));
  if (way === 'wallet') return allToCredit(model, doc, Math.max(0, share));
  const credited = way === 'as it was paid' ? Math.max(0, share) : 0;
  rest -= credited;
  for (const { payment, left } of way === 'bank' ? [] : refundable(model, doc.of)) {
    if (rest === 0) break;
    const amount = Math.min(left, rest);
    model.refunds.push({ id: null, doc, payment, amount, status: 'pending' });
    doc.pending += amount;
    doc.failed = false;
    rest -= amount;
  }
  if (credited > 0) model.toCredit(doc, credited);
}

/** What money had paid of it first, oldest first; then `share`, which credit had paid. */
function allToCredit(model: PlainModel, doc: Doc, share: number): void {
  let money = -doc.open - doc.pending - share;
  const paid = model.payments.filter((payment) => payment.doc === doc.of && payment.status === 'succeeded');
  for (const payment of paid.sort((a, b) => a.paidAt - b.paidAt || (a.id! < b.id! ? -1 : 1))) {
    const part = Math.min(money, standing(payment) - givenBack(model, payment) - madeCredit(model, payment));
    if (part <= 0) continue;
    doc.purse.give(part);
    doc.open += part;
    doc.moneyToWallet.set(payment, part);
    money -= part;
  }
  model.toCredit(doc, money + share, share);
}

/** What of a payment is credit: of too much, or by refunds. */
function madeCredit(model: PlainModel, payment: Payment): number {
  const lots = model.purses.flatMap((purse) => purse.lots).filter(({ source }) => source?.payment === payment);
  return sum([...lots.map(({ amount }) => amount), ...model.docs.map((doc) => doc.moneyToWallet.get(payment) ?? 0)]);
}

/** Payments of an invoice that gateways can refund, newest first, with what is left of each. */
export function refundable(model: PlainModel, invoice: Doc): { payment: Payment; left: number }[] {
  return model.payments
    .filter((payment) => payment.doc === invoice && payment.byGateway && payment.status === 'succeeded')
    .map((payment) => ({ payment, left: standing(payment) - givenBack(model, payment) }))
    .filter(({ left }) => left > 0)
    .sort((a, b) => b.payment.paidAt - a.payment.paidAt || (a.payment.id! < b.payment.id! ? 1 : -1));
}

function givenBack(model: PlainModel, payment: Payment): number {
  return sum(
    model.refunds
      .filter((refund) => refund.payment === payment && refund.status !== 'failed')
      .map((refund) => refund.amount),
  );
}
