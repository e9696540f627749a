import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Gateways } from '../src/payments/gateway/payment-gateway.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
  // Gateways stay silent: each collection is answered by a step.
  world.service.get(Gateways).find = () => ({ name: 'testing', collect: () => Promise.resolve(new Map()) });
});
afterAll(() => world.stop());

interface ModelInvoice {
  id: string;
  open: number;
  pending: number;
  due: number;
  ordinal: number;
}
interface ModelPayment {
  id: string;
  invoice: ModelInvoice;
  amount: number;
}
interface ModelLot {
  rest: number;
  /** What invoices got from it. */
  readonly used: Map<ModelInvoice, number>;
  source: { payment: string; invoice: ModelInvoice } | null;
}

/** One customer's money as plain numbers and lists, written down independently of the service. */
class Model {
  readonly invoices: ModelInvoice[] = [];
  readonly payments: ModelPayment[] = [];
  readonly collections: ModelPayment[] = [];
  readonly notes: { id: string; open: number }[] = [];
  readonly lots: ModelLot[] = [];

  constructor(
    readonly creditOverpayments: boolean,
    readonly applies: boolean,
  ) {}

  get balance(): number {
    return this.lots.reduce((sum, lot) => sum + lot.rest, 0);
  }

  private waiting(): ModelInvoice[] {
    return this.invoices.filter((i) => i.open - i.pending > 0).sort((a, b) => a.due - b.due || a.ordinal - b.ordinal);
  }

  spend(amount: number, invoice: ModelInvoice | null): void {
    for (const lot of this.lots) {
      const taken = Math.min(lot.rest, amount);
      lot.rest -= taken;
      amount -= taken;
      if (invoice && taken > 0) lot.used.set(invoice, (lot.used.get(invoice) ?? 0) + taken);
    }
  }

  apply(): void {
    if (!this.applies) return;
    for (const invoice of this.waiting()) {
      const used = Math.min(this.balance, invoice.open - invoice.pending);
      this.spend(used, invoice);
      invoice.open -= used;
    }
  }

  received(payment: ModelPayment): void {
    const { invoice } = payment;
    this.payments.push(payment);
    invoice.open -= payment.amount;
    if (invoice.open >= 0 || !this.creditOverpayments) return;
    this.lots.push({ rest: -invoice.open, used: new Map(), source: { payment: payment.id, invoice } });
    invoice.open = 0;
    this.apply();
  }

  note(id: string, amount: number): void {
    let left = amount;
    for (const invoice of this.waiting()) {
      const used = Math.min(left, invoice.open - invoice.pending);
      invoice.open -= used;
      left -= used;
    }
    if (left > 0) this.lots.push({ rest: left, used: new Map(), source: null });
    this.notes.push({ id, open: 0 });
    this.apply();
  }

  returned(payment: ModelPayment): void {
    this.payments.splice(this.payments.indexOf(payment), 1);
    payment.invoice.open += payment.amount;
    for (const lot of this.lots) {
      if (lot.source?.payment !== payment.id) continue;
      for (const [invoice, amount] of lot.used) {
        invoice.open += amount;
        lot.rest += amount;
      }
      lot.used.clear();
      lot.source.invoice.open -= lot.rest;
      lot.rest = 0;
    }
    this.apply();
  }
}

type Step = {
  do: 'invoice' | 'collect' | 'note' | 'pay' | 'return' | 'adjust' | 'take' | 'succeed' | 'decline';
  amount: number;
  pick: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('invoice', 'invoice', 'collect', 'note', 'pay', 'pay', 'return', 'return', 'adjust', 'take', 'succeed', 'decline'),
  amount: fc.integer({ min: 1, max: 300 }),
  pick: fc.nat(20),
});

class Run {
  private ordinal = 0;

  constructor(
    readonly tenant: Tenant,
    readonly model: Model,
    readonly customer: string,
    readonly bank: Json,
    readonly gateway: Json,
  ) {}

  async take({ do: what, amount, pick }: Step): Promise<void> {
    const one = <T>(all: readonly T[]): T | undefined => (all.length === 0 ? undefined : all[pick % all.length]);
    const { model, tenant } = this;
    if (what === 'invoice' || what === 'collect') await this.invoice(amount, pick, what === 'collect');
    if (what === 'note') {
      const [id] = await tenant.finalize({ customerId: this.customer, gross: -amount });
      model.note(id!, amount);
    }
    const unpaid = one(model.invoices.filter((i) => i.open > 0));
    if (what === 'pay' && unpaid) {
      const answer = await tenant.record(unpaid.id, this.bank.id, { amount: { amount, currencyCode: 'EUR' } });
      expect(answer.status).toBe(200);
      model.received({ id: answer.body.transactionId, invoice: unpaid, amount });
    }
    const paid = one(model.payments);
    if (what === 'return' && paid) {
      await tenant.ok('POST', `/payment/transactions/${paid.id}/return`, { reason: 'model' });
      model.returned(paid);
    }
    if (what === 'adjust' || what === 'take') await this.adjust(what === 'adjust' ? amount : -amount);
    const collection = one(model.collections);
    if ((what === 'succeed' || what === 'decline') && collection) await this.decide(collection, what === 'succeed');
  }

  private async invoice(amount: number, due: number, collected: boolean): Promise<void> {
    const [id] = await this.tenant.finalize({
      customerId: this.customer,
      gross: amount,
      dueInDays: due,
      method: collected ? this.gateway.id : null,
    });
    const invoice: ModelInvoice = { id: id!, open: amount, pending: 0, due, ordinal: ++this.ordinal };
    this.model.invoices.push(invoice);
    this.model.apply();
    if (!collected || invoice.open <= 0) return;
    invoice.pending = invoice.open;
    const [row] = await this.tenant.rows<{ id: string }>(
      'SELECT t.id FROM payment_transaction t JOIN payment_intent i ON i.id = t.intent_id WHERE i.invoice_id = $1',
      [id],
    );
    this.model.collections.push({ id: row!.id, invoice, amount: invoice.pending });
  }

  private async adjust(amount: number): Promise<void> {
    const answer = await this.tenant.call('POST', '/api/wallet/adjustments', {
      customerId: this.customer,
      amount: amount / 100,
      currencyCode: 'EUR',
      description: 'model',
    });
    if (amount < 0 && this.model.balance < -amount) {
      expect(answer.body.reason).toBe('insufficient_credit');
      return;
    }
    expect(answer.status).toBe(201);
    if (amount < 0) this.model.spend(-amount, null);
    else this.model.lots.push({ rest: amount, used: new Map(), source: null });
    if (amount > 0) this.model.apply();
  }

  private async decide(collection: ModelPayment, succeeds: boolean): Promise<void> {
    const outcome = succeeds ? { status: 'succeeded', reference: 'r' } : { status: 'declined', reason: 'no' };
    const twice = [0, 1].map(() => this.tenant.ok('POST', `/internal/payments/collections/${collection.id}/outcome`, { outcome }));
    expect((await Promise.all(twice)).filter((a) => a.changed)).toHaveLength(1);
    this.model.collections.splice(this.model.collections.indexOf(collection), 1);
    collection.invoice.pending = 0;
    if (succeeds) this.model.received(collection);
    else this.model.apply();
  }

  /** The service shows what the model says, and its books hold. */
  async compare(): Promise<void> {
    const rows = await this.tenant.rows<{ id: string; open: bigint; pending: bigint; status: string }>(
      'SELECT invoice_id AS id, open_minor AS open, pending_minor AS pending, status FROM payment_intent WHERE amount_minor > 0 ORDER BY id',
    );
    const shown = new Map(rows.map((row) => [row.id, [Number(row.open), Number(row.pending), row.status === 'succeeded']]));
    expect(shown).toEqual(new Map(this.model.invoices.map((i) => [i.id, [i.open, i.pending, i.open <= 0]])));
    expect(await this.tenant.balance(this.customer)).toBe(this.model.balance);
    expect(await this.tenant.broken()).toEqual([]);
  }
}

describe('pay, overpay, return, collect, credit and adjust in any order', () => {
  it('give what a plain model gives, and keep the books after every step', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        fc.boolean(),
        async (steps, creditOverpayments, applies) => {
          const tenant = await world.tenant({ settings: { creditOverpayments, applyCreditAutomatically: applies } });
          const customer = await tenant.customer();
          const run = new Run(
            tenant,
            new Model(creditOverpayments, applies),
            customer,
            await tenant.method(customer),
            await tenant.method(customer, 'testing', { isDefault: false }),
          );
          for (const one of steps) {
            await run.take(one);
            await run.compare();
          }
        },
      ),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? 25) },
    );
  }, 180_000);
});
