/**
 * All money of one tenant as plain numbers and lists, written down from the rules of the interface and independently of
 * the service. Amounts are minor units.
 */
export type Currency = 'EUR' | 'CHF';

export interface Doc {
  /** Of the invoice or top-up; null until the service told it (automatic top-ups). */
  id: string | null;
  readonly purse: Purse;
  readonly kind: 'invoice' | 'credit' | 'refund' | 'top_up';
  /** Negative for what is owed to the customer. */
  readonly amount: number;
  open: number;
  pending: number;
  failed: boolean;
  cancelled: boolean;
  credit: number;
  readonly due: number;
  readonly number: string;
  /** Of a refund: the invoice whose money goes back. */
  readonly of: Doc | null;
  readonly automatic: boolean;
  topUp: 'pending' | 'completed' | 'failed';
}

export interface Payment {
  /** Null until the service told it (collections). */
  id: string | null;
  readonly doc: Doc;
  readonly amount: number;
  readonly byGateway: boolean;
  status: 'pending' | 'failed' | 'succeeded' | 'returned';
  paidAt: number;
}

export interface Refund {
  id: string | null;
  readonly doc: Doc;
  readonly payment: Payment;
  readonly amount: number;
  status: 'pending' | 'failed' | 'succeeded';
}

export interface Lot {
  rest: number;
  readonly promotional: boolean;
  readonly expires: number | null;
  readonly source: { readonly payment: Payment; readonly doc: Doc } | null;
  /** What documents got from it and still have. */
  readonly used: Map<Doc, number>;
}

export interface Rule {
  readonly id: string;
  threshold: number;
  amount: number;
  enabled: boolean;
  failures: number;
}

/** Money of a statement line that went to a document. */
export interface Part {
  id: string | null;
  readonly doc: Doc;
  readonly amount: number;
  readonly payment: Payment | null;
}

export interface Line {
  readonly id: string;
  readonly amount: number;
  readonly currency: Currency;
  rest: number;
  status: 'untouched' | 'OUTSTANDING_AMOUNT' | 'BOOKED' | 'IGNORED';
  /** The document that its text names. */
  readonly names: Doc | null;
  byHand: boolean;
  readonly parts: Part[];
}

export interface Settings {
  creditOverpayments?: boolean | null;
  applyCreditAutomatically?: boolean | null;
  creditExpiryDays?: number | null;
}

export const DAY = 86_400_000;
const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

/** One customer's money in one currency. */
export class Purse {
  readonly docs: Doc[] = [];
  readonly lots: Lot[] = [];
  rule: Rule | null = null;
  /** Something was taken from the credit in the current decision. */
  reduced = false;
  /** A top-up by the rule is due. */
  due = false;

  constructor(
    readonly model: PlainModel,
    readonly customer: string,
    readonly currency: Currency,
  ) {}

  get balance(): number {
    return sum(this.lots.map((lot) => lot.rest));
  }

  on(setting: 'creditOverpayments' | 'applyCreditAutomatically'): boolean {
    return (this.model.overrides.get(this.customer)?.[setting] ?? this.model.settings[setting]) === true;
  }

  usable(): Lot[] {
    const last = (lot: Lot): number => lot.expires ?? Infinity;
    return this.lots
      .filter((lot) => lot.rest > 0 && last(lot) > this.model.now)
      .sort((a, b) => Number(b.promotional) - Number(a.promotional) || (last(a) === last(b) ? 0 : last(a) - last(b)));
  }

  get usableAmount(): number {
    return sum(this.usable().map((lot) => lot.rest));
  }

  /** Invoices that credit may pay, oldest due first. */
  waiting(): Doc[] {
    return this.docs
      .filter((doc) => doc.kind === 'invoice' && doc.open - doc.pending > 0)
      .sort((a, b) => a.due - b.due || (a.number < b.number ? -1 : 1));
  }

  give(amount: number, lot: Partial<Pick<Lot, 'promotional' | 'expires' | 'source'>> = {}): void {
    const days = this.model.overrides.get(this.customer)?.creditExpiryDays ?? this.model.settings.creditExpiryDays ?? null;
    const bySetting = days === null ? null : this.model.now + days * DAY;
    this.lots.push({
      rest: amount,
      promotional: lot.promotional ?? false,
      expires: lot.expires ?? bySetting,
      source: lot.source ?? null,
      used: new Map(),
    });
  }

  spend(amount: number, doc: Doc | null): void {
    for (const lot of this.usable()) {
      const taken = Math.min(lot.rest, amount);
      lot.rest -= taken;
      amount -= taken;
      if (doc && taken > 0) lot.used.set(doc, (lot.used.get(doc) ?? 0) + taken);
    }
    this.reduced = true;
  }

  apply(): void {
    if (!this.on('applyCreditAutomatically')) return;
    for (const doc of this.waiting()) {
      const used = Math.min(this.usableAmount, doc.open - doc.pending);
      if (used === 0) return;
      this.spend(used, doc);
      doc.open -= used;
      doc.credit += used;
    }
  }

  expire(): void {
    for (const lot of this.lots) {
      if (lot.rest === 0 || lot.expires === null || lot.expires > this.model.now) continue;
      lot.rest = 0;
      this.reduced = true;
    }
  }
}

/** What happens to money. */
export class PlainModel {
  readonly purses: Purse[] = [];
  readonly payments: Payment[] = [];
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
      purse, open: doc.amount, pending: 0, failed: false, cancelled: false, credit: 0, due: this.now, number: '', of: null, automatic: false,
      topUp: 'pending', ...doc,
    }; // prettier-ignore
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

  returned(payment: Payment): void {
    const { doc } = payment;
    payment.status = 'returned';
    doc.open += payment.amount;
    if (doc.kind === 'top_up') doc.cancelled = true;
    for (const lot of doc.purse.lots) {
      if (lot.source?.payment !== payment) continue;
      for (const [paid, amount] of lot.used) {
        paid.open += amount;
        paid.credit -= amount;
        lot.rest += amount;
      }
      lot.used.clear();
      if (lot.rest > 0 && doc.kind !== 'top_up') {
        doc.open -= lot.rest;
        doc.purse.reduced = true;
      }
      lot.rest = 0;
    }
    doc.purse.apply();
  }

  /** A credit note lowers open invoices first; the rest is credit. */
  settleNote(note: Doc): void {
    for (const invoice of note.purse.waiting()) {
      const used = Math.min(-note.open, invoice.open - invoice.pending);
      invoice.open -= used;
      note.open += used;
    }
    if (note.open < 0) this.toCredit(note);
  }

  /** What a document owes the customer becomes credit. */
  toCredit(doc: Doc): void {
    doc.purse.give(-doc.open);
    doc.open = 0;
    doc.purse.apply();
  }

  /** Payments of an invoice that gateways can give back, newest first, with what is left of each. */
  refundable(invoice: Doc): { payment: Payment; left: number }[] {
    return this.payments
      .filter((payment) => payment.doc === invoice && payment.byGateway && payment.status === 'succeeded')
      .map((payment) => ({ payment, left: payment.amount - this.givenBack(payment) }))
      .filter(({ left }) => left > 0)
      .sort((a, b) => b.payment.paidAt - a.payment.paidAt || (a.payment.id! < b.payment.id! ? 1 : -1));
  }

  /** Books a line by itself when it names a document with exactly its amount open. */
  match(line: Line): void {
    const doc = line.names;
    if (!doc || line.byHand || doc.cancelled || doc.pending !== 0 || doc.purse.currency !== line.currency) return;
    if (doc.amount > 0 !== line.amount > 0 || doc.open !== line.rest) return;
    this.assign(line, doc, line.rest);
  }

  /** Money of a line goes to a document; signed as the line is. */
  assign(line: Line, doc: Doc, amount: number, excess = false): void {
    const payment: Payment | null = amount > 0 ? { id: null, doc, amount, byGateway: false, status: 'succeeded', paidAt: this.now } : null;
    line.rest -= amount;
    line.status = line.rest === 0 ? 'BOOKED' : 'OUTSTANDING_AMOUNT';
    line.parts.push({ id: null, doc, amount, payment });
    if (!payment) doc.open -= amount;
    else {
      this.payments.push(payment);
      this.received(payment, excess);
    }
  }

  private givenBack(payment: Payment): number {
    return sum(this.refunds.filter((one) => one.payment === payment && one.status !== 'failed').map((one) => one.amount));
  }

  private endTopUp(doc: Doc, how: 'completed' | 'failed'): void {
    if (doc.topUp === how) return;
    doc.topUp = how;
    const { rule } = doc.purse;
    if (!doc.automatic || !rule) return;
    rule.failures = how === 'completed' ? 0 : rule.failures + 1;
    if (rule.failures >= 5) rule.enabled = false;
  }

  /** One decision is over: rules whose balance has fallen below the threshold are due. */
  decided(): void {
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

const underWay = (purse: Purse): boolean => purse.docs.some((doc) => doc.kind === 'top_up' && doc.automatic && doc.topUp === 'pending');

export function statusOf(doc: Doc): string {
  if (doc.cancelled) return 'cancelled';
  if (doc.amount > 0 ? doc.open <= 0 : doc.open >= 0) return 'succeeded';
  if (doc.pending > 0) return 'processing';
  return doc.failed ? 'failed' : 'open';
}
