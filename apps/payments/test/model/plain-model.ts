import { type Purse, sum } from './purse.js';
import { spentOf } from './left-to-return.js';
import type { Doc, Line, Payment, Refund, Settings } from './things.js';

const underWay = (purse: Purse): boolean =>
  purse.docs.some((doc) => doc.kind === 'top_up' && doc.automatic && doc.topUp === 'pending');

/** Money out is for documents that owe the customer: invoices on which too much was paid, too. */
export const goesTheWayOf = (line: Line, doc: Doc): boolean =>
  line.amount > 0 ? doc.amount > 0 : doc.amount < 0 || doc.open < 0;

/** Recorded by hand, and no line has shown it yet. */
export const isUnconfirmed = ({ recorded, line, status }: Payment): boolean =>
  recorded === true && !line && status === 'succeeded';

/**
 * All money of one tenant and what happens to it, as plain numbers and lists, written down from docs/rules/payments.md
 * and independently of the service. Amounts are minor units.
 */
export class PlainModel {
  readonly purses: Purse[] = [];
  readonly payments: Payment[] = [];
  /** Pay-outs of what is owed to customers, as somebody reported them. */
  readonly payouts: Payment[] = [];
  readonly refunds: Refund[] = [];
  readonly lines: Line[] = [];
  readonly overrides = new Map<string, Settings>();
  settings: Settings = {};
  /** Settings were changed: credit that lies there may pay now. */
  rulesChanged = false;
  /** Statement lines that wait may be for documents that came since. */
  documentsCame = false;
  private numbers = 0;

  constructor(public now: number) {}

  get docs(): Doc[] {
    return this.purses.flatMap((purse) => purse.docs);
  }

  nextNumber(): string {
    return `RE-${String(++this.numbers).padStart(6, '0')}`;
  }

  open(purse: Purse, doc: Pick<Doc, 'id' | 'kind' | 'amount'> & Partial<Doc>): Doc {
    const made: Doc = {
      purse,
      open: doc.amount,
      pending: 0,
      failed: false,
      cancelled: false,
      credit: 0,
      toWallet: 0,
      moneyToWallet: new Map(),
      due: this.now,
      number: '',
      of: null,
      automatic: false,
      method: null,
      topUp: 'pending',
      ...doc,
    };
    purse.docs.push(made);
    return made;
  }

  /** A gateway is asked for what is open of it. */
  collect(doc: Doc): void {
    const amount = doc.open - doc.pending;
    if (amount <= 0) return;
    doc.pending += amount;
    doc.failed = false;
    this.payments.push({ id: null, doc, amount, byGateway: true, status: 'pending', paidAt: this.now });
  }

  /** Money that is there for a document. `excess`: what is too much becomes credit, whatever the setting says. */
  received(payment: Payment, excess = false): void {
    const { doc } = payment;
    const { purse } = doc;
    const before = Math.min(doc.open, 0);
    Object.assign(payment, { status: 'succeeded', paidAt: this.now });
    doc.failed = false;
    doc.open -= payment.amount;
    if (doc.kind === 'top_up') {
      this.endTopUp(doc, 'completed');
      purse.give(payment.amount, { source: { payment, doc } });
      return purse.apply();
    }
    const credited = purse.on('creditOverpayments') ? -doc.open : excess ? before - doc.open : 0;
    if (doc.open >= 0 || credited <= 0) return;
    doc.open += credited;
    doc.toWallet += credited;
    purse.give(credited, { source: { payment, doc } });
    purse.apply();
  }

  declined(payment: Payment): void {
    const { doc } = payment;
    payment.status = 'failed';
    doc.pending -= payment.amount;
    doc.failed = true;
    if (doc.kind === 'top_up') this.endTopUp(doc, 'failed');
    doc.purse.apply();
  }

  /** A credit note lowers open invoices first; the rest is credit. */
  settleNote(note: Doc): void {
    for (const invoice of note.purse.waiting()) {
      const used = Math.min(-note.open, note.purse.creditable(invoice));
      invoice.open -= used;
      note.open += used;
    }
    if (note.open < 0) this.toCredit(note);
  }

  /**
   * What a document owes the customer becomes credit, but for what is under way to go back; or so much of it. What had been paid by
   * credit is as that was.
   */
  toCredit(doc: Doc, amount = -doc.open - doc.pending, share = amount): void {
    let [plain, terms] = [amount, share];
    for (const { promotional, expires, rest } of doc.of ? spentOf(this, doc.of) : []) {
      const part = Math.min(rest, plain, terms);
      if (part > 0) doc.purse.give(part, { promotional, expires });
      plain -= part;
      terms -= part;
    }
    if (plain > 0) doc.purse.give(plain);
    doc.open += amount;
    doc.toWallet += amount;
    doc.purse.apply();
  }

  /**
   * Another method is to settle an invoice: what waits for the payer is cancelled, credit comes first, then it is
   * collected.
   */
  changeMethod(doc: Doc, method: string, collects: boolean): void {
    if (doc.open <= 0) return;
    const underWay = this.payments.filter((payment) => payment.doc === doc && payment.status === 'pending');
    if (underWay.length > 0 && (doc.method === method || !underWay.every(({ waits }) => waits))) return;
    for (const payment of underWay) {
      payment.status = 'failed';
      doc.pending -= payment.amount;
    }
    doc.method = method;
    doc.purse.apply();
    if (collects) this.collect(doc);
  }

  /** Books a line by itself when it names a document with exactly its amount open. */
  match(line: Line): void {
    const doc = line.names;
    if (!doc || line.byHand || doc.cancelled || doc.purse.currency !== line.currency) return;
    if (doc.purse.moving(doc) !== 0) return;
    if (!goesTheWayOf(line, doc) || doc.open !== line.rest || this.mayConfirm(line, doc)) return;
    this.assign(line, doc, line.rest);
  }

  /** Its money may be what was recorded on the document in its direction: one payment of its amount, or all of them together. */
  private mayConfirm(line: Line, doc: Doc): boolean {
    const amounts = (line.rest > 0 ? this.payments : this.payouts)
      .filter((payment) => payment.doc === doc && isUnconfirmed(payment))
      .map(({ amount }) => amount);
    return amounts.includes(Math.abs(line.rest)) || (amounts.length > 1 && sum(amounts) === Math.abs(line.rest));
  }

  /** Money of a line goes to a document; signed as the line is. */
  assign(line: Line, doc: Doc, amount: number, excess = false): void {
    const payment: Payment | null =
      amount > 0 ? { id: null, doc, amount, byGateway: false, status: 'succeeded', paidAt: this.now } : null;
    line.rest -= amount;
    line.status = line.rest === 0 ? 'BOOKED' : 'OUTSTANDING_AMOUNT';
    line.parts.push({ id: null, doc, amount, payment });
    if (!payment) doc.open -= amount;
    else {
      this.payments.push(payment);
      this.received(payment, excess);
    }
  }

  private endTopUp(doc: Doc, how: 'completed' | 'failed'): void {
    if (doc.topUp === how) return;
    doc.topUp = how;
    const { rule } = doc.purse;
    if (!doc.automatic || !rule) return;
    rule.failures = how === 'completed' ? 0 : rule.failures + 1;
    if (rule.failures >= 5) rule.enabled = false;
  }

  /**
   * What other money has paid is not asked of a payer who still has to act: that is cancelled, credit comes first, the
   * rest is collected anew.
   */
  private cancelRedundantCollections(): void {
    const gone: Doc[] = [];
    for (const payment of [...this.payments].reverse()) {
      const { doc } = payment;
      if (
        payment.status !== 'pending' ||
        !payment.waits ||
        doc.kind === 'top_up' ||
        doc.pending <= Math.max(doc.open, 0)
      )
        continue;
      payment.status = 'failed';
      doc.pending -= payment.amount;
      gone.push(doc);
    }
    for (const { purse } of gone) purse.apply();
    for (const doc of gone) this.collect(doc);
  }

  /**
   * One decision is over: what it has paid is cancelled elsewhere, and rules whose balance has fallen below the threshold
   * are due.
   */
  decided(): void {
    this.cancelRedundantCollections();
    for (const purse of this.purses) {
      if (purse.reduced && purse.rule?.enabled && purse.balance < purse.rule.threshold) purse.due = true;
      purse.reduced = false;
    }
  }

  /** What is due on the clock happens. */
  work(): void {
    for (const purse of this.purses) purse.expire();
    this.decided();
    if (this.rulesChanged) for (const purse of this.purses) purse.apply();
    this.rulesChanged = false;
    this.decided();
    if (this.documentsCame) for (const line of this.lines) if (line.status === 'untouched') this.match(line);
    this.documentsCame = false;
    for (const purse of this.purses) {
      const { rule } = purse;
      if (purse.due && rule?.enabled && purse.balance < rule.threshold && !underWay(purse)) {
        this.collect(this.open(purse, { id: null, kind: 'top_up', amount: rule.amount, automatic: true }));
      }
      purse.due = false;
    }
  }
}
