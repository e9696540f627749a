import type { PlainModel } from './plain-model.js';
import { type Currency, DAY, type Doc, type Lot, type Rule } from './things.js';

export const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

const lastDay = (lot: Lot): number => lot.expires ?? Infinity;

/** Promotional credit first, then what ends first, then the oldest (as lots are listed). */
export const byUse = (a: Lot, b: Lot): number =>
  Number(b.promotional) - Number(a.promotional) || (lastDay(a) === lastDay(b) ? 0 : lastDay(a) - lastDay(b));

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
    return this.lots.filter((lot) => lot.rest > 0 && lastDay(lot) > this.model.now).sort(byUse);
  }

  get usableAmount(): number {
    return sum(this.usable().map((lot) => lot.rest));
  }

  /** What is under way of it and does not wait for its payer. */
  moving(doc: Doc): number {
    const waiting = this.model.payments.filter((it) => it.doc === doc && it.status === 'pending' && it.waits);
    return doc.pending - sum(waiting.map(({ amount }) => amount));
  }

  /** What is open of it without what a gateway collects, but with what waits for its payer. */
  creditable(doc: Doc): number {
    return doc.open - this.moving(doc);
  }

  /** Invoices that credit may pay, oldest due first. */
  waiting(): Doc[] {
    return this.docs
      .filter((doc) => doc.kind === 'invoice' && this.creditable(doc) > 0)
      .sort((a, b) => a.due - b.due || (a.number < b.number ? -1 : 1));
  }

  give(amount: number, lot: Partial<Pick<Lot, 'promotional' | 'expires' | 'source'>> = {}): void {
    this.lots.push({
      rest: amount,
      amount,
      promotional: lot.promotional ?? false,
      expires: lot.expires ?? null,
      source: lot.source ?? null,
      used: new Map(),
    });
  }

  /** When credit that is given now ends. */
  get giftEnds(): number | null {
    const days =
      this.model.overrides.get(this.customer)?.creditExpiryDays ?? this.model.settings.creditExpiryDays ?? null;
    return days === null ? null : this.model.now + days * DAY;
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
      const used = Math.min(this.usableAmount, this.creditable(doc));
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
